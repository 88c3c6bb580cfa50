// The solver as a WebAssembly module: who wins a position of Reverse Hex, by which moves, and why. Runs in browsers, in
// Workers and in Node, and needs nothing else. A search keeps the thread it runs on busy, so in a page use a Worker
// (worker.js is one), or pass `slice` so that it rests in between.

/** Bytes for the table of one board. Two tables are kept. */
export const MEMORY = 128 * 2 ** 20;

/** The module stopped: a bug, or no memory left. It cannot be used any more. */
export class Stopped extends Error {}

/** The shortest module that uses SIMD, to find out whether a browser can. */
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Why this browser cannot run the solver; empty if it can. */
export function unfit() {
  if (typeof WebAssembly !== 'object') return 'This browser has no WebAssembly, which the solver needs. Any browser from 2023 or later has it.';
  if (!WebAssembly.validate(SIMD)) return 'This browser has WebAssembly without SIMD, which the solver needs. Any browser from 2023 or later has it.';
  return '';
}

/** Compiles the module: a URL, a response, its bytes, or a compiled one; without any, `rex.wasm` beside this file. */
export async function compile(source = new URL('rex.wasm', import.meta.url)) {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (source instanceof URL && source.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(source));
  }
  const response = await (source instanceof Response ? source : fetch(source));
  if (!response.ok) throw new Error(`Cannot load the solver: ${response.url} answered with status ${response.status}.`);
  // Some servers do not know the type of such files, and then it cannot be compiled while it comes in.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** A solver. Make one with `Rex.load()`. */
export class Rex {
  /**
   * Loads the module. `source`: see `compile`. `memory`: bytes for the table of one board. `book`: whether openings are looked
   * up instead of searched.
   */
  static async load({ source, memory = MEMORY, book = true } = {}) {
    const reason = unfit();
    if (reason) throw new Error(reason);
    const rex = new Rex();
    rex.exports = (await WebAssembly.instantiate(await compile(source), { host: rex.host() })).exports;
    rex.call('open', memory, Number(book));
    return rex;
  }

  constructor() {
    this.listeners = new Map();
  }

  /** What the module calls. */
  host() {
    const bytes = (place, length) => new Uint8Array(this.exports.memory.buffer, place, length);
    const text = (place, length) => new TextDecoder().decode(bytes(place, length));
    const tell = (job, name, data) => this.listeners.get(job)?.(name, data);
    return {
      now: () => performance.now(),
      tell: (job, place, length) => tell(job, ...JSON.parse(text(place, length))),
      hand: (job, place, length) => tell(job, 'file', bytes(place, length).slice()),
      died: (place, length) => { this.why = text(place, length); },
    };
  }

  /** Calls into the module. If that stops, it cannot be used any more. */
  call(name, ...values) {
    if (this.stopped) throw this.stopped;
    try {
      return this.exports[name](...values);
    } catch (error) {
      // Whatever goes wrong in the module is told by `died` first, except that there is no memory left even to say so.
      const memory = !this.why && error instanceof WebAssembly.RuntimeError;
      this.stopped = new Stopped(memory ? 'The solver ran out of memory.' : `The solver stopped: ${this.why ?? error.message}`);
      throw this.stopped;
    }
  }

  /** Takes a request, with a file if one belongs to it. Events come to `listener(name, data)`. Returns the number of its job. */
  begin(request, listener, file = new Uint8Array()) {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const place = this.call('room', text.length + file.length);
    if (!place) throw new Error(file.length ? 'There is not enough memory for this file.' : 'The solver ran out of memory.');
    const room = new Uint8Array(this.exports.memory.buffer, place, text.length + file.length);
    room.set(text);
    room.set(file, text.length);
    const job = this.call('begin', text.length);
    this.listeners.set(job, listener);
    return job;
  }

  /** Works on a job for about `slice` milliseconds, or until it is finished. Returns whether it is. */
  step(job, slice = Infinity) {
    const finished = this.call('step', job, slice) === 1;
    if (finished) this.listeners.delete(job);
    return finished;
  }

  /** Forgets a job. What it found is kept for the next one. */
  end(job) {
    this.listeners.delete(job);
    this.call('end', job);
  }

  /**
   * Asks, and returns the answer. `onEvent(name, data)` hears what comes before it. With `slice`, the search rests after that
   * many milliseconds to let others work, and `signal` can end it.
   */
  async ask(request, { onEvent, file, slice, signal } = {}) {
    signal?.throwIfAborted();
    let answer, made, failure;
    const job = this.begin(request, (name, data) => {
      if (name === 'file') made = data;
      else if (name === 'failed') failure = new Error(data.error);
      else if (['answer', 'done', 'replies'].includes(name)) answer = data;
      onEvent?.(name, data);
    }, file);
    const rests = slice ?? (signal ? 20 : Infinity);
    while (!this.step(job, rests)) {
      await new Promise((resolve) => setTimeout(resolve));
      if (signal?.aborted) this.end(job);
      signal?.throwIfAborted();
    }
    if (failure) throw failure;
    return made ? { ...answer, file: made } : answer;
  }

  /** Who wins, by which move, and the line of play. `options`: `verdict_only`, `nodes`, `seconds`. */
  solve(position, options, control) {
    return this.ask({ ask: 'solve', position, ...options }, control);
  }

  /** The value of every move. `options`: `replies`, `nodes`, `seconds`. */
  moves(position, options, control) {
    return this.ask({ ask: 'moves', position, ...options }, control);
  }

  /** The value of every move, the easy ones first, each as an event. `options`: `replies`, `nodes`, `seconds`. */
  stream(position, options, control) {
    return this.ask({ ask: 'stream', position, ...options }, control);
  }

  /** What is known without search. */
  explain(position) {
    return this.ask({ ask: 'explain', position });
  }

  /** The line of play: the winner's moves against the longest resistance. */
  line(position, control) {
    return this.ask({ ask: 'line', position }, control);
  }

  /** A move against a player. `options`: `level` ('novice', 'casual', 'skilled', 'expert' or 'perfect'), `seed`. */
  move(position, options, control) {
    return this.ask({ ask: 'move', position, level: 'perfect', ...options }, control);
  }

  /** The game in any notation. `options`: `board`, `to_move`. */
  import(text, options) {
    return this.ask({ ask: 'import', text, ...options });
  }

  /** A game in every notation. */
  export(game) {
    return this.ask({ ask: 'export', ...game });
  }

  /** A certificate of who wins, as `file` of the answer. `options`: `explicit`, `compressed`, `keep`, `seconds`. */
  prove(position, options, control) {
    return this.ask({ ask: 'prove', position, ...options }, control);
  }

  /** Whether these bytes are a proof; if not, the answer has `error` and `line`. With `keep`, `claim` and `reply` can read it, until the next one is kept. */
  check(file, { keep = false, ...control } = {}) {
    return this.ask({ ask: 'check', keep }, { ...control, file });
  }

  /** What a claim of a certificate says, and why. `certificate` is its name in the answer of `check`; `at`: `claim`, `view`. */
  claim(certificate, at) {
    return this.ask({ ask: 'claim', certificate, ...at });
  }

  /** How the certificate answers a move of the loser. `at`: `claim`, `view`, `position`, `move`. */
  reply(certificate, at) {
    return this.ask({ ask: 'reply', certificate, ...at });
  }
}
