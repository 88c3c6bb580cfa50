//! The flags of commands that keep solved positions, and the store they open.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use rex_game::{Board, CellSet, State};
use rex_search::{MoveReport, Settings, Solution, Solver, TableError};
use rex_store::{Keeper, Notice, Store, StoreError, Thread};
use rex_theory::fill_in::rules;

use crate::show::style::{self, paint};

/// Names the file to use where no flag does; `none` for no store.
const VARIABLE: &str = "SOLREX_DB";
/// Nodes from which on a solved position is kept, and an answer with all its parts: some milliseconds of work.
pub const FROM: u64 = 100;

/// Which store is used.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct StoreArgs {
    /// The store of solved positions [default: $SOLREX_DB, or solrex/solved.redb in the user's data directory]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Do not use a store of solved positions
    #[arg(long, conflicts_with = "db")]
    no_db: bool,
}

/// A store that is open, if one is.
pub type Kept = Option<Arc<Thread>>;

impl StoreArgs {
    /// Opens the store. If another process has it, the search goes on without it, with a warning; so it does if what is
    /// in the usual place cannot be used. A store that was asked for is an error then.
    pub fn open(&self) -> Result<Kept> {
        if self.no_db {
            return Ok(None);
        }
        let (path, asked) = match &self.db {
            Some(path) => (path.clone(), true),
            None => match usual_path() {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        if let Some(folder) = path.parent().filter(|_| !asked) {
            // If that fails, the store says so.
            let _ = std::fs::create_dir_all(folder);
        }
        match Store::open(&path) {
            Ok(store) => Ok(Some(Thread::start(store, warn))),
            Err(error @ StoreError::InUse(_)) => {
                warn(&Notice::Without(&error));
                Ok(None)
            }
            Err(error) if !asked => {
                warn(&Notice::Without(&error));
                Ok(None)
            }
            Err(error) => Err(advice(error, "another --db FILE, or --no-db")),
        }
    }
}

/// The store that a `db` command is about.
pub fn path_or_usual(db: Option<&Path>) -> Result<PathBuf> {
    match db {
        Some(path) => Ok(path.to_owned()),
        None => usual_path()
            .map(|(path, _)| path)
            .ok_or_else(|| anyhow::anyhow!("there is no store; expected --db FILE")),
    }
}

/// Whether both are names of one file that is there.
pub fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The file to use when no flag says so, and whether it was asked for.
fn usual_path() -> Option<(PathBuf, bool)> {
    match std::env::var_os(VARIABLE) {
        Some(path) if path == "none" || path.is_empty() => None,
        Some(path) => Some((path.into(), true)),
        None => Some((dirs::data_local_dir()?.join("solrex").join("solved.redb"), false)),
    }
}

/// Says what is the matter with a store while the search goes on.
pub fn warn(notice: &Notice) {
    let kind = if matches!(notice, Notice::Written { lost: 0, .. }) { "note:" } else { "warning:" };
    let _ = writeln!(anstream::stderr(), "{} {notice}", paint(style::STRONG, kind));
}

/// What is wrong with a store that cannot be used, and what was expected instead.
pub fn advice(error: StoreError, expected: &str) -> anyhow::Error {
    match error {
        StoreError::OtherVersion { .. } => anyhow::anyhow!("{error}; expected {expected}"),
        StoreError::Damaged { .. } => {
            anyhow::anyhow!("{error}; expected {expected}. 'solrex db salvage' recovers what is intact")
        }
        error => error.into(),
    }
}

/// A solver that begins with what is kept, and adds to it.
pub fn solver(board: Board, settings: &Settings, kept: &Kept) -> Result<Solver, TableError> {
    let Some(thread) = kept else { return Solver::new(board, settings.clone()) };
    let solver = Solver::new(board, Settings { remember: Some(FROM), ..settings.clone() })?;
    Ok(solver.remembering(Box::new(Keeper::new(thread, board, rules(&settings.theory)))))
}

/// Keeps an answer with all its parts: the line of play, every move with its answer, and the answers that were counted.
/// The search by itself keeps what took long, which would leave some of it to be searched again.
pub fn keep_answer(solver: &Solver, state: &State, solution: &Solution, reports: &[MoveReport]) {
    let mut along = *state;
    for &cell in &solution.pv {
        solver.keep(&along, Some(cell));
        along = along.play(cell);
    }
    solver.keep(&along, None);
    for report in reports {
        let child = state.play(report.cell);
        solver.keep(&child, report.refutation);
        let answers = if report.replies.is_some() { child.moves() } else { CellSet::EMPTY };
        for cell in report.refutation.into_iter().chain(answers) {
            solver.keep(&child.play(cell), None);
        }
    }
}
