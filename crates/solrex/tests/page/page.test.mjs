// What a person does with the page, in a real browser.

import assert from 'node:assert/strict';
import { host, onServer, serveWithBook } from './browser.mjs';
import { addressOf, addressed, asked, cell, context, engineOfPage, goTo, linger, once, openPage, page, picture, searches, shows, test, values } from './session.mjs';
import { ENDLESS } from './testing.mjs';

test('the 4x4 puzzle: after d1 White is lost, and a1 leaves the fewest winning replies', async () => {
  await openPage();
  await cell(page, 'd1').click();
  await shows('#verdict', 'White loses with every move; a1 leaves Black the fewest winning replies: 2.');
  assert.equal(await values('loss'), 15);
  assert.equal(await page.locator('#line button').first().textContent(), 'a1');
  assert.match(await cell(page, 'a1').getAttribute('aria-label'), /^a1, empty, loses to \w\d and 1 other reply/);
  await picture('page');
  await cell(page, 'a1').click();
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  for (const name of ['a2', 'c1']) assert.match(await cell(page, name).getAttribute('aria-label'), /wins/);
});

once('where every move joins at once, no answers are counted', async () => {
  await openPage('#p=b1.1b_w');
  for (const address of ['#p=1_b', '#p=wb.1w_b']) {
    await goTo(address);
    await shows('#verdict', /^Black loses with every move\.$/);
    await shows('#progress', /^1 of 1 moves solved/);
  }
  assert.match(await cell(page, 'a2').getAttribute('aria-label'), /loses at once by connecting/);
});

once('verdicts stream onto a 5x5 board, can be hidden, and the line can be followed', async () => {
  await openPage('#p=5.5.5.5.5_b&m=a1&n=1');
  await page.locator('#board .cell.win').first().waitFor();
  await shows('#verdict', 'White wins with 21 of 24 moves.');
  for (const name of ['d2', 'c3', 'b4']) assert.match(await cell(page, name).getAttribute('aria-label'), /loses/);
  await page.locator('#verdicts-on').uncheck();
  assert.equal(await values('win') + await values('loss'), 0);
  await shows('#verdict', 'Verdicts are hidden.');
  await page.locator('#verdicts-on').check();
  await page.locator('#line button').first().click();
  await shows('#turn', 'Black to move');
  assert.equal(await page.locator('#moves button').count(), 2);
});

test('a long search shows its progress and can be stopped', async () => {
  await openPage(addressOf(ENDLESS));
  await shows('#progress', /^\d+ of \d+ moves solved · [\d,]+ nodes · [\d.]+ s · [\d,]+ nodes\/s · searching \w\d/);
  await page.locator('#board .cell.loss').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await shows('#progress', 'stopped');
  // What was found stays, and the search can go on.
  const lost = await values('loss');
  assert(lost > 0);
  await page.getByRole('button', { name: 'Continue' }).click();
  await searches();
  assert(await values('loss') >= lost);
});

once('a move and its image under half a turn are decided together', async () => {
  await openPage('#v=rules');
  // Notes each cell that has a verdict while its image has none.
  await page.evaluate(() => {
    window.alone = [];
    const board = document.querySelector('#board .board');
    new MutationObserver(() => {
      const decided = [...board.querySelectorAll('.cell')].map((cell) => cell.matches('.win, .loss'));
      decided.forEach((one, i) => { if (one && !decided[15 - i]) window.alone.push(i); });
    }).observe(board, { subtree: true, attributes: true, attributeFilter: ['class'] });
  });
  await page.locator('nav [data-view=explore]').click();
  await shows('#progress', '16 of 16 moves solved');
  assert.deepEqual(await page.evaluate(() => window.alone), []);
});

once('a line of play that ends early says why', async () => {
  for (const [end, says] of [['pairing', 'then pairs decide'], ['symmetry', 'then symmetry decides, which names no move']]) {
    await openPage();
    // Whatever the engine says of this line, the page is told this.
    await (await engineOfPage()).evaluate((engine, end) => {
      const solve = engine.solve.bind(engine);
      engine.solve = (position, hear) => solve(position, (name, data) => hear(name, data.pv ? { ...data, pv_end: end } : data));
    }, end);
    await cell(page, 'd1').click();
    await shows('#line', says);
  }
});

