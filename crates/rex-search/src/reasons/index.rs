//! Which of many reasons decide a field: bits across reasons.
//!
//! Reasons are kept in blocks of 512. For each cell a block has a row of bits that says which of its reasons forbid the
//! cell to the winner, and one that says which need it for the loser. Take away the rows of the winner's stones and of
//! the cells that the loser lacks, and what is left decides the field. Mostly nothing is left after a few rows. Pairs have no
//! rows: the few reasons that are left are asked about them one by one.

use rex_game::{Cell, CellSet};

use super::{MOST_BROKEN, Reason};

/// The reasons of a block, one bit each: a cache line.
type Row = [u64; LANES];

const LANES: usize = 8;
const BLOCK: usize = 64 * LANES;
const NOTHING: Row = [0; LANES];

/// Reasons of one kind: against the same part, with the same Last.
#[derive(Clone)]
pub struct Index {
    cells: usize,
    blocks: Vec<Block>,
    /// How many there are.
    len: usize,
    /// Where to look for the next one to replace.
    hand: usize,
}

#[derive(Clone)]
struct Block {
    /// Which of its slots are in use.
    used: Row,
    /// Which of its reasons let the loser lack a stone.
    spare: Row,
    /// For each cell, the reasons that forbid it, those that have it in a pair, and those that need it.
    forbidding: Box<[Row]>,
    pairing: Box<[Row]>,
    needing: Box<[Row]>,
    /// What is asked most, side by side.
    heads: Vec<Head>,
    slots: Vec<Slot>,
}

/// The cells that a reason needs, and those of its pairs.
#[derive(Clone, Copy)]
struct Head {
    need: CellSet,
    paired: CellSet,
}

impl Head {
    /// Whether the loser could lack at most this many cells: for each of the winner's in a pair she must have the other one.
    fn may_lack(self, losers: CellSet, winners: CellSet, most: usize) -> bool {
        let answers = (self.paired & losers).len() + most;
        (self.need - losers).len() + (self.paired & winners).len() <= answers
    }
}

/// What a block takes itself where pointers have eight bytes. It counts as much everywhere, so that searches with the same
/// memory are the same.
const BLOCK_BYTES: usize = 224;
const _: () = assert!(size_of::<Block>() <= BLOCK_BYTES);

#[derive(Clone)]
struct Slot {
    reason: Reason,
    /// How often it was of use since the hand last went by.
    uses: u8,
}

impl Slot {
    fn used(&mut self) -> &Reason {
        self.uses = self.uses.saturating_add(1);
        &self.reason
    }
}

impl Index {
    /// The reasons of a block.
    pub const BLOCK: usize = BLOCK;

    /// An empty index for boards with this many cells.
    pub fn new(cells: usize) -> Index {
        Index { cells, blocks: Vec::new(), len: 0, hand: 0 }
    }

    /// The bytes of a block, for a board with this many cells.
    pub fn block_bytes(cells: usize) -> usize {
        BLOCK_BYTES + 3 * cells * size_of::<Row>() + BLOCK * (size_of::<Slot>() + size_of::<Head>())
    }

    /// How many blocks it has.
    #[cfg(test)]
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Writes its reasons for a checkpoint: their number, the place of the hand, and each of them.
    pub fn save(&self, out: &mut Vec<u8>) {
        out.extend([self.len, self.hand].map(|number| (number as u64).to_le_bytes()).as_flattened());
        for slot in self.blocks.iter().flat_map(|block| &block.slots) {
            slot.reason.save(slot.uses, out);
        }
    }

    /// Puts the hand at this place, if there is such a one.
    pub fn set_hand(&mut self, hand: usize) {
        self.hand = if hand < self.len { hand } else { 0 };
    }

    /// How many reasons there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many its blocks have room for.
    pub fn room(&self) -> usize {
        BLOCK * self.blocks.len()
    }

    /// Whether there are no reasons.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A reason that decides a field with these stones of the loser and of the winner, narrowed to it.
    pub fn decide(&mut self, losers: CellSet, winners: CellSet) -> Option<Reason> {
        let at = self.first(losers, winners, usize::MAX, |_| true)?;
        let reason = self.blocks[at / BLOCK].slots[at % BLOCK].used();
        Some(reason.narrowed(winners, reason.lacking(losers, winners)?))
    }

