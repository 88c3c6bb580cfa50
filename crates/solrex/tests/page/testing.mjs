// What the tests of the page and of its engine share: hard positions, and the guard of every wait. engine.test.mjs holds the former.

import { test as nodeTest } from 'node:test';

/** No test lives to see the end of this search. */
export const ENDLESS = '8x8 e4';

/** This move of it is soon known to lose. */
export const LOST = 'd5';

/** This is soon solved, but a proof that can be played against is long. */
export const LONG_PROOF = '6x6 a1';

/** Milliseconds. Nobody waits longer than this: a test that hangs fails. */
export const GUARD = 120_000;

/** A test of node's runner, which has no switch for this before version 20. */
export const test = (name, run) => nodeTest(name, { timeout: 5 * GUARD }, run);
