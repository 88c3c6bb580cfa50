// Starts the program, or a plain file server with the site, and a real browser for the tests.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { GUARD } from './testing.mjs';

/** Who solves: the server, or the Worker of a page that comes from a plain file server. */
export const ENGINE = process.env.ENGINE ?? 'server';
export const onServer = ENGINE === 'server';

const SOLREX = process.env.SOLREX ?? 'solrex';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
export const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

const running = new Set();

/** Ends every server that a test has left behind. */
export function endServers() {
  for (const child of running) child.kill('SIGKILL');
}

/** A running server without the book: most tests are about the search. */
export const serve = (port = 0, ...flags) => start({ SOLREX_BOOK: 'none' }, port, ['--threads', '1', ...flags]);

/** A running server with the book of openings. */
export const serveWithBook = (...flags) => start({}, 0, flags);

async function start(more, port, flags) {
  const args = ['serve', '--json', '--port', String(port), '--memory', '256M', ...flags];
  // Without a store, unless a flag names one.
  const env = { ...process.env, SOLREX_DB: 'none', ...more };
  const child = spawn(SOLREX, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { url } = JSON.parse(line);
  running.add(child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  ended.then(() => running.delete(child));
  const stop = (signal = 'SIGINT') => {
    child.kill(signal);
    return ended;
  };
  return { url, stop };
}

/**
 * A plain file server with the site at this path. It sends no header that is made for it, and notes what is `asked`. Another
 * `folder` can take the site's place, and single `files` can come from elsewhere.
 */
export async function host(folder = process.env.SITE, path = '/', types = { ...TYPES, wasm: 'application/wasm' }) {
  const site = { folder, files: new Map(), asked: [], outside: [] };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname.slice(path.length) || 'index.html';
    if (!pathname.startsWith(path)) site.outside.push(pathname);
    site.asked.push(name);
    try {
      const content = readFileSync(join(site.files.get(name) ?? site.folder, name));
      response.setHeader('Content-Type', types[name.split('.').pop()] ?? 'application/octet-stream');
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  // A test that fails does not stop it.
  server.unref();
  site.port = server.address().port;
  site.url = `http://127.0.0.1:${site.port}${path}`;
  site.stop = () => new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return site;
}

/** A browser. Each `open` is a visitor who has never been here, and shares nothing with the others. */
export async function browse() {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: GUARD });
  const open = async (options = {}) => {
    // What a site keeps for visits without network is asked for by few tests.
    const usual = { viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce', serviceWorkers: 'block' };
    const context = await browser.newContext({ ...usual, ...options });
    context.setDefaultTimeout(GUARD);
    return context;
  };
  return { open, close: () => browser.close() };
}

/** A page that reports everything that goes wrong in it, and every request that leaves the server. */
export async function newPage(context, url) {
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('ERR_')) page.problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) page.problems.push(request.url());
  });
  return page;
}

export const cell = (page, name, board = '#board') => page.locator(`${board} .cell[aria-label^="${name},"]`);
