// Lines of play: what follows a move, shown as stones that are not there yet, up to where no search is needed any more.

import { ask } from './engine.js';
import { cellIndex, cellName, fromText, joined, nameOf, other, play, playerOf, toText } from './game.js';
import { barsOf, pairLook, spoilsOf } from './pairs.js';

/** What decides the game where a line ends. */
const ENDS = {
  pairing: 'From here pairs decide',
  'fill-in': 'From here captured cells decide',
  symmetry: 'From here symmetry decides, which names no move',
  unknown: 'The rest was not searched',
};

/** The pairing by which a position is won, as `explain` tells it: best one that needs no fill-in. */
export function pairingOf(explained) {
  const loses = (found) => found && found.loser !== explained.winner;
  if (loses(explained?.strategy)) return explained.strategy;
  return explained?.pairings?.find(loses);
}

/** The lines that are known, by position, and the one that is being asked for. */
export class Lines {
  constructor(changed) {
    this.changed = changed;
    this.answers = new Map();
  }

  known(position) {
    return this.answers.get(position);
  }

  /** Asks for a line and remembers it. */
  async find(position, signal) {
    const known = this.known(position);
    if (known) return known;
    const answer = await ask('line', { position }, signal);
    // What a limit cut off may be found the next time.
    if (answer.winner) this.answers.set(position, answer);
    if (this.answers.size > 1000) this.answers.delete(this.answers.keys().next().value);
    return answer;
  }

  /** Shows the line from this position as soon as it is known; null: none is wanted any more. */
  want(position) {
    if (position === this.wanted) return;
    this.asking?.abort();
    this.wanted = position;
    if (position === null || this.known(position)) return;
    const asking = new AbortController();
    this.asking = asking;
    this.find(position, asking.signal).then(() => this.wanted === position && this.changed(), () => {
      if (this.wanted === position) this.wanted = null;
    });
  }

  /**
   * How a move and what follows it look on the board: `{ look, links, text, moves, complete }`. `refutation` is the reply, where
   * only that is known yet. `played`: the number of the last move, where stones have numbers.
   */
  after(state, cell, refutation, played = 0) {
    const answer = this.known(toText(play(state, cell)));
    const names = [cellName(state, cell), ...(answer?.line ?? [refutation].filter(Boolean))];
    const phantoms = new Map();
    let at = state;
    for (const name of names) {
      const index = cellIndex(state, name);
      phantoms.set(index, { phantom: at.toMove, number: played + phantoms.size + 1 });
      at = play(at, index);
    }
    const there = answer?.there;
    const pairing = pairingOf(there);
    // Where the pairs tell the whole story, nothing need be filled in.
    const filled = there?.filled && !there.strategy ? fromText(there.filled) : null;
    const over = joined(at);
    const links = barsOf(state, pairing?.pairs ?? []);
    const look = (index) => {
      const phantom = phantoms.get(index);
      if (phantom) return { ...phantom, ...(over?.chain.includes(index) && { chain: true }) };
      const { label, ...paired } = (pairing && pairLook(pairing, cellName(state, index))) ?? {};
      // What is on the cell otherwise goes, for the pairs.
      if (label) return { ...paired, kind: undefined, best: false, faint: false, graded: false, opinion: false };
      if (there && filled?.stones[index] && !state.stones[index]) return { ghost: filled.stones[index], kind: undefined, mark: '', best: false, graded: false, opinion: false };
      return over?.chain.includes(index) ? { chain: true } : null;
    };
    const loser = there && nameOf(other(playerOf(there.winner)));
    const gets = pairing && spoilsOf(pairing);
    const ends = over ? `${nameOf(over.loser)} is connected.` : answer?.end ? `${ENDS[answer.end] ?? ENDS.unknown}${gets ? `; ${loser} gets ${gets}, and is connected by that` : ''}.` : '';
    const text = names.length > 1 ? `Line: ${names.join(' ')}. ${ends}` : ends;
    return { look, links, text, moves: names, complete: Boolean(answer) };
  }
}
