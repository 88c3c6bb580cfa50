//! Who wins each position of a small board, from the rules alone.
//!
//! Every rule of the theory and every search is tested against the oracle. It shares no code with them.
//! From [`rex_game`] it takes only boards, cells and stones: it computes neighbours, joins and winners
//! itself, in the simplest way.
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
pub mod testing;

pub use oracle::Oracle;
