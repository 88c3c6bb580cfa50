// What somebody has achieved: kept in this browser, shared by its tabs, and celebrated a little.

import { make, remember, remembered } from './share.js';

/** A set of names under a key of the browser's storage. Other tabs add to it too; `changed` is called when one has. */
export class Progress {
  constructor(key, changed) {
    this.key = key;
    this.recall();
    window.addEventListener('storage', () => {
      this.recall();
      changed();
    });
  }

  /** What is there, in this tab and in others. */
  recall() {
    this.names = new Set([...this.names ?? [], ...[remembered(this.key, [])].flat()]);
  }

  has(name) {
    return this.names.has(name);
  }

  add(name) {
    this.recall();
    this.names.add(name);
    remember(this.key, [...this.names]);
  }
}

const PIECES = 24;

/** Hexagons that fly up from an element and fall. Whoever wants less motion gets none: see style.css. */
export function cheer(over) {
  const pieces = Array.from({ length: PIECES }, (_, i) => {
    const piece = make('i');
    const angle = (i / PIECES) * 2 * Math.PI;
    piece.style.setProperty('--x', `${Math.round(Math.cos(angle) * (90 + (i % 5) * 30))}px`);
    piece.style.setProperty('--y', `${Math.round(Math.sin(angle) * (60 + (i % 7) * 20) - 60)}px`);
    return piece;
  });
  const shower = make('div', { className: 'cheer' }, ...pieces);
  shower.setAttribute('aria-hidden', 'true');
  over.append(shower);
  setTimeout(() => shower.remove(), 1600);
}