    /// Looks for a reason that decides a field with these stones of the loser and of the winner. If there is none, finds
    /// the moves of the loser after which there is one.
    pub fn ask(&mut self, losers: CellSet, winners: CellSet, empty: CellSet) -> (Option<Reason>, CellSet) {
        let mut struck = CellSet::EMPTY;
        let decided = self.scan(losers, winners, empty, |slot, lacking| {
            slot.used();
            struck |= lacking;
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
    ) -> Option<Reason> {
        self.scan(losers, winners, empty, |slot, lacking| {
            for cell in slot.reason.spared(losers, winners, empty, lacking) {
                after[cell.index()] |= lacking;
            }
        })
    }

    /// Goes through the reasons that allow the winner these stones. Returns the first that decides the field, narrowed to it.
    /// Before that, calls `nearly` with each of those that would after one more stone, and the cells where that could be.
    fn scan(
        &mut self,
        losers: CellSet,
        winners: CellSet,
        empty: CellSet,
        mut nearly: impl FnMut(&mut Slot, CellSet),
    ) -> Option<Reason> {
        for block in &mut self.blocks {
            let left = block.allowing(winners);
            if left == NOTHING {
                continue;
            }
            // Which reasons lack at least one cell, which at least two, and which three.
            let (mut one, mut two, mut three) = (NOTHING, NOTHING, NOTHING);
            for cell in empty {
                let row = &block.needing[cell.index()];
                for lane in 0..LANES {
                    three[lane] |= two[lane] & row[lane];
                    two[lane] |= one[lane] & row[lane];
                    one[lane] |= row[lane];
                }
            }
            for lane in 0..LANES {
                let few = !two[lane] | block.spare[lane] & !three[lane];
                for at in bits(left[lane] & few) {
                    let most = 1 + (block.spare[lane] >> at & 1) as usize;
                    let at = 64 * lane + at;
                    if !block.heads[at].may_lack(losers, winners, most) {
                        continue;
                    }
                    let slot = &mut block.slots[at];
                    let Some(lacking) = slot.reason.lacking(losers, winners) else { continue };
                    if slot.reason.is_enough(lacking) {
                        return Some(slot.used().narrowed(winners, lacking));
                    }
                    nearly(slot, lacking);
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
        let empty = CellSet::first_n(self.cells) - losers - winners;
        self.blocks.iter().zip((0..end).step_by(BLOCK)).find_map(|(block, start)| {
            let mut left = block.allowing(winners);
            let mut one = NOTHING;
            for cell in empty {
                if left == NOTHING {
                    return None;
                }
                let row = &block.needing[cell.index()];
                for lane in 0..LANES {
                    left[lane] &= !row[lane] | block.spare[lane] & !one[lane];
                    one[lane] |= row[lane];
                }
            }
            let numbers = (0..LANES).flat_map(|lane| bits(left[lane]).map(move |at| 64 * lane + at));
            let mut decide = numbers.filter(|&at| {
                if !block.heads[at].may_lack(losers, winners, 1) {
                    return false;
                }
                let reason = &block.slots[at].reason;
                reason.lacking(losers, winners).is_some_and(|lacking| reason.is_enough(lacking))
            });
            decide.find(|&at| start + at < end && wanted(start + at)).map(|at| start + at)
        })
    }

    /// Adds a reason that was of use so often. If the index may not grow, one that was not of use for a while makes room. Returns whether it grew
    /// by a block.
    pub fn insert(&mut self, reason: &Reason, uses: u8, may_grow: bool) -> bool {
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
        self.blocks[number / BLOCK].set(number % BLOCK, reason, uses);
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
        let rows = || vec![NOTHING; cells].into_boxed_slice();
        Block {
            used: NOTHING,
            spare: NOTHING,
            forbidding: rows(),
            pairing: rows(),
            needing: rows(),
            heads: Vec::with_capacity(BLOCK),
            slots: Vec::with_capacity(BLOCK),
        }
    }

    /// The reasons that allow the winner these stones, as far as rows can tell.
    fn allowing(&self, winners: CellSet) -> Row {
        const { assert!(MOST_BROKEN == 2) };
        let mut left = self.used;
        // Those with one broken pair, and with two.
        let (mut one, mut two) = (NOTHING, NOTHING);
        for cell in winners {
            let (forbidding, pairing) = (&self.forbidding[cell.index()], &self.pairing[cell.index()]);
            for lane in 0..LANES {
                left[lane] &= !(forbidding[lane] | two[lane] & pairing[lane]);
                two[lane] |= one[lane] & pairing[lane];
                one[lane] |= pairing[lane];
            }
            if left == NOTHING {
                break;
            }
        }
        left
    }

    /// Puts a reason into a slot, in place of what was there, or into the next one.
    fn set(&mut self, at: usize, reason: &Reason, uses: u8) {
        let (lane, bit) = (at / 64, 1u64 << (at % 64));
        let put = |row: &mut Row, on: bool| row[lane] = if on { row[lane] | bit } else { row[lane] & !bit };
        let sets = [reason.forbid, reason.paired(), reason.need];
        for (rows, set) in [&mut self.forbidding, &mut self.pairing, &mut self.needing].into_iter().zip(sets)
        {
            for (number, row) in rows.iter_mut().enumerate() {
                put(row, set.has(Cell::new(number)));
            }
        }
        put(&mut self.spare, reason.spare() > 0);
        put(&mut self.used, true);
        let slot = Slot { reason: *reason, uses };
        let head = Head { need: reason.need, paired: reason.paired() };
        if at < self.slots.len() {
            (self.heads[at], self.slots[at]) = (head, slot);
        } else {
            self.heads.push(head);
            self.slots.push(slot);
        }
    }
}

/// The numbers of the bits that are set.
fn bits(word: u64) -> impl Iterator<Item = usize> {
    CellSet::from_bits(word).into_iter().map(|cell| cell.index())
}
