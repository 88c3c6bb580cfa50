//! The search that repairs.
//!
//! It takes an open path and pairs two of its cells, or makes one of them the key, even where that breaks a pair and opens
//! other paths again: whichever does the least harm. Paths that stay open weigh more and more, so that it does not
//! go in circles. It cannot show that there is no pairing.

use rex_game::Cell;

use super::choices::{Choices, Look};
use super::routes::{Numbers, Route, RouteSet, Routes};
use crate::pairing::Pairing;

/// What a repair takes, in steps of the other search.
const STEPS: u32 = 4;
/// After so many repairs all weights are halved.
const LIGHTER: u32 = 100;
/// What it costs to pair a cell again soon.
const UNREST: i32 = 1;
/// How long it should rest.
const REST: u32 = 5;
/// Where the paths it knows have stood open for this share of all repairs, no pairing is likely to close them: it gives up.
const PATIENCE_SHARE: u32 = 20;
/// How often the look for a short path may try it without one cell of a pair or the other.
const DETOURS: u32 = 10;

/// Looks for a pairing, in no more than so many steps.
pub fn find(choices: Choices, key: bool, steps: u32, routes: &mut Routes) -> Option<Pairing> {
    let mut search = Repair {
        choices,
        with_key: key,
        all: routes.all(),
        routes,
        closers: Numbers::ZERO,
        open: RouteSet::EMPTY,
        held: RouteSet::EMPTY,
        weights: Numbers::ZERO,
        losses: Vec::new(),
        rests: [0; 64],
        repairs: 0,
        closed_at: 0,
        patience: steps / STEPS / PATIENCE_SHARE,
        random: 0x9e37_79b9_7f4a_7c15,
        steps,
    };
    search.count();
    search.run()?;
    search.choices.trim();
    Some(search.choices.pairing())
}

struct Repair<'a> {
    choices: Choices<'a>,
    with_key: bool,
    routes: &'a mut Routes,
    /// All that are remembered.
    all: RouteSet,
    /// For each route, how many of the choices close it. There are at most 32 of them, half as many as cells.
    closers: Numbers<6>,
    /// The routes that no choice closes.
    open: RouteSet,
    /// Those that one choice closes, and no other.
    held: RouteSet,
    /// The weight of each route, less one.
    weights: Numbers<3>,
    /// Those of the path to be closed.
    losses: Vec<Loss>,
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
struct Loss {
    cell: Cell,
    routes: RouteSet,
    cost: i32,
}

impl Repair<'_> {
    /// Repairs until no path is open; `None` when out of steps or of patience.
    fn run(&mut self) -> Option<()> {
        loop {
            self.steps = self.steps.checked_sub(STEPS)?;
            self.repairs += 1;
            let route = match self.open.len() {
                0 => {
                    self.closed_at = self.repairs;
                    match self.new_route()? {
                        Some(route) => route,
                        None => return Some(()),
                    }
                }
                _ if self.repairs - self.closed_at > self.patience => return None,
                open => {
                    let which = self.random(open) as usize;
                    self.open.into_iter().nth(which).expect("one of the open routes")
                }
            };
            self.repair(route);
            if self.repairs.is_multiple_of(LIGHTER) {
                let [_, twos, fours] = self.weights.0;
                self.weights = Numbers([twos, fours, RouteSet::EMPTY]);
            }
        }
    }

    /// Looks for a route that is open and remembers it. `Some(None)`: there is none.
    fn new_route(&mut self) -> Option<Option<usize>> {
        let mut route = Route::EMPTY;
        let found = match self.choices.short_route(DETOURS, &mut route) {
            Look::Closed => false,
            Look::Open => true,
            Look::Unknown => self.choices.any_route(&mut self.steps, &mut route)?,
        };
        if !found {
            return Some(None);
        }
        let number = self.routes.add(&route);
        let one = RouteSet::one(number);
        (self.all, self.open, self.held) = (self.all | one, self.open | one, self.held & !one);
        self.weights.clear(one);
        self.closers.clear(one);
        Some(Some(number))
    }

    /// Closes a route by the choice that does the least harm.
    fn repair(&mut self, route: usize) {
        let mut losses = std::mem::take(&mut self.losses);
        losses.clear();
        losses.extend(self.routes.cells[route].into_iter().map(|cell| self.loss(cell)));
        let key_cost = self.choices.key.map_or(0, |key| self.weight(self.held & self.routes.through(key)));
        let (mut best, mut choice, mut equal) = (i32::MIN, None, 0);
        let mut consider = |gain: i32, one: Cell, other: Cell, random: &mut u64| {
            if gain > best {
                (best, choice, equal) = (gain, Some((one, other)), 1);
            } else if gain == best {
                equal += 1;
                if below(random, equal) == 0 {
                    choice = Some((one, other));
                }
            }
        };
        let mut random = self.random;
        for (place, one) in losses.iter().enumerate() {
            for other in &losses[place + 1..] {
                let closed = self.routes.through_both(one.cell, other.cell);
                let gain = self.weight(closed & (self.open | one.routes | other.routes));
                consider(gain - one.cost - other.cost, one.cell, other.cell, &mut random);
            }
            if self.with_key {
                // What the pair of this cell has closed is not counted. So the key moves about, and that helps.
                let gain = self.weight(self.routes.through(one.cell) & self.open);
                consider(gain - key_cost / 2, one.cell, one.cell, &mut random);
            }
        }
        self.random = random;
        self.losses = losses;
        if best <= 0 {
            self.weigh_more();
        }
        let (one, other) = choice.expect("a path has two cells, or one that can be the key");
        self.choose(one, other);
    }

    fn loss(&self, cell: Cell) -> Loss {
        let routes = match self.choices.mates[cell.index()].first() {
            Some(mate) => self.held & self.routes.through_both(cell, mate),
            None if self.choices.key == Some(cell) => self.held & self.routes.through(cell),
            None => RouteSet::EMPTY,
        };
        let unrest = if self.rests[cell.index()] > self.repairs { UNREST } else { 0 };
        Loss { cell, routes, cost: self.weight(routes) + unrest }
    }

    /// What these routes weigh together.
    fn weight(&self, routes: RouteSet) -> i32 {
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
            if let Some(mate) = self.choices.mates[cell.index()].first() {
                self.reopen(self.routes.through_both(cell, mate));
                self.choices.part(cell, mate);
            }
        }
        if let Some(key) = self.choices.key
            && (one == other || key == one || key == other)
        {
            self.reopen(self.routes.through(key));
            self.choices.set_key(None);
        }
        if one == other {
            self.choices.set_key(Some(one));
        } else {
            self.choices.pair(one, other);
        }
        self.close(self.routes.through_both(one, other));
        let until = self.repairs + REST;
        self.rests[one.index()] = until;
        self.rests[other.index()] = until;
    }

    fn close(&mut self, routes: RouteSet) {
        self.closers.add(routes);
        self.count();
    }

    fn reopen(&mut self, routes: RouteSet) {
        self.closers.subtract(routes);
        self.count();
    }

    /// Notes which routes are open, and which are held by one choice.
    fn count(&mut self) {
        let [ones, more @ ..] = self.closers.0;
        let more = more.into_iter().fold(RouteSet::EMPTY, |more, digit| more | digit);
        self.open = self.all & !(ones | more);
        self.held = ones & !more;
    }

    /// A number below `end`, the same in every run.
    fn random(&mut self, end: u32) -> u32 {
        below(&mut self.random, end)
    }
}

/// A random number below `end` (xorshift).
fn below(random: &mut u64, end: u32) -> u32 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (((*random >> 32) * u64::from(end)) >> 32) as u32
}
