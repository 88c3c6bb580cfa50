// The page: which game is shown, in which view, and how the address, the keyboard and the buttons change it.

import { Board } from './board.js';
import { Engine } from './engine.js';
import { Explore } from './explore.js';
import { Game, callPlayers, canPlay, emptyState, fromAddress, joined, nameOf, toAddress, toText } from './game.js';
import { stayOffline } from './offline.js';
import { Openings } from './openings.js';
import { Options } from './options.js';
import { Play } from './play.js';
import { Proofs } from './proofs.js';
import { Puzzles } from './puzzles.js';
import { Rules } from './rules.js';
import { byId, remembered, remember, write } from './share.js';

/** The views with a game of their own; the others show that of Explore. */
const KEEPERS = ['play', 'puzzles', 'openings', 'proofs'];
const shelfOf = (view) => (KEEPERS.includes(view) ? view : 'explore');

const app = {
  game: new Game(emptyState(4, 4)),
  view: 'explore',
  undone: [],
  done: [],
  /** What the board shows besides stones. */
  looks: {},
  /** What the views showed that are not shown now. */
  shelves: {},

  get state() {
    return this.game.state;
  },

  /** Changes the game. Undo takes it back, together with the change before if it `goesOn` with that one. */
  edit(change, goesOn = false) {
    const before = toAddress(this.game);
    change(this.game);
    if (toAddress(this.game) !== before) {
      if (!goesOn) this.done.push(before);
      this.undone = [];
    }
    this.changed();
  },

  /** Shows another game; can be undone. */
  load(game, goesOn) {
    this.edit(() => { this.game = game; }, goesOn);
  },

  /** Call this before showing something else: the browser's Back then comes back here. */
  visit() {
    this.leaving = true;
  },

  /** Goes to another position of the game. */
  go(move) {
    move(this.game);
    this.changed();
  },

  undo() {
    this.travel(this.done, this.undone);
  },

  redo() {
    this.travel(this.undone, this.done);
  },

  travel(from, to) {
    const address = from.pop();
    if (!address) return;
    to.push(toAddress(this.game));
    this.game = fromAddress(address).game;
    this.changed();
  },

  /** Puts away the game of the view that is shown, and takes out that of another one. */
  turnTo(view) {
    const [from, to] = [this.view, view].map(shelfOf);
    if (from === to) return;
    const { game, done, undone } = this;
    this.shelves[from] = { game, done, undone };
    const kept = this.shelves[to] ?? { game: views[to].firstGame?.() ?? new Game(emptyState(4, 4)), done: [], undone: [] };
    Object.assign(this, kept);
  },

  /** Goes to another view, and to the game that was shown there. */
  goTo(view) {
    this.visit();
    this.turnTo(view);
    views[view]?.arrive?.();
    this.show(view);
  },

  /** Shows the same game in another view. There, undo brings back what it showed. */
  copyTo(view, game = fromAddress(toAddress(this.game)).game) {
    this.visit();
    this.turnTo(view);
    const before = toAddress(this.game);
    if (toAddress(game) !== before) {
      this.done.push(before);
      [this.game, this.undone] = [game, []];
    }
    this.show(view);
  },

  /** Starts a game against Solrex from the position that is shown. */
  playFrom() {
    const { state } = this;
    views.play.sit(state.toMove);
    views.play.fair = false;
    this.copyTo('play', new Game(state));
  },

  /** Goes to another view. */
  show(view) {
    if (view !== 'explore') views.explore.leave();
    this.view = view in views ? view : 'explore';
    for (const name of Object.keys(views)) byId(name).hidden = name !== this.view;
    for (const button of document.querySelectorAll('nav button')) {
      if (button.dataset.view === this.view) button.setAttribute('aria-current', 'page');
      else button.removeAttribute('aria-current');
    }
    document.body.dataset.view = this.view;
    document.title = this.view === 'explore' ? 'Solrex' : `${byId('nav').querySelector('[aria-current]').textContent} · Solrex`;
    views[this.view].enter?.();
    this.changed();
  },

  /** Draws everything again and updates the address. */
  changed() {
    this.writeAddress();
    this.engine.follow(views[this.view].searches?.() ? toText(this.state) : null);
    views[this.view].update?.();
    this.draw();
  },

  /** What is shown, as the end of a link. */
  get address() {
    const { you, proof } = { ...views[this.view].linked };
    return toAddress(this.game, this.view, { you, proof, exercise: this.exercise && this.view === 'explore' });
  },

  writeAddress() {
    const { address } = this;
    clearTimeout(this.unwritten);
    try {
      if (location.hash !== address) history[this.leaving ? 'pushState' : 'replaceState'](null, '', address);
      this.leaving = false;
    } catch {
      // Browsers refuse to change the address too often. Try again later.
      this.unwritten = setTimeout(() => this.writeAddress(), 2000);
    }
  },

  /** Draws what may have changed while a search runs or the pointer moves. */
  draw() {
    const { state, game } = this;
    const end = joined(state);
    const looks = views[this.view].look?.() ?? {};
    this.looks = looks;
    const look = (index) => ({
      ...looks.look?.(index),
      ...(end?.chain.includes(index) && { chain: true }),
    });
    const numbers = options.numbers ? game.numbers() : new Map();
    const numbered = (index) => ({ ...(numbers.has(index) && { number: numbers.get(index) }), ...look(index) });
    board.show(state, { ...looks, look: numbered, last: game.at.cell, enabled: !end });
    const turn = end ? `${nameOf(end.loser)} is connected and loses` : `${nameOf(state.toMove)} to move`;
    byId('turn').className = `turn ${end ? end.loser : state.toMove}`;
    if (byId('turn').textContent !== turn) byId('turn').textContent = turn;
    write(byId('note'), game.at.comment);
    byId('note').hidden = !game.at.comment;
    document.body.classList.toggle('unplayed', !game.root.children.length);
    views[this.view].draw?.();
    drawLegend();
    const steps = byId('steps').querySelectorAll('button');
    const usable = {
      start: game.at.parent, back: game.at.parent, forward: game.at.children.length,
      end: game.at.children.length, undo: this.done.length, redo: this.undone.length,
    };
    for (const button of steps) button.disabled = !usable[button.dataset.step];
  },

  /** Shows what is shown now in Explore. */
  toExplore() {
    if (this.view !== 'explore') this.copyTo('explore');
  },

  /** Makes a certificate for the position that is shown, in Proofs. */
  prove() {
    views.proofs.forget();
    this.copyTo('proofs');
    views.proofs.prove();
  },

  /** Lets the visitor play the losing side from here, in Explore: see beat.js. */
  tryToBeat() {
    this.toExplore();
    views.explore.beat.start();
  },

  /** Reviews the game that is shown, in Explore. */
  review() {
    this.toExplore();
    views.explore.review.start(true);
  },

  /** Passes on a link: to another app where the browser can, else to the clipboard. */
  async share(address) {
    const url = new URL(address, location.href).href;
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return navigator.share({ title: document.title, url }).catch(() => {});
    const copied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
    this.say(copied ? 'The link is copied.' : `The link is ${url}`);
  },

  /** A short note that goes away by itself. */
  say(text) {
    byId('said').textContent = text;
    byId('said').classList.add('on');
    clearTimeout(this.silence);
    this.silence = setTimeout(() => byId('said').classList.remove('on'), 4000);
  },
};

