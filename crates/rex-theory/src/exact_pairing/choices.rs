//! Pairs and a key that were chosen, and the paths of the opponent that they leave open.

use rex_game::{Cell, CellSet};

use super::routes::Route;
use crate::graph::Graph;
use crate::pairing::Pairing;

/// What was chosen so far.
pub struct Choices<'a> {
    graph: &'a Graph,
    /// The cells of the opponent's graph, without the key.
    pub open: CellSet,
    /// The cells of all pairs.
    pub paired: CellSet,
    /// The mate of each paired cell.
    pub mates: [CellSet; 64],
    /// The key, where one was chosen.
    pub key: Option<Cell>,
}

/// Where a path may go on: an area, and those of its cells whose mates are not in it.
#[derive(Clone, Copy)]
struct Ground {
    area: CellSet,
    alone: CellSet,
}

/// What a look for a path finds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// One with at most one cell of each pair.
    Open,
    /// There is none.
    Closed,
    /// Those it looked at had both cells of a pair. Others may not.
    Unknown,
}

impl<'a> Choices<'a> {
    /// Nothing is chosen yet. The graph is the opponent's.
    pub fn new(graph: &'a Graph) -> Choices<'a> {
        Choices { graph, open: graph.cells, paired: CellSet::EMPTY, mates: [CellSet::EMPTY; 64], key: None }
    }

    /// What is still possible of a pairing.
    pub fn of(graph: &'a Graph, pairing: &Pairing, key: bool) -> Choices<'a> {
        let mut choices = Choices::new(graph);
        choices.set_key(pairing.key.filter(|&cell| key && graph.cells.has(cell)));
        for &(one, other) in pairing.pairs() {
            if graph.cells.has(one) && graph.cells.has(other) {
                choices.pair(one, other);
            }
        }
        choices
    }

    pub fn pair(&mut self, one: Cell, other: Cell) {
        self.paired = self.paired.with(one).with(other);
        self.mates[one.index()] = other.set();
        self.mates[other.index()] = one.set();
    }

    pub fn part(&mut self, one: Cell, other: Cell) {
        self.paired = self.paired.without(one).without(other);
        self.mates[one.index()] = CellSet::EMPTY;
        self.mates[other.index()] = CellSet::EMPTY;
    }

    /// Chooses another key, or none.
    pub fn set_key(&mut self, key: Option<Cell>) {
        self.open = self.graph.cells - key.map_or(CellSet::EMPTY, Cell::set);
        self.key = key;
    }

    /// Takes back what is not needed to close all paths.
    pub fn trim(&mut self) {
        // Where that cannot be told in so many steps, it stays.
        let closed = |choices: &Choices| choices.any_route(&mut 100, &mut { Route::EMPTY }) == Some(false);
        if let Some(key) = self.key {
            self.set_key(None);
            if !closed(self) {
                self.set_key(Some(key));
            }
        }
        for one in self.paired {
            let Some(other) = self.mates[one.index()].first().filter(|&other| one < other) else { continue };
            self.part(one, other);
            if !closed(self) {
                self.pair(one, other);
            }
        }
    }

    /// The pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let with_mate =
            |cell: Cell| (cell, self.mates[cell.index()].first().expect("a paired cell has a mate"));
        self.paired.into_iter().map(with_mate).filter(|(cell, mate)| cell < mate)
    }

    /// The pairing, if no path is open.
    pub fn pairing(&self) -> Pairing {
        let mut pairing = Pairing::new(self.key);
        self.pairs().for_each(|(one, other)| pairing.push(one, other));
        pairing
    }

    /// Looks for a path with at most one cell of each pair and few unpaired cells. Where the one with the fewest has both cells
    /// of a pair, a better one misses one of them; it follows that up for so many pairs, and takes the best.
    pub fn narrow_route(&self, detours: u32, route: &mut Route) -> Look {
        self.narrow_route_in(self.open, detours, route)
    }

    fn narrow_route_in(&self, area: CellSet, detours: u32, route: &mut Route) -> Look {
        let cell = match self.route_in(area, self.paired, route) {
            Ok(look) => return look,
            Err(_) if detours == 0 => return Look::Unknown,
            Err(cell) => cell,
        };
        let first = self.narrow_route_in(area.without(cell), detours - 1, route);
        let mut other = Route::EMPTY;
        let second = self.narrow_route_in(area - self.mates[cell.index()], detours - 1, &mut other);
        let unpaired = |route: &Route| (route.cells - self.paired).len();
        if second == Look::Open && (first != Look::Open || unpaired(&other) < unpaired(route)) {
            *route = other;
        }
        match [first, second] {
            [Look::Open, _] | [_, Look::Open] => Look::Open,
            [Look::Closed, Look::Closed] => Look::Closed,
            _ => Look::Unknown,
        }
    }

    /// Looks for a short path with at most one cell of each pair, from either side. May miss it.
    pub fn short_route(&self, route: &mut Route) -> bool {
        let [first, second] = self.graph.sides;
        if self.short_route_between(first, second, route) {
            return true;
        }
        let found = self.short_route_between(second, first, route);
        if found {
            route.order[..route.cells.len()].reverse();
        }
        found
    }

    /// Goes from cell to cell, the nearest first. Each is reached on one way only, and not where its mate is on that way. So a
    /// path may be missed, but one that is found is short: it has no detour that one of its own cells could save.
    fn short_route_between(&self, from: CellSet, to: CellSet, route: &mut Route) -> bool {
        let mut reached = [Cell::new(0); 64];
        let mut came_from = [Cell::new(0); 64];
        // For each cell, the mates of those on the way to it.
        let mut mates = [CellSet::EMPTY; 64];
        let (mut count, mut next) = (0, 0);
        for cell in from & self.open {
            mates[cell.index()] = self.mates[cell.index()];
            reached[count] = cell;
            count += 1;
        }
        let mut rest = self.open - from;
        while next < count {
            let cell = reached[next];
            next += 1;
            if to.has(cell) {
                Self::way_back(cell, from, &came_from, route);
                return true;
            }
            let new = (self.graph.neighbours(cell) & rest) - mates[cell.index()];
            rest -= new;
            for there in new {
                mates[there.index()] = mates[cell.index()] | self.mates[there.index()];
                came_from[there.index()] = cell;
                reached[count] = there;
                count += 1;
            }
        }
        false
    }

    fn way_back(end: Cell, from: CellSet, came_from: &[Cell; 64], route: &mut Route) {
        let mut cell = end;
        route.cells = CellSet::EMPTY;
        loop {
            route.order[route.cells.len()] = cell.index() as u8;
            route.cells.insert(cell);
            if from.has(cell) {
                return;
            }
            cell = came_from[cell.index()];
        }
    }

    /// The path through `area` with the fewest cells that are not free; `Err` is a cell of it whose mate is on it, too.
    fn route_in(&self, area: CellSet, free: CellSet, route: &mut Route) -> Result<Look, Cell> {
        let mut layers = [CellSet::EMPTY; 64];
        match self.layers(area, free, &mut layers) {
            Some(count) => self.trace_back(&layers[..count], free, route).map(|()| Look::Open),
            None => Ok(Look::Closed),
        }
    }

    /// Breadth-first layers from the first side to the second. Free cells come first because they cost
    /// nothing. Returns the number of layers.
    fn layers(&self, area: CellSet, free: CellSet, layers: &mut [CellSet; 64]) -> Option<usize> {
        let [from, to] = self.graph.sides;
        let mut rest = area;
        let mut reached = from & rest;
        let mut count = 0;
        loop {
            // `reached` are the cells that touch a visited one. Visit those that cost nothing as long as
            // there are any.
            let at_no_cost = reached & free;
            let layer = if at_no_cost.is_empty() { reached } else { at_no_cost };
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
    fn trace_back(&self, layers: &[CellSet], free: CellSet, route: &mut Route) -> Result<(), Cell> {
        let [from, to] = self.graph.sides;
        route.cells = CellSet::EMPTY;
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
                return Ok(());
            }
            wanted = self.graph.neighbours(cell);
            // Take the earliest layer that touches it: no later one is nearer to the first side. Where nothing is free, that
            // is the one before.
            at = if free.is_empty() {
                at - 1
            } else {
                let earliest = layers[..at].iter().position(|layer| layer.meets(wanted));
                earliest.expect("it was reached from a layer")
            };
        }
    }

    /// Whether there is a path with at most one cell of each pair; `None` when out of steps.
    pub fn any_route(&self, steps: &mut u32, route: &mut Route) -> Option<bool> {
        let [from, _] = self.graph.sides;
        let alone = self.open - self.mates_of(self.open);
        let here = self.reach(from, alone);
        let ground = Ground { area: self.open - here, alone: alone - here };
        let Some(within) = self.way_on(here, from, ground, steps)? else { return Some(false) };
        let found = self.route_in(within, CellSet::EMPTY, route);
        debug_assert!(found == Ok(Look::Open), "a way without both cells of any pair");
        Some(true)
    }

    /// Cells that hold a path, but not both cells of any pair: `here` and some of the ground. The path comes from `here` or
    /// begins in `from`. As in `Pairing::joins`, it goes on from its last cell among those next to `here`.
    fn way_on(
        &self,
        here: CellSet,
        from: CellSet,
        ground: Ground,
        steps: &mut u32,
    ) -> Option<Option<CellSet>> {
        *steps = steps.checked_sub(1)?;
        let goal = self.graph.sides[1];
        if here.meets(goal) {
            return Some(Some(here));
        }
        let next = (self.graph.neighbours_of_set(here) | from) & ground.area;
        if !self.reach(next, ground.area).meets(goal) {
            return Some(None);
        }
        // What is left without `next`.
        let area = ground.area - next;
        let alone = (ground.alone | self.mates_of(next)) & area;
        for cell in next {
            let mate = self.mates[cell.index()];
            let there = self.reach(cell.set(), (alone - mate).with(cell));
            let ground = Ground { area: area - mate - there, alone: alone - mate - there };
            if let Some(way) = self.way_on(there, CellSet::EMPTY, ground, steps)? {
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

    /// The mates of these cells.
    fn mates_of(&self, cells: CellSet) -> CellSet {
        (cells & self.paired).into_iter().fold(CellSet::EMPTY, |mates, cell| mates | self.mates[cell.index()])
    }
}
