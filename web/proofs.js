// Certificates: made for a position or opened from a file, checked by the engine, and read on the board, claim by claim.

import { ask, engine } from './engine.js';
import { canPlay, cellIndex, cellName, fromText, Game, joined, nameOf, other, play, playerOf, toText } from './game.js';
import { barsOf, pairLook, pairText, spoilsOf, strategyText } from './pairs.js';
import { byId, download, fileName, make, moveButton, named, write } from './share.js';

/** What comes with the page: file, bytes, and what it proves. */
const PUBLISHED = [
  ['3x3.cert', 159, '3 × 3, White wins from the empty board: one line; can be played against'],
  ['4x4-d3.cert', 180, '4 × 4, Black opens d3 and wins by pairs: one line; can be played against'],
  ['4x4-d1.cert.zst', 4249, '4 × 4, Black opens d1 and wins; can be played against'],
  ['7x7-d3.cert', 211, '7 × 7, Black opens d3 and loses to nine pairs and a key; can be played against'],
  ['7x7-f2.cert.zst', 18239, '7 × 7, Black opens f2 and loses; a long one, to be walked through'],
];

/** With at most this many cells, a proof that can be played against is not long. */
const SMALL = 25;

/** Seconds that a proof may take, as for any search of the page. */
const PATIENCE = 300;

const thousands = (number) => number.toLocaleString('en');
const size = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const claims = (number) => (number === 1 ? '1 claim' : `${thousands(number)} claims`);
const listed = (names) => (names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);

/** What an engine said, with a capital letter and a full stop. */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

const IMAGES = {
  identity: 'the same as', rotation: 'half a turn of', transpose: 'the mirror image, with colours swapped, of',
  antitranspose: 'the mirror image, with colours swapped, of',
};

/** Why a move need not be answered. */
const inferior = ({ cell, better, theorem, pairs }, mover, opponent) => `${better} is at least as good for ${mover}: ${{
  6: `it is dead once ${mover} has ${cell}`,
  7: `it is dead once ${opponent} has ${cell}`,
  8: `a stone on ${cell} captures ${pairText(pairs ?? [])}`,
}[theorem]}`;

