// Who wins after d1 on 4x4, what every answer is worth, and why a position is decided: node example.mjs
import { Rex } from 'solrex';

const rex = await Rex.load();
const { winner, pv } = await rex.solve('4x4 d1');
console.log(`${winner} wins: ${pv.join(' ')}`);
const { moves } = await rex.moves('4x4 d1 a1');
console.log('black wins with', Object.keys(moves).filter((cell) => moves[cell] === 'win').join(' and '));
const { reason } = await rex.explain('1b1w/3w/w2b/2b1 b');
console.log(`decided by a ${reason}`);
