// How the board looks, as the visitor likes it, and the list of keys.

import { byId, make, remember, remembered } from './share.js';

const KEYS = [
  ['← → , .', 'back and forward, also with the wheel over the board; from pair to pair while you step through them'], ['↑ ↓', 'the previous and next variation'], ['Home End', 'to the start, to the end'],
  ['Tab', 'to the board: there the arrows go from cell to cell, and Escape leaves it'], ['Enter', 'on the board: play on the cell'],
  ['b w x', 'on the board: put a black stone, a white stone, or none'], ['Ctrl+Z Ctrl+Y', 'undo and redo'],
  ['e v y', 'turn the solver, verdicts or reasons on and off'], ['s', 'change the side to move'], ['Escape', 'let go of the cell that was asked about'], ['?', 'these keys'],
];

/** The keys and what they do. */
export function keyList() {
  const rows = KEYS.flatMap(([keys, what]) => [make('dt', {}, make('b', { textContent: keys })), make('dd', { textContent: what })]);
  return make('dl', {}, ...rows);
}

const DEFAULTS = { orientation: 'flat', stones: 'black', coordinates: true, numbers: false, grades: true, colours: 'usual' };

/** Where a player's two sides are. */
export const sidesOf = (player, { orientation } = {}) => (orientation === 'diamond'
  ? { b: 'upper left and lower right', w: 'lower left and upper right' }
  : { b: 'top and bottom', w: 'left and right' })[player];

/** The options, kept in this browser. `changed(options)` is called with each change, and once at the start. */
export class Options {
  constructor(changed) {
    this.values = { ...DEFAULTS, ...remembered('options', {}) };
    for (const name of Object.keys(DEFAULTS)) {
      const input = byId(name);
      const key = input.type === 'checkbox' ? 'checked' : 'value';
      input[key] = this.values[name];
      input.addEventListener('change', () => {
        this.values[name] = input[key];
        remember('options', this.values);
        changed(this.values);
      });
    }
    byId('options-open').addEventListener('click', () => byId('options').showModal());
    byId('keys-list').append(keyList());
    changed(this.values);
  }
}
