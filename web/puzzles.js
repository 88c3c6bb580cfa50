// Puzzles: several winning moves in a row, against the best defence. Which ones are solved stays in this browser.

import { ask } from './engine.js';
import { Game, cellIndex, cellName, fromText, joined, nameOf, other, toAddress, toText } from './game.js';
import { Progress, cheer } from './progress.js';
import { byId, make, write } from './share.js';

const GRADES = ['first steps', 'easy', 'medium', 'hard', 'very hard'];
/** Wrong moves that stand beside the right one in the first hint. */
const DECOYS = 2;

/** Today's date where the visitor is. */
function today() {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
}
const DAY = 24 * 60 * 60 * 1000;
const dateText = (day) => new Date(day).toISOString().slice(0, 10);
const dayText = (day) => new Date(day).toLocaleDateString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const times = (count) => ['once', 'twice'][count - 1] ?? `${count} times`;
/** The grades of the easy puzzle of the day. */
const EASY = 2;

const gcd = (a, b) => (b ? gcd(b, a % b) : a);

/** Which of `count` puzzles is that of a day: each comes once before any comes again, and neighbours differ in difficulty. */
export function ofDay(day, count) {
  let step = Math.max(1, Math.round(count * 0.382));
  while (gcd(step, count) > 1) step += 1;
  return ((day / DAY) * step) % count;
}

