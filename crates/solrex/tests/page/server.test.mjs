// The page and its server: many pages at once, waiting, and a server that goes away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from './browser.mjs';
import { cell, context, newPage, openPage, page, server, shows } from './session.mjs';

test('many pages search at once, and the next one still opens', async () => {
  await openPage('#p=8.8.8.8.8.8.8.8_b&m=a1&n=1');
  const more = [];
  for (let i = 0; i < 6; i++) {
    more.push(await newPage(context, server.url));
    await more[i].goto(`${server.url}#p=8.8.8.8.8.8.8.8_b&m=a${i + 2}&n=1`);
  }
  const last = await newPage(context, server.url);
  await last.goto(`${server.url}#p=1b1w.3w.w2b.2b1_b`);
  await last.locator('#reason', { hasText: 'takes one cell of a pair' }).waitFor();
  await last.locator('#progress', { hasText: 'Waiting: other tabs of this browser are searching' }).waitFor();
  await Promise.all([page, ...more].map((other) => other.close()));
  await last.locator('#verdict', { hasText: 'Black wins with 9 of 10 moves.' }).waitFor();
});

/** A page that searches for long, at a server of its own. */
async function longSearch(hash = '#p=8.8.8.8.8.8.8.8_b&m=a1&n=1', ...flags) {
  const mine = await serve(0, ...flags);
  const port = Number(new URL(mine.url).port);
  await openPage(hash, {}, mine.url);
  await page.locator('#progress', { hasText: 'nodes' }).waitFor();
  return { mine, port };
}

test('a search that waits for others says so', async () => {
  const { mine } = await longSearch('#p=8.8.8.8.8.8.8.8_b&m=a1&n=1', '--searches', '1');
  const second = await newPage(context, mine.url);
  await second.goto(`${mine.url}#p=8.8.8.8.8.8.8.8_b&m=b1&n=1`);
  await second.locator('#progress', { hasText: /waiting for its turn: .*searches/ }).waitFor();
  assert.deepEqual(second.problems, []);
  await mine.stop();
});

test('a page that nobody sees does not search, and goes on when it is seen again', async () => {
  const { mine } = await longSearch();
  // The browser that is driven here shows all its pages as if they were in front.
  const show = (hidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  const isSearch = (request) => request.url().includes('/api/solve');
  const ended = page.waitForEvent('requestfailed', isSearch);
  await show(true);
  await ended;
  await shows('#progress', 'stopped while the page is hidden');
  // Somewhere else in the game, still unseen: nothing is asked.
  let asked = 0;
  page.on('request', (request) => { asked += isSearch(request); });
  await page.evaluate(() => { location.hash = '#p=8.8.8.8.8.8.8.8_b&m=b1&n=1'; });
  await page.waitForFunction(() => document.querySelector('#board .stone-b[aria-label^="b1"]'));
  await shows('#reason', /./);
  assert.equal(asked, 0);
  const again = page.waitForRequest(isSearch);
  await show(false);
  await again;
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
  await mine.stop();
});

test('a server that is stopped with Ctrl-C is waited for too', async () => {
  const { mine, port } = await longSearch();
  assert.equal(await mine.stop(), 0);
  await shows('#verdict', 'The server is not answering');
  const again = await serve(port);
  await shows('#verdict', 'Solving');
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
  assert.equal(await again.stop(), 0);
});

test('a server that is gone is told also when the winner is known', async () => {
  const { mine } = await longSearch('#p=8.8.8.8.8.8.8.8_b');
  await shows('#verdict', 'Black wins; still searching for the winning moves.');
  await mine.stop('SIGKILL');
  await shows('#verdict', 'Black wins; still searching for the winning moves. The server is not answering; waiting for it.');
});

test('the server is killed and restarted under the page', async () => {
  const { mine, port } = await longSearch();
  await mine.stop('SIGKILL');
  await shows('#verdict', 'The server is not answering');
  const again = await serve(port);
  await shows('#verdict', 'Solving');
  page.once('dialog', (dialog) => dialog.accept());
  await page.locator('#clear').evaluate((button) => button.click());
  await page.locator('#rows').evaluate((select) => {
    select.value = 2;
    document.getElementById('resize').click();
  });
  await page.locator('#board .cell.loss, #board .cell.win').first().waitFor();
  assert.equal(await again.stop(), 0);
});
