// The page and its server: many pages at once, waiting, a store, and a server that goes away.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from './browser.mjs';
import { addressOf, cell, context, engineOfPage, goTo, newPage, openPage, page, searches, server, shows, test } from './session.mjs';
import { ENDLESS } from './testing.mjs';

const HARD = addressOf(ENDLESS);

test('many pages search at once, and the next one still opens', async () => {
  await openPage(HARD);
  const more = [];
  for (let i = 0; i < 6; i++) {
    more.push(await newPage(context, server.url));
    await more[i].goto(server.url + HARD);
  }
  const last = await newPage(context, server.url);
  await last.goto(`${server.url}#p=1b1w.3w.w2b.2b1_b`);
  await last.locator('#reason', { hasText: 'takes one cell of a pair' }).waitFor();
  await last.locator('#progress', { hasText: 'Waiting: other tabs of this browser are searching' }).waitFor();
  await Promise.all([page, ...more].map((other) => other.close()));
  await last.locator('#verdict', { hasText: 'Black wins with 9 of 10 moves.' }).waitFor();
});

/** A page that searches for long, at a server of its own. */
async function longSearch(...flags) {
  const mine = await serve(0, ...flags);
  await openPage(HARD, {}, mine.url);
  await searches();
  return mine;
}

test('a search that waits for others says so', async () => {
  const mine = await longSearch('--searches', '1');
  const second = await newPage(context, mine.url);
  await second.goto(mine.url + HARD);
  await second.locator('#progress', { hasText: /waiting for its turn: .*searches/ }).waitFor();
  assert.deepEqual(second.problems, []);
  await mine.stop();
});

test('a page that nobody sees does not search, and goes on when it is seen again', async () => {
  const mine = await longSearch();
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
  await goTo(HARD.replace(/n=\d+/, 'n=0'));
  await page.waitForFunction(() => !document.querySelector('#board .stone-b'));
  await shows('#reason', /./);
  assert.equal(asked, 0);
  await goTo(HARD);
  await page.locator('#board .stone-b').waitFor();
  const again = page.waitForRequest(isSearch);
  await show(false);
  await again;
  await searches();
  await mine.stop();
});

for (const [how, signal, status] of [['stopped with Ctrl-C', 'SIGINT', 0], ['killed', 'SIGKILL', null]]) {
  test(`a server that is ${how} is waited for, and the search goes on with the next one`, async () => {
    const mine = await longSearch();
    assert.equal(await mine.stop(signal), status);
    await shows('#verdict', 'The server is not answering');
    const again = await serve(Number(new URL(mine.url).port));
    await shows('#verdict', 'Solving');
    await searches();
    await goTo('#p=4.4.4.4_b&m=d1&n=1');
    await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
    assert.equal(await again.stop(), 0);
  });
}

test('a server that is gone is told also when the winner is known', async () => {
  const mine = await serve();
  // By symmetry.
  await openPage('#p=8.8.8.8.8.8.8.8_b&v=rules', {}, mine.url);
  // No move is ever heard of.
  await (await engineOfPage()).evaluate((engine) => {
    const solve = engine.solve.bind(engine);
    engine.solve = (position, hear) => solve(position, (name, data) => !['move', 'done'].includes(name) && hear(name, data));
  });
  await page.locator('nav [data-view=explore]').click();
  await shows('#verdict', 'Black wins; still searching for the winning moves.');
  await mine.stop('SIGKILL');
  await shows('#verdict', 'Black wins; still searching for the winning moves. The server is not answering; waiting for it.');
});

test('openings and replies are kept: the next server knows them without a search', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'solrex-store-'));
  for (const flags of [[], ['--nodes', '0']]) {
    const mine = await serve(0, '--db', join(folder, 'solved.redb'), ...flags);
    await openPage('#p=4.4.4.4_b&v=openings', {}, mine.url);
    await shows('#openings-status', '14 win, 2 lose.');
    await cell(page, 'd1').click();
    await shows('#openings-status', 'White’s replies to d1: 0 win, 15 lose.');
    if (flags.length) await shows('#openings', 'Already known: no search was needed.');
    // The answers are being counted still.
    await page.locator('#explore-opening').click();
    await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
    assert.equal(await mine.stop(), 0);
  }
  rmSync(folder, { recursive: true });
});
