// Rex in half a minute, with a small board to try it on.

import { Board } from './board.js';
import { ask } from './engine.js';
import { canPlay, cellIndex, emptyState, joined, play, toText } from './game.js';
import { byId, make } from './share.js';

const KEYS = [
  ['arrows', 'through the game and its variations; after Tab to the board: from cell to cell'],
  ['Enter', 'after Tab to the board: move on the cell'], ['b w x', 'there: set a black stone, a white one, none'],
  [', .', 'back and forward'], ['Ctrl+Z Ctrl+Y', 'undo and redo'],
  ['e v y', 'solver, verdicts, reasons on and off'], ['s', 'change the side to move'],
];

export class Rules {
  constructor(app) {
    this.app = app;
    const holder = make('div', { className: 'small', id: 'try-board' });
    this.status = make('p', { className: 'verdict', id: 'try-status' });
    this.status.setAttribute('aria-live', 'polite');
    const list = make('dl');
    for (const [keys, what] of KEYS) list.append(make('dt', {}, make('b', { textContent: keys })), make('dd', { textContent: what }));
    byId('rules').append(
      make('section', { className: 'card' },
        make('h2', { textContent: 'Reverse Hex in half a minute' }),
        make('p', {}, 'Black owns the top and the bottom side, White the left and the right one. In turn they colour one empty cell each, Black first.'),
        make('p', {}, make('b', {}, 'Whoever joins her own two sides loses.'), ' There are no draws: a full board always joins exactly one player, so in the end somebody is forced.'),
        make('p', {}, 'Try it: you are Black.'),
        holder, this.status,
        make('div', { className: 'row' }, make('button', { textContent: 'Start again', onclick: () => this.start() }))),
      make('details', { className: 'card' }, make('summary', { textContent: 'Keyboard' }), list));
    this.board = new Board(holder, 'Board of 3 × 3 to try', { play: (index) => this.play(index) });
    this.start();
  }

  start() {
    this.state = emptyState(3, 3);
    this.last = -1;
    this.draw();
  }

  async play(index) {
    if (this.state.toMove !== 'b' || !canPlay(this.state, index)) return;
    this.move(index);
    if (joined(this.state)) return;
    const position = toText(this.state);
    try {
      const answer = await ask('/api/move', { position, level: 'easy', seed: Math.floor(Math.random() * 2 ** 32) });
      if (toText(this.state) === position && answer.move) this.move(cellIndex(this.state, answer.move));
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  move(index) {
    this.state = play(this.state, index);
    this.last = index;
    this.draw();
  }

  draw() {
    const end = joined(this.state);
    const look = (index) => ({ chain: end?.chain.includes(index) });
    this.board.show(this.state, { look, last: this.last, enabled: !end });
    this.status.textContent = end
      ? end.loser === 'b' ? 'Your chain joins top and bottom: you have lost.' : 'White has joined left and right: you have won!'
      : this.state.toMove === 'b' ? 'Your move.' : 'White thinks …';
  }
}
