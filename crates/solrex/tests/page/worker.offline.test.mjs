// The page as a site: without network after the first visit, from one version to the next, and what a link shows to others.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { TYPES, host, serve } from './browser.mjs';
import { browser, cell, context, newPage, openPage, page, server, shows, test } from './session.mjs';
import { GUARD } from './testing.mjs';

const GAME = '#p=4.4.4.4_b&m=d1&n=1';
const SAYS = 'a1 leaves Black the fewest winning replies: 2.';
/** What a site keeps for visits without network. */
const KEEPS = { serviceWorkers: 'allow' };
const folders = [];
after(() => { for (const folder of folders) rmSync(folder, { recursive: true }); });

/** The site, with files of the page changed as told. */
function version(changes = {}) {
  if (!Object.keys(changes).length) return process.env.SITE;
  const folder = mkdtempSync(join(tmpdir(), 'solrex-site-'));
  folders.push(folder);
  const [web, out] = [join(folder, 'web'), join(folder, 'site')];
  cpSync(join(process.env.ROOT, 'web'), web, { recursive: true, filter: (path) => !path.includes('LICENSE') });
  for (const [name, change] of Object.entries(changes)) {
    const before = readFileSync(join(web, name), 'utf8');
    assert.notEqual(change(before), before, name);
    writeFileSync(join(web, name), change(before));
  }
  execFileSync(join(process.env.ROOT, 'scripts/site'), [out], { env: { ...process.env, WEB: web, WASM: join(process.env.SITE, 'rex.wasm') } });
  return out;
}

/** Waits until the page is answered by the service worker. */
const kept = (of = page) => of.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
/** Looks for a new version of the site, and returns what becomes of it: 'installed' if it waits, or 'redundant'. */
const update = () => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.ready;
  await registration.update();
  const next = registration.installing ?? registration.waiting;
  while (!['redundant', 'installed'].includes(next.state)) await new Promise((resolve) => { next.onstatechange = resolve; });
  return next.state;
});
/** Which version a page is, and which caches there are. */
const versionOf = (of = page) => of.evaluate(() => document.documentElement.dataset.version);
const caches = () => page.evaluate(async () => (await window.caches.keys()).map((name) => name.split(' ').pop()));
const versionIn = (folder) => JSON.parse(readFileSync(join(folder, 'engine.json'), 'utf8')).version;

test('after the first visit the page needs no network', async () => {
  const site = await host(version(), '/some/where/');
  await openPage(GAME, KEEPS, site.url);
  await kept();
  await site.stop();
  await page.reload();
  await shows('#verdict', SAYS);
  await page.locator('nav [data-view=puzzles]').click();
  await shows('#puzzle-status', 'to move and win');
  // In a new tab, from a link with words of somebody else's in it.
  const second = await newPage(context, site.url);
  await second.goto(`${site.url}?from=elsewhere#p=4.4.4.4_b&m=d1a1&n=2`);
  await second.locator('#verdict', { hasText: 'Black wins with 2 of 14 moves.' }).waitFor();
  assert.deepEqual(second.problems, []);
});

