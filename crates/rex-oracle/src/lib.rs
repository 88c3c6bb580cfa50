//! Who wins each position of a small board, from the rules alone.
//!
//! The oracle is what every rule of the theory and every search is tested against. It shares no code
//! with them, and of [`rex_game`] it takes only the words (boards, cells, stones): neighbours, joins and
//! winners are computed here a second time, in the plainest way.
//!
//! ```
//! use rex_game::{Board, State};
//! use rex_oracle::Oracle;
//!
//! let board = Board::new(2, 2)?;
//! let oracle = Oracle::new(board);
//! let start = State::new(board);
//! assert_eq!(oracle.winner(&start), start.to_move);
//! let winning: Vec<_> = oracle.winning_moves(&start).into_iter().map(|c| board.name(c)).collect();
//! assert_eq!(winning, ["a1", "b2"]);
//! # Ok::<(), rex_game::BoardError>(())
//! ```

mod dead;
mod joins;
mod numbering;
mod oracle;
mod sweep;

pub use oracle::Oracle;
