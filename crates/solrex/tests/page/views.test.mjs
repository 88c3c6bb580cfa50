// Every view keeps its own game, and what is said stands where it is seen: on a phone, on a projector, on paper.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { addressed, cell, goTo, linger, once, openPage, page, shows } from './session.mjs';

const view = (name) => page.locator(`nav [data-view=${name}]`).click();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const SMALL = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };

/** Whether all of an element is on the screen, and nothing lies over its middle. */
async function isSeen(selector) {
  return page.locator(selector).first().evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && (node.contains(over) || over?.contains(node));
  });
}

once('every view keeps its own game', async () => {
  await openPage('#p=5.5.5.5.5_b&m=a1c3b2&n=3');
  await shows('#turn', 'White to move');
  // Solrex does not move in what was being explored.
  await view('play');
  await shows('#play-status', 'Your turn: you are Black.');
  assert.equal(await page.locator('#board .cell').count(), 16);
  await cell(page, 'b2').click();
  await shows('#play-status', /Solrex played \w\d\. Your turn/);
  const game = page.url();
  await view('puzzles');
  await shows('#puzzle-status', 'to move and win');
  await view('openings');
  await shows('#openings-status', 'Black’s openings');
  await view('proofs');
  await page.locator('#proofs').getByRole('button', { name: /Black opens d1/ }).click();
  await shows('#claim h2', 'Claim');
  await view('explore');
  await addressed('#p=5.5.5.5.5_b&m=a1c3b2&n=3');
  await view('play');
  await addressed((url) => url === game);
  await shows('#play-status', /Solrex played \w\d\. Your turn/);
  // Back goes through the views, each with its game.
  await page.goBack();
  await addressed('#p=5.5.5.5.5_b&m=a1c3b2&n=3');
  // What is wanted elsewhere is copied there.
  await page.locator('#play-from').click();
  await shows('#play-status', 'Your turn: you are White.');
  assert.equal(await page.locator('#board :is(.stone-b, .stone-w)').count(), 3);
});

once('a puzzle that is not solved is there again, and its answer is shown only to those who ask', async () => {
  await openPage('#v=puzzles');
  await shows('#puzzle-status', 'to move and win');
  await page.getByRole('button', { name: /^Puzzle 4,/ }).click();
  await shows('#puzzles h2', 'Puzzle 4');
  for (const other of ['explore', 'play', 'rules', 'openings']) {
    await view(other);
    if (other === 'explore') await shows('#verdict', 'Black wins with 14 of 16 moves.');
    await view('puzzles');
    await shows('#puzzles h2', 'Puzzle 4');
  }
  await page.locator('#explore-puzzle').click();
  await page.locator('#board .cell:is(.win, .loss)').first().waitFor();
});

once('after the puzzle of the day it goes on where one was', async () => {
  await openPage('#v=puzzles');
  await page.getByRole('button', { name: /^Puzzle 2,/ }).click();
  await shows('#puzzles h2', 'Puzzle 2');
  await page.locator('#daily-puzzle').click();
  await shows('#puzzles h2', 'the puzzle of the day');
  await page.locator('#next-puzzle').click();
  await shows('#puzzles h2', /^Puzzle 2\b/);
  await page.locator('#easy-puzzle').click();
  await shows('#about-puzzle', /^Grade [12] of 5/);
});

once('what was said of a cell stays while the pointer goes to it, once it was asked with a click', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1');
  await shows('#verdict', 'White loses');
  await page.locator('[data-tool=ask]').click();
  await cell(page, 'a2').click();
  await shows('#about', /^a2: White loses/);
  await page.locator('#board .phantom').first().waitFor();
  await page.clock.install();
  await cell(page, 'c3').hover();
  await linger();
  assert.match(await page.locator('#about').innerText(), /^a2:/);
  assert.ok(await page.locator('#board .phantom').count() > 0);
  await page.keyboard.press('Escape');
  await cell(page, 'b3').hover();
  await shows('#about', /^b3:/);
  // In a preview nothing is said that holds only before the move.
  await page.locator('[data-tool=play]').click();
  await goTo('#p=4.4.4.4_b');
  await shows('#verdict', 'Black wins');
  await cell(page, 'b2').hover();
  await linger();
  await shows('#about-line', 'From here');
  assert.doesNotMatch(await page.locator('#about-why').textContent(), /paired/);
});

once('a link as an exercise hides the answer and shows the comment', async () => {
  await openPage('#p=3.3.3_b&m=a1&n=1&c1=Who%20wins%3F');
  await shows('#verdict', 'White wins');
  await page.locator('#share summary').click();
  await page.locator('#format').selectOption('exercise');
  await page.waitForFunction(() => document.getElementById('export-text').value.endsWith('&exercise=1'));
  const link = await page.locator('#export-text').inputValue();
  await page.goto('about:blank');
  await page.goto(link);
  await shows('#verdict', 'An exercise: find out who wins, and how.');
  await shows('#note', 'Who wins?');
  assert.equal(await page.locator('#board .cell:is(.win, .loss)').count(), 0);
  await page.locator('#verdicts-on').check();
  await shows('#verdict', 'White wins');
  await addressed((url) => !url.includes('exercise'));
  // It was for this link alone.
  await page.goto('about:blank');
  await page.goto(link.replace('&exercise=1', ''));
  await shows('#verdict', 'White wins');
});

