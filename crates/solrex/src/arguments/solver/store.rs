//! The flags of commands that use what is known already: a store of solved positions, and the book of openings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use rex_game::Board;
use rex_search::{Settings, Solver, TableError};
use rex_store::{Keeper, Notice, Store, StoreError, Thread};
use rex_theory::Options;
use rex_theory::fill_in::rules;

use crate::show::log;

/// Names the file if no flag does; `none` means no store.
const VARIABLE: &str = "SOLREX_DB";
/// `none` means no book.
const BOOK_VARIABLE: &str = "SOLREX_BOOK";
/// Solved positions, and answers with all their parts, are stored if they took this many nodes: some milliseconds.
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
    /// Search openings too, instead of looking them up in the book
    #[arg(long)]
    no_book: bool,
}

/// What is known before a search. By default, nothing.
#[derive(Clone, Default)]
pub struct Kept {
    /// An open store, if there is one.
    pub store: Option<Arc<Thread>>,
    /// Whether the book of openings is used.
    book: bool,
}

impl Kept {
    /// A store, if there is one, and the book unless it is not wanted.
    pub fn new(store: Option<Arc<Thread>>, book: bool) -> Kept {
        Kept { store, book }
    }
}

impl StoreArgs {
    /// The book, and the open store.
    pub fn open(&self) -> Result<Kept> {
        let without = self.no_book || std::env::var_os(BOOK_VARIABLE).is_some_and(|value| value == "none");
        Ok(Kept::new(self.open_store()?, !without))
    }

    /// Opens the store. If another process is using it, the search goes on without it, with a warning. The same if the
    /// store in the default place cannot be used; but if the user named the store, that is an error.
    fn open_store(&self) -> Result<Option<Arc<Thread>>> {
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
            // If this fails, opening the store will report it.
            let _ = std::fs::create_dir_all(folder);
        }
        match Store::open(&path) {
            Ok(store) => Ok(Some(Thread::start(store, warn))),
            Err(error) if !asked || matches!(error, StoreError::InUse(_)) => {
                warn(&Notice::Without(&error));
                Ok(None)
            }
            Err(error) => Err(advice(error, "another --db FILE, or --no-db")),
        }
    }
}

/// The store that a `db` command works on.
pub fn path_or_usual(db: Option<&Path>) -> Result<PathBuf> {
    match db {
        Some(path) => Ok(path.to_owned()),
        None => usual_path()
            .map(|(path, _)| path)
            .ok_or_else(|| anyhow::anyhow!("there is no store; expected --db FILE")),
    }
}

/// Whether both paths lead to the same existing file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The file to use if no flag names one, and whether the user named it.
fn usual_path() -> Option<(PathBuf, bool)> {
    match std::env::var_os(VARIABLE) {
        Some(path) if path == "none" || path.is_empty() => None,
        Some(path) => Some((path.into(), true)),
        None => Some((dirs::data_local_dir()?.join("solrex").join("solved.redb"), false)),
    }
}

/// Reports a problem with the store while the search goes on.
pub fn warn(notice: &Notice) {
    let say = if matches!(notice, Notice::Written { lost: 0, .. }) { log::remark } else { log::warn };
    say(&notice.to_string());
}

/// Why a store cannot be used, and what was expected instead.
pub fn advice(error: StoreError, expected: &str) -> anyhow::Error {
    match error {
        StoreError::OtherVersion { .. } => anyhow::anyhow!("{error}; expected {expected}"),
        StoreError::Damaged { .. } => {
            anyhow::anyhow!("{error}; expected {expected}. 'solrex db salvage' recovers what is intact")
        }
        error => error.into(),
    }
}

/// A solver that starts with what is known, and adds to what is stored. If a rule is switched off or on, there is no
/// book: somebody wants to see what the search does without it.
pub fn solver(board: Board, settings: &Settings, kept: &Kept) -> Result<Solver, TableError> {
    let mut solver = match &kept.store {
        None => Solver::new(board, settings.clone())?,
        Some(thread) => {
            let solver = Solver::new(board, Settings { remember: Some(FROM), ..settings.clone() })?;
            solver.remembering(Box::new(Keeper::new(thread, board, rules(&settings.theory))))
        }
    };
    if kept.book
        && settings.theory == Options::default()
        && let Some(book) = rex_book::shipped_for(board)
    {
        solver = solver.with_book(book);
    }
    Ok(solver)
}
