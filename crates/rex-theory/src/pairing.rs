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
        self.bars(board, !loser, board.cells() - stones - key)
    }

    /// Whether `player` has no path through `area` with at most one cell of each pair.
    fn bars(&self, board: Board, player: Player, area: CellSet) -> bool {
        let Some(path) = shortest_path(board, player, area) else { return true };
        let both = self.pairs().iter().find(|&&(one, other)| path.has(one) && path.has(other));
        // A path that counts misses one of the two.
        both.is_some_and(|&(one, other)| {
            self.bars(board, player, area.without(one)) && self.bars(board, player, area.without(other))
        })
    }
}

/// The cells of a shortest path of `player` from side to side through `area`.
fn shortest_path(board: Board, player: Player, area: CellSet) -> Option<CellSet> {
    let (from, to) = (board.side(player, 0) & area, board.side(player, 1) & area);
    let mut layers = [from; 64];
    let (mut seen, mut count) = (from, 0);
    while !layers[count].meets(to) {
        let next = (board.neighbours_of_set(layers[count]) & area) - seen;
        if next.is_empty() {
            return None;
        }
        seen |= next;
        count += 1;
        layers[count] = next;
    }
    let mut path = CellSet::EMPTY;
    let mut near = to;
    for layer in layers[..=count].iter().rev() {
        let cell = (*layer & near).first()?;
        path.insert(cell);
        near = board.neighbours(cell);
    }
    Some(path)
}

/// A decided state: one player is made to join, so the other one wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingVerdict {
    /// Who is made to join, and so loses.
    pub loser: Player,
    /// How.
    pub pairing: Pairing,
}
