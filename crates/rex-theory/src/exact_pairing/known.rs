//! What the searches of earlier positions leave to the next one: paths that were met, and pairings that were found.

use rex_game::Cell;

use super::choices::Choices;
use super::routes::{MOST_WORDS, Route, RouteSet, Routes};
use crate::graph::Graph;
use crate::pairing::Pairing;

/// How many pairings are kept. Then the oldest is forgotten first.
const PAIRINGS: usize = 256;
/// In the bytes of a pairing without a key.
const NO_KEY: u8 = 255;
/// At most so many of them are tried.
const MOST_SEEDS: usize = 16;

/// What is known of one opponent from earlier positions.
#[derive(Default)]
pub struct Known {
    /// The paths of hers that were met in the position before.
    pub(super) routes: Routes,
    /// The latest pairings against her.
    pairings: Vec<Pairing>,
    oldest: usize,
    /// How many pairings are tried in each position.
    seeds: usize,
}

impl Known {
    /// How many bytes it takes at most, with so many seeds.
    pub const fn bytes(seeds: usize) -> usize {
        let pairings = if seeds > 0 { PAIRINGS } else { 0 };
        Routes::BYTES + size_of::<Known>() + pairings * size_of::<Pairing>()
    }

    /// Nothing yet. In each position so many pairings of earlier ones will be tried.
    pub fn new(seeds: usize) -> Known {
        let pairings = Vec::with_capacity(if seeds > 0 { PAIRINGS } else { 0 });
        Known { routes: Routes::new(), pairings, oldest: 0, seeds: seeds.min(MOST_SEEDS) }
    }

    /// All of it as bytes, for a search that goes on another day: the number of pairings and of routes, the oldest of each; for each
    /// pairing its key (or 255), the number of its pairs, and their cells; for each route its length and its cells in order.
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for number in [self.pairings.len(), self.oldest, self.routes.len(), self.routes.oldest()] {
            out.extend((number as u16).to_le_bytes());
        }
        let byte = |cell: Cell| cell.index() as u8;
        for pairing in &self.pairings {
            out.extend([pairing.key.map_or(NO_KEY, byte), pairing.pairs().len() as u8]);
            out.extend(pairing.pairs().iter().flat_map(|&(one, other)| [byte(one), byte(other)]));
        }
        for number in 0..self.routes.len() {
            out.push(self.routes.cells[number].len() as u8);
            out.extend(self.routes.along(number).map(byte));
        }
        out
    }

    /// Takes over what was saved, for a board of this many cells. `None` if it could not have been.
    pub fn load(&mut self, cells: usize, bytes: &[u8]) -> Option<()> {
        let mut bytes = bytes.iter().copied();
        let mut number = || Some(usize::from(u16::from_le_bytes([bytes.next()?, bytes.next()?])));
        let (pairings, oldest, routes, oldest_route) = (number()?, number()?, number()?, number()?);
        if pairings > PAIRINGS || oldest >= PAIRINGS {
            return None;
        }
        let cell = |byte: u8| (usize::from(byte) < cells).then(|| Cell::new(byte.into()));
        self.pairings.clear();
        self.oldest = oldest;
        for _ in 0..pairings {
            let (key, count) = (bytes.next()?, bytes.next()?);
            let mut pairing = Pairing::new(if key == NO_KEY { None } else { Some(cell(key)?) });
            for _ in 0..count {
                let (one, other) = (cell(bytes.next()?)?, cell(bytes.next()?)?);
                // No cell is in two pairs.
                if one == other || pairing.cells().has(one) || pairing.cells().has(other) {
                    return None;
                }
                pairing.push(one, other);
            }
            self.pairings.push(pairing);
        }
        self.routes = Routes::new();
        for _ in 0..routes {
            let mut route = Route::EMPTY;
            for place in 0..usize::from(bytes.next()?) {
                let next = cell(bytes.next()?).filter(|&cell| !route.cells.has(cell))?;
                route.order[place] = next.index() as u8;
                route.cells.insert(next);
            }
            self.routes.add(&route);
        }
        self.routes.begin_at(oldest_route)?;
        bytes.next().is_none().then_some(())
    }

    /// Remembers a pairing.
    pub(super) fn note(&mut self, pairing: &Pairing) {
        if self.seeds == 0 || self.pairings.contains(pairing) {
            return;
        }
        if self.pairings.len() < PAIRINGS {
            self.pairings.push(*pairing);
        } else {
            self.pairings[self.oldest] = *pairing;
            self.oldest = (self.oldest + 1) % PAIRINGS;
        }
    }

    /// The choices to begin with: of the pairings that it remembers, what is still possible of those that leave the fewest
    /// known paths open. The best comes first.
    pub(super) fn seeds<'a>(
        &self,
        opponent: &'a Graph,
        key: bool,
        routes: &Routes,
    ) -> impl Iterator<Item = Choices<'a>> + use<'a> {
        let mut best = [(u32::MAX, 0); MOST_SEEDS];
        let best = &mut best[..self.seeds.min(self.pairings.len())];
        for (number, pairing) in self.pairings.iter().enumerate() {
            let left_open = match routes.cells.len().div_ceil(64) {
                0..=2 => left_open::<2>(pairing, opponent, key, routes),
                3..=4 => left_open::<4>(pairing, opponent, key, routes),
                _ => left_open::<MOST_WORDS>(pairing, opponent, key, routes),
            };
            let place = best.partition_point(|&(least, _)| least <= left_open);
            if place < best.len() {
                best[place..].rotate_right(1);
                best[place] = (left_open, number);
            }
        }
        let mut seeds = [None; MOST_SEEDS];
        for (seed, &mut (_, number)) in seeds.iter_mut().zip(best) {
            *seed = Some(self.pairings[number]);
        }
        seeds.into_iter().flatten().map(move |pairing| Choices::of(opponent, &pairing, key))
    }
}

/// How many routes what is possible of a pairing leaves open.
fn left_open<const WORDS: usize>(pairing: &Pairing, opponent: &Graph, key: bool, routes: &Routes) -> u32 {
    let possible = |cell| opponent.cells.has(cell);
    let mut open = routes.all::<WORDS>();
    for &(one, other) in pairing.pairs() {
        if possible(one) && possible(other) {
            open = open & !routes.through_both(one, other);
        }
    }
    if let Some(cell) = pairing.key.filter(|&cell| key && possible(cell)) {
        open = open & !routes.through::<WORDS>(cell);
    }
    RouteSet::len(open)
}
