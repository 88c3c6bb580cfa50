// Against the program: games at every level, puzzles, and the board of the rules.

import assert from 'node:assert/strict';
import { addressed, asked, cell, context, engineOfPage, newPage, once, openPage, page, server, shows, test } from './session.mjs';

const LEVELS = ['novice', 'casual', 'skilled', 'expert', 'perfect'];

/** The puzzles in the order of the page. */
async function puzzleList() {
  const { puzzles } = await asked('puzzles');
  const cells = ({ position }) => position.split(' ')[0].replace(/\d/g, (run) => '.'.repeat(run)).replaceAll('/', '').length;
  return [...puzzles].sort((a, b) => a.grade - b.grade || cells(a) - cells(b) || a.difficulty - b.difficulty);
}

/** The position that the page shows. */
const position = () => page.evaluate(async () => {
  const { fromAddress, toText } = await import(new URL('game.js', location.href));
  return toText(fromAddress(location.hash).game.state);
});

/** Makes the moves of the solution; the page makes those between them. */
async function solve(tab, puzzle) {
  for (let i = 0; i < puzzle.line.length; i += 2) {
    await cell(tab, puzzle.line[i]).click();
    const reply = puzzle.line[i + 1];
    if (reply) await tab.locator(`#board .cell[aria-label^="${reply},"][aria-label*="stone"]`).waitFor();
  }
  await tab.locator('#puzzle-status.won', { hasText: 'Solved!' }).waitFor();
}

/** Wins the game on 4x4 that has begun, as Black. */
async function win() {
  for (let move = 0; move < 8; move++) {
    await shows('#play-status', /Your turn|winning move|You win/);
    if ((await page.locator('#play-status').textContent()).startsWith('You win')) break;
    // Black wins 4x4, and so does whoever plays her perfectly.
    const { move: best, winner } = await asked('move', { position: await position(), level: 'perfect' });
    assert.equal(winner, 'black');
    await cell(page, best).click();
    await shows('#play-status', /Your turn|winning move|You win/);
  }
}

const openPuzzle = (tab, number) => tab.getByRole('button', { name: new RegExp(`^Puzzle ${number},`) }).click();

once('a whole game is played and lost', async () => {
  await openPage('#v=play');
  await page.locator('#play').getByLabel('Board').selectOption('3');
  await page.getByLabel('Solrex is').selectOption('perfect');
  await page.locator('#new-game').click();
  await page.getByRole('button', { name: 'Hint' }).click();
  await shows('#play-status', 'You are losing against perfect play');
  for (let move = 0; move < 5; move++) {
    await shows('#play-status', /Your turn|You are losing|You lose/);
    if ((await page.locator('#play-status').textContent()).startsWith('You lose')) break;
    await page.locator('#board .cell[aria-label*="empty"]').first().click();
    await shows('#play-status', /Your turn|You lose/);
  }
  await shows('#play-status', 'You lose: you have connected your two sides.');
  assert.ok(await page.locator('#board .chain').count() >= 3);
  await page.getByRole('button', { name: 'Review this game' }).click();
  await page.locator('#strip .open').first().waitFor({ state: 'detached' });
  assert.ok(await page.locator('#strip button').count() >= 5);
});

once('a game that was lost stays lost: another colour is for the next game, and Back brings the old one', async () => {
  await openPage('#p=b2.b2.3_b&v=play');
  await cell(page, 'a3').click();
  await shows('#play-status', 'You lose');
  await page.getByLabel('You are').selectOption('w');
  await shows('#play-status', 'You lose');
  await page.locator('#new-game').click();
  await shows('#play-status', /Solrex played \w\d\. Your turn: you are White\./);
  await page.goBack();
  await shows('#play-status', 'You lose');
  await page.reload();
  await shows('#play-status', 'You lose');
  await page.goForward();
  await shows('#play-status', 'you are White');
});

