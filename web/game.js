// Positions and games: the rules, the tree of moves, and both as text in the address.

export const BLACK = 'b';
export const WHITE = 'w';
export const other = (player) => (player === BLACK ? WHITE : BLACK);

/** What the players are called: by the colours of their stones. */
const NAMES = { b: 'Black', w: 'White' };
export const nameOf = (player) => NAMES[player];
export const callPlayers = (black, white) => Object.assign(NAMES, { b: black, w: white });

/** The player that an engine means. */
export const playerOf = (word) => (word === 'black' ? BLACK : WHITE);
export const MAX_SIDE = 8;

/** An empty board. Stones are 'b', 'w' or '' by row and column. */
export function emptyState(rows, cols) {
  return { rows, cols, stones: Array(rows * cols).fill(''), toMove: BLACK };
}

export const cellName = (state, index) =>
  String.fromCharCode(97 + (index % state.cols)) + (Math.floor(index / state.cols) + 1);

/** The index of a named cell, or -1. */
export function cellIndex(state, name) {
  const found = /^([a-z])([1-9][0-9]?)$/.exec(name);
  if (!found) return -1;
  const col = found[1].charCodeAt(0) - 97;
  const row = Number(found[2]) - 1;
  return col < state.cols && row < state.rows ? row * state.cols + col : -1;
}

/** Neighbours of (row, col): (0,±1) (±1,0) (−1,+1) (+1,−1). */
export function neighbours(state, index) {
  const row = Math.floor(index / state.cols);
  const col = index % state.cols;
  return [[0, 1], [0, -1], [1, 0], [-1, 0], [-1, 1], [1, -1]]
    .map(([dr, dc]) => [row + dr, col + dc])
    .filter(([r, c]) => r >= 0 && c >= 0 && r < state.rows && c < state.cols)
    .map(([r, c]) => r * state.cols + c);
}

/** Who has joined her sides, and so has lost, with a shortest chain that does it; or null. */
export function joined(state) {
  for (const player of [BLACK, WHITE]) {
    const start = (i) => (player === BLACK ? i < state.cols : i % state.cols === 0);
    const end = (i) =>
      player === BLACK ? i >= state.cols * (state.rows - 1) : i % state.cols === state.cols - 1;
    const before = new Map();
    const queue = [];
    state.stones.forEach((stone, i) => {
      if (stone === player && start(i)) {
        before.set(i, -1);
        queue.push(i);
      }
    });
    while (queue.length) {
      const at = queue.shift();
      if (end(at)) {
        const chain = [];
        for (let i = at; i >= 0; i = before.get(i)) chain.push(i);
        return { loser: player, chain };
      }
      for (const next of neighbours(state, at)) {
        if (state.stones[next] === player && !before.has(next)) {
          before.set(next, at);
          queue.push(next);
        }
      }
    }
  }
  return null;
}

export const isEmpty = (state, index) => state.stones[index] === '';
export const canPlay = (state, index) => isEmpty(state, index) && !joined(state);

export function play(state, index) {
  return setStone({ ...state, toMove: other(state.toMove) }, index, state.toMove);
}

export function setStone(state, index, stone) {
  const stones = state.stones.slice();
  stones[index] = stone;
  return { ...state, stones };
}

/** Rows with '/', numbers for runs of empty cells, and the side to move. */
export function toText(state) {
  const rows = [];
  for (let row = 0; row < state.rows; row++) {
    const cells = state.stones.slice(row * state.cols, (row + 1) * state.cols);
    rows.push(cells.map((stone) => stone || '.').join('').replace(/\.+/g, (run) => run.length));
  }
  return `${rows.join('/')} ${state.toMove}`;
}

/** The state that `toText` wrote, or null. */
export function fromText(text) {
  const found = /^([bw0-9/]+) ([bw])$/.exec(text);
  if (!found) return null;
  const rows = found[1].split('/').map((row) =>
    row.replace(/[0-9]+/g, (run) => '.'.repeat(Math.min(Number(run), 99))));
  const cols = rows[0].length;
  if (!cols || cols > 26 || rows.length * cols > 64 || rows.some((row) => row.length !== cols)) return null;
  const stones = [...rows.join('')].map((stone) => (stone === '.' ? '' : stone));
  return { rows: rows.length, cols, stones, toMove: found[2] };
}

/** Where half a turn takes a cell. */
export const turnedCell = (state, index) => state.stones.length - 1 - index;

/** Whether half a turn changes nothing: then a move and its image are worth the same. */
export const isTurned = (state) => state.stones.every((stone, i) => stone === state.stones[turnedCell(state, i)]);

/** Half a turn. */
export const rotated = (state) => ({ ...state, stones: state.stones.slice().reverse() });

/** Mirrored on the long diagonal with the colours swapped: the same game for the other player. */
export function swapped(state) {
  const result = emptyState(state.cols, state.rows);
  state.stones.forEach((stone, i) => {
    const [row, col] = [Math.floor(i / state.cols), i % state.cols];
    result.stones[col * state.rows + row] = stone && other(stone);
  });
  return { ...result, toMove: other(state.toMove) };
}

