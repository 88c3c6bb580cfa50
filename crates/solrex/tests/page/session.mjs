// What all tests share: a server, a browser, and the page that is open now.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { browse, endServers, host, newPage, onServer, serve } from './browser.mjs';

export { cell, newPage } from './browser.mjs';

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
afterEach(async () => {
  const problems = page?.problems ?? [];
  await context?.close();
  assert.deepEqual(problems, []);
});

/** A new visitor with this page, of the server of all tests or of another one. */
export async function openPage(hash = '', options = {}, url = server.url) {
  context = await browser.open(options);
  page = await newPage(context, url);
  await page.goto(url + hash);
  await page.locator('#board .cell').first().waitFor({ state: 'attached' });
  return page;
}

/** What the page's engine answers. */
export const asked = (what, body) => page.evaluate(async ([what, body]) => {
  const { ask } = await import(new URL('engine.js', location.href));
  return ask(what, body);
}, [what, body]);

/** The page's engine, for tests that get between it and the page. */
export const engineOfPage = () => page.evaluateHandle(async () => (await import(new URL('engine.js', location.href))).engine);

export const shows = (selector, text) => page.locator(selector, { hasText: text }).waitFor();

/** The browser may tell of a new address a moment after the page has set it. */
export const addressed = (wanted) =>
  page.waitForURL(wanted instanceof RegExp ? wanted : (url) => wanted(url.href), { timeout: 10_000, waitUntil: 'commit' });

export const values = (kind) => page.locator(`#board .cell.${kind}`).count();

export async function picture(name) {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
