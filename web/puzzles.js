// Positions with one winning move. Which ones are solved stays in this browser.

import { ask } from './engine.js';
import { Game, cellIndex, cellName, fromText, joined, nameOf, toText } from './game.js';
import { byId, make, remember, remembered, write } from './share.js';

export class Puzzles {
  constructor(app) {
    this.app = app;
    this.list = make('div');
    this.title = make('h2', { textContent: 'Puzzles' });
    this.status = make('p', { className: 'verdict', id: 'puzzle-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.again = make('button', { textContent: 'Try again', onclick: () => this.open(this.current) });
    this.next = make('button', { textContent: 'Next puzzle', className: 'strong', id: 'next-puzzle', onclick: () => this.visit(this.following()) });
    this.show = make('button', { textContent: 'Explore this position', onclick: () => this.explore() });
    byId('puzzles').append(
      make('section', { className: 'card' }, this.title,
        make('p', { className: 'faint', textContent: 'Find the only winning move. All others lose to the best reply.' }),
        this.status, make('div', { className: 'row' }, this.again, this.next, this.show)),
      make('section', { className: 'card' }, this.list));
    this.recall();
    // Another tab has solved one.
    window.addEventListener('storage', () => {
      this.recall();
      if (app.view === 'puzzles') app.draw();
    });
  }

  /** Which ones are solved, in this tab and in others. */
  recall() {
    this.solved = new Set([...this.solved ?? [], ...[remembered('solved', [])].flat()]);
  }

  async enter() {
    this.problem = '';
    if (!this.puzzles) {
      try {
        this.puzzles = (await ask('puzzles')).puzzles;
      } catch (error) {
        this.problem = error.message;
      }
      this.fillList();
      // Another view may be shown by now.
      if (this.app.view !== 'puzzles') return;
      if (this.problem) return this.app.draw();
    }
    const here = this.puzzles.find((puzzle) => puzzle.position === toText(this.app.game.root.state));
    if (!here) return this.open(this.following());
    this.current = here;
    this.app.draw();
  }

  /** The next puzzle that is not solved. */
  following() {
    const { puzzles, solved } = this;
    const after = puzzles.indexOf(this.current) + 1;
    const order = [...puzzles.slice(after), ...puzzles.slice(0, after)];
    return order.find((puzzle) => !solved.has(puzzle.position)) ?? order[0];
  }

  visit(puzzle) {
    this.app.visit();
    this.open(puzzle);
  }

  open(puzzle) {
    this.current = puzzle;
    this.problem = '';
    this.app.load(new Game(fromText(puzzle.position)));
  }

  explore() {
    this.app.visit();
    this.app.show('explore');
  }

  /** The moves from the puzzle to what is shown. */
  get moves() {
    const moves = [];
    for (let { at } = this.app.game; at.parent; at = at.parent) moves.unshift(cellName(at.state, at.cell));
    return moves;
  }

  async play(index) {
    const { app, current } = this;
    if (!current || app.game.at.parent) return;
    this.problem = '';
    app.edit((game) => game.play(index));
    const [name] = this.moves;
    if (current.solutions.includes(name)) {
      this.recall();
      this.solved.add(current.position);
      remember('solved', [...this.solved]);
    } else if (!joined(app.state)) {
      const position = toText(app.state);
      try {
        const answer = await ask('move', { position, level: 'perfect' });
        if (app.view !== 'puzzles' || toText(app.state) !== position || !answer.move) return;
        app.edit((game) => game.play(cellIndex(game.state, answer.move)));
      } catch (error) {
        this.problem = error.message;
      }
    }
    app.draw();
  }

  /** What there is to say, which follows from the moves alone. */
  text() {
    const { current, problem } = this;
    if (problem || !current) return problem ?? '';
    const [name, answer] = this.moves;
    if (!name) return `${nameOf(fromText(current.position).toMove)} to move and win.`;
    if (current.solutions.includes(name)) return `Yes, ${name} wins.`;
    if (answer) return `No: ${name} loses to ${answer}.`;
    return joined(this.app.state) ? `No: ${name} connects your own sides.` : `No: ${name} loses.`;
  }

  /** A button for each puzzle, by size. */
  fillList() {
    const sizes = new Map();
    for (const puzzle of this.puzzles ?? []) {
      const { rows, cols } = fromText(puzzle.position);
      const size = `${rows} × ${cols}`;
      sizes.set(size, [...(sizes.get(size) ?? []), puzzle]);
    }
    this.groups = [...sizes].map(([size, puzzles]) => ({
      size, puzzles, heading: make('h3'),
      buttons: puzzles.map((puzzle, i) => make('button', { textContent: i + 1, onclick: () => this.visit(puzzle) })),
    }));
    this.list.replaceChildren(...this.groups.flatMap(({ heading, buttons }) => [heading, make('div', { className: 'list' }, ...buttons)]));
  }

  draw() {
    write(this.status, this.text());
    this.again.disabled = !this.app.game.at.parent || !this.current;
    this.next.disabled = !this.puzzles;
    for (const { size, puzzles, heading, buttons } of this.groups ?? []) {
      const solved = puzzles.filter((puzzle) => this.solved.has(puzzle.position));
      write(heading, `${size}: ${solved.length} of ${puzzles.length} solved`);
      buttons.forEach((button, i) => {
        const done = solved.includes(puzzles[i]);
        button.className = done ? 'solved' : '';
        button.setAttribute('aria-pressed', String(puzzles[i] === this.current));
        button.setAttribute('aria-label', `Puzzle ${i + 1} on ${size}${done ? ', solved' : ''}`);
      });
    }
  }
}