/** The same stones on another board, as far as they fit. */
export function resized(state, rows, cols) {
  const result = { ...emptyState(rows, cols), toMove: state.toMove };
  state.stones.forEach((stone, i) => {
    const [row, col] = [Math.floor(i / state.cols), i % state.cols];
    if (row < rows && col < cols) result.stones[row * cols + col] = stone;
  });
  return result;
}

/** What a player of Hex can do besides playing a cell, by its sign in the text of a game: its name, what it means, and the state after it. */
const ACTS = {
  s: ['swap', 'the stones are mirrored and change colour', swapped],
  S: ['swap sides', 'the players change colours, and the stones stay', (state) => state],
  p: ['pass', 'no stone is played', (state) => ({ ...state, toMove: other(state.toMove) })],
};

/** What an act means, in words. */
export const meaningOf = ({ act }) => ACTS[act][1];

/** Whether somebody did something here, other than setting up stones. */
export const isMove = ({ cell, act }) => cell >= 0 || Boolean(act);

/** What was done to get to a node: the name of a cell, or a word. */
export const wordOf = ({ cell, act, state }) => (act ? ACTS[act][0] : cell < 0 ? 'set up' : cellName(state, cell));

const makeNode = (parent, cell, state, act = '') => ({ cell, act, parent, children: [], next: null, state, comment: '' });

/** The part of an address for a position: without signs that would be escaped. */
const addressOf = (position) => position.replaceAll('/', '.').replace(' ', '_');
const positionOf = (text) => text.replaceAll('.', '/').replace('_', ' ');

/**
 * A game with variations; `at` is the node that is shown, and `next` of a node the child that was shown last. A node other than
 * the root whose `cell` is -1 has an `act`, or was set up: then its state need not follow from the one before. `players` are
 * their names, where they are known.
 */
export class Game {
  constructor(start) {
    this.root = makeNode(null, -1, start);
    this.at = this.root;
    this.players = { b: '', w: '' };
  }

  get at() {
    return this.place;
  }

  set at(node) {
    this.place = node;
    for (let child = node; child.parent; child = child.parent) child.parent.next = child;
  }

  get state() {
    return this.at.state;
  }

  /** Goes to the node after a move, which is added if it is new. */
  play(index) {
    this.at = this.at.children.find((node) => node.cell === index) ?? this.add(this.at, index);
  }

  add(parent, cell, state = play(parent.state, cell), act = '') {
    const child = makeNode(parent, cell, state, act);
    parent.children.push(child);
    return child;
  }

  /** Adds a swap or a pass; null if there is no such thing, or it would turn the board. */
  addAct(parent, act) {
    const { rows, cols } = parent.state;
    if (!(act in ACTS) || (act === 's' && rows !== cols)) return null;
    return this.add(parent, -1, ACTS[act][2](parent.state), act);
  }

  /** Sets up this state here: in place, if nothing depends on what is here, else as what comes next. */
  setUp(state) {
    const { at } = this;
    if (!isMove(at) && !at.children.length) at.state = state;
    else this.at = at.children.find((node) => !isMove(node) && toText(node.state) === toText(state)) ?? this.add(at, -1, state);
  }

  back() {
    if (this.at.parent) this.at = this.at.parent;
  }

  /** Into the variation that was left last, else into the main one. */
  forward() {
    const { next, children } = this.at;
    if (children.length) this.at = next ?? children[0];
  }

  toStart() {
    this.at = this.root;
  }

  toEnd() {
    while (this.at.children.length) this.forward();
  }

