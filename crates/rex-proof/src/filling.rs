//! The checker's own tests: dead cells, captured sets, mutual fill-in.
//!
//! They look at a player's reduced graph. It consists of the open cells, where two cells touch directly or
//! through one group of hers, and of her two sides, extended by the stones joined to them. The opponent's stones
//! are not in it. The proofs are in `docs/certificate.md`.

use rex_game::{Board, Cell, CellSet, Player, Position};

/// The most pairs in a captured set: we try every choice from them.
pub const MOST_PAIRS: usize = 6;

/// Stones and settled cells. A settled cell has no stone and is dead, so it never matters who colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filling {
    board: Board,
    stones: [CellSet; 2],
    settled: CellSet,
}

/// A player's reduced graph.
struct Links {
    open: CellSet,
    /// For each side, the open cells that touch it.
    sides: [CellSet; 2],
    /// For each open cell, what touches it; may contain the cell itself.
    touching: [CellSet; 64],
}

impl Filling {
    /// A position with nothing settled.
    pub fn new(position: &Position) -> Filling {
        let stones = Player::BOTH.map(|player| position.stones(player));
        Filling { board: position.board(), stones, settled: CellSet::EMPTY }
    }

    /// The cells that have no stone and are not settled.
    pub fn open(&self) -> CellSet {
        self.board.cells() - self.stones[0] - self.stones[1] - self.settled
    }

    /// The settled cells.
    pub fn settled(&self) -> CellSet {
        self.settled
    }

    /// Whether a position has the same stones wherever nothing is settled.
    pub fn agrees_with(&self, position: &Position) -> bool {
        Player::BOTH
            .into_iter()
            .all(|player| position.stones(player) - self.settled == self.stones[player.index()])
    }

    /// The same with one more stone.
    pub fn with(mut self, cell: Cell, player: Player) -> Filling {
        self.stones[player.index()].insert(cell);
        self
    }

    /// The same with these cells settled, if the tests show that they are dead. Stones on them are removed first.
    pub fn settle(&self, cells: CellSet) -> Option<Filling> {
        if cells.is_empty() || cells.meets(self.settled) {
            return None;
        }
        let mut bare = *self;
        for stones in &mut bare.stones {
            *stones -= cells;
        }
        let mut start = bare;
        if bare != *self {
            // What was settled may have been dead only because of the stone.
            start.settled = CellSet::EMPTY;
        }
        bare.settled |= cells;
        start.all_dead(cells).then_some(bare)
    }

    /// The same with these pairs filled for `player`, if whichever cell of each she takes, the others are dead.
    pub fn capture(&self, player: Player, pairs: &[(Cell, Cell)]) -> Option<Filling> {
        let cells = self.cells_of(pairs)?;
        if pairs.is_empty() || pairs.len() > MOST_PAIRS {
            return None;
        }
        for choice in 0..1u32 << pairs.len() {
            let mut after = *self;
            let mut rest = cells;
            for (i, &(one, other)) in pairs.iter().enumerate() {
                let taken = if choice >> i & 1 == 0 { one } else { other };
                after = after.with(taken, player);
                rest.remove(taken);
            }
            if !after.all_dead(rest) {
                return None;
            }
        }
        let mut filled = *self;
        filled.stones[player.index()] |= cells;
        Some(filled)
    }

    /// The same with a black stone on the first cell of `black` and a white stone on the first cell of `white`.
    /// This needs Black to capture `black` once White has hers, and White to capture `white` once Black has hers.
    pub fn mutual(&self, black: (Cell, Cell), white: (Cell, Cell)) -> Option<Filling> {
        // Each capture checks that its own cells are open, so none of them is the other player's new stone.
        self.with(white.0, Player::White).capture(Player::Black, &[black])?;
        self.with(black.0, Player::Black).capture(Player::White, &[white])?;
        Some(self.with(black.0, Player::Black).with(white.0, Player::White))
    }

    /// The cells of the pairs, if all are open and different.
    pub fn cells_of(&self, pairs: &[(Cell, Cell)]) -> Option<CellSet> {
        let cells: CellSet = pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
        (cells.len() == 2 * pairs.len() && cells.within(self.open())).then_some(cells)
    }

