//! A player's reduced graph and what can be read off it by the clique test.

use rex::{Cell, CellSet, Player};

use crate::field::Field;

/// A player's reduced graph: her groups are contracted, the opponent's stones are deleted, and her two
/// sides are terminals. What is left to her are the paths of empty cells from one side to the other.
///
/// A deleted cell only leaves `cells`; its adjacency stays, so that a stone of the opponent's can be
/// looked at as if it were uncoloured ([`Graph::around`] works for it as well).
#[derive(Clone, Debug)]
pub struct Graph {
    /// Empty cells, the vertices.
    pub cells: CellSet,
    /// The cells that touch either side, directly or through stones joined to it.
    pub sides: [CellSet; 2],
    /// The cells that touch a cell directly or through one group that is not joined to a side.
    adjacent: [CellSet; 64],
}

/// The neighbourhood of a vertex: cells, and which of the two sides are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// Neighbouring cells.
    pub cells: CellSet,
    /// Neighbouring sides.
    pub sides: [bool; 2],
}

/// Two neighbours of a cell that are not neighbours of each other. `None` stands for a side.
pub type Gap = (Option<Cell>, Option<Cell>);

impl Graph {
    /// The graph of `player`.
    pub fn new(field: &Field, player: Player) -> Graph {
        let board = field.board;
        let own = field.own(player);
        let free = board.cells() - own;
        let mut graph = Graph {
            cells: field.empty(),
            sides: [board.side(player, 0) & free, board.side(player, 1) & free],
            adjacent: [CellSet::EMPTY; 64],
        };
        for cell in free {
            graph.adjacent[cell.index()] = board.neighbours(cell) & free;
        }
        let mut rest = own;
        while let Some(stone) = rest.first() {
            let group = board.reachable(stone.set(), own);
            rest -= group;
            let around = board.neighbours_of_set(group) & free;
            let touches = [0, 1].map(|which| group.meets(board.side(player, which)));
            graph.contract_into(around, touches);
        }
        graph
    }

    /// What touches a cell.
    pub fn around(&self, cell: Cell) -> Around {
        Around { cells: self.neighbours(cell), sides: [self.sides[0].has(cell), self.sides[1].has(cell)] }
    }

    /// The neighbouring cells of a cell.
    pub fn neighbours(&self, cell: Cell) -> CellSet {
        (self.adjacent[cell.index()] & self.cells).without(cell)
    }

    /// The vertices that touch a cell of `set`.
    pub fn neighbours_of_set(&self, set: CellSet) -> CellSet {
        let mut found = CellSet::EMPTY;
        for cell in set {
            found |= self.adjacent[cell.index()];
        }
        found & self.cells
    }

    /// The opponent colours a cell.
    pub fn delete(&mut self, cell: Cell) {
        self.cells.remove(cell);
    }

    /// The owner colours a cell. Returns whether this joins her sides.
    pub fn contract(&mut self, cell: Cell) -> bool {
        self.cells.remove(cell);
        let touches = [self.sides[0].has(cell), self.sides[1].has(cell)];
        self.contract_into(self.adjacent[cell.index()].without(cell), touches);
        touches[0] && touches[1]
    }

    /// The cells whose neighbourhood, or the gaps in it, will not be the same once the owner has coloured `cell`:
    /// its neighbours, and the cells that see two of them draw together.
    pub fn changed_by_contracting(&self, cell: Cell) -> CellSet {
        let near = self.neighbours(cell);
        let mut once = (self.sides[0] | self.sides[1]) & self.cells;
        if !once.has(cell) {
            once = CellSet::EMPTY;
        }
        let mut twice = CellSet::EMPTY;
        for neighbour in near {
            let around = self.neighbours(neighbour);
            twice |= once & around;
            once |= around;
        }
        (near | twice).without(cell)
    }

    /// Makes `around` the surroundings of one group.
    fn contract_into(&mut self, around: CellSet, touches: [bool; 2]) {
        if touches[0] || touches[1] {
            for (side, touched) in self.sides.iter_mut().zip(touches) {
                if touched {
                    *side |= around;
                }
            }
        } else {
            for cell in around {
                self.adjacent[cell.index()] |= around;
            }
        }
    }

    /// Two members of a neighbourhood that do not touch, if it is no clique. A neighbourhood with both
    /// sides has a gap that no cell can close.
    pub fn gap(&self, around: Around) -> Option<Gap> {
        for which in 0..2 {
            if around.sides[which] {
                if around.sides[1 - which] {
                    return Some((None, None));
                }
                if let Some(cell) = (around.cells - self.sides[which]).first() {
                    return Some((None, Some(cell)));
                }
            }
        }
        for cell in around.cells {
            if let Some(other) = (around.cells - self.adjacent[cell.index()]).without(cell).first() {
                return Some((Some(cell), Some(other)));
            }
        }
        None
    }