  /** The next or previous variation at this place. */
  sideways(step) {
    const siblings = this.at.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.at) + step];
    if (next) this.at = next;
  }

  /** Takes the shown move and what follows it out of the tree. */
  remove() {
    const parent = this.at.parent;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this.at), 1);
    parent.next = null;
    this.at = parent;
  }

  /** Whether the shown node is on the main line. */
  get isMain() {
    for (let node = this.at; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
  }

  /** Makes the way to the shown node the main line. */
  promote() {
    for (let node = this.at; node.parent; node = node.parent) {
      const { children } = node.parent;
      children.splice(children.indexOf(node), 1);
      children.unshift(node);
    }
  }

  /** The moves from the start to what is shown. */
  get path() {
    const path = [];
    for (let node = this.at; node.parent; node = node.parent) path.unshift(node);
    return path;
  }

  /** The number of the move that coloured each cell, on the way here. */
  numbers() {
    let numbers = new Map();
    this.path.filter(isMove).forEach(({ cell, act, state }, i) => {
      if (cell >= 0) numbers.set(cell, i + 1);
      if (act === 's') numbers = new Map([...numbers].map(([index, number]) => [(index % state.cols) * state.rows + Math.floor(index / state.cols), number]));
    });
    return numbers;
  }

  /** From the first move to the end of the line that is shown. */
  line() {
    const nodes = this.path;
    for (let node = this.at; node.children.length; nodes.push(node)) node = node.next ?? node.children[0];
    return nodes;
  }

  /** The same tree on another board: `stateOf` gives each state that was set up, `cellOf` each cell; null if a move does not fit there. */
  mapped(stateOf, cellOf = (index) => index) {
    const game = new Game(stateOf(this.root.state));
    const copies = new Map([[this.root, game.root]]);
    for (const node of this.nodes().slice(1)) {
      const parent = copies.get(node.parent);
      const cell = node.cell < 0 ? -1 : cellOf(node.cell);
      if (node.cell >= 0 && (cell < 0 || !isEmpty(parent.state, cell))) return null;
      const copy = node.act ? game.addAct(parent, node.act) : cell < 0 ? game.add(parent, -1, stateOf(node.state)) : game.add(parent, cell);
      if (!copy) return null;
      copies.set(node, copy);
    }
    game.players = this.players;
    for (const [node, copy] of copies) {
      copy.next = copies.get(node.next) ?? null;
      copy.comment = node.comment;
    }
    game.at = copies.get(this.at);
    return game;
  }

  /** All nodes in the order in which they are written. */
  nodes() {
    const list = [];
    const visit = (node) => {
      list.push(node);
      node.children.forEach(visit);
    };
    visit(this.root);
    return list;
  }

  /** The game as text: start, tree, place, comments by the number of their node, and the names of the players. */
  toParts() {
    const write = (node) => {
      const own = !node.parent ? '' : node.act ? `:${node.act}` : node.cell < 0 ? `@${addressOf(toText(node.state))}@` : cellName(node.state, node.cell);
      const many = node.children.length > 1;
      return own + node.children.map((child) => (many ? `(${write(child)})` : write(child))).join('');
    };
    const nodes = this.nodes();
    const comments = nodes.map(({ comment }, number) => [number, comment]).filter(([, comment]) => comment);
    return { position: toText(this.root.state), moves: write(this.root), at: nodes.indexOf(this.at), comments, black: this.players.b, white: this.players.w };
  }

  /** The game that `toParts` wrote, or null. */
  static fromParts({ position, moves = '', at = 0, comments = [], black = '', white = '' }) {
    const start = fromText(position);
    if (!start) return null;
    const game = new Game(start);
    game.players = { b: black, w: white };
    const open = [];
    for (const [token] of moves.matchAll(/@[^@]*@|:.|[a-z][0-9]+|\(|\)|./g)) {
      if (token === '(') open.push(game.at);
      else if (token === ')') {
        if (!open.length) return null;
        game.at = open.pop();
      } else if (token.startsWith('@')) {
        const state = fromText(positionOf(token.slice(1, -1)));
        if (!state || state.rows !== start.rows || state.cols !== start.cols) return null;
        game.at = game.add(game.at, -1, state);
      } else if (token.startsWith(':')) {
        const child = game.addAct(game.at, token[1]);
        if (!child) return null;
        game.at = child;
      } else {
        const index = cellIndex(start, token);
        if (index < 0 || !isEmpty(game.state, index)) return null;
        game.play(index);
      }
    }
    const nodes = game.nodes();
    for (const node of nodes) node.next = null;
    for (const [number, comment] of comments) if (nodes[number]) nodes[number].comment = String(comment);
    game.at = nodes[at] ?? game.root;
    return game;
  }
}

/**
 * Start, tree and place as the part of an address after '#', without signs that would be escaped. `you` is the colour of
 * whoever plays, in the view in which somebody does. `exercise`: without verdicts, for somebody who is to find them. `proof`: the published certificate that is open.
 */
export function toAddress(game, view = 'explore', { you, exercise, proof } = {}) {
  const { position, moves, at, comments, black, white } = game.toParts();
  const parts = [`p=${addressOf(position)}`];
  if (moves) parts.push(`m=${moves}`, `n=${at}`);
  for (const [number, comment] of comments) parts.push(`c${number}=${encodeURIComponent(comment)}`);
  if (black) parts.push(`black=${encodeURIComponent(black)}`);
  if (white) parts.push(`white=${encodeURIComponent(white)}`);
  if (view !== 'explore') parts.push(`v=${view}`);
  if (you) parts.push(`you=${you}`);
  if (exercise) parts.push('exercise=1');
  if (proof) parts.push(`proof=${proof}`);
  return `#${parts.join('&')}`;
}

/** What an address says: a game (or null), a view, the colour of whoever plays (or null), whether it is an exercise, and a certificate. */
export function fromAddress(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const comments = [...parts].filter(([name]) => /^c\d+$/.test(name)).map(([name, text]) => [Number(name.slice(1)), text]);
  const game = Game.fromParts({
    position: positionOf(parts.get('p') ?? ''), moves: parts.get('m') ?? '', at: Number(parts.get('n') ?? 0), comments,
    black: parts.get('black') ?? '', white: parts.get('white') ?? '',
  });
  const you = [BLACK, WHITE].find((player) => player === parts.get('you')) ?? null;
  return { game, view: parts.get('v') ?? 'explore', you, exercise: parts.has('exercise'), proof: parts.get('proof') };
}
