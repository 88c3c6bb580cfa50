// Positions with one winning move. Which ones are solved stays in this browser.

import { ask } from './engine.js';
import { Game, cellIndex, cellName, fromText, nameOf, toText } from './game.js';
import { byId, make, remember, remembered } from './share.js';

export class Puzzles {
  constructor(app) {
    this.app = app;
    this.list = make('div');
    this.title = make('h2', { textContent: 'Puzzles' });
    this.status = make('p', { className: 'verdict', id: 'puzzle-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.again = make('button', { textContent: 'Try again', onclick: () => this.open(this.current) });
    this.next = make('button', { textContent: 'Next puzzle', className: 'strong', id: 'next-puzzle', onclick: () => this.openNext() });
    this.show = make('button', { textContent: 'Explore it', onclick: () => app.show('explore') });
    byId('puzzles').append(
      make('section', { className: 'card' }, this.title,
        make('p', { className: 'faint', textContent: 'Find the one move that wins. All others lose against the best answer.' }),
        this.status, make('div', { className: 'row' }, this.again, this.next, this.show)),
      make('section', { className: 'card' }, this.list));
    this.solved = new Set(remembered('solved', []));
  }

  async enter() {
    if (!this.puzzles) {
      try {
        this.puzzles = (await ask('/api/puzzles')).puzzles;
      } catch (error) {
        this.say(error.message);
        return;
      }
    }
    const here = this.puzzles.find((puzzle) => puzzle.position === toText(this.app.game.root.state));
    if (here && this.app.game.at === this.app.game.root) this.take(here);
    else this.openNext();
  }

  openNext() {
    const { puzzles, solved } = this;
    const after = puzzles.indexOf(this.current) + 1;
    const order = [...puzzles.slice(after), ...puzzles.slice(0, after)];
    this.open(order.find((puzzle) => !solved.has(puzzle.position)) ?? order[0]);
  }

  open(puzzle) {
    this.take(puzzle);
    this.app.load(new Game(fromText(puzzle.position)));
  }

  take(puzzle) {
    this.current = puzzle;
    this.tried = false;
    this.text = `${nameOf(fromText(puzzle.position).toMove)} to move and win.`;
    this.app.draw();
  }

  say(text) {
    this.text = text;
    this.app.draw();
  }

  async play(index) {
    const { app, current } = this;
    if (!current || this.tried) return;
    const name = cellName(app.state, index);
    this.tried = true;
    app.edit((game) => game.play(index));
    if (current.solutions.includes(name)) {
      this.solved.add(current.position);
      remember('solved', [...this.solved]);
      this.say(`Yes, ${name} wins.`);
      return;
    }
    const position = toText(app.state);
    try {
      const answer = await ask('/api/move', { position, level: 'perfect' });
      if (this.current !== current || toText(app.state) !== position) return;
      if (answer.move) app.edit((game) => game.play(cellIndex(game.state, answer.move)));
      this.say(answer.move ? `No: ${name} loses to ${answer.move}.` : `No: ${name} joins your own sides.`);
    } catch (error) {
      this.say(error.message);
    }
  }

  draw() {
    this.status.textContent = this.text ?? '';
    this.again.disabled = !this.tried;
    if (!this.puzzles) return;
    const groups = new Map();
    for (const puzzle of this.puzzles) {
      const { rows, cols } = fromText(puzzle.position);
      const size = `${rows} × ${cols}`;
      groups.set(size, [...(groups.get(size) ?? []), puzzle]);
    }
    this.list.replaceChildren();
    for (const [size, puzzles] of groups) {
      const solved = puzzles.filter((puzzle) => this.solved.has(puzzle.position)).length;
      const buttons = puzzles.map((puzzle, i) => {
        const done = this.solved.has(puzzle.position);
        const button = make('button', { textContent: i + 1, className: done ? 'solved' : '', onclick: () => this.open(puzzle) });
        button.setAttribute('aria-pressed', String(puzzle === this.current));
        button.setAttribute('aria-label', `Puzzle ${i + 1} on ${size}${done ? ', solved' : ''}`);
        return button;
      });
      this.list.append(make('h3', { textContent: `${size}: ${solved} of ${puzzles.length} solved` }), make('div', { className: 'list' }, ...buttons));
    }
  }
}
