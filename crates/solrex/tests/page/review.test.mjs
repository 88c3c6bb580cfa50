// Games looked back at, and a board as its players like it.

import assert from 'node:assert/strict';
import { addressed, cell, context, once, openPage, page, picture, shows } from './session.mjs';

const strip = () => page.locator('#strip button').allInnerTexts();

once('a review marks each move, and a click shows what would have won', async () => {
  // Black wins with d1; White is lost; b2 throws it away; then White throws it back.
  await openPage('#p=4.4.4.4_b&m=d1a1b2c3&n=4');
  // On a small board it is done without being asked for.
  await page.locator('#strip .open').first().waitFor({ state: 'detached' });
  const marks = await strip();
  assert.deepEqual(marks.slice(0, 3), ['✓', '–', '✗']);
  await shows('#review-says', /^Black throws the win away once(, White throws the win away once)?: choose ✗ to see what would have won\.$/);
  await shows('#strip-legend', '– already lost');
  await picture('review');
  await page.locator('#strip button').nth(2).click();
  await shows('#review-says', /^Black played b2 here, which throws the win away\. a2 or c1 would have won\.$/);
  await addressed('&n=2');
  // What would have won is drawn, with its line.
  await page.locator('#board .phantom').first().waitFor();
  const first = await page.locator('#board .phantom').evaluateAll((cells) => cells.find((cell) => cell.lastChild.textContent === '1').getAttribute('aria-label'));
  assert.match(first, /^(a2|c1), /);
  assert.match(await page.locator('#strip button').nth(2).getAttribute('aria-label'), /^3\. Black b2: throws the win away$/);
  await page.locator('#strip button').nth(0).click();
  await addressed('&n=1');
});

once('a small game that is over is reviewed by itself, though nothing of it was searched before', async () => {
  await openPage('#p=3.3.3_b&m=b2a1b1a2b3&n=5');
  await shows('#verdict', 'White has won.');
  await shows('#strip', '✓');
  await page.locator('#strip .open').first().waitFor({ state: 'detached' });
  assert.deepEqual(await strip(), ['–', '✓', '–', '✓', '–']);
});

once('an imported game is reviewed as well, and set-ups are no mistakes', async () => {
  await openPage();
  await page.locator('#share summary').click();
  await page.locator('#import-text').fill('(;GM[11]SZ[3];B[b2];W[a1];AB[c3]PL[W];W[c1])');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.waitForURL(/m=b2a1@/);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('#strip .open').first().waitFor({ state: 'detached' });
  assert.equal((await strip())[2], '▪');
  // Black loses on 3x3 whatever she opens with.
  assert.equal((await strip())[0], '–');
});

once('the wheel over the board and the arrow keys step, from wherever the focus is, and ? shows the keys', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1c1&n=3');
  await cell(page, 'b3').hover();
  await page.mouse.wheel(0, -100);
  await addressed('&n=2');
  await page.mouse.wheel(0, -100);
  await addressed('&n=1');
  await page.mouse.wheel(0, 100);
  await addressed('&n=2');
  for (const id of ['#review', '#engine-on', '[data-tool=ask]', '#sizes button']) {
    await page.locator(id).first().focus();
    await page.keyboard.press('ArrowLeft');
    await addressed('&n=1');
    await page.keyboard.press('ArrowRight');
    await addressed('&n=2');
  }
  await page.keyboard.press('?');
  await shows('#keys[open]', 'these keys');
  // Keys belong to the dialog while it is open.
  await page.keyboard.press('ArrowLeft');
  await addressed('&n=2');
  await page.keyboard.press('Escape');
  await page.locator('#keys').waitFor({ state: 'hidden' });
});

once('options: orientation, coordinates, move numbers and colours, kept for the next visit', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  const centres = async (...names) => Promise.all(names.map(async (name) => {
    const { x, y, width, height } = await cell(page, name).locator('.hexagon').boundingBox();
    return [x + width / 2, y + height / 2];
  }));
  const open = () => page.getByRole('button', { name: 'Options' }).click();
  const close = () => page.locator('#options').getByRole('button', { name: 'Done' }).click();
  let [a1, d1, a4] = await centres('a1', 'd1', 'a4');
  assert.ok(Math.abs(a1[1] - d1[1]) < 2 && d1[0] > a1[0] && a4[0] > a1[0], 'flat');
  await open();
  await page.locator('#orientation').selectOption('mirrored');
  await close();
  [a1, d1, a4] = await centres('a1', 'd1', 'a4');
  assert.ok(Math.abs(a1[1] - d1[1]) < 2 && d1[0] < a1[0] && a4[0] < a1[0], 'mirrored');
  await open();
  await page.locator('#orientation').selectOption('diamond');
  await page.locator('#numbers').check();
  await page.locator('#coordinates').uncheck();
  await page.locator('#colours').selectOption('safe');
  await close();
  const d4 = (await centres('d4'))[0];
  [a1, d1, a4] = await centres('a1', 'd1', 'a4');
  assert.ok(Math.abs(a1[1] - d4[1]) < 2 && Math.abs(d1[0] - a4[0]) < 2 && d1[1] < a1[1] && a4[1] > a1[1], 'diamond');
  const numbers = async () => Promise.all(['d1', 'a1'].map((name) => cell(page, name).locator('.mark').textContent()));
  assert.deepEqual(await numbers(), ['1', '2']);
  assert.equal(await page.locator('#board .coordinate').first().evaluate((node) => getComputedStyle(node).visibility), 'hidden');
  await picture('diamond');
  // Keys go where they point: from the left corner up to the right.
  await page.keyboard.press('Shift');
  await cell(page, 'a1').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^[bc][12],/);
  await page.reload();
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  assert.deepEqual(await numbers(), ['1', '2']);
  assert.equal(await page.locator('#colours').inputValue(), 'safe');
});