    /// Whether the tests show that these open cells are dead. Settles other dead cells on the way.
    fn all_dead(mut self, cells: CellSet) -> bool {
        loop {
            let wanted = cells & self.open();
            // Once somebody is joined, colours no longer matter.
            if wanted.is_empty() || Player::BOTH.iter().any(|&p| self.board.joins(p, self.stones[p.index()]))
            {
                return true;
            }
            let graphs = Player::BOTH.map(|player| self.graph(player));
            let dead_in = |set: CellSet| -> CellSet {
                set.into_iter().filter(|&cell| graphs.iter().any(|graph| graph.surrounded(cell))).collect()
            };
            let mut dead = dead_in(wanted);
            if dead.is_empty() {
                dead = dead_in(self.open());
            }
            if dead.is_empty() {
                dead = graphs.iter().fold(CellSet::EMPTY, |dead, graph| dead | graph.cut_off());
            }
            if dead.is_empty() {
                return false;
            }
            self.settled |= dead;
        }
    }

    fn graph(&self, player: Player) -> Links {
        let (board, open, own) = (self.board, self.open(), self.stones[player.index()]);
        let mut graph = Links {
            open,
            sides: [0, 1].map(|which| board.side(player, which) & open),
            touching: [CellSet::EMPTY; 64],
        };
        for cell in open {
            graph.touching[cell.index()] = board.neighbours(cell) & open;
        }
        let mut rest = own;
        while let Some(stone) = rest.first() {
            let group = board.reachable(stone.set(), own);
            rest -= group;
            let around = board.neighbours_of_set(group) & open;
            let at_side = [0, 1].map(|which| board.side(player, which).meets(group));
            for (side, touched) in graph.sides.iter_mut().zip(at_side) {
                if touched {
                    *side |= around;
                }
            }
            if at_side == [false, false] {
                for cell in around {
                    graph.touching[cell.index()] |= around;
                }
            }
        }
        graph
    }
}

impl Links {
    /// Whether everything that touches a cell, including at most one side, also touches each other.
    fn surrounded(&self, cell: Cell) -> bool {
        let around = self.touching[cell.index()].without(cell);
        let sides = self.sides.map(|side| side.has(cell));
        if sides == [true, true] || (0..2).any(|which| sides[which] && !around.within(self.sides[which])) {
            return false;
        }
        self.is_clique(around)
    }

    fn is_clique(&self, cells: CellSet) -> bool {
        cells.into_iter().all(|cell| cells.without(cell).within(self.touching[cell.index()]))
    }

    /// The cells that a clique of at most three cells, perhaps with one side, cuts off.
    fn cut_off(&self) -> CellSet {
        let mut dead = self.behind(CellSet::EMPTY);
        for one in self.open {
            dead |= self.behind(one.set());
            let after = |cell: Cell| CellSet::from_bits(!0) - CellSet::first_n(cell.index() + 1);
            for two in self.touching[one.index()] & after(one) {
                dead |= self.behind(one.set().with(two));
                let common = self.touching[one.index()] & self.touching[two.index()];
                for three in common & after(two) {
                    dead |= self.behind(one.set().with(two).with(three));
                }
            }
        }
        dead
    }

    /// The cells that `clique` cuts off, and which are therefore dead: those that reach neither side without it,
    /// and if all of it touches one side, those that do not reach the other.
    fn behind(&self, clique: CellSet) -> CellSet {
        let area = self.open - clique;
        let reach = self.sides.map(|side| self.reachable(side & area, area));
        let mut dead = area - reach[0] - reach[1];
        for which in 0..2 {
            if clique.within(self.sides[which]) {
                dead |= area - reach[1 - which];
            }
        }
        dead
    }

    fn reachable(&self, start: CellSet, area: CellSet) -> CellSet {
        let mut reached = start;
        let mut fresh = start;
        while let Some(cell) = fresh.pop() {
            let next = (self.touching[cell.index()] & area) - reached;
            reached |= next;
            fresh |= next;
        }
        reached
    }
}
