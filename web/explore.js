// The view in which a position is set up, solved and explained.

import { Beat } from './beat.js';
import { engine } from './engine.js';
import { canPlay, cellIndex, cellName, emptyState, Game, isEmpty, isMove, joined, nameOf, other, play, playerOf, resized, rotated, setStone, swapped, toText, turnedCell, wordOf, MAX_SIDE } from './game.js';
import { Lines } from './lines.js';
import { Review } from './review.js';
import { byId, make, moveButton, progressText, remember, remembered, Share, troubleText, write } from './share.js';
import { Why } from './why.js';

/** Why a line of play goes no further, unless the game is over. */
const LINE_ENDS = {
  pairing: 'then pairs decide',
  'fill-in': 'then captured cells decide',
  symmetry: 'then symmetry decides, which names no move',
  unknown: 'the rest was not searched',
};

/** The sizes that have a button. */
const SIZES = [3, 4, 5, 6, 7, 8];

/** Milliseconds on a cell before its line is drawn: moving across the board should not flicker. */
const LINGER = 350;

/** A search that takes more seconds than this is a hard one. */
const PATIENCE = 30;

/** Verdicts have signs: not everybody can tell the colours apart. */
const SIGNS = { win: '+', loss: '–' };

const isEmptyBoard = (state) => state.stones.every((stone) => !stone);

export class Explore {
  constructor(app) {
    this.app = app;
    this.tool = 'play';
    // The cell that is asked about, and the one whose line is drawn.
    [this.hovered, this.drawn] = [-1, -1];
    // Whether the pointer is still there, or was pinned there.
    this.there = false;
    // Asked about with a click: stays, whatever the pointer does.
    this.pinned = false;
    this.why = new Why(app);
    this.share = new Share(app);
    this.lines = new Lines(() => app.draw());
    this.beat = new Beat(app, this.lines);
    this.review = new Review(app, this.lines);
    for (const [id, start] of [['engine-on', true], ['verdicts-on', true], ['why-on', false]]) {
      const kept = id !== 'why-on';
      byId(id).checked = kept ? remembered(id, start) : start;
      byId(id).addEventListener('change', () => {
        if (kept) remember(id, byId(id).checked);
        app.exercise = false;
        app.changed();
      });
    }
    byId('cancel').addEventListener('click', () => app.engine.stopOrGoOn());
    this.setUpTools();
    this.setUpGame();
    engine.then((found) => {
      this.engine = found;
      app.draw();
    });
  }

  setUpTools() {
    const { app } = this;
    byId('sizes').append(...SIZES.map((size) => make('button', { textContent: size, ariaLabel: `${size} × ${size}`, title: `${size} × ${size}`, onclick: () => this.startOn(size) })));
    for (const id of ['rows', 'cols']) {
      for (let size = 1; size <= MAX_SIDE; size++) byId(id).append(new Option(size, size));
    }
    // Nothing is solved while rows are chosen and columns are not.
    byId('size').addEventListener('submit', (event) => {
      event.preventDefault();
      this.resize(Number(byId('rows').value), Number(byId('cols').value));
    });
    byId('tools').addEventListener('click', (event) => {
      const { tool } = event.target.closest('button')?.dataset ?? {};
      if (tool === undefined) return;
      this.tool = tool;
      this.pinned = false;
      app.changed();
    });
    byId('side').addEventListener('click', () => this.changeSide());
    byId('clear').addEventListener('click', () => this.keep(null, emptyState(app.state.rows, app.state.cols)));
    byId('rotate').addEventListener('click', () => this.keep(app.game.mapped(rotated, (index) => turnedCell(app.state, index))));
    byId('swap').addEventListener('click', () => {
      const { rows, cols } = app.state;
      const game = app.game.mapped(swapped, (index) => (index % cols) * rows + Math.floor(index / cols));
      const { b, w } = app.game.players;
      if (game) game.players = { b: w, w: b };
      this.keep(game, swapped(app.state));
    });
    byId('beat-start').addEventListener('click', () => this.beat.start());
    byId('prove-this').addEventListener('click', () => app.prove());
    byId('beat-end').addEventListener('click', () => this.beat.stop());
  }

  setUpGame() {
    const { app } = this;
    byId('remove').addEventListener('click', () => app.edit((game) => game.remove()));
    byId('play-from').addEventListener('click', () => app.playFrom());
    byId('promote').addEventListener('click', () => app.edit((game) => game.promote()));
    byId('comment').addEventListener('change', () => {
      const { value } = byId('comment');
      const node = this.commented;
      app.edit(() => { node.comment = value.trim(); });
    });
  }