once('somebody who does not wait for Solrex gets its move nevertheless', async () => {
  await openPage('#v=play');
  await page.getByLabel('You are').selectOption('w');
  // Its first move is there, so that the next question is the one to be held back.
  await shows('#play-status', /Solrex played/);
  await (await engineOfPage()).evaluate((engine) => {
    const ask = engine.ask.bind(engine);
    engine.ask = async (...question) => {
      if (!window.late) await new Promise((resolve) => { window.late = resolve; });
      return ask(...question);
    };
  });
  await page.locator('#new-game').click();
  await shows('#play-status', 'Solrex is thinking');
  await page.locator('#play').getByLabel('Board').selectOption('5');
  await page.locator('#new-game').click();
  await shows('#play-status', /Solrex played \w\d\. Your turn: you are White\./);
  await page.evaluate(() => window.late());
  assert.equal(await page.locator('#board .stone-b').count(), 1);
  // The other colour: Solrex moves for White.
  await page.getByLabel('You are').selectOption('b');
  await shows('#play-status', /Solrex played \w\d\. Your turn: you are Black\./);
  assert.equal(await page.locator('#board .stone-w').count(), 1);
});

test('a game against the first level is won, celebrated and remembered, and leads to the next level', async () => {
  await openPage('#v=play', { reducedMotion: 'no-preference' });
  await page.locator('#play').getByLabel('Board').selectOption('4');
  assert.equal(await page.getByLabel('Solrex is').inputValue(), 'novice');
  await page.locator('#new-game').click();
  await page.evaluate(() => {
    new MutationObserver(() => { window.cheered ||= Boolean(document.querySelector('#board .cheer i')); })
      .observe(document.getElementById('board'), { childList: true });
  });
  await win();
  await shows('#play-status.won', 'You win! Solrex has connected its two sides.');
  assert.ok(await page.evaluate(() => window.cheered));
  assert.equal(await page.locator('#play option[value=novice]').textContent(), 'novice ✓');
  await page.getByRole('button', { name: 'Next: casual' }).click();
  await shows('#play-status', 'Your turn');
  assert.equal(await page.getByLabel('Solrex is').inputValue(), 'casual');
  await page.reload();
  assert.equal(await page.locator('#play option[value=novice]').textContent(), 'novice ✓');
  assert.equal(await page.locator('#play option[value=casual]').textContent(), 'casual');
});

once('a win with a hint gets no tick, and a level that is no more is the first one', async () => {
  await openPage('#v=play');
  await page.evaluate(() => localStorage.setItem('solrex.level', '"easy"'));
  await page.reload();
  assert.equal(await page.getByLabel('Solrex is').inputValue(), 'novice');
  await page.locator('#new-game').click();
  await page.getByRole('button', { name: 'Hint' }).click();
  await shows('#play-status', ' is a winning move.');
  await win();
  await shows('#play-status.won', 'You win! Solrex has connected its two sides. You had help');
  assert.equal(await page.locator('#play option', { hasText: '✓' }).count(), 0);
});

once('every level answers on every size from 3x3 to 8x8', async () => {
  await openPage('#v=play');
  for (const size of [3, 4, 6, 8]) {
    for (const level of LEVELS.slice(0, 4)) {
      const { move } = await asked('move', { position: `${size}x${size} a1`, level, seed: 3 });
      assert.match(move, /^[a-h][1-8]$/);
    }
  }
});

once('the top level says what it does not know', async () => {
  await openPage('#v=play');
  // As if it had looked for as long as it may.
  await (await engineOfPage()).evaluate((engine) => { engine.ask = async () => ({ move: 'a1', winner: null, replies: null }); });
  await page.getByLabel('Solrex is').selectOption('perfect');
  await page.getByLabel('You are').selectOption('w');
  await shows('#play-status', 'Solrex played a1, and does not know who wins');
});

once('the top level plays different games, and wins them all', async () => {
  await openPage('#v=play');
  const moves = new Set();
  for (let seed = 1; seed <= 16 || moves.size < 2; seed++) {
    const { move, winner } = await asked('move', { position: '4x4', level: 'perfect', seed });
    assert.equal(winner, 'black');
    assert.ok(!['c2', 'b3'].includes(move), `${move} loses`);
    moves.add(move);
  }
  // Who asks for a hint twice gets the same one.
  const hints = await Promise.all([1, 2, 3].map(() => asked('move', { position: '4x4', level: 'perfect' })));
  assert.equal(new Set(hints.map(({ move }) => move)).size, 1);
  // Its first moves in games on the page.
  await page.getByLabel('Solrex is').selectOption('perfect');
  await page.getByLabel('You are').selectOption('w');
  const openings = new Set();
  while (openings.size < 2) {
    await page.locator('#new-game').click();
    await shows('#play-status', /Solrex played \w\d\. Your turn/);
    openings.add(/played (\w\d)/.exec(await page.locator('#play-status').textContent())[1]);
  }
});

