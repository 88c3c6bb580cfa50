//! Which of many reasons decide a field: bits across reasons.
//!
//! Reasons are kept in blocks of 512. For each cell a block has a row of bits that says which of its reasons forbid the
//! cell to the winner, and one that says which need it for the loser. Take away the rows of the winner's stones and of
//! the cells that the loser lacks, and what is left decides the field. Mostly nothing is left after a few rows.

use rex_game::CellSet;

use super::Reason;

/// The reasons of a block, one bit each: a cache line.
type Row = [u64; LANES];

const LANES: usize = 8;
const BLOCK: usize = 64 * LANES;
const NOTHING: Row = [0; LANES];

/// Reasons of one kind: against the same part, with the same Last.
pub struct Index {
    cells: usize,
    blocks: Vec<Block>,
    /// How many there are.
    len: usize,
    /// Where to look for the next one to replace.
    hand: usize,
}

struct Block {
    /// Which of its slots are in use.
    used: Row,
    /// A row for each cell, of the reasons that forbid it, then one for each, of those that need it.
    rows: Box<[Row]>,
    slots: Box<[Slot; BLOCK]>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    need: CellSet,
    forbid: CellSet,
    /// How often it was of use since the hand last went by.
    uses: u8,
}

impl Index {
    /// An empty index for boards with this many cells.
    pub fn new(cells: usize) -> Index {
        Index { cells, blocks: Vec::new(), len: 0, hand: 0 }
    }

    /// The bytes of a block, for a board with this many cells.
    pub fn block_bytes(cells: usize) -> usize {
        size_of::<Block>() + 2 * cells * size_of::<Row>() + size_of::<[Slot; BLOCK]>()
    }

    /// How many blocks it has.
    #[cfg(test)]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there are no reasons.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A reason that decides a field with these stones of the loser and of the winner: what it needs and forbids.
    pub fn decide(&mut self, losers: CellSet, winners: CellSet) -> Option<(CellSet, CellSet)> {
        let at = self.first(losers, winners, usize::MAX, |_| true)?;
        let slot = &mut self.blocks[at / BLOCK].slots[at % BLOCK];
        slot.uses = slot.uses.saturating_add(1);
        Some((slot.need, slot.forbid))
    }

    /// Looks for a reason that decides a field with these stones of the loser and of the winner. If there is none, finds
    /// the moves of the loser after which there is one.
    pub fn ask(
        &mut self,
        losers: CellSet,
        winners: CellSet,
        empty: CellSet,
    ) -> (Option<(CellSet, CellSet)>, CellSet) {
        let mut struck = CellSet::EMPTY;
        let decided = self.scan(winners, empty, |slot| {
            slot.uses = slot.uses.saturating_add(1);
            struck |= slot.need - losers;
        });
        (decided, struck)
    }

    /// Looks for a reason that decides a field with these stones of the loser and of the winner. If there is none, adds
    /// to `after`, for each move of the winner, the answers of the loser that one decides.
    pub fn answers(
        &mut self,
        losers: CellSet,
        winners: CellSet,
        empty: CellSet,
        after: &mut [CellSet; 64],
    ) -> Option<(CellSet, CellSet)> {
        self.scan(winners, empty, |slot| {
            let answer = slot.need - losers;
            for cell in empty - slot.forbid {
                after[cell.index()] |= answer;
            }
        })
    }

    /// Goes through the reasons that allow the winner these stones. Returns the first that lacks none of the empty cells.
    /// Before that, calls `lacks_one` with each of those that lack a single one.
    fn scan(
        &mut self,
        winners: CellSet,
        empty: CellSet,
        mut lacks_one: impl FnMut(&mut Slot),
    ) -> Option<(CellSet, CellSet)> {
        for block in &mut self.blocks {
            let left = block.allowing(winners);
            if left == NOTHING {
                continue;
            }
            // Which reasons lack at least one cell, and which at least two.
            let (mut one, mut two) = (NOTHING, NOTHING);
            for cell in empty {
                let row = &block.rows[self.cells + cell.index()];
                for lane in 0..LANES {
                    two[lane] |= one[lane] & row[lane];
                    one[lane] |= row[lane];
                }
            }
            for lane in 0..LANES {
                if let Some(at) = bits(left[lane] & !one[lane]).next() {
                    let slot = &mut block.slots[64 * lane + at];
                    slot.uses = slot.uses.saturating_add(1);
                    return Some((slot.need, slot.forbid));
                }
                for at in bits(left[lane] & one[lane] & !two[lane]) {
                    lacks_one(&mut block.slots[64 * lane + at]);
                }
            }
        }
        None
    }

