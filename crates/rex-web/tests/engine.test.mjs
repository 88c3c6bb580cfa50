// The engine outside of a browser: the oracle's winners, golden facts, and the very nodes of the native program.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Rex, Stopped, compile } from './rex.js';
import { ENDLESS, LONG_PROOF, LOST, test } from './testing.mjs';

const { SOLREX, VALUES, WASM } = process.env;
const MIB = 2 ** 20;
const bytes = readFileSync(WASM);
const module = await compile(bytes);
/** Without the book: most tests are about the search. */
const load = (memory) => Rex.load({ source: module, memory, book: false });

/** What a program prints, in lines. */
function lines(program, args, input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, { input, maxBuffer: 2 ** 30, encoding: 'utf8', env: { ...process.env, SOLREX_DB: 'none', SOLREX_BOOK: 'none' } });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

for (const [board, every] of [['3x3', 1], ['4x4', 2000]]) {
  test(`${board}: the winner of ${every === 1 ? 'every position' : `every ${every}th position`} is that of the oracle`, async () => {
    const rex = await load(16 * MIB);
    const values = lines(VALUES, [board, String(every)]).map((line) => line.split('\t'));
    assert.ok(values.length > 5000, `${values.length} positions`);
    for (const [position, winner] of values) {
      assert.equal((await rex.solve(position, { verdict_only: true })).winner, winner, position);
    }
  });
}

/** Answers without what depends on the clock. */
const timeless = ({ seconds, ...answer }) => answer;

/** Positions of each board size, some of them hard enough to fill a small table. */
const POSITIONS = {
  '3x3': ['3x3', '3x3 a1', '3x3 b2', '3x4', '4x3 b2'],
  '4x4': ['4x4', '4x4 d1', '4x4 d1 a1', '4x4 c2', '1b1w/3w/w2b/2b1 b', '4x4 b3', '2x8', '3x5 c2'],
  '5x5': ['5x5 a1 d2', '5x5 e3 b4', '5x5 c3', '5x5', '5x5 a1', '4x5', '5x4 c3', '5x5 c1 d2'],
  '6x6': ['6x6 f3', '6x6 a1', '6/1w4/b1b2w/3wb1/3bbb/1bww1w w', 'wbbwww/ww1bwb/bbw1b1/wb1bb1/1ww3/bw3b w', '4x6 b2', '6x6 a1 f3'],
};

for (const [board, memory] of [['3x3', 16], ['4x4', 16], ['5x5', 64], ['6x6', 64], ['6x6', 1]]) {
  test(`${board} with ${memory} MiB: every answer is that of the native program, nodes and all`, async () => {
    const flags = ['-', '--json', '--threads', '1', '--memory', `${memory}M`];
    for (const [command, more, options] of [['solve', [], {}], ['solve', ['--verdict-only'], { verdict_only: true }]]) {
      // One board after the other, as the native program keeps only one table.
      for (const position of POSITIONS[board]) {
        const rex = await load(memory * MIB);
        const native = JSON.parse(lines(SOLREX, [command, ...flags, ...more], position)[0]);
        assert.deepEqual(timeless(await rex[command](position, options)), timeless(native), `${command} ${position}`);
      }
    }
    // All in one go, from a warm table.
    const square = POSITIONS[board].filter((position) => position.startsWith(board));
    const rex = await load(memory * MIB);
    for (const line of lines(SOLREX, ['solve', ...flags], square.join('\n'))) {
      const native = JSON.parse(line);
      assert.deepEqual(timeless(await rex.solve(native.position)), timeless(native), native.position);
    }
  });
}

test('the value of every move is that of the native program', async () => {
  for (const [position, memory] of [['4x4 d1', 16], ['4x4', 16], ['5x5 a1', 64], ['3x5 c2', 16]]) {
    const native = JSON.parse(lines(SOLREX, ['moves', '-', '--replies', '--json', '--threads', '1', '--memory', `${memory}M`], position)[0]);
    const rex = await load(memory * MIB);
    assert.deepEqual(timeless(await rex.moves(position, { replies: true })), timeless(native), position);
  }
});