/** Shows the legend for the signs that are on the board now. */
function drawLegend() {
  for (const span of byId('legend').children) span.hidden = !byId('board').querySelector(span.dataset.of);
}

app.engine = new Engine(() => app.draw());

const views = {
  explore: new Explore(app),
  play: new Play(app),
  puzzles: new Puzzles(app),
  openings: new Openings(app),
  proofs: new Proofs(app),
  rules: new Rules(app),
};

const board = new Board(byId('board'), 'Rex board', {
  play: (index) => {
    if (!canPlay(app.state, index)) return;
    if (views[app.view].play) views[app.view].play(index);
    else app.edit((game) => game.play(index));
  },
  cycle: (index) => views[app.view].cycle?.(index),
  set: (index, stone) => views[app.view].set?.(index, stone),
  painting: () => views[app.view].painting?.() ?? false,
  paint: (index, first) => views[app.view].paint(index, first),
  look: (index, focused) => views[app.view].hover?.(index, focused),
  roll: (step) => (step < 0 ? steps.back : steps.forward)(),
}, 'about-why');

let options = {};
const setOptions = (values) => {
  app.options = options = values;
  document.documentElement.dataset.colours = values.colours;
  document.documentElement.dataset.stones = values.stones;
  callPlayers(...(values.stones === 'red' ? ['Red', 'Blue'] : ['Black', 'White']));
  for (const node of document.querySelectorAll('[data-player]')) node.textContent = nameOf(node.dataset.player);
  for (const button of document.querySelectorAll('[data-tool=b], [data-tool=w]')) button.ariaLabel = nameOf(button.dataset.tool);
  byId('board').classList.toggle('bare', !values.coordinates);
  board.turn(values.orientation);
};

