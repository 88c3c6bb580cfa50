//! The search that tries one choice after the other.
//!
//! Two unpaired cells of an open path must become a pair, or one of them the key: it tries each in turn. Once a choice has
//! failed, its later siblings may not make it, so that no set of choices is tried in two orders. Of the open paths it
//! closes the one with the fewest unpaired cells next; one with too few of them shows that the choices made so far cannot
//! be completed. A new path is looked for only where all known ones are closed or long.

use rex_game::{Cell, CellSet};

use super::Outcome;
use super::choices::{Choices, Look};
use super::routes::{MOST_WORDS, Route, RouteSet, Routes};

/// Where an open path has at most this many unpaired cells, no other one is looked for.
const FEW: usize = 3;
/// How often the look for a narrow path may try it without one cell of a pair and without the other.
const DETOURS: u32 = 4;

/// Looks for a pairing, in no more than so many steps.
pub fn find(choices: Choices, key: bool, steps: u32, routes: &mut Routes) -> Outcome {
    // A step finds at most one new path.
    match (routes.cells.len() + steps as usize).div_ceil(64) {
        0..=2 => find_in::<2>(choices, key, steps, routes),
        3..=4 => find_in::<4>(choices, key, steps, routes),
        _ => find_in::<MOST_WORDS>(choices, key, steps, routes),
    }
}

fn find_in<const WORDS: usize>(choices: Choices, key: bool, steps: u32, routes: &mut Routes) -> Outcome {
    let mut search = Systematic::<WORDS> {
        choices,
        key_left: key,
        barred: [CellSet::EMPTY; 64],
        no_key: CellSet::EMPTY,
        steps,
        open: [routes.all(); 66],
        routes,
    };
    match search.run(0) {
        Some(true) => Outcome::Found(search.choices.pairing()),
        Some(false) => Outcome::None,
        None => Outcome::GaveUp,
    }
}

struct Systematic<'a, const WORDS: usize> {
    choices: Choices<'a>,
    /// Whether a key may still be chosen.
    key_left: bool,
    /// For each cell, those it may no longer be paired with.
    barred: [CellSet; 64],
    no_key: CellSet,
    steps: u32,
    routes: &'a mut Routes,
    /// For each number of choices made, the routes that these leave open.
    open: [RouteSet<WORDS>; 66],
}

impl<const WORDS: usize> Systematic<'_, WORDS> {
    /// Whether the `depth` choices made so far can be completed; `None` when out of steps. On success the choices are
    /// kept.
    fn run(&mut self, depth: usize) -> Option<bool> {
        self.steps = self.steps.checked_sub(1)?;
        let needed = if self.key_left { 1 } else { 2 };
        let mut narrowest = self.narrowest(depth, needed);
        if narrowest.is_none_or(|(unpaired, _)| unpaired > FEW) {
            let mut route = Route::EMPTY;
            let found = match self.choices.narrow_route(DETOURS, &mut route) {
                Look::Closed => return Some(true),
                Look::Open => true,
                Look::Unknown if narrowest.is_some() => false,
                Look::Unknown => self.choices.any_route(&mut self.steps, &mut route)?,
            };
            let unpaired = (route.cells - self.choices.paired).len();
            if found && narrowest.is_none_or(|(least, _)| unpaired < least) {
                let number = self.routes.add(&route);
                // It is open now, so it was open before the choices that were made.
                for open in &mut self.open[..=depth] {
                    *open = *open | RouteSet::one(number);
                }
                narrowest = Some((unpaired, number));
            }
        }
        let Some((unpaired, route)) = narrowest else { return Some(true) };
        if unpaired < needed {
            return Some(false);
        }
        let mut cells = [Cell::new(0); 64];
        let on_it = self.routes.along(route).filter(|&cell| !self.choices.paired.has(cell));
        for (place, cell) in cells.iter_mut().zip(on_it) {
            *place = cell;
        }
        self.try_each(&cells[..unpaired], depth)
    }

    /// The open route with the fewest unpaired cells, and how many those are. Less than `needed` is few enough.
    fn narrowest(&self, depth: usize, needed: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for route in self.open[depth] {
            let unpaired = (self.routes.cells[route] - self.choices.paired).len();
            if best.is_none_or(|(least, _)| unpaired < least) {
                best = Some((unpaired, route));
                if unpaired < needed {
                    return best;
                }
            }
        }
        best
    }

    /// Tries every choice that closes the path with these unpaired cells.
    fn try_each(&mut self, unpaired: &[Cell], depth: usize) -> Option<bool> {
        let mut barred = [CellSet::EMPTY; 64];
        for (barred, cell) in barred.iter_mut().zip(unpaired) {
            *barred = self.barred[cell.index()];
        }
        let no_key = self.no_key;
        // Cells close together first: most pairings are made of bridges.
        for apart in 1..unpaired.len().max(2) {
            for (&one, &other) in unpaired.iter().zip(unpaired.iter().skip(apart)) {
                if self.barred[one.index()].has(other) {
                    continue;
                }
                self.choices.pair(one, other);
                self.open[depth + 1] = self.open[depth] & !self.routes.through_both(one, other);
                let result = self.run(depth + 1);
                if result != Some(false) {
                    return result;
                }
                self.choices.part(one, other);
                self.barred[one.index()].insert(other);
                self.barred[other.index()].insert(one);
            }
            if apart == 1 && self.key_left {
                self.key_left = false;
                for &cell in unpaired.iter().filter(|&&cell| !no_key.has(cell)) {
                    self.choices.set_key(Some(cell));
                    self.open[depth + 1] = self.open[depth] & !self.routes.through(cell);
                    let result = self.run(depth + 1);
                    if result != Some(false) {
                        return result;
                    }
                    self.no_key.insert(cell);
                }
                self.choices.set_key(None);
                self.key_left = true;
            }
        }
        for (cell, barred) in unpaired.iter().zip(barred) {
            self.barred[cell.index()] = barred;
        }
        self.no_key = no_key;
        Some(false)
    }
}
