// A board drawn as SVG. It knows where cells are and what is shown on them, and reports clicks, keys and the pointer.

import { cellName, nameOf } from './game.js';

const SVG = 'http://www.w3.org/2000/svg';
const RADIUS = 30;
const HALF = (RADIUS * Math.sqrt(3)) / 2;
const MARGIN = 36;

/** The six neighbours, as steps in rows and columns, in turn. Corner k lies between neighbours k and k + 1. */
const AROUND = [[0, 1], [1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1]];

/** How a board can lie: where a step to the next column and to the next row leads on the page. */
const ORIENTATIONS = {
  flat: [[2 * HALF, 0], [HALF, 1.5 * RADIUS]],
  mirrored: [[-2 * HALF, 0], [-HALF, 1.5 * RADIUS]],
  diamond: [[1.5 * RADIUS, -HALF], [1.5 * RADIUS, HALF]],
};

export function element(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export class Board {
  /**
   * `on.play(index)` a cell is clicked or Enter is pressed on it; `on.cycle(index)` right-clicked; `on.set(index,
   * stone)` the keys b, w, x; `on.look(index or -1, focused)` hovered, or focused with the keyboard; `on.roll(±1)` the wheel; `on.paint(index, first)` dragged over, if
   * `on.painting()`. `about` is the id of the element that describes the focused cell.
   */
  constructor(holder, title, on, about = '') {
    this.on = on;
    this.title = title;
    this.about = about;
    this.focused = 0;
    this.orientation = 'flat';
    // Whether keys act on the focused cell. After a click they step through the game instead.
    this.steered = false;
    this.svg = element('svg', { class: 'board', role: 'group', tabindex: -1 });
    holder.replaceChildren(this.svg);
    this.listen();
  }

  /** A step of so many rows and columns, on the page. */
  way([rows, cols]) {
    const [[cx, cy], [rx, ry]] = ORIENTATIONS[this.orientation];
    return [cols * cx + rows * rx, cols * cy + rows * ry];
  }

  centre(index) {
    const [x, y] = this.way([Math.floor(index / this.cols), index % this.cols]);
    return [x - this.left, y - this.top];
  }

  /** A point in the direction of these steps, taken together. */
  towards(index, steps, distance) {
    const [x, y] = this.centre(index);
    const ways = steps.map((step) => this.way(step));
    const [dx, dy] = [0, 1].map((axis) => ways.reduce((sum, way) => sum + way[axis], 0));
    const length = Math.hypot(dx, dy);
    return [x + (distance * dx) / length, y + (distance * dy) / length];
  }

  corner(index, number, radius = RADIUS) {
    return this.towards(index, [AROUND[number], AROUND[(number + 1) % 6]], radius).map((place) => place.toFixed(1)).join();
  }

  /** Lays the board another way, and shows coordinates or not. */
  turn(orientation) {
    this.orientation = orientation in ORIENTATIONS ? orientation : 'flat';
    if (!this.state) return;
    this.layOut(this.rows, this.cols);
  }

  /** Draws what does not change with the stones. */
  layOut(rows, cols) {
    [this.rows, this.cols] = [rows, cols];
    [this.left, this.top] = [0, 0];
    const corners = [0, cols - 1, (rows - 1) * cols, rows * cols - 1].map((index) => this.centre(index));
    const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
    // Half a cell, which is wider one way or the other.
    const [wide, high] = this.orientation === 'diamond' ? [RADIUS, HALF] : [HALF, RADIUS];
    [this.left, this.top] = [Math.min(...xs) - wide - MARGIN, Math.min(...ys) - high - MARGIN];
    const [width, height] = [Math.max(...xs) + wide + MARGIN - this.left, Math.max(...ys) + high + MARGIN - this.top];
    this.svg.setAttribute('aria-label', `${this.title}, ${rows} rows, ${cols} columns`);
    this.svg.setAttribute('viewBox', `0 0 ${width.toFixed(0)} ${height.toFixed(0)}`);
    // Small boards would look clumsy if they filled the page.
    this.svg.style.maxWidth = `${(1.9 * width).toFixed(0)}px`;
    this.cells = Array.from({ length: rows * cols }, (_, index) => this.makeCell(index));
    this.arrows = element('g', { class: 'arrows', 'aria-hidden': 'true' });
    this.links = element('g', { class: 'links', 'aria-hidden': 'true' });
    this.svg.replaceChildren(...this.sides(), ...this.coordinates(), ...this.cells, this.links, this.arrows);
    this.focused = Math.min(this.focused, rows * cols - 1);
  }

  sides() {
    const { rows, cols } = this;
    const row = (r) => Array.from({ length: cols }, (_, c) => r * cols + c);
    const col = (c) => Array.from({ length: rows }, (_, r) => r * cols + c);
    // The cells at the two blunt corners belong to both players; the edge between the two bands goes to Black.
    const band = (player, cells, numbers, left = []) => {
      const points = cells
        .flatMap((index) => numbers.map((number) => [index, number]))
        .filter(([index, number]) => !(index === left[0] && number === left[1]))
        .map(([index, number]) => this.corner(index, number, RADIUS + 5)).join(' ');
      // A wider band below makes an outline, so that it can be seen on a page of the same colour.
      return ['edge', player].map((kind) => element('polyline', { class: `side ${kind}`, points }));
    };
    const bands = [
      band('w', col(0), [3, 2, 1], [(rows - 1) * cols, 1]),
      band('w', col(cols - 1), [4, 5, 0], [cols - 1, 4]),
      band('b', row(0), [3, 4, 5]),
      band('b', row(rows - 1), [2, 1, 0]),
    ];
    return bands.flat();
  }

  coordinates() {
    const label = ([x, y], text) =>
      element('text', { class: 'coordinate', x: x.toFixed(1), y: y.toFixed(1), 'aria-hidden': 'true' }, text);
    const columns = Array.from({ length: this.cols }, (_, col) =>
      label(this.towards(col, [[-1, 0], [-1, 0], [-1, 1]], RADIUS + 18), String.fromCharCode(97 + col)));
    const rows = Array.from({ length: this.rows }, (_, row) =>
      label(this.towards(row * this.cols, [[0, -1]], HALF + 20), String(row + 1)));
    return [...columns, ...rows];
  }

  makeCell(index) {
    const [points, inner] = [RADIUS, RADIUS - 3].map((radius) => AROUND.map((_, number) => this.corner(index, number, radius)).join(' '));
    const [x, y] = this.centre(index).map((number) => number.toFixed(1));
    return element('g', { class: 'cell', role: 'button', 'data-index': index },
      element('polygon', { class: 'hexagon', points }),
      element('polygon', { class: 'halo', points: inner }),
      element('circle', { class: 'stone', cx: x, cy: y, r: RADIUS * 0.64 }),
      element('circle', { class: 'ghost', cx: x, cy: y, r: RADIUS * 0.3 }),
      element('text', { class: 'tag', x, y: (y - 17).toFixed(1) }),
      element('circle', { class: 'last', cx: x, cy: y, r: 5 }),
      element('text', { class: 'mark', x, y }));
  }

  /**
   * Shows a state. `look(index)` gives `{ kind: 'win' | 'loss' | …, mark: text, shade: 0 to 1, ghost: player, phantom: player,
   * number, pair: number, tag: text, ring, best, chain, label }` or nothing. A phantom is a stone that is not there yet; `number` stands on
   * it, or on a stone; a tag is small and stands above the mark. `arrows` and `links` are `[from, to]`; a link may have the number of its pair.
   */
  show(state, { look = () => ({}), arrows = [], links = [], last = -1, enabled = true } = {}) {
    if (state.rows !== this.rows || state.cols !== this.cols) this.layOut(state.rows, state.cols);
    this.state = state;
    this.svg.classList.toggle('idle', !enabled);
    this.svg.classList.toggle('black-moves', state.toMove === 'b');
    this.cells.forEach((cell, index) => {
      const shown = look(index) ?? {};
      const stone = state.stones[index];
      const phantom = !stone && shown.phantom;
      const classes = ['cell', stone && `stone-${stone}`, shown.kind, shown.ghost && `ghost-${shown.ghost}`, phantom && `phantom phantom-${phantom}`];
      if (shown.pair !== undefined) classes.push('paired', `pair-${shown.pair % 8}`);
      for (const name of ['ring', 'best', 'chain', 'faint', 'graded', 'opinion']) if (shown[name]) classes.push(name);
      if (index === last) classes.push('is-last');
      cell.setAttribute('class', classes.filter(Boolean).join(' '));
      cell.style.setProperty('--shade', `${Math.round(100 * (shown.shade ?? 1))}%`);
      cell.dataset.mark = stone || phantom ? '' : shown.mark ?? '';
      cell.querySelector('.tag').textContent = shown.tag ?? '';
      cell.lastChild.textContent = stone || phantom ? shown.number ?? '' : cell.dataset.mark;
      cell.setAttribute('aria-label', this.describe(index, stone, shown));
      cell.setAttribute('tabindex', index === this.focused ? 0 : -1);
      if (this.about && index === this.focused) cell.setAttribute('aria-describedby', this.about);
      else cell.removeAttribute('aria-describedby');
    });
    this.arrows.replaceChildren(...arrows.map(([from, to]) => this.arrow(from, to)));
    this.links.replaceChildren(...links.map(([from, to, pair = 0]) => {
      const [[fx, fy], [tx, ty]] = [this.centre(from), this.centre(to)];
      // Not over what stands in the two cells.
      const share = 15 / Math.hypot(tx - fx, ty - fy);
      const [x1, y1, x2, y2] = [fx + share * (tx - fx), fy + share * (ty - fy), tx - share * (tx - fx), ty - share * (ty - fy)];
      return element('line', { class: `pair-${pair % 8}`, x1, y1, x2, y2 });
    }));
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

  /** The neighbour that lies most in this direction on the page, or -1. */
  next(index, [x, y]) {
    const { rows, cols } = this;
    const [row, col] = [Math.floor(index / cols), index % cols];
    const there = ([r, c]) => row + r >= 0 && col + c >= 0 && row + r < rows && col + c < cols;
    let [best, most] = [-1, 1];
    // Of two that are as far off, the one in the same column.
    for (const step of [[0, 1], [0, -1], [1, 0], [-1, 0], [1, -1], [-1, 1]].filter(there)) {
      const [dx, dy] = this.way(step);
      const along = dx * x + dy * y;
      if (along > most + 1) [best, most] = [(row + step[0]) * cols + col + step[1], along];
    }
    return best;
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
    // One step for a notch, however the device counts; many small ones of a touchpad make one.
    let rolled = 0;
    svg.addEventListener('wheel', (event) => {
      if (!on.roll || event.ctrlKey) return;
      event.preventDefault();
      rolled += event.deltaY * (event.deltaMode ? 40 : 1);
      if (Math.abs(rolled) < 40) return;
      on.roll(Math.sign(rolled));
      rolled = 0;
    }, { passive: false });
    svg.addEventListener('contextmenu', (event) => {
      const index = indexOf(event.target);
      if (index < 0 || !on.cycle) return;
      event.preventDefault();
      on.cycle(index);
    });
    svg.addEventListener('pointerover', (event) => event.pointerType !== 'touch' && on.look?.(indexOf(event.target)));
    svg.addEventListener('pointerleave', () => on.look?.(-1));
    svg.addEventListener('focusin', (event) => on.look?.(indexOf(event.target), !pointed));
    svg.addEventListener('keydown', (event) => this.key(event, indexOf(event.target)));
  }

  key(event, index) {
    if (index < 0 || !this.steered || event.ctrlKey || event.metaKey || event.altKey) return;
    const { on } = this;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const stones = { b: 'b', w: 'w', x: '', Delete: '' };
    if (event.key in steps) {
      const next = this.next(index, steps[event.key]);
      if (next >= 0) this.focus(next);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (on.painting?.()) on.paint(index, true);
      else on.play?.(index);
    } else if (event.key === 'Escape') this.cells[index].blur();
    else if (event.key in stones && on.set) on.set(index, stones[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
