// Certificates in the page: opened, checked, walked through, played against; and those that are no proof.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onServer } from './browser.mjs';
import { addressOf, addressed, cell, engineOfPage, goTo, once, openPage, page, picture, shows, test, values } from './session.mjs';
import { ENDLESS, LONG_PROOF } from './testing.mjs';

/** Every White move but two loses to the mirror or is no better than another; see docs/certificate.md. */
const EXAMPLE = `rex-certificate 1
board 3x3
rules full
1 w2/3/3 b b mirror transpose
2 3/3/w2 b b mirror transpose
3 2w/3/3 b b mirror transpose
4 3/3/2w b b mirror transpose
5 3/3/3 w b all a1=1 b1<a1:7 a2<a1:6 b2<a2:8:a2-a3 a3=2 c1=3 c3=4 b3<c3:7 c2<c3:6
root 5
sha256 82419d32c2ad063a693465cebf990ee883c2c732c4628ee3f32ec428d6155e05
`;

/** Drops a file on the page, as somebody does who drags it there. */
async function drop(name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

const published = (name) => page.locator('#proofs button', { hasText: name });

test('a certificate that is dropped on the page is checked, and its claims are walked through', async () => {
  await openPage('#p=4.4.4.4_b');
  await drop('three.cert', EXAMPLE);
  await shows('#proof-status', 'It is a proof: Black wins.');
  await shows('#proof-detail', '5 claims · it uses rules that name no moves');
  await addressed(/v=proofs/);
  await shows('#claim h2', 'Claim 5');
  await shows('#claim-says', 'White to move; Black wins.');
  await shows('#claim-why', 'b2: not needed; a2 is at least as good for White: a stone on b2 captures a2–a3');
  assert.equal(await values('loss'), 4);
  assert.equal(await values('dominated'), 5);
  await cell(page, 'b2').click();
  await shows('#claim-note', 'The proof does not look at b2: a2 is at least as good for White');
  // By a link, and back.
  await page.locator('#claim-why li', { hasText: 'c1:' }).getByRole('button', { name: 'claim 3' }).click();
  await shows('#claim h2', 'Claim 3');
  await shows('#claim-why', 'Black wins by symmetry');
  assert.equal(await page.locator('#board .stone-w').count(), 1);
  assert.match(await page.locator('#claim-trail').textContent(), /^startc1$/);
  await page.locator('#claim-back').click();
  await shows('#claim h2', 'Claim 5');
  // By a move on the board, and back along the moves that led there.
  await cell(page, 'a3').click();
  await shows('#claim h2', 'Claim 2');
  await page.locator('#claim-trail').getByRole('button', { name: 'start' }).click();
  await shows('#claim h2', 'Claim 5');
  assert.equal(await page.locator('#board .stone-w').count(), 0);
  // The position can be explored, and the certificate is still there afterwards.
  await cell(page, 'a1').click();
  await shows('#claim h2', 'Claim 1');
  await page.locator('#explore-claim').click();
  await shows('#verdict', 'Black wins');
  await page.locator('nav [data-view=proofs]').click();
  await shows('#claim h2', 'Claim 1');
});

once('a large certificate with all rules is walked through, with what it fills in', async () => {
  await openPage('#v=proofs');
  await published('Black opens f2').click();
  await shows('#proof-status', 'It is a proof: White wins.');
  const rules = new Set();
  // Always to the last claim that this one rests on, down to one that rests on none.
  for (let depth = 0; ; depth++) {
    assert.ok(depth < 200);
    const said = await page.locator('#claim-why').textContent();
    for (const [rule, words] of [['move', 'and then wins by'], ['all', 'every move loses'], ['fill', 'can be filled in'], ['pairs', 'Pairs decide']]) {
      if (said.includes(words)) rules.add(rule);
    }
    if (said.includes('can be filled in')) {
      assert.ok((await values('dead')) + (await values('captured')) + (await values('filled')) > 0 || said.includes('dead'));
    }
    const links = page.locator('#claim-why').getByRole('button', { name: /^claim/ });
    if (!(await links.count())) break;
    const name = (await links.last().textContent()).replace('claim', 'Claim');
    await links.last().click();
    await page.locator('#claim h2').getByText(name, { exact: true }).waitFor();
  }
  assert.ok(rules.has('all') && rules.has('fill') && rules.has('pairs'), [...rules].join());
  await picture('proof');
});

test('an explicit certificate is played against, and the visitor loses', async () => {
  await openPage('#v=proofs');
  for (const name of onServer ? ['3 × 3, White wins', '4 × 4, Black opens d3', 'Black opens d1', '7 × 7, Black opens d3'] : ['Black opens d1']) {
    await published(name).click();
    await shows('#proof-detail', 'it names every move of the winner, so you can play against it');
    await page.getByRole('button', { name: /^Play (Black|White) against it$/ }).click();
    for (let moves = 0; ; moves++) {
      assert.ok(moves < 30);
      await shows('#claim-note', /Your move: you are|You have connected/);
      if ((await page.locator('#claim-note').textContent()).startsWith('You have connected')) break;
      const before = await page.locator('#claim-trail button').count();
      await page.locator('#board .cell:not(.stone-b, .stone-w)').last().click();
      await page.waitForFunction((before) => document.querySelectorAll('#claim-trail button').length > before
        && /Your move|You have/.test(document.getElementById('claim-note').textContent), before);
    }
    await shows('#turn', 'is connected and loses');
  }
});

once('the file button takes a file, and one that is no proof is refused with its line', async () => {
  await openPage('#v=proofs');
  const choose = (name, text) => page.locator('#proof-file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('changed.cert', EXAMPLE.replace('c1=3', 'c1=2'));
  await shows('#proof-status', 'changed.cert is not a proof. Line 8: claim 2 does not say that black wins');
  assert.ok(await page.locator('#claim').isHidden());
  await choose('other.txt', 'Dear diary\n');
  await shows('#proof-status', /^other\.txt is not a proof\. Line 1: not a certificate: the first line is not/);
  await choose('empty.cert', '');
  await shows('#proof-status', /^empty\.cert is not a proof\. Line 1:/);
  const packed = readFileSync(new URL('7x7-f2.cert.zst', import.meta.url));
  await choose('half.cert.zst', packed.subarray(0, packed.length / 2));
  await shows('#proof-status', /^half\.cert\.zst is not a proof\. Line [\d,]+: /);
  const flipped = Buffer.from(packed);
  flipped[flipped.length >> 1] ^= 8;
  await choose('flipped.cert.zst', flipped);
  await shows('#proof-status', /^flipped\.cert\.zst is not a proof\. Line [\d,]+: /);
  // After all that a good one is a proof.
  await choose('good.cert', EXAMPLE);
  await shows('#proof-status', 'It is a proof: Black wins.');
});

/** Checks and proofs do not come to an end any more, until they may. */
const holdAnswers = async () => (await engineOfPage()).evaluate((engine) => {
  window.held = true;
  for (const what of ['check', 'prove']) {
    const work = engine[what].bind(engine);
    engine[what] = (body, hear) => work(body, (name, data) => (name !== 'answer' || !window.held) && hear(name, data));
  }
});
const giveAnswers = () => page.evaluate(() => { window.held = false; });

const cancel = () => page.locator('#proofs').getByRole('button', { name: 'Cancel' }).click();

test('a check tells how far it is, and can be cancelled', async () => {
  await openPage('#v=proofs');
  await holdAnswers();
  await page.locator('#proof-file').setInputFiles(fileURLToPath(new URL('long.cert.zst', import.meta.url)));
  await shows('#proof-detail', /^[\d,]+ claims checked, \d+ % of the file$/);
  await cancel();
  await shows('#proof-status', 'Stopped before the end: nothing is proved.');
  // The engine is free for something else at once.
  await giveAnswers();
  await drop('three.cert', EXAMPLE);
  await shows('#proof-status', 'It is a proof: Black wins.');
});

/** The certificate that is offered for saving. */
async function saved() {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#proof-save').click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

once('a certificate is made for one’s own position, walked through, played against, saved and opened again', async () => {
  // Two of fourteen moves win, so it is not decided by one claim about pairs.
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await page.locator('#prove-this').click();
  await shows('#proof-status', 'It is a proof: Black wins.');
  await shows('#proof-detail', 'it names every move of the winner');
  await shows('#claim-says', 'Black to move; Black wins.');
  assert.match(await cell(page, 'd1').getAttribute('aria-label'), /Black stone/);
  await page.locator('#claim-why').getByRole('button', { name: /^claim/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('#claim-trail button').length === 2);
  // Back in Explore everything is as it was, and another position is proved by all rules.
  await page.locator('nav [data-view=explore]').click();
  await addressed('#p=4.4.4.4_b&m=d1a1&n=2');
  await cell(page, 'b2').click();
  await page.locator('nav [data-view=proofs]').click();
  await page.locator('#prove-explicit').uncheck();
  await page.locator('nav [data-view=explore]').click();
  await page.locator('#prove-this').click();
  await shows('#proof-status', 'It is a proof: White wins.');
  await shows('#proof-detail', 'it uses rules that name no moves');
  await page.locator('#prove-explicit').check();
  await page.locator('#prove').click();
  await shows('#proof-detail', 'it names every move of the winner');
  await page.getByRole('button', { name: 'Play Black against it' }).click();
  await shows('#claim-note', 'Your move: you are Black.');
  const { name, bytes } = await saved();
  assert.equal(name, 'rex-4x4-d1-a1-b2.cert.zst');
  await page.locator('#proof-file').setInputFiles({ name, mimeType: 'application/zstd', buffer: bytes });
  await shows('#proof-status', 'It is a proof: White wins.');
  assert.deepEqual((await saved()).bytes, bytes);
  const text = await page.evaluate(async (hex) => {
    const { engine } = await import(new URL('engine.js', location.href));
    const bytes = Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));
    return new Promise((resolve) => engine.then((engine) => engine.check(bytes, (name, data) => name === 'answer' && resolve(data.position))));
  }, bytes.toString('hex'));
  assert.equal(text, 'w2b/1b2/4/4 w');
});

test('a proof tells how far it is, can be cancelled while it is searched and while it is written, and waits for nobody', async () => {
  await openPage('#p=4.4.4.4_b');
  const cancelled = async (when) => {
    await page.locator('#prove').click();
    await shows(...when);
    // Who waits sees what for, and how to end it.
    for (const part of [page.locator('#proof-status'), page.locator('#proofs').getByRole('button', { name: 'Cancel' })]) {
      const { y, height } = await part.boundingBox();
      assert.ok(y >= 0 && y + height <= 800, `${y} ${height}`);
    }
    await cancel();
    await shows('#proof-status', 'Stopped before the end: nothing is proved.');
    assert.ok(await page.locator('#proof-save').isHidden() && await page.locator('#claim').isHidden());
  };
  await holdAnswers();
  await goTo(addressOf(ENDLESS, 'proofs'));
  await cancelled(['#proof-detail', /^[\d,]+ nodes, \d+\.\d s$/]);
  await goTo(addressOf(LONG_PROOF, 'proofs'));
  await page.locator('#prove-explicit').check();
  await cancelled(['#proof-detail', /claims so far$/]);
  await giveAnswers();
  // The engine is free for something else at once, and goes on while another view is shown.
  await page.locator('#prove-explicit').uncheck();
  await goTo('#p=4.4.4.4_b&m=d1&n=1&v=proofs');
  await page.locator('#prove').click();
  await page.locator('nav [data-view=rules]').click();
  await page.locator('nav [data-view=proofs]').click();
  await shows('#proof-status', 'It is a proof: Black wins.');
  await shows('#claim-says', 'White to move; Black wins.');
  await goTo('#p=b1.b1_w&v=proofs');
  await page.locator('#prove').click();
  await shows('#proof-status', 'The game is over, so there is nothing to prove.');
});

once('what the engine has forgotten is checked again', async () => {
  await openPage('#v=proofs');
  await drop('three.cert', EXAMPLE);
  await shows('#claim h2', 'Claim 5');
  await (await engineOfPage()).evaluate((engine) => {
    const { ask } = engine;
    engine.ask = function (what, body, signal) {
      return ask.call(this, what, what === 'claim' ? { ...body, certificate: 'gone' } : body, signal);
    };
    window.mend = () => { engine.ask = ask; };
  });
  await cell(page, 'a1').click();
  await shows('#proof-status', 'This certificate is no longer kept; open it again.');
  page.problems = page.problems.filter((problem) => !problem.includes('status of 400'));
  await page.evaluate(() => window.mend());
  await page.getByRole('button', { name: 'Check it again' }).click();
  await shows('#claim h2', 'Claim 5');
});
