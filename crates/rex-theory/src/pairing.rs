//! Join pairings (Theorem 12) and pre-join pairings (Theorem 13).
//!
//! A *join pairing* of X is a set of disjoint pairs of empty cells such that X is joined as soon as she
//! has one cell of each pair. The opponent can force that on her, so X loses. A *pre-join pairing* joins
//! X if she also has one *key* cell. X loses if she has one and is Last, because the opponent never needs
//! to play the key.

use rex_game::{Board, Cell, CellSet, Player};

/// Pairs, and a key for a pre-join pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    len: u8,
    pairs: [(Cell, Cell); 32],
    /// The cell that the joined player must also have, if any.
    pub key: Option<Cell>,
}

impl Pairing {
    /// A pairing without pairs.
    pub fn new(key: Option<Cell>) -> Pairing {
        Pairing { len: 0, pairs: [(Cell::new(0), Cell::new(0)); 32], key }
    }

    /// Adds a pair.
    ///
    /// # Panics
    /// If there are already 32 pairs: then some cell is in two of them.
    pub fn push(&mut self, one: Cell, other: Cell) {
        self.pairs[self.len as usize] = (one, other);
        self.len += 1;
    }

    /// The pairs.
    pub fn pairs(&self) -> &[(Cell, Cell)] {
        &self.pairs[..self.len as usize]
    }

    /// All cells of the pairs, without the key.
    pub fn cells(&self) -> CellSet {
        self.pairs().iter().flat_map(|&(one, other)| [one, other]).collect()
    }

    /// The mate of a cell.
    pub fn mate(&self, cell: Cell) -> Option<Cell> {
        self.pairs().iter().find_map(|&(one, other)| match cell {
            _ if cell == one => Some(other),
            _ if cell == other => Some(one),
            _ => None,
        })
    }

    /// The stones that `loser` needs for this pairing, of those she has: without any one of them the opponent has a way
    /// through. `None` if the pairing does not join her.
    ///
    /// ```
    /// use rex_game::{Player, State};
    /// use rex_theory::pairing::Pairing;
    ///
    /// //   a b c
    /// // 1 B . .    b2 touches b1 and c1, so Black joins top and bottom with either. She does not need a1.
    /// //  2 . B .
    /// let state: State = "b2/1b1 w".parse()?;
    /// let board = state.board();
    /// let cell = |name| board.cell_named(name).unwrap();
    /// let mut pairing = Pairing::new(None);
    /// pairing.push(cell("b1"), cell("c1"));
    /// let needed = pairing.stones_needed(board, Player::Black, state.position.stones(Player::Black));
    /// assert_eq!(needed, Some(cell("b2").set()));
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    pub fn stones_needed(&self, board: Board, loser: Player, stones: CellSet) -> Option<CellSet> {
        let drop = |needed: CellSet, stone| {
            let fewer = needed.without(stone);
            if self.joins(board, loser, fewer) { fewer } else { needed }
        };
        self.joins(board, loser, stones).then(|| stones.into_iter().fold(stones, drop))
    }

    /// Whether `loser` is joined as soon as she has these stones, the key, and one cell of each pair. That is so if the
    /// opponent has no path from side to side that avoids the stones and the key and holds at most one cell of each
    /// pair.
    pub fn joins(&self, board: Board, loser: Player, stones: CellSet) -> bool {
        let key = self.key.map_or(CellSet::EMPTY, Cell::set);
        let area = board.cells() - stones - key;
        let mut mates = [CellSet::EMPTY; 64];
        for &(one, other) in self.pairs() {
            mates[one.index()] = other.set();
            mates[other.index()] = one.set();
        }
        let [from, goal] = [0, 1].map(|side| board.side(!loser, side));
        let paths = Paths { board, pairs: self.pairs(), mates, goal };
        let here = board.reachable(from, paths.free(area));
        paths.end(here, from, area - here)
    }
}

/// Paths to the side `goal` with at most one cell of each pair.
struct Paths<'a> {
    board: Board,
    pairs: &'a [(Cell, Cell)],
    mates: [CellSet; 64],
    goal: CellSet,
}

impl Paths<'_> {
    /// Whether all paths end before the goal that come from `here`, or begin in `from`, and go on through `area`.
    ///
    /// A path has a last cell among those next to `here`. We go on from that one: the path has none of the others any
    /// more, nor the mate of this one. And it may as well have all cells whose mates are gone.
    fn end(&self, here: CellSet, from: CellSet, area: CellSet) -> bool {
        let next = (self.board.neighbours_of_set(here) | from) & area;
        if !(here | self.board.reachable(next, area)).meets(self.goal) {
            return true;
        }
        if (here | next).meets(self.goal) {
            return false;
        }
        next.into_iter().all(|cell| {
            let area = area - next - self.mates[cell.index()];
            let here = self.board.reachable(cell.set(), self.free(area).with(cell));
            self.end(here, CellSet::EMPTY, area - here)
        })
    }

    /// The cells of the area that have no mate in it.
    fn free(&self, area: CellSet) -> CellSet {
        let whole = self.pairs.iter().filter(|&&(one, other)| area.has(one) && area.has(other));
        whole.fold(area, |free, &(one, other)| free.without(one).without(other))
    }
}

/// A decided state: one player is made to join, so the other one wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingVerdict {
    /// Who is made to join, and so loses.
    pub loser: Player,
    /// How.
    pub pairing: Pairing,
    /// If cells are paired with their mirror images: in this part of the board.
    pub mirrored: Option<CellSet>,
}
