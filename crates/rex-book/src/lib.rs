//! Openings and first replies that were solved once and for all, for a solver to answer without search.
//!
//! The book has every position of 5x5 and 6x6 with at most two stones, placed by alternate moves on the empty board, with
//! the line of play from there. Of 7x7 it has the empty board and the openings whose certificates are published, with the
//! reply that wins, and the move against it that takes the most claims to refute. [`shipped`] is this book.
//! `scripts/book` writes it, and [`OpeningBook::parse`] reads it:
//!
//! ```text
//! rex-book 1                    the version of the format
//! board 6x6 searched            rows and columns, and how it was found: searched, or certified
//! : b a1                        the empty board: Black wins, a1 is the move to make
//! a1: b b1                      after Black's a1, Black wins; b1 is the hardest to refute
//! a1 b1: b d1 f6 c6             after a1 and b1, Black wins; the line of play is d1, f6, c6
//! board 7x7 certified
//! c1: w g3 g4
//! check 0123456789abcdef        FNV-1a of all bytes before this line
//! ```
//!
//! An entry has the moves that lead to it (Black first, from the empty board), the winner's letter, and the line of play
//! from there. The first move of the line is the one to make: it wins, or in a lost position it is the hardest to refute.
//! A line ends where the next position has an entry of its own, or where theory alone decides. Entries stand for their
//! images under the symmetries of the board too, and no two for the same position. Each line of the file ends with a line
//! feed.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use rex_game::{Board, Cell, Player, State};
use rex_search::{Book, BookEntry};

mod read;
mod write;

pub use read::BookError;
pub use write::write;

/// The first line: the format and its version.
const HEAD: &str = "rex-book 1";

/// The book that comes with this version.
///
/// ```
/// use rex_game::{Player, State};
/// use rex_search::Book;
///
/// let state: State = "6x6 e2".parse()?;
/// let entry = rex_book::shipped().find(&state).expect("it has every opening of 6x6");
/// assert_eq!(entry.winner, Player::White);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn shipped() -> &'static OpeningBook {
    static BOOK: OnceLock<OpeningBook> = OnceLock::new();
    BOOK.get_or_init(|| OpeningBook::parse(TEXT).expect("a test reads it"))
}

/// The same, if it has anything on this board. Otherwise it is not even read.
pub fn shipped_for(board: Board) -> Option<&'static dyn Book> {
    TEXT.contains(&format!("\nboard {board} ")).then(|| shipped() as &dyn Book)
}

/// The text of [`shipped`].
pub const TEXT: &str = include_str!("openings.book");

/// How the entries of a board were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The solver searched them.
    Searched,
    /// A certificate proves them.
    Certified,
}

impl Source {
    const ALL: [Source; 2] = [Source::Searched, Source::Certified];
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Searched => "searched",
            Source::Certified => "certified",
        })
    }
}

/// A line of the book: a position and how to play it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The moves that lead to it, Black first.
    pub moves: Vec<Cell>,
    /// Who wins.
    pub winner: Player,
    /// How the game goes on.
    pub line: Vec<Cell>,
}

impl Entry {
    /// The position.
    pub fn state(&self, board: Board) -> State {
        self.moves.iter().fold(State::new(board), |state, &cell| state.play(cell))
    }
}

/// The entries of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The board.
    pub board: Board,
    /// How they were found.
    pub source: Source,
    /// In the order of the file.
    pub entries: Vec<Entry>,
}

/// A book that was read.
#[derive(Debug)]
pub struct OpeningBook {
    chapters: Vec<Chapter>,
    /// What is known of each position, in its canonical image: of entries, and of the positions on their lines.
    known: HashMap<State, BookEntry>,
}

impl OpeningBook {
    /// What was read, board by board.
    pub fn chapters(&self) -> &[Chapter] {
        &self.chapters
    }
}

impl Book for OpeningBook {
    fn find(&self, state: &State) -> Option<BookEntry> {
        let (image, symmetry) = state.canonical();
        let entry = self.known.get(&image)?;
        Some(entry.image(state.board(), symmetry.inverse()))
    }
}
