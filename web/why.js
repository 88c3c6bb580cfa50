// What is known of a position without search, cell by cell, and a walk through a pairing.

import { ask } from './engine.js';
import { cellIndex, cellName, fromText, isEmpty, joined, nameOf, setStone } from './game.js';
import { byId, write } from './share.js';

const letter = (word) => (word === 'black' ? 'b' : 'w');
const title = (word) => word[0].toUpperCase() + word.slice(1);

/** The theorems of “A Reverse Hex Solver”: their names, and what each says of two cells. */
const THEOREMS = {
  6: ['prefer victim to killer', (cell, better) => `a stone on ${cell} kills ${better}, that is, then the colour of ${better} no longer matters`],
  7: ['prefer vulnerable to opponent killer', (cell, better) => `the opponent’s stone on ${cell} would kill ${better}, that is, then its colour no longer matters`],
  8: ['prefer capturee to capturer', (cell, better) => `with ${cell} she would capture ${better} too`],
  10: ['prefer filled to mutual fill-in creator', (cell, better) => `${cell} would give ${better} and another cell to one player each`],
};

export class Why {
  constructor(app) {
    this.app = app;
    this.known = new Map();
    this.step = -1;
    byId('walk-start').addEventListener('click', () => this.walk(0));
    byId('walk-next').addEventListener('click', () => this.walk(this.step + 1));
    byId('walk-back').addEventListener('click', () => this.walk(this.step - 1));
    byId('walk-end').addEventListener('click', () => this.walk(-1));
  }

  /** Explains this position. */
  async follow(position) {
    if (position === this.position) return;
    this.position = position;
    this.step = -1;
    if (this.known.has(position) || joined(this.app.state)) return;
    try {
      const answer = await ask('explain', { position });
      this.known.set(position, answer);
      if (this.known.size > 300) this.known.delete(this.known.keys().next().value);
    } catch (error) {
      // The engine cannot be reached. Ask again later; the solver's card says so already.
      if (this.position === position) this.position = null;
    }
    if (this.position === position) this.app.draw();
  }

  get answer() {
    return this.known.get(this.position);
  }

  get pairing() {
    const { answer } = this;
    return answer?.pairings.find((found) => found.loser !== answer.winner);
  }

  cell(index) {
    return this.answer?.cells[cellName(this.app.state, index)];
  }

  /** Who is to move after fill-in: dead cells count as played. */
  get mover() {
    return this.answer.filled.endsWith('b') ? 'Black' : 'White';
  }

  /** Whether to mark a move as inferior. The suggested move never is, even if another one is as good. */
  isInferior(index) {
    const best = byId('verdicts-on').checked && this.app.engine.result(this.position)?.best;
    const suggested = best === cellName(this.app.state, index);
    return !suggested && ['dominated', 'own key'].includes(this.cell(index)?.is);
  }

  /** A few words for the label of a cell. */
  labelOf(index) {
    const cell = this.cell(index);
    if (!cell) return '';
    const inferior = this.isInferior(index);
    const words = {
      dead: 'dead', 'dead stone': 'dead', captured: `captured by ${title(cell.player ?? 'x')}`,
      filled: `filled for ${title(cell.player ?? 'x')}`, dominated: inferior && `no better than ${cell.better}`, 'own key': inferior && 'own key',
    };
    return [words[cell.is], cell.key_of && 'key', cell.mate && `paired with ${cell.mate.cell}`].filter(Boolean).join(', ');
  }

