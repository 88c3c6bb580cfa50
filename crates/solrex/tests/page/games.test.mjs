// Games in the page: their tree, how they are set up, and how they come in and go out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { host, onServer, serve } from './browser.mjs';
import { addressed, cell, context, engineOfPage, goTo, newPage, once, openPage, page, says, server, shows, test } from './session.mjs';

/** Imports a text. */
async function give(text) {
  await page.locator('#import-text').fill(text);
  await page.getByRole('button', { name: 'Import' }).click();
}

once('Back and Forward lead through the views, and what an address replaces can be had back', async () => {
  await openPage('#p=4.4.4.4_b');
  await cell(page, 'd1').click();
  await page.locator('nav [data-view=puzzles]').click();
  await shows('#puzzle-status', 'to move and win');
  assert.equal(await page.title(), 'Puzzles · Solrex');
  await page.goBack();
  await shows('#moves', '1. d1');
  assert.match(await cell(page, 'd1').getAttribute('aria-label'), /Black stone/);
  await page.goForward();
  await shows('#puzzle-status', 'to move and win');
  await page.goBack();
  // By hand, with garbage in it: nothing is lost, and it is told.
  const long = '(a1)(b1)'.repeat(4000);
  for (const garbage of ['#p=nonsense', '#p=4.4.4.4_b&m=d1d1', '#p=4.4.4.4_b&m=z9', '#p=99.99_b', '#%', '#p=4.4.4.4_b&m=)', `#p=4.4.4.4_b&m=${long}!`]) {
    await goTo(garbage);
    await says('contains no readable position');
    await addressed(/#p=4.4.4.4_b&m=d1&n=1$/);
  }
  await goTo('#p=3.3.3_b&n=77&v=nowhere');
  await page.waitForFunction(() => document.querySelectorAll('#board .cell').length === 9);
  await addressed(/#p=3.3.3_b$/);
  await page.locator('[data-step=undo]').click();
  await addressed(/#p=4.4.4.4_b&m=d1&n=1$/);
});

once('a game with very many variations is opened from its address and can be used', async () => {
  const names = [...'abcdefgh'].flatMap((col) => [1, 2, 3, 4, 5, 6, 7, 8].map((row) => `${col}${row}`));
  const tree = names.map((one) => `(${one}${names.filter((two) => two !== one).slice(0, 30).map((two) => `(${two})`).join('')})`).join('');
  await openPage(`#p=8.8.8.8.8.8.8.8_b&m=${tree}&n=1`);
  await page.locator('#engine-on').uncheck();
  await page.locator('#moves button').nth(1900).waitFor();
  await page.keyboard.press('.');
  await addressed(/&n=2$/);
  await page.reload();
  assert.match(await cell(page, 'a2').getAttribute('aria-label'), /White stone/);
});

once('stones are set up with tools, by right click and by dragging; undo and redo', async () => {
  await openPage('#p=3.3.3_b');
  await page.locator('#setup summary').click();
  await page.locator('[data-tool=b]').click();
  const from = await cell(page, 'a1').boundingBox();
  const to = await cell(page, 'c1').boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
  await page.mouse.up();
  await addressed((url) => url.includes('p=bbb.3.3_b'));
  // One stroke is undone at once.
  await page.locator('[data-step=undo]').click();
  await addressed((url) => url.includes('p=3.3.3_b'));
  await page.locator('[data-step=redo]').click();
  await cell(page, 'b2').click({ button: 'right' });
  await cell(page, 'b2').click({ button: 'right' });
  await page.locator('#side').click();
  await addressed('#p=bbb.1w1.3_w');
  await page.locator('[data-step=undo]').click();
  await addressed('#p=bbb.1w1.3_b');
  await page.locator('[data-step=redo]').click();
  await page.locator('#rotate').click();
  await addressed('#p=3.1w1.bbb_w');
  await page.locator('#swap').click();
  await addressed('#p=2w.1bw.2w_b');
  await page.locator('#rows').selectOption('2');
  await addressed('#p=2w.1bw.2w_b');
  await page.locator('#resize').click();
  await addressed('#p=2w.1bw_b');
  await page.locator('#clear').click();
  await addressed('#p=3.3_b');
});

/** Drags the pointer from one cell to another. */
async function drag(first, last) {
  const [from, to] = [await cell(page, first).boundingBox(), await cell(page, last).boundingBox()];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
  await page.mouse.up();
}

once('each stroke is undone by itself, and then the move before it', async () => {
  await openPage('#p=4.4.4.4_b');
  await cell(page, 'd1').click();
  await page.locator('#setup summary').click();
  await page.locator('[data-tool=w]').click();
  await drag('a3', 'c3');
  await drag('a4', 'b4');
  await cell(page, 'd4').click();
  const after = [...['www1.ww1w', 'www1.ww2', 'www1.4'].map((rows) => `#p=4.4.4.4_b&m=d1@3b.4.${rows}_w@&n=2`), '#p=4.4.4.4_b&m=d1&n=1', '#p=4.4.4.4_b'];
  await addressed(after[0]);
  for (const address of after.slice(1)) {
    await page.locator('[data-step=undo]').click();
    await addressed(address);
  }
  for (const address of after.slice(0, -1).reverse()) {
    await page.locator('[data-step=redo]').click();
    await addressed(address);
  }
});

once('a game keeps its tree when it is turned or resized, and stones are set up inside it', async () => {
  await openPage('#p=4.4.4.4_b&m=d1(a1)(c1a2)&n=3');
  const asked = [];
  let wanted = false;
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    return wanted ? dialog.accept() : dialog.dismiss();
  });
  await page.locator('#setup summary').click();
  await page.locator('#rotate').click();
  await addressed('#p=4.4.4.4_b&m=a4(d4)(b4d3)&n=3');
  await page.locator('#rows').selectOption('5');
  await page.locator('#resize').click();
  await addressed('#p=4.4.4.4.4_b&m=a4(d4)(b4d3)&n=3');
  await page.locator('#swap').click();
  await addressed('#p=5.5.5.5_w&m=d1(d4)(d2c4)&n=3');
  // Set up in the middle: a place of its own, next to what was played there.
  await cell(page, 'a1').click({ button: 'right' });
  await addressed('#p=5.5.5.5_w&m=d1(d4)(d2(c4)(@b2w1.3b1.5.5_w@))&n=5');
  await cell(page, 'a1').click({ button: 'right' });
  await page.locator('#side').click();
  await addressed('#p=5.5.5.5_w&m=d1(d4)(d2(c4)(@w2w1.3b1.5.5_b@))&n=5');
  await cell(page, 'e4').click();
  const address = '#p=5.5.5.5_w&m=d1(d4)(d2(c4)(@w2w1.3b1.5.5_b@e4))&n=6';
  await addressed(address);
  await shows('#moves', /set up\s*3\. e4/);
  await page.locator('#swap').click();
  await page.locator('#swap').click();
  await addressed(address);
  await page.reload();
  await shows('#moves', /set up\s*3\. e4/);
  assert.deepEqual(asked, []);
  // What the moves cannot bear is asked, and does not happen if it is not wanted.
  await page.locator('#setup summary').click();
  await page.locator('#cols').selectOption('3');
  await page.locator('#resize').click();
  await page.locator('#clear').click();
  assert.deepEqual(asked, Array(2).fill('This change removes all 6 moves and starts a new game from this position. Undo brings them back.'));
  await addressed(address);
  assert.equal(await page.locator('#cols').inputValue(), '5');
  wanted = true;
  await page.locator('#cols').selectOption('3');
  await page.locator('#resize').click();
  await addressed('#p=w2.3.3.3_w');
  await page.locator('[data-step=undo]').click();
  await addressed(address);
});

once('after a click the arrows step through the game, and letters change nothing', async () => {
  await openPage('#p=4.4.4.4_b');
  await cell(page, 'd1').click();
  await cell(page, 'a1').click();
  await cell(page, 'c3').click();
  for (const [key, place] of [['ArrowLeft', 2], ['ArrowLeft', 1], ['ArrowRight', 2], ['Home', 0], ['End', 3]]) {
    await page.keyboard.press(key);
    await addressed(`#p=4.4.4.4_b&m=d1a1c3&n=${place}`);
  }
  for (const key of ['b', 'w', 'x', 'Delete', 'Enter', ' ']) await page.keyboard.press(key);
  await page.keyboard.press('ArrowLeft');
  await addressed('#p=4.4.4.4_b&m=d1a1c3&n=2');
  // Reached with Tab, the board has the keys again.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^c4,/);
});

once('forward goes into the variation that was left', async () => {
  await openPage('#p=4.4.4.4_b&m=d1(a1)(c1(a2)(b2))&n=5');
  const step = async (name, place) => {
    await page.locator(`[data-step=${name}]`).click();
    await addressed(`&n=${place}`);
  };
  for (const place of [3, 1, 0]) await step('back', place);
  for (const place of [1, 3, 5]) await step('forward', place);
  await step('start', 0);
  await step('end', 5);
  // Another variation is shown; it is the one to come back to.
  await page.locator('#moves button', { hasText: '2. a1' }).click();
  await step('start', 0);
  await step('end', 2);
  // It is taken out: the main line is left.
  await page.locator('#setup summary').click();
  await page.locator('#remove').click();
  await addressed('m=d1c1(a2)(b2)&n=1');
  await step('end', 4);
});

test('an SGF comes in with its variations, and every notation goes out', async () => {
  await openPage();
  await page.locator('#share summary').click();
  await give('nonsense');
  await shows('#import-error', 'bad position');
  await give('(;GM[11]SZ[4];B[d1](;W[a1])(;W[c1];B[a1]))');
  await page.waitForURL(/m=d1\(a1\)\(c1a1\)&n=2/);
  assert.equal(await page.locator('#import-error').textContent(), '');
  assert.equal(await page.locator('#moves .variation').count(), 1);
  await page.locator('#moves .variation button').last().click();
  assert.match(await cell(page, 'c1').getAttribute('aria-label'), /White stone/);
  const expected = {
    ren: 'b1wb/4/4/4 w', moves: '4x4 d1 c1 a1', hexworld: 'https://hexworld.org/board/#4c1,d1c1a1',
    sgf: 'B[d1]', diagram: 'white to move', link: page.url(),
  };
  for (const [format, text] of Object.entries(expected)) {
    await page.locator('#format').selectOption(format);
    await page.waitForFunction((text) => document.getElementById('export-text').value.includes(text), text);
  }
  for (const kind of ['svg', 'png']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#save-${kind}`).click()]);
    const head = readFileSync(await download.path()).subarray(0, 8).toString('latin1');
    assert.match(head, kind === 'svg' ? /^<svg/ : /PNG/);
  }
  // The browser notes the refusal of the server, as it should.
  page.problems = page.problems.filter((problem) => !/status of 400/.test(problem));
});

once('every notation comes in, and what cannot be read is told and changes nothing', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await page.locator('#share summary').click();
  const start = page.url();
  for (const [text, sentence] of [
    ['', /./], ['4x4 d1 d1', /d1/], ['9x9', /9x9/], ['4/4/4/5 b', /5/], ['4/4/4/5', /5/], ['d1 d1', /d1/], ['d1 e1', /off the 4x4 board/], ['(;GM[11]SZ[4];B[z9])', /z9/],
    ['(;GM[1]SZ[4])', /GM/], ['(;GM[11]SZ[4];B[d1]', /./], ['https://hexworld.org/board/#4c1,z9', /z9/],
    ['https://example.org/#4', /./], ['https://trmph.com/hex/board#13,a1b2c3', /^This board is 13x13\. The text is fine, but Solrex takes at most 64 cells, such as 8x8/], ['https://trmph.com/hex/board#4,a1z9', /z9/], ['@/etc/passwd', /./], ['#p=4.4.4.4_b&m=d1d1', /no readable position/], ['<img src=x onerror=alert(1)>', /./],
  ]) {
    await page.evaluate(() => { document.getElementById('import-error').textContent = 'none yet'; });
    await give(text);
    await page.waitForFunction(() => !['', 'none yet'].includes(document.getElementById('import-error').textContent));
    assert.match(await page.locator('#import-error').textContent(), sentence, text);
    assert.equal(await page.locator('#import-text').inputValue(), text);
    assert.equal(page.url(), start, text);
  }
  page.problems = page.problems.filter((problem) => !/status of 400/.test(problem));
  const drawn = `       black
      a b c
     1 . B . 1
white 2 W . . 2 white
       3 . . . 3
          a b c
           black
white to move`;
  for (const [text, address] of [
    ['d1 a1 c3', 'p=4.4.4.4_b&m=d1a1c3&n=3'], ['1. d1 a1\n2. c2', 'p=4.4.4.4_b&m=d1a1c2&n=3'], ['b2', 'p=4.4.4.4_b&m=b2&n=1'],
    ['https://trmph.com/hex/board#4,d1a1', 'p=4.4.4.4_b&m=d1a1&n=2'], ['1b1/w2/3 w', 'p=1b1.w2.3_w'], ['3x4 a1 b2', 'p=4.4.4_b&m=a1b2&n=2'], [drawn, 'p=1b1.w2.3_w'],
    ['(;GM[11]SZ[3]AB[b1]AW[a2]PL[W];W[c3](;B[a1])(;B[c1]))', 'p=1b1.w2.3_w&m=c3(a1)(c1)&n=2'],
    ['https://hexworld.org/board/#4c1,d1a1', 'p=4.4.4.4_b&m=d1a1&n=2'],
    ['http://127.0.0.1:7373/#p=3.3.3_b&m=a1(b1)(c1)&n=3', 'p=3.3.3_b&m=a1(b1)(c1)&n=3'],
  ]) {
    await give(text);
    await page.waitForURL((url) => url.href.endsWith(`#${address}`));
    assert.equal(await page.locator('#import-error').textContent(), '');
  }
  for (let i = 0; i < 10; i++) await page.locator('[data-step=undo]').click();
  assert.equal(page.url(), start);
});

