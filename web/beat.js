// Try to beat it: the visitor plays the side that loses, and the page answers, by the mates of a pairing as soon as there is one.
//
// Explore has the buttons for it. Another view starts it from the position that is shown with `app.tryToBeat()`, which goes to Explore;
// the moves become a variation of the game. If nobody knows yet who wins there, it asks first.

import { ask } from './engine.js';
import { canPlay, cellIndex, cellName, isEmpty, joined, nameOf, other, play, toText } from './game.js';

const letter = (word) => (word === 'black' ? 'b' : 'w');

/** The pairing that makes the visitor lose, as `explain` tells it. */
const pairingOf = (explained, loser) => explained?.pairings?.find((found) => letter(found.loser) === loser);

/** The other cell of a pair, if this one is in any. */
const mateOf = (pairs, name) => {
  const pair = pairs.find((cells) => cells.includes(name));
  return pair && pair[pair[0] === name ? 1 : 0];
};

export class Beat {
  constructor(app, lines) {
    this.app = app;
    this.lines = lines;
    this.loser = null;
  }

  get on() {
    return Boolean(this.loser);
  }

  /** Starts from the position that is shown. */
  async start() {
    const { app } = this;
    const position = toText(app.state);
    if (joined(app.state)) return;
    this.note = 'Looking who loses here …';
    this.loser = app.state.toMove;
    app.draw();
    try {
      const { winner } = await this.lines.find(position);
      if (toText(app.state) !== position || !this.on) return;
      if (!winner) throw new Error('It is not known who loses here.');
      [this.loser, this.first] = [other(letter(winner)), null];
      await this.lookAround();
    } catch (error) {
      this.stop();
      return app.say(error.message);
    }
    this.note = `You are ${nameOf(this.loser)}, who loses here. Try to avoid it!${this.pairing ? ' It is a pairing already.' : ''}`;
    if (app.state.toMove === this.loser) app.draw();
    else await this.answer();
  }

  stop() {
    this.loser = null;
    this.app.draw();
  }

  /** Explains the position that is shown, and notes the pairing. The first one stays, since all cells of later ones are its own or filled in. */
  async lookAround() {
    this.explained = joined(this.app.state) ? null : await ask('explain', { position: toText(this.app.state) });
    this.pairing = pairingOf(this.explained, this.loser);
    if (this.pairing) this.first ??= this.pairing;
  }

  /** The visitor's move. */
  async play(index) {
    const { app } = this;
    if (this.thinking || app.state.toMove !== this.loser || !canPlay(app.state, index)) return;
    const taken = cellName(app.state, index);
    app.edit((game) => game.play(index));
    await this.answer(taken);
  }

  /** Answers: with the mate of what was taken, else with any move that keeps the win. */
  async answer(taken) {
    const { app } = this;
    if (joined(app.state)) return this.end();
    this.thinking = true;
    app.draw();
    const position = toText(app.state);
    try {
      const [name, why] = await this.choose(taken);
      // The visitor has stepped elsewhere, or given up.
      if (!this.on || toText(app.state) !== position) return;
      app.edit((game) => game.play(cellIndex(game.state, name)));
      const before = this.pairing;
      await this.lookAround();
      this.note = `${why} ${!before && this.pairing ? 'From here: pairing. ' : ''}Your move.`;
    } catch (error) {
      this.note = error.message;
    } finally {
      this.thinking = false;
    }
    if (joined(app.state)) this.end();
    else app.draw();
  }

  /** A move that keeps the win, with what to say about it. */
  async choose(taken) {
    const { app, explained, pairing, loser } = this;
    const { state } = app;
    const captured = (explained?.fill ?? []).filter(({ pairs }) => Array.isArray(pairs)).flatMap(({ pairs }) => pairs);
    const free = (name) => name && isEmpty(state, cellIndex(state, name));
    const [mate, second] = [mateOf(pairing?.pairs ?? [], taken), mateOf(captured, taken)];
    const paired = new Set([...(pairing?.pairs ?? []), ...captured].flat().concat(pairing?.key ?? []));
    const names = state.stones.flatMap((stone, index) => (stone ? [] : [cellName(state, index)]));
    const tries = [
      free(mate) && [mate, `You took ${taken}, so Solrex takes its mate ${mate}.`],
      free(second) && [second, `${taken} and ${second} are captured: Solrex takes the other one.`],
      ...names.filter((name) => !paired.has(name)).map((name) => [name, `Solrex waits with ${name}, outside of the pairs.`]),
      ...names.filter((name) => paired.has(name)).map((name) => [name, `Solrex plays ${name}.`]),
    ].filter(Boolean);
    const keeps = async ([name]) => {
      const after = play(state, cellIndex(state, name));
      const end = joined(after);
      if (end) return end.loser === loser;
      const { winner } = await ask('explain', { position: toText(after) });
      return winner && letter(winner) !== loser;
    };
    if (pairing || explained?.winner) for (const found of tries) if (await keeps(found)) return found;
    const { line, winner } = await this.lines.find(toText(state));
    if (winner && letter(winner) !== loser && line.length) return [line[0], `Solrex answers ${line[0]}.`];
    for (const found of tries) if (await keeps(found)) return found;
    throw new Error('Solrex finds no answer in time.');
  }

  end() {
    const { first, loser } = this;
    const pairs = first?.pairs.map((pair) => pair.join('–')).join(', ');
    const { state } = this.app;
    const has = (name) => state.stones[cellIndex(state, name)] === loser;
    const got = first && first.pairs.every((pair) => pair.some(has)) && (!first.key || has(first.key));
    const why = got
      ? `You got one cell of each pair (${pairs})${first.key ? ` and the key ${first.key}` : ''}, and together they connect.`
      : `You connected even sooner than you had to.${first ? ` In the end the pairs (${pairs})${first.key ? ` with the key ${first.key}` : ''} would have connected you anyway.` : ''}`;
    this.note = `${nameOf(loser)}’s sides are connected: you lose. ${why} That is why it could not work.`;
    this.app.draw();
  }

  /** The pairs, drawn over what is there. */
  looks() {
    const { state } = this.app;
    const pairing = (!joined(state) && this.pairing) || this.first;
    const place = (name) => cellIndex(state, name);
    const links = (pairing?.pairs ?? []).map(([one, two], number) => [place(one), place(two), number]);
    const look = (index) => {
      const name = cellName(state, index);
      const pair = pairing?.pairs.findIndex((cells) => cells.includes(name)) ?? -1;
      const shown = {};
      if (pair >= 0) Object.assign(shown, { pair, mark: String(pair + 1), label: `paired with ${mateOf(pairing.pairs, name)}` });
      if (pairing?.key === name) Object.assign(shown, { ring: true, mark: '★', label: 'key' });
      return shown;
    };
    return { look, links };
  }
}
