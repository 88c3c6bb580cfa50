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
  await page.locator('#cancel').click();
  await shows('#progress', 'stopped');
  assert.equal(await page.locator('#cancel').isVisible(), false);
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
  assert.ok(page.url().includes('p=bbb.3.3_b'), page.url());
  await cell(page, 'b2').click({ button: 'right' });
  await cell(page, 'b2').click({ button: 'right' });
  await page.locator('#side').click();
  assert.ok(page.url().endsWith('#p=bbb.1w1.3_w'), page.url());
  await page.locator('[data-step=undo]').click();
  assert.ok(page.url().endsWith('#p=bbb.1w1.3_b'), page.url());
  await page.locator('[data-step=redo]').click();
  await page.locator('#rotate').click();
  assert.ok(page.url().endsWith('#p=3.1w1.bbb_w'), page.url());
  await page.locator('#swap').click();
  assert.ok(page.url().endsWith('#p=2w.1bw.2w_b'), page.url());
  await page.locator('#rows').selectOption('2');
  assert.ok(page.url().endsWith('#p=2w.1bw_b'), page.url());
  await page.locator('#clear').click();
  assert.ok(page.url().endsWith('#p=3.3_b'), page.url());
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

test('what does not fit into a tree of moves is told', async () => {
  await openPage();
  await page.locator('#share summary').click();
  await page.locator('#import-text').fill('(;GM[11]SZ[4];B[d1](;W[a1])(;AW[b2]PL[B];B[c3]))');
  await page.getByRole('button', { name: 'Import' }).click();
  await shows('#import-error', /^Note: of 2 lines .* left out .*: 2\.$/);
  assert.match(page.url(), /m=d1a1&n=2/);
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
  await openPage('#v=rules');
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
  await page.keyboard.press('Enter');
  await shows('#verdict', 'White loses with every move; a1 leaves');
  assert.match(await focused(), /^d1, Black stone/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^d2, empty, loses/);
  await page.keyboard.press('w');
  assert.ok(page.url().endsWith('#p=3b.3w.4.4_w'), page.url());
  await page.keyboard.press('x');
  await page.keyboard.press('Control+z');
  assert.ok(page.url().endsWith('#p=3b.3w.4.4_w'), page.url());
  await page.keyboard.press('s');
  assert.ok(page.url().endsWith('_b'), page.url());
  await page.keyboard.press('v');
  await shows('#verdict', 'Verdicts are hidden.');
});

test('a narrow phone in the dark: nothing sticks out, and a touch is a move', async () => {
  await openPage('#p=6.6.6.6.6.6_b', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(await wide() <= 360, `${await wide()}`);
  await cell(page, 'c3').tap();
  assert.ok(page.url().includes('m=c3'), page.url());
  for (const view of ['play', 'puzzles', 'openings', 'rules', 'explore']) {
    await page.locator(`nav [data-view=${view}]`).tap();
    assert.ok(await wide() <= 360, view);
  }
  await page.locator('#engine-on').uncheck();
  await picture('phone');
});

test('the server is killed and restarted under the page', async () => {
  const mine = await serve();
  const port = Number(new URL(mine.url).port);
  context = await browser.open();
  page = await newPage(context, mine.url);
  await page.goto(`${mine.url}#p=8.8.8.8.8.8.8.8_b&m=a1&n=1`);
  await page.locator('#progress', { hasText: 'nodes' }).waitFor();
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
