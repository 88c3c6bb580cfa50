// What all tests share: a server, a browser, and the page that is open now.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { browse, endServers, host, newPage, onServer, serve } from './browser.mjs';
import { test } from './testing.mjs';

export { cell, newPage } from './browser.mjs';
export { test };

/** A test of the page alone: it asks either engine the same, so one of them is enough. */
export const once = onServer ? test : () => {};

const PICTURES = onServer && process.env.PICTURES;
export let server, browser, context, page;

before(async () => {
  server = await (onServer ? serve() : host());
  browser = await browse();
});
after(async () => {
  await server.stop();
  endServers();
  await browser.close();
});
afterEach(leave);

async function leave() {
  const problems = page?.problems ?? [];
  await context?.close();
  context = page = null;
  assert.deepEqual(problems, []);
}

/** A new visitor with this page, of the server of all tests or of another one. The one before is gone. */
export async function openPage(hash = '', options = {}, url = server.url) {
  await leave();
  context = await browser.open(options);
  page = await newPage(context, url);
  await page.goto(url + hash);
  await page.locator('#board .cell').first().waitFor({ state: 'attached' });
  return page;
}

/** Where the page shows a position such as 4x4 d1. */
export function addressOf(position, view = 'explore') {
  const [size, ...moves] = position.split(' ');
  const [rows, cols] = size.split('x');
  return `#p=${Array(Number(rows)).fill(cols).join('.')}_b&m=${moves.join('')}&n=${moves.length}${view === 'explore' ? '' : `&v=${view}`}`;
}

/** Goes to another address by hand. */
export const goTo = (hash) => page.evaluate((hash) => { location.hash = hash; }, hash);

/** What the page's engine answers. */
export const asked = (what, body) => page.evaluate(async ([what, body]) => {
  const { ask } = await import(new URL('engine.js', location.href));
  return ask(what, body);
}, [what, body]);

/** The page's engine, for tests that get between it and the page. */
export const engineOfPage = () => page.evaluateHandle(async () => (await import(new URL('engine.js', location.href))).engine);

export const shows = (selector, text) => page.locator(selector, { hasText: text }).waitFor();

/** The page notes this. The note fades by itself, but its text stays until the next one. */
export async function says(text) {
  await page.locator('#said', { hasText: text }).waitFor({ state: 'attached' });
  await page.evaluate(() => { document.getElementById('said').textContent = ''; });
}

/** The pointer has been on a cell for long enough to draw its line. The page's clock is a made-up one from `page.clock.install()` on. */
export const linger = () => page.clock.runFor(1000);

/** A search goes on. */
export const searches = () => shows('#progress', /searching \w\d/);

/** The address ends with this, or fits it. The browser may tell of a new one a moment after the page has set it. */
export function addressed(wanted) {
  const fits = { string: (url) => url.href.endsWith(wanted), function: (url) => wanted(url.href), object: wanted };
  return page.waitForURL(fits[typeof wanted], { waitUntil: 'commit' });
}

export const values = (kind) => page.locator(`#board .cell.${kind}`).count();

export async function picture(name) {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