once('the move that is suggested is not called inferior', async () => {
  await openPage('#v=rules');
  const { dominated } = await asked('explain', { position: '1b1w/3w/w2b/2b1 b' });
  const name = dominated[0].cell;
  // Whatever the engine suggests here, the page is told this.
  await (await engineOfPage()).evaluate((engine, name) => {
    const solve = engine.solve.bind(engine);
    engine.solve = (position, hear) => solve(position, (event, data) => hear(event, data.best ? { ...data, best: name } : data));
  }, name);
  await goTo('#p=1b1w.3w.w2b.2b1_b');
  await shows('#verdict', 'Black wins with 9 of 10 moves.');
  assert.doesNotMatch(await cell(page, name).getAttribute('aria-label'), /no better/);
  await cell(page, name).hover();
  await shows('#about', new RegExp(`^${name}: \\w+ (wins|loses)`));
  assert.doesNotMatch(await page.locator('#about').innerText(), /need not/i);
  assert.equal(await page.locator('#board .arrows path').count(), 0);
  await page.locator('#why-on').check();
  assert.doesNotMatch(await cell(page, name).getAttribute('class'), /dominated/);
});

once('the legend has the signs that are on the board, and no others', async () => {
  const legend = async () => (await page.locator('#legend > span:visible').allInnerTexts()).map((text) => text.trim());
  await openPage('#p=2.2.2_b');
  await shows('#verdict', 'Black wins with 6 of 6 moves.');
  const [won, lost] = ['+9: nine winning moves after the hardest reply', '–3: three replies beat this move'];
  await shows('#progress', /^6 of 6 moves solved(?!.*counting)/);
  assert.deepEqual(await legend(), ['+ wins', 'suggested', won]);
  await goTo('#p=4.4.4.4_b&m=d1&n=1');
  await shows('#verdict', 'a1 leaves Black the fewest');
  assert.deepEqual(await legend(), ['– loses', 'suggested', lost]);
  await page.locator('#verdicts-on').uncheck();
  assert.deepEqual(await legend(), []);
  await page.locator('#verdicts-on').check();
  await goTo('#p=1b1w.3w.w2b.2b1_b');
  await shows('#verdict', 'Black wins with 9 of 10 moves.');
  await shows('#progress', /^10 of 10 moves solved(?!.*counting)/);
  assert.deepEqual(await legend(), ['+ wins', '– loses', 'suggested', won, lost]);
  await page.locator('#why-on').check();
  await page.locator('#board .cell.dead').first().waitFor();
  const found = await legend();
  for (const [selector, text] of [
    ['.dead', 'dead'], [':is(.captured, .filled)', '• filled in: counts as a stone'], ['.dominated', 'need not be tried'], ['.paired', 'A A a pair'], ['.ring', '★ key'],
    ['[data-mark="+"]', '+ wins'], ['[data-mark="–"]', '– loses'], ['.best', 'suggested'],
  ]) assert.equal(found.includes(text), await page.locator(`#board .cell${selector}`).count() > 0, `${text} in ${found}`);
  assert.ok(found.includes('dead') && found.includes('+ wins'), `${found}`);
  await page.locator('nav [data-view=openings]').click();
  await shows('#openings-status', '14 win, 2 lose.');
  assert.deepEqual(await legend(), ['+ wins', '– loses']);
});

once('pointing at cells shifts nothing', async () => {
  for (const viewport of [{ width: 1200, height: 800 }, { width: 400, height: 740 }]) {
    await openPage('#p=1b1w.3w.w2b.2b1_b', { viewport });
    await shows('#verdict', 'Black wins with 9 of 10 moves.');
    await shows('#reason', 'one cell of a pair');
    const places = () => page.evaluate(() => ['board', 'moves', 'setup', 'share'].map((id) => {
      const { x, y, width } = document.getElementById(id).getBoundingClientRect();
      return [id, x, y + window.scrollY, width];
    }));
    const before = await places();
    for (const name of ['a1', 'c2', 'a4', 'b2', 'd4', 'b1', 'd1']) {
      await cell(page, name).hover();
      await shows('#about', new RegExp(`^${name}: `));
      assert.deepEqual(await places(), before, `${name} ${viewport.width}`);
    }
    await page.locator('header').hover();
    assert.deepEqual(await places(), before, `${viewport.width}`);
  }
});

