// The search of the position that is shown, and short questions. Who answers is one of two: the server that the page came
// from, or, where there is none, a Worker with the solver in it.

import { cellIndex, cellName, fromText, isTurned, turnedCell } from './game.js';
import { Local } from './local.js';
import { Server } from './server.js';

/**
 * The engine. `about` says who it is, `advice` what is better for hard positions, if anything is, and `saves` whether it
 * keeps what it finds when the page is closed. `ask(what, body,
 * signal)` answers a question or throws with a sentence. `solve(position, hear)` calls `hear(name, data)` with each event of
 * `docs/api.md`; besides those, 'away' says that the engine is gone for a while, and 'crowded' whether too many pages are
 * searching. It returns something to `close()`. So does `check(file, hear)`, which checks a certificate and keeps it for the
 * questions 'claim' and 'reply'; and `prove(request, hear)`, which makes one: its bytes come as 'file', before the answer.
 */
export const engine = fetch('engine.json').then((answer) => answer.json()).catch(() => ({}))
  .then((about) => (about.engine === 'server' ? new Server(about) : new Local(about)));

/** Asks and returns the answer; throws with what the engine said. */
export async function ask(what, body, signal) {
  return (await engine).ask(what, body, signal);
}

/**
 * A running search: it collects the engine's events in `result`. After each one it calls `changed(result)`: `{ moves: Map,
 * grades: Map, opinion, winner, pv, best, replies, refutations, progress, crowded, waiting, status }`. A grade says how many winning
 * moves the winner has after a move: `{ winning, of, reply }`, where `reply` is the opponent's hardest to a winning move. The opinion is the
 * net's, which may be wrong. `searched`: nodes until all moves were solved. The status is 'queued', 'searching',
 * 'counting', 'done', 'stopped', 'hidden', 'away' or 'failed'. `crowded`: too many pages of this browser are searching.
 * `waiting`: the server is busy with other searches. `earlier` is what a search of the same position had found before it was
 * stopped.
 */
export class Search {
  constructor(position, changed, earlier) {
    const { moves, joins, grades, winner } = earlier ?? {};
    this.result = { position, moves: new Map(moves), joins: new Set(joins), grades: new Map(grades), winner, status: 'queued', pv: [] };
    this.state = fromText(position);
    this.changed = changed;
    engine.then((engine) => {
      if (!this.over) this.source = engine.solve(position, (name, data) => !this.over && this.hear(name, data));
    });
  }

  /** An event. */
  hear(name, said) {
    const { result } = this;
    result.waiting = Boolean(said.waiting);
    this.heard[name]?.call(this, said, result);
    this.changed(result);
  }

  heard = {
    crowded({ crowded }, result) {
      result.crowded = crowded;
    },
    waiting({ searches }, result) {
      result.searches = searches;
    },
    start(said, result) {
      result.status = 'searching';
    },
    opinion({ moves }, result) {
      result.opinion = moves;
    },
    grade({ cell, winning, of, reply }, result) {
      const turned = reply && this.alike(reply);
      this.alike(cell).forEach((name, i) => result.grades.set(name, { winning, of, reply: turned?.[i] }));
    },
    verdict({ winner }, result) {
      result.winner = winner;
    },
    progress(progress, result) {
      result.progress = progress;
    },
    move(move, result) {
      for (const cell of this.alike(move.cell)) {
        result.moves.set(cell, move.value);
        if (move.joins) result.joins.add(cell);
      }
      // The first one that wins is suggested, until all are known.
      if (move.value === 'win') result.best ??= move.cell;
      result.progress = { ...result.progress, nodes: move.nodes, decided: result.moves.size };
      if (move.value === 'win') result.winner ??= result.position.endsWith('b') ? 'black' : 'white';
    },
    done(answer, result) {
      this.take(answer);
      result.searched = answer.nodes;
      // The server is stopping. When it is back, the search continues.
      if (answer.stopped === 'interrupt') result.status = 'away';
      else if (!answer.counting) this.end(answer.stopped ? 'stopped' : 'done');
      else result.status = 'counting';
    },
    replies(answer) {
      this.take(answer);
      this.end('done');
    },
    failed({ error }, result) {
      result.error = error;
      this.end('failed');
    },
    away(said, result) {
      result.status = 'away';
    },
  };

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
    this.over = true;
    this.source?.close();
  }

  /** Stops the search. */
  cancel(status = 'stopped') {
    if (!this.over) this.end(status);
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