once('a puzzle that was failed can be stepped back in, and is the same after a reload', async () => {
  await openPage('#v=puzzles');
  const third = (await puzzleList())[2];
  await page.getByRole('button', { name: /^Puzzle 3,/ }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '3');
  const [wrong] = Object.keys(third.turns[0].fails);
  await cell(page, wrong).click();
  await shows('#puzzle-status.failed', `No: ${wrong} loses to ${third.turns[0].fails[wrong]}.`);
  await page.reload();
  await shows('#puzzle-status.failed', `No: ${wrong} loses to`);
  await page.getByRole('button', { name: /^Play on as (Black|White)$/ }).click();
  await shows('#beat-says', /You are (Black|White)/);
  await page.goBack();
  await shows('#puzzle-status.failed', `No: ${wrong} loses to`);
  await page.locator('[data-step=start]').click();
  await shows('#puzzle-status', 'to move and win');
  await solve(page, third);
  await shows('#puzzles', 'first steps: 1 of');
});

once('a puzzle is failed at the second move, taken back, solved to the end, and remembered', async () => {
  await openPage('#v=puzzles', { reducedMotion: 'no-preference' });
  await shows('#puzzle-status', 'to move and win: find the winning move, twice. Solrex replies in between.');
  const puzzles = await puzzleList();
  const number = puzzles.findIndex(({ turns }) => turns.length >= 3) + 1;
  const puzzle = puzzles[number - 1];
  await openPuzzle(page, number);
  await cell(page, puzzle.line[0]).click();
  await shows('#puzzle-status', `Yes, ${puzzle.line[0]} is right.`);
  await shows('#puzzle-status', `Find move 2 of ${puzzle.turns.length}.`);
  const [wrong] = Object.keys(puzzle.turns[1].fails);
  await cell(page, wrong).click();
  await shows('#puzzle-status.failed', `No: ${wrong} loses to ${puzzle.turns[1].fails[wrong]}.`);
  await page.locator('#puzzles').getByRole('button', { name: 'Take back' }).click();
  await shows('#puzzle-status', `Find move 2 of ${puzzle.turns.length}.`);
  await page.locator('#puzzles').getByRole('button', { name: 'Try again' }).click();
  await solve(page, puzzle);
  await page.locator('#board .cheer').waitFor({ state: 'detached' });
  await page.reload();
  await shows('#puzzle-status.won', `Solved! All ${puzzle.turns.length} moves were right`);
  assert.equal(await page.locator('#puzzles .solved').count(), 1);
  await page.locator('#next-puzzle').click();
  await shows('#puzzle-status', 'to move and win');
});

once('another winning move than the first in the book is right, too, and is answered', async () => {
  await openPage('#v=puzzles');
  const puzzles = await puzzleList();
  const has = ({ line, turns }) => turns.findIndex((turn, i) => turn.wins.some((name) => name !== line[2 * i]));
  const number = puzzles.findIndex((puzzle) => puzzle.turns.length >= 3 && has(puzzle) > 0 && has(puzzle) < puzzle.turns.length - 1) + 1;
  const puzzle = puzzles[number - 1];
  await openPuzzle(page, number);
  const turn = has(puzzle);
  for (let i = 0; i < turn; i++) {
    await cell(page, puzzle.line[2 * i]).click();
    await shows('#puzzle-status', `Find move ${i + 2} of`);
  }
  await cell(page, puzzle.turns[turn].wins.find((name) => name !== puzzle.line[2 * turn])).click();
  await shows('#puzzle-status', new RegExp(`Find move ${turn + 2} of|Solved`));
  // From here the engine leads: its own best moves solve it.
  for (let i = turn + 1; i < 6 && !(await page.locator('#puzzle-status.won').count()); i++) {
    const { move, winner } = await asked('move', { position: await position(), level: 'perfect' });
    assert.equal(winner[0], puzzle.position.at(-1));
    // Hints in two steps, where the book has none.
    await page.locator('#puzzle-hint').click();
    await shows('#puzzle-status', `Hint: look at row ${move.slice(1)}.`);
    await page.locator('#puzzle-hint').click();
    await shows('#puzzle-status', `Hint: ${move} is a winning move.`);
    await cell(page, move).click();
    await shows('#puzzle-status', new RegExp(`Find move ${i + 2} of|Solved`));
  }
  await shows('#puzzle-status.won', 'Solved!');
});

