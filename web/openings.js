// Which openings win, and which replies to each. What the engine does not know is solved while you watch.

import { engine } from './engine.js';
import { Game, cellName, emptyState, joined, nameOf, toText } from './game.js';
import { byId, make, progressText, troubleText, write } from './share.js';

const SIZES = [2, 3, 4, 5, 6];

export class Openings {
  constructor(app) {
    this.app = app;
    this.buttons = SIZES.map((size) =>
      make('button', { textContent: `${size} × ${size}`, onclick: () => this.visit(size) }));
    this.status = make('p', { className: 'verdict', id: 'openings-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.detail = make('p', { className: 'faint' });
    this.up = make('button', { textContent: 'Back to the openings', onclick: () => app.go((game) => game.toStart()) });
    this.show = make('button', { textContent: 'Explore this position', id: 'explore-opening', onclick: () => app.toExplore() });
    this.cancel = make('button', { onclick: () => app.engine.stopOrGoOn() });
    const note = make('p', { className: 'faint' });
    byId('openings').append(make('section', { className: 'card' },
      make('h2', { textContent: 'Openings' }),
      make('div', { className: 'list' }, ...this.buttons),
      this.status, this.detail, make('div', { className: 'row' }, this.cancel, this.up, this.show),
      note));
    const says = (saves) => `Choose an opening to see the replies to it. On a square board the first player wins if the side is even; if it is odd, every opening loses. 6 × 6 takes a while${saves ? ', but results are saved for next time' : ''}.`;
    engine.then(({ saves }) => write(note, says(saves)));
  }

  visit(size) {
    this.app.visit();
    this.open(size);
  }

  open(size) {
    this.app.load(new Game(emptyState(size, size)));
  }

  /** This view shows empty boards and boards with one move. From any other position it goes to the empty board of that size. */
  enter() {
    const { root, at } = this.app.game;
    const fits = root.state.stones.every((stone) => !stone) && (at === root || at.parent === root) && root.state.toMove === 'b';
    if (fits && SIZES.includes(root.state.rows) && root.state.rows === root.state.cols) return;
    this.open(SIZES.includes(root.state.rows) ? root.state.rows : 4);
  }

  searches() {
    return !joined(this.app.state);
  }

  get result() {
    return this.app.engine.result(toText(this.app.state));
  }

  play(index) {
    const { game } = this.app;
    // After two moves it is no longer an opening.
    if (game.at.parent) this.app.toExplore();
    else this.app.visit();
    this.app.edit((game) => game.play(index));
  }

  look() {
    const { result } = this;
    const look = (index) => {
      const value = result?.moves.get(cellName(this.app.state, index));
      if (value) return { kind: value, mark: value === 'win' ? '+' : '–', label: value === 'win' ? 'wins' : 'loses' };
      return ['queued', 'searching'].includes(result?.status) ? { kind: 'waiting', mark: '·' } : {};
    };
    return { look };
  }

  draw() {
    const { app, result } = this;
    const { state, game } = app;
    this.buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(state.rows === SIZES[i] && state.cols === SIZES[i])));
    this.up.hidden = !game.at.parent;
    const all = state.stones.filter((stone) => !stone).length;
    const count = (wanted) => [...(result?.moves.values() ?? [])].filter((value) => value === wanted).length;
    const what = game.at.parent ? `replies to ${cellName(state, game.at.cell)}` : 'openings';
    const open = all - count('win') - count('loss');
    write(this.status, joined(state)
      ? 'This opening connects the two sides at once.'
      : `${nameOf(state.toMove)}’s ${what}: ${count('win')} win, ${count('loss')} lose${open ? `, ${open} not solved yet` : ''}.`);
    // Read aloud when it is complete, and not move by move.
    this.status.setAttribute('aria-live', open ? 'off' : 'polite');
    app.engine.label(this.cancel);
    const known = ['done', 'counting'].includes(result?.status) && !result.searched;
    if (known) this.cancel.hidden = true;
    write(this.detail, (result && troubleText(result))
      || (known ? 'Already known: no search was needed.' : result ? progressText(result, all) : ''));
  }
}
