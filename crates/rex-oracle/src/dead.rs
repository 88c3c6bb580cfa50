use crate::joins::Joins;
use crate::numbering::{Numbering, step};

/// The dead cells of every position: the empty cells whose colour never decides who is joined, however
/// the other empty cells are filled. Indexed by position number, one bit per cell; 86 MB for 16 cells.
pub(crate) struct DeadTable(Vec<u16>);

impl DeadTable {
    pub(crate) fn new(numbering: &Numbering, joins: &Joins) -> DeadTable {
        let mut dead = vec![0; numbering.len()];
        for block in (0..numbering.blocks()).rev() {
            for place in (0..numbering.block_len()).rev() {
                let index = block * numbering.block_len() + place;
                let stones = numbering.stones(block, place);
                dead[index] = match numbering.empty(stones) {
                    0 => 0,
                    last if last.is_power_of_two() => {
                        // This is the definition: nothing else is empty, so just try both colours.
                        let (black, white) = stones;
                        if joins.of((black | last, white)) == joins.of((black, white | last)) {
                            last
                        } else {
                            0
                        }
                    }
                    empty => {
                        // A cell is dead iff it is dead whichever colour some other empty cell gets.
                        // Use the first empty cell for all the others, and the second for the first.
                        let both = |cell: u32| {
                            let step = step(cell as usize);
                            dead[index + step] & dead[index + 2 * step]
                        };
                        let first = empty.trailing_zeros();
                        let second = (empty & (empty - 1)).trailing_zeros();
                        both(first) | both(second) & 1 << first
                    }
                };
            }
        }
        DeadTable(dead)
    }

    pub(crate) fn at(&self, index: usize) -> u16 {
        self.0[index]
    }
}
