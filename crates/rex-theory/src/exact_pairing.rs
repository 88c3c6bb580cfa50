//! The exact pairing search.
//!
//! X has a join pairing iff there are pairs such that every side-to-side path of the opponent contains
//! both cells of some pair. So take a path of hers that has at most one cell of each pair chosen so far.
//! If there is none, we have found the pairing. Otherwise two unpaired cells of that path must become a
//! pair or, for a pre-join pairing, one of them the key: try each in turn. Once a choice has failed, its
//! later siblings may not make it, so that no set of choices is tried in two orders.
//!
//! Paths are remembered, because the same ones stand open again and again. Of the open ones the search
//! closes the one with the fewest unpaired cells next; one with too few of them shows that the choices
//! made so far cannot be completed. A new path is looked for only where all known ones are closed or long.

use rex_game::{Cell, CellSet};

use crate::graph::Graph;
use crate::pairing::Pairing;

/// How many paths are remembered. Then the oldest is forgotten first.
const ROUTES: usize = 64 * WORDS;
const WORDS: usize = 4;
/// Where an open path has at most this many unpaired cells, no other one is looked for.
const FEW: usize = 3;
/// How often the look for a short path may try it without one cell of a pair and without the other.
const DETOURS: u32 = 4;

/// How the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A pairing exists.
    Found(Pairing),
    /// There is none.
    None,
    /// The step limit was reached.
    GaveUp,
}

/// Searches for a pairing of the player whose **opponent's** graph is given. With `key`, she also gets one
/// key cell. Takes no more than `limit` steps, of about a tenth of a microsecond each.
///
/// ```
/// use rex_game::Player;
/// use rex_theory::exact_pairing::{Outcome, find_pairing};
/// use rex_theory::{Field, Options, Reduced, fill_in::fill_in};
///
/// let state: rex_game::State = "4x4 c2".parse()?;
/// let mut reduced = Reduced::new(Field::new(&state));
/// fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut ());
/// // A pairing that makes Black connect: it blocks every path of White's.
/// assert!(matches!(find_pairing(reduced.graph(Player::White), false, 1000), Outcome::Found(_)));
/// assert_eq!(find_pairing(reduced.graph(Player::Black), false, 1000), Outcome::None);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn find_pairing(opponent: &Graph, key: bool, limit: u32) -> Outcome {
    let mut search = PairingSearch {
        graph: opponent,
        open: opponent.cells,
        paired: CellSet::EMPTY,
        mates: [CellSet::EMPTY; 64],
        barred: [CellSet::EMPTY; 64],
        no_key: CellSet::EMPTY,
        key: if key { Key::Unspent } else { Key::None },
        steps: limit,
        routes: Routes::new(),
    };
    match search.run(0) {
        Some(true) => Outcome::Found(search.pairing()),
        Some(false) => Outcome::None,
        None => Outcome::GaveUp,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    None,
    Unspent,
    Spent(Cell),
}

/// A path from side to side: its cells, and the same in their order.
#[derive(Clone, Copy)]
struct Route {
    cells: CellSet,
    order: Order,
}

/// The numbers of cells.
type Order = [u8; 64];

/// A set of routes.
type RouteSet = [u64; WORDS];

/// The paths that are remembered.
struct Routes {
    /// The cells of each, side by side, since most are asked for nothing else.
    cells: [CellSet; ROUTES],
    orders: [Order; ROUTES],
    count: usize,
    /// Where the next one goes.
    next: usize,
    /// For each cell, the routes through it.
    through: [RouteSet; 64],
    /// For each number of choices made, the routes that these leave open.
    open: [RouteSet; 66],
}

impl Routes {
    fn new() -> Routes {
        Routes {
            cells: [CellSet::EMPTY; ROUTES],
            orders: [[0; 64]; ROUTES],
            count: 0,
            next: 0,
            through: [[0; WORDS]; 64],
            open: [[0; WORDS]; 66],
        }
    }

    /// Remembers a route that is open after `depth` choices. So it was open before them, too.
    fn add(&mut self, route: &Route, depth: usize) {
        let (word, bit) = (self.next / 64, 1 << (self.next % 64));
        if self.count == ROUTES {
            for cell in self.cells[self.next] {
                self.through[cell.index()][word] &= !bit;
            }
            for open in &mut self.open[..=depth] {
                open[word] &= !bit;
            }
        } else {
            self.count += 1;
        }
        (self.cells[self.next], self.orders[self.next]) = (route.cells, route.order);
        for cell in route.cells {
            self.through[cell.index()][word] |= bit;
        }
        for open in &mut self.open[..=depth] {
            open[word] |= bit;
        }
        self.next = (self.next + 1) % ROUTES;
    }

    /// Notes what one more choice closes: the routes through both of these cells.
    fn close(&mut self, depth: usize, one: Cell, other: Cell) {
        for word in 0..WORDS {
            let closed = self.through[one.index()][word] & self.through[other.index()][word];
            self.open[depth + 1][word] = self.open[depth][word] & !closed;
        }
    }

