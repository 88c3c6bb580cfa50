// A game against the program.

import { ask } from './engine.js';
import { BLACK, WHITE, Game, cellIndex, cellName, emptyState, joined, nameOf, other, toText } from './game.js';
import { byId, make, remember, remembered, write } from './share.js';

export class Play {
  constructor(app) {
    this.app = app;
    // Your colour in this game. The menu `colour` has the one for the next game.
    this.human = remembered('human', BLACK) === WHITE ? WHITE : BLACK;
    this.note = '';
    const choice = (options, value, change) => {
      const select = make('select', { onchange: () => change(select.value) });
      for (const [text, key] of options) select.append(new Option(text, key));
      select.value = value;
      return select;
    };
    this.size = choice([3, 4, 5, 6, 7, 8].map((n) => [`${n} × ${n}`, n]), remembered('size', 4), (size) => remember('size', size));
    this.colour = choice([['Black', BLACK], ['White', WHITE]], this.human, (human) => this.changeSides(human));
    this.level = choice([['perfect', 'perfect'], ['forgiving', 'easy']], remembered('level', 'easy'), (level) => remember('level', level));
    this.status = make('p', { className: 'verdict', id: 'play-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.hint = make('button', { textContent: 'Hint', onclick: () => this.giveHint() });
    this.takeBack = make('button', { textContent: 'Take back', onclick: () => this.back() });
    byId('play').append(make('section', { className: 'card' },
      make('h2', { textContent: 'Play against Solrex' }),
      this.status,
      make('div', { className: 'row' },
        make('button', { className: 'strong', id: 'new-game', textContent: 'New game', onclick: () => this.start() }), this.hint, this.takeBack),
      make('div', { className: 'row' },
        make('label', {}, 'Board ', this.size), make('label', {}, 'You are ', this.colour), make('label', {}, 'Solrex is ', this.level)),
      make('p', { className: 'faint', textContent: 'Whoever connects their own two sides loses. Black owns top and bottom and moves first; White owns left and right.' })));
    this.size.setAttribute('aria-label', 'Board');
  }

  /** Your colour goes into the address, so that reloading a game does not change sides. */
  get you() {
    return this.human;
  }

  /** Gives you this colour. */
  sit(human) {
    this.human = human;
    this.colour.value = human;
  }

  start() {
    const size = Number(this.size.value);
    this.sit(this.colour.value);
    this.app.visit();
    this.app.load(new Game(emptyState(size, size)));
    this.answer();
  }

  /** Changes sides in the middle of a game. If the game is over, the change is for the next one. */
  changeSides(human) {
    remember('human', human);
    if (this.over) return;
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

  play(index) {
    if (this.thinking || this.app.state.toMove !== this.human) return;
    this.app.edit((game) => game.play(index));
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
    let answer;
    try {
      const seed = Math.floor(Math.random() * 2 ** 32);
      answer = await ask('move', { position, level: this.level.value, seed }, waiting.signal);
    } catch (error) {
      if (!waiting.signal.aborted) this.note = error.message;
    }
    // Another position is shown by now.
    if (waiting.signal.aborted) return;
    this.asked = null;
    if (app.view === 'play' && answer?.move) app.edit((game) => game.play(cellIndex(game.state, answer.move)));
    else app.draw();
  }

  async giveHint() {
    const { app } = this;
    const position = toText(app.state);
    this.note = 'Looking for a good move …';
    app.draw();
    try {
      const answer = await ask('move', { position, level: 'perfect' });
      if (toText(app.state) !== position || !answer.move) return;
      this.hinted = cellIndex(app.state, answer.move);
      const lost = answer.winner && answer.winner[0] !== this.human;
      this.note = !answer.winner
        ? `No winner is known yet; ${answer.move} looks good.`
        : lost ? `You are losing against perfect play; ${answer.move} leaves the fewest winning replies.` : `${answer.move} wins.`;
    } catch (error) {
      this.note = error.message;
    }
    app.draw();
  }

  /** Goes back to your last move. */
  back() {
    this.app.go((game) => {
      do game.back(); while (game.at.parent && game.state.toMove !== this.human);
    });
    this.answer();
  }

  look() {
    return { look: (index) => (index === this.hinted ? { best: true, label: 'hint' } : {}) };
  }

  draw() {
    const end = this.over;
    const won = end && end.loser === other(this.human);
    this.hint.disabled = Boolean(end) || this.thinking || this.app.state.toMove !== this.human;
    this.takeBack.disabled = this.thinking || !this.app.game.at.parent;
    const { state, game } = this.app;
    const waiting = this.thinking ? 'Solrex is thinking …' : 'It is Solrex’s turn here: take a move back, or step forward.';
    const played = game.at.parent ? `Solrex played ${cellName(state, game.at.cell)}. ` : '';
    const turn = state.toMove === this.human ? `${played}Your turn: you are ${nameOf(this.human)}.` : waiting;
    const text = end
      ? won ? 'You win: Solrex has connected its two sides.' : 'You lose: you have connected your two sides.'
      : this.note || turn;
    write(this.status, text);
  }
}
