// The server: one search at a time for the page, and short questions.

import { cellIndex, cellName, fromText, isTurned, turnedCell } from './game.js';

/** Asks and returns the answer; throws with what the server said. */
export async function ask(path, body, signal) {
  const options = body && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error('Cannot reach the server. Is “solrex serve” still running?');
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The server answered with status ${response.status}.`);
  return answer;
}

/** A browser opens at most six connections to a server, for all its pages together. This many may be searches; the rest stay free for short questions. */
const SEARCHES = 4;

/** Waits for one of these turns, and calls `wait` if none is free. Returns a function that ends the turn. */
async function turn(signal, wait) {
  if (!navigator.locks) return () => {};
  const take = (number, options) => new Promise((resolve, reject) => {
    // The lock is held until the caller calls `release`.
    const hold = (lock) => lock && new Promise((release) => resolve(release));
    navigator.locks.request(`search ${number}`, options, hold).then(() => resolve(null), reject);
  });
  for (let number = 0; number < SEARCHES; number++) {
    const release = await take(number, { ifAvailable: true });
    if (release) return release;
  }
  signal.throwIfAborted();
  wait();
  const enough = new AbortController();
  signal.addEventListener('abort', () => enough.abort());
  const asked = Array.from({ length: SEARCHES }, (_, number) => take(number, { signal: enough.signal }));
  const first = await Promise.any(asked);
  enough.abort();
  for (const other of asked) other.then((release) => release !== first && release(), () => {});
  return first;
}

/**
 * A running search: `listen` opens a stream of events at the server (`docs/api.md`) and collects them in `result`. After each
 * one it calls `changed(result)`: `{ moves: Map, winner, pv, best, replies, refutations, progress, crowded, waiting, status }`.
 * The status is 'queued', 'searching', 'counting', 'done', 'stopped', 'hidden', 'away' or 'failed'. `crowded`: too many pages of
 * this browser are searching. `waiting`: the server is busy with other searches. `earlier` is what a search of the same
 * position had found before it was stopped.
 */
export class Search {
  constructor(position, changed, earlier) {
    const { moves, joins, winner } = earlier ?? {};
    this.result = { position, moves: new Map(moves), joins: new Set(joins), winner, status: 'queued', pv: [] };
    this.state = fromText(position);
    this.changed = changed;
    this.over = new AbortController();
    const wait = () => {
      this.result.crowded = true;
      changed(this.result);
    };
    turn(this.over.signal, wait).then((release) => {
      if (this.over.signal.aborted) return release();
      this.result.crowded = false;
      this.over.signal.addEventListener('abort', release);
      return this.listen(position);
    }, () => {});
  }

  listen(position) {
    const query = new URLSearchParams({ position, replies: 'true' });
    this.source = new EventSource(`/api/solve?${query}`);
    const { result } = this;
    const on = (name, use) => this.source.addEventListener(name, (event) => {
      const said = JSON.parse(event.data);
      result.waiting = Boolean(said.waiting);
      use(said);
      this.changed(result);
    });
    on('waiting', ({ searches }) => { result.searches = searches; });
    on('start', () => { result.status = 'searching'; });
    on('verdict', ({ winner }) => { result.winner = winner; });
    on('progress', (progress) => { result.progress = progress; });
    on('move', (move) => {
      for (const cell of this.alike(move.cell)) {
        result.moves.set(cell, move.value);
        if (move.joins) result.joins.add(cell);
      }
      result.progress = { ...result.progress, nodes: move.nodes, decided: result.moves.size };
      if (move.value === 'win') result.winner ??= position.endsWith('b') ? 'black' : 'white';
    });
    on('done', (answer) => {
      this.take(answer);
      // The server is stopping. The browser keeps asking until it is back, and then the search continues.
      if (answer.stopped === 'interrupt') result.status = 'away';
      else if (!answer.counting) this.end(answer.stopped ? 'stopped' : 'done');
      else result.status = 'counting';
    });
    on('replies', (answer) => {
      this.take(answer);
      this.end('done');
    });
    on('failed', (answer) => {
      result.error = answer.error;
      this.end('failed');
    });
    this.source.onerror = () => {
      result.waiting = false;
      // The browser tries again by itself, and the search starts over, unless the server refused it.
      if (this.source.readyState === EventSource.CLOSED) {
        result.error = 'The server refused this search.';
        this.end('failed');
      } else result.status = 'away';
      this.changed(result);
    };
  }

  /** The cell, and if half a turn leaves the position as it is, also the cell's image: both moves have the same value. */
  alike(cell) {
    const { state } = this;
    return isTurned(state) ? [cell, cellName(state, turnedCell(state, cellIndex(state, cell)))] : [cell];
  }

  take(answer) {
    const { result } = this;
    for (const [cell, value] of Object.entries(answer.moves)) {
      if (value !== 'unknown') result.moves.set(cell, value);
    }
    result.winner = answer.winner ?? result.winner;
    result.best = answer.best;
    result.pv = answer.pv;
    result.lineEnd = answer.pv_end;
    result.refutations = answer.refutations;
    result.replies = answer.replies;
    result.stopped = answer.stopped;
    result.progress = { ...result.progress, nodes: answer.nodes, seconds: answer.seconds, line: null };
  }

  end(status) {
    Object.assign(this.result, { status, crowded: false, waiting: false });
    this.source?.close();
    this.over.abort();
  }

  /** Stops the search: the server notices that nobody is listening. */
  cancel(status = 'stopped') {
    if (!this.over.signal.aborted) this.end(status);
  }
}

/** The search of the position that is shown, and what earlier searches found. */
export class Engine {
  constructor(changed) {
    this.changed = changed;
    this.known = new Map();
    this.search = null;
  }

  /** Searches this position, or nothing if it is null. */
  follow(position) {
    if (this.search?.result.position === position) return;
    this.search?.cancel();
    this.search = null;
    if (position !== null && !this.known.has(position)) this.start(position);
  }

  start(position, earlier) {
    this.search = new Search(position, (result) => {
      if (result.status === 'done') this.remember(result);
      this.changed();
    }, earlier);
    if (document.hidden) this.search.cancel('hidden');
  }

  /** A hidden page does not search. When it is shown again, the search continues. */
  rest(hidden) {
    const { search } = this;
    if (hidden) search?.cancel('hidden');
    else if (search?.result.status === 'hidden') this.start(search.result.position, search.result);
    this.changed();
  }

  remember(result) {
    this.known.set(result.position, result);
    if (this.known.size > 300) this.known.delete(this.known.keys().next().value);
  }

  /** Stops the running search, or continues the one that was stopped. */
  stopOrGoOn() {
    if (!this.search) return;
    if (this.stopped) this.start(this.search.result.position, this.search.result);
    else this.search.cancel();
    this.changed();
  }

  get stopped() {
    return ['stopped', 'failed'].includes(this.search?.result.status);
  }

  /** Labels a button with what `stopOrGoOn` would do. Hides it if that is nothing. */
  label(button) {
    const status = this.search?.result.status;
    button.hidden = !status || status === 'done';
    button.textContent = this.stopped ? 'Continue' : 'Stop';
  }

  /** What is known of a position. */
  result(position) {
    if (this.search?.result.position === position) return this.search.result;
    return this.known.get(position);
  }
}