test('an update waits until no page of the old version is left, and then takes over whole', async () => {
  const [one, two] = [version(), version({ 'rules.js': (text) => text.replace('sides loses', 'sides surely loses'), 'puzzles.jsonl': (text) => `${text}\n` })];
  assert.notEqual(versionIn(one), versionIn(two));
  const site = await host(one, '/some/where/');
  await openPage('#v=rules', KEEPS, site.url);
  await kept();
  const second = await newPage(context, site.url);
  await second.goto(`${site.url}${GAME}`);
  await kept(second);
  site.folder = two;
  await page.reload();
  assert.equal(await update(), 'installed');
  assert.deepEqual((await caches()).sort(), [versionIn(one), versionIn(two)].sort());
  // Two pages are open, so a reload still shows the old version, and all of it.
  site.asked = [];
  await page.reload();
  await shows('#rules', 'Whoever connects their own two sides loses.');
  await page.locator('nav [data-view=puzzles]').click();
  await shows('#puzzle-status', 'to move and win');
  assert.deepEqual([await versionOf(), await versionOf(second)], [versionIn(one), versionIn(one)]);
  assert.deepEqual(site.asked.filter((name) => name !== 'service.js'), []);
  // The last one goes to the new version by itself, and the old one is forgotten.
  await second.close();
  await page.goto(`${site.url}#v=rules`);
  // It may take the browser a moment to see that the other one is gone; then a later visit does it.
  const isNew = () => page.waitForFunction((version) => document.documentElement.dataset.version === version, versionIn(two), { timeout: 1000 });
  for (const begun = Date.now(); !(await isNew().then(() => true, () => false));) {
    assert.ok(Date.now() - begun < GUARD, 'the new version does not come');
    await page.reload();
  }
  await shows('#rules', 'surely loses');
  await kept();
  assert.deepEqual(await caches(), [versionIn(two)]);
  // Who reloads in the moment of the change may be refused a file of the new version. Better that than a mixture.
  assert.deepEqual(page.problems.filter((problem) => !problem.includes('integrity')), []);
  page.problems = [];
  await site.stop();
});

test('a version that is not there as a whole is not kept', async () => {
  const [one, two] = [version(), version({ 'rules.js': (text) => text.replace('sides loses', 'sides surely loses') })];
  const site = await host(one, '/some/where/');
  await openPage('#v=rules', KEEPS, site.url);
  await kept();
  // All of the new version is uploaded, but for one file.
  Object.assign(site, { folder: two, files: new Map([['rules.js', one]]) });
  assert.equal(await update(), 'redundant');
  assert.deepEqual(await caches(), [versionIn(one)]);
  await page.reload();
  await shows('#rules', 'Whoever connects their own two sides loses.');
  assert.equal(await versionOf(), versionIn(one));
  page.problems = [];
  await site.stop();
});

test('a first visit in the midst of an upload shows one version or says that it cannot', async () => {
  const [one, two] = [version(), version({ 'rules.js': (text) => text.replace('sides loses', 'sides surely loses') })];
  const site = await host(two, '/some/where/');
  site.files.set('rules.js', one);
  await openPage('#v=rules', KEEPS);
  await page.goto(`${site.url}#v=rules`);
  await shows('#trouble', 'A part of this page could not be loaded. Reload it in a moment.');
  site.files.clear();
  await page.reload();
  await shows('#rules', 'surely loses');
  assert.equal(await page.locator('#trouble').count(), 0);
  page.problems = [];
  await site.stop();
});

test('a page of the program takes the place of a site at the same address', { skip: !process.env.SOLREX }, async () => {
  const site = await host(version());
  await openPage(GAME, KEEPS, site.url);
  await shows('#engine', 'Solved in this browser');
  await kept();
  await site.stop();
  const program = await serve(site.port);
  await page.reload();
  await shows('#engine', 'Solved by the server');
  await shows('#verdict', SAYS);
  assert.deepEqual(await caches(), []);
  await page.reload();
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await program.stop();
});

test('a link holds the whole game, points to where the page is, and can be read', async () => {
  const site = await host(version(), '/some/where/');
  await openPage('', {}, site.url);
  for (const name of ['d1', 'a1', 'a2']) await cell(page, name).click();
  await page.keyboard.press(',');
  await cell(page, 'c1').click();
  await page.locator('#share summary').click();
  const link = `${site.url}#p=4.4.4.4_b&m=d1a1(a2)(c1)&n=4`;
  await page.waitForFunction((link) => document.getElementById('export-text').value === link, link);
  const second = await newPage(context, site.url);
  await second.goto(link);
  await second.locator('#moves', { hasText: '1. d1' }).waitFor();
  assert.match(await cell(second, 'c1').getAttribute('aria-label'), /Black stone/);
  assert.equal(second.url(), link);
  assert.deepEqual(second.problems, []);
  // A broken one is told, and the board is there.
  await second.goto(`${site.url}?#p=4.4.4_b&m=zz`);
  await second.locator('#said', { hasText: 'The link contains no readable position.' }).waitFor({ state: 'attached' });
  assert.equal(await second.locator('#board .cell').count(), 16);
  await site.stop();
});