once('hints come in steps: where to look, what fails, and the move', async () => {
  await openPage('#v=puzzles');
  const puzzles = await puzzleList();
  await openPuzzle(page, 10);
  const { line, turns } = puzzles[9];
  const hint = page.locator('#puzzle-hint');
  await hint.click();
  await shows('#puzzle-status', /Hint: one of \w\d, \w\d, \w\d wins\./);
  assert.equal(await page.locator('#board .cell[data-mark="?"]').count(), 3);
  assert.equal(await cell(page, line[0]).getAttribute('data-mark'), '?');
  await hint.click();
  const [wrong] = Object.keys(turns[0].fails);
  await shows('#puzzle-status', `${wrong} fails: `);
  assert.equal(await page.locator('#board .cell.loss').count(), 1);
  await hint.click();
  await shows('#puzzle-status', `Hint: ${line[0]} is a winning move.`);
  await page.locator(`#board .cell.best[aria-label^="${line[0]},"]`).waitFor();
  await cell(page, line[0]).click();
  await shows('#puzzle-status', 'Find move 2 of');
  // Hints for one move say nothing about the next.
  assert.equal(await page.locator('#board .cell.best').count(), 0);
  assert.doesNotMatch(await page.locator('#puzzle-status').textContent(), /Hint/);
});

once('the puzzle of the day is the same for everybody on that day, and another one the next day', async () => {
  const seen = [];
  for (const date of ['2026-11-17T09:00:00', '2026-11-17T23:30:00', '2026-11-18T00:10:00', '2026-11-19T12:00:00']) {
    await openPage('');
    await page.clock.setFixedTime(new Date(date));
    await page.locator('nav [data-view=puzzles]').click();
    await page.getByRole('button', { name: `Puzzle of the day, November ${Number(date.slice(8, 10))}` }).click();
    await shows('#puzzles h2', 'the puzzle of the day');
    seen.push(await position());
  }
  assert.equal(seen[0], seen[1]);
  assert.equal(new Set(seen).size, 3);
  const puzzle = (await puzzleList()).find((other) => other.position === seen[3]);
  await solve(page, puzzle);
  await shows('#daily-puzzle', '✓');
  // All of them come before any comes again.
  const { ofDay, count } = await page.evaluate(async () => {
    const { ofDay } = await import(new URL('puzzles.js', location.href));
    const { ask } = await import(new URL('engine.js', location.href));
    const count = (await ask('puzzles')).puzzles.length;
    return { count, ofDay: Array.from({ length: count }, (_, i) => ofDay((20_000 + i) * 86_400_000, count)) };
  });
  assert.equal(new Set(ofDay).size, count);
});

once('puzzles that are solved in two tabs are solved in both', async () => {
  await openPage('#v=puzzles');
  const second = await newPage(context, server.url);
  await second.goto(page.url());
  const puzzles = await puzzleList();
  for (const [tab, number] of [[page, 1], [second, 2]]) {
    await openPuzzle(tab, number);
    await solve(tab, puzzles[number - 1]);
  }
  for (const tab of [page, second]) await tab.locator('#puzzles', { hasText: 'first steps: 2 of' }).waitFor();
  await page.reload();
  await shows('#puzzles', 'first steps: 2 of');
  assert.deepEqual(second.problems, []);
});

once('the rules have a board to try them on, which can be won', async () => {
  await openPage('#p=5.5.5.5.5_b&v=rules');
  const names = () => page.locator('#try-board .cell').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  for (let move = 0; move < 8; move++) {
    await shows('#try-status', /Your move|lost|won/);
    if (await page.locator('#try-status.won').count()) break;
    const stones = (await names()).map((name) => (/Black/.test(name) ? 'b' : /White/.test(name) ? 'w' : '1')).join('');
    const rows = stones.match(/.{4}/g).join('/').replace(/1+/g, (run) => run.length);
    // Against any defence, so also against this one.
    const { move: best, winner } = await asked('move', { position: `${rows} b`, level: 'perfect' });
    assert.equal(winner, 'black');
    await cell(page, best, '#try-board').click();
    await shows('#try-status', /Your move|lost|won/);
  }
  await shows('#try-status.won', 'White has connected left and right: you have won!');
  await page.getByRole('button', { name: 'Start again' }).click();
  await shows('#try-status', 'Your move.');
  await page.locator('#real-game').click();
  await addressed(/&v=play/);
});