export class Puzzles {
  constructor(app) {
    this.app = app;
    const redraw = () => app.view === 'puzzles' && app.draw();
    this.solved = new Progress('solved', redraw);
    // The days whose puzzle was solved on that day.
    this.days = new Progress('days', redraw);
    // What the engine says about positions beside the solution: whether the move that led there wins, and the reply to it.
    this.known = new Map();
    this.list = make('div');
    this.title = make('h2', { textContent: 'Puzzles' });
    this.about = make('p', { className: 'faint', id: 'about-puzzle' });
    this.status = make('p', { className: 'verdict', id: 'puzzle-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.hint = make('button', { textContent: 'Hint', id: 'puzzle-hint', onclick: () => this.giveHint() });
    this.takeBack = make('button', { textContent: 'Take back', onclick: () => this.back() });
    this.again = make('button', { textContent: 'Try again', onclick: () => this.open(this.current) });
    this.next = make('button', { textContent: 'Next puzzle', className: 'strong', id: 'next-puzzle', onclick: () => this.visit(this.following()) });
    this.show = make('button', { id: 'explore-puzzle', onclick: () => app.toExplore() });
    this.beat = make('button', { id: 'beat-puzzle', onclick: () => app.tryToBeat() });
    // The puzzle alone, without the moves that were made.
    this.share = make('button', { id: 'share-puzzle', textContent: 'Share', onclick: () => app.share(toAddress(new Game(app.game.root.state), 'puzzles')) });
    this.daily = make('button', { id: 'daily-puzzle', onclick: () => this.visit(this.puzzleOfDay, true) });
    this.easy = make('button', { id: 'easy-puzzle', onclick: () => this.visit(this.easyOfDay, true) });
    byId('says').append(this.status);
    byId('puzzles').append(
      make('section', { className: 'card' }, this.title, this.about,
        make('div', { className: 'row' }, this.hint, this.takeBack, this.again, this.next, this.beat, this.show, this.share)),
      make('section', { className: 'card' }, make('div', { className: 'row' }, this.easy, this.daily), this.list));
  }

  async enter() {
    this.problem = '';
    if (!this.puzzles) {
      try {
        const { puzzles } = await ask('puzzles');
        const size = (puzzle) => fromText(puzzle.position).stones.length;
        // Which one is today's does not depend on this order.
        this.inFile = puzzles;
        this.puzzles = puzzles.toSorted((a, b) => a.grade - b.grade || size(a) - size(b) || a.difficulty - b.difficulty);
      } catch (error) {
        this.problem = error.message;
      }
      this.fillList();
      // Another view may be shown by now.
      if (this.app.view !== 'puzzles') return;
      if (this.problem) return this.app.draw();
    }
    const here = this.puzzles.find((puzzle) => puzzle.position === toText(this.app.game.root.state));
    if (!here) return this.open(this.current ?? this.following());
    this.current = here;
    this.app.draw();
    if (!this.app.game.at.children.length) this.respond();
  }

  /** The next puzzle that is not solved. */
  following() {
    const { puzzles, solved } = this;
    // After a puzzle of the day it goes on where that came in between.
    const after = puzzles.indexOf(this.before ?? this.current) + (this.before ? 0 : 1);
    const order = [...puzzles.slice(after), ...puzzles.slice(0, after)];
    return order.find((puzzle) => !solved.has(puzzle.position)) ?? order[0];
  }

  get puzzleOfDay() {
    return this.inFile?.[ofDay(today(), this.inFile.length)];
  }

  /** An easy one, for those who do not want today's. */
  get easyOfDay() {
    const easy = this.inFile?.filter(({ grade }) => grade <= EASY);
    return easy?.[ofDay(today(), easy.length)];
  }

  /** `between`: as a puzzle of the day, after which it goes on as before. */
  visit(puzzle, between = false) {
    this.before = between ? this.before ?? this.current : null;
    this.app.visit();
    this.open(puzzle);
  }

  open(puzzle) {
    this.current = puzzle;
    this.problem = '';
    this.app.load(new Game(fromText(puzzle.position)));
  }

  /** To before your last move. */
  back() {
    this.problem = '';
    this.app.go((game) => {
      do game.back(); while (game.at.parent && game.state.toMove !== game.root.state.toMove);
    });
  }

  /** Another position: forgets the hints for the one before. */
  update() {
    const position = toText(this.app.state);
    if (position === this.shown) return;
    this.shown = position;
    this.hints = 0;
    this.best = null;
  }

  /** The turn of the solution that these moves lead to, if they are the solution's. */
  turnAfter(names) {
    const { line, turns } = this.current;
    return names.length % 2 === 0 && names.every((name, i) => name === line[i]) ? turns[names.length / 2] : undefined;
  }

  /**
   * How it stands: `good` moves were made, `wrong` is the one that was not, with its `refutation` if that is known. `pending`:
   * only the engine can tell.
   */
  get standing() {
    const { current, app: { game: { path } } } = this;
    const names = path.map((node) => cellName(node.state, node.cell));
    const standing = { names, good: 0 };
    for (let i = 0; i < names.length; i += 2) {
      const { state } = path[i];
      const turn = this.turnAfter(names.slice(0, i));
      const known = this.known.get(toText(state));
      const wins = turn ? turn.wins.includes(names[i]) : joined(state) ? false : known?.wins;
      if (wins === undefined) return { ...standing, pending: true };
      if (!wins) return { ...standing, wrong: names[i], refutation: names[i + 1] ?? turn?.fails[names[i]] ?? known?.reply };
      standing.good += 1;
    }
    const won = joined(this.app.state)?.loser === other(fromText(current.position).toMove);
    return { ...standing, solved: won || standing.good >= current.turns.length };
  }

  play(index) {
    const { app, current } = this;
    if (!current || app.state.toMove !== app.game.root.state.toMove) return;
    const { wrong, solved } = this.standing;
    if (wrong || solved) return;
    this.problem = '';
    app.edit((game) => game.play(index));
    this.respond(true);
  }

  /** After a move of yours: the reply, unless that was the last one. `made`: the move was made just now. */
  async respond(made = false) {
    const { app, current } = this;
    const position = toText(app.state);
    if (app.state.toMove === app.game.root.state.toMove || joined(app.state)) return app.draw();
    const { names, solved, wrong, refutation, pending } = this.standing;
    const onLine = names.every((name, i) => name === current.line[i]);
    let reply = wrong ? refutation : onLine && current.line[names.length];
    if (pending || (!solved && !reply)) {
      try {
        const answer = await ask('move', { position, level: 'perfect' });
        if (!answer.winner) throw new Error('The reply could not be found in time. Take the move back and try another.');
        this.known.set(position, { wins: answer.winner[0] !== app.state.toMove, reply: answer.move });
        reply ||= answer.move;
      } catch (error) {
        this.problem = error.message;
      }
      if (app.view !== 'puzzles' || toText(app.state) !== position) return;
      if (this.problem) return app.draw();
      if (this.standing.solved) reply = null;
    }
    if (reply) app.edit((game) => game.play(cellIndex(game.state, reply)), true);
    // The reply may have been the connection that was to be forced.
    if (this.standing.solved) this.celebrate(made);
    app.draw();
  }

  celebrate(made) {
    const { current } = this;
    this.solved.add(current.position);
    if (current === this.puzzleOfDay) this.days.add(dateText(today()));
    if (made) cheer(byId('board'));
  }

  /** Three hints: where to look, what fails there, and the move. Beside the solution: the row, and the move. */
  async giveHint() {
    const { app } = this;
    const turn = this.turnAfter(this.standing.names);
    if (!turn && !this.best) {
      const position = toText(app.state);
      try {
        const answer = await ask('move', { position, level: 'perfect' });
        if (toText(app.state) !== position || !answer.move) return;
        this.best = answer.move;
      } catch (error) {
        this.problem = error.message;
        return app.draw();
      }
    }
    this.hints = Math.min((this.hints ?? 0) + 1, turn ? 3 : 2);
    app.draw();
  }

  /** What the hints so far have said, or null: a text, and how cells look. */
  get hinted() {
    const { hints, current, app } = this;
    if (!hints || !current) return null;
    const { names, wrong, solved } = this.standing;
    if (wrong || solved) return null;
    const turn = this.turnAfter(names);
    const move = turn ? current.line[names.length] : this.best;
    if (hints >= 3 || (!turn && hints === 2)) return { text: `${move} is a winning move.`, looks: { [move]: { best: true, label: 'hint: wins' } } };
    if (!turn) {
      const row = Number(move.slice(1));
      const inRow = app.state.stones.flatMap((stone, i) => (!stone && Math.floor(i / app.state.cols) + 1 === row ? [cellName(app.state, i)] : []));
      return { text: `look at row ${row}.`, looks: Object.fromEntries(inRow.map((name) => [name, { mark: '?', label: 'hint: perhaps' }])) };
    }
    // Not one that was tried here already, as long as there are others.
    const tried = new Set(app.game.at.children.map((node) => cellName(node.state, node.cell)));
    const fails = Object.keys(turn.fails).filter((name) => !turn.wins.includes(name)).sort((a, b) => tried.has(a) - tried.has(b));
    const decoys = fails.slice(0, DECOYS);
    const shown = [move, ...decoys].sort();
    const looks = Object.fromEntries(shown.map((name) => [name, { mark: '?', label: 'hint: perhaps' }]));
    if (hints === 1) return { text: `one of ${shown.join(', ')} wins.`, looks };
    const [wrongOne] = decoys;
    const reply = turn.fails[wrongOne];
    const rival = nameOf(other(app.state.toMove));
    looks[wrongOne] = { kind: 'loss', mark: '–', label: 'hint: loses' };
    return { text: reply ? `${wrongOne} fails: ${rival} replies ${reply}.` : `${wrongOne} fails: it connects your own sides.`, looks };
  }

  look() {
    const looks = this.hinted?.looks ?? {};
    return { look: (index) => looks[cellName(this.app.state, index)] ?? {} };
  }

  /** What there is to say, which follows from the moves alone. */
  text() {
    const { current, problem, app } = this;
    if (problem || !current) return problem ?? '';
    const { names, good, wrong, refutation, solved, pending } = this.standing;
    const count = current.turns.length;
    const me = nameOf(fromText(current.position).toMove);
    if (wrong) {
      if (refutation) return `No: ${wrong} loses to ${refutation}. Take it back and look again.`;
      return joined(app.state) ? `No: ${wrong} connects your own sides. Take it back and look again.` : `No: ${wrong} loses.`;
    }
    if (solved) {
      const rival = nameOf(other(fromText(current.position).toMove));
      const won = joined(app.state) ? `${rival} had to connect, and loses.` : `against good play ${rival} can no longer avoid connecting.`;
      return `Solved! ${good > 2 ? `All ${good} moves were right` : good > 1 ? 'Both moves were right' : 'That was right'}: ${won}`;
    }
    if (names.length % 2 && app.game.at.children.length) return `After ${names.at(-1)}: step forward to see the reply.`;
    if (pending || names.length % 2) return 'Looking for the best defence …';
    const hint = this.hinted ? ` Hint: ${this.hinted.text}` : '';
    if (!names.length) return `${me} to move and win: find the winning move, ${times(count)}. Solrex replies in between.${hint}`;
    return `Yes, ${names.at(-2)} is right. ${nameOf(other(app.state.toMove))} replied ${names.at(-1)}. Find move ${good + 1} of ${count}.${hint}`;
  }

  /** A button for each puzzle, by grade. */
  fillList() {
    this.groups = GRADES.map((grade, i) => {
      const puzzles = (this.puzzles ?? []).filter((puzzle) => puzzle.grade === i + 1);
      const buttons = puzzles.map((puzzle) => make('button', { textContent: this.numberOf(puzzle), onclick: () => this.visit(puzzle) }));
      return { grade, puzzles, buttons, heading: make('h3') };
    }).filter(({ puzzles }) => puzzles.length);
    this.list.replaceChildren(...this.groups.flatMap(({ heading, buttons }) => [heading, make('div', { className: 'list' }, ...buttons)]));
  }

  numberOf(puzzle) {
    return this.puzzles.indexOf(puzzle) + 1;
  }

  /** How many days in a row the puzzle of the day was solved, up to today. */
  get streak() {
    let day = today();
    if (!this.days.has(dateText(day))) day -= DAY;
    let length = 0;
    for (; this.days.has(dateText(day)); day -= DAY) length += 1;
    return length;
  }

  draw() {
    const { current, puzzles, app } = this;
    write(this.status, this.text());
    const standing = current && puzzles ? this.standing : {};
    this.status.classList.toggle('won', Boolean(standing.solved));
    this.status.classList.toggle('failed', Boolean(standing.wrong));
    write(this.show, standing.wrong || standing.solved ? 'Show me why' : 'Explore this position');
    // Whoever does not believe it plays on, against the refutation or for the side that was beaten.
    const me = app.game.root.state.toMove;
    write(this.beat, `Play on as ${nameOf(standing.wrong ? me : other(me))}`);
    this.beat.hidden = !(standing.wrong || standing.solved) || Boolean(joined(app.state));
    const yours = current && app.state.toMove === app.game.root.state.toMove && !joined(app.state);
    this.hint.disabled = !yours || Boolean(standing.wrong || standing.solved);
    this.again.disabled = this.takeBack.disabled = !app.game.at.parent || !current;
    this.next.disabled = this.daily.disabled = !puzzles;
    if (!puzzles) return;
    const daily = this.puzzleOfDay;
    const streak = this.streak > 1 ? `, ${this.streak} days in a row` : '';
    write(this.easy, `Easy puzzle for ${dayText(today())}${this.solved.has(this.easyOfDay.position) ? ' ✓' : ''}`);
    this.easy.setAttribute('aria-pressed', String(current === this.easyOfDay));
    write(this.daily, `Puzzle of the day, ${dayText(today())}${this.days.has(dateText(today())) ? ` ✓${streak}` : ''}`);
    this.daily.setAttribute('aria-pressed', String(current === daily));
    if (current) {
      const tries = current.difficulty > 1 ? ` Level skilled solves this about once in ${current.difficulty.toLocaleString('en')} tries.` : '';
      write(this.title, `Puzzle ${this.numberOf(current)}${current === daily ? ', the puzzle of the day' : ''}`);
      write(this.about, `Grade ${current.grade} of ${GRADES.length}, ${GRADES[current.grade - 1]}.${tries} Remember: whoever connects their own two sides loses.`);
    }
    for (const { grade, puzzles: all, heading, buttons } of this.groups) {
      const solved = all.filter((puzzle) => this.solved.has(puzzle.position));
      write(heading, `Grade ${all[0].grade}, ${grade}: ${solved.length} of ${all.length} solved`);
      buttons.forEach((button, i) => {
        const { rows, cols } = fromText(all[i].position);
        const done = solved.includes(all[i]);
        button.className = done ? 'solved' : '';
        button.setAttribute('aria-pressed', String(all[i] === current));
        button.setAttribute('aria-label', `Puzzle ${this.numberOf(all[i])}, ${rows} × ${cols}${done ? ', solved' : ''}`);
      });
    }
  }
}