once('stones can be red and blue, and then the players are called so everywhere', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  const fill = (name) => cell(page, name).locator('.stone').evaluate((node) => getComputedStyle(node).fill.match(/\d+/g).map(Number));
  const grey = ([red, green, blue]) => Math.max(red, green, blue) - Math.min(red, green, blue) < 16;
  assert.ok(grey(await fill('d1')) && grey(await fill('a1')));
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  const choose = async (stones) => {
    await page.getByRole('button', { name: 'Options' }).click();
    await page.locator('#stones').selectOption(stones);
    await page.locator('#options').getByRole('button', { name: 'Done' }).click();
  };
  await choose('red');
  const [first, second] = [await fill('d1'), await fill('a1')];
  assert.ok(first[0] > first[2] + 80 && second[2] > second[0] + 80, `${first} ${second}`);
  await shows('#turn', 'Red to move');
  await shows('#verdict', 'Red wins with 2 of 14 moves.');
  assert.match(await cell(page, 'd1').getAttribute('aria-label'), /Red stone/);
  await page.reload();
  const seen = [];
  for (const view of ['explore', 'play', 'puzzles', 'openings', 'proofs', 'rules']) {
    await page.locator(`nav [data-view=${view}]`).click();
    await page.locator(`#${view}`).waitFor();
    seen.push(await page.locator('main').innerText());
  }
  await page.locator('nav [data-view=proofs]').click();
  await page.locator('#proofs button', { hasText: 'opens d1 and wins' }).click();
  await shows('#claim-says', 'Blue to move; Red wins.');
  seen.push(await page.locator('main').innerText());
  for (const text of seen) assert.doesNotMatch(text, /\b(Black|White)\b/);
  await choose('black');
  await shows('#claim-says', 'White to move; Black wins.');
  await shows('#turn', 'White to move');
});

once('the safe colours differ for people who cannot tell red from green, in light and dark', async () => {
  // How colours look without one kind of cones, in linear light (Viénot, Brettel and Mollon, 1999).
  const SEEN = {
    protan: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    deutan: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
  };
  for (const colorScheme of ['light', 'dark']) {
    await openPage('', { colorScheme });
    await page.getByRole('button', { name: 'Options' }).click();
    await page.locator('#colours').selectOption('safe');
    const colours = await page.evaluate(() => ['--win', '--loss'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name)));
    const linear = colours.map((text) => text.match(/[0-9a-f]{2}/g).map((hex) => (parseInt(hex, 16) / 255) ** 2.2));
    for (const [kind, matrix] of Object.entries(SEEN)) {
      const [one, two] = linear.map((rgb) => matrix.map((row) => row.reduce((sum, factor, i) => sum + factor * rgb[i], 0)));
      const apart = Math.hypot(...one.map((value, i) => value - two[i]));
      assert.ok(apart > 0.2, `${colorScheme} ${kind}: ${apart}`);
    }
  }
});

once('on a phone the board stays in view, the answer is below it, and the tools need no scrolling', async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 320, height: 640 }]) {
    await openPage('#p=6.6.6.6.6.6_b&m=a1f6c3d1b6c5e2&n=7', { viewport, hasTouch: true, isMobile: true });
    await page.locator('#board .cell.win, #board .cell.loss').first().waitFor();
    const inView = async (selector) => {
      const { x, y, width, height } = await page.locator(selector).first().boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + width <= viewport.width + 1 && y + height <= viewport.height + 1, `${viewport.width} ${selector}: ${[x, y, width, height]}`);
    };
    const all = async () => {
      for (const selector of ['#board', '[data-tool=b]', '[data-tool=w]', '[data-tool=ask]', '[data-step=back]']) await inView(selector);
    };
    await all();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= viewport.width);
    await page.locator('[data-tool=ask]').tap();
    await page.locator('#board .cell[aria-label*="empty, wins"], #board .cell[aria-label*="empty, loses"]').first().tap();
    await page.locator('#board .phantom').first().waitFor();
    await inView('#about-cell');
    await picture(`phone-${viewport.width}`);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await all();
    // Buttons are large enough for a thumb.
    for (const box of await page.locator('.dock button').evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().toJSON()))) {
      assert.ok(box.height >= 38 && box.width >= 44, JSON.stringify(box));
    }
  }
});

once('the names of everything that can be pressed, for those who hear the page', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  await page.locator('#strip .open').first().waitFor({ state: 'detached' });
  const { nodes } = await (await context.newCDPSession(page)).send('Accessibility.getFullAXTree');
  const named = (role) => nodes.filter((node) => node.role?.value === role && !node.ignored).map((node) => node.name?.value ?? '');
  for (const name of [...named('button'), ...named('checkbox'), ...named('combobox')]) assert.notEqual(name.trim(), '');
  for (const name of ['Black', 'White', 'Ask', 'Options', 'Keys', '4 × 4', 'Review', '1. Black d1: keeps the win']) assert.ok(named('button').includes(name), `${name} in ${named('button')}`);
  for (const name of ['Size of the board', 'Moves of the game', 'What a click does']) assert.ok(named('group').includes(name), name);
});
