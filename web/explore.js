// The view in which a position is set up, solved and explained.

import { Game, canPlay, cellName, cellIndex, emptyState, isEmpty, joined, nameOf, other, resized, rotated, setStone, swapped, toText, MAX_SIDE } from './game.js';
import { byId, moveButton, remember, remembered, Share } from './share.js';
import { Why } from './why.js';

const player = (word) => (word === 'black' ? 'b' : 'w');
const thousands = (number) => Math.round(number).toLocaleString('en');

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
    byId('cancel').addEventListener('click', () => {
      app.engine.stop();
      app.draw();
    });
    this.setUpTools();
  }

  setUpTools() {
    const { app } = this;
    for (const id of ['rows', 'cols']) {
      for (let size = 1; size <= MAX_SIDE; size++) byId(id).append(new Option(size, size));
      byId(id).addEventListener('change', () =>
        this.start(resized(app.state, Number(byId('rows').value), Number(byId('cols').value))));
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
    byId('clear').addEventListener('click', () => this.start(emptyState(app.state.rows, app.state.cols)));
    byId('rotate').addEventListener('click', () => this.start(rotated(app.state)));
    byId('swap').addEventListener('click', () => this.start(swapped(app.state)));
    byId('remove').addEventListener('click', () => app.edit((game) => game.remove()));
  }

  /** A new game from a position that was set up. */
  start(state) {
    this.app.load(new Game(state));
  }

  changeSide() {
    this.start({ ...this.app.state, toMove: other(this.app.state.toMove) });
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

  paint(index) {
    if (this.app.state.stones[index] !== this.tool) this.set(index, this.tool);
  }

  set(index, stone) {
    this.start(setStone(this.app.state, index, stone));
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
    byId('rows').value = state.rows;
    byId('cols').value = state.cols;
    for (const button of byId('tools').children) {
      button.setAttribute('aria-checked', String(button.dataset.tool === this.tool));
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
    if (result.joins.has(name)) return 'loses at once: it joins her own sides';
    const answer = result.refutations?.[name];
    const count = result.replies?.[name];
    if (count === 1) return `loses only to ${answer}`;
    if (count) return `loses to ${answer} and ${count - 1} other ${count === 2 ? 'answer' : 'answers'}`;
    return answer ? `loses to ${answer}` : 'loses';
  }

  draw() {
    this.drawVerdict();
    this.drawMoves();
    this.why.draw(this.hovered, this.cellVerdict(this.hovered));
  }

  cellVerdict(index) {
    const result = byId('verdicts-on').checked && this.result;
    if (!result || index < 0) return '';
    const name = cellName(this.app.state, index);
    const value = result.moves.get(name);
    return value ? `${nameOf(this.app.state.toMove)} ${this.verdictOf(result, name, value)}` : '';
  }

  drawVerdict() {
    const { state } = this.app;
    const { result } = this;
    const end = joined(state);
    const visible = byId('verdicts-on').checked;
    byId('cancel').hidden = !['queued', 'searching', 'counting', 'away'].includes(result?.status);
    byId('verdict').textContent = end
      ? `${nameOf(other(end.loser))} has won.`
      : visible ? this.sentence(result) : 'Verdicts are hidden.';
    const line = byId('line');
    line.replaceChildren();
    if (visible && result?.pv?.length && !end) {
      line.append('Line of play: ');
      result.pv.forEach((name, i) => line.append(moveButton(name, () => this.follow(result.pv.slice(0, i + 1)))));
    }
    const { progress } = result ?? {};
    const cells = state.stones.filter((stone) => !stone).length;
    const share = end ? 0 : (result?.moves.size ?? 0) / Math.max(cells, 1);
    byId('bar').firstElementChild.style.width = `${100 * share}%`;
    byId('bar').setAttribute('aria-valuenow', result?.moves.size ?? 0);
    byId('bar').setAttribute('aria-valuemax', cells);
    byId('progress').textContent = end || !result ? '' : this.progressText(result, progress, cells);
  }

  sentence(result) {
    const { state } = this.app;
    const mover = nameOf(state.toMove);
    if (!result) return byId('engine-on').checked ? '' : 'The solver is off.';
    if (!result.winner) {
      const words = { away: 'The server is away; waiting for it.', failed: result.error, stopped: 'Stopped before it was decided.' };
      return words[result.status] ?? 'Solving …';
    }
    if (player(result.winner) === state.toMove) {
      const wins = [...result.moves.values()].filter((value) => value === 'win').length;
      if (!wins) return `${mover} wins; with which moves is being searched.`;
      const final = ['done', 'counting'].includes(result.status);
      return `${mover} wins with ${wins}${final ? '' : ' or more'} of ${state.stones.filter((s) => !s).length} moves.`;
    }
    if (!result.replies) return `${mover} loses with every move.`;
    const count = result.replies[result.best];
    return `${mover} loses with every move; ${result.best} leaves the fewest winning answers: ${count}.`;
  }

  progressText(result, progress, cells) {
    if (result.status === 'queued') return 'Waiting for a free place …';
    if (!progress) return '';
    const parts = [`${result.moves.size} of ${cells} moves decided`, `${thousands(progress.nodes)} nodes`];
    if (progress.seconds) {
      parts.push(`${progress.seconds.toFixed(progress.seconds < 10 ? 2 : 0)} s`);
      if (progress.seconds > 0.5) parts.push(`${thousands(progress.nodes / progress.seconds)} nodes/s`);
    }
    if (result.status === 'counting') parts.push('counting answers');
    else if (progress.line?.length && result.status === 'searching') parts.push(`looking at ${progress.line.slice(0, 8).join(' ')}`);
    if (result.status === 'stopped') parts.push('stopped');
    return parts.join(' · ');
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
    if (!game.root.children.length) holder.textContent = 'Click a cell to move.';
  }
}
