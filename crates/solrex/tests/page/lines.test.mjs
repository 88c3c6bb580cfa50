// What the page shows of each move: its grade, the line behind its verdict, and what happens to those who do not believe it.

import assert from 'node:assert/strict';
import { addressOf, addressed, asked, cell, engineOfPage, goTo, once, openPage, page, picture, says, searches, shows, test } from './session.mjs';
import { ENDLESS, LOST } from './testing.mjs';

const graded = () => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('#board .cell.graded')]
  .map((cell) => [cell.getAttribute('aria-label').slice(0, 2), Number(cell.dataset.mark.slice(1))])));

const shadeOf = (name) => cell(page, name).evaluate((node) => parseFloat(node.style.getPropertyValue('--shade')));

once('ten seconds: what loses, whose turn it is, what the colours mean, and what to try', async () => {
  for (const viewport of [{ width: 1200, height: 800 }, { width: 390, height: 844 }, { width: 320, height: 640 }]) {
    await openPage('', { viewport, isMobile: viewport.width < 800, hasTouch: viewport.width < 800 });
    await shows('#verdict', 'Black wins with 14 of 16 moves.');
    await shows('#legend', 'nine winning moves after the hardest reply');
    const seen = ['.tagline', '#turn', '#board', '#legend', '#verdict', ...(viewport.height > 700 ? ['#first'] : []), '#tools'];
    for (const selector of seen) {
      const { x, y, width, height } = await page.locator(selector).boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + width <= viewport.width + 1 && y + height <= viewport.height + 1, `${viewport.width}: ${selector} ${[x, y, width, height]}`);
    }
    assert.match(await page.locator('.tagline').innerText(), /connect your two sides and you lose/);
  }
});

once('sizes are buttons beside the board, and nothing is solved between rows and columns', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1');
  const solved = [];
  await (await engineOfPage()).evaluate((engine) => {
    const solve = engine.solve.bind(engine);
    window.solved = [];
    engine.solve = (position, hear) => {
      window.solved.push(position);
      return solve(position, hear);
    };
  });
  await page.locator('#sizes').getByRole('button', { name: '3 × 3' }).click();
  await addressed('#p=3.3.3_b');
  await says('Undo brings the game back.');
  await page.locator('#setup summary').click();
  await page.locator('#rows').selectOption('2');
  await page.locator('#cols').selectOption('5');
  await page.locator('#resize').click();
  await addressed('#p=5.5_b');
  solved.push(...await page.evaluate(() => window.solved));
  assert.deepEqual(solved, ['3/3/3 b', '5/5 b']);
});

test('grades: how many winning moves the winner has next, on won and lost boards', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1');
  await page.waitForFunction(() => document.querySelectorAll('#board .cell.graded').length === 15);
  const lost = await graded();
  assert.equal(lost.a1, 2);
  assert.ok(await shadeOf('a1') < await shadeOf('b3'), 'the stubborn move is paler');
  // Counted again, move by move: White's a1 leaves Black two winning replies.
  await cell(page, 'a1').click();
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  await page.waitForFunction(() => document.querySelectorAll('#board .cell.graded').length === 14);
  const won = await graded();
  // A winning move: after the reply that leaves her the fewest, this many moves of Black win.
  await cell(page, 'a2').hover();
  await shows('#about', /^a2: Black wins\. After the hardest reply, \w\d, Black has (only one winning move|\d+ winning moves of 12)\./);
  const [, reply] = /After the hardest reply, (\w\d)/.exec(await page.locator('#about').innerText());
  await cell(page, 'a2').click();
  await cell(page, reply).click();
  await shows('#verdict', `Black wins with ${won.a2} of 12 moves.`);
});

test('cells that are not solved show the net’s opinion', async () => {
  await openPage(addressOf(ENDLESS));
  await page.locator('#board .cell.opinion').first().waitFor();
  const opinions = await page.locator('#board .cell.opinion').evaluateAll((cells) => cells.map(({ dataset, classList }) => `${dataset.mark} ${classList.contains('likely-win')}`));
  for (const opinion of opinions) assert.ok(['~+ true', '~– false'].includes(opinion), opinion);
});

once('twins by symmetry have the same grade', async () => {
  await openPage();
  await page.waitForFunction(() => document.querySelectorAll('#board .cell.graded').length === 16);
  const marks = await page.locator('#board .cell').evaluateAll((cells) => cells.map((cell) => cell.dataset.mark));
  assert.deepEqual(marks, marks.slice().reverse());
});

