// The solver in a Worker of this browser as an engine: one thread, little memory, no store.

import { MEMORY, compile, unfit } from './rex.js';
import { script } from './trusted.js';

export class Local {
  /** `book`: whether openings are looked up instead of searched. */
  constructor({ book = true } = {}) {
    this.book = book;
    this.saves = false;
    this.about = `Solved in this browser: one thread, ${MEMORY / 2 ** 20} MB; results are kept until the page is closed.`;
    this.advice = 'This one is hard. The program itself, started with “solrex serve”, uses all cores and more memory, and saves what it finds.';
    this.hearers = new Map();
    this.last = 0;
    this.unfit = unfit();
    if (!this.unfit) this.start();
  }

  start() {
    try {
      this.worker = new Worker(script('worker.js'), { type: 'module' });
    } catch (error) {
      this.unfit = `The solver could not be started: ${error.message}`;
      return;
    }
    this.worker.onmessage = ({ data: { job, name, data } }) => {
      if (name === 'died') this.lose(data.error);
      else this.hearers.get(job)?.(name, data);
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.lose('The solver could not be loaded. Reload the page to try again.');
    };
    // It comes in and is compiled while the Worker starts, and the next Worker need not do it again.
    const { worker } = this;
    this.module ??= compile();
    this.module.then((source) => worker.postMessage({ options: { source, book: this.book } }), (error) => {
      this.module = null;
      if (this.worker === worker) this.lose(error.message);
    });
  }

  /** The Worker cannot go on. The next question starts another one. */
  lose(error) {
    this.worker?.terminate();
    this.worker = null;
    const hearers = [...this.hearers.values()];
    this.hearers.clear();
    for (const hear of hearers) hear('failed', { error });
  }

  /** Passes on a request. Returns a function that ends it. */
  begin(request, hear, file) {
    if (!this.worker && !this.unfit) this.start();
    if (this.unfit) {
      queueMicrotask(() => hear('failed', { error: this.unfit }));
      return () => {};
    }
    const job = ++this.last;
    this.hearers.set(job, hear);
    this.worker.postMessage({ job, request, file });
    return () => {
      if (this.hearers.delete(job)) this.worker?.postMessage({ job, cancel: true });
    };
  }

  async ask(what, body, signal) {
    if (what === 'puzzles') {
      const lines = await fetch('puzzles.jsonl').then((answer) => (answer.ok ? answer.text() : Promise.reject()))
        .catch(() => { throw new Error('The puzzles could not be loaded.'); });
      return { puzzles: lines.trim().split('\n').map((line) => JSON.parse(line)) };
    }
    return new Promise((resolve, reject) => {
      const end = this.begin({ ask: what, ...body }, (name, data) => {
        if (name === 'answer') resolve(data);
        else if (name === 'failed') reject(new Error(data.error));
        if (name === 'over') this.hearers.delete(job);
      });
      const job = this.last;
      signal?.addEventListener('abort', () => {
        end();
        reject(signal.reason);
      });
    });
  }

  solve(position, hear) {
    return this.listen({ ask: 'stream', position, replies: true }, hear);
  }

  check(file, hear) {
    return this.listen({ ask: 'check', keep: true }, hear, file);
  }

  prove(request, hear) {
    return this.listen({ ask: 'prove', ...request }, hear);
  }

  /** Passes on a request, and what is heard of it until it is over or closed. */
  listen(request, hear, file) {
    const end = this.begin(request, (name, data) => {
      if (name === 'over') this.hearers.delete(job);
      else hear(name, data);
    }, file);
    const job = this.last;
    return { close: end };
  }
}
