// A board drawn as SVG. It knows where cells are and what is shown on them, and reports clicks, keys and the pointer.

import { cellName, nameOf } from './game.js';

const SVG = 'http://www.w3.org/2000/svg';
const RADIUS = 30;
const HALF = (RADIUS * Math.sqrt(3)) / 2;
const MARGIN = 34;

export function element(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export class Board {
  /**
   * `on.play(index)` a cell is clicked or Enter is pressed on it; `on.cycle(index)` right-clicked; `on.set(index,
   * stone)` the keys b, w, x; `on.look(index or -1)` hovered or focused; `on.paint(index, first)` dragged over, if
   * `on.painting()`. `about` is the id of the element that describes the focused cell.
   */
  constructor(holder, title, on, about = '') {
    this.on = on;
    this.title = title;
    this.about = about;
    this.focused = 0;
    // Whether keys act on the focused cell. After a click they step through the game instead.
    this.steered = false;
    this.svg = element('svg', { class: 'board', role: 'group', tabindex: -1 });
    holder.replaceChildren(this.svg);
    this.listen();
  }

  centre(index) {
    const [row, col] = [Math.floor(index / this.cols), index % this.cols];
    return [MARGIN + HALF + (2 * col + row) * HALF, MARGIN + RADIUS + row * 1.5 * RADIUS];
  }

  corner(index, angle, radius = RADIUS) {
    const [x, y] = this.centre(index);
    const turn = (angle * Math.PI) / 180;
    return `${(x + radius * Math.cos(turn)).toFixed(1)},${(y + radius * Math.sin(turn)).toFixed(1)}`;
  }

  /** Draws what does not change with the stones. */
  layOut(rows, cols) {
    [this.rows, this.cols] = [rows, cols];
    const [right, bottom] = this.centre(rows * cols - 1);
    const width = right + HALF + MARGIN;
    this.svg.setAttribute('aria-label', `${this.title}, ${rows} rows, ${cols} columns`);
    this.svg.setAttribute('viewBox', `0 0 ${width.toFixed(0)} ${(bottom + RADIUS + MARGIN).toFixed(0)}`);
    // Small boards would look clumsy if they filled the page.
    this.svg.style.maxWidth = `${(1.9 * width).toFixed(0)}px`;
    this.cells = Array.from({ length: rows * cols }, (_, index) => this.makeCell(index));
    this.arrows = element('g', { class: 'arrows', 'aria-hidden': 'true' });
    this.svg.replaceChildren(...this.sides(), ...this.coordinates(), ...this.cells, this.arrows);
    this.focused = Math.min(this.focused, rows * cols - 1);
  }

  sides() {
    const { rows, cols } = this;
    const row = (r) => Array.from({ length: cols }, (_, c) => r * cols + c);
    const col = (c) => Array.from({ length: rows }, (_, r) => r * cols + c);
    // The cells at the two blunt corners belong to both players; the edge between the two bands goes to Black.
    const band = (player, cells, angles, left = []) => {
      const points = cells
        .flatMap((index) => angles.map((angle) => [index, angle]))
        .filter(([index, angle]) => !(index === left[0] && angle === left[1]))
        .map(([index, angle]) => this.corner(index, angle, RADIUS + 5)).join(' ');
      // A wider band below makes an outline, so that it can be seen on a page of the same colour.
      return ['edge', player].map((kind) => element('polyline', { class: `side ${kind}`, points }));
    };
    const bands = [
      band('w', col(0), [-150, 150, 90], [(rows - 1) * cols, 90]),
      band('w', col(cols - 1), [-90, -30, 30], [cols - 1, -90]),
      band('b', row(0), [-150, -90, -30]),
      band('b', row(rows - 1), [150, 90, 30]),
    ];
    return bands.flat();
  }

  coordinates() {
    const label = (x, y, text) =>
      element('text', { class: 'coordinate', x: x.toFixed(1), y: y.toFixed(1), 'aria-hidden': 'true' }, text);
    const labels = [];
    for (let col = 0; col < this.cols; col++) {
      const [x, y] = this.centre(col);
      labels.push(label(x - HALF * 0.55, y - RADIUS - 16, String.fromCharCode(97 + col)));
    }
    for (let row = 0; row < this.rows; row++) {
      const [x, y] = this.centre(row * this.cols);
      labels.push(label(x - HALF - 19, y + 4, String(row + 1)));
    }
    return labels;
  }

  makeCell(index) {
    const points = [-90, -30, 30, 90, 150, 210].map((angle) => this.corner(index, angle)).join(' ');
    const inner = [-90, -30, 30, 90, 150, 210].map((angle) => this.corner(index, angle, RADIUS - 3)).join(' ');
    const [x, y] = this.centre(index).map((number) => number.toFixed(1));
    return element('g', { class: 'cell', role: 'button', 'data-index': index },
      element('polygon', { class: 'hexagon', points }),
      element('polygon', { class: 'halo', points: inner }),
      element('circle', { class: 'stone', cx: x, cy: y, r: RADIUS * 0.64 }),
      element('circle', { class: 'ghost', cx: x, cy: y, r: RADIUS * 0.3 }),
      element('circle', { class: 'last', cx: x, cy: y, r: 5 }),
      element('text', { class: 'mark', x, y }));
  }

  /**
   * Shows a state. `look(index)` gives `{ kind: 'win' | 'loss' | …, mark: text, ghost: player, pair: number, ring,
   * best, chain, label }` or nothing; `arrows` are `[from, to]`.
   */
  show(state, { look = () => ({}), arrows = [], last = -1, enabled = true } = {}) {
    if (state.rows !== this.rows || state.cols !== this.cols) this.layOut(state.rows, state.cols);
    this.state = state;
    this.svg.classList.toggle('idle', !enabled);
    this.svg.classList.toggle('black-moves', state.toMove === 'b');
    this.cells.forEach((cell, index) => {
      const shown = look(index) ?? {};
      const stone = state.stones[index];
      const classes = ['cell', stone && `stone-${stone}`, shown.kind, shown.ghost && `ghost-${shown.ghost}`];
      if (shown.pair !== undefined) classes.push('paired', `pair-${shown.pair % 8}`);
      for (const name of ['ring', 'best', 'chain', 'faint']) if (shown[name]) classes.push(name);
      if (index === last) classes.push('is-last');
      cell.setAttribute('class', classes.filter(Boolean).join(' '));
      cell.dataset.mark = stone ? '' : shown.mark ?? '';
      cell.lastChild.textContent = cell.dataset.mark;
      cell.setAttribute('aria-label', this.describe(index, stone, shown));
      cell.setAttribute('tabindex', index === this.focused ? 0 : -1);
      if (this.about && index === this.focused) cell.setAttribute('aria-describedby', this.about);
      else cell.removeAttribute('aria-describedby');
    });
    this.arrows.replaceChildren(...arrows.map(([from, to]) => this.arrow(from, to)));
  }

  describe(index, stone, shown) {
    const what = stone ? `${nameOf(stone)} stone` : 'empty';
    return [cellName(this.state, index), what, shown.label].filter(Boolean).join(', ');
  }

  /** From near the one centre to near the other, bent a little. */
  arrow(from, to) {
    const [x1, y1] = this.centre(from);
    const [x2, y2] = this.centre(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const gap = 14;
    const [sx, sy, tx, ty] = [x1 + dx * gap, y1 + dy * gap, x2 - dx * gap, y2 - dy * gap];
    const bend = length / 8;
    const [cx, cy] = [(x1 + x2) / 2 - dy * bend, (y1 + y2) / 2 + dx * bend];
    const far = Math.hypot(tx - cx, ty - cy);
    const [ux, uy] = [(tx - cx) / far, (ty - cy) / far];
    const head = [1, -1].map((side) => `${tx - 11 * ux - side * 6 * uy},${ty - 11 * uy + side * 6 * ux}`);
    return element('g', {},
      element('path', { d: `M${sx},${sy} Q${cx},${cy} ${tx - 6 * ux},${ty - 6 * uy}` }),
      element('polygon', { points: `${tx},${ty} ${head.join(' ')}` }));
  }

  focus(index) {
    this.cells[this.focused]?.setAttribute('tabindex', -1);
    this.focused = index;
    this.cells[index].setAttribute('tabindex', 0);
    this.cells[index].focus();
  }

  listen() {
    const { svg, on } = this;
    const indexOf = (target) => {
      const cell = target.closest?.('.cell');
      return cell ? Number(cell.dataset.index) : -1;
    };
    const steer = (steered) => {
      this.steered = steered;
      svg.classList.toggle('steered', steered);
    };
    let [painting, pointed] = [false, false];
    // A touch sets the focus only after the finger is lifted, so remember which of pointer and keyboard was used last.
    window.addEventListener('pointerdown', () => { pointed = true; }, true);
    window.addEventListener('keydown', () => { pointed = false; }, true);
    svg.addEventListener('focusin', () => steer(!pointed));
    svg.addEventListener('pointerdown', (event) => {
      steer(false);
      const index = indexOf(event.target);
      if (index < 0 || event.button !== 0 || !on.painting?.()) return;
      painting = true;
      event.target.releasePointerCapture?.(event.pointerId);
      on.paint(index, true);
    });
    window.addEventListener('pointercancel', () => { painting = false; });
    window.addEventListener('pointerup', () => { painting = false; });
    svg.addEventListener('pointermove', (event) => {
      // The button may have been released outside the window.
      if (!event.buttons) painting = false;
      if (!painting) return;
      // A quick stroke gives few events, each with the points in between.
      const points = event.getCoalescedEvents?.() ?? [];
      for (const { clientX, clientY } of points.length ? points : [event]) {
        const index = indexOf(document.elementFromPoint(clientX, clientY) ?? svg);
        if (index >= 0) on.paint(index, false);
      }
    });
    svg.addEventListener('click', (event) => {
      const index = indexOf(event.target);
      if (index >= 0 && !on.painting?.()) {
        this.focused = index;
        on.play?.(index);
      }
    });
    svg.addEventListener('contextmenu', (event) => {
      const index = indexOf(event.target);
      if (index < 0 || !on.cycle) return;
      event.preventDefault();
      on.cycle(index);
    });
    svg.addEventListener('pointerover', (event) => on.look?.(indexOf(event.target)));
    svg.addEventListener('pointerleave', () => on.look?.(-1));
    svg.addEventListener('focusin', (event) => on.look?.(indexOf(event.target)));
    svg.addEventListener('keydown', (event) => this.key(event, indexOf(event.target)));
  }

  key(event, index) {
    if (index < 0 || !this.steered || event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, cols, on } = this;
    const [row, col] = [Math.floor(index / cols), index % cols];
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const stones = { b: 'b', w: 'w', x: '', Delete: '' };
    if (event.key in steps) {
      const [r, c] = [row + steps[event.key][0], col + steps[event.key][1]];
      if (r >= 0 && c >= 0 && r < rows && c < cols) this.focus(r * cols + c);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (on.painting?.()) on.paint(index, true);
      else on.play?.(index);
    } else if (event.key in stones && on.set) on.set(index, stones[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
