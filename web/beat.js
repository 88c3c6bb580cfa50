// Try to beat it: the visitor plays the side that loses, and the page answers, by pairs as soon as there are some.
//
// Explore has the buttons for it. Another view starts it from the position that is shown with `app.tryToBeat()`, which goes to Explore;
// the moves become a variation of the game. If nobody knows yet who wins there, it asks first.

import { ask } from './engine.js';
import { canPlay, cellIndex, cellName, isEmpty, joined, nameOf, other, play, playerOf, toText } from './game.js';
import { pairingOf } from './lines.js';
import { barsOf, mateOf, pairLook, pairText, spoilsOf } from './pairs.js';

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
    const attempt = (this.attempt = {});
    this.note = 'Looking who loses here …';
    this.loser = app.state.toMove;
    app.draw();
    try {
      const { winner } = await this.lines.find(position);
      if (toText(app.state) === position) {
        if (!winner) throw new Error('It is not known who loses here.');
        [this.loser, this.first, this.pairing] = [other(playerOf(winner)), null, null];
        await this.lookAround();
      }
    } catch (error) {
      if (!this.on || this.attempt !== attempt) return;
      this.stop();
      return app.say(error.message);
    }
    if (!this.on || this.attempt !== attempt) return;
    // The visitor has stepped elsewhere.
    if (toText(app.state) !== position) return this.stop();
    this.expected = position;
    const you = `You are ${nameOf(this.loser)}, who loses here. `;
    if (app.state.toMove !== this.loser) return this.answer(null, you);
    this.note = `${you}Try to avoid it!${this.pairing?.pairs.length ? ' The pairs are marked on the board.' : ''}`;
    app.draw();
  }

  stop() {
    this.loser = null;
    this.app.draw();
  }

  /**
   * Explains the position that is shown, and notes the pairing. `first`: pairs that hold on the board as it is, with nothing filled in.
   * Once there are such, Solrex plays by them to the end.
   */
  async lookAround() {
    if (this.first) return;
    this.explained = joined(this.app.state) ? null : await ask('explain', { position: toText(this.app.state) });
    const found = pairingOf(this.explained);
    this.pairing = found && playerOf(found.loser) === this.loser ? found : null;
    if (this.pairing && this.explained.strategy) this.first = this.pairing;
  }

  /** The visitor's move. */
  async play(index) {
    const { app } = this;
    if (this.thinking || app.state.toMove !== this.loser || !canPlay(app.state, index)) return;
    const { state } = app;
    const taken = cellName(state, index);
    if (toText(state) !== this.expected) {
      // The visitor has stepped elsewhere: what was found there may not hold here.
      this.first = null;
      this.thinking = true;
      await this.lookAround().catch(() => {}).finally(() => { this.thinking = false; });
      if (app.state !== state || !this.on) return;
    }
    this.choice = state.stones.some((stone, other) => !stone && !joined(play(state, other)));
    app.edit((game) => game.play(index));
    await this.answer(taken);
  }

  /** Answers: with the partner of what was taken, else with any move that keeps the win. `before`: what to say first. */
  async answer(taken, before = '') {
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
      const known = this.first;
      await this.lookAround();
      this.expected = toText(app.state);
      this.note = `${before}${why} ${!known && this.first ? 'From here pairs decide. ' : ''}Your move.`;
    } catch (error) {
      this.note = error.message;
    } finally {
      this.thinking = false;
    }
    if (joined(app.state)) this.end();
    else app.draw();
  }

  /** A move by the pairs, as the lemma on pairs in docs/certificate.md has it, with what to say about it. */
  byPairs(taken) {
    const { pairs, key } = this.first;
    const { state } = this.app;
    const free = (name) => isEmpty(state, cellIndex(state, name));
    const mate = mateOf(pairs, taken);
    if (mate && free(mate)) return [mate, `You took ${taken}, so Solrex takes its partner ${mate}.`];
    const whole = pairs.filter((pair) => pair.every(free));
    // The partner of what Solrex itself took is left to the visitor, as the key is.
    const left = pairs.flat().filter((name) => free(name) && !free(mateOf(pairs, name)));
    const taboo = new Set([...whole.flat(), ...left, key]);
    const index = state.stones.findIndex((stone, other) => !stone && !taboo.has(cellName(state, other)));
    if (index >= 0) return [cellName(state, index), `Solrex waits with ${cellName(state, index)}, outside of the pairs.`];
    const [[one, two]] = whole;
    return [one, `Only pairs are left, so Solrex takes ${one} and leaves its partner ${two} to you.`];
  }

  /** A move that keeps the win, with what to say about it. */
  async choose(taken) {
    if (this.first) return this.byPairs(taken);
    const { app, explained, pairing, loser } = this;
    const { state } = app;
    const captured = (explained?.fill ?? []).filter(({ pairs }) => Array.isArray(pairs)).flatMap(({ pairs }) => pairs);
    const free = (name) => name && isEmpty(state, cellIndex(state, name));
    const [mate, second] = [mateOf(pairing?.pairs ?? [], taken), mateOf(captured, taken)];
    const paired = new Set([...(pairing?.pairs ?? []), ...captured].flat().concat(pairing?.key ?? []));
    const names = state.stones.flatMap((stone, index) => (stone ? [] : [cellName(state, index)]));
    const tries = [
      free(mate) && [mate, `You took ${taken}, so Solrex takes its partner ${mate}.`],
      free(second) && [second, `${taken} and ${second} belong together, so Solrex takes ${second}.`],
      ...names.filter((name) => !paired.has(name)).map((name) => [name, `Solrex waits with ${name}, outside of the pairs.`]),
      ...names.filter((name) => paired.has(name)).map((name) => [name, `Solrex plays ${name}.`]),
    ].filter(Boolean);
    const keeps = async ([name]) => {
      const after = play(state, cellIndex(state, name));
      const end = joined(after);
      if (end) return end.loser === loser;
      const { winner } = await ask('explain', { position: toText(after) });
      return winner && playerOf(winner) !== loser;
    };
    if (pairing || explained?.winner) for (const found of tries) if (await keeps(found)) return found;
    const { line, winner } = await this.lines.find(toText(state));
    if (winner && playerOf(winner) !== loser && line.length) return [line[0], `Solrex answers ${line[0]}.`];
    for (const found of tries) if (await keeps(found)) return found;
    throw new Error('Solrex finds no answer in time.');
  }

  end() {
    const { first, loser } = this;
    const { state } = this.app;
    const has = (name) => state.stones[cellIndex(state, name)] === loser;
    const got = first && first.pairs.every((pair) => pair.some(has)) && (!first.key || has(first.key));
    const pairs = first?.pairs.length ? ` (${pairText(first.pairs)})` : '';
    const gets = first && spoilsOf(first).replace(/pair(?= |$)/, (word) => word + pairs);
    const why = got
      ? `You got ${gets}, and that connects your sides. That is why it could not work.`
      : this.choice
        ? `You connected even sooner than you had to.${first ? ` In the end you would have got ${gets}, and that connects your sides anyway.` : ''}`
        : 'Every move that was left connected your sides.';
    this.note = `${nameOf(loser)}’s sides are connected: you lose. ${why}`;
    this.app.draw();
  }

  /** The pairs, drawn over what is there, and what counts as a stone where they do not tell the whole story. */
  looks() {
    const { state } = this.app;
    const over = joined(state);
    const pairing = this.first ?? (over ? null : this.pairing);
    const cells = pairing && !this.first ? this.explained.cells : {};
    const look = (index) => {
      const name = cellName(state, index);
      const { is, player } = cells[name] ?? {};
      const filled = ['captured', 'filled'].includes(is) ? { ghost: playerOf(player), label: 'counts as a stone' } : {};
      return { ...filled, ...(pairing && pairLook(pairing, name)) };
    };
    return { look, links: barsOf(state, pairing?.pairs ?? []) };
  }
}