test('explanations, games and certificates are those of the native program', async () => {
  const rex = await load(16 * MIB);
  for (const position of ['4x4 d1', '1b1w/3w/w2b/2b1 b', '5x5 c3 b4 d2', '6x6', 'b1/b1 w', '3x5']) {
    assert.deepEqual(await rex.explain(position), JSON.parse(lines(SOLREX, ['explain', '-', '--json'], position)[0]));
  }
  const game = await rex.import('(;GM[11]SZ[4];B[d1](;W[a1])(;W[c1];B[a1]))');
  assert.deepEqual(game, { position: '4/4/4/4 b', moves: 'd1(a1)(c1a1)', at: 2 });
  const { ren, hexworld } = await rex.export(game);
  assert.deepEqual([ren, hexworld], ['w2b/4/4/4 b', 'https://hexworld.org/board/#4c1,d1a1']);
  assert.deepEqual(await rex.import('bb1/3/3'), { v: 1, missing: 'to_move' });
  const native = lines(SOLREX, ['prove', '4x4', 'd1', '-o', '-', '--threads', '1', '--memory', '16M']).join('\n');
  for (const compressed of [false, true]) {
    const { file, claims } = await (await load(16 * MIB)).prove('4x4 d1', { compressed });
    if (!compressed) assert.equal(new TextDecoder().decode(file).trim(), native);
    assert.equal((await rex.check(file)).claims, claims);
    const changed = file.slice();
    changed[changed.length >> 1] ^= 1;
    assert.ok((await rex.check(changed)).error);
  }
});

/** A control that ends a job when it tells of its progress, of this kind. */
function untilProgress(kind) {
  const enough = new AbortController();
  return { signal: enough.signal, onEvent: (name, data) => name === 'progress' && kind in data && enough.abort() };
}

test('a certificate is read and played against, and a check in slices can be ended', async () => {
  const rex = await load(16 * MIB);
  const { file, winner } = await rex.prove('4x4 d1', { explicit: true });
  assert.equal((await rex.check(file)).certificate, undefined);
  const { certificate, root } = await rex.check(file, { keep: true });
  const claim = await rex.claim(certificate);
  assert.deepEqual([claim.claim, claim.position, claim.winner], [root, '3b/4/4/4 w', winner]);
  // The loser always takes the first empty cell.
  let at = claim;
  for (let moves = 0; at.move !== null; moves++) {
    assert.ok(moves < 16);
    const cells = at.position.split(' ')[0].replace(/\d/g, (run) => '.'.repeat(run)).split('/');
    const row = cells.findIndex((cells) => cells.includes('.'));
    const move = 'abcd'[cells[row].indexOf('.')] + (row + 1);
    at = await rex.reply(certificate, { claim: at.claim, view: at.view, position: at.position, move });
  }
  await assert.rejects(rex.reply(certificate, { position: at.position, claim: at.claim, view: at.view, move: 'd1' }), /not possible now/);
  const long = readFileSync(new URL('long.cert.zst', import.meta.url));
  await assert.rejects(rex.check(long, { keep: true, ...untilProgress('read') }), { name: 'AbortError' });
  await assert.rejects(rex.claim(certificate), /no longer kept/);
});

test('golden facts', async () => {
  const rex = await load(64 * MIB);
  const winning = async (position) => {
    const { moves } = await rex.moves(position);
    return Object.keys(moves).filter((cell) => moves[cell] === 'win').sort().join(' ');
  };
  const losing = async (position) => {
    const { moves } = await rex.moves(position);
    return Object.keys(moves).filter((cell) => moves[cell] === 'loss').sort().join(' ');
  };
  for (const [position, cells] of [
    ['2x2', 'a1 b2'], ['3x3', ''], ['4x4 d1 a1', 'a2 c1'], ['4x4 d1 c1', 'a1 b2 d4'], ['4x4 c2', 'a1 a2 a3 b1 b2 b4 d2 d3 d4'],
  ]) assert.equal(await winning(position), cells, position);
  for (const [position, cells] of [
    ['4x4', 'b3 c2'], ['5/5/5/5/w4 b', ''], ['w4/5/5/5/5 b', 'b4 c3 d2'], ['5/5/w4/5/5 b', 'c3 d2'], ['2w2/5/5/5/5 b', 'd2'],
  ]) assert.equal(await losing(position), cells, position);
  for (const [position, winner] of [
    ['6x6 f3', 'black'], ['6x6 a1', 'black'], ['5x5', 'white'], ['8x8', 'black'], ['6/1w4/b1b2w/3wb1/3bbb/1bww1w w', 'black'],
    ['wbbwww/ww1bwb/bbw1b1/wb1bb1/1ww3/bw3b w', 'white'],
  ]) assert.equal((await rex.solve(position, { verdict_only: true })).winner, winner, position);
  assert.equal((await rex.solve('5/1b3/5/5 w')).winner, 'white');
  assert.equal((await rex.solve('4/1b2/3w/4/2w1/4 b')).winner, 'black');
});

test('a hard position is hard', async () => {
  const rex = await load(64 * MIB);
  assert.equal((await rex.solve(ENDLESS, { nodes: 10_000, verdict_only: true })).stopped, 'nodes');
  const { moves } = await rex.stream(ENDLESS, { nodes: 10_000 });
  assert.equal(moves[LOST], 'loss');
  assert(Object.values(moves).includes('unknown'));
});

