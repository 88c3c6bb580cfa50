// Pairs: what is said of them holds on the board as it is, and whoever plays against them loses as it says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { addressed, asked, cell, engineOfPage, goTo, once, openPage, page, shows } from './session.mjs';

/** Steps through the pairs to the end, and returns what was said. */
async function walk() {
  await page.locator('#walk-start').click();
  const said = [];
  for (let step = 0; step < 40; step++) {
    said.push(await page.locator('#walk-says').textContent());
    if (await page.locator('#walk-next').isDisabled()) return said;
    await page.locator('#walk-next').click();
  }
  throw new Error('the walk does not end');
}

/** The pairs that the walk named, and the key. */
const named = (said) => ({
  pairs: said.map((text) => /if \w+ takes (\w\d), \w+ takes (\w\d)/.exec(text)?.slice(1)).filter(Boolean),
  key: said.map((text) => /^The key (\w\d)/.exec(text)?.[1]).find(Boolean),
});

/** Whether stones on these cells connect the player's sides; asked of the page's own rules. */
const connects = (position, loser, cells) => page.evaluate(async ([position, loser, cells]) => {
  const { cellIndex, fromText, joined, setStone } = await import(new URL('game.js', location.href));
  let state = fromText(position);
  for (const name of cells) state = setStone(state, cellIndex(state, name), loser);
  return joined(state)?.loser === loser;
}, [position, loser, cells]);

once('the pairs that are walked through connect the loser whichever cells she gets, with nothing else filled in', async () => {
  await openPage();
  for (const [address, loser] of [['5.2bw1.5.5.5_b', 'b'], ['1b1w.3w.w2b.2b1_b', 'w'], ['4.4.4.4_b', 'w'], ['2b2.3b1.5.2w2.4w_b', null]]) {
    await goTo(`#p=${address}`);
    await shows('#reason', 'takes one cell of a pair');
    const position = address.replaceAll('.', '/').replace('_', ' ');
    const { strategy } = await asked('explain', { position });
    if (loser) assert.equal(strategy.loser[0], loser);
    const { pairs, key } = named(await walk());
    assert.deepEqual(pairs, strategy.pairs);
    assert.equal(key ?? null, strategy.key);
    for (let choice = 0; choice < 2 ** pairs.length; choice++) {
      const cells = [...pairs.map((pair, i) => pair[(choice >> i) & 1]), ...(key ? [key] : [])];
      assert.ok(await connects(position, strategy.loser[0], cells), `${address}: ${cells}`);
    }
    // No cell counts as a stone that is none, but those that she got.
    assert.equal(await page.locator('#board :is(.ghost-b, .ghost-w)').count(), pairs.length + Number(Boolean(key)));
    await page.locator('#walk-end').click();
  }
});

once('where a key decides alone, nobody speaks of pairs', async () => {
  await openPage('#p=1w1.bw1.2b_b&m=c1a1&n=2');
  await shows('#reason', 'White never plays the key c2. Black would colour the last cell, and so must take it in the end: it connects Black’s sides.');
  assert.doesNotMatch(await page.locator('#reason').textContent(), /pair/);
  assert.ok(await page.locator('#walk-start').isHidden());
});

once('pairs have letters and bars, on the board and in a proof, and verdicts keep their signs', async () => {
  await openPage('#p=5.2bw1.5.5.5_b');
  await shows('#reason', 'takes one cell of a pair');
  await shows('#progress', '23 of 23 moves solved');
  const { pairs } = (await asked('explain', { position: '5/2bw1/5/5/5 b' })).strategy;
  const letters = 'ABCDEFGHI'.slice(0, pairs.length);
  assert.ok(letters);
  await page.locator('#why-on').check();
  const tags = () => page.locator('#board .paired .tag').evaluateAll((tags) => tags.map((tag) => tag.textContent).sort().join(''));
  assert.equal(await tags(), letters.replace(/./g, '$&$&'));
  assert.equal(await page.locator('#board .links line').count(), pairs.length);
  // The picture that is saved shows them, too, and a picture of the plain board does not.
  await page.locator('#share summary').click();
  const saved = async (kind) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#save-${kind}`).click()]);
    return readFileSync(await download.path());
  };
  const svg = String(await saved('svg'));
  assert.equal(svg.match(/class="link"/g).length, pairs.length);
  for (const letter of letters) assert.equal(svg.match(new RegExp(`>${letter}<`, 'g')).length, 2, letter);
  const png = await saved('png');
  await page.locator('#why-on').uncheck();
  assert.doesNotMatch(String(await saved('svg')), /class="link"/);
  assert.notDeepEqual(await saved('png'), png);
  await page.locator('#why-on').check();
  assert.equal(await page.locator('#board .cell[data-mark="–"]').count(), 23);
  await page.locator('nav [data-view=proofs]').click();
  await page.locator('#proofs').getByRole('button', { name: /7 × 7, Black opens d3/ }).click();
  await shows('#claim-why', 'Pairs decide');
  const marks = await page.locator('#board .paired').evaluateAll((cells) => cells.map((cell) => cell.dataset.mark).sort().join(''));
  assert.equal(marks, 'AABBCCDDEEFFGGHHII');
  assert.equal(await page.locator('#board .links line').count(), 9);
  // One certificate, one claim. The link names it.
  await shows('#proof-detail', /^1 claim ·/);
  await page.reload();
  await shows('#claim-why', 'Pairs decide');
});

