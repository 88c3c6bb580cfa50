// Import and export, and the small things that all views share.

import { ask } from './engine.js';
import { Game, cellName, fromAddress, isMove, nameOf, toAddress, wordOf } from './game.js';

export const byId = (id) => document.getElementById(id);

/** Makes an element with properties and children. */
export function make(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** A text in which “Black” and “White” are called as the visitor likes. */
export const named = (text) => text.split(/(Black|White)/).map((part, i) => {
  if (i % 2 === 0) return part;
  const player = part === 'Black' ? 'b' : 'w';
  const span = make('span', { textContent: nameOf(player) });
  span.dataset.player = player;
  return span;
});

export const moveButton = (name, use) => make('button', { textContent: name, onclick: use, type: 'button' });

/** Sets a text only if it changed, so that screen readers do not read it twice. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const thousands = (number) => Math.round(number).toLocaleString('en');

/** What keeps a search from continuing, if anything does. */
export function troubleText({ status, error }) {
  return { away: 'The server is not answering; waiting for it.', failed: error }[status] ?? '';
}

/** How far a search has got: moves, nodes, time, speed, and the line it is searching; or why it is waiting. */
export function progressText(result, cells) {
  const { progress, status, searches } = result;
  if (result.crowded) return 'Waiting: other tabs of this browser are searching …';
  const turn = `waiting for its turn: ${searches ? `${searches} searches share the server` : 'the server has other searches'}`;
  if (!progress) return result.waiting ? turn : '';
  const parts = [`${result.moves.size} of ${cells} moves solved`, `${thousands(progress.nodes)} ${progress.nodes === 1 ? 'node' : 'nodes'}`];
  if (progress.seconds) {
    parts.push(`${progress.seconds.toFixed(progress.seconds < 10 ? 2 : 0)} s`);
    if (progress.seconds > 0.5) parts.push(`${thousands(progress.nodes / progress.seconds)} nodes/s`);
  }
  if (result.waiting) parts.push(turn);
  else if (status === 'counting') parts.push('counting winning replies');
  else if (progress.line?.length && status === 'searching') parts.push(`searching ${progress.line.slice(0, 8).join(' ')}`);
  const limits = { time: 'time limit', nodes: 'node limit', memory: 'out of memory' };
  if (status === 'stopped') parts.push(limits[result.stopped] ? `stopped: ${limits[result.stopped]}` : 'stopped');
  if (status === 'hidden') parts.push('stopped while the page is hidden');
  return parts.join(' · ');
}

/** What the browser has stored. If it may not store anything, the page still works. */
export function remembered(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`solrex.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(`solrex.${key}`, JSON.stringify(value));
  } catch {
    // The browser does not allow it.
  }
}

/** What a saved file is called: the board and the moves to what is shown, such as rex-4x4-d1-a1. */
export function fileName(game) {
  const { rows, cols } = game.state;
  return [`rex-${rows}x${cols}`, ...game.path.filter(isMove).map(wordOf)].join('-').replaceAll(' ', '-').slice(0, 60);
}

/** Saves a file. */
export function download(blob, name) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export class Share {
  constructor(app) {
    this.app = app;
    byId('import').addEventListener('submit', (event) => {
      event.preventDefault();
      this.import(byId('import-text').value);
    });
    byId('import-side').addEventListener('click', (event) => {
      const { side } = event.target.dataset;
      if (side) this.import(byId('import-text').value, side);
    });
    byId('format').addEventListener('change', () => this.update());
    byId('share').addEventListener('toggle', () => this.update());
    byId('copy').addEventListener('click', () => this.copy());
    byId('open-file').addEventListener('click', () => byId('game-file').click());
    byId('game-file').addEventListener('change', async () => {
      const [file] = byId('game-file').files;
      if (file) await this.import(await file.text());
      // The same file may be chosen again.
      byId('game-file').value = '';
    });
    byId('save-sgf').addEventListener('click', () => this.save('sgf'));
    byId('save-svg').addEventListener('click', () => this.save('svg'));
    byId('save-png').addEventListener('click', () => this.save('png'));
  }

  /** `side`: who is to move, where the text does not say it. */
  async import(text, side) {
    const said = byId('import-error');
    // A place in the text is marked below it, letter by letter; a note is no error.
    const say = (what, kind) => Object.assign(said, { textContent: what, className: kind });
    say('', 'error');
    byId('import-side').hidden = true;
    try {
      const hash = text.indexOf('#p=');
      const { rows, cols } = this.app.state;
      // A link to this page needs no server.
      const answer = hash < 0 ? await ask('import', { text, board: `${rows}x${cols}`, to_move: side }) : {};
      if (answer.missing === 'to_move') {
        byId('import-side').hidden = false;
        return;
      }
      const game = hash < 0 ? Game.fromParts(answer) : fromAddress(text.slice(hash).trim()).game;
      if (!game) throw new Error('There is no readable position in this link.');
      this.app.visit();
      this.app.load(game);
      byId('import-text').value = '';
      if (answer.note) say(`Note: ${answer.note}.`, 'faint');
    } catch ({ message }) {
      say(message, message.includes('\n') ? 'error placed' : 'error');
    }
  }

  /** What the board shows besides stones: pairs and their key, what counts as a stone, and a line of play. */
  get shown() {
    const { state, looks } = this.app;
    const name = (index) => cellName(state, index);
    const cells = state.stones.map((stone, index) => ({ name: name(index), ...(!stone && looks.look?.(index)) }));
    return {
      pairs: (looks.links ?? []).map(([one, two]) => [name(one), name(two)]),
      key: cells.find(({ ring }) => ring)?.name,
      filled: cells.filter(({ ghost }) => ghost).map(({ name, ghost }) => [name, ghost]),
      line: cells.filter(({ phantom }) => phantom).sort((one, two) => one.number - two.number).map(({ name }) => name),
    };
  }

  export() {
    return ask('export', { ...this.app.game.toParts(), ...this.shown });
  }

  /** Writes the game into the box, if that is open. */
  async update() {
    if (!byId('share').open) return;
    const format = byId('format').value;
    const address = format === 'exercise' ? toAddress(this.app.game, 'explore', { exercise: true }) : this.app.address;
    const link = new URL(address, location.href).href;
    const asked = link + format;
    this.asked = asked;
    let [text, problem] = [link, ''];
    if (!['link', 'exercise'].includes(format)) {
      try {
        text = (await this.export())[format] ?? '';
        if (!text) problem = 'Only a game that starts from the empty board, with the players taking turns, can be written as moves.';
      } catch (error) {
        [text, problem] = ['', error.message];
      }
    }
    // Something else may have been asked for in the meantime.
    if (this.asked !== asked) return;
    byId('export-text').value = text;
    write(byId('export-error'), problem);
  }

  async copy() {
    await this.update();
    const box = byId('export-text');
    if (!box.value) return this.app.say(`There is nothing to copy. ${byId('export-error').textContent}`.trim());
    const copied = await navigator.clipboard.writeText(box.value).then(() => true, () => {
      box.select();
      return document.execCommand('copy');
    });
    this.app.say(copied ? 'Copied.' : 'This browser does not allow copying; the text is selected instead.');
  }

  async save(kind) {
    try {
      const { svg, sgf } = await this.export();
      const picture = new Blob([svg], { type: 'image/svg+xml' });
      const blob = { svg: () => picture, png: () => toPng(picture), sgf: () => new Blob([sgf], { type: 'application/x-go-sgf' }) }[kind]();
      download(await blob, `${fileName(this.app.game)}.${kind}`);
    } catch (error) {
      this.app.say(error.message);
    }
  }
}

/** The picture twice as large, so that it is sharp. */
async function toPng(svg) {
  const image = new Image();
  const address = URL.createObjectURL(svg);
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error('The picture could not be drawn.'));
      image.src = address;
    });
    const canvas = make('canvas', { width: image.width * 2, height: image.height * 2 });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}
