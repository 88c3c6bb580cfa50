// Rex in half a minute, with a small board to try it on.

import { Board } from './board.js';
import { ask } from './engine.js';
import { canPlay, cellIndex, emptyState, joined, nameOf, play, toText } from './game.js';
import { keyList } from './options.js';
import { cheer } from './progress.js';
import { byId, make, named } from './share.js';

/** The words that the page uses, each explained once. */
const WORDS = [
  ['Verdict', 'whether a move wins or loses if both players then play as well as possible.'],
  ['Line of play', 'what follows a move when both play as well as possible.'],
  ['Pair', 'two empty cells that belong together: when one player takes one of them, the other player takes its partner. So the loser gets one of the two.'],
  ['Key', 'the cell that the loser must take in the end: the loser colours the last cell, and the winner never plays this one.'],
  ['Captured', 'two cells of which Black, say, will get one, and then the other no longer matters. So both count as Black’s.'],
  ['Dead', 'a cell whose colour can never matter.'],
  ['Filled in', 'cells that count as stones: captured ones, and others that can be coloured without changing who wins.'],
  ['Need not be tried', 'another move is at least as good.'],
  ['Claim, certificate', 'a statement on who wins a position, and a file of such statements that proves one.'],
  ['Nodes', 'positions that the solver has looked at.'],
  ['Rex', 'another name for Reverse Hex.'],
];

/** Black, who moves first, wins with almost every opening of this board. */
const SIDE = 4;

export class Rules {
  constructor(app) {
    this.app = app;
    const holder = make('div', { className: 'small', id: 'try-board' });
    this.status = make('p', { className: 'verdict', id: 'try-status' });
    this.status.setAttribute('aria-live', 'polite');
    byId('rules').append(
      make('section', { className: 'card' },
        make('h2', { textContent: 'Reverse Hex in half a minute' }),
        make('p', {}, ...named('Black owns the top and bottom sides, White the left and right sides. The players take turns colouring one empty cell, Black first.')),
        make('p', {}, make('b', {}, 'Whoever connects their own two sides loses.'), ' A full board always connects exactly one player’s sides, so there are no draws.'),
        make('p', {}, ...named('With perfect play, Black wins on a square board with an even side, such as 4 × 4. If the side is odd, White wins. There is no swap: the verdicts are for players who keep their colours.')),
        make('p', {}, ...named('Try it against a beginner: you are Black. Make White connect left and right before you connect top and bottom.')),
        holder, this.status,
        make('div', { className: 'row' },
          make('button', { textContent: 'Start again', onclick: () => this.start() }),
          make('button', { textContent: 'Play a real game', id: 'real-game', onclick: () => this.leave('play') }),
          make('button', { textContent: 'Try a puzzle', onclick: () => this.leave('puzzles') }))),
      make('details', { className: 'card', id: 'words' }, make('summary', { textContent: 'Words' }),
        make('dl', {}, ...WORDS.flatMap(([word, means]) => [make('dt', {}, make('b', { textContent: word })), make('dd', {}, ...named(means))]))),
      make('details', { className: 'card keyboard' }, make('summary', { textContent: 'Keyboard' }), keyList()));
    this.board = new Board(holder, `${SIDE} × ${SIDE} board to try`, { play: (index) => this.play(index) });
    this.start();
  }

  start() {
    this.state = emptyState(SIDE, SIDE);
    this.last = -1;
    this.draw();
  }

  leave(view) {
    this.app.goTo(view);
  }

  async play(index) {
    if (this.state.toMove !== 'b' || !canPlay(this.state, index)) return;
    this.move(index);
    if (joined(this.state)) return;
    const position = toText(this.state);
    try {
      const answer = await ask('move', { position, level: 'novice', seed: Math.floor(Math.random() * 2 ** 32) });
      if (toText(this.state) === position && answer.move) this.move(cellIndex(this.state, answer.move));
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  move(index) {
    this.state = play(this.state, index);
    this.last = index;
    this.draw();
    if (joined(this.state)?.loser === 'w') cheer(this.board.svg.parentNode);
  }

  draw() {
    const end = joined(this.state);
    const look = (index) => ({ chain: end?.chain.includes(index) });
    this.board.show(this.state, { look, last: this.last, enabled: !end });
    this.status.classList.toggle('won', end?.loser === 'w');
    this.status.textContent = end
      ? end.loser === 'b' ? 'Your stones connect top and bottom: you have lost. Try again!' : `${nameOf('w')} has connected left and right: you have won!`
      : this.state.toMove === 'b' ? 'Your move.' : `${nameOf('w')} is thinking …`;
  }
}