once('a screen reader hears the result of a search, and not every step of it', async () => {
  await openPage('#p=5.5.5.5.5_b&m=a1&n=1');
  await shows('#verdict', 'White wins with 21 of 24 moves.');
  await page.evaluate(() => {
    window.heard = [];
    for (const region of document.querySelectorAll('[aria-live]')) {
      new MutationObserver(() => {
        if (region.getAttribute('aria-live') !== 'off') window.heard.push(region.textContent);
      }).observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  await cell(page, 'c3').click();
  await shows('#verdict', /Black wins with \d+ of 23 moves\./);
  const heard = await page.evaluate(() => window.heard);
  // Who is to move, who wins, and with which moves.
  assert.ok(heard.includes('Black to move') && heard.filter(Boolean).length <= 3, heard.join('|'));
  await cell(page, 'b1').focus();
  await cell(page, 'c1').focus();
  assert.equal(await page.evaluate(() => window.heard.length), heard.length);
});

once('hidden verdicts are hidden everywhere', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b');
  await shows('#verdict', 'Black wins with 9 of 10 moves.');
  await page.keyboard.press('v');
  await shows('#reason', 'Verdicts are hidden, and so are the reasons.');
  // Pointing at a cell tells nothing either.
  await page.clock.install();
  await cell(page, 'c2').hover();
  await cell(page, 'b2').hover();
  await linger();
  assert.ok(await page.locator('#about').isHidden());
  assert.equal(await page.locator('#board .arrows path, #board .links line, #board .phantom').count(), 0);
  assert.ok(await page.locator('#why-on').isDisabled());
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /\b(wins|loses|won|lost)\b/);
  const labels = await page.locator('#board .cell').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  assert.doesNotMatch(labels.join(), /wins|loses|pair|key|captured|dead/);
});

once('why: cells are named, an inferior one points at a better one, and pairs are walked through', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b');
  await shows('#why-title', 'Why Black wins this position');
  await shows('#reason', 'When White takes one cell of a pair, Black takes the other. Otherwise Black plays any other cell except the key. If only pairs are left, Black takes one cell of a pair; its partner becomes the new key. White would colour the last cell, and so must take the key in the end.');
  await cell(page, 'a1').hover();
  await shows('#about', 'It is dead');
  await cell(page, 'c2').hover();
  await shows('#about', /need not be tried( by White)?: (\w\d) is at least as good \(if c2 works, so does \2\)\./i);
  assert.equal(await page.locator('#board .arrows path').count(), 1);
  // The theorem is one click away, and the cell stays asked about on the way there.
  assert.ok(await page.locator('#theorem-says').isHidden());
  await page.locator('#theorem summary').click();
  await shows('#theorem-says', 'Theorem 6 of “A Reverse Hex Solver”: prefer victim to killer. Here a stone on c2 kills');
  await cell(page, 'a4').hover();
  await shows('#about', /Black captures it together with \w\d: one of the two will be Black’s/);
  await page.locator('#why-on').check();
  assert.equal(await page.locator('#board .cell.dead').count(), 3);
  await cell(page, 'c2').hover();
  await shows('#about-line', 'From here');
  assert.equal(await page.locator('#board .arrows path').count(), 1);
  assert.equal(await page.locator('#board .phantom').count(), 0);
  await picture('why');
  await page.locator('#walk-start').click();
  const [[one, two]] = (await asked('explain', { position: '1b1w/3w/w2b/2b1 b' })).strategy.pairs;
  await shows('#walk-says', `Pair A: if White takes ${one}, Black takes ${two}`);
  assert.equal(await page.locator('#board .pair-0').count(), 2 + 1);
  // The arrow keys step, too.
  await page.keyboard.press('ArrowRight');
  await shows('#walk-says', /^The key \w\d: Black never plays it\./);
  await page.keyboard.press('ArrowLeft');
  await shows('#walk-says', 'Pair A');
  await page.locator('#walk-next').click();
  await page.locator('#walk-next').click();
  await shows('#walk-says', 'connects White’s sides');
  assert.ok(await page.locator('#board .chain').count() >= 4);
  await page.locator('#walk-end').click();
});