  /** What a cell is, in sentences. `searched`: a line of play says the rest. */
  about(index, searched) {
    const cell = this.cell(index);
    if (!cell) return '';
    const name = cellName(this.app.state, index);
    const sentences = [];
    if (cell.is === 'dead') sentences.push('It is dead: its colour can never matter. A dead cell is as good a move as any.');
    if (cell.is === 'dead stone') sentences.push('This stone is dead: its colour no longer matters.');
    if (cell.is === 'captured') sentences.push(`It is captured by ${title(cell.player)}: it counts as her stone.`);
    if (cell.is === 'filled') sentences.push(`A mutual fill-in makes it ${title(cell.player)}’s.`);
    const inferior = this.isInferior(index);
    if (cell.is === 'own key' && inferior) sentences.push(`It is the key of a pairing that would connect ${this.mover}’s own sides, so she need not try it.`);
    if (cell.is === 'dominated') {
      const need = this.mover === nameOf(this.app.state.toMove) ? 'Need not be tried' : `Once a dead cell is taken, it need not be tried by ${this.mover}`;
      sentences.push(inferior
        ? `${need}: ${cell.better} is at least as good (if ${name} works, so does ${cell.better}).`
        : `${cell.better} is at least as good.`);
    }
    if (cell.key_of) sentences.push(`It is the key of the pairing that connects ${title(cell.key_of)}’s sides.`);
    if (cell.mate) sentences.push(`It is paired with ${cell.mate.cell}: ${title(cell.mate.of)} will get one of the two.`);
    if (cell.is === 'stone') sentences.push(`A ${cell.player} stone.`);
    if (cell.is === 'open' && !sentences.length && !searched) sentences.push('No rule says anything about it: it takes a search.');
    return sentences.join(' ');
  }

  /** The theorem behind what is said of a cell. */
  theorem(index) {
    const cell = this.cell(index);
    const [slogan, reason] = THEOREMS[cell?.is === 'dominated' ? cell.theorem : 0] ?? [];
    if (!slogan) return '';
    return `Theorem ${cell.theorem} of “A Reverse Hex Solver”: ${slogan}. Here ${reason(cellName(this.app.state, index), cell.better)}.`;
  }

  reason() {
    const { answer } = this;
    if (joined(this.app.state)) return 'The game is over.';
    if (!answer) return '';
    const pairs = answer.pairings.length;
    if (!answer.winner) return 'No rule decides this position alone; the line of play shows what the search found.';
    const winner = title(answer.winner);
    const loser = answer.winner === 'black' ? 'White' : 'Black';
    switch (answer.reason) {
      case 'fill-in': return `${winner} wins without search: with dead and captured cells filled in, ${loser}’s sides are connected.`;
      case 'symmetry': return `${winner} wins by symmetry: the mirror image of each of her stones is one of ${loser}’s, and ${loser} would colour the last cell. This argument names no move.`;
      case 'join pairing': return `${winner} wins without search, by a pairing: whenever ${loser} takes one cell of a pair, ${winner} takes the other, and in the end ${loser}’s sides are connected.`;
      case 'pre-join pairing': return `${winner} wins without search, by a pairing with a key: ${loser} would colour the last cell, so she cannot avoid the key; whenever she takes one cell of a pair, ${winner} takes the other.`;
      default: return pairs ? 'A pairing decides it.' : '';
    }
  }

  /** How cells look when the theory is shown. */
  look() {
    if (!this.answer) return null;
    const filled = fromText(this.answer.filled);
    const pairs = this.pairing?.pairs ?? [];
    const look = (index) => {
      const cell = this.cell(index);
      const name = cellName(this.app.state, index);
      const shown = {};
      if (['dead', 'captured', 'filled'].includes(cell.is)) shown.kind = cell.is;
      if (cell.is === 'dead stone') shown.kind = 'dead';
      if (this.isInferior(index)) shown.kind = 'dominated';
      if (['captured', 'filled'].includes(cell.is)) shown.ghost = letter(cell.player);
      const pair = pairs.findIndex((cells) => cells.includes(name));
      if (pair >= 0) shown.pair = pair;
      if (this.pairing?.key === name) shown.ring = true;
      return filled ? shown : {};
    };
    return { look };
  }

  /** An arrow from the inferior cell under the pointer to the better one. If there is none and `all` is set, arrows from all inferior cells. */
  arrows(hovered, all) {
    const { state } = this.app;
    const arrows = (this.answer?.dominated ?? [])
      .map(({ cell, better }) => [cellIndex(state, cell), cellIndex(state, better)])
      .filter(([from]) => this.isInferior(from));
    const pointed = arrows.filter(([from]) => from === hovered);
    return pointed.length || !all ? pointed : arrows;
  }