once('where nothing says who is to move, the number of stones tells it, or the page asks', async () => {
  await openPage('#p=4.4.4.4_b');
  await page.locator('#share summary').click();
  for (const [text, address, note] of [
    ['1b1/w2/3', '#p=1b1.w2.3_b', 'Note: Black is to move, by the number of stones'],
    ['. b .\n . . .\n  . . .', '#p=1b1.3.3_w', 'Note: White is to move, by the number of stones'],
    ['4/4/4/4', '#p=4.4.4.4_b', 'Note: Black is to move, by the number of stones'],
  ]) {
    await give(text);
    await addressed(address);
    await shows('#import-error', note);
  }
  // Two stones more: nobody can tell.
  await give('bb1/3/3');
  await page.getByText('Who is to move?').waitFor();
  await addressed('#p=4.4.4.4_b');
  await page.locator('#import-side').getByRole('button', { name: 'White' }).click();
  await addressed('#p=bb1.3.3_w');
  assert.equal(await page.locator('#import-error').textContent(), '');
  assert.ok(await page.getByText('Who is to move?').isHidden());
});

test('what cannot be exported is said, and never copied', async () => {
  const mine = await (onServer ? serve() : host());
  await openPage('#p=1b1w.3w.w2b.2b1_b', { permissions: ['clipboard-read', 'clipboard-write'] }, mine.url);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copy = async (noted) => {
    await page.locator('#copy').click();
    await says(noted);
    return clipboard();
  };
  await page.locator('#share summary').click();
  assert.equal(await copy('Copied.'), page.url());
  await page.locator('#format').selectOption('ren');
  assert.equal(await copy('Copied.'), '1b1w/3w/w2b/2b1 b');
  await page.locator('#format').selectOption('moves');
  await shows('#export-error', 'Only a game that starts from the empty board');
  assert.equal(await copy('nothing to copy'), '1b1w/3w/w2b/2b1 b');
  await mine.stop();
  // The Worker is still there without its server, so it has to die.
  if (!onServer) await (await engineOfPage()).evaluate((engine) => { engine.begin = (request, hear) => hear('failed', { error: 'The solver ran out of memory.' }); });
  await page.locator('#format').selectOption('sgf');
  await shows('#export-error', onServer ? 'Cannot reach the server' : 'The solver ran out of memory.');
  assert.equal(await page.locator('#export-text').inputValue(), '');
  assert.equal(await copy('nothing to copy'), '1b1w/3w/w2b/2b1 b');
});

