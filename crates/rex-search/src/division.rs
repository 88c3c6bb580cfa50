//! How a solver divides its memory.

use crate::expansions;
use crate::judge::Judge;
use crate::reasons::{Index, Reason, Reasons};
use crate::table::Table;
use crate::tuning::FEW_CELLS;
use crate::upper_tree::TREE_NODE;

/// The shares of a solver's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Division {
    /// Bytes for the table.
    pub table: u64,
    /// How many threads to run.
    pub threads: usize,
    /// How many nodes each thread keeps the children of.
    pub expansions: usize,
    /// How many blocks of reasons each thread has room for.
    pub blocks: usize,
    /// How many reasons the log keeps that the threads share.
    pub log: usize,
    /// At most this many bytes per thread.
    pub room: u64,
    /// How many nodes the shared tree may have.
    pub tree: usize,
}

/// The fewest expansions a thread can work with.
const FEWEST: usize = 16;
/// More blocks of reasons than this take longer to ask than they save, and a longer log is not read.
const MOST_BLOCKS: usize = 64;
const LONGEST_LOG: u64 = 1 << 15;
/// Searches on small boards are short, and their table need not be larger than this. In a browser all of it is written at
/// once, which takes longer than such a search.
const SMALL_TABLE: u64 = 16 << 20;
/// At least this many threads may run, however small the memory is.
const ALWAYS: u64 = 4;

impl Division {
    /// Divides the memory of a solver for a board of this many cells. Threads get an eighth as working room, a
    /// thirty-second for reasons, and a sixty-fourth for the log of reasons they share. If there
    /// are several, the tree they share gets a sixteenth. The table gets the rest, as far as it is of use. A room has a smallest size and a
    /// largest useful one. Threads whose rooms would take more than half of the memory are not started, but four always
    /// may be.
    pub fn new(memory: u64, threads: usize, cells: usize) -> Division {
        let judge = Judge::bytes(cells);
        let block = Index::block_bytes(cells);
        let room = |expansions: usize, blocks: usize| {
            (judge + expansions * expansions::BYTES + blocks * block) as u64
        };
        let least = room(FEWEST, Reasons::FEWEST);
        let threads = (threads as u64).min((memory / 2 / least).max(ALWAYS)).max(1);
        let each = (memory / 8 / threads).saturating_sub(judge as u64) as usize / expansions::BYTES;
        let expansions = each.clamp(FEWEST, expansions::MOST);
        let blocks = ((memory / 32 / threads) as usize / block).clamp(Reasons::FEWEST, MOST_BLOCKS);
        let log = (memory / 64 / size_of::<Reason>() as u64).clamp(1, LONGEST_LOG);
        let tree = if threads > 1 { memory / 16 } else { 0 };
        let shared = tree + log * size_of::<Reason>() as u64;
        let rest = memory.saturating_sub(threads * room(expansions, blocks) + shared);
        let most = if cells <= FEW_CELLS { SMALL_TABLE } else { u64::MAX };
        let table = rest.min(most).max(Table::LEAST);
        Division {
            table,
            threads: threads as usize,
            expansions,
            blocks,
            log: log as usize,
            room: room(expansions, blocks),
            tree: tree as usize / TREE_NODE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_memory() {
        for (memory, threads, cells) in
            [(16 << 20, 512, 25), (64 << 20, 1, 36), (1 << 30, 2, 49), (4 << 30, 64, 64)]
        {
            let division = Division::new(memory, threads, cells);
            let rooms = division.threads as u64 * division.room;
            let shared = division.tree * TREE_NODE + division.log * size_of::<Reason>();
            let sum = division.table + rooms + shared as u64;
            assert!(sum <= memory && memory - sum <= TREE_NODE as u64, "{memory} {threads}: {division:?}");
            assert!(division.table >= memory / 4, "{memory} {threads}: {division:?}");
        }
    }

    #[test]
    fn threads_that_do_not_fit_are_not_started() {
        assert!(Division::new(16 << 20, 512, 25).threads < 100);
        assert_eq!(Division::new(4 << 30, 512, 25).threads, 512);
        assert_eq!(Division::new(1 << 16, 3, 16).threads, 3);
        assert_eq!(Division::new(1 << 16, 3, 16).table, Table::LEAST);
    }
}