test('those who show a preview find words and a picture', async () => {
  const site = await host(version(), '/some/where/');
  await openPage('', {}, site.url);
  const said = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('meta[property], meta[name]')]
    .map((meta) => [meta.getAttribute('property') ?? meta.name, meta.content])));
  assert.match(said.description, /Reverse Hex/);
  assert.match(said['og:title'], /Solrex/);
  assert.equal(said['twitter:card'], 'summary_large_image');
  const size = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return [image.width, image.height];
  }, said['og:image']);
  assert.deepEqual(size, [1200, 630]);
  assert.deepEqual(size.map(String), [said['og:image:width'], said['og:image:height']]);
  await site.stop();
});

test('nothing but the page itself may run in it', async () => {
  const site = await host(version(), '/some/where/');
  await openPage(GAME, KEEPS, site.url);
  await shows('#verdict', SAYS);
  await kept();
  const refused = await page.evaluate(async () => {
    const told = [];
    document.addEventListener('securitypolicyviolation', (event) => told.push(event.effectiveDirective));
    const element = document.createElement('script');
    element.append('window.ran = true');
    try { document.body.append(element); } catch { /* Trusted Types */ }
    try { document.body.innerHTML += '<b>'; } catch { /* Trusted Types */ }
    // From a timer: what a driver of the browser calls directly is allowed more.
    await new Promise((resolve) => { setTimeout(() => { try { (0, eval)('window.ran = true'); } finally { resolve(); } }); });
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.head.append(style);
    await fetch('http://127.0.0.1:1/').catch(() => {});
    await new Promise((resolve) => { setTimeout(resolve); });
    return { ran: window.ran, display: getComputedStyle(document.body).display, told: [...new Set(told)].sort() };
  });
  assert.equal(refused.ran, undefined);
  assert.notEqual(refused.display, 'none');
  for (const directive of ['connect-src', 'require-trusted-types-for', 'style-src-elem']) assert.ok(refused.told.includes(directive), refused.told);
  page.problems = [];
  await site.stop();
});

test('a solver that gets no memory says so, and the page goes on', async () => {
  await openPage('#v=rules');
  // All that the browser gives is taken before the solver asks.
  const greedy = `const instantiate = WebAssembly.instantiate;
    WebAssembly.instantiate = async (...given) => {
      const made = await instantiate.apply(WebAssembly, given);
      for (let pages = 65536; pages; pages >>= 1) try { for (;;) made.exports.memory.grow(pages); } catch { /* less, then */ }
      return made;
    };`;
  await page.route('**/worker.js', (route) => route.fulfill({ body: `${readFileSync(join(process.env.SITE, 'worker.js'))}\n${greedy}`, contentType: TYPES.js }));
  await page.goto(`${server.url}?again${GAME}`);
  await shows('#verdict', 'The solver ran out of memory.');
  await page.locator('nav [data-view=rules]').click();
  await shows('#rules', 'Whoever connects their own two sides loses.');
  // With memory it solves.
  await page.unroute('**/worker.js');
  await page.locator('nav [data-view=explore]').click();
  await shows('#verdict', SAYS);
});

test('a page that does not start in a browser says so', async () => {
  await openPage('#v=rules');
  const whole = readFileSync(join(process.env.SITE, 'index.html'), 'utf8').replaceAll(/ integrity="[^"]*"/g, '');
  await page.route((url) => url.pathname === '/', (route) => route.fulfill({ body: whole, contentType: TYPES.html }));
  await page.route('**/main.js', (route) => route.fulfill({ body: 'let x = ;', contentType: TYPES.js }));
  await page.goto(`${server.url}?again`);
  await shows('#trouble', /This page does not start in this browser \(.*\)\. Any browser from 2023 or later can show it\./);
  page.problems = [];
});

test('without JavaScript the page says that it needs it', async () => {
  const bare = await browser.open({ javaScriptEnabled: false });
  const silent = await bare.newPage();
  await silent.goto(server.url);
  await silent.locator('noscript p').waitFor();
  await bare.close();
});