once('variations are promoted, removed and commented, and SGF keeps all of it, with what is set up', async () => {
  await openPage('#p=4.4.4.4_b&m=d1(a1)(c1a2)&n=4');
  await page.locator('#promote').click();
  await addressed('&m=d1(c1a2)(a1)&n=3');
  assert.ok(await page.locator('#promote').isDisabled());
  await page.locator('#comment').fill('A good try ] with & and “quotes”');
  await page.keyboard.press('Tab');
  await addressed((url) => url.includes('&c3=A%20good%20try'));
  await page.locator('[data-tool=b]').click();
  await cell(page, 'd4').click();
  await page.locator('#share summary').click();
  await page.locator('#format').selectOption('sgf');
  await page.waitForFunction(() => document.getElementById('export-text').value.includes('AB[d4]'));
  const sgf = await page.locator('#export-text').inputValue();
  const before = page.url();
  await page.locator('#moves button', { hasText: '2. a1' }).click();
  await page.locator('#remove').click();
  await addressed((url) => url.includes('&m=d1c1a2@'));
  await give(sgf);
  await page.waitForURL(before);
  assert.equal(await page.locator('#import-error').textContent(), '');
  await page.locator('[data-step=back]').click();
  await shows('#note', 'A good try ] with & and “quotes”');
  assert.equal(await page.locator('#comment').inputValue(), 'A good try ] with & and “quotes”');
  // Of several games the first one comes in, and it is said so.
  await give('(;GM[11]SZ[3];B[a1])(;GM[11]SZ[4];B[d1])');
  await addressed('#p=3.3.3_b&m=a1&n=1');
  await shows('#import-error', 'Note: this is the first of 2 games in the text.');
  // Stones that are set up in a variation.
  await give('(;GM[11]SZ[4];B[d1](;W[a1]C[here])(;AW[b2]PL[B];B[c3]))');
  await addressed('m=d1(a1)(@3b.1w2.4.4_b@c3)&n=2&c2=here');
});

