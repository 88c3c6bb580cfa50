// What a person does with the page, in a real browser.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { browse, cell, newPage, serve } from './browser.mjs';

const PICTURES = process.env.PICTURES;
let server, browser, context, page;

before(async () => {
  server = await serve();
  browser = await browse();
});
after(async () => {
  await server.stop();
  browser.close();
});

async function openPage(hash = '', options = {}) {
  context = await browser.open(options);
  page = await newPage(context, server.url);
  await page.goto(server.url + hash);
  await page.locator('#board .cell').first().waitFor({ state: 'attached' });
  return page;
}

afterEach(async () => {
  const problems = page?.problems ?? [];
  await context?.close();
  assert.deepEqual(problems, []);
});

const shows = (selector, text) => page.locator(selector, { hasText: text }).waitFor();
// The browser may tell of a new address a moment after the page has set it.
const addressed = (wanted) =>
  page.waitForURL(wanted instanceof RegExp ? wanted : (url) => wanted(url.href), { timeout: 10_000, waitUntil: 'commit' });
const values = (kind) => page.locator(`#board .cell.${kind}`).count();

async function picture(name) {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

test('the 4x4 puzzle: after d1 White is lost, and a1 leaves the fewest winning replies', async () => {
  await openPage();
  await cell(page, 'd1').click();
  await shows('#verdict', 'White loses with every move; a1 leaves the fewest winning answers: 2.');
  assert.equal(await values('loss'), 15);
  assert.equal(await page.locator('#line button').first().textContent(), 'a1');
  assert.match(await cell(page, 'a1').getAttribute('aria-label'), /^a1, empty, loses to \w\d and 1 other answer/);
  await picture('page');
  await cell(page, 'a1').click();
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  for (const name of ['a2', 'c1']) assert.match(await cell(page, name).getAttribute('aria-label'), /wins/);
});

test('where every move joins at once, no answers are counted', async () => {
  await openPage('#p=b1.1b_w');
  for (const address of ['#p=1_b', '#p=wb.1w_b']) {
    await page.evaluate((hash) => { location.hash = hash; }, address);
    await shows('#verdict', /^Black loses with every move\.$/);
    await shows('#progress', /^1 of 1 moves decided/);
  }
  assert.match(await cell(page, 'a2').getAttribute('aria-label'), /loses at once: it joins her own sides/);
});

test('verdicts stream onto a 5x5 board, can be hidden, and the line can be followed', async () => {
  await openPage('#p=5.5.5.5.5_b&m=a1&n=1');
  await page.locator('#board .cell.win').first().waitFor();
  await shows('#verdict', 'White wins with 21 of 24 moves.');
  for (const name of ['d2', 'c3', 'b4']) assert.match(await cell(page, name).getAttribute('aria-label'), /loses/);
  await page.locator('#verdicts-on').uncheck();
  assert.equal(await values('win') + await values('loss'), 0);
  await shows('#verdict', 'Verdicts are hidden.');
  await page.locator('#verdicts-on').check();
  await page.locator('#line button').first().click();
  await shows('#turn', 'Black to move');
  assert.equal(await page.locator('#moves button').count(), 2);
});

test('a 6x6 opening streams, shows its progress and can be stopped', async () => {
  await openPage('#p=6.6.6.6.6.6_b');
  await shows('#verdict', 'Black wins');
  await page.locator('#progress', { hasText: 'nodes' }).waitFor();
  await page.locator('#progress', { hasText: /\d+ of 36 moves decided · [\d,]+ nodes · [\d.]+ s · [\d,]+ nodes\/s · looking at \w\d/ }).waitFor();
  await page.locator('#board .cell.win').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await shows('#progress', 'stopped');
  const decided = await values('win') + await values('loss');
  assert.ok(decided > 0);
  // What was found stays, and the search can go on.
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('#progress', { hasText: 'looking at' }).waitFor();
  assert.ok(await values('win') + await values('loss') >= decided);
});

test('a screen reader hears the result of a search, and not every step of it', async () => {
  await openPage('#p=5.5.5.5.5_b&m=a1&n=1');
  await shows('#verdict', 'White wins with 21 of 24 moves.');
  await page.evaluate(() => {
    window.heard = [];
    for (const region of document.querySelectorAll('[aria-live]')) {
      new MutationObserver(() => {
        if (region.getAttribute('aria-live') !== 'off') window.heard.push(region.textContent);
      }).observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  await cell(page, 'c3').click();
  await shows('#verdict', /Black wins with \d+ of 23 moves\./);
  const heard = await page.evaluate(() => window.heard);
  // Who is to move, who wins, and with which moves.
  assert.ok(heard.includes('Black to move') && heard.filter(Boolean).length <= 3, heard.join('|'));
  await cell(page, 'b1').focus();
  await cell(page, 'c1').focus();
  assert.equal(await page.evaluate(() => window.heard.length), heard.length);
});

test('hidden verdicts are hidden everywhere', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b');
  await shows('#verdict', 'Black wins with 9 of 10 moves.');
  await page.keyboard.press('v');
  await shows('#reason', 'Verdicts are hidden.');
  await cell(page, 'c2').hover();
  await shows('#about', 'Theorem 6');
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /\b(wins|loses|won|lost)\b/);
  const labels = await page.locator('#board .cell').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  assert.doesNotMatch(labels.join(), /wins|loses/);
});

test('Back and Forward lead through the views, and what an address replaces can be had back', async () => {
  await openPage('#p=4.4.4.4_b');
  await cell(page, 'd1').click();
  await page.locator('nav [data-view=puzzles]').click();
  await shows('#puzzle-status', 'to move and win');
  assert.equal(await page.title(), 'Puzzles · Solrex');
  await page.goBack();
  await shows('#moves', '1. d1');
  assert.match(await cell(page, 'd1').getAttribute('aria-label'), /Black stone/);
  await page.goForward();
  await shows('#puzzle-status', 'to move and win');
  await page.goBack();
  // By hand, with garbage in it: nothing is lost, and it is told.
  const long = '(a1)(b1)'.repeat(4000);
  for (const garbage of ['#p=nonsense', '#p=4.4.4.4_b&m=d1d1', '#p=4.4.4.4_b&m=z9', '#p=99.99_b', '#%', '#p=4.4.4.4_b&m=)', `#p=4.4.4.4_b&m=${long}!`]) {
    await page.evaluate(() => document.getElementById('said').classList.remove('on'));
    await page.evaluate((hash) => { location.hash = hash; }, garbage);
    await shows('#said.on', 'no position in it that can be read');
    await addressed(/#p=4.4.4.4_b&m=d1&n=1$/);
  }
  await page.evaluate(() => { location.hash = '#p=3.3.3_b&n=77&v=nowhere'; });
  await page.waitForFunction(() => document.querySelectorAll('#board .cell').length === 9);
  await addressed(/#p=3.3.3_b$/);
  await page.locator('[data-step=undo]').click();
  await addressed(/#p=4.4.4.4_b&m=d1&n=1$/);
});

test('a game with very many variations is opened from its address and can be used', async () => {
  const names = [...'abcdefgh'].flatMap((col) => [1, 2, 3, 4, 5, 6, 7, 8].map((row) => `${col}${row}`));
  const tree = names.map((one) => `(${one}${names.filter((two) => two !== one).slice(0, 30).map((two) => `(${two})`).join('')})`).join('');
  await openPage(`#p=8.8.8.8.8.8.8.8_b&m=${tree}&n=1`);
  await page.locator('#engine-on').uncheck();
  await page.locator('#moves button').nth(1900).waitFor();
  await page.keyboard.press('.');
  await addressed(/&n=2$/);
  await page.reload();
  assert.match(await cell(page, 'a2').getAttribute('aria-label'), /White stone/);
});

test('stones are set up with tools, by right click and by dragging; undo and redo', async () => {
  await openPage('#p=3.3.3_b');
  await page.locator('#setup summary').click();
  await page.locator('[data-tool=b]').click();
  const from = await cell(page, 'a1').boundingBox();
  const to = await cell(page, 'c1').boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
  await page.mouse.up();
  await addressed((url) => url.includes('p=bbb.3.3_b'));
  // One stroke is undone at once.
  await page.locator('[data-step=undo]').click();
  await addressed((url) => url.includes('p=3.3.3_b'));
  await page.locator('[data-step=redo]').click();
  await cell(page, 'b2').click({ button: 'right' });
  await cell(page, 'b2').click({ button: 'right' });
  await page.locator('#side').click();
  await addressed((url) => url.endsWith('#p=bbb.1w1.3_w'));
  await page.locator('[data-step=undo]').click();
  await addressed((url) => url.endsWith('#p=bbb.1w1.3_b'));
  await page.locator('[data-step=redo]').click();
  await page.locator('#rotate').click();
  await addressed((url) => url.endsWith('#p=3.1w1.bbb_w'));
  await page.locator('#swap').click();
  await addressed((url) => url.endsWith('#p=2w.1bw.2w_b'));
  await page.locator('#rows').selectOption('2');
  await addressed((url) => url.endsWith('#p=2w.1bw_b'));
  await page.locator('#clear').click();
  await addressed((url) => url.endsWith('#p=3.3_b'));
});

test('an SGF comes in with its variations, and every notation goes out', async () => {
  await openPage();
  await page.locator('#share summary').click();
  await page.locator('#import-text').fill('nonsense');
  await page.getByRole('button', { name: 'Import' }).click();
  await shows('#import-error', 'bad position');
  // The browser notes the refusal, as it should.
  assert.match(page.problems.pop() ?? '', /status of 400/);
  await page.locator('#import-text').fill('(;GM[11]SZ[4];B[d1](;W[a1])(;W[c1];B[a1]))');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.waitForURL(/m=d1\(a1\)\(c1a1\)&n=2/);
  assert.equal(await page.locator('#import-error').textContent(), '');
  assert.equal(await page.locator('#moves .variation').count(), 1);
  await page.locator('#moves .variation button').last().click();
  assert.match(await cell(page, 'c1').getAttribute('aria-label'), /White stone/);
  const expected = {
    ren: 'b1wb/4/4/4 w', moves: '4x4 d1 c1 a1', hexworld: 'https://hexworld.org/board/#4c1,d1c1a1',
    sgf: 'B[d1]', diagram: 'white to move', link: page.url(),
  };
  for (const [format, text] of Object.entries(expected)) {
    await page.locator('#format').selectOption(format);
    await page.waitForFunction((text) => document.getElementById('export-text').value.includes(text), text);
  }
  for (const kind of ['svg', 'png']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#save-${kind}`).click()]);
    const head = readFileSync(await download.path()).subarray(0, 8).toString('latin1');
    assert.match(head, kind === 'svg' ? /^<svg/ : /PNG/);
  }
});

test('every notation comes in, and what cannot be read is told and changes nothing', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await page.locator('#share summary').click();
  const give = async (text) => {
    await page.locator('#import-text').fill(text);
    await page.getByRole('button', { name: 'Import' }).click();
  };
  const start = page.url();
  for (const [text, says] of [
    ['', /./], ['4x4 d1 d1', /d1/], ['9x9', /9x9/], ['4/4/4/5 b', /5/], ['4/4/4/4', /side to move|expected/], ['(;GM[11]SZ[4];B[z9])', /z9/],
    ['(;GM[1]SZ[4])', /GM/], ['(;GM[11]SZ[4];B[d1]', /./], ['https://hexworld.org/board/#4c1,z9', /z9/],
    ['https://example.org/#4', /./], ['@/etc/passwd', /./], ['#p=4.4.4.4_b&m=d1d1', /no position/], ['<img src=x onerror=alert(1)>', /./],
  ]) {
    await page.evaluate(() => { document.getElementById('import-error').textContent = 'none yet'; });
    await give(text);
    await page.waitForFunction(() => !['', 'none yet'].includes(document.getElementById('import-error').textContent));
    assert.match(await page.locator('#import-error').textContent(), says, text);
    assert.equal(await page.locator('#import-text').inputValue(), text);
    assert.equal(page.url(), start, text);
  }
  page.problems = page.problems.filter((problem) => !/status of 400/.test(problem));
  const drawn = `       black
      a b c
     1 . B . 1
white 2 W . . 2 white
       3 . . . 3
          a b c
           black
white to move`;
  for (const [text, address] of [
    ['1b1/w2/3 w', 'p=1b1.w2.3_w'], ['3x4 a1 b2', 'p=4.4.4_b&m=a1b2&n=2'], [drawn, 'p=1b1.w2.3_w'],
    ['(;GM[11]SZ[3]AB[b1]AW[a2]PL[W];W[c3](;B[a1])(;B[c1]))', 'p=1b1.w2.3_w&m=c3(a1)(c1)&n=2'],
    ['https://hexworld.org/board/#4c1,d1a1', 'p=4.4.4.4_b&m=d1a1&n=2'],
    ['http://127.0.0.1:7373/#p=3.3.3_b&m=a1(b1)(c1)&n=3', 'p=3.3.3_b&m=a1(b1)(c1)&n=3'],
  ]) {
    await give(text);
    await page.waitForURL((url) => url.href.endsWith(`#${address}`));
    assert.equal(await page.locator('#import-error').textContent(), '');
  }
  for (let i = 0; i < 6; i++) await page.locator('[data-step=undo]').click();
  assert.equal(page.url(), start);
});

test('what does not fit into a tree of moves is told', async () => {
  await openPage();
  await page.locator('#share summary').click();
  await page.locator('#import-text').fill('(;GM[11]SZ[4];B[d1](;W[a1])(;AW[b2]PL[B];B[c3]))');
  await page.getByRole('button', { name: 'Import' }).click();
  await shows('#import-error', /^Note: of 2 lines .* left out .*: 2\.$/);
  await addressed(/m=d1a1&n=2/);
});

test('a link opens the same place in a second page', async () => {
  await openPage('#p=4.4.4.4_b');
  await cell(page, 'd1').click();
  await cell(page, 'a1').click();
  await page.keyboard.press(',');
  await cell(page, 'c1').click();
  const second = await newPage(context, server.url);
  await second.goto(page.url());
  await second.locator('#moves .variation').waitFor();
  assert.match(await cell(second, 'c1').getAttribute('aria-label'), /White stone/);
  assert.equal(await second.locator('#moves').textContent(), await page.locator('#moves').textContent());
  assert.deepEqual(second.problems, []);
  await second.goto(`${server.url}#p=nonsense`);
  await second.locator('#said.on').waitFor();
});

test('why: cells are named, an inferior one points at a better one, and pairs are walked through', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b');
  await shows('#reason', 'Black wins without search, by a pairing with a key');
  await cell(page, 'a1').hover();
  await shows('#about', 'It is dead');
  await cell(page, 'c2').hover();
  await shows('#about', 'Theorem 6: prefer victim to killer');
  assert.equal(await page.locator('#board .arrows path').count(), 1);
  await cell(page, 'a4').hover();
  await shows('#about', 'captured by Black');
  await page.locator('#why-on').check();
  assert.equal(await page.locator('#board .cell.dead').count(), 3);
  await cell(page, 'c2').hover();
  assert.equal(await page.locator('#board .arrows path').count(), 1);
  await picture('why');
  await page.locator('#walk-start').click();
  await shows('#about', 'Pair 1 of 1: if White takes b2, Black answers b3');
  assert.equal(await page.locator('#board .pair-0').count(), 2);
  await page.locator('#walk-next').click();
  await shows('#about', 'White is joined');
  assert.ok(await page.locator('#board .chain').count() >= 4);
  await page.locator('#walk-end').click();
});

test('a whole game is played and lost', async () => {
  await openPage('#v=play');
  await page.locator('#play').getByLabel('Board').selectOption('3');
  await page.getByLabel('Solrex is').selectOption('perfect');
  await page.locator('#new-game').click();
  await page.getByRole('button', { name: 'Hint' }).click();
  await shows('#play-status', 'You are lost against perfect play');
  for (let move = 0; move < 5; move++) {
    await page.locator('#play-status', { hasText: /Your turn|You are lost|You lose|wins\./ }).waitFor();
    if ((await page.locator('#play-status').textContent()).startsWith('You lose')) break;
    await page.locator('#board .cell[aria-label*="empty"]').first().click();
    await page.locator('#play-status', { hasText: /Your turn|You lose/ }).waitFor();
  }
  await shows('#play-status', 'You lose: you have joined your two sides.');
  assert.ok(await page.locator('#board .chain').count() >= 3);
});

test('somebody who does not wait for Solrex gets its move nevertheless', async () => {
  await openPage('#v=play');
  await page.getByLabel('You are').selectOption('w');
  let late;
  await page.route('**/api/move', async (route) => {
    if (!late) await new Promise((resolve) => { late = resolve; });
    await route.continue().catch(() => {});
  });
  await page.locator('#new-game').click();
  await shows('#play-status', 'Solrex thinks');
  await page.locator('#play').getByLabel('Board').selectOption('5');
  await page.locator('#new-game').click();
  await shows('#play-status', /Solrex has played \w\d\. Your turn: you are White\./);
  late();
  assert.equal(await page.locator('#board .stone-b').count(), 1);
  // The other colour: Solrex moves for White.
  await page.getByLabel('You are').selectOption('b');
  await shows('#play-status', /Solrex has played \w\d\. Your turn: you are Black\./);
  assert.equal(await page.locator('#board .stone-w').count(), 1);
});

test('a puzzle that was failed can be stepped back in, and is the same after a reload', async () => {
  await openPage('#v=puzzles');
  const { puzzles } = await page.evaluate(() => fetch('/api/puzzles').then((answer) => answer.json()));
  const third = puzzles[2];
  await page.getByRole('button', { name: 'Puzzle 3 on 4 × 4' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '3');
  const [wrong] = Object.keys(third.failing);
  await cell(page, wrong).click();
  await shows('#puzzle-status', `No: ${wrong} loses to`);
  await page.reload();
  await shows('#puzzle-status', `No: ${wrong} loses to`);
  await page.locator('[data-step=start]').click();
  await shows('#puzzle-status', 'to move and win');
  await cell(page, third.solutions[0]).click();
  await shows('#puzzle-status', `Yes, ${third.solutions[0]} wins.`);
  await shows('#puzzles', '4 × 4: 1 of');
});

test('a puzzle is failed, tried again, solved, and remembered', async () => {
  await openPage('#v=puzzles');
  await shows('#puzzle-status', 'to move and win');
  const { puzzles } = await page.evaluate(() => fetch('/api/puzzles').then((answer) => answer.json()));
  const [wrong] = Object.keys(puzzles[0].failing);
  await cell(page, wrong).click();
  await shows('#puzzle-status', `No: ${wrong} loses to`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await cell(page, puzzles[0].solutions[0]).click();
  await shows('#puzzle-status', `Yes, ${puzzles[0].solutions[0]} wins.`);
  await page.reload();
  await shows('#puzzles', '4 × 4: 1 of');
});

test('openings of every size up to 5x5, and the replies to one', async () => {
  await openPage('#v=openings');
  for (const [size, says] of [[2, '2 win, 2 lose.'], [3, '0 win, 9 lose.'], [4, '14 win, 2 lose.'], [5, '0 win, 25 lose.']]) {
    await page.getByRole('button', { name: `${size} × ${size}` }).click();
    await shows('#openings-status', `Black’s openings: ${says}`);
  }
  await cell(page, 'a1').click();
  await shows('#openings-status', 'White’s replies to a1: 21 win, 3 lose.');
  await page.getByRole('button', { name: 'Back to the openings' }).click();
  await shows('#openings-status', 'Black’s openings');
});

test('openings and replies are kept: the next server knows them without a search', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'solrex-store-'));
  const look = async (says) => {
    const mine = await serve(0, '--db', join(folder, 'solved.redb'));
    context = await browser.open();
    page = await newPage(context, mine.url);
    await page.goto(`${mine.url}#v=openings&p=4.4.4.4_b`);
    await shows('#openings-status', '14 win, 2 lose.');
    await shows('#openings', says);
    await cell(page, 'd1').click();
    await shows('#openings-status', 'White’s replies to d1: 0 win, 15 lose.');
    await shows('#openings', says);
    // The answers are being counted still.
    await page.locator('nav [data-view=explore]').click();
    await shows('#verdict', 'a1 leaves the fewest winning answers: 2.');
    assert.equal(await mine.stop(), 0);
    return page.problems;
  };
  assert.deepEqual(await look(/\d nodes/), []);
  await context.close();
  await look('Known from before: nothing had to be searched.');
  rmSync(folder, { recursive: true });
});

test('a screen reader hears the state and the verdict of every cell', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  const { nodes } = await (await context.newCDPSession(page)).send('Accessibility.getFullAXTree');
  const names = nodes.filter((node) => node.role?.value === 'button').map((node) => node.name?.value ?? '');
  const cells = new Map(names.filter((name) => /^[a-d][1-4],/.test(name)).map((name) => [name.slice(0, 2), name]));
  assert.equal(cells.size, 16);
  for (const [name, label] of cells) {
    const says = { d1: /, Black stone/, a1: /, White stone/, a2: /, empty, wins/, c1: /, empty, wins/ };
    assert.match(label, says[name] ?? /, empty, loses to [a-d][1-4]/);
  }
});

test('the rules have a board to try them on', async () => {
  await openPage('#p=5.5.5.5.5_b');
  await page.getByRole('link', { name: 'The rules take half a minute.' }).click();
  await addressed(/#p=5\.5\.5\.5\.5_b&v=rules$/);
  for (let move = 0; move < 5; move++) {
    const status = await page.locator('#try-status', { hasText: /Your move|lost|won/ }).textContent();
    if (!status.startsWith('Your move')) break;
    await page.locator('#try-board .cell[aria-label*="empty"]').first().click();
    await page.locator('#try-status', { hasText: /Your move|lost|won/ }).waitFor();
  }
  await page.locator('#try-status', { hasText: /lost|won/ }).waitFor();
});

test('everything is reached with the keyboard alone', async () => {
  await openPage('#p=4.4.4.4_b');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? '');
  for (let i = 0; i < 30 && !(await focused()).startsWith('a1,'); i++) await page.keyboard.press('Tab');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /^d1, empty/);
  // The place is marked inside the cell, where no neighbour is drawn over it.
  const mark = () => page.evaluate(() => getComputedStyle(document.activeElement.querySelector('.halo')).stroke);
  assert.match(await mark(), /^rgb/);
  await page.keyboard.press('Enter');
  await shows('#verdict', 'White loses with every move; a1 leaves');
  assert.match(await focused(), /^d1, Black stone/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^d2, empty, loses/);
  await page.keyboard.press('w');
  await addressed((url) => url.endsWith('#p=3b.3w.4.4_w'));
  await page.keyboard.press('x');
  await page.keyboard.press('Control+z');
  await addressed((url) => url.endsWith('#p=3b.3w.4.4_w'));
  await page.keyboard.press('s');
  await addressed((url) => url.endsWith('_b'));
  await page.keyboard.press('v');
  await shows('#verdict', 'Verdicts are hidden.');
});