/** Points at a cell: the line that is drawn, and what is said of its end. Pairs that end it are drawn, too. */
async function lineOf(name) {
  await cell(page, name).hover();
  await shows('#about', new RegExp(`^${name}:`));
  await shows('#about-line', /From here|is connected/);
  const text = await page.locator('#about-line').innerText();
  if (text.includes('From here pairs')) {
    const [pairs, keys, links] = await Promise.all(['.paired', '.ring', '.links line'].map((signs) => page.locator(`#board ${signs}`).count()));
    assert.ok(pairs + keys > 0 && pairs === 2 * links, `${name}: ${[pairs, keys, links]}`);
  }
  return { text, line: /^Line: ([^.]*)\./.exec(text)?.[1].split(' ') ?? [name] };
}

test('every cell can be asked: its line as numbered stones, up to a pairing, which is drawn', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1');
  await shows('#verdict', 'a1 leaves Black the fewest');
  for (const name of ['b1', 'c1', 'c2', 'd4', 'b4', 'a1']) {
    const { line } = await lineOf(name);
    assert.equal(line[0], name);
    // The stones stand where the line says, in turn, White first.
    const stones = await page.locator('#board .cell.phantom').evaluateAll((cells) => cells.map((cell) =>
      [Number(cell.lastChild.textContent), cell.getAttribute('aria-label').slice(0, 2), cell.classList.contains('phantom-w')]).sort((a, b) => a[0] - b[0]));
    assert.deepEqual(stones, line.map((move, i) => [i + 1, move, i % 2 === 0]));
    // The engine says the same of where the line ends.
    assert.equal((await asked('explain', { position: `4x4 d1 ${line.join(' ')}` })).winner, 'black', name);
  }
  await picture('line');
  // Off the board the stones go, and what was said stays.
  await page.locator('h1').hover();
  await page.locator('#board .phantom').first().waitFor({ state: 'detached' });
  await shows('#about', 'a1: White loses to');
  // With the keyboard.
  await cell(page, 'b1').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await shows('#about', 'a2: White loses to');
  await page.locator('#board .phantom').first().waitFor();
  // Here pairs decide from the start.
  await goTo('#p=1b1w.3w.w2b.2b1_b');
  await shows('#verdict', 'Black wins with 9 of 10 moves.');
  assert.match((await lineOf('a1')).text, /^From here pairs decide/);
});

test('what is known is drawn without waiting for a search that runs', async () => {
  await openPage(addressOf(ENDLESS));
  await page.locator('#board .cell.loss').first().waitFor();
  await cell(page, LOST).hover();
  await shows('#about', `${LOST}: White loses`);
  await page.locator('#board .phantom').first().waitFor();
  await searches();
});

once('try to beat it: a pairing is played against, and in the end it is said why it could not work', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b');
  await shows('#reason', 'except the key');
  await page.getByRole('button', { name: 'Try to beat it' }).click();
  await shows('#beat-says', 'Your move.');
  // There are several such pairings.
  const [[one, two]] = (await asked('explain', { position: '1b1w/3w/w2b/2b1 b' })).strategy.pairs;
  assert.equal(await page.locator('#board .paired').count(), 2);
  await cell(page, one).click();
  await shows('#beat-says', `You took ${one}, so Solrex takes its partner ${two}.`);
  for (let move = 0; move < 6; move++) {
    if ((await page.locator('#beat-says').textContent()).includes('you lose')) break;
    await page.locator('#board .cell[aria-label*="empty"]').first().click();
    await shows('#beat-says', /Your move|you lose/);
    await page.waitForFunction(() => /you lose/.test(document.getElementById('beat-says').textContent) || document.getElementById('turn').textContent === 'White to move');
  }
  await shows('#beat-says', new RegExp(`White’s sides are connected: you lose\\. .*${one}–${two}`));
  assert.ok(await page.locator('#board .chain').count() >= 4);
  await picture('beat');
  await page.getByRole('button', { name: 'Done' }).click();
  await shows('#strip', '✓');
});

once('try to beat it where only a search knows: every attempt on 4x4 after d1 fails', async () => {
  await openPage();
  for (let attempt = 0; attempt < 3; attempt++) {
    await goTo('#p=4.4.4.4_b&m=d1&n=1');
    await shows('#verdict', 'White loses');
    await page.getByRole('button', { name: 'Try to beat it' }).click();
    await shows('#beat-says', 'You are White');
    for (let move = 0; move < 9; move++) {
      await shows('#beat-says', /Your move|You are White|you lose/);
      if ((await page.locator('#beat-says').textContent()).includes('you lose')) break;
      const free = page.locator('#board .cell[aria-label*="empty"]');
      const before = page.url();
      await free.nth((attempt * 5 + move * 3) % await free.count()).click();
      await page.waitForFunction(() => document.getElementById('turn').textContent !== 'Black to move');
      await addressed((url) => url !== before);
    }
    await shows('#beat-says', 'you lose');
    await page.getByRole('button', { name: 'Done' }).click();
  }
});