  walking() {
    return this.step >= 0 && Boolean(this.pairing);
  }

  /** Shows a step of the walk: one pair each, and at the end all of them. */
  walk(step) {
    const last = this.pairing?.pairs.length ?? 0;
    this.step = Math.min(step, last);
    this.app.draw();
  }

  walkLook() {
    const { pairing, step } = this;
    const loser = letter(pairing.loser);
    const filled = fromText(this.answer.filled);
    const final = step === pairing.pairs.length;
    // The loser is joined whichever cell of each pair she has. The picture shows her with the first ones.
    let end = filled;
    for (const [cell] of pairing.pairs) end = setStone(end, cellIndex(end, cell), loser);
    if (pairing.key) end = setStone(end, cellIndex(end, pairing.key), loser);
    const chain = final ? joined(end)?.chain ?? [] : [];
    const look = (index) => {
      const name = cellName(filled, index);
      const pair = pairing.pairs.findIndex((cells) => cells.includes(name));
      const shown = { ring: pairing.key === name, label: this.labelOf(index) };
      if (pair >= 0 && (final || pair <= step)) shown.pair = pair;
      const stone = final ? end.stones[index] : filled.stones[index];
      if (isEmpty(this.app.state, index) && stone) shown.ghost = stone;
      // Some people cannot tell the colours apart, and there are only eight.
      if (shown.pair !== undefined && !shown.ghost) shown.mark = !final && pair === step ? '↔' : String(pair + 1);
      if (shown.ring && !shown.ghost) shown.mark = '★';
      if (chain.includes(index)) shown.chain = true;
      return shown;
    };
    return { look };
  }

  walkText() {
    const { pairing, step } = this;
    const loser = title(pairing.loser);
    const winner = pairing.loser === 'black' ? 'White' : 'Black';
    if (step < pairing.pairs.length) {
      const [one, two] = pairing.pairs[step];
      return `Pair ${step + 1} of ${pairing.pairs.length}: if ${loser} takes ${one}, ${winner} takes ${two}, and vice versa. ${loser} gets one of them.`;
    }
    const key = pairing.key ? `, with the key ${pairing.key},` : '';
    return `One cell of each pair${key} connects ${loser}’s sides, whichever cells she got (here the first of each). She has lost.`;
  }

  /**
   * `verdict(index)`: what the search says of a cell, in sentences; `line`: the line of play of the one that is asked about, if it
   * was `searched`. `visible`: whether verdicts are shown.
   */
  draw(hovered, { verdict, line, visible, searched }) {
    if (!visible) this.step = -1;
    const walking = this.walking();
    write(byId('reason'), visible || !this.answer?.winner ? this.reason() : 'Verdicts are hidden.');
    byId('walk').hidden = !this.pairing || !visible;
    byId('walk-start').hidden = walking;
    for (const id of ['walk-back', 'walk-next', 'walk-end']) byId(id).hidden = !walking;
    byId('walk-back').disabled = this.step <= 0;
    byId('walk-next').disabled = this.step >= (this.pairing?.pairs.length ?? 0);
    const pointed = !walking && hovered >= 0 && hovered < this.app.state.stones.length;
    // A screen reader reads each step of the walk. A cell's label and description are read when it gets the focus.
    byId('about').setAttribute('aria-live', walking ? 'polite' : 'off');
    const head = pointed ? [`${cellName(this.app.state, hovered)}:`, verdict(hovered)].filter(Boolean).join(' ') : '';
    write(byId('about-cell'), head);
    write(byId('about-why'), walking ? this.walkText() : pointed ? this.about(hovered, searched) : '');
    write(byId('about-line'), pointed ? line : '');
    const theorem = pointed ? this.theorem(hovered) : '';
    byId('theorem').hidden = !theorem;
    write(byId('theorem-says'), theorem);
    byId('about').classList.toggle('none', !walking && !pointed);
  }
}