test('variations are stepped through with the keyboard', async () => {
  await openPage('#p=4.4.4.4_b&m=d1(a1c1)(c1(a1)(b2))&n=0');
  const steps = [['.', 1], ['.', 2], ['ArrowDown', 4], ['ArrowRight', 5], ['ArrowDown', 6], ['ArrowUp', 5], ['ArrowLeft', 4], ['ArrowUp', 2], ['End', 3], ['Home', 0]];
  for (const [key, place] of steps) {
    await page.keyboard.press(key);
    await addressed((url) => url.endsWith(`&n=${place}`));
  }
  // A move that is activated in the list keeps the focus.
  await page.locator('#moves button').nth(2).focus();
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^2\. c1$/);
});

test('a narrow phone in the dark: nothing sticks out, and a touch is a move', async () => {
  await openPage('#p=6.6.6.6.6.6_b', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(await wide() <= 360, `${await wide()}`);
  await cell(page, 'c3').tap();
  await addressed((url) => url.includes('m=c3'));
  for (const view of ['play', 'puzzles', 'openings', 'rules', 'explore']) {
    await page.locator(`nav [data-view=${view}]`).tap();
    assert.ok(await wide() <= 360, view);
  }
  await page.locator('#engine-on').uncheck();
  await picture('phone');
});

test('a phone on its side shows the board and the verdict together', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1', { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true });
  await shows('#verdict', 'a1 leaves the fewest');
  for (const id of ['#board', '#verdict']) {
    const { x, y, width, height } = await page.locator(id).boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= 740 && y + height <= 360, `${id}: ${[x, y, width, height]}`);
  }
});