once('where every move loses nobody is told to try one that wins', async () => {
  await openPage('#p=3.3.3_b');
  await shows('#first', 'Every move loses here. Press “Try to beat it”.');
  await page.locator('#sizes').getByRole('button', { name: '4 × 4' }).click();
  await shows('#first', 'Try it: click a cell with a +.');
});

once('after the end nothing is said of cells', async () => {
  await openPage('#p=b2.b2.3_b');
  await cell(page, 'a3').click();
  await shows('#turn', 'Black is connected and loses');
  await page.clock.install();
  await cell(page, 'c3').hover();
  await linger();
  assert.ok(await page.locator('#about').isHidden());
});

once('play: the size that is shown is the board’s, and nothing is taken back that you did not play', async () => {
  await openPage('#v=play');
  await page.locator('#play').getByLabel('Board').selectOption('5');
  // No move was made: it starts at once.
  await page.waitForFunction(() => document.querySelectorAll('#board .cell').length === 25);
  await page.getByLabel('You are').selectOption('w');
  await shows('#play-status', /Solrex played \w\d\. Your turn: you are White\./);
  assert.ok(await page.getByRole('button', { name: 'Take back' }).isDisabled());
  await page.locator('#board .cell[aria-label*="empty"]').first().click();
  await page.waitForFunction(() => document.querySelectorAll('#board :is(.stone-b, .stone-w)').length === 3);
  await page.locator('#play').getByLabel('Board').selectOption('3');
  await shows('#play-later', 'The board changes with “New game”.');
  await page.getByRole('button', { name: 'Take back' }).click();
  assert.equal(await page.locator('#board .stone-w').count(), 0);
  // Another move: what was taken back is a variation of the game that is played.
  await page.locator('#board .cell[aria-label*="empty"]').last().click();
  await page.waitForFunction(() => document.querySelectorAll('#board :is(.stone-b, .stone-w)').length === 3);
  await page.waitForFunction(() => /&m=\w\d\(\w\d\w\d\)\(\w\d\w\d\)&n=3/.test(location.hash));
});

once('on a phone what is said is seen without scrolling, wherever the page is scrolled', async () => {
  for (const phone of [PHONE, SMALL]) {
    await openPage('#v=puzzles', phone);
    await shows('#puzzle-status', 'to move and win');
    assert.ok(await isSeen('#puzzle-status'), 'the task');
    const pick = page.getByRole('button', { name: /^Puzzle 20,/ });
    await pick.scrollIntoViewIfNeeded();
    await pick.tap();
    await shows('#puzzles h2', 'Puzzle 20');
    assert.ok(await isSeen('#puzzle-status'), 'the task of another');
    await page.locator('#board .cell[aria-label*="empty"]').first().tap();
    await shows('#puzzle-status', /^(No|Yes|Solved)/);
    assert.ok(await isSeen('#puzzle-status'), 'the answer');
    // All views can be chosen.
    for (const button of await page.locator('nav button').all()) {
      const { x, width } = await button.boundingBox();
      assert.ok(x >= 0 && x + width <= phone.viewport.width + 1, `${await button.textContent()}: ${x} ${width}`);
    }
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'as wide as the screen');
    await page.locator('#keys-open').tap();
    await addressed(/v=rules/);
    assert.ok(await page.locator('.keyboard').isHidden());
  }
});

once('on a small phone what was asked about a cell is below the board, with the legend', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1', SMALL);
  await shows('#verdict', 'White loses');
  await page.locator('[data-tool=ask]').tap();
  await cell(page, 'a2').tap();
  await shows('#about', /^a2: White loses/);
  assert.ok(await isSeen('#legend'), 'the legend');
  const about = await page.locator('#about-cell').boundingBox();
  const dock = await page.locator('.dock').boundingBox();
  assert.ok(about.y + about.height <= dock.y, `${about.y + about.height} ${dock.y}`);
});

once('on a phone a proof that was chosen comes into view', async () => {
  await openPage('#v=proofs', PHONE);
  await page.locator('#proofs').getByRole('button', { name: /7 × 7, Black opens d3/ }).tap();
  await shows('#claim h2', 'Claim 1');
  await page.waitForFunction(() => {
    const [claim, stage] = ['claim', 'board'].map((id) => document.getElementById(id).getBoundingClientRect());
    return claim.top >= stage.bottom - 1 && claim.top < innerHeight;
  });
});

