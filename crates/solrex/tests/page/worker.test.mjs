// The page without a server: what it says, how soon it hears, and what it does where it cannot solve.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TYPES, host } from './browser.mjs';
import { addressOf, asked, context, engineOfPage, goTo, newPage, openPage, page, searches, server, shows, test } from './session.mjs';
import { ENDLESS } from './testing.mjs';

const HARD = addressOf(ENDLESS);

test('it says who solves, and promises to save nothing', async () => {
  await openPage('#v=openings&p=3.3.3_b');
  await shows('#openings-status', '0 win, 9 lose.');
  assert.doesNotMatch(await page.locator('#openings').textContent(), /saved/);
  await page.locator('nav [data-view=explore]').click();
  await shows('#engine', /^Solved in this browser: one thread, \d+ MB; results are kept until the page is closed\.$/);
});

test('who would solve a hard position sooner is said where it takes long', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1');
  await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
  assert.doesNotMatch(await page.locator('#engine').textContent(), /hard/);
  // As if it had taken this long already.
  await (await engineOfPage()).evaluate((engine) => {
    const solve = engine.solve.bind(engine);
    engine.solve = (position, hear) => solve(position, (name, data) => hear(name, name === 'progress' ? { ...data, seconds: 31 } : data));
  });
  await goTo(HARD);
  await shows('#engine', 'This one is hard. The program itself, started with “solrex serve”, uses all cores and more memory');
});

test('a search that is stopped is quiet, and what it found is used when it continues', async () => {
  await openPage(HARD);
  await searches();
  await (await engineOfPage()).evaluate((engine) => {
    window.heard = [];
    const hear = engine.worker.onmessage;
    engine.worker.onmessage = (event) => {
      window.heard.push(event.data.name);
      hear(event);
    };
  });
  await page.getByRole('button', { name: 'Stop' }).click();
  await shows('#progress', 'stopped');
  // It answers after it has heard of the stop; from then on there is nothing more to say.
  const isOver = () => page.waitForFunction(() => window.heard.includes('answer') && window.heard.lastIndexOf('over') > window.heard.lastIndexOf('answer'));
  await asked('explain', { position: '4x4 d1' });
  await isOver();
  await page.evaluate(() => { window.heard = []; });
  await asked('explain', { position: '4x4 a1' });
  await isOver();
  assert.deepEqual(await page.evaluate(() => window.heard), ['answer', 'over']);
  await page.getByRole('button', { name: 'Continue' }).click();
  await searches();
});

test('short questions are answered while a long search runs, and a game can be played beside it', async () => {
  await openPage(HARD);
  await searches();
  assert.equal((await asked('export', { position: '4x4', moves: 'd1', at: 1 })).moves, '4x4 d1');
  const { move, winner } = await asked('move', { position: '4x4 d1 a1', level: 'perfect' });
  assert.ok(['a2', 'c1'].includes(move) && winner === 'black', `${move} ${winner}`);
  await shows('#verdict', 'Solving');
});

test('two tabs solve, each for itself', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1');
  const second = await newPage(context, server.url);
  await second.goto(`${server.url}#p=4.4.4.4_b&m=d1a1&n=2`);
  await second.locator('#verdict', { hasText: 'Black wins with 2 of 14 moves.' }).waitFor();
  await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
  assert.deepEqual(second.problems, []);
});

/** A page of the site, after this was done to it, whose search fails with this sentence. */
async function fails(prepare, says) {
  await openPage('#v=rules');
  await prepare();
  await page.goto('about:blank');
  await page.goto(`${server.url}#p=4.4.4.4_b&m=d1&n=1`);
  await shows('#verdict', says);
  // The rest of the page can be used.
  await page.locator('nav [data-view=rules]').click();
  await shows('#rules', 'Whoever connects their own two sides loses.');
  page.problems = page.problems.filter((problem) => !/about:blank|status of 404/.test(problem));
}

test('a browser without WebAssembly or without SIMD is told so', async () => {
  await fails(() => page.addInitScript(() => { delete globalThis.WebAssembly; }), 'This browser has no WebAssembly');
  await fails(() => page.addInitScript(() => { WebAssembly.validate = () => false; }), 'without SIMD');
});

test('a solver that is missing or damaged is told', async () => {
  await fails(() => page.route('**/rex.wasm', (route) => route.fulfill({ status: 404 })), 'Cannot load the solver');
  const bytes = readFileSync(join(process.env.SITE, 'rex.wasm')).subarray(0, 5000);
  await fails(() => page.route('**/rex.wasm', (route) => route.fulfill({ body: bytes, contentType: 'application/wasm' })), /\w/);
  await fails(() => page.route('**/worker.js', (route) => route.fulfill({ status: 404 })), 'The solver could not be loaded.');
});

test('a solver that could not be loaded is loaded when it can be', async () => {
  let broken = true;
  await openPage('#v=rules');
  await page.route('**/rex.wasm', (route) => (broken ? route.fulfill({ status: 503 }) : route.continue()));
  await page.goto('about:blank');
  await page.goto(`${server.url}#p=4.4.4.4_b&m=d1&n=1`);
  await shows('#verdict', 'Cannot load the solver');
  broken = false;
  await page.getByRole('button', { name: 'Continue' }).click();
  await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
  page.problems = page.problems.filter((problem) => !/about:blank|status of 503/.test(problem));
});

test('a Worker that dies is replaced', async () => {
  await openPage(HARD);
  await searches();
  await (await engineOfPage()).evaluate((engine) => engine.lose('The solver ran out of memory.'));
  await shows('#verdict', 'The solver ran out of memory.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await searches();
  assert.equal((await asked('explain', { position: '4x4' })).v, 1);
});

test('it works in a folder of a server that knows few types, and asks for nothing outside of it', async () => {
  const site = await host(process.env.SITE, '/some/where/', TYPES);
  await openPage('#p=4.4.4.4_b&m=d1&n=1', {}, site.url);
  await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
  await page.locator('nav [data-view=puzzles]').click();
  await shows('#puzzle-status', 'to move and win');
  await page.locator('nav [data-view=explore]').click();
  await page.locator('#share summary').click();
  await page.waitForFunction((url) => document.getElementById('export-text').value.startsWith(`${url}#p=`), site.url);
  assert.deepEqual(site.outside, []);
  await site.stop();
});