test('by touch: a cell is asked about without a move, and stones are set by dragging', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.getByRole('button', { name: 'Ask by touch' }).tap();
  await cell(page, 'c2').tap();
  await shows('#about', 'Theorem 6: prefer victim to killer');
  await addressed((url) => url.endsWith('#p=1b1w.3w.w2b.2b1_b'));
  await page.locator('#setup summary').tap();
  await page.locator('[data-tool=w]').tap();
  await page.locator('#board').scrollIntoViewIfNeeded();
  const [from, to] = [await cell(page, 'a1').boundingBox(), await cell(page, 'c1').boundingBox()];
  const touches = await context.newCDPSession(page);
  const at = (share) => [{ x: from.x + from.width / 2 + share * (to.x - from.x), y: from.y + from.height / 2 }];
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let i = 1; i <= 10; i++) await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(i / 10) });
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForURL(/#p=wwww\.3w\.w2b\.2b1_b$/);
});

test('texts and signs stand out enough from what is behind them, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await openPage('', { colorScheme });
    const ratio = (pairs) => page.evaluate((pairs) => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const [r, g, b] = style.getPropertyValue(`--${name}`).match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16) / 255)
          .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return pairs.map((pair) => {
        const [dark, bright] = pair.split(' ').map(light).sort((a, b) => a - b);
        return [pair, (bright + 0.05) / (dark + 0.05)];
      });
    }, pairs);
    const texts = ['ink page', 'ink card', 'faint card', 'faint page', 'error card', 'card ink', 'card accent', 'accent card', 'win-ink win', 'loss-ink loss', 'ink cell', 'ink grey', 'ink blue', 'ink inferior'];
    const signs = ['accent cell', 'accent loss', 'accent page', 'gold cell', 'gold inferior', 'arrow cell', 'arrow inferior', 'black-edge cell', 'cell-edge cell', 'side-edge page', 'side-edge card'];
    for (const [pair, found] of await ratio(texts)) assert.ok(found >= 4.5, `${colorScheme}: ${pair} ${found}`);
    for (const [pair, found] of await ratio(signs)) assert.ok(found >= 3, `${colorScheme}: ${pair} ${found}`);
    await context.close();
  }
});

