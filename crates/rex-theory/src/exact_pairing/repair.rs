//! The search that repairs.
//!
//! It takes an open path and pairs two of its cells, or makes one of them the key, even where that breaks a pair and opens
//! other paths again: whichever does the least harm. Paths that stay open weigh more and more, so that it does not
//! go in circles. It cannot show that there is no pairing.

use rex_game::Cell;

use super::choices::Choices;
use super::routes::{MOST_WORDS, Numbers, Route, RouteSet, Routes};
use crate::graph::Graph;
use crate::pairing::Pairing;

/// What a repair takes, in steps of the other search.
const STEPS: u32 = 4;
/// After so many repairs all weights are halved.
const LIGHTER: u32 = 100;
/// What it costs to pair a cell again soon.
const UNREST: i32 = 1;
/// A lot is drawn for each choice. It adds up to this much to what the choice gains.
const BLUR: i64 = 2;
/// How long it should rest.
const REST: u32 = 5;
/// Where the paths it knows have stood open for this share of all repairs, no pairing is likely to close them: it gives up.
const PATIENCE_SHARE: u32 = 20;
/// For a pairing of another position the share is smaller: there are others.
const SEED_PATIENCE_SHARE: u32 = 40;

/// Looks for a pairing, in no more than so many steps.
pub fn find(graph: &Graph, key: bool, steps: u32, routes: &mut Routes) -> Option<Pairing> {
    find_from(Choices::new(graph), key, steps, PATIENCE_SHARE, routes)
}

/// The same, beginning with choices that were right in another position.
pub fn mend(seed: Choices, key: bool, steps: u32, routes: &mut Routes) -> Option<Pairing> {
    find_from(seed, key, steps, SEED_PATIENCE_SHARE, routes)
}

fn find_from(
    choices: Choices,
    key: bool,
    steps: u32,
    patience_share: u32,
    routes: &mut Routes,
) -> Option<Pairing> {
    let walk = Walk {
        choices,
        with_key: key,
        routes,
        rests: [0; 64],
        repairs: 0,
        closed_at: 0,
        patience: steps / STEPS / patience_share,
        random: 0x9e37_79b9_7f4a_7c15,
        steps,
    };
    let end = match walk.routes.len() {
        0..=64 => Repair::<1>::begin(walk).or_wider::<2>().or_wider::<4>().or_wider::<MOST_WORDS>(),
        65..=128 => Repair::<2>::begin(walk).or_wider::<4>().or_wider::<MOST_WORDS>(),
        129..=256 => Repair::<4>::begin(walk).or_wider::<MOST_WORDS>(),
        _ => Repair::<MOST_WORDS>::begin(walk),
    };
    match end {
        End::Closed(mut choices) => {
            choices.trim();
            Some(choices.pairing())
        }
        End::GaveUp | End::Full(_) => None,
    }
}

/// How a search ends.
enum End<'a, const WORDS: usize> {
    /// No path is open.
    Closed(Box<Choices<'a>>),
    /// It is out of steps or of patience, or nothing closes a path.
    GaveUp,
    /// There are more routes than its sets have room for.
    Full(Box<Repair<'a, WORDS>>),
}

impl<'a, const WORDS: usize> End<'a, WORDS> {
    /// Goes on with wider sets, if these were full.
    fn or_wider<const MORE: usize>(self) -> End<'a, MORE> {
        match self {
            End::Closed(choices) => End::Closed(choices),
            End::GaveUp => End::GaveUp,
            End::Full(full) => {
                let Repair { walk, closers, weights, .. } = *full;
                Repair::new(walk, closers.widened(), weights.widened()).run()
            }
        }
    }
}

/// A search whose sets of routes have so many words. The fewer there are, the faster it is.
struct Repair<'a, const WORDS: usize> {
    walk: Walk<'a>,
    /// All routes that are remembered.
    all: RouteSet<WORDS>,
    /// For each route, how many of the choices close it. There are at most 32 of them, half as many as cells.
    closers: Numbers<6, WORDS>,
    /// The routes that no choice closes.
    open: RouteSet<WORDS>,
    /// Those that one choice closes, and no other.
    held: RouteSet<WORDS>,
    /// The weight of each route, less one.
    weights: Numbers<3, WORDS>,
    /// Those of the path to be closed.
    losses: Vec<Loss<WORDS>>,
}

