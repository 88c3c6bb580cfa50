// How long it takes until something is painted, until the first verdict and until all, from an empty table.

import { browse, newPage, serve } from './browser.mjs';

const browser = await browse();
console.log('| board | first paint | first verdict | all verdicts |\n| --- | --- | --- | --- |');
for (const size of [4, 5, 6]) {
  const server = await serve();
  const context = await browser.open();
  const page = await newPage(context, server.url);
  // Noted in the page itself, when the event comes in and not when somebody asks.
  await page.addInitScript(() => {
    window.noted = {};
    const note = (name) => { window.noted[name] ??= performance.now(); };
    const Source = window.EventSource;
    window.EventSource = class extends Source {
      constructor(address) {
        super(address);
        this.addEventListener('move', () => note('first'));
        this.addEventListener('done', () => note('all'));
      }
    };
  });
  const rows = Array(size).fill(size).join('.');
  await page.goto(`${server.url}#p=${rows}_b&m=a1&n=1`);
  await page.waitForFunction(() => window.noted.all, null, { timeout: 280_000 });
  const [paint, { first, all }] = await page.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime, window.noted,
  ]);
  const ms = (time) => (time === undefined ? '–' : time < 10_000 ? `${Math.round(time)} ms` : `${Math.round(time / 1000)} s`);
  console.log(`| ${size}x${size} a1 | ${ms(paint)} | ${ms(first)} | ${ms(all)} |`);
  await context.close();
  await server.stop();
}
browser.close();
