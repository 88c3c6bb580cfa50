// The Worker with the solver: takes requests, works on them in turns, and tells what comes of it.

import { Rex } from './rex.js';

/** Milliseconds of a turn. After each one the Worker hears whether somebody wants something else. */
const TURN = 20;
/** Milliseconds after which a Worker that nobody asks rehearses. */
const QUIET = 500;

/** What is searched then, and nobody hears of. */
const REHEARSAL = { ask: 'solve', position: '6x6 d3', verdict_only: true };

/** The solver, once its module is there. */
let give;
const given = new Promise((resolve) => { give = resolve; });
const loaded = given.then((options) => Rex.load(options));
/** A solver that rehearses, and its job there. */
let rehearsal;
/** Jobs to work on, next one first: the page's number for it and the solver's. */
let jobs = [];
let working = false;

/** Lets messages come in. Unlike a timer, this does not wait. */
const breath = new MessageChannel();
const breathe = () => new Promise((resolve) => {
  breath.port1.onmessage = resolve;
  breath.port2.postMessage(null);
});

function die(error) {
  jobs = [];
  postMessage({ name: 'died', data: { error: error.message } });
}

/**
 * Browsers compile well only what has run for a while. So a solver of its own searches something before a visitor wants a long search. If
 * that fails, nothing is lost.
 */
async function rehearse() {
  try {
    if (!rehearsal) {
      const spare = await Rex.load({ ...await given, memory: 2 ** 21, book: false });
      rehearsal = { spare, job: spare.begin(REHEARSAL, () => {}) };
    }
    while (!jobs.length && !rehearsal.over) {
      if (rehearsal.spare.step(rehearsal.job, TURN)) rehearsal = { over: true };
      await breathe();
    }
  } catch {
    rehearsal = { over: true };
  }
}

async function work(rex) {
  if (working) return;
  working = true;
  while (jobs.length || !rehearsal?.over) {
    if (jobs.length) await turns(rex);
    else await rehearse();
  }
  working = false;
}

async function turns(rex) {
  while (jobs.length) {
    const next = jobs.shift();
    const finished = rex.step(next.inside, TURN);
    if (finished) postMessage({ job: next.job, name: 'over', data: {} });
    else jobs.push(next);
    await breathe();
  }
}

onmessage = async ({ data: { job, request, file, cancel, options } }) => {
  if (options) give(options);
  try {
    const rex = await loaded;
    // What the page wants first comes first.
    if (options) return setTimeout(() => work(rex).catch(die), QUIET);
    if (cancel) {
      const found = jobs.find((other) => other.job === job);
      jobs = jobs.filter((other) => other !== found);
      if (found) rex.end(found.inside);
      return;
    }
    jobs.unshift({ job, inside: rex.begin(request, (name, data) => postMessage({ job, name, data }), file) });
    await work(rex);
  } catch (error) {
    die(error);
  }
};
