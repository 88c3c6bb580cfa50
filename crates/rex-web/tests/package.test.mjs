// The npm package, installed where nothing else is; and the sizes of what people download.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from './testing.mjs';

const { PACKAGE, SITE, TSC } = process.env;

test('the package is installed into a fresh folder, and its example runs and has the right types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'solrex-npm-'));
  const run = (program, ...args) => execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', 'install', '--silent', '--offline', '--no-audit', '--no-fund', PACKAGE);
  const inside = join(folder, 'node_modules', 'solrex');
  assert.deepEqual(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')), ['solrex']);
  cpSync(join(inside, 'example.mjs'), join(folder, 'example.mjs'));
  assert.match(run('node', 'example.mjs'), /^black wins: ([a-d][1-4] ?)+\nblack wins with c1 and a2\ndecided by a pre-join pairing\n$/);
  const example = readFileSync(join(inside, 'example.mjs'), 'utf8');
  assert.ok(example.trim().split('\n').length <= 11, 'ten lines and a comment');
  // What the example does, and what must not compile.
  writeFileSync(join(folder, 'use.ts'), `${example.replaceAll('console.log', 'print')}
    function print(...words: string[]) { void words; }
    const one: 'black' | 'white' | null = winner;
    const two = await rex.prove('4x4 d1');
    if (two.file) { const size: number = two.file.length; void size; }
    await rex.stream('4x4', { replies: true }, { onEvent: (name, data) => void [name, data], signal: AbortSignal.timeout(1000) });
    // @ts-expect-error: positions are text
    await rex.solve(4);
    // @ts-expect-error: there is no such level
    await rex.move('4x4', { level: 'hard' });
    void one;`);
  run('node', TSC, '--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', 'use.ts');
  rmSync(folder, { recursive: true });
});

test('all files of the site together are small', (context) => {
  const sizes = readdirSync(SITE).map((name) => [name, gzipSync(readFileSync(join(SITE, name)), { level: 9 }).length]);
  const all = sizes.reduce((sum, [, size]) => sum + size, 0);
  context.diagnostic(`${all} bytes, ${sizes.find(([name]) => name === 'rex.wasm')[1]} of them the solver`);
  assert.ok(all <= 800_000, `${all} bytes`);
});
