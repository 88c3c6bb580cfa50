// The review of a game: a strip of its moves, each marked as keeping the win or throwing it away.

import { cellName, isMove, joined, meaningOf, nameOf, other, playerOf, toText, wordOf } from './game.js';
import { byId, make, write } from './share.js';

/** With at most this many empty cells, a game is reviewed without being asked to. */
const SMALL = 25;

/** What a move can be: its sign and what it says. */
const KINDS = {
  kept: ['✓', 'keeps the win'],
  thrown: ['✗', 'throws the win away'],
  lost: ['–', 'already lost'],
  open: ['·', 'not known yet'],
  set: ['▪', 'set up'],
};

export class Review {
  constructor(app, lines) {
    this.app = app;
    this.lines = lines;
    byId('review').addEventListener('click', () => (this.running && this.wanted ? this.stop() : this.start(true)));
  }

  /** Who wins a state, as 'b' or 'w', if that is known. */
  winner(state) {
    const end = joined(state);
    if (end) return other(end.loser);
    const position = toText(state);
    const known = this.app.engine.result(position)?.winner ?? this.lines.known(position)?.winner;
    return known ? playerOf(known) : null;
  }

  kindOf(node) {
    if (node.cell < 0) return node.act ? 'act' : 'set';
    const mover = node.parent.state.toMove;
    const [before, after] = [this.winner(node.parent.state), this.winner(node.state)];
    if (after === mover) return 'kept';
    if (before === other(mover)) return 'lost';
    return before && after ? 'thrown' : 'open';
  }

  /** Solves what is not known yet, from the end on: late positions are easy, and help with the earlier ones. */
  async start(wanted = false) {
    const { app } = this;
    this.wanted = wanted;
    const running = new AbortController();
    this.stop();
    this.running = running;
    const nodes = [app.game.root, ...app.game.line()].reverse();
    app.draw();
    try {
      for (const { state } of nodes) {
        if (!this.winner(state)) await this.lines.find(toText(state), running.signal);
        if (this.running !== running) return;
        app.draw();
      }
    } catch (error) {
      if (this.running === running && wanted) app.say(error.message);
    }
    if (this.running === running) this.stop();
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.app.draw?.();
  }

  /** Shows a move of the strip; one that throws the win away with what would have won. */
  visit(node) {
    const thrown = this.kindOf(node) === 'thrown';
    this.app.go((game) => { game.at = thrown ? node.parent : node; });
    this.shown = thrown ? node : null;
    if (thrown) this.lines.find(toText(node.parent.state)).then(() => this.app.draw(), () => {});
    this.app.draw();
  }

  /** The move that throws the win away here, if that is being looked at. */
  get mistake() {
    const { shown } = this;
    return shown && this.app.game.at === shown.parent && shown.parent.children.includes(shown) ? shown : null;
  }

  /** A move that would have won instead. */
  better() {
    const { mistake } = this;
    if (!mistake) return null;
    const position = toText(mistake.parent.state);
    return this.app.engine.result(position)?.best ?? this.lines.known(position)?.line[0] ?? null;
  }

  /** All moves that would have won, as far as they are known. */
  get wins() {
    const moves = this.app.engine.result(toText(this.mistake.parent.state))?.moves ?? new Map();
    const found = [...moves].filter(([, value]) => value === 'win').map(([name]) => name).sort();
    const better = this.better();
    return found.length && found.length <= 3 ? found : better ? [better] : [];
  }

  says() {
    const { mistake } = this;
    const nodes = this.app.game.line();
    if (mistake) {
      const { state } = mistake.parent;
      const { wins } = this;
      return `${nameOf(state.toMove)} played ${cellName(state, mistake.cell)} here, which throws the win away.${wins.length ? ` ${wins.join(' or ')} would have won.` : ''}`;
    }
    const { at } = this.app.game;
    if (at.act) return `${nameOf(at.parent.state.toMove)}: ${wordOf(at)} (${meaningOf(at)}).`;
    if (this.running) return this.wanted ? 'Reviewing …' : '';
    if (nodes.some((node) => this.kindOf(node) === 'open')) return '';
    const thrown = ['b', 'w'].map((player) => nodes.filter((node) => this.kindOf(node) === 'thrown' && node.parent.state.toMove === player).length);
    const times = (count) => ['once', 'twice'][count - 1] ?? `${count} times`;
    const said = thrown.map((count, i) => count && `${nameOf('bw'[i])} throws the win away ${times(count)}`).filter(Boolean);
    if (said.length) return `${said.join(', ')}: choose ✗ to see what would have won.`;
    if (!this.wanted) return '';
    // A swap turns a lost game into a won one.
    const winner = nodes.every((node) => !node.act) && this.winner(this.app.game.root.state);
    return `No move of this line throws the win away.${winner ? ` ${nameOf(other(winner))} was lost from the start.` : ''}`;
  }

  /** Reviews a game on a small board by itself, once, when nothing else is searched. */
  follow(nodes) {
    const key = nodes.map(({ cell, state }) => `${cell} ${toText(state)}`).join();
    const small = this.app.game.root.state.stones.filter((stone) => !stone).length <= SMALL;
    if (this.running || !small || this.followed === key || !nodes.some((node) => this.kindOf(node) === 'open')) return;
    this.followed = key;
    this.start();
  }

  /** `idle`: whether the solver is on and has nothing to do. */
  draw(visible, idle) {
    const { game } = this.app;
    const nodes = visible ? game.line() : [];
    if (nodes.length && idle) this.follow(nodes);
    const strip = byId('strip');
    const looks = nodes.map((node, i) => [this.kindOf(node), node === game.at || node === this.mistake, `${i + 1}`]);
    const shown = `${JSON.stringify(looks)} ${nodes.map(wordOf)} ${nameOf('b')}`;
    write(byId('review'), this.running && this.wanted ? 'Stop' : 'Review');
    byId('review').hidden = !nodes.length;
    byId('strip-legend').hidden = !looks.some(([kind]) => ['kept', 'thrown', 'lost'].includes(kind));
    const says = nodes.length ? this.says() : '';
    byId('review-says').hidden = !says;
    // Read aloud where somebody asked for it, and not with every move.
    byId('review-says').setAttribute('aria-live', this.mistake || this.wanted ? 'polite' : 'off');
    write(byId('review-says'), says);
    if (strip.dataset.shown === shown) return;
    strip.dataset.shown = shown;
    const focused = [...strip.children].indexOf(document.activeElement);
    strip.replaceChildren(...nodes.map((node, i) => {
      const [kind, current] = looks[i];
      const name = isMove(node) ? wordOf(node) : 'position';
      // The solver has no verdict on a swap or a pass.
      const [sign, says] = node.act ? [name, meaningOf(node)] : KINDS[kind];
      const button = make('button', { className: kind, textContent: sign, title: `${i + 1}. ${name}: ${says}`, onclick: () => this.visit(node) });
      button.setAttribute('aria-label', `${i + 1}. ${isMove(node) ? `${nameOf(node.parent.state.toMove)} ` : ''}${name}: ${says}`);
      if (current) button.setAttribute('aria-current', 'true');
      return button;
    }));
    strip.children[focused]?.focus();
    const current = strip.querySelector('[aria-current]');
    // The strip alone is scrolled, not the page.
    if (current) strip.scrollLeft += current.getBoundingClientRect().left - strip.getBoundingClientRect().left - strip.clientWidth / 2;
  }
}
