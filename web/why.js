// What is known of a position without search, cell by cell, and a walk through a pairing.

import { ask } from './engine.js';
import { cellIndex, cellName, isEmpty, joined, nameOf, other, playerOf, setStone } from './game.js';
import { pairingOf } from './lines.js';
import { barsOf, letterOf, mateOf, pairLook, spoilsOf, strategyText } from './pairs.js';
import { byId, write } from './share.js';

const title = (word) => nameOf(playerOf(word));
const opponent = (word) => nameOf(other(playerOf(word)));

/** The theorems of “A Reverse Hex Solver”: their names, and what each says of two cells. */
const THEOREMS = {
  6: ['prefer victim to killer', (cell, better) => `a stone on ${cell} kills ${better}, that is, then the colour of ${better} no longer matters`],
  7: ['prefer vulnerable to opponent killer', (cell, better) => `the opponent’s stone on ${cell} would kill ${better}, that is, then its colour no longer matters`],
  8: ['prefer capturee to capturer', (cell, better) => `a stone on ${cell} would capture ${better} too`],
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

  /** Which step of the walk comes after all pairs: that of the key, and that of all together. */
  get steps() {
    const { pairs, key } = this.pairing ?? { pairs: [] };
    return { key: key ? pairs.length : -1, final: pairs.length + Number(Boolean(key)) };
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
    return pairingOf(this.answer);
  }

  /** Whether fill-in must be believed, too. */
  get needsFill() {
    return !this.answer.strategy;
  }

  /** The cells that are captured together with this one. */
  partners(name) {
    const step = this.answer.fill.find(({ kind, pairs }) => ['captured', 'decomposition'].includes(kind) && pairs.flat().includes(name));
    return step ? mateOf(step.pairs, name) : null;
  }

  cell(index) {
    return this.answer?.cells[cellName(this.app.state, index)];
  }

  /** Who is to move after fill-in: dead cells count as played. */
  get mover() {
    return nameOf(this.answer.filled.at(-1));
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
      dead: 'dead', 'dead stone': 'dead', captured: `captured by ${title(cell.player)}`,
      filled: `filled for ${title(cell.player)}`, dominated: inferior && `no better than ${cell.better}`, 'own key': inferior && 'own key',
    };
    const paired = this.pairing && pairLook(this.pairing, cellName(this.app.state, index));
    return [words[cell.is], paired?.label].filter(Boolean).join(', ');
  }

  /** What a cell is, in sentences. `searched`: a line of play is drawn from after a move there, and says the rest. */
  about(index, searched) {
    const cell = this.cell(index);
    if (!cell) return '';
    const name = cellName(this.app.state, index);
    const sentences = [];
    if (cell.is === 'dead') sentences.push('It is dead: its colour can never matter. A dead cell is at least as good a move as any.');
    if (cell.is === 'dead stone') sentences.push('This stone is dead: its colour no longer matters.');
    if (cell.is === 'captured') {
      const [player, partner] = [title(cell.player), this.partners(name)];
      sentences.push(partner
        ? `${player} captures it together with ${partner}: one of the two will be ${player}’s, and then the other no longer matters. Both count as ${player}’s.`
        : `It is captured by ${player}: it counts as ${player}’s stone.`);
    }
    if (cell.is === 'filled') sentences.push(`It may as well be ${title(cell.player)}’s: filling it in, with another cell for ${opponent(cell.player)}, changes nothing.`);
    const inferior = this.isInferior(index);
    if (cell.is === 'own key' && inferior) sentences.push(`It is a key that would connect ${this.mover}’s own sides, so it need not be tried.`);
    if (cell.is === 'dominated') {
      const own = this.mover === nameOf(this.app.state.toMove);
      const wins = own && this.app.engine.result(this.position)?.moves.get(name) === 'win';
      const need = wins ? 'No better than another move' : own ? 'Need not be tried' : `Once a dead cell is taken, it need not be tried by ${this.mover}`;
      sentences.push(inferior ? `${need}: ${cell.better} is at least as good (if ${name} works, so does ${cell.better}).` : `${cell.better} is at least as good.`);
    }
    const { pairing } = this;
    if (pairing && !searched) {
      const mate = mateOf(pairing.pairs, name);
      if (pairing.key === name) sentences.push(`It is the key: ${title(pairing.loser)} must take it in the end.`);
      if (mate && cell.is !== 'captured') sentences.push(`It is paired with ${mate}: ${title(pairing.loser)} will get one of the two.`);
    }
    if (cell.is === 'stone') sentences.push(`A stone of ${title(cell.player)}’s.`);
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
    const { answer, pairing } = this;
    if (joined(this.app.state)) return 'The game is over.';
    if (!answer) return '';
    if (!answer.winner) return 'No single rule decides this position; the line of play shows what the search found.';
    const winner = title(answer.winner);
    const loser = opponent(answer.winner);
    if (answer.reason === 'symmetry') {
      const stones = this.app.state.stones.includes(playerOf(answer.winner));
      const alike = stones ? `the mirror image of each stone of ${winner} is one of ${loser}’s` : 'the board looks the same to both players in a mirror';
      return `By symmetry: ${alike}, and ${loser} would colour the last cell. This argument names no move.`;
    }
    if (!pairing) return `With dead and captured cells filled in, ${loser}’s sides are connected.`;
    const filled = this.needsFill ? 'Count the small discs as stones: they are captured, or filled in without changing the winner. ' : '';
    const { mirrored } = pairing;
    const images = mirrored ? `Each cell from ${mirrored[0]} to ${mirrored.at(-1)} is paired with its mirror image. ` : '';
    const gets = pairing.pairs.length ? ` So ${loser} gets ${spoilsOf(pairing)}, and is connected by that, which loses.` : '';
    return `${images}${filled}${strategyText(pairing, winner, loser, answer.last !== answer.winner)}${gets}`;
  }

  /** How cells look when the theory is shown. */
  look() {
    if (!this.answer) return null;
    const { pairing } = this;
    const look = (index) => {
      const cell = this.cell(index);
      const shown = {};
      if (['dead', 'captured', 'filled'].includes(cell.is)) shown.kind = cell.is;
      if (cell.is === 'dead stone') shown.kind = 'dead';
      if (this.isInferior(index)) shown.kind = 'dominated';
      if (['captured', 'filled'].includes(cell.is)) shown.ghost = playerOf(cell.player);
      const paired = pairing && pairLook(pairing, cellName(this.app.state, index));
      if (paired) Object.assign(shown, { pair: paired.pair, ring: paired.ring, tag: paired.mark });
      return shown;
    };
    return { look, links: barsOf(this.app.state, pairing?.pairs ?? []) };
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

  /** Shows a step of the walk: one pair each, the key, and at the end all of them. */
  walk(step) {
    this.step = Math.min(step, this.steps.final);
    this.app.draw();
  }

  /** Where the walk takes place: on the board as it is, or with what must be filled in. Dead cells stay empty. */
  walkBoard() {
    const { state } = this.app;
    if (!this.needsFill) return state;
    return state.stones.reduce((filled, _, index) => {
      const { is, player } = this.cell(index);
      return ['captured', 'filled'].includes(is) ? setStone(filled, index, playerOf(player)) : filled;
    }, state);
  }

  walkLook() {
    const { pairing, step, steps } = this;
    const loser = playerOf(pairing.loser);
    const board = this.walkBoard();
    const final = step === steps.final;
    // The loser is joined whichever cell of each pair she has. The picture shows her with the first ones.
    let end = board;
    for (const [cell] of pairing.pairs) end = setStone(end, cellIndex(end, cell), loser);
    if (pairing.key) end = setStone(end, cellIndex(end, pairing.key), loser);
    const chain = final ? joined(end)?.chain ?? [] : [];
    const shownPairs = pairing.pairs.slice(0, final ? undefined : step + 1);
    const look = (index) => {
      const shown = { ...pairLook({ pairs: shownPairs, key: step >= steps.key ? pairing.key : null }, cellName(board, index)), label: this.labelOf(index) };
      const stone = final ? end.stones[index] : board.stones[index];
      if (isEmpty(this.app.state, index) && stone) shown.ghost = stone;
      if (shown.ghost && shown.mark) Object.assign(shown, { tag: shown.mark, mark: '' });
      if (chain.includes(index)) Object.assign(shown, { chain: true, pair: undefined });
      return shown;
    };
    return { look, links: barsOf(board, shownPairs) };
  }

  walkText() {
    const { pairing, step, steps } = this;
    const loser = title(pairing.loser);
    const winner = opponent(pairing.loser);
    if (step < pairing.pairs.length) {
      const [one, two] = pairing.pairs[step];
      const of = pairing.pairs.length > 1 ? ` (${step + 1} of ${pairing.pairs.length})` : '';
      return `Pair ${letterOf(step)}${of}: if ${loser} takes ${one}, ${winner} takes ${two}, and vice versa. ${loser} gets one of them.`;
    }
    if (step === steps.key) return `The key ${pairing.key}: ${winner} never plays it. ${loser} would colour the last cell, and so must take it in the end.`;
    const discs = this.needsFill ? ` With the small discs, which count as ${loser}’s,` : '';
    const gets = spoilsOf(pairing);
    return `${discs ? `${discs.trim()} ${gets}` : `${gets[0].toUpperCase()}${gets.slice(1)}`} connects ${loser}’s sides, whichever cells those are (here the first of each). ${loser} loses.`;
  }

  /**
   * `verdict(index)`: what the search says of a cell, in sentences; `line`: the line of play of the one that is asked about, if it
   * was `searched`. `visible`: whether verdicts are shown.
   */
  draw(hovered, { verdict, line, visible, searched }) {
    if (!visible) this.step = -1;
    const walking = this.walking();
    const over = joined(this.app.state);
    const winner = visible && !over && this.answer?.winner;
    write(byId('why-title'), winner ? `Why ${title(winner)} wins this position` : 'Why');
    write(byId('reason'), visible || !this.answer?.winner ? this.reason() : 'Verdicts are hidden, and so are the reasons.');
    byId('walk-start').hidden = walking || over || !this.pairing?.pairs.length || !visible;
    byId('walk').hidden = !walking;
    byId('walk-back').disabled = this.step <= 0;
    byId('walk-next').disabled = this.step >= this.steps.final;
    byId('why-on').disabled = walking || !visible;
    document.body.classList.toggle('walking', walking);
    write(byId('walk-says'), walking ? this.walkText() : '');
    // A screen reader reads a cell's label and description when it gets the focus.
    const pointed = visible && !walking && !over && hovered >= 0 && hovered < this.app.state.stones.length;
    write(byId('about-cell'), pointed ? [`${cellName(this.app.state, hovered)}:`, verdict(hovered)].filter(Boolean).join(' ') : '');
    write(byId('about-why'), pointed ? this.about(hovered, searched) : '');
    write(byId('about-line'), pointed ? line : '');
    const theorem = pointed ? this.theorem(hovered) : '';
    byId('theorem').hidden = !theorem;
    write(byId('theorem-says'), theorem);
    byId('about').classList.toggle('none', !pointed);
    byId('cell').hidden = Boolean(walking || over || !visible);
  }
}
