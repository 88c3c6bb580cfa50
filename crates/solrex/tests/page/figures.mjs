// How long it takes until something is painted, until the first verdict and until all, from an empty table, with either
// engine; and how the Worker compares with the native program. Run by hand: scripts/page-figures

import { execFileSync } from 'node:child_process';
import { browse, host, newPage, serve } from './browser.mjs';

/** A browser that was started for this visit alone. */
const visitor = async () => {
  const browser = await browse();
  const context = await browser.open();
  context.once('close', browser.close);
  return context;
};
const ms = (time) => (time === undefined ? '–' : time < 10_000 ? `${Math.round(time)} ms` : `${Math.round(time / 1000)} s`);
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

console.log('| engine | board | first paint | first verdict | all verdicts |\n| --- | --- | --- | --- | --- |');
for (const [engine, start] of [['server', serve], ['Worker', host]]) {
  for (const size of [4, 5, 6]) {
    const server = await start();
    const context = await visitor();
    const page = await newPage(context, server.url);
    // Noted in the page itself, when a cell gets its verdict and not when somebody asks.
    await page.addInitScript((cells) => {
      window.noted = {};
      new MutationObserver(() => {
        const decided = document.querySelectorAll('#board :is(.win, .loss)').length;
        if (decided) window.noted.first ??= performance.now();
        if (decided === cells) window.noted.all ??= performance.now();
      }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
    }, size * size - 1);
    await page.goto(`${server.url}#p=${Array(size).fill(size).join('.')}_b&m=a1&n=1`);
    await page.waitForFunction(() => window.noted.all, null, { timeout: 280_000 });
    const [paint, { first, all }] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime, window.noted,
    ]);
    console.log(`| ${engine} | ${size}x${size} a1 | ${ms(paint)} | ${ms(first)} | ${ms(all)} |`);
    await context.close();
    await server.stop();
  }
}

/** Seconds that the native program needs for 6x6 f3. */
const native = () => JSON.parse(execFileSync(process.env.SOLREX, ['solve', '6x6', 'f3', '--threads', '1', '--memory', '128M', '--json'], { encoding: 'utf8', env: { ...process.env, SOLREX_DB: 'none', SOLREX_BOOK: 'none' } })).seconds;
const server = await host();
const context = await visitor();
const page = await newPage(context, server.url);
await page.goto(`${server.url}#v=rules`);
/** The same for a new Worker, and again for that one's next instance of the module. */
const bare = await newPage(context, server.url);
// A file of the site that is no page, so that no policy of the page forbids a Worker made up here.
await bare.goto(`${server.url}rex.js`);
const fresh = () => bare.evaluate(async () => {
  const code = `import { Rex, compile } from '${new URL('rex.js', location.href)}';
    const source = await compile();
    const times = [];
    for (let i = 0; i < 2; i++) times.push((await (await Rex.load({ source, book: false })).solve('6x6 f3')).seconds);
    postMessage(times);`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
  const times = await new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
  worker.terminate();
  return times;
});
const [first, second, compared] = [[], [], []];
for (let i = 0; i < 7; i++) {
  const [one, two] = await fresh();
  first.push(one);
  second.push(two);
  compared.push(native());
}
const [cold, warm, program] = [first, second, compared].map(median);
console.log(`\n6x6 f3, one thread, medians of seven: native ${program.toFixed(3)} s, new Worker ${cold.toFixed(3)} s (${Math.round(100 * program / cold)} %), once its code is compiled ${warm.toFixed(3)} s (${Math.round(100 * program / warm)} %)`);

/** The same for the page's own Worker, which rehearses while nobody asks. */
const rehearsed = async () => {
  const visit = await visitor();
  const tab = await newPage(visit, server.url);
  await tab.goto(`${server.url}#v=rules`);
  await tab.waitForTimeout(2000);
  const { seconds } = await tab.evaluate(async () => {
    const engine = await (await import(new URL('engine.js', location.href))).engine;
    return engine.ask('solve', { position: '6x6 f3' });
  });
  await visit.close();
  return seconds;
};
const [visits, beside] = [[], []];
for (let i = 0; i < 7; i++) {
  visits.push(await rehearsed());
  beside.push(native());
}
const [visit, alone] = [visits, beside].map(median);
console.log(`6x6 f3 in a page that was opened two seconds before: ${visit.toFixed(3)} s, native ${alone.toFixed(3)} s (${Math.round(100 * alone / visit)} %)`);

/** Milliseconds from a cancelled search to a Worker that answers something else. */
const quiet = () => page.evaluate(async () => {
  const engine = await (await import(new URL('engine.js', location.href))).engine;
  const search = await new Promise((resolve) => {
    const made = engine.solve('b6/7/7/7/7/7/7 w', (name) => name === 'progress' && resolve(made));
  });
  await new Promise((resolve) => { setTimeout(resolve, Math.random() * 200); });
  const start = performance.now();
  search.close();
  await engine.ask('export', { position: '2x2' });
  return performance.now() - start;
});
const waits = [];
for (let i = 0; i < 21; i++) waits.push(await quiet());
console.log(`cancel to quiet, 7x7 a1, twenty-one times: median ${ms(median(waits))}, longest ${ms(Math.max(...waits))}`);
await context.close();
await server.stop();