test('a stream in slices tells the same as the native moves', async () => {
  const rex = await load(64 * MIB);
  let steps = 0;
  const { step } = rex;
  rex.step = (...given) => {
    steps += 1;
    return step.apply(rex, given);
  };
  const events = [];
  const answer = await rex.stream('5x5 a1', { replies: true }, { slice: 0.1, onEvent: (name, data) => events.push([name, data]) });
  const { moves } = JSON.parse(lines(SOLREX, ['moves', '-', '--json', '--threads', '1', '--memory', '64M'], '5x5 a1')[0]);
  assert.deepEqual(answer.moves, moves);
  assert.deepEqual(events[0], ['start', { v: 1, position: 'b4/5/5/5/5 w' }]);
  assert.equal(events.filter(([name]) => name === 'move').length, 24);
  assert.ok(steps > 1);
});

test('a job rests, others are answered meanwhile, and a signal ends it', async () => {
  const rex = await load(64 * MIB);
  const control = untilProgress('nodes');
  const search = rex.stream(ENDLESS, {}, control);
  assert.equal((await rex.solve('4x4 d1')).winner, 'black');
  await assert.rejects(search, { name: 'AbortError' });
  await assert.rejects(rex.solve('4x4', {}, { signal: control.signal }), { name: 'AbortError' });
  await assert.rejects(rex.prove(LONG_PROOF, { explicit: true }, untilProgress('claims')), { name: 'AbortError' });
  assert.equal((await rex.solve('4x4 d1')).winner, 'black');
});

test('bad input is refused with a sentence, and the engine goes on', async () => {
  const rex = await load(16 * MIB);
  await assert.rejects(rex.solve('9x9'), /bad position: .*9x9/s);
  await assert.rejects(rex.solve('4x4', { seconds: -1 }), /bad seconds/);
  await assert.rejects(rex.ask({ ask: 'dance' }), /dance/);
  await assert.rejects(rex.import('nonsense'), /bad position/);
  assert.match((await rex.check(new TextEncoder().encode('nonsense\n'))).error, /\w/);
  assert.equal((await rex.solve('2x2')).winner, 'black');
});

/** The module with a limit to its memory, in pages of 64 KiB. */
function limited(pages) {
  const number = (at) => {
    let [value, shift] = [0, 0];
    for (;; at++, shift += 7) {
      value |= (bytes[at] & 127) << shift;
      if (bytes[at] < 128) return [value, at + 1];
    }
  };
  const written = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...written(value >> 7)]);
  for (let at = 8; at < bytes.length;) {
    const [length, start] = number(at + 1);
    if (bytes[at] === 5) {
      const [least] = number(start + 2);
      const limits = [1, 1, ...written(least), ...written(least + pages)];
      return new Uint8Array([...bytes.subarray(0, at), 5, ...written(limits.length), ...limits, ...bytes.subarray(start + length)]);
    }
    at = start + length;
  }
  throw new Error('there is no memory');
}

test('where memory is short the table is smaller, and where there is none it is said', async () => {
  // 64 MiB for everything: the table gets less than it was promised.
  const short = await Rex.load({ source: limited(1024), memory: 512 * MIB });
  assert.equal((await short.solve('6x6 f3')).winner, 'black');
  // With 4 MiB it does not grow beyond its small shelf.
  const tight = () => Rex.load({ source: limited(64), memory: 128 * MIB });
  assert.equal((await (await tight()).solve('6x6 f3')).winner, 'black');
  const busy = await tight();
  await assert.rejects(busy.check(new Uint8Array(8 * MIB)), /not enough memory/);
  assert.equal((await busy.explain('4x4 d1')).v, 1);
  await assert.rejects(busy.solve('6x6 f3'), /no memory for a table of \d+ bytes/);
  const none = await Rex.load({ source: limited(8), memory: 128 * MIB });
  await assert.rejects(none.solve('6x6 f3'), /memory/);
  // Nothing is left for an answer that needs a lot.
  const full = await Rex.load({ source: limited(4), memory: MIB });
  await assert.rejects(full.import(`(;GM[11]SZ[4]${';B[a1]C[x]'.repeat(2000)})`).then(() => full.explain('8x8')), (error) => error instanceof Stopped || /memory/.test(error.message));
});

test('openings are in the book, and a proof is made of a search', async () => {
  const rex = await Rex.load({ source: module, memory: 16 * MIB });
  const known = await rex.solve('6x6 d3');
  assert.deepEqual([known.book, known.winner, known.nodes], [true, 'white', 0]);
  assert.equal((await rex.solve('5x5 a1')).book, true);
  const proof = await rex.prove('5x5 a1');
  const { winner, claims } = await rex.check(proof.file);
  assert.deepEqual([winner, claims], ['white', proof.claims]);
});
