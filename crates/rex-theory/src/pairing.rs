//! Join pairings (Theorem 12) and pre-join pairings (Theorem 13).
//!
//! A *join pairing* of X is a set of disjoint pairs of empty cells such that X is joined as soon as she
//! has one cell of each pair. The opponent can force that on her, so X loses. A *pre-join pairing* joins
//! X if she also has one *key* cell. X loses if she has one and is Last, because the opponent never needs
//! to play the key.

use rex_game::{Cell, CellSet, Player};

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
}

/// A decided state: one player is made to join, so the other one wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PairingVerdict {
    /// Who is made to join, and so loses.
    pub loser: Player,
    /// How.
    pub pairing: Pairing,
}