/// Where a search stands, whatever the width of its sets.
struct Walk<'a> {
    choices: Choices<'a>,
    with_key: bool,
    routes: &'a mut Routes,
    /// Until which repair each cell should rest.
    rests: [u32; 64],
    repairs: u32,
    /// The latest repair after which no known path was open, and how many more it waits for the next one.
    closed_at: u32,
    patience: u32,
    random: u64,
    steps: u32,
}

/// A cell of the path to be closed: which routes open if it is taken from its pair or is no key any more, and what that costs.
#[derive(Clone, Copy)]
struct Loss<const WORDS: usize> {
    cell: Cell,
    routes: RouteSet<WORDS>,
    cost: i32,
}

/// Pairs of places on a path. Those among its first places come first, so a path of any length has the first so many of them.
const PAIRS: [[u8; 2]; 64 * 63 / 2] = {
    let mut pairs = [[0; 2]; 64 * 63 / 2];
    let (mut at, mut other) = (0, 1);
    while other < 64 {
        let mut one = 0;
        while one < other {
            pairs[at] = [one, other];
            at += 1;
            one += 1;
        }
        other += 1;
    }
    pairs
};

impl<'a, const WORDS: usize> Repair<'a, WORDS> {
    /// Searches from here.
    fn begin(walk: Walk<'a>) -> End<'a, WORDS> {
        let mut closers = Numbers::ZERO;
        for (one, other) in walk.choices.pairs() {
            closers.add(walk.routes.through_both(one, other));
        }
        if let Some(key) = walk.choices.key {
            closers.add(walk.routes.through(key));
        }
        Repair::new(walk, closers, Numbers::ZERO).run()
    }

    /// A search that goes on from here.
    fn new(walk: Walk<'a>, closers: Numbers<6, WORDS>, weights: Numbers<3, WORDS>) -> Repair<'a, WORDS> {
        let (all, none) = (walk.routes.all(), RouteSet::EMPTY);
        let mut search = Repair { walk, all, closers, open: none, held: none, weights, losses: Vec::new() };
        search.count();
        search
    }

    /// Repairs until no path is open.
    fn run(mut self) -> End<'a, WORDS> {
        loop {
            let open = self.open.len();
            if open == 0 && WORDS < MOST_WORDS && self.walk.routes.len() == 64 * WORDS {
                return End::Full(Box::new(self));
            }
            let Some(steps) = self.walk.steps.checked_sub(STEPS) else { return End::GaveUp };
            self.walk.steps = steps;
            self.walk.repairs += 1;
            let route = if open == 0 {
                self.walk.closed_at = self.walk.repairs;
                match self.new_route() {
                    Some(Some(route)) => route,
                    Some(None) => return End::Closed(Box::new(self.walk.choices)),
                    None => return End::GaveUp,
                }
            } else if self.walk.repairs - self.walk.closed_at > self.walk.patience {
                return End::GaveUp;
            } else {
                let which = below(&mut self.walk.random, open) as usize;
                self.open.into_iter().nth(which).expect("one of the open routes")
            };
            let Some((one, other)) = self.best_choice(route) else { return End::GaveUp };
            self.choose(one, other);
            if self.walk.repairs.is_multiple_of(LIGHTER) {
                let [_, twos, fours] = self.weights.0;
                self.weights = Numbers([twos, fours, RouteSet::EMPTY]);
            }
        }
    }

    /// Looks for a route that is open and remembers it. `Some(None)`: there is none.
    fn new_route(&mut self) -> Option<Option<usize>> {
        let mut route = Route::EMPTY;
        let Walk { choices, routes, steps, .. } = &mut self.walk;
        let found = choices.short_route(&mut route) || choices.any_route(steps, &mut route)?;
        if !found {
            return Some(None);
        }
        let number = routes.add(&route);
        let one = RouteSet::one(number);
        (self.all, self.open, self.held) = (self.all | one, self.open | one, self.held & !one);
        self.weights.clear(one);
        self.closers.clear(one);
        Some(Some(number))
    }

    /// The choice that closes a route and does the least harm: two cells to pair, or twice the same one, as the key. `None`:
    /// nothing closes it.
    fn best_choice(&mut self, route: usize) -> Option<(Cell, Cell)> {
        let mut losses = std::mem::take(&mut self.losses);
        losses.clear();
        losses.extend(self.walk.routes.cells[route].into_iter().map(|cell| self.loss(cell)));
        let routes = &*self.walk.routes;
        let mut random = self.walk.random;
        // The largest number is the best choice: its gain, blurred by a lot, and its cells. No branches: nobody could predict
        // them.
        let mut best = i64::MIN;
        let mut consider = |gain: i32, one: Cell, other: Cell| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let lot = (random >> 48) as i64 * BLUR;
            best =
                best.max(((i64::from(gain) << 16) + lot) << 12 | (one.index() << 6 | other.index()) as i64);
        };
        for &[one, other] in &PAIRS[..losses.len() * (losses.len() - 1) / 2] {
            let (one, other) = (&losses[usize::from(one)], &losses[usize::from(other)]);
            let closed = routes.through_both(one.cell, other.cell);
            let gain = self.weight(closed & (self.open | one.routes | other.routes));
            consider(gain - one.cost - other.cost, one.cell, other.cell);
        }
        if self.walk.with_key {
            let key = self.walk.choices.key;
            let key_cost = key.map_or(0, |key| self.weight(self.held & routes.through(key)));
            for one in &losses {
                // What the pair of this cell has closed is not counted. So the key moves about, and that helps.
                let gain = self.weight(routes.through(one.cell) & self.open);
                consider(gain - key_cost / 2, one.cell, one.cell);
            }
        }
        self.walk.random = random;
        self.losses = losses;
        if best == i64::MIN {
            return None;
        }
        if best >> 28 <= 0 {
            self.weigh_more();
        }
        let cell = |place: i64| Cell::new((best >> place & 63) as usize);
        Some((cell(6), cell(0)))
    }

