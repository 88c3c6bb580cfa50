//! The solvers of the server, one for each board, with warm tables. All searches on a board share one.

use std::sync::Arc;

use parking_lot::Mutex;
use rex_game::Board;
use rex_search::{Settings, Solver, TableError};

use crate::arguments::store::{self, Kept};

/// At most so many tables, which together take the memory that there is.
pub struct Tables {
    settings: Settings,
    /// Where solved positions are kept, if anywhere.
    kept: Kept,
    most: usize,
    /// The one asked for last comes last.
    solvers: Mutex<Vec<Arc<Solver>>>,
}

impl Tables {
    /// No tables yet. At most `most` may be in use at any time.
    pub fn new(settings: Settings, kept: Kept, most: usize) -> Tables {
        Tables { settings, kept, most, solvers: Mutex::default() }
    }

    /// The solver for this board, and whether its table is a new one. Whoever has it does not keep it while others have
    /// their turn: a table that nobody uses goes when another board needs one, the one first that was not asked for
    /// longest.
    pub fn of(&self, board: Board) -> Result<(Arc<Solver>, bool), TableError> {
        let mut solvers = self.solvers.lock();
        if let Some(at) = solvers.iter().position(|solver| solver.board() == board) {
            let solver = solvers.remove(at);
            solvers.push(solver.clone());
            return Ok((solver, false));
        }
        // The old table goes before the new one comes. Solvers are handed out under this lock alone.
        while solvers.len() >= self.most
            && let Some(at) = solvers.iter().position(|solver| Arc::strong_count(solver) == 1)
        {
            solvers.remove(at);
        }
        let memory = (self.settings.memory / self.most as u64).min(enough(board));
        let settings = Settings { memory, ..self.settings.clone() };
        let solver = Arc::new(store::solver(board, &settings, &self.kept)?);
        solvers.push(solver.clone());
        Ok((solver, true))
    }
}

/// As much memory as a board of this size can use: making a larger table only takes time.
fn enough(board: Board) -> u64 {
    match board.len() {
        0..=16 => 1 << 24,
        17..=25 => 1 << 27,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_tables_than_there_may_be() {
        let tables = Tables::new(Settings { memory: 1 << 20, ..Settings::default() }, None, 3);
        let of = |name: &str| tables.of(name.parse().unwrap()).unwrap();
        let names = ["3x3", "3x4", "4x4", "4x5", "5x5"];
        // All are in use, one after the other leaves, and another board comes in its place.
        let mut used: Vec<_> = names[..3].iter().map(|name| of(name).0).collect();
        for round in 0..10 {
            used.remove(0);
            used.push(of(names[(round + 3) % 5]).0);
            assert_eq!(tables.solvers.lock().len(), 3, "{round}");
        }
        drop(used);
        assert!(tables.solvers.lock().iter().all(|solver| Arc::strong_count(solver) == 1));
    }

    #[test]
    fn a_table_stays_warm_until_others_need_its_place() {
        let tables = Tables::new(Settings { memory: 1 << 20, ..Settings::default() }, None, 2);
        let fresh = |name: &str| tables.of(name.parse().unwrap()).unwrap().1;
        assert!(fresh("3x3") && fresh("4x4") && !fresh("3x3") && !fresh("4x4") && !fresh("3x3"));
        // The table of 4x4 was not asked for longest.
        assert!(fresh("5x5") && !fresh("3x3") && fresh("4x4"));
    }
}