  /** Hides the verdicts for somebody who is to find them, or shows them again as this browser is used to. */
  setExercise(exercise) {
    if (Boolean(this.app.exercise) === exercise) return;
    this.app.exercise = exercise;
    byId('verdicts-on').checked = !exercise && remembered('verdicts-on', true);
  }

  /** Another view is shown: stones are put only here. */
  leave() {
    this.tool = 'play';
    this.pinned = false;
    document.body.classList.remove('painting', 'asked', 'walking', 'beating');
    this.beat.loser = null;
  }

  /** Lets go of what was asked, or ends the walk. */
  escape() {
    this.pinned = false;
    this.why.walk(-1);
    this.hover(-1);
  }

  /**
   * Shows the changed game. If that is null, its moves do not fit the changed position: then it asks, and starts a new game
   * from there. Returns whether anything was changed.
   */
  keep(game, position, goesOn) {
    const { app } = this;
    const moves = app.game.nodes().length - 1;
    if (!game && moves) {
      const what = moves === 1 ? 'the only move' : `all ${moves} moves`;
      const wanted = confirm(`This change removes ${what} and starts a new game from this position. Undo brings them back.`);
      if (!wanted) {
        // The menus may already show a new size. Set them back.
        app.changed();
        return false;
      }
    }
    app.load(game ?? new Game(position), goesOn);
    return true;
  }

  /** An empty board of this size. */
  startOn(size) {
    const { app } = this;
    const played = app.game.root.children.length || !isEmptyBoard(app.game.root.state);
    app.load(new Game(emptyState(size, size)));
    if (played) app.say('A new board. Undo brings the game back.');
  }

  changeSide() {
    this.setUp({ ...this.app.state, toMove: other(this.app.state.toMove) });
  }

  resize(rows, cols) {
    const { game, state } = this.app;
    if (rows === state.rows && cols === state.cols) return;
    const cellOf = (index) => {
      const [row, col] = [Math.floor(index / state.cols), index % state.cols];
      return row < rows && col < cols ? row * cols + col : -1;
    };
    this.keep(game.mapped((from) => resized(from, rows, cols), cellOf), resized(state, rows, cols));
  }

  /** Sets up a state here. Moves before it stay, and so do those that come after and still fit. */
  setUp(state, goesOn) {
    this.app.edit((game) => game.setUp(state), goesOn);
  }

  put(index, stone, goesOn) {
    this.setUp(setStone(this.app.state, index, stone), goesOn);
  }

  toggle(id) {
    byId(id).click();
  }

  searches() {
    return byId('engine-on').checked && !joined(this.app.state);
  }

  painting() {
    return !this.beat.on && ['b', 'w', ''].includes(this.tool);
  }

  /** One undo takes back a whole stroke. */
  paint(index, first) {
    if (first) this.stroke = false;
    if (this.app.state.stones[index] === this.tool) return;
    this.put(index, this.tool, this.stroke);
    this.stroke = true;
  }

  set(index, stone) {
    if (this.app.state.stones[index] !== stone && !this.beat.on) this.put(index, stone);
  }

  play(index) {
    if (this.beat.on) this.beat.play(index);
    else if (this.tool === 'ask') {
      this.pinned = true;
      this.askAbout(index);
    } else this.app.edit((game) => game.play(index));
  }

  cycle(index) {
    const next = { '': 'b', b: 'w', w: '' };
    this.set(index, next[this.app.state.stones[index]]);
  }

  /** The pointer is on a cell, or it is `focused` with the keyboard. When it leaves the board, what was said stays, and the line is no longer drawn. */
  hover(index, focused = false) {
    if (focused) this.pinned = false;
    if (this.pinned) return;
    clearTimeout(this.lingering);
    this.there = index >= 0;
    if (index < 0) {
      this.drawn = -1;
      return this.app.draw();
    }
    if (index === this.hovered && index === this.drawn) return;
    [this.hovered, this.drawn] = [index, -1];
    this.app.draw();
    this.lingering = setTimeout(() => this.askAbout(index), LINGER);
  }

  /** Shows the line of a cell. */
  askAbout(index) {
    clearTimeout(this.lingering);
    [this.hovered, this.drawn, this.there] = [index, index, true];
    this.app.draw();
  }