once('on the narrowest phone nothing sticks out of a card or of the options, and the verdict is seen beside a game', async () => {
  await openPage('#p=4.4.4.4_b&m=d1:s&n=2', { ...PHONE, viewport: { width: 320, height: 640 } });
  await shows('#verdict', 'Black loses with every move');
  const dock = await page.locator('.dock').boundingBox();
  const verdict = await page.locator('#verdict').boundingBox();
  assert.ok(verdict.y < dock.y, `${verdict.y} ${dock.y}`);
  for (const id of ['setup', 'share']) await page.locator(`#${id}`).evaluate((card) => { card.open = true; });
  const inside = (outer, inner) => page.evaluate(([outer, inner]) => {
    const { right } = document.querySelector(outer).getBoundingClientRect();
    return [...document.querySelectorAll(inner)].filter((node) => node.getBoundingClientRect().right > right).map((node) => node.id || node.textContent);
  }, [outer, inner]);
  assert.deepEqual(await inside('#explore', '#explore :is(select, textarea, button, p, output)'), []);
  // A phone makes the page wider than the screen if anything sticks out.
  assert.equal(await page.evaluate(() => innerWidth), 320);
  await page.locator('#options-open').tap();
  assert.deepEqual(await inside('#options', '#options :is(select, label, button)'), []);
});

once('tools that put stones are for Explore alone, and a finger scrolls over the board elsewhere', async () => {
  await openPage('', PHONE);
  await page.locator('[data-tool=b]').tap();
  const action = () => page.locator('#board .board').evaluate((board) => getComputedStyle(board).touchAction);
  assert.equal(await action(), 'none');
  await view('play');
  assert.equal(await action(), 'manipulation');
  await view('explore');
  await page.locator('[data-tool=play][aria-pressed=true]').waitFor();
});

once('on a projector the board, the pair and its sentence are seen together', async () => {
  // 1024 × 768 with letters half as large again.
  await openPage('#p=3.3.3_b&m=b2&n=1', { viewport: { width: 683, height: 512 } });
  await page.locator('#walk-start').click();
  await page.evaluate(() => scrollTo(0, 0));
  for (const part of ['#board', '#walk-says', '#walk-next', '#walk-end']) assert.ok(await isSeen(part), part);
  const { width, height } = await page.locator('#board .board').boundingBox();
  assert.ok(height > 240 && width > 300, `${width} × ${height}`);
  assert.ok(await page.locator('.dock').isHidden());
  // A second click goes on, and does not close it.
  await page.locator('#walk-next').click();
  await shows('#walk-says', /./);
});

once('the stones on the buttons are black and white, in the dark, too', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await openPage('', { colorScheme });
    const [black, white] = await page.locator('.tools .disc').evaluateAll((discs) => discs.map((disc) =>
      getComputedStyle(disc).backgroundColor.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)));
    assert.ok(black < 150 && white > 600, `${colorScheme}: ${black} ${white}`);
  }
});

once('a game is saved and opened as a file, and a picture has the name of its position', async () => {
  await openPage('#p=4.4.4.4_b&m=d1(a1)(c1a2)&n=4&c1=good');
  await page.locator('#share summary').click();
  const save = async (kind) => (await Promise.all([page.waitForEvent('download'), page.locator(`#save-${kind}`).click()]))[0];
  assert.equal((await save('png')).suggestedFilename(), 'rex-4x4-d1-c1-a2.png');
  const file = await save('sgf');
  assert.equal(file.suggestedFilename(), 'rex-4x4-d1-c1-a2.sgf');
  const sgf = readFileSync(await file.path());
  await page.locator('#sizes').getByRole('button', { name: '3 × 3' }).click();
  await page.locator('#game-file').setInputFiles({ name: 'game.sgf', mimeType: 'text/plain', buffer: sgf });
  await addressed(/#p=4\.4\.4\.4_b&m=d1\(a1\)\(c1a2\)&n=\d&c1=good$/);
});

once('on paper there is the board with its comment, and nothing to press', async () => {
  await openPage('#p=3.3.3_b&m=a1&n=1&c1=Who%20wins%3F');
  await page.emulateMedia({ media: 'print' });
  assert.ok(await page.locator('#board').isVisible() && await page.locator('#note').isVisible());
  for (const part of ['header', 'aside', '.dock', '#sizes']) assert.ok(await page.locator(part).first().isHidden(), part);
});

once('words are explained once, in the rules', async () => {
  await openPage('#v=rules');
  await shows('#rules', 'Black wins on a square board with an even side');
  await page.locator('#words summary').click();
  for (const word of ['Pair', 'Key', 'Captured', 'Dead', 'Filled in', 'Verdict']) await shows('#words dt', word);
});

once('in the diamond the sides have other names', async () => {
  await openPage('#v=play');
  await shows('#play-rules', 'Black owns top and bottom');
  await page.getByRole('button', { name: 'Options' }).click();
  await page.locator('#orientation').selectOption('diamond');
  await page.locator('#options').getByRole('button', { name: 'Done' }).click();
  await shows('#play-rules', 'Black owns upper left and lower right and moves first; White owns lower left and upper right.');
});
