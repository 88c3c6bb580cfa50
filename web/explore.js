// The view in which a position is set up, solved and explained.

import { engine } from './engine.js';
import { Game, canPlay, cellName, cellIndex, emptyState, isEmpty, joined, nameOf, other, resized, rotated, setStone, swapped, toText, turnedCell, MAX_SIDE } from './game.js';
import { byId, make, moveButton, progressText, remember, remembered, Share, troubleText, write } from './share.js';
import { Why } from './why.js';

/** Why a line of play goes no further, unless the game is over. */
const LINE_ENDS = {
  pairing: 'then a pairing decides',
  'fill-in': 'then fill-in decides',
  symmetry: 'then symmetry decides; no strategy is known',
  unknown: 'the rest was not searched',
};

/** A search that takes more seconds than this is a hard one. */
const PATIENCE = 30;

const player = (word) => (word === 'black' ? 'b' : 'w');

export class Explore {
  constructor(app) {
    this.app = app;
    this.tool = 'play';
    this.hovered = -1;
    this.why = new Why(app);
    this.share = new Share(app);
    for (const [id, start] of [['engine-on', true], ['verdicts-on', true], ['why-on', false]]) {
      byId(id).checked = remembered(id, start);
      byId(id).addEventListener('change', () => {
        remember(id, byId(id).checked);
        app.changed();
      });
    }
    byId('cancel').addEventListener('click', () => app.engine.stopOrGoOn());
    byId('ask').hidden = !navigator.maxTouchPoints;
    byId('ask').addEventListener('click', () => {
      this.asking = !this.asking;
      byId('ask').setAttribute('aria-pressed', String(this.asking));
    });
    this.setUpTools();
    engine.then((found) => {
      this.engine = found;
      app.draw();
    });
  }