/** Tries to beat it from this address, always on an empty cell that `pick` names, and returns all that was said. */
async function beat(address, pick) {
  for (const hash of ['#p=1_b', address]) {
    await goTo(hash);
    // The browser tells the page a moment later. What is clicked before that is for the board that was there.
    const size = hash.split('.').length ** 2;
    await page.waitForFunction((size) => document.querySelectorAll('#board .cell').length === size, size);
  }
  await page.locator('#beat-start').click();
  const said = [];
  for (let move = 0; move < 20; move++) {
    await shows('#beat-says', /Your move\.|Try to avoid it|you lose/);
    said.push(await page.locator('#beat-says').textContent());
    if (said.at(-1).includes('you lose')) {
      await page.locator('#beat-end').click();
      return said;
    }
    const empty = await page.locator('#board .cell[aria-label*="empty"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label').slice(0, 2)));
    await cell(page, pick(empty, move)).click();
    await page.waitForFunction((before) => document.getElementById('beat-says').textContent !== before, said.at(-1));
  }
  throw new Error(`no end: ${said.join('|')}`);
}

once('in the end it is said only what is true: whether there was another move', async () => {
  await openPage();
  const said = await beat('#p=1w1.bw1.2b_b', (empty) => ['a1', 'c1'].find((name) => empty.includes(name)) ?? empty[0]);
  assert.match(said[0], /^You are White, who loses here\. Solrex /);
  assert.match(said.at(-1), /^White’s sides are connected: you lose\. /);
  assert.doesNotMatch(said.at(-1), /sooner/);
});

once('whoever goes elsewhere while Solrex looks who loses is not kept waiting', async () => {
  await openPage('#p=3.3.3_b&m=a1&n=1');
  await page.locator('#beat-start').waitFor();
  const engine = await engineOfPage();
  await engine.evaluate((engine) => {
    const ask = engine.ask.bind(engine);
    const free = new Promise((resolve) => { window.free = resolve; });
    engine.ask = async (what, ...more) => {
      if (what === 'line' || what === 'explain') await free;
      return ask(what, ...more);
    };
  });
  await page.locator('#beat-start').click();
  await shows('#beat-says', 'Looking who loses here');
  await page.keyboard.press('ArrowLeft');
  await addressed((url) => !url.includes('n=1'));
  await page.evaluate(() => window.free());
  await page.locator('#beat-start').click();
  await shows('#beat-says', /^You are Black, who loses here\. Try to avoid it!/);
});

once('Solrex plays by the pairs to the end, and opens one itself if only pairs are left', async () => {
  await openPage();
  const answers = new Set();
  for (const address of ['#p=1w1w.4.bwwb.bbbw_b', '#p=4.4.4.4_b', '#p=5.2bw1.5.5.5_b']) {
    for (const stride of [3, 5, 7]) {
      const said = await beat(address, (empty, move) => empty[(stride * move + stride) % empty.length]);
      for (const text of said) answers.add(/so Solrex takes its partner|outside of the pairs|Only pairs are left/.exec(text)?.[0]);
      assert.match(said.at(-1), /you lose\. (You got .*, and that connects your sides\. That is why it could not work\.|You connected even sooner than you had to\.|Every move that was left connected)/);
    }
  }
  assert.ok(['so Solrex takes its partner', 'outside of the pairs', 'Only pairs are left'].every((text) => answers.has(text)), [...answers].join());
});