/** Imports a text, and waits for the address. */
async function bring(text, address) {
  await give(text);
  await addressed(address);
}

/** The stones on the board, and whose turn it is. */
const board = async () => {
  const stones = (colour) => page.locator(`#board .stone-${colour}`).evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label').slice(0, 2)).join(' '));
  return `${await stones('b')} | ${await stones('w')} | ${await page.locator('#turn').textContent()}`;
};

once('swaps and passes of other programs come in as such, are stepped through, and go out again', async () => {
  await openPage('#p=4.4.4.4_b');
  await page.locator('#share summary').click();
  const after = { s: 'b2 | a4 | White to move', S: 'd1 | b2 | Black to move', p: 'd1 b2 |  | White to move' };
  const between = { s: ' | a4 | Black to move', S: 'd1 |  | White to move', p: 'd1 |  | Black to move' };
  for (const [text, act, word] of [
    ['https://hexworld.org/board/#4,d1:sb2', 's', 'swap'], ['https://hexworld.org/board/#4,d1:Sb2', 'S', 'swap sides'],
    ['https://hexworld.org/board/#4,d1:pb2', 'p', 'pass'], ['4x4 d1 swap b2', 's', 'swap'],
    ['(;GM[11]SZ[4];B[d1];W[swap-pieces];B[b2])', 's', 'swap'], ['(;GM[11]SZ[4];B[d1];W[swap-sides];W[b2])', 'S', 'swap sides'],
    ['(;GM[11]SZ[4];B[d1];W[pass];B[b2])', 'p', 'pass'],
  ]) {
    await bring('3x3', '#p=3.3.3_b');
    await bring(text, `#p=4.4.4.4_b&m=d1:${act}b2&n=3`);
    assert.equal(await board(), after[act], text);
    await shows('#import-error', /^Note: the game has a (swap|pass); the solver judges each position as it stands/);
    assert.equal(await page.locator('#moves').textContent(), `1. d12. ${word}3. b2`);
    assert.equal(await page.locator('#strip button').nth(1).textContent(), word);
    await page.locator('[data-step=back]').click();
    assert.equal(await board(), between[act], text);
    await shows('#review-says', `White: ${word} (`);
    await page.locator('[data-step=back]').click();
    assert.equal(await board(), 'd1 |  | White to move', text);
    await page.locator('#strip button').nth(1).click();
    assert.equal(await board(), between[act], text);
    await page.locator('[data-step=end]').click();
    assert.equal(await board(), after[act], text);
    // Undo and a reload keep it, and so do SGF and HexWorld.
    await page.reload();
    await page.locator('#share summary').click();
    assert.equal(await board(), after[act], text);
    for (const [format, part] of [['sgf', { s: 'W[swap-pieces];B[b2]', S: 'W[swap-sides];W[b2]', p: 'W[pass];B[b2]' }[act]], ['hexworld', `#4c1,d1:${act}b2`]]) {
      await page.locator('#format').selectOption(format);
      await page.waitForFunction((part) => document.getElementById('export-text').value.includes(part), part);
      const written = await page.locator('#export-text').inputValue();
      await bring('3x3', '#p=3.3.3_b');
      await bring(written, `#p=4.4.4.4_b&m=d1:${act}b2&n=3`);
    }
  }
  // Half a turn and other colours keep the swap; the numbers on the stones count it.
  await bring('d1 swap b2', '&m=d1:sb2&n=3');
  await page.locator('#setup summary').click();
  await page.locator('#rotate').click();
  await addressed('&m=a4:sc3&n=3');
  assert.equal(await board(), 'c3 | d1 | White to move');
  await page.locator('#options-open').click();
  await page.locator('#numbers').check();
  await page.locator('#options').getByRole('button', { name: 'Done' }).click();
  assert.deepEqual(await page.locator('#board :is(.stone-b, .stone-w) .mark').allTextContents(), ['1', '3']);
  // What is set up after a swap does not change the swap.
  await page.locator('[data-step=back]').click();
  await page.locator('[data-tool=b]').click();
  await cell(page, 'a1').click();
  await addressed((url) => url.includes(':s(c3)(@b2w.4.4.4_b@)'));
});

