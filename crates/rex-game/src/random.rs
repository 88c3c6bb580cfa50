//! Random numbers that never change for a given seed.

use crate::{Board, Cell, Position};

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and good enough to draw positions.
///
/// ```
/// let mut one = rex_game::Random(7);
/// let mut other = rex_game::Random(7);
/// assert_eq!(one.below(100), other.below(100));
/// ```
#[derive(Clone, Debug)]
pub struct Random(
    /// The state; start with any seed.
    pub u64,
);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`. The bias is far too small to notice.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// This many black and white stones on random cells.
    ///
    /// # Panics
    /// If the board has fewer cells.
    pub fn stones(&mut self, board: Board, black: usize, white: usize) -> Position {
        let mut cells: Vec<Cell> = board.cells().into_iter().collect();
        for place in 0..black + white {
            let other = place + self.below(cells.len() - place);
            cells.swap(place, other);
        }
        let set = |cells: &[Cell]| cells.iter().copied().collect();
        Position::with_stones(board, set(&cells[..black]), set(&cells[black..black + white]))
    }
}