    fn loss(&self, cell: Cell) -> Loss<WORDS> {
        let Walk { choices, routes, rests, repairs, .. } = &self.walk;
        let opened = match choices.mates[cell.index()].first() {
            Some(mate) => self.held & routes.through_both(cell, mate),
            None if choices.key == Some(cell) => self.held & routes.through(cell),
            None => RouteSet::EMPTY,
        };
        let unrest = if rests[cell.index()] > *repairs { UNREST } else { 0 };
        Loss { cell, routes: opened, cost: self.weight(opened) + unrest }
    }

    /// What these routes weigh together.
    fn weight(&self, routes: RouteSet<WORDS>) -> i32 {
        (routes.len() + self.weights.sum(routes)) as i32
    }

    /// Makes the open routes heavier, up to eight.
    fn weigh_more(&mut self) {
        let [ones, twos, fours] = self.weights.0;
        self.weights.add(self.open & !(ones & twos & fours));
    }

    /// Pairs two cells, or makes one the key.
    fn choose(&mut self, one: Cell, other: Cell) {
        for cell in [one, other] {
            if let Some(mate) = self.walk.choices.mates[cell.index()].first() {
                self.closers.subtract(self.walk.routes.through_both(cell, mate));
                self.walk.choices.part(cell, mate);
            }
        }
        if let Some(key) = self.walk.choices.key
            && (one == other || key == one || key == other)
        {
            self.closers.subtract(self.walk.routes.through(key));
            self.walk.choices.set_key(None);
        }
        if one == other {
            self.walk.choices.set_key(Some(one));
        } else {
            self.walk.choices.pair(one, other);
        }
        self.closers.add(self.walk.routes.through_both(one, other));
        self.count();
        let until = self.walk.repairs + REST;
        self.walk.rests[one.index()] = until;
        self.walk.rests[other.index()] = until;
    }

    /// Notes which routes are open, and which are held by one choice.
    fn count(&mut self) {
        let [ones, more @ ..] = self.closers.0;
        let more = more.into_iter().fold(RouteSet::EMPTY, |more, digit| more | digit);
        self.open = self.all & !(ones | more);
        self.held = ones & !more;
    }
}

/// A random number below `end` (xorshift), the same in every run.
fn below(random: &mut u64, end: u32) -> u32 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (((*random >> 32) * u64::from(end)) >> 32) as u32
}
