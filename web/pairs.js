// Pairs: their letters, their bars on the board, and how the winner plays by them.

import { cellIndex } from './game.js';

/** Pairs have letters: moves and verdicts have the numbers. */
export const letterOf = (number) => String.fromCharCode((number < 26 ? 65 : 71) + number);

export const pairText = (pairs) => pairs.map((pair) => pair.join('–')).join(', ');

/** The other cell of a pair, if this one is in any. */
export function mateOf(pairs, name) {
  const pair = pairs.find((cells) => cells.includes(name));
  return pair && pair[pair[0] === name ? 1 : 0];
}

/** The bars between the cells of each pair. */
export const barsOf = (state, pairs) => pairs.map(([one, two], number) => [cellIndex(state, one), cellIndex(state, two), number]);

/** What a pairing shows on a cell, or nothing. */
export function pairLook({ pairs, key }, name) {
  const pair = pairs.findIndex((cells) => cells.includes(name));
  if (pair >= 0) return { pair, mark: letterOf(pair), label: `pair ${letterOf(pair)}, with ${mateOf(pairs, name)}` };
  return key === name ? { ring: true, mark: '★', label: 'key' } : null;
}

/** What the loser ends up with. */
export const spoilsOf = ({ pairs, key }) => [
  pairs.length > 1 ? 'one cell of each pair' : pairs.length && 'one cell of the pair', key && `the key ${key}`,
].filter(Boolean).join(' and ');

/**
 * How the winner plays: the lemma on pairs of docs/certificate.md. `first`: whether the loser would colour the last cell, so that the
 * winner may run out of other cells first.
 */
export function strategyText({ pairs, key }, winner, loser, first) {
  if (!pairs.length) return `${winner} never plays the key ${key}. ${loser} would colour the last cell, and so must take it in the end: it connects ${loser}’s sides.`;
  const mates = `When ${loser} takes one cell of a pair, ${winner} takes the other.`;
  const others = `Otherwise ${winner} plays any other cell${key ? ' except the key' : ''}.`;
  const opened = key ? 'its partner becomes the new key' : `leaves its partner to ${loser}`;
  const opens = first ? `If only pairs are left, ${winner} takes one cell of a pair${key ? ';' : ' and'} ${opened}.` : '';
  const last = key ? `${loser} would colour the last cell, and so must take the key in the end.` : '';
  return [mates, others, opens, last].filter(Boolean).join(' ');
}
