//! A player's reduced graph, and what the clique test shows in it.

use rex_game::{Board, Cell, CellSet, Player};

use crate::field::Field;

/// A player's reduced graph: her groups are contracted, the opponent's stones are deleted, and her two sides are
/// terminals. Its paths from one side to the other are the ways she can still connect.
///
/// Deleting a cell only removes it from `cells`; its adjacency stays. So an opponent's stone can be treated as
/// uncoloured: [`Graph::around`] works for it too.
#[derive(Clone, Debug)]
pub struct Graph {
    board: Board,
    /// Empty cells, the vertices.
    pub cells: CellSet,
    /// For each side, the cells that touch it, directly or through stones joined to it.
    pub sides: [CellSet; 2],
    /// For each cell, the cells that touch it, directly or through one group that is not joined to a side.
    adjacent: [CellSet; 64],
    /// The cells that may touch others through a group.
    linked: CellSet,
}

/// The neighbourhood of a vertex: its cells, and which of the two sides are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// Neighbouring cells.
    pub cells: CellSet,
    /// Neighbouring sides.
    pub sides: [bool; 2],
}

/// Two neighbours of a cell that do not touch each other. `None` stands for a side.
pub type Gap = (Option<Cell>, Option<Cell>);

impl Graph {
    /// The graph of `player`.
    pub fn new(field: &Field, player: Player) -> Graph {
        let board = field.board;
        let own = field.own(player);
        let free = board.cells() - own;
        let mut graph = Graph {
            board,
            cells: field.empty(),
            sides: [board.side(player, 0) & free, board.side(player, 1) & free],
            adjacent: [CellSet::EMPTY; 64],
            linked: CellSet::EMPTY,
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

    /// The neighbours of a cell, without sides.
    pub fn neighbours(&self, cell: Cell) -> CellSet {
        (self.adjacent[cell.index()] & self.cells).without(cell)
    }

    /// The vertices that touch a cell of `set`, which are vertices or stones of the opponent.
    pub fn neighbours_of_set(&self, set: CellSet) -> CellSet {
        let mut found = self.board.neighbours_of_set(set);
        for cell in set & self.linked {
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

    /// The cells whose neighbourhood, or the gaps in it, may change when the owner colours `cell`: its neighbours, and
    /// cells that touch two of them, which then touch each other.
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

    /// Whether colouring `cell` joins a group to one of the owner's sides. The cells around that group then touch the
    /// side instead of each other, but [`Graph::contract`] does not remove the links between them.
    pub fn links_a_group_to_a_side(&self, cell: Cell, board: Board) -> bool {
        (self.sides[0] | self.sides[1]).has(cell)
            && !self.adjacent[cell.index()].without(cell).within(board.neighbours(cell))
    }

    /// The cells whose neighbourhood, or the gaps in it, may differ between this graph and another one on the same
    /// vertices.
    pub fn difference(&self, other: &Graph) -> CellSet {
        let here = |cell: &Cell| self.around(*cell) != other.around(*cell);
        let differ: CellSet = self.cells.into_iter().filter(here).collect();
        differ | self.neighbours_of_set(differ)
    }

    /// Links the cells `around` one group.
    fn contract_into(&mut self, around: CellSet, touches: [bool; 2]) {
        if touches[0] || touches[1] {
            for (side, touched) in self.sides.iter_mut().zip(touches) {
                if touched {
                    *side |= around;
                }
            }
        } else {
            self.linked |= around;
            for cell in around {
                self.adjacent[cell.index()] |= around;
            }
        }
    }

    /// Two members of a neighbourhood that do not touch each other, unless it is a clique. If both sides are in it,
    /// there is a gap that no cell can close.
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

    /// The number of gaps around a cell; none if it touches both sides, since nothing can close that gap.
    pub fn gaps(&self, cell: Cell) -> Option<usize> {
        let Around { cells, sides } = self.around(cell);
        let of_side = match sides {
            [true, true] => return None,
            [false, false] => 0,
            [first, _] => (cells - self.sides[usize::from(!first)]).len(),
        };
        let apart = |member: Cell| (cells - self.adjacent[member.index()]).without(member).len();
        Some(of_side + cells.into_iter().map(apart).sum::<usize>() / 2)
    }

    /// Whether all members of a neighbourhood touch each other.
    pub fn is_clique(&self, around: Around) -> bool {
        self.gap(around).is_none()
    }

    /// Whether the clique test shows that no minimal path uses `cell`.
    pub fn dead(&self, cell: Cell) -> bool {
        self.is_clique(self.around(cell))
    }

    /// Whether the clique test shows that `cell` is dead once the opponent has `deleted`.
    pub fn dead_without(&self, cell: Cell, deleted: CellSet) -> bool {
        let around = self.around(cell);
        self.is_clique(Around { cells: around.cells - deleted, ..around })
    }

    /// Whether the clique test shows that `cell` is dead once the owner has `taken`.
    ///
    /// This is cautious: whatever touches the stone counts as a neighbour through it, even if the stone is joined to a
    /// side.
    pub fn dead_with(&self, cell: Cell, taken: Cell) -> bool {
        let after = self.with(taken);
        Contracted { led_to: after.around.cells, ..after }.dead_without(cell, CellSet::EMPTY)
    }

    /// The graph once the owner has `taken`, without building it.
    pub fn with(&self, taken: Cell) -> Contracted<'_> {
        let around = self.around(taken);
        let linked = if around.sides == [false; 2] { around.cells } else { CellSet::EMPTY };
        Contracted { graph: self, taken, around, linked, led_to: linked }
    }

    /// The cells each of which kills `cell` if the opponent takes it (clique test).
    pub fn killers_by_deletion(&self, cell: Cell) -> CellSet {
        let Some((one, other)) = self.gap(self.around(cell)) else { return CellSet::EMPTY };
        [one, other].into_iter().flatten().filter(|&killer| self.dead_without(cell, killer.set())).collect()
    }

    /// The cells each of which kills `cell` if the owner takes it (clique test).
    pub fn killers_by_contraction(&self, cell: Cell) -> CellSet {
        // Only a cell that is an end of the gap or touches both ends can close it.
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

    /// The pairs of cells that kill `cell` if the opponent has both, but not if she has only one, by the clique test.
    /// There are at most four: the first cell must close one gap, and the second the next.
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

/// A graph whose owner has taken one more cell.
#[derive(Clone, Copy, Debug)]
pub struct Contracted<'g> {
    graph: &'g Graph,
    taken: Cell,
    /// What touches the taken cell.
    around: Around,
    /// The cells that become neighbours of each other through the new stone.
    linked: CellSet,
    /// The cells that become neighbours of whatever touches the new stone.
    led_to: CellSet,
}

impl Contracted<'_> {
    /// What touches a cell.
    fn around(&self, cell: Cell) -> Around {
        let Around { mut cells, mut sides } = self.graph.around(cell);
        if cells.has(self.taken) {
            cells |= self.led_to;
            sides = [sides[0] || self.around.sides[0], sides[1] || self.around.sides[1]];
        }
        Around { cells: cells.without(self.taken).without(cell), sides }
    }

    /// Like [`Graph::gap`].
    fn gap(&self, around: Around) -> Option<Gap> {
        for which in 0..2 {
            if around.sides[which] {
                if around.sides[1 - which] {
                    return Some((None, None));
                }
                let grown = if self.around.sides[which] { self.around.cells } else { CellSet::EMPTY };
                if let Some(cell) = (around.cells - self.graph.sides[which] - grown).first() {
                    return Some((None, Some(cell)));
                }
            }
        }
        for cell in around.cells {
            let link = if self.linked.has(cell) { self.linked } else { CellSet::EMPTY };
            let apart = around.cells - self.graph.adjacent[cell.index()] - link;
            if let Some(other) = apart.without(cell).first() {
                return Some((Some(cell), Some(other)));
            }
        }
        None
    }

    /// Like [`Graph::dead_without`].
    pub fn dead_without(&self, cell: Cell, deleted: CellSet) -> bool {
        let around = self.around(cell);
        self.gap(Around { cells: around.cells - deleted, ..around }).is_none()
    }

    /// The mate of `cell` in a pair that the opponent captures, if there is one.
    pub fn captured_mate(&self, cell: Cell) -> Option<Cell> {
        let (one, other) = self.gap(self.around(cell))?;
        [one, other]
            .into_iter()
            .flatten()
            .find(|&mate| self.dead_without(cell, mate.set()) && self.dead_without(mate, cell.set()))
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

#[cfg(test)]
mod tests {
    use rex_game::{Random, State};

    use super::*;

    #[test]
    fn what_touches_a_set_touches_one_of_its_cells() {
        let mut through_groups = 0;
        for (rows, cols) in [(4, 4), (5, 6), (7, 7), (8, 8), (2, 26)] {
            let board = Board::new(rows, cols).unwrap();
            let mut random = Random(cols as u64);
            for number in 0..200 {
                let stones = number % (board.len() / 3);
                let position = random.stones(board, stones, stones);
                let mut graph =
                    Graph::new(&Field::new(&State { position, ..State::new(board) }), Player::Black);
                // Some more moves of both players.
                for (turn, cell) in graph.cells.into_iter().step_by(5).enumerate() {
                    if turn % 2 == 0 {
                        graph.delete(cell);
                    } else {
                        graph.contract(cell);
                    }
                }
                for start in 0..6 {
                    let set: CellSet = graph.cells.into_iter().skip(start).step_by(start + 1).collect();
                    let each =
                        set.into_iter().fold(CellSet::EMPTY, |all, cell| all | graph.adjacent[cell.index()]);
                    assert_eq!(graph.neighbours_of_set(set), each & graph.cells, "{graph:?} {set:?}");
                    through_groups += (each - board.neighbours_of_set(set)).len();
                }
            }
        }
        assert!(through_groups > 1_000, "{through_groups}");
    }
}
