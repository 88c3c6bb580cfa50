//! How a solver divides its memory.

use rex_theory::hsearch::HSearch;

use crate::expansions;
use crate::table::Table;
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
    /// At most this many bytes per thread.
    pub room: u64,
    /// How many nodes the shared tree may have.
    pub tree: usize,
}

/// The fewest expansions a thread can work with.
const FEWEST: usize = 16;
/// At least this many threads may run, however small the memory is.
const ALWAYS: u64 = 4;

impl Division {
    /// Divides the memory of a solver for a board of this many cells. Threads get an eighth as working room. If there
    /// are several, the tree they share gets a sixteenth. The table gets the rest. A room has a smallest size and a
    /// largest useful one. Threads whose rooms would take more than half of the memory are not started, but four always
    /// may be.
    pub fn new(memory: u64, threads: usize, cells: usize) -> Division {
        let judge = HSearch::bytes(cells);
        let room = |expansions: usize| (judge + expansions * expansions::BYTES) as u64;
        let threads = (threads as u64).min((memory / 2 / room(FEWEST)).max(ALWAYS)).max(1);
        let each = (memory / 8 / threads).saturating_sub(judge as u64) as usize / expansions::BYTES;
        let expansions = each.clamp(FEWEST, expansions::MOST);
        let tree = if threads > 1 { memory / 16 } else { 0 };
        let table = memory.saturating_sub(threads * room(expansions) + tree).max(Table::LEAST);
        Division {
            table,
            threads: threads as usize,
            expansions,
            room: room(expansions),
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
            let sum = division.table + rooms + (division.tree * TREE_NODE) as u64;
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