export class Proofs {
  constructor(app) {
    this.app = app;
    /** What the certificate proves, once it is checked. */
    this.proof = null;
    /** From the root to the claim that is shown: `{ claim, view, position, moves, said }`; `said` where there is no move. */
    this.path = [];
    this.build();
    const files = (event) => event.dataTransfer?.types.includes('Files');
    document.addEventListener('dragover', (event) => {
      if (!files(event)) return;
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    document.addEventListener('dragleave', (event) => !event.relatedTarget && document.body.classList.remove('dropping'));
    document.addEventListener('drop', (event) => {
      document.body.classList.remove('dropping');
      if (!files(event)) return;
      event.preventDefault();
      this.open(event.dataTransfer.files[0]);
    });
  }

  build() {
    this.status = make('p', { className: 'verdict', id: 'proof-status' });
    this.status.setAttribute('aria-live', 'polite');
    this.detail = make('p', { className: 'faint', id: 'proof-detail' });
    this.bar = make('div', { className: 'bar', hidden: true }, make('i'));
    this.bar.setAttribute('role', 'progressbar');
    this.bar.setAttribute('aria-label', 'Checked');
    this.cancel = make('button', { textContent: 'Cancel', hidden: true, onclick: () => this.stop() });
    this.prover = make('button', { id: 'prove', textContent: 'Prove this position', onclick: () => this.prove() });
    this.explicit = make('input', { type: 'checkbox', id: 'prove-explicit', onchange: () => { this.chosen = true; } });
    this.save = make('button', { id: 'proof-save', hidden: true, onclick: () => download(this.file, this.file.name) });
    this.again = make('button', { textContent: 'Check it again', hidden: true, onclick: () => this.open(this.file) });
    const input = make('input', { type: 'file', accept: '.cert,.zst', id: 'proof-file', className: 'unseen', onchange: () => {
      if (input.files[0]) this.open(input.files[0]);
      // The same file may be chosen again.
      input.value = '';
    } });
    input.setAttribute('aria-label', 'Certificate');
    this.claim = make('section', { className: 'card', id: 'claim', hidden: true });
    this.claim.setAttribute('aria-label', 'Claim');
    byId('proofs').append(
      make('section', { className: 'card' },
        make('h2', { textContent: 'Proofs' }),
        make('p', { className: 'faint', textContent: 'A certificate is a file that proves who wins a position. It is a list of claims: the last one is the result, and each rests on earlier ones. It is checked here, line by line; then you can walk through it. Solrex makes one for the position on the board, which comes from Explore.' }),
        make('div', { className: 'row' }, this.prover,
          make('button', { textContent: 'Choose a file …', title: 'A .cert or .cert.zst file; you can also drop it on the page', onclick: () => input.click() }), input),
        make('label', { className: 'switch faint' }, this.explicit, 'made to be played against (longer)'),
        this.status, this.bar, this.detail,
        make('div', { className: 'row' }, this.cancel, this.again, this.save)),
      this.claim,
      make('section', { className: 'card' },
        make('h2', { textContent: 'Published proofs' }),
        make('div', { className: 'list' }, ...PUBLISHED.map(([file, bytes, says]) =>
          make('button', { onclick: () => this.fetch(file) }, ...named(`${says} (${size(bytes)})`))))));
  }

  get isPublished() {
    return PUBLISHED.some(([file]) => file === this.file.name);
  }

  /** What the address says of it: a certificate that comes with the page can be found again. */
  get linked() {
    return this.proof && this.isPublished && { proof: this.file.name };
  }

  /** Opens what a link names, if it is not open. A link to another position puts the certificate away that is open. */
  recall(name, position) {
    if (!name && position && this.shown && this.at.position !== position) this.forget();
    if (this.file?.name !== name && PUBLISHED.some(([file]) => file === name)) this.fetch(name);
  }

  /** Loads a certificate that comes with the page. */
  async fetch(name) {
    try {
      const response = await fetch(name);
      if (!response.ok) throw new Error();
      this.open(new File([await response.blob()], name));
    } catch {
      this.forget();
      this.say(`${name} could not be loaded.`);
    }
  }

  /** Checks a file. */
  async open(file) {
    const { app } = this;
    this.forget();
    this.file = file;
    const turn = this.turn;
    if (app.view !== 'proofs') app.goTo('proofs');
    this.begin(`Checking ${file.name} …`, size(file.size));
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const checker = await engine;
      if (turn !== this.turn) return;
      this.checking = checker.check(bytes, (name, data) => turn === this.turn && this.hear(name, data));
    } catch {
      if (turn === this.turn) this.end(`${file.name} could not be read, or there is not enough memory for it.`);
    }
  }

  /** Says that there is something to wait for. */
  begin(text, detail = '') {
    this.say(text, detail);
    [this.bar.hidden, this.cancel.hidden, this.prover.disabled] = [false, false, true];
    this.bar.firstElementChild.style.width = '0';
  }

  /** The game of somebody who comes here for the first time: what Explore shows. */
  firstGame() {
    return new Game((this.app.shelves.explore ?? this.app).game.state);
  }

  /** Somebody comes here by the menu. Without a certificate, the board shows the position of Explore. */
  arrive() {
    if (!this.shown && !this.checking) this.app.game = this.firstGame();
  }

  update() {
    if (!this.chosen) this.explicit.checked = this.app.state.stones.length <= SMALL;
  }

  /** Makes a certificate for the position on the board. */
  async prove() {
    const { app } = this;
    const position = toText(app.state);
    // Made once more, in another way.
    const again = this.proof?.position === position && !this.isPublished;
    const name = again ? this.file.name : `${fileName(app.game)}.cert.zst`;
    this.forget();
    if (joined(app.state)) return this.say('The game is over, so there is nothing to prove.');
    const turn = this.turn;
    this.begin('Solving the position …');
    const prover = await engine;
    if (turn !== this.turn) return;
    const request = { position, explicit: this.explicit.checked, compressed: true, keep: true, seconds: PATIENCE };
    this.checking = prover.prove(request, (event, data) => {
      if (turn !== this.turn) return;
      if (event === 'file') this.file = new File([data], name);
      else this.hear(event, data);
    });
  }

  hear(name, data) {
    if (name === 'waiting') this.detail.textContent = data.waiting ? 'Waiting: the server has other searches' : '';
    else if (name === 'progress' && data.nodes !== undefined) {
      this.detail.textContent = `${thousands(data.nodes)} nodes, ${data.seconds.toFixed(1)} s`;
    } else if (name === 'progress' && data.read === undefined) this.say('Writing the proof …', `${claims(data.claims)} so far`);
    else if (name === 'progress') {
      const share = Math.floor((100 * data.read) / data.file_bytes);
      this.bar.firstElementChild.style.width = `${share}%`;
      this.bar.setAttribute('aria-valuenow', share);
      this.detail.textContent = `${claims(data.claims)} checked, ${share} % of the file`;
    } else if (name === 'failed') this.end(sentence(data.error));
    else if (name === 'answer' && data.stopped) {
      const known = data.winner ? `${nameOf(playerOf(data.winner))} wins, but the proof` : 'The position';
      const done = data.winner ? 'finished' : 'solved';
      this.end(`${known} was not ${done} in ${PATIENCE / 60} minutes, so nothing is proved. “solrex prove” has no limit.`);
    } else if (name === 'answer' && data.error) this.end(`${this.file?.name ?? 'This'} is not a proof. Line ${thousands(data.line)}: ${data.error}.`);
    else if (name === 'answer') this.take(data);
  }

  /** The certificate is a proof. */
  take(proof) {
    const rules = proof.rules === 'explicit'
      ? 'it names every move of the winner, so you can play against it' : 'it uses rules that name no moves, so it cannot be played against';
    const details = [claims(proof.claims), rules, `checked in ${proof.check_seconds.toFixed(2)} s`];
    this.end(`It is a proof: ${nameOf(playerOf(proof.winner))} wins.`, details.join(' · '));
    write(this.save, `Save it (${size(this.file.size)})`);
    this.save.hidden = this.isPublished;
    if (this.app.view !== 'proofs') this.app.say('The certificate is ready, in Proofs.');
    if (!proof.certificate) {
      this.detail.textContent += ' There is not enough memory to read it here.';
      return;
    }
    this.proof = proof;
    this.go({ claim: proof.root, view: 'identity', position: proof.position, moves: [], said: 'start' });
  }

  stop() {
    this.end('Stopped before the end: nothing is proved.');
  }

  end(text, detail = '') {
    this.checking?.close();
    this.checking = null;
    [this.bar.hidden, this.cancel.hidden, this.prover.disabled] = [true, true, false];
    this.turn++;
    this.say(text, detail);
  }

  say(text, detail = '') {
    write(this.status, text);
    write(this.detail, detail);
  }

  /** Forgets the certificate that was read. */
  forget() {
    this.checking?.close();
    this.checking = null;
    this.turn = (this.turn ?? 0) + 1;
    [this.proof, this.path, this.shown, this.note, this.playing] = [null, [], null, '', false];
    [this.bar.hidden, this.cancel.hidden, this.again.hidden, this.save.hidden, this.claim.hidden] = [true, true, true, true, true];
    this.prover.disabled = false;
  }

  get at() {
    return this.path.at(-1);
  }

  /** Asks about the certificate. Returns nothing if something else was asked in the meantime, or if it fails. */
  async ask(what, body) {
    const turn = ++this.turn;
    try {
      const answer = await ask(what, { certificate: this.proof.certificate, ...body });
      return turn === this.turn ? answer : null;
    } catch (error) {
      if (turn !== this.turn) return null;
      this.say(sentence(error.message));
      this.again.hidden = false;
      return null;
    }
  }

  /** Goes from the claim that is shown to one that it rests on. */
  async go(step, path = this.path) {
    const { claim, view } = step;
    const shown = await this.ask('claim', { claim, view });
    if (!shown) return;
    this.path = [...path, step];
    [this.shown, this.note] = [shown, ''];
    // Somebody may have gone to another view meanwhile: see `enter`.
    if (this.app.view !== 'proofs') return;
    this.show();
    // On a phone the board hides what is above. Elsewhere what was said of the file stays in sight.
    for (const part of [this.claim.firstElementChild, byId('claim-note')]) part.scrollIntoView({ block: 'nearest' });
  }

  /** Goes back to a place on the way here. */
  back(length) {
    this.playing = false;
    if (length) this.go(this.path[length - 1], this.path.slice(0, length - 1));
  }

  follow(premise) {
    const { claim, view, move } = premise;
    const said = { image: 'image', fill: 'filled in', worse: 'a worse position' }[this.shown.rule];
    if (move === undefined) return this.go({ claim, view, position: premise.position, moves: [], said });
    const state = fromText(this.at.position);
    this.go({ claim, view, position: toText(play(state, cellIndex(state, move))), moves: [move] });
  }

  /** Puts the position on the board, with the moves since the last one that was set up. */
  show() {
    const set = this.path.findLastIndex(({ said }) => said && said !== 'image');
    const game = new Game(fromText(this.path[Math.max(set, 0)].position));
    for (const { moves } of this.path.slice(set + 1)) for (const move of moves) game.play(cellIndex(game.state, move));
    this.app.game = game;
    this.app.changed();
    this.drawClaim();
  }

  enter() {
    if (this.shown) this.show();
  }

  /** Whose side the visitor plays: the loser's. */
  get loser() {
    return other(playerOf(this.shown.winner));
  }

  play(index) {
    if (!this.shown) return this.app.say('Set up a position in Explore, and then prove it here.');
    const name = cellName(this.app.state, index);
    if (this.playing) return this.answer(name);
    const { rule, premises, joins = [], dominated = [] } = this.shown;
    const premise = premises.find(({ move }) => move === name);
    const worse = dominated.find(({ cell }) => cell === name);
    const [mover, opponent] = [this.loser, other(this.loser)].map(nameOf);
    if (premise) return this.follow(premise);
    this.note = joins.includes(name) ? `${name} connects ${mover}’s own sides, and loses at once.`
      : worse ? `The proof does not look at ${name}: ${inferior(worse, mover, opponent)}.`
        : rule === 'move' ? `The proof goes on with ${premises[0].move}.` : premises.length ? `The proof goes on with claim ${premises[0].claim}.` : 'This claim needs no moves.';
    this.drawClaim();
  }

  /** Starts a game against the certificate from here, or ends it. */
  startOrStop() {
    this.playing = !this.playing;
    this.note = this.playing ? `Your move: you are ${nameOf(this.loser)}.` : '';
    if (this.playing && this.app.state.toMove !== this.loser) this.answer();
    else this.drawClaim();
  }

  /** Makes the visitor's move, and the one that the certificate answers with. */
  async answer(move) {
    if (move && (this.app.state.toMove !== this.loser || !canPlay(this.app.state, cellIndex(this.app.state, move)))) return;
    const { claim, view, position } = this.at;
    const answer = await this.ask('reply', { claim, view, position, move });
    if (!answer) return;
    const moves = [move, answer.move].filter(Boolean);
    await this.go({ claim: answer.claim, view: answer.view, position: answer.position, moves });
    if (joined(this.app.state)) this.note = 'You have connected your two sides: you lose, as the certificate says.';
    else this.note = `The certificate answers ${answer.move}. Your move: you are ${nameOf(this.loser)}.`;
    this.drawClaim();
  }

  look() {
    const { shown } = this;
    if (!shown || joined(this.app.state)) return {};
    const marks = new Map();
    const mark = (name, more) => marks.set(name, { ...marks.get(name), ...more });
    const arrows = [];
    const place = (name) => cellIndex(this.app.state, name);
    for (const { move } of shown.premises) {
      if (move) mark(move, shown.rule === 'move' ? { best: true, label: 'wins' } : { kind: 'loss', mark: '–', label: 'loses' });
    }
    for (const name of shown.joins ?? []) mark(name, { kind: 'loss', mark: '–', label: 'loses at once by connecting' });
    for (const { cell, better } of shown.dominated ?? []) {
      mark(cell, { kind: 'dominated', label: `no better than ${better}` });
      arrows.push([place(cell), place(better)]);
    }
    const pairing = { pairs: shown.pairs ?? [], key: shown.key };
    for (const name of [...pairing.pairs.flat(), pairing.key].filter(Boolean)) mark(name, pairLook(pairing, name));
    for (const step of shown.steps ?? []) {
      if (step.kind === 'dead') for (const name of step.cells) mark(name, { kind: 'dead', ghost: undefined, label: 'dead' });
      else if (step.kind === 'captured') {
        for (const name of step.pairs.flat()) mark(name, { kind: 'captured', ghost: playerOf(step.player), label: `captured by ${nameOf(playerOf(step.player))}` });
      } else {
        for (const side of ['black', 'white']) mark(step[side], { kind: 'filled', ghost: playerOf(side), label: `filled for ${nameOf(playerOf(side))}` });
      }
    }
    return { look: (index) => marks.get(cellName(this.app.state, index)) ?? {}, arrows, links: barsOf(this.app.state, pairing.pairs) };
  }

  /** The rule in plain words, with links to what the claim rests on. */
  reason() {
    const { rule, winner, premises, joins, dominated, pairs, key, steps, symmetry } = this.shown;
    const [wins, loses] = [playerOf(winner), other(playerOf(winner))].map(nameOf);
    const link = (premise) => moveButton(`claim ${thousands(premise.claim)}`, () => this.follow(premise));
    const item = (...parts) => make('li', {}, ...parts);
    switch (rule) {
      case 'joined': return [`${loses} is connected, so ${wins} has won.`];
      case 'move': return [`${wins} plays ${premises[0].move}, and then wins by `, link(premises[0]), '.'];
      case 'all': return [`${loses} is to move, and every move loses:`, make('ul', {},
        ...premises.map((premise) => item(`${premise.move}: ${wins} wins by `, link(premise))),
        ...(joins.length ? [item(`${listed(joins)}: connects ${loses}’s own sides at once`)] : []),
        ...dominated.map((one) => item(`${one.cell}: not needed; ${inferior(one, loses, wins)}`)))];
      case 'pairs': {
        if (!pairs.length && !key) return [`However they go on, ${loses}’s sides get connected.`];
        const { state } = this.app;
        const empty = state.stones.filter((stone) => !stone).length;
        const last = empty % 2 ? state.toMove : other(state.toMove);
        const how = strategyText({ pairs, key }, wins, loses, nameOf(last) === loses);
        return [pairs.length
          ? `Pairs decide: ${pairText(pairs)}. ${how} So ${loses} gets ${spoilsOf({ pairs, key })}, and is connected by that.`
          : `A key decides: ${how}`];
      }
      case 'mirror': return [`${wins} wins by symmetry: the mirror image of each stone of ${wins} is one of ${loses}’s, and ${loses} would colour the last cell. This names no move.`];
      case 'image': return [`This position is ${IMAGES[symmetry]} that of `, link(premises[0]), ', so the same proof holds.'];
      case 'fill': return ['Some cells can be filled in without changing the winner:', make('ul', {}, ...steps.map((step) => item({
        dead: () => `${listed(step.cells)}: dead, the colour does not matter`,
        captured: () => `${pairText(step.pairs)}: captured by ${nameOf(playerOf(step.player))}, and counts as such stones`,
        mutual: () => `${step.black} for ${nameOf('b')} and ${step.white} for ${nameOf('w')}: neither hurts the other`,
      }[step.kind]()))), 'The filled position is won by ', link(premises[0]), '.'];
      default: return [`${wins} even wins the position of `, link(premises[0]), `, which is worse for ${wins} on every cell.`];
    }
  }

  drawClaim() {
    const { shown, path, claim, app } = this;
    claim.hidden = !shown;
    if (!shown) return;
    const over = joined(app.state);
    const wins = nameOf(playerOf(shown.winner));
    const trail = path.map(({ moves, said }, i) => {
      const button = moveButton(moves.join(' ') || said, () => this.back(i + 1));
      if (i === path.length - 1) button.setAttribute('aria-current', 'true');
      return button;
    });
    const playing = this.proof.rules === 'explicit' && !over && make('button', {
      id: 'proof-play', textContent: this.playing ? 'Stop playing' : `Play ${nameOf(this.loser)} against it`, onclick: () => this.startOrStop(),
    });
    const words = over ? [`${nameOf(over.loser)} is connected: ${nameOf(other(over.loser))} has won.`] : this.reason();
    claim.replaceChildren(
      make('div', { className: 'row spread' },
        make('h2', { textContent: `Claim ${thousands(shown.claim)}` }),
        make('button', { className: 'quiet', textContent: 'Back', id: 'claim-back', disabled: path.length < 2, onclick: () => this.back(path.length - 1) })),
      make('p', { className: 'verdict', id: 'claim-says', textContent: over ? `${wins} has won.` : `${nameOf(app.state.toMove)} to move; ${wins} wins.` }),
      make('div', { className: 'moves', id: 'claim-trail' }, ...trail),
      make('p', { id: 'claim-note', textContent: this.note }),
      make('div', { id: 'claim-why', className: 'line', hidden: this.playing && !over }, ...words),
      make('div', { className: 'row' }, ...(playing ? [playing] : []), make('button', { id: 'explore-claim', textContent: 'Explore this position', onclick: () => app.toExplore() })),
      make('details', {}, make('summary', { textContent: 'The line in the file' }), make('code', { className: 'faint', textContent: shown.line })));
    byId('claim-note').setAttribute('aria-live', 'polite');
  }
}