once('openings of every size, and the replies to one', async () => {
  await openPage('#v=openings');
  for (const [size, found] of [[2, '2 win, 2 lose.'], [3, '0 win, 9 lose.'], [4, '14 win, 2 lose.']]) {
    await page.getByRole('button', { name: `${size} × ${size}` }).click();
    await shows('#openings-status', `Black’s openings: ${found}`);
  }
  await cell(page, 'c2').click();
  await shows('#openings-status', 'White’s replies to c2: 9 win, 6 lose.');
  await page.getByRole('button', { name: 'Back to the openings' }).click();
  await shows('#openings-status', 'Black’s openings');
});

test('openings of 6x6 and the replies to one are in the book, and so are the certified openings of 7x7', async () => {
  const mine = await (onServer ? serveWithBook('--nodes', '0') : host(process.env.SITE_WITH_BOOK));
  await openPage('#v=openings&p=6.6.6.6.6.6_b', {}, mine.url);
  await shows('#openings-status', 'Black’s openings: 32 win, 4 lose.');
  await shows('#openings', 'Already known: no search was needed.');
  // Nothing is left that could be stopped.
  assert.ok(await page.locator('#openings').getByRole('button', { name: 'Stop' }).isHidden());
  await cell(page, 'd3').click();
  await shows('#openings-status', /^White’s replies to d3: \d+ win, \d+ lose\.$/);
  await shows('#openings', 'Already known: no search was needed.');
  await openPage('#p=7.7.7.7.7.7.7_b&m=c1&n=1', {}, mine.url);
  await shows('#verdict', 'White wins');
  const ended = await mine.stop();
  if (onServer) assert.equal(ended, 0);
});

once('a screen reader hears the state and the verdict of every cell', async () => {
  await openPage('#p=4.4.4.4_b&m=d1a1&n=2');
  await shows('#verdict', 'Black wins with 2 of 14 moves.');
  const { nodes } = await (await context.newCDPSession(page)).send('Accessibility.getFullAXTree');
  const names = nodes.filter((node) => node.role?.value === 'button').map((node) => node.name?.value ?? '');
  const cells = new Map(names.filter((name) => /^[a-d][1-4],/.test(name)).map((name) => [name.slice(0, 2), name]));
  assert.equal(cells.size, 16);
  for (const [name, label] of cells) {
    const says = { d1: /, Black stone/, a1: /, White stone/, a2: /, empty, wins/, c1: /, empty, wins/ };
    assert.match(label, says[name] ?? /, empty, loses (only )?to [a-d][1-4]/);
  }
});

once('everything is reached with the keyboard alone', async () => {
  await openPage('#p=4.4.4.4_b');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? '');
  for (let i = 0; i < 30 && !(await focused()).startsWith('a1,'); i++) await page.keyboard.press('Tab');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /^d1, empty/);
  // The place is marked inside the cell, where no neighbour is drawn over it.
  const mark = () => page.evaluate(() => getComputedStyle(document.activeElement.querySelector('.halo')).stroke);
  assert.match(await mark(), /^rgb/);
  await page.keyboard.press('Enter');
  await shows('#verdict', 'White loses with every move; a1 leaves');
  assert.match(await focused(), /^d1, Black stone/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^d2, empty, loses/);
  await page.keyboard.press('w');
  await addressed('#p=4.4.4.4_b&m=d1@3b.3w.4.4_w@&n=2');
  await page.keyboard.press('x');
  await addressed('#p=4.4.4.4_b&m=d1@3b.4.4.4_w@&n=2');
  await page.keyboard.press('Control+z');
  await addressed('#p=4.4.4.4_b&m=d1@3b.3w.4.4_w@&n=2');
  await page.keyboard.press('s');
  await addressed('#p=4.4.4.4_b&m=d1@3b.3w.4.4_b@&n=2');
  // Escape leaves the board, and then the arrows step.
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await addressed('&n=1');
  await page.keyboard.press('v');
  await shows('#verdict', 'Verdicts are hidden.');
});