  /** The line that is drawn: that of the cell that is asked about, or of what would have won in a review. */
  drawnLine() {
    const { state } = this.app;
    const better = this.review.better();
    const cell = this.drawn >= 0 ? this.drawn : better ? cellIndex(state, better) : -1;
    const wanted = byId('verdicts-on').checked && cell >= 0 && cell < state.stones.length && canPlay(state, cell);
    const name = wanted && cellName(state, cell);
    if (!wanted || !(this.result?.moves.has(name) || name === better)) {
      this.lines.want(null);
      return null;
    }
    this.lines.want(toText(play(state, cell)));
    const played = this.app.options?.numbers ? this.app.game.path.filter(isMove).length : 0;
    return this.lines.after(state, cell, this.result?.refutations?.[name], played);
  }

  update() {
    const { state, game } = this.app;
    const position = toText(state);
    if (position !== this.position) {
      this.position = position;
      clearTimeout(this.lingering);
      this.drawn = -1;
      this.pinned = false;
      if (!isEmpty(state, this.hovered)) this.hovered = -1;
    }
    for (const id of ['rows', 'cols']) {
      const select = byId(id);
      select.value = state[id];
      // A pasted board may be longer than the menu offers. Then it gets an item for it.
      if (select.value !== String(state[id])) {
        select.append(new Option(state[id], state[id]));
        select.value = state[id];
      }
    }
    for (const button of byId('sizes').children) {
      button.setAttribute('aria-pressed', String(state.rows === state.cols && button.textContent === String(state.rows)));
    }
    for (const button of byId('tools').children) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === this.tool));
    }
    document.body.classList.toggle('painting', this.painting());
    document.body.classList.toggle('asked', this.tool === 'ask');
    byId('node').hidden = !game.root.children.length && !game.root.comment && isEmptyBoard(game.root.state);
    byId('remove').disabled = !game.at.parent;
    byId('promote').disabled = game.isMain;
    this.commented = game.at;
    if (document.activeElement !== byId('comment')) byId('comment').value = game.at.comment;
    this.why.follow(position);
    this.share.update();
  }

  get result() {
    return this.app.engine.result(toText(this.app.state));
  }

  look() {
    const { state } = this.app;
    if (this.beat.on) return this.beat.looks();
    if (this.why.walking()) return this.why.walkLook();
    const over = joined(state);
    const visible = byId('verdicts-on').checked;
    const result = visible && !over ? this.result : null;
    const why = visible && byId('why-on').checked && !over ? this.why.look() : null;
    // What the rules say is not drawn over.
    const line = over || why ? null : this.drawnLine();
    const arrows = over || line || !visible ? [] : this.why.arrows(this.there ? this.hovered : -1, Boolean(why));
    const running = ['queued', 'searching'].includes(result?.status);
    const look = (index) => {
      const explained = visible ? this.why.labelOf(index) : '';
      if (!isEmpty(state, index) || over) return { ...why?.look(index), label: explained };
      const name = cellName(state, index);
      const value = result?.moves.get(name);
      const shown = { ...why?.look(index) };
      if (value && !why) Object.assign(shown, this.verdictLook(result, name, value));
      else if (value) shown.mark = SIGNS[value];
      else if (running && !why) Object.assign(shown, this.openLook(result, name));
      shown.label = [value ? this.verdictOf(result, name, value) : running && this.opinionOf(result, name), explained].filter(Boolean).join(', ');
      return { ...shown, ...line?.look(index) };
    };
    return { look, arrows, links: line?.links ?? why?.links };
  }

  /** A verdict with its grade: how many winning moves the winner then has. */
  verdictLook(result, name, value) {
    const grade = result.grades.get(name);
    const numbered = grade && this.app.options.grades;
    const shown = { kind: value, mark: `${SIGNS[value]}${numbered ? grade.winning : ''}`, best: result.best === name, graded: numbered };
    if (grade) Object.assign(shown, { shade: 0.3 + 0.7 * (grade.winning / grade.of) });
    return shown;
  }

  /** A cell that is not solved yet, with what the net thinks of it. */
  openLook(result, name) {
    const share = result.opinion?.[name];
    if (share === undefined) return { mark: '·', kind: 'waiting' };
    return { mark: share >= 0.5 ? '~+' : '~–', kind: `likely-${share >= 0.5 ? 'win' : 'loss'}`, opinion: true, faint: true, shade: 0.6 * Math.abs(2 * share - 1) };
  }

  opinionOf(result, name) {
    const share = result.opinion?.[name];
    return share === undefined ? 'not solved yet' : `not solved yet, the net thinks it ${share >= 0.5 ? 'wins' : 'loses'}`;
  }

  verdictOf(result, name, value) {
    if (value === 'win') return 'wins';
    if (result.joins.has(name)) return 'loses at once by connecting';
    const answer = result.refutations?.[name];
    const count = result.grades.get(name)?.winning ?? result.replies?.[name];
    if (count === 1) return `loses only to ${answer}`;
    if (count) return `loses to ${answer} and ${count - 1} other ${count === 2 ? 'reply' : 'replies'}`;
    return answer ? `loses to ${answer}` : 'loses';
  }

  /** How much room the winner has after a move. */
  gradeText(result, name) {
    const grade = result.grades.get(name);
    if (!grade || !grade.reply) return '';
    const mover = nameOf(this.app.state.toMove);
    const count = grade.winning === 1 ? 'only one winning move' : `${grade.winning} winning moves of ${grade.of}`;
    return `After the hardest reply, ${grade.reply}, ${mover} has ${count}.`;
  }

  draw() {
    this.drawVerdict();
    this.drawMoves();
    const visible = byId('verdicts-on').checked;
    byId('first').hidden = Boolean(this.app.game.root.children.length) || this.beat.on || !visible;
    write(byId('first-try'), this.firstTry());
    // Where the game is over, there is nothing to search.
    const idle = byId('engine-on').checked && (joined(this.app.state) || this.result?.status === 'done');
    this.review.draw(visible && !this.beat.on, idle);
    this.drawBeat(visible);
    if (this.result?.status === 'searching') this.why.follow(toText(this.app.state));
    const line = visible && this.drawn >= 0 && !joined(this.app.state) ? this.drawnLine() : null;
    this.why.draw(this.hovered, { verdict: (index) => this.cellVerdict(index), line: line?.text ?? '', visible, searched: Boolean(line) });
  }

  /** What somebody might do who is here for the first time. */
  firstTry() {
    const { result } = this;
    if (joined(this.app.state) || !result?.winner) return '';
    const touch = matchMedia('(hover: none)').matches;
    const more = touch ? '“Ask” and then a cell shows why.' : 'Point at any cell to see why.';
    if (playerOf(result.winner) !== this.app.state.toMove) return `Every move loses here. Press “Try to beat it”. ${more}`;
    return [...result.moves.values()].includes('win') ? `Try it: ${touch ? 'tap' : 'click'} a cell with a +. ${more}` : '';
  }

  /** “Try to beat it” is offered where it is known who loses. */
  drawBeat(visible) {
    const { beat, app } = this;
    const known = Boolean(this.result?.winner ?? this.why.answer?.winner) && !joined(app.state);
    byId('beat-start').hidden = beat.on || !(visible && known);
    byId('prove-this').hidden = beat.on || !visible || Boolean(joined(app.state));
    byId('beat-end').hidden = !beat.on;
    write(byId('beat-end'), joined(app.state) ? 'Done' : 'Give up');
    byId('beat-says').hidden = !beat.on;
    write(byId('beat-says'), beat.on ? beat.note : '');
    document.body.classList.toggle('beating', beat.on);
  }

  cellVerdict(index) {
    const result = byId('verdicts-on').checked && this.result;
    if (!result) return '';
    const name = cellName(this.app.state, index);
    const value = result.moves.get(name);
    const said = value ? `${nameOf(this.app.state.toMove)} ${this.verdictOf(result, name, value)}` : '';
    if (said) return [`${said}.`, this.gradeText(result, name)].filter(Boolean).join(' ');
    return ['queued', 'searching'].includes(result.status) && isEmpty(this.app.state, index) ? `${this.opinionOf(result, name)}.` : '';
  }

  drawVerdict() {
    const { state } = this.app;
    const { result } = this;
    const end = joined(state);
    const visible = byId('verdicts-on').checked;
    this.app.engine.label(byId('cancel'));
    const sentence = end
      ? `${nameOf(other(end.loser))} has won.`
      : visible ? this.sentence(result) : this.app.exercise ? 'An exercise: find out who wins, and how. “Show verdicts” shows the answer.' : 'Verdicts are hidden.';
    write(byId('verdict'), sentence);
    // A screen reader reads who wins, and the whole sentence at the end, but not every step.
    const running = ['queued', 'searching'].includes(result?.status);
    const winner = visible && result?.winner ? `${nameOf(playerOf(result.winner))} wins.` : '';
    write(byId('heard'), running && !end ? winner : sentence);
    this.drawLine(visible && !end ? result : null);
    const cells = state.stones.filter((stone) => !stone).length;
    const share = end ? 0 : (result?.moves.size ?? 0) / Math.max(cells, 1);
    byId('bar').firstElementChild.style.width = `${100 * share}%`;
    byId('bar').setAttribute('aria-valuenow', result?.moves.size ?? 0);
    byId('bar').setAttribute('aria-valuemax', cells);
    write(byId('progress'), end || !result ? '' : progressText(result, cells));
    const hard = !end && result?.progress?.seconds > PATIENCE && result.status !== 'done';
    write(byId('engine'), [this.engine?.about, hard && this.engine?.advice].filter(Boolean).join(' '));
  }

  /** The line of play, each move a button that goes there, and why it ends where it does. */
  drawLine(result) {
    const moves = result?.pv ?? [];
    const end = LINE_ENDS[result?.lineEnd] ?? '';
    const shown = `${toText(this.app.state)} ${moves} ${end} ${Boolean(this.why.pairing)}`;
    const line = byId('line');
    if (line.dataset.shown === shown) return;
    line.dataset.shown = shown;
    const decided = ['pairing', 'fill-in'].includes(result?.lineEnd) && this.why.pairing && moves.length > 1;
    line.replaceChildren(...(moves.length ? [decided ? 'Pairs decide already; one line of play: ' : 'Line of play: '] : []));
    moves.forEach((name, i) => line.append(moveButton(name, () => this.follow(moves.slice(0, i + 1)))));
    if (moves.length && end) line.append(make('span', { className: 'faint', textContent: ` (${end})` }));
  }

  sentence(result) {
    if (!result) return byId('engine-on').checked ? '' : 'The solver is off.';
    const trouble = troubleText(result);
    if (!result.winner) return trouble || (result.status === 'stopped' ? 'Stopped before a winner was found.' : 'Solving …');
    return [this.outcome(result), trouble].filter(Boolean).join(' ');
  }

  /** Who wins, and with which moves. */
  outcome(result) {
    const { state } = this.app;
    const mover = nameOf(state.toMove);
    if (playerOf(result.winner) === state.toMove) {
      const wins = [...result.moves.values()].filter((value) => value === 'win').length;
      if (!wins) return `${mover} wins; still searching for the winning moves.`;
      const final = ['done', 'counting'].includes(result.status);
      return `${mover} wins with ${wins}${final ? '' : ' or more'} of ${state.stones.filter((s) => !s).length} moves.`;
    }
    const count = result.replies?.[result.best];
    // If every move connects her own sides, there are no replies to count.
    if (count === undefined) return `${mover} loses with every move.`;
    return `${mover} loses with every move; ${result.best} leaves ${nameOf(other(state.toMove))} the fewest winning replies: ${count}.`;
  }

  /** Plays a line from here. */
  follow(names) {
    this.app.edit((game) => {
      for (const name of names) {
        const index = cellIndex(game.state, name);
        if (canPlay(game.state, index)) game.play(index);
      }
    });
  }

  drawMoves() {
    const { game } = this.app;
    const holder = byId('moves');
    const address = JSON.stringify([game.toParts(), nameOf('b')]);
    if (holder.dataset.shown === address) return;
    holder.dataset.shown = address;
    const focused = holder.contains(document.activeElement);
    const button = (node, number) => {
      const made = moveButton(wordOf(node), () => this.app.go((game) => { game.at = node; }));
      if (node === game.at) made.setAttribute('aria-current', 'true');
      if (isMove(node)) made.prepend(`${number}. `);
      if (node.comment) made.append(make('span', { className: 'said-of', textContent: ' “', title: node.comment, ariaLabel: 'has a comment' }));
      return made;
    };
    const write = (into, node, number) => {
      for (let at = node; at;) {
        const [next, ...variations] = at.children;
        if (!next) return;
        into.append(button(next, number));
        for (const variation of variations) {
          const block = document.createElement('span');
          block.className = 'variation';
          block.append(button(variation, number));
          write(block, variation, number + Number(isMove(variation)));
          into.append(block);
        }
        number += Number(isMove(next));
        at = next;
      }
    };
    const players = ['b', 'w'].filter((player) => game.players[player]).map((player) => `${nameOf(player)}: ${game.players[player]}`);
    byId('players').hidden = !players.length;
    byId('players').textContent = players.join(' · ');
    holder.replaceChildren();
    write(holder, game.root, 1);
    if (!game.root.children.length) holder.append(make('span', { className: 'faint', textContent: 'No moves yet.' }));
    // If the focus was in the list of moves, keep it there and in sight.
    const current = holder.querySelector('[aria-current]');
    if (focused) current?.focus();
    if (current && holder.scrollHeight > holder.clientHeight) current.scrollIntoView({ block: 'nearest' });
  }
}