test('many pages search at once, and the next one still opens', async () => {
  await openPage('#p=8.8.8.8.8.8.8.8_b&m=a1&n=1');
  const more = [];
  for (let i = 0; i < 6; i++) {
    more.push(await newPage(context, server.url));
    await more[i].goto(`${server.url}#p=8.8.8.8.8.8.8.8_b&m=a${i + 2}&n=1`);
  }
  const last = await newPage(context, server.url);
  await last.goto(`${server.url}#p=1b1w.3w.w2b.2b1_b`);
  await last.locator('#reason', { hasText: 'Black wins without search' }).waitFor();
  await last.locator('#progress', { hasText: 'Waiting for a free place' }).waitFor();
  await Promise.all([page, ...more].map((other) => other.close()));
  await last.locator('#verdict', { hasText: 'Black wins with 9 of 10 moves.' }).waitFor();
});

/** A page that searches for long, at a server of its own. */
async function longSearch() {
  const mine = await serve();
  const port = Number(new URL(mine.url).port);
  context = await browser.open();
  page = await newPage(context, mine.url);
  await page.goto(`${mine.url}#p=8.8.8.8.8.8.8.8_b&m=a1&n=1`);
  await page.locator('#progress', { hasText: 'nodes' }).waitFor();
  return { mine, port };
}

test('a server that is stopped with Ctrl-C is waited for too', async () => {
  const { mine, port } = await longSearch();
  assert.equal(await mine.stop(), 0);
  await shows('#verdict', 'The server is away');
  const again = await serve(port);
  await shows('#verdict', 'Solving');
  await page.locator('#progress', { hasText: 'looking at' }).waitFor();
  assert.equal(await again.stop(), 0);
});

test('the server is killed and restarted under the page', async () => {
  const { mine, port } = await longSearch();
  await mine.stop('SIGKILL');
  await shows('#verdict', 'The server is away');
  const again = await serve(port);
  await shows('#verdict', 'Solving');
  await page.locator('#clear').evaluate((button) => button.click());
  await page.locator('#rows').evaluate((select) => {
    select.value = 2;
    select.dispatchEvent(new Event('change'));
  });
  await page.locator('#board .cell.loss, #board .cell.win').first().waitFor();
  assert.equal(await again.stop(), 0);
});
