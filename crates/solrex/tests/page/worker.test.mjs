// The page without a server: what it says, how soon it hears, and what it does where it cannot solve.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asked, cell, context, engineOfPage, newPage, openPage, page, server, shows } from './session.mjs';

const LONG = '#p=8.8.8.8.8.8.8.8_b&m=a1&n=1';

test('it says who solves, and promises to save nothing', async () => {
  await openPage('#v=openings&p=3.3.3_b');
  await shows('#openings-status', '0 win, 9 lose.');
  assert.doesNotMatch(await page.locator('#openings').textContent(), /saved/);
  await page.locator('nav [data-view=explore]').click();
  await shows('#engine', /^Solved in this browser: one thread, \d+ MB; results are kept until the page is closed\.$/);
});

test('who would solve a hard position sooner is said where it takes long', async () => {
  await openPage('#p=5.5.5.5.5_b&m=a1&n=1');
  await shows('#verdict', 'White wins with 21 of 24 moves.');
  assert.doesNotMatch(await page.locator('#engine').textContent(), /hard/);
  // As if it had taken this long already.
  await (await engineOfPage()).evaluate((engine) => {
    const solve = engine.solve.bind(engine);
    engine.solve = (position, hear) => solve(position, (name, data) => hear(name, name === 'progress' ? { ...data, seconds: 31 } : data));
  });
  await page.evaluate((hash) => { location.hash = hash; }, LONG);
  await shows('#engine', 'This one is hard. The program itself, started with “solrex serve”, uses all cores and more memory');
});

test('a search that is stopped is quiet, and what it found is used when it continues', async () => {
  await openPage(LONG);
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
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
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
});

test('a page that nobody sees does not search, and goes on when it is seen again', async () => {
  await openPage(LONG);
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
  const show = (hidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  await show(true);
  await shows('#progress', 'stopped while the page is hidden');
  await show(false);
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
});

test('short questions are answered while a long search runs, and a game can be played beside it', async () => {
  await openPage(LONG);
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
  assert.equal((await asked('export', { position: '4x4', moves: 'd1', at: 1 })).moves, '4x4 d1');
  const { move, winner } = await asked('move', { position: '4x4 d1 a1', level: 'perfect' });
  assert.ok(['a2', 'c1'].includes(move) && winner === 'black', `${move} ${winner}`);
  await shows('#verdict', 'Solving');
});

test('a certificate is made and checked, and a changed one is refused', async () => {
  await openPage('#v=rules');
  const said = await (await engineOfPage()).evaluate(async (engine) => {
    const all = (request, file) => new Promise((resolve) => {
      const heard = {};
      engine.begin(request, (name, data) => {
        heard[name] = data;
        if (name === 'over') resolve(heard);
      }, file);
    });
    const { answer, file } = await all({ ask: 'prove', position: '4x4 d1', compressed: true });
    const checked = await all({ ask: 'check' }, file);
    const changed = await all({ ask: 'check' }, file.subarray(0, 200));
    return { answer, checked: checked.answer, changed: changed.answer };
  });
  assert.equal(said.answer.winner, 'black');
  assert.equal(said.checked.claims, said.answer.claims);
  assert.ok(said.changed.error, JSON.stringify(said.changed));
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
  // What a service worker keeps would not be asked for again.
  await openPage('#v=rules', { serviceWorkers: 'block' });
  await prepare();
  await page.goto('about:blank');
  await page.goto(`${server.url}#p=4.4.4.4_b&m=d1&n=1`);
  await shows('#verdict', says);
  // The rest of the page can be used.
  await page.locator('nav [data-view=rules]').click();
  await page.locator('#rules', { hasText: 'Whoever connects their own two sides loses.' }).waitFor();
  page.problems = page.problems.filter((problem) => !/about:blank|status of 404/.test(problem));
}

test('a browser without WebAssembly or without SIMD is told so', async () => {
  await fails(() => page.addInitScript(() => { delete globalThis.WebAssembly; }), 'This browser has no WebAssembly');
  await context.close();
  await fails(() => page.addInitScript(() => { WebAssembly.validate = () => false; }), 'without SIMD');
});

test('a solver that is missing or damaged is told', async () => {
  await fails(() => page.route('**/rex.wasm', (route) => route.fulfill({ status: 404 })), 'Cannot load the solver');
  await context.close();
  const bytes = readFileSync(join(process.env.SITE, 'rex.wasm')).subarray(0, 5000);
  await fails(() => page.route('**/rex.wasm', (route) => route.fulfill({ body: bytes, contentType: 'application/wasm' })), /\w/);
  await context.close();
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
  await openPage(LONG);
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
  await (await engineOfPage()).evaluate((engine) => engine.lose('The solver ran out of memory.'));
  await shows('#verdict', 'The solver ran out of memory.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('#progress', { hasText: /searching \w\d/ }).waitFor();
  assert.equal((await asked('explain', { position: '4x4' })).v, 1);
});

test('it works in a folder of a server that knows no types, and asks for nothing outside of it', async () => {
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
  const outside = [];
  const files = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname.replace(/^\/some\/where\//, '') || 'index.html';
    if (!pathname.startsWith('/some/where/')) {
      outside.push(pathname);
      return response.writeHead(404).end();
    }
    response.setHeader('Content-Type', types[name.split('.').pop()] ?? 'application/octet-stream');
    response.end(readFileSync(join(process.env.SITE, name)));
  });
  await new Promise((resolve) => files.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${files.address().port}/some/where/`;
  await openPage('#p=4.4.4.4_b&m=d1&n=1', {}, url);
  await shows('#verdict', 'a1 leaves Black the fewest winning replies: 2.');
  await page.locator('nav [data-view=puzzles]').click();
  await shows('#puzzle-status', 'to move and win');
  await page.locator('nav [data-view=explore]').click();
  await page.locator('#share summary').click();
  await page.waitForFunction((url) => document.getElementById('export-text').value.startsWith(`${url}#p=`), url);
  assert.deepEqual(outside, []);
  await context.close();
  files.close();
  files.closeAllConnections();
});