const steps = {
  start: () => app.go((game) => game.toStart()),
  back: () => app.go((game) => game.back()),
  forward: () => app.go((game) => game.forward()),
  end: () => app.go((game) => game.toEnd()),
  undo: () => app.undo(),
  redo: () => app.redo(),
};

byId('steps').addEventListener('click', (event) => steps[event.target.dataset.step]?.());
byId('nav').addEventListener('click', (event) => {
  if (event.target.dataset.view) app.goTo(event.target.dataset.view);
});
byId('home').addEventListener('click', (event) => {
  event.preventDefault();
  app.goTo('explore');
});
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="#v="]');
  if (!link) return;
  event.preventDefault();
  app.goTo(link.hash.slice(3));
});
// Whoever has no keys wants the rules.
if (matchMedia('(pointer: coarse)').matches) Object.assign(byId('keys-open'), { ariaLabel: 'Rules', title: 'Rules' });
byId('keys-open').addEventListener('click', () => (byId('keys-open').title === 'Rules' ? app.goTo('rules') : byId('keys').showModal()));

document.addEventListener('keydown', (event) => {
  if (event.target.closest?.('textarea, select, dialog')) return;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const explores = app.view === 'explore';
  if (command && explores && key === 'z') (event.shiftKey ? steps.redo : steps.undo)();
  else if (command && explores && key === 'y') steps.redo();
  else if (command || event.altKey) return;
  else {
    const keys = {
      ',': steps.back, '.': steps.forward, arrowleft: steps.back, arrowright: steps.forward,
      home: steps.start, end: steps.end,
      arrowup: () => app.go((game) => game.sideways(-1)), arrowdown: () => app.go((game) => game.sideways(1)),
      e: () => views.explore.toggle('engine-on'), v: () => views.explore.toggle('verdicts-on'),
      y: () => views.explore.toggle('why-on'), s: () => views[app.view].changeSide?.(),
    };
    if (key === '?') return byId('keys').showModal();
    const { why } = views.explore;
    if (explores && why.walking()) {
      Object.assign(keys, { arrowleft: () => why.walk(Math.max(why.step - 1, 0)), arrowright: () => why.walk(why.step + 1) });
    }
    if (explores) keys.escape = () => views.explore.escape();
    const elsewhere = ['play', 'puzzles'].includes(app.view) ? [',', '.', 'arrowleft', 'arrowright'] : [];
    if (!keys[key] || (!explores && !elsewhere.includes(key))) return;
    keys[key]();
  }
  event.preventDefault();
});

const themes = ['', 'light', 'dark'];
const setTheme = (theme) => {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
byId('theme').addEventListener('click', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light');
  const next = now === 'dark' ? 'light' : 'dark';
  setTheme(next);
  remember('theme', next);
});
setTheme(themes.includes(remembered('theme', '')) ? remembered('theme', '') : '');

new Options((values) => {
  setOptions(values);
  if (!app.started) return;
  app.changed();
  // What it says is written once, with the names of the players.
  if (app.view === 'proofs') views.proofs.enter();
});

/** Shows what the address says. Undo brings back what was shown before. */
function readAddress() {
  const { game, view, you, exercise, proof } = fromAddress(location.hash);
  if (!game && !/^(#?|#v=\w+)$/.test(location.hash)) app.say('The link contains no readable position.');
  app.turnTo(view);
  if (game) views.explore.setExercise(exercise);
  const before = toAddress(app.game);
  if (game && toAddress(game) !== before) {
    if (app.started) app.done.push(before);
    app.undone = [];
    app.game = game;
  }
  app.started = true;
  if (you) views.play.sit(you);
  if (view === 'proofs') views.proofs.recall(proof, game && toText(game.state));
  app.show(view);
}
window.addEventListener('hashchange', readAddress);
document.addEventListener('visibilitychange', () => app.engine.rest(document.hidden));
readAddress();
// It has started: see start.js.
byId('trouble').remove();
stayOffline((text) => app.say(text));
