//! The exact pairing search.
//!
//! X has a join pairing iff there are pairs such that every side-to-side path of the opponent contains
//! both cells of some pair. So take a path of hers that uses at most one cell of each pair chosen so far,
//! with as few unpaired cells as possible. If there is none, we have found the pairing. Otherwise two
//! unpaired cells of that path must become a pair or, for a pre-join pairing, one of them the key: try
//! each in turn. Once a choice has failed, its later siblings may not make it, so that no set of choices
//! is tried in two orders.

use rex_game::{Cell, CellSet};

use crate::graph::Graph;
use crate::pairing::Pairing;

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
/// key cell. Looks at no more than `limit` paths.
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
    let mut search = PathSearch {
        graph: opponent,
        open: opponent.cells,
        paired: CellSet::EMPTY,
        mate: [Cell::new(0); 64],
        barred: [CellSet::EMPTY; 64],
        no_key: CellSet::EMPTY,
        key: if key { Key::Unspent } else { Key::None },
        steps: limit,
    };
    match search.run() {
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

struct PathSearch<'a> {
    graph: &'a Graph,
    /// The cells of the opponent's graph, without the key.
    open: CellSet,
    paired: CellSet,
    mate: [Cell; 64],
    /// For each cell, those it may no longer be paired with.
    barred: [CellSet; 64],
    no_key: CellSet,
    key: Key,
    steps: u32,
}

/// A path from side to side. Lists only its unpaired cells.
struct Path {
    unpaired: [Cell; 64],
    len: usize,
}

impl PathSearch<'_> {
    /// Whether the choices made so far can be completed; `None` when out of steps. On success the choices
    /// are kept.
    fn run(&mut self) -> Option<bool> {
        let Some(path) = self.shortest_path(self.open)? else { return Some(true) };
        let unpaired = &path.unpaired[..path.len];
        if unpaired.len() < 2 && self.key != Key::Unspent {
            return Some(false);
        }
        // Try cells close together first: most pairings are made of bridges.
        let mut undo_barred = [(Cell::new(0), Cell::new(0)); 64];
        let mut undone = 0;
        let no_key = self.no_key;
        let mut result = Some(false);
        'choices: {
            for apart in 1..unpaired.len().max(2) {
                for (&one, &other) in unpaired.iter().zip(unpaired.iter().skip(apart)) {
                    if self.barred[one.index()].has(other) {
                        continue;
                    }
                    self.pair(one, other);
                    result = self.run();
                    if result != Some(false) {
                        break 'choices;
                    }
                    self.paired = self.paired.without(one).without(other);
                    if undone < undo_barred.len() {
                        self.bar(one, other, true);
                        undo_barred[undone] = (one, other);
                        undone += 1;
                    }
                }
                if apart == 1 && self.key == Key::Unspent {
                    for &cell in unpaired {
                        if self.no_key.has(cell) {
                            continue;
                        }
                        self.open.remove(cell);
                        self.key = Key::Spent(cell);
                        result = self.run();
                        if result != Some(false) {
                            break 'choices;
                        }
                        self.open.insert(cell);
                        self.key = Key::Unspent;
                        self.no_key.insert(cell);
                    }
                }
            }
        }
        if result == Some(false) {
            for &(one, other) in &undo_barred[..undone] {
                self.bar(one, other, false);
            }
            self.no_key = no_key;
        }
        result
    }

    fn pair(&mut self, one: Cell, other: Cell) {
        self.paired = self.paired.with(one).with(other);
        self.mate[one.index()] = other;
        self.mate[other.index()] = one;
    }

    fn bar(&mut self, one: Cell, other: Cell, on: bool) {
        for (one, other) in [(one, other), (other, one)] {
            let barred = &mut self.barred[one.index()];
            *barred = if on { barred.with(other) } else { barred.without(other) };
        }
    }

    /// A path through `area` with at most one cell of each pair and the fewest unpaired cells, if there is
    /// one; `None` when out of steps.
    fn shortest_path(&mut self, area: CellSet) -> Option<Option<Path>> {
        self.steps = self.steps.checked_sub(1)?;
        let mut layers = [CellSet::EMPTY; 64];
        let Some(count) = self.layers(area, &mut layers) else { return Some(None) };
        match self.trace_back(&layers[..count]) {
            Ok(path) => Some(Some(path)),
            // Both cells of a pair are on it. An allowed path misses one of them.
            Err(cell) => {
                let one = self.shortest_path(area.without(cell))?;
                let other = self.shortest_path(area.without(self.mate[cell.index()]))?;
                Some(match (one, other) {
                    (Some(one), Some(other)) => Some(if one.len <= other.len { one } else { other }),
                    (one, other) => one.or(other),
                })
            }
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
    fn trace_back(&self, layers: &[CellSet]) -> Result<Path, Cell> {
        let [from, to] = self.graph.sides;
        let mut path = Path { unpaired: [Cell::new(0); 64], len: 0 };
        let mut mates = CellSet::EMPTY;
        let mut at = layers.len() - 1;
        let mut wanted = to;
        loop {
            let here = layers[at] & wanted;
            let (cell, clash) = match (here - mates).first() {
                Some(cell) => (cell, false),
                None => (here.first().expect("the layer before touches this one"), true),
            };
            if clash {
                return Err(cell);
            }
            if self.paired.has(cell) {
                mates.insert(self.mate[cell.index()]);
            } else {
                path.unpaired[path.len] = cell;
                path.len += 1;
            }
            if from.has(cell) {
                return Ok(path);
            }
            wanted = self.graph.neighbours(cell);
            // Take the earliest layer that touches it: no later one is nearer to the first side.
            at = layers[..at]
                .iter()
                .position(|layer| layer.meets(wanted))
                .expect("it was reached from a layer");
        }
    }

    fn pairing(&self) -> Pairing {
        let mut pairing = Pairing::new(match self.key {
            Key::Spent(cell) => Some(cell),
            _ => None,
        });
        for cell in self.paired {
            let mate = self.mate[cell.index()];
            if cell < mate {
                pairing.push(cell, mate);
            }
        }
        pairing
    }
}