    /// The open route with the fewest cells outside of `paired`, and how many those are. Less than `needed` is few enough.
    fn narrowest(&self, depth: usize, paired: CellSet, needed: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for (word, &bits) in self.open[depth].iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let route = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let unpaired = (self.cells[route] - paired).len();
                if best.is_none_or(|(least, _)| unpaired < least) {
                    best = Some((unpaired, route));
                    if unpaired < needed {
                        return best;
                    }
                }
            }
        }
        best
    }
}

struct PairingSearch<'a> {
    graph: &'a Graph,
    /// The cells of the opponent's graph, without the key.
    open: CellSet,
    paired: CellSet,
    /// The mate of each paired cell.
    mates: [CellSet; 64],
    /// For each cell, those it may no longer be paired with.
    barred: [CellSet; 64],
    no_key: CellSet,
    key: Key,
    steps: u32,
    routes: Routes,
}

impl PairingSearch<'_> {
    /// Whether the `depth` choices made so far can be completed; `None` when out of steps. On success the choices are
    /// kept.
    fn run(&mut self, depth: usize) -> Option<bool> {
        self.step()?;
        let needed = if self.key == Key::Unspent { 1 } else { 2 };
        let mut narrowest = self.routes.narrowest(depth, self.paired, needed);
        if narrowest.is_none_or(|(unpaired, _)| unpaired > FEW) {
            let found = match self.shortest_route(self.open, DETOURS) {
                Shortest::None => return Some(true),
                Shortest::Route(route) => Some(route),
                Shortest::Unknown if narrowest.is_some() => None,
                Shortest::Unknown => match self.any_route()? {
                    None => return Some(true),
                    found => found,
                },
            };
            if let Some(route) = found {
                let unpaired = self.unpaired(&route);
                if narrowest.is_none_or(|(least, _)| unpaired < least) {
                    narrowest = Some((unpaired, self.routes.next));
                    self.routes.add(&route, depth);
                }
            }
        }
        let (unpaired, route) = narrowest.expect("a path is known, or was found");
        if unpaired < needed {
            return Some(false);
        }
        let mut cells = [Cell::new(0); 64];
        let order = self.routes.orders[route].iter().map(|&cell| Cell::new(cell.into()));
        let on_it = order.take(self.routes.cells[route].len()).filter(|&cell| !self.paired.has(cell));
        for (place, cell) in cells.iter_mut().zip(on_it) {
            *place = cell;
        }
        self.try_each(&cells[..unpaired], depth)
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
                self.pair(one, other);
                self.routes.close(depth, one, other);
                let result = self.run(depth + 1);
                if result != Some(false) {
                    return result;
                }
                self.part(one, other);
                self.barred[one.index()].insert(other);
                self.barred[other.index()].insert(one);
            }
            if apart == 1 && self.key == Key::Unspent {
                for &cell in unpaired.iter().filter(|&&cell| !no_key.has(cell)) {
                    self.open.remove(cell);
                    self.key = Key::Spent(cell);
                    self.routes.close(depth, cell, cell);
                    let result = self.run(depth + 1);
                    if result != Some(false) {
                        return result;
                    }
                    self.open.insert(cell);
                    self.key = Key::Unspent;
                    self.no_key.insert(cell);
                }
            }
        }
        for (cell, barred) in unpaired.iter().zip(barred) {
            self.barred[cell.index()] = barred;
        }
        self.no_key = no_key;
        Some(false)
    }

    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    fn pair(&mut self, one: Cell, other: Cell) {
        self.paired = self.paired.with(one).with(other);
        self.mates[one.index()] = other.set();
        self.mates[other.index()] = one.set();
    }

    fn part(&mut self, one: Cell, other: Cell) {
        self.paired = self.paired.without(one).without(other);
        self.mates[one.index()] = CellSet::EMPTY;
        self.mates[other.index()] = CellSet::EMPTY;
    }

    fn unpaired(&self, route: &Route) -> usize {
        (route.cells - self.paired).len()
    }

    /// A path through `area` with at most one cell of each pair and few unpaired cells. Where the shortest has both cells of
    /// a pair, a better one misses one of them; it follows that up for so many pairs.
    fn shortest_route(&self, area: CellSet, detours: u32) -> Shortest {
        let mut layers = [CellSet::EMPTY; 64];
        let Some(count) = self.layers(area, &mut layers) else { return Shortest::None };
        let cell = match self.trace_back(&layers[..count]) {
            Ok(route) => return Shortest::Route(route),
            Err(_) if detours == 0 => return Shortest::Unknown,
            Err(cell) => cell,
        };
        let without = |cells| self.shortest_route(area - cells, detours - 1);
        match [cell.set(), self.mates[cell.index()]].map(without) {
            [Shortest::Route(one), Shortest::Route(other)] => {
                Shortest::Route(if self.unpaired(&one) <= self.unpaired(&other) { one } else { other })
            }
            [Shortest::Route(route), _] | [_, Shortest::Route(route)] => Shortest::Route(route),
            [Shortest::None, Shortest::None] => Shortest::None,
            _ => Shortest::Unknown,
        }
    }

    /// Breadth-first layers from the first side to the second. Paired cells come first because they cost
    /// nothing. Returns the number of layers.
    fn layers(&self, area: CellSet, layers: &mut [CellSet; 64]) -> Option<usize> {
        let [from, to] = self.graph.sides;
        let mut rest = area;
        let mut reached = from & rest;
        let mut count = 0;
        loop {
            // `reached` are the cells that touch a visited one. Visit those that cost nothing as long as
            // there are any.
            let free = reached & self.paired;
            let layer = if free.is_empty() { reached } else { free };
            if layer.is_empty() {
                return None;
            }
            layers[count] = layer;
            count += 1;
            if layer.meets(to) {
                return Some(count);
            }
            rest -= layer;
            reached = (reached | self.graph.neighbours_of_set(layer)) & rest;
        }
    }

    /// Reads a path off the layers, from the second side to the first. Avoids the mates of cells on it
    /// where that costs nothing; `Err` is a cell whose mate is on the path already.
    fn trace_back(&self, layers: &[CellSet]) -> Result<Route, Cell> {
        let [from, to] = self.graph.sides;
        let mut route = Route { cells: CellSet::EMPTY, order: [0; 64] };
        let mut mates = CellSet::EMPTY;
        let mut at = layers.len() - 1;
        let mut wanted = to;
        loop {
            let here = layers[at] & wanted;
            let Some(cell) = (here - mates).first() else {
                return Err(here.first().expect("the layer before touches this one"));
            };
            route.order[route.cells.len()] = cell.index() as u8;
            route.cells.insert(cell);
            mates |= self.mates[cell.index()];
            if from.has(cell) {
                return Ok(route);
            }
            wanted = self.graph.neighbours(cell);
            // Take the earliest layer that touches it: no later one is nearer to the first side.
            at = layers[..at]
                .iter()
                .position(|layer| layer.meets(wanted))
                .expect("it was reached from a layer");
        }
    }

    /// A path with at most one cell of each pair, if there is one; `None` when out of steps.
    fn any_route(&mut self) -> Option<Option<Route>> {
        let [from, _] = self.graph.sides;
        let here = self.reach(from, self.alone(self.open));
        let found = self.way_on(here, from, self.open - here)?;
        Some(found.map(|within| {
            let Shortest::Route(route) = self.shortest_route(within, 0) else {
                unreachable!("a way without both cells of any pair")
            };
            route
        }))
    }

    /// Cells that hold a path, but not both cells of any pair: `here` and some of `area`. The path comes from `here` or
    /// begins in `from`. As in `Pairing::joins`, it goes on from its last cell among those next to `here`.
    fn way_on(&mut self, here: CellSet, from: CellSet, area: CellSet) -> Option<Option<CellSet>> {
        self.step()?;
        let goal = self.graph.sides[1];
        if here.meets(goal) {
            return Some(Some(here));
        }
        let next = (self.graph.neighbours_of_set(here) | from) & area;
        if !self.reach(next, area).meets(goal) {
            return Some(None);
        }
        for cell in next {
            let area = area - next - self.mates[cell.index()];
            let there = self.reach(cell.set(), self.alone(area).with(cell));
            if let Some(way) = self.way_on(there, CellSet::EMPTY, area - there)? {
                return Some(Some(here | way));
            }
        }
        Some(None)
    }

    fn reach(&self, from: CellSet, area: CellSet) -> CellSet {
        let mut all = from & area;
        let mut new = all;
        while !new.is_empty() {
            new = (self.graph.neighbours_of_set(new) & area) - all;
            all |= new;
        }
        all
    }

    /// The cells of an area that have no mate in it.
    fn alone(&self, area: CellSet) -> CellSet {
        (area & self.paired)
            .into_iter()
            .filter(|cell| area.meets(self.mates[cell.index()]))
            .fold(area, CellSet::without)
    }

    fn pairing(&self) -> Pairing {
        let mut pairing = Pairing::new(match self.key {
            Key::Spent(cell) => Some(cell),
            _ => None,
        });
        for cell in self.paired {
            let mate = self.mates[cell.index()].first().expect("a paired cell has a mate");
            if cell < mate {
                pairing.push(cell, mate);
            }
        }
        pairing
    }
}

/// What a look for a short path finds.
enum Shortest {
    /// One with at most one cell of each pair.
    Route(Route),
    /// There is none.
    None,
    /// Those it looked at had both cells of a pair. Others may not.
    Unknown,
}
