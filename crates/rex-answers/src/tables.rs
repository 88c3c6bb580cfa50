//! Solvers, one for each board size, with warm tables. All searches on a board share one.

use std::sync::Arc;

use parking_lot::Mutex;
use rex_game::Board;
use rex_search::{Settings, Solver, TableError};

/// Makes the solver of a board.
type Make = dyn Fn(Board, &Settings) -> Result<Solver, TableError> + Send + Sync;

/// A limited number of tables, among which the memory is divided.
pub struct Tables {
    settings: Settings,
    make: Box<Make>,
    most: usize,
    /// Most recently used last.
    solvers: Mutex<Vec<Arc<Solver>>>,
}

impl Tables {
    /// No tables yet; `make` makes the solvers. At most `most` may be in use at any time.
    pub fn new(
        settings: Settings,
        most: usize,
        make: impl Fn(Board, &Settings) -> Result<Solver, TableError> + Send + Sync + 'static,
    ) -> Tables {
        Tables { settings, make: Box::new(make), most, solvers: Mutex::default() }
    }

    /// The solver for this board, and whether its table is new. Callers give it back between their turns: if another
    /// board needs a table, the least recently used one that nobody holds is dropped.
    ///
    /// # Errors
    /// If there is not enough memory for a table.
    pub fn of(&self, board: Board) -> Result<(Arc<Solver>, bool), TableError> {
        let mut solvers = self.solvers.lock();
        if let Some(at) = solvers.iter().position(|solver| solver.board() == board) {
            let solver = solvers.remove(at);
            solvers.push(solver.clone());
            return Ok((solver, false));
        }
        // Drop the old table before making the new one. Solvers are handed out only under this lock.
        while solvers.len() >= self.most
            && let Some(at) = solvers.iter().position(|solver| Arc::strong_count(solver) == 1)
        {
            solvers.remove(at);
        }
        let memory = self.settings.memory / self.most as u64;
        let settings = Settings { memory, ..self.settings.clone() };
        let solver = Arc::new((self.make)(board, &settings)?);
        solvers.push(solver.clone());
        Ok((solver, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(most: usize) -> Tables {
        let settings = Settings { memory: 1 << 20, ..Settings::default() };
        Tables::new(settings, most, |board, settings| Solver::new(board, settings.clone()))
    }

    #[test]
    fn there_are_never_more_tables_than_there_may_be() {
        let tables = small(3);
        let of = |name: &str| tables.of(name.parse().unwrap()).unwrap();
        let names = ["3x3", "3x4", "4x4", "4x5", "5x5"];
        // All are in use. One after the other is given back, and another board takes its place.
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
        let tables = small(2);
        let fresh = |name: &str| tables.of(name.parse().unwrap()).unwrap().1;
        assert!(fresh("3x3") && fresh("4x4") && !fresh("3x3") && !fresh("4x4") && !fresh("3x3"));
        // The table of 4x4 is the least recently used.
        assert!(fresh("5x5") && !fresh("3x3") && fresh("4x4"));
    }
}
