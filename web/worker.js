// The Worker with the solver: takes requests, works on them in turns, and tells what comes of it.

import { Rex } from './rex.js';

/** Milliseconds of a turn. After each one the Worker hears whether somebody wants something else. */
const TURN = 20;

/** The solver, once its module is there. */
let give;
const loaded = new Promise((resolve) => { give = resolve; }).then((options) => Rex.load(options));
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

async function work(rex) {
  if (working) return;
  working = true;
  while (jobs.length) {
    const next = jobs.shift();
    const finished = rex.step(next.inside, TURN);
    if (finished) postMessage({ job: next.job, name: 'over', data: {} });
    else jobs.push(next);
    await breathe();
  }
  working = false;
}

onmessage = async ({ data: { job, request, file, cancel, options } }) => {
  if (options) return give(options);
  try {
    const rex = await loaded;
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