once('a game of Little Golem has its players, whose sides are ours', async () => {
  await openPage('#p=4.4.4.4_b');
  await page.locator('#share summary').click();
  const sgf = '(;FF[4]EV[hex.ch.1]PB[Second & last]PW[First]SZ[4]SO[http://www.littlegolem.com];W[da];B[swap];W[bb])';
  await bring(sgf, '&m=d1:sb2&n=3&black=First&white=Second%20%26%20last');
  assert.equal(await board(), 'b2 | a4 | White to move');
  await shows('#players', 'Black: First · White: Second & last');
  await page.locator('#format').selectOption('sgf');
  await page.waitForFunction(() => document.getElementById('export-text').value.includes('PB[First]PW[Second & last]'));
  await page.reload();
  await shows('#players', 'Black: First · White: Second & last');
  // A new game is nobody’s.
  await page.locator('#sizes button').first().click();
  assert.ok(await page.locator('#players').isHidden());
});

once('a link opens the same place in a second page', async () => {
  await openPage('#p=4.4.4.4_b');
  await cell(page, 'd1').click();
  await cell(page, 'a1').click();
  await page.keyboard.press(',');
  await cell(page, 'c1').click();
  const second = await newPage(context, server.url);
  await second.goto(page.url());
  await second.locator('#moves .variation').waitFor();
  assert.match(await cell(second, 'c1').getAttribute('aria-label'), /White stone/);
  assert.equal(await second.locator('#moves').textContent(), await page.locator('#moves').textContent());
  assert.deepEqual(second.problems, []);
  await second.goto(`${server.url}#p=nonsense`);
  await second.locator('#said', { hasText: 'no readable position' }).waitFor({ state: 'attached' });
});

once('variations are stepped through with the keyboard', async () => {
  await openPage('#p=4.4.4.4_b&m=d1(a1c1)(c1(a1)(b2))&n=0');
  const steps = [['.', 1], ['.', 2], ['ArrowDown', 4], ['ArrowRight', 5], ['ArrowDown', 6], ['ArrowUp', 5], ['ArrowLeft', 4], ['ArrowUp', 2], ['End', 3], ['Home', 0]];
  for (const [key, place] of steps) {
    await page.keyboard.press(key);
    await addressed(`&n=${place}`);
  }
  // A move that is activated in the list keeps the focus.
  await page.locator('#moves button').nth(2).focus();
  await page.keyboard.press('Enter');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^2\. c1$/);
});