    /// The first of the reasons before `end` that decides a field with these stones and is `wanted`, by its number.
    pub fn first(
        &self,
        losers: CellSet,
        winners: CellSet,
        end: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let lacking = CellSet::first_n(self.cells) - losers - winners;
        self.blocks.iter().zip((0..end).step_by(BLOCK)).find_map(|(block, start)| {
            let mut left = block.allowing(winners);
            for cell in lacking {
                if left == NOTHING {
                    return None;
                }
                remove(&mut left, &block.rows[self.cells + cell.index()]);
            }
            let decided = left.into_iter().zip((start..).step_by(64));
            decided
                .flat_map(|(lane, start)| bits(lane).map(move |at| start + at))
                .find(|&number| number < end && wanted(number))
        })
    }

    /// Adds a reason. If the index may not grow, one that was not of use for a while makes room. Returns whether it grew
    /// by a block.
    pub fn insert(&mut self, reason: &Reason, may_grow: bool) -> bool {
        let grows = self.len == BLOCK * self.blocks.len() && (may_grow || self.is_empty());
        if grows {
            self.blocks.push(Block::new(self.cells));
        }
        let number = if self.len < BLOCK * self.blocks.len() {
            self.len += 1;
            self.len - 1
        } else {
            self.victim()
        };
        let Reason { need, forbid, .. } = *reason;
        self.blocks[number / BLOCK].set(number % BLOCK, Slot { need, forbid, uses: 0 });
        grows
    }

    /// The next reason that was not of use since the hand went by.
    fn victim(&mut self) -> usize {
        loop {
            let at = self.hand;
            self.hand = (self.hand + 1) % self.len;
            let uses = &mut self.blocks[at / BLOCK].slots[at % BLOCK].uses;
            if *uses == 0 {
                return at;
            }
            *uses /= 2;
        }
    }
}

impl Block {
    fn new(cells: usize) -> Block {
        let slots = vec![Slot::default(); BLOCK].into_boxed_slice();
        Block {
            used: NOTHING,
            rows: vec![NOTHING; 2 * cells].into_boxed_slice(),
            slots: slots.try_into().unwrap_or_else(|_| unreachable!("it has that many")),
        }
    }

    /// The reasons that allow the winner these stones.
    fn allowing(&self, winners: CellSet) -> Row {
        let mut left = self.used;
        for cell in winners {
            remove(&mut left, &self.rows[cell.index()]);
            if left == NOTHING {
                break;
            }
        }
        left
    }

    /// Puts a reason into a slot, in place of what was there.
    fn set(&mut self, at: usize, slot: Slot) {
        let (lane, bit) = (at / 64, 1u64 << (at % 64));
        let cells = self.rows.len() / 2;
        for (row, words) in self.rows.iter_mut().enumerate() {
            let set = if row < cells { slot.forbid } else { slot.need };
            let on = set.bits() >> (row % cells) & 1 != 0;
            words[lane] = if on { words[lane] | bit } else { words[lane] & !bit };
        }
        self.used[lane] |= bit;
        self.slots[at] = slot;
    }
}

fn remove(left: &mut Row, row: &Row) {
    for (left, row) in left.iter_mut().zip(row) {
        *left &= !row;
    }
}

/// The numbers of the bits that are set.
fn bits(word: u64) -> impl Iterator<Item = usize> {
    CellSet::from_bits(word).into_iter().map(|cell| cell.index())
}