    /// Whether all members of a neighbourhood touch each other.
    pub fn is_clique(&self, around: Around) -> bool {
        self.gap(around).is_none()
    }

    /// Whether no minimal path can use `cell`, by the clique test.
    pub fn dead(&self, cell: Cell) -> bool {
        self.is_clique(self.around(cell))
    }

    /// Whether `cell` is dead, by the clique test, once `deleted` are the opponent's.
    pub fn dead_without(&self, cell: Cell, deleted: CellSet) -> bool {
        let around = self.around(cell);
        self.is_clique(Around { cells: around.cells - deleted, ..around })
    }

    /// Whether `cell` is dead, by the clique test, once the owner has `taken`.
    pub fn dead_with(&self, cell: Cell, taken: Cell) -> bool {
        let Around { cells, mut sides } = self.around(cell);
        let around_taken = self.around(taken);
        let [by_first, by_second] = around_taken.sides;
        let mut cells = cells;
        if cells.has(taken) {
            cells |= around_taken.cells;
            sides = [sides[0] || by_first, sides[1] || by_second];
        }
        cells = cells.without(taken).without(cell);
        if sides[0] && sides[1] {
            return false;
        }
        for (which, touched) in sides.into_iter().enumerate() {
            let grown = if around_taken.sides[which] { around_taken.cells } else { CellSet::EMPTY };
            if touched && !cells.within(self.sides[which] | grown) {
                return false;
            }
        }
        let linked = if by_first || by_second { CellSet::EMPTY } else { around_taken.cells };
        cells.into_iter().all(|member| {
            let link = if linked.has(member) { linked } else { CellSet::EMPTY };
            cells.without(member).within(self.adjacent[member.index()] | link)
        })
    }

    /// The cells that kill `cell` when the opponent takes them, one at a time (clique test).
    pub fn killers_by_deletion(&self, cell: Cell) -> CellSet {
        let around = self.around(cell);
        let Some((one, other)) = self.gap(around) else { return CellSet::EMPTY };
        [one, other].into_iter().flatten().filter(|&killer| self.dead_without(cell, killer.set())).collect()
    }

    /// The cells that kill `cell` when the owner takes them, one at a time (clique test).
    pub fn killers_by_contraction(&self, cell: Cell) -> CellSet {
        // Taking a cell closes the gap only if that cell is an end of it or touches both ends.
        let mut candidates = match self.gap(self.around(cell)) {
            Some((Some(one), Some(other))) => {
                (self.neighbours(one) & self.neighbours(other)) | one.set() | other.set()
            }
            Some((None, Some(other))) => {
                ((self.sides[0] | self.sides[1]) & self.neighbours(other)) | other.set()
            }
            _ => CellSet::EMPTY,
        };
        candidates.remove(cell);
        candidates.into_iter().filter(|&killer| self.dead_with(cell, killer)).collect()
    }

    /// The pairs of cells that kill `cell` when the opponent has both but neither alone, by the clique
    /// test. There are at most four: each must close one gap and then the next.
    pub fn killer_pairs(&self, cell: Cell) -> PairList {
        let mut pairs = PairList::default();
        let around = self.around(cell);
        let Some((one, other)) = self.gap(around) else { return pairs };
        for first in [one, other].into_iter().flatten() {
            let rest = Around { cells: around.cells.without(first), ..around };
            let Some((one, other)) = self.gap(rest) else { continue };
            for second in [one, other].into_iter().flatten() {
                let alone = self.dead_without(cell, second.set());
                if !alone && self.is_clique(Around { cells: rest.cells.without(second), ..rest }) {
                    pairs.push(first, second);
                }
            }
        }
        pairs
    }
}

/// At most four unordered pairs of cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairList {
    len: usize,
    pairs: [CellSet; 4],
}

impl PairList {
    fn push(&mut self, one: Cell, other: Cell) {
        let pair = one.set().with(other);
        if !self.contains(pair) {
            self.pairs[self.len] = pair;
            self.len += 1;
        }
    }

    /// Whether this pair is in the list.
    pub fn contains(&self, pair: CellSet) -> bool {
        self.iter().any(|listed| listed == pair)
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One of the pairs.
    ///
    /// # Panics
    /// If `index` is not below [`PairList::len`].
    pub fn get(&self, index: usize) -> CellSet {
        self.pairs[..self.len][index]
    }

    /// The pairs.
    pub fn iter(&self) -> impl Iterator<Item = CellSet> + '_ {
        self.pairs[..self.len].iter().copied()
    }
}