once('a narrow phone in the dark: nothing sticks out, and a touch is a move', async () => {
  await openPage('#p=6.6.6.6.6.6_b&v=rules', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
  await page.locator('nav [data-view=explore]').tap();
  await page.locator('#engine-on').uncheck();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(await wide() <= 360, `${await wide()}`);
  await cell(page, 'c3').tap();
  await addressed((url) => url.includes('m=c3'));
  for (const view of ['play', 'puzzles', 'openings', 'rules', 'explore']) {
    await page.locator(`nav [data-view=${view}]`).tap();
    assert.ok(await wide() <= 360, view);
  }
  await picture('phone');
});

once('a phone on its side shows the board and the verdict together', async () => {
  await openPage('#p=4.4.4.4_b&m=d1&n=1', { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true });
  await shows('#verdict', 'a1 leaves Black the fewest');
  for (const id of ['#board', '#verdict']) {
    const { x, y, width, height } = await page.locator(id).boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= 740 && y + height <= 360, `${id}: ${[x, y, width, height]}`);
  }
});

once('by touch: a cell is asked about without a move, and stones are set by dragging', async () => {
  await openPage('#p=1b1w.3w.w2b.2b1_b', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.getByRole('button', { name: 'Ask' }).tap();
  await cell(page, 'c2').tap();
  await shows('#about', 'at least as good');
  await page.locator('#board .phantom').first().waitFor();
  await addressed('#p=1b1w.3w.w2b.2b1_b');
  await page.locator('[data-tool=w]').tap();
  const [from, to] = [await cell(page, 'a1').boundingBox(), await cell(page, 'c1').boundingBox()];
  const touches = await context.newCDPSession(page);
  const at = (share) => [{ x: from.x + from.width / 2 + share * (to.x - from.x), y: from.y + from.height / 2 }];
  await touches.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let i = 1; i <= 10; i++) await touches.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(i / 10) });
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForURL(/#p=wwww\.3w\.w2b\.2b1_b$/);
});

once('texts and signs stand out enough from what is behind them, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await openPage('', { colorScheme });
    const ratio = (pairs) => page.evaluate((pairs) => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const [r, g, b] = style.getPropertyValue(`--${name}`).match(/[0-9a-f]{2}/g).map((hex) => parseInt(hex, 16) / 255)
          .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      return pairs.map((pair) => {
        const [dark, bright] = pair.split(' ').map(light).sort((a, b) => a - b);
        return [pair, (bright + 0.05) / (dark + 0.05)];
      });
    }, pairs);
    const texts = ['ink page', 'ink card', 'faint card', 'faint page', 'error card', 'card ink', 'card accent', 'accent card', 'win-ink win', 'loss-ink loss', 'ink cell', 'ink grey', 'ink blue', 'ink inferior', 'ink grey'];
    const signs = ['accent cell', 'accent loss', 'accent page', 'gold cell', 'gold inferior', 'arrow cell', 'arrow inferior', 'black-edge cell', 'cell-edge cell', 'side-edge page', 'side-edge card'];
    for (const [pair, found] of await ratio(texts)) assert.ok(found >= 4.5, `${colorScheme}: ${pair} ${found}`);
    // A dead cell looks different from one that is not.
    for (const [pair, found] of await ratio(['grey cell'])) assert.ok(found >= 1.4, `${colorScheme}: ${pair} ${found}`);
    for (const [pair, found] of await ratio(signs)) assert.ok(found >= 3, `${colorScheme}: ${pair} ${found}`);
  }
});
