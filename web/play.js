// A game against the program, at one of five levels.

import { ask } from './engine.js';
import { BLACK, MAX_SIDE, WHITE, Game, cellIndex, cellName, emptyState, joined, nameOf, other, toText } from './game.js';
import { sidesOf } from './options.js';
import { Progress, cheer } from './progress.js';
import { byId, make, remember, remembered, write } from './share.js';

/** The levels, the weakest first, as the engine knows them. */
const LEVELS = {
  novice: 'plays almost anywhere, and now and then connects by mistake. Good for your first games.',
  casual: 'avoids connecting, and sometimes sees which moves are inferior.',
  skilled: 'mostly sees which moves are inferior.',
  expert: 'mostly solves the position, and slips now and then.',
  perfect: 'wins if it can, and otherwise makes it as hard as possible. It says so when it has to guess.',
};
const NAMES = Object.keys(LEVELS);

export class Play {
  constructor(app) {
    this.app = app;
    // Your colour in this game. The menu `colour` has the one for the next game.
    this.human = remembered('human', BLACK) === WHITE ? WHITE : BLACK;
    this.note = '';
    // The moves that Solrex made.
    this.made = new WeakSet();
    // Levels that were beaten, as "novice 4x4".
    this.beaten = new Progress('beaten', () => app.view === 'play' && app.draw());
    const choice = (options, value, change) => {
      const select = make('select', { onchange: () => change(select.value) });
      for (const [text, key] of options) select.append(new Option(text, key));
      select.value = value;
      return select;
    };
    const sizes = Array.from({ length: MAX_SIDE - 2 }, (_, i) => i + 3);
    this.size = choice(sizes.map((n) => [`${n} × ${n}`, n]), remembered('size', 4), (size) => {
      remember('size', size);
      // Nothing is lost by starting anew.
      if (!this.moved) return this.start();
      app.draw();
    });
    this.colour = choice([BLACK, WHITE].map((player) => [nameOf(player), player]), this.human, (human) => this.changeSides(human));
    const level = remembered('level', NAMES[0]);
    this.level = choice(NAMES.map((name) => [name, name]), NAMES.includes(level) ? level : NAMES[0], (name) => this.setLevel(name));
    this.status = make('p', { className: 'verdict', id: 'play-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.hint = make('button', { textContent: 'Hint', onclick: () => this.giveHint() });
    this.takeBack = make('button', { textContent: 'Take back', onclick: () => this.back() });
    this.next = make('button', { id: 'next-level', className: 'strong', onclick: () => this.playNext() });
    this.review = make('button', { id: 'review-game', textContent: 'Review this game', onclick: () => app.review() });
    this.share = make('button', { id: 'share-game', textContent: 'Share', onclick: () => app.share(app.address) });
    this.about = make('p', { className: 'faint', id: 'about-level' });
    this.later = make('p', { className: 'faint', id: 'play-later' });
    this.rules = make('p', { className: 'faint', id: 'play-rules' });
    byId('says').append(this.status);
    byId('play').append(make('section', { className: 'card' },
      make('h2', { textContent: 'Play against Solrex' }),
      make('div', { className: 'row' },
        make('label', {}, 'Board ', this.size), make('label', {}, 'You are ', this.colour), make('label', {}, 'Solrex is ', this.level)),
      this.later,
      make('div', { className: 'row' },
        this.next, make('button', { className: 'strong', id: 'new-game', textContent: 'New game', onclick: () => this.start() }), this.hint, this.takeBack, this.review, this.share),
      this.about, this.rules));
    this.size.setAttribute('aria-label', 'Board');
  }

  /** The game of somebody who comes here for the first time. */
  firstGame() {
    const size = Number(this.size.value);
    this.fair = true;
    return new Game(emptyState(size, size));
  }

  /** Whether you have made a move in this game. */
  get moved() {
    return this.app.game.path.some((node) => node.cell >= 0 && node.parent.state.toMove === this.human);
  }

  /** Your colour goes into the address, so that reloading a game does not change sides. */
  get linked() {
    return { you: this.human };
  }

  /** Gives you this colour. */
  sit(human) {
    this.human = human;
    this.colour.value = human;
  }

  /** A new game. The one before stays behind the browser's Back. */
  start() {
    const size = Number(this.size.value);
    this.sit(this.colour.value);
    // A win counts if it was won without help, from an empty board.
    this.fair = true;
    this.app.visit();
    this.app.load(new Game(emptyState(size, size)));
    this.answer();
  }

  /** For the next move too. */
  setLevel(name) {
    this.fair = false;
    this.level.value = name;
    remember('level', name);
    this.app.draw();
  }

  /** The level after the one that was beaten, and a game against it. */
  playNext() {
    this.setLevel(NAMES[NAMES.indexOf(this.level.value) + 1]);
    this.start();
  }

  /** Changes sides in the middle of a game. If the game is over, the change is for the next one. */
  changeSides(human) {
    remember('human', human);
    if (this.over) return;
    this.fair = false;
    this.app.visit();
    this.sit(human);
    this.note = '';
    this.hinted = -1;
    this.app.changed();
    this.answer();
  }

  enter() {
    this.note = '';
    this.hinted = -1;
    this.answer();
  }

  /** When another position is shown, forgets the hint and the answer that was being waited for. */
  update() {
    const position = toText(this.app.state);
    if (position === this.shown) return;
    this.shown = position;
    this.note = '';
    this.hinted = -1;
    if (this.asked === position) return;
    this.waiting?.abort();
    this.asked = null;
  }

  get thinking() {
    return Boolean(this.asked);
  }

  get over() {
    return joined(this.app.state);
  }

  get won() {
    return this.over?.loser === other(this.human);
  }

  play(index) {
    if (this.thinking || this.app.state.toMove !== this.human) return;
    // What you play is the game; what you took back becomes a variation.
    this.app.edit((game) => {
      game.play(index);
      game.promote();
    });
    this.answer();
  }

  /** Asks for the program's move if it is its turn, and plays it. */
  async answer() {
    const { app } = this;
    const position = toText(app.state);
    if (this.asked === position) return;
    this.waiting?.abort();
    this.asked = null;
    if (this.over || app.state.toMove === this.human) return app.draw();
    const waiting = new AbortController();
    [this.asked, this.waiting] = [position, waiting];
    app.draw();
    const level = this.level.value;
    let answer;
    try {
      const seed = Math.floor(Math.random() * 2 ** 32);
      answer = await ask('move', { position, level, seed }, waiting.signal);
    } catch (error) {
      if (!waiting.signal.aborted) this.note = error.message;
    }
    // Another position is shown by now.
    if (waiting.signal.aborted) return;
    this.asked = null;
    if (app.view !== 'play' || !answer?.move) return app.draw();
    app.edit((game) => {
      game.play(cellIndex(game.state, answer.move));
      game.promote();
      this.made.add(game.at);
    });
    // The others do not claim to know.
    const guessed = level === 'perfect' && !answer.winner && !this.over;
    if (guessed) this.note = `Solrex played ${answer.move}, and does not know who wins: it could not solve the position in time. Your turn.`;
    if (this.won) this.celebrate();
    app.draw();
  }

  celebrate() {
    if (this.fair) this.beaten.add(this.badge(this.level.value));
    cheer(byId('board'));
  }

  /** What is noted when a level is beaten on the board that is shown. */
  badge(level) {
    const { rows, cols } = this.app.state;
    return `${level} ${rows}x${cols}`;
  }

  async giveHint() {
    const { app } = this;
    const position = toText(app.state);
    this.fair = false;
    this.note = 'Looking for a good move …';
    app.draw();
    try {
      const answer = await ask('move', { position, level: 'perfect' });
      if (toText(app.state) !== position || !answer.move) return;
      this.hinted = cellIndex(app.state, answer.move);
      const lost = answer.winner && answer.winner[0] !== this.human;
      const stubborn = answer.replies === null ? 'is hard to refute' : 'leaves the fewest winning replies';
      this.note = !answer.winner
        ? `No winner is known yet; ${answer.move} looks good.`
        : lost ? `You are losing against perfect play; ${answer.move} ${stubborn}.` : `Hint: ${answer.move} is a winning move.`;
    } catch (error) {
      this.note = error.message;
    }
    app.draw();
  }

  /** Goes back to your last move. */
  back() {
    this.fair = false;
    this.app.go((game) => {
      do game.back(); while (game.at.parent && game.state.toMove !== this.human);
    });
    this.answer();
  }

  look() {
    return { look: (index) => (index === this.hinted ? { best: true, label: 'hint' } : {}) };
  }

  draw() {
    const { over, won } = this;
    const { state, game } = this.app;
    this.hint.disabled = Boolean(over) || this.thinking || state.toMove !== this.human;
    this.takeBack.disabled = this.thinking || !this.moved;
    [this.review.hidden, this.share.hidden] = [!over, !over];
    const waiting = this.thinking ? 'Solrex is thinking …' : 'You are looking back: › goes on to Solrex’s move, and » to the end.';
    const { at } = game;
    const who = this.made.has(at) ? 'Solrex' : nameOf(other(state.toMove));
    const played = at.cell >= 0 && at.parent ? `${who} played ${cellName(state, at.cell)}. ` : '';
    const later = at.children.length ? `A move here replaces the rest of the game. ` : '';
    const turn = state.toMove === this.human ? `${played}${later}Your turn: you are ${nameOf(this.human)}.` : waiting;
    const tick = this.fair || !won ? '' : ' You had help, or did not start from the empty board, so there is no tick.';
    const text = over
      ? won ? `You win! Solrex has connected its two sides.${tick}` : 'You lose: you have connected your two sides.'
      : this.note || turn;
    write(this.status, text);
    this.status.classList.toggle('won', Boolean(won));
    const level = this.level.value;
    const after = NAMES[NAMES.indexOf(level) + 1];
    this.next.hidden = !won || !after;
    if (after) write(this.next, `Next: ${after}`);
    const size = Number(this.size.value);
    for (const option of this.level.options) {
      const done = this.beaten.has(`${option.value} ${size}x${size}`);
      option.text = done ? `${option.value} ✓` : option.value;
    }
    const differs = size !== state.rows || size !== state.cols;
    const coming = [differs && 'The board changes with “New game”.', this.colour.value !== this.human && 'Your colour changes with “New game”.'];
    for (const option of this.colour.options) option.text = nameOf(option.value);
    write(this.later, coming.filter(Boolean).join(' '));
    this.later.hidden = !coming.some(Boolean);
    const [black, white] = [BLACK, WHITE].map((player) => sidesOf(player, this.app.options));
    const theory = state.rows === state.cols ? ` With perfect play, ${state.rows % 2 ? `${nameOf(WHITE)} wins from the empty board here: the side is odd` : `${nameOf(BLACK)} wins from the empty board here: the side is even`}.` : '';
    write(this.rules, `Whoever connects their own two sides loses. ${nameOf(BLACK)} owns ${black} and moves first; ${nameOf(WHITE)} owns ${white}.${theory}`);
    write(this.about, `${level[0].toUpperCase()}${level.slice(1)} ${LEVELS[level]} A tick marks the levels that you have beaten without help on this size.`);
  }
}