  setUpTools() {
    const { app } = this;
    for (const id of ['rows', 'cols']) {
      for (let size = 1; size <= MAX_SIDE; size++) byId(id).append(new Option(size, size));
      byId(id).addEventListener('change', () => this.resize(Number(byId('rows').value), Number(byId('cols').value)));
    }
    byId('tools').addEventListener('click', (event) => {
      if (event.target.dataset.tool === undefined) return;
      this.tool = event.target.dataset.tool;
      app.changed();
    });
    byId('setup').addEventListener('toggle', () => {
      if (!byId('setup').open) this.tool = 'play';
      app.changed();
    });
    byId('side').addEventListener('click', () => this.changeSide());
    byId('clear').addEventListener('click', () => this.keep(null, emptyState(app.state.rows, app.state.cols)));
    byId('rotate').addEventListener('click', () => {
      const { game } = app;
      this.keep(game.mapped(rotated(game.root.state), (index) => turnedCell(app.state, index)));
    });
    byId('swap').addEventListener('click', () => {
      const { game, state: { rows, cols } } = app;
      this.keep(game.mapped(swapped(game.root.state), (index) => (index % cols) * rows + Math.floor(index / cols)));
    });
    byId('remove').addEventListener('click', () => app.edit((game) => game.remove()));
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

  changeSide() {
    this.keep(null, { ...this.app.state, toMove: other(this.app.state.toMove) });
  }

  resize(rows, cols) {
    const { game, state } = this.app;
    const cellOf = (index) => {
      const [row, col] = [Math.floor(index / state.cols), index % state.cols];
      return row < rows && col < cols ? row * cols + col : -1;
    };
    this.keep(game.mapped(resized(game.root.state, rows, cols), cellOf), resized(state, rows, cols));
  }

  /** Puts a stone on the board before the first move. If a move was played there, a new game starts. Returns whether it was put. */
  put(index, stone, goesOn) {
    const { game, state } = this.app;
    const played = game.nodes().some(({ cell }) => cell === index);
    const kept = played ? null : game.mapped(setStone(game.root.state, index, stone));
    return this.keep(kept, setStone(state, index, stone), goesOn);
  }

  toggle(id) {
    byId(id).click();
  }

  searches() {
    return byId('engine-on').checked && !joined(this.app.state);
  }

  painting() {
    return this.tool !== 'play';
  }

  /** One undo takes back a whole stroke. */
  paint(index, first) {
    if (first) [this.stroke, this.refused] = [false, false];
    if (this.refused || this.app.state.stones[index] === this.tool) return;
    if (this.put(index, this.tool, this.stroke)) this.stroke = true;
    else this.refused = true;
  }

  set(index, stone) {
    if (this.app.state.stones[index] !== stone) this.put(index, stone);
  }

  /** On a touch screen nothing hovers, so a touch can also ask about a cell. */
  play(index) {
    if (this.asking) this.hover(index);
    else this.app.edit((game) => game.play(index));
  }

  cycle(index) {
    const next = { '': 'b', b: 'w', w: '' };
    this.set(index, next[this.app.state.stones[index]]);
  }

  hover(index) {
    if (index === this.hovered) return;
    this.hovered = index;
    this.app.draw();
  }

  update() {
    const { state } = this.app;
    for (const id of ['rows', 'cols']) {
      const select = byId(id);
      select.value = state[id];
      // A pasted board may be longer than the menu offers. Then it gets an item for it.
      if (select.value !== String(state[id])) {
        select.append(new Option(state[id], state[id]));
        select.value = state[id];
      }
    }
    for (const button of byId('tools').children) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === this.tool));
    }
    document.body.classList.toggle('painting', this.painting());
    byId('remove').disabled = !this.app.game.at.parent;
    this.why.follow(toText(state));
    this.share.update();
  }

  get result() {
    return this.app.engine.result(toText(this.app.state));
  }

  look() {
    const { state } = this.app;
    if (this.why.walking()) return this.why.walkLook();
    const over = joined(state);
    const result = byId('verdicts-on').checked && !over ? this.result : null;
    const why = byId('why-on').checked ? this.why.look() : null;
    const arrows = over ? [] : this.why.arrows(this.hovered, Boolean(why));
    const running = ['queued', 'searching'].includes(result?.status);
    const look = (index) => {
      const explained = this.why.labelOf(index);
      if (!isEmpty(state, index) || over) return { ...why?.look(index), label: explained };
      const name = cellName(state, index);
      const value = result?.moves.get(name);
      const shown = { ...why?.look(index) };
      if (value && !why) {
        shown.kind = value;
        shown.mark = value === 'win' ? '+' : '–';
        if (value === 'loss' && result.replies?.[name] !== undefined) shown.mark = String(result.replies[name]);
        shown.best = result.best === name;
      } else if (value && !shown.ghost) shown.mark = value === 'win' ? '+' : '–';
      else if (running && !value) Object.assign(shown, { mark: '·', kind: 'waiting' });
      shown.label = [value && this.verdictOf(result, name, value), explained].filter(Boolean).join(', ');
      return shown;
    };
    return { look, arrows };
  }

  verdictOf(result, name, value) {
    if (value === 'win') return 'wins';
    if (result.joins.has(name)) return 'loses at once: it connects her own sides';
    const answer = result.refutations?.[name];
    const count = result.replies?.[name];
    if (count === 1) return `loses only to ${answer}`;
    if (count) return `loses to ${answer} and ${count - 1} other ${count === 2 ? 'reply' : 'replies'}`;
    return answer ? `loses to ${answer}` : 'loses';
  }

  draw() {
    this.drawVerdict();
    this.drawMoves();
    if (this.result?.status === 'searching') this.why.follow(toText(this.app.state));
    this.why.draw(this.hovered, (index) => this.cellVerdict(index), byId('verdicts-on').checked);
  }

  cellVerdict(index) {
    const result = byId('verdicts-on').checked && this.result;
    if (!result) return '';
    const name = cellName(this.app.state, index);
    const value = result.moves.get(name);
    return value ? `${nameOf(this.app.state.toMove)} ${this.verdictOf(result, name, value)}` : '';
  }

  drawVerdict() {
    const { state } = this.app;
    const { result } = this;
    const end = joined(state);
    const visible = byId('verdicts-on').checked;
    this.app.engine.label(byId('cancel'));
    const sentence = end
      ? `${nameOf(other(end.loser))} has won.`
      : visible ? this.sentence(result) : 'Verdicts are hidden.';
    write(byId('verdict'), sentence);
    // A screen reader reads who wins, and the whole sentence at the end, but not every step.
    const running = ['queued', 'searching'].includes(result?.status);
    const winner = visible && result?.winner ? `${nameOf(player(result.winner))} wins.` : '';
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
    const shown = `${toText(this.app.state)} ${moves} ${end}`;
    const line = byId('line');
    if (line.dataset.shown === shown) return;
    line.dataset.shown = shown;
    line.replaceChildren(...(moves.length ? ['Line of play: '] : []));
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
    if (player(result.winner) === state.toMove) {
      const wins = [...result.moves.values()].filter((value) => value === 'win').length;
      if (!wins) return `${mover} wins; still searching for the winning moves.`;
      const final = ['done', 'counting'].includes(result.status);
      return `${mover} wins with ${wins}${final ? '' : ' or more'} of ${state.stones.filter((s) => !s).length} moves.`;
    }
    const count = result.replies?.[result.best];
    // If every move connects her own sides, there are no replies to count.
    if (count === undefined) return `${mover} loses with every move.`;
    return `${mover} loses with every move; ${result.best} leaves the fewest winning replies: ${count}.`;
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
    const address = JSON.stringify(game.toParts());
    if (holder.dataset.shown === address) return;
    holder.dataset.shown = address;
    const focused = holder.contains(document.activeElement);
    const button = (node, number) => {
      const made = moveButton(cellName(node.state, node.cell), () => this.app.go((game) => { game.at = node; }));
      if (node === game.at) made.setAttribute('aria-current', 'true');
      made.prepend(`${number}. `);
      return made;
    };
    const write = (into, node, number) => {
      for (let at = node; at; number++) {
        const [next, ...variations] = at.children;
        if (!next) return;
        into.append(button(next, number));
        for (const variation of variations) {
          const block = document.createElement('span');
          block.className = 'variation';
          block.append(button(variation, number));
          write(block, variation, number + 1);
          into.append(block);
        }
        at = next;
      }
    };
    holder.replaceChildren();
    write(holder, game.root, 1);
    if (!game.root.children.length) {
      holder.append('Click a cell to move. New to Rex? ', make('a', { href: '#v=rules', textContent: 'Read the rules in half a minute.' }));
    }
    // If the focus was in the list of moves, keep it there and in sight.
    const current = holder.querySelector('[aria-current]');
    if (focused) current?.focus();
    if (current && holder.scrollHeight > holder.clientHeight) current.scrollIntoView({ block: 'nearest' });
  }
}
