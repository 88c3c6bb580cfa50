// Starts the program, or a plain file server with the site, and a real browser for the tests.

import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';

/** Who solves: the server, or the Worker of a page that comes from a plain file server. */
export const ENGINE = process.env.ENGINE ?? 'server';
export const onServer = ENGINE === 'server';

const SOLREX = process.env.SOLREX ?? 'solrex';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

const running = new Set();

/** Ends every server that a test has left behind. */
export function endServers() {
  for (const child of running) child.kill('SIGKILL');
}

/** A running server without the book: most tests are about the search. */
export const serve = (port = 0, ...flags) => start({ SOLREX_BOOK: 'none' }, port, flags);

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

/** A plain file server for the site. It sends no header that is made for it. */
export async function host(folder = process.env.SITE) {
  const child = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  running.add(child);
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the file server ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  ended.then(() => running.delete(child));
  const stop = () => {
    child.kill();
    return ended;
  };
  return { url: /http:\S+\//.exec(String(line))[0], stop };
}

/** A browser. Each `open` is a visitor who has never been here, and shares nothing with the others. */
export async function browse() {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const open = (options = {}) => browser.newContext({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce', ...options });
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
