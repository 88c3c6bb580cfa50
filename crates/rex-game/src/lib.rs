//! The rules of Reverse Hex (Rex), and nothing clever.
//!
//! Rex is played on a Hex board. Black owns the top and bottom sides, White the left and right sides. The
//! players take turns colouring empty cells, and whoever connects her own two sides **loses**.
//!
//! ```
//! use rex_game::{Player, State};
//!
//! let state: State = "2x2 a1".parse()?;
//! assert_eq!(state.to_move, Player::White);
//! assert_eq!(state.position.empty().len(), 3);
//! assert_eq!(state.last(), Player::White);
//! # Ok::<(), rex_game::NotationError>(())
//! ```
//!
//! # The board
//! Cells are bits of a `u64`, row by row from the top: bit `row * cols + col`. On a 3x4 board:
//!
//! ```text
//!   a  b  c  d
//! 1  0  1  2  3
//!  2  4  5  6  7
//!   3  8  9 10 11
//! ```
//!
//! Each row is half a cell further right than the one above it, so the six neighbours of `(row, col)` are
//! at `(0,±1) (±1,0) (−1,+1) (+1,−1)` from it.

mod board;
mod cell;
mod diagram;
mod game_record;
mod hexworld;
mod link;
mod notation;
mod player;
mod position;
mod random;
pub mod sgf;
mod symmetry;
mod trmph;

pub use board::{Board, BoardError, MAX_CELLS, MAX_COLS};
pub use cell::{Cell, CellSet, Cells};
pub use diagram::Diagram;
pub use game_record::{Action, ActionKind, GameRecord, mirrored};
pub use notation::{NotationError, looks_like_moves, move_list};
pub use player::{ParsePlayerError, Player};
pub use position::{Position, State};
pub use random::Random;
pub use symmetry::Symmetry;
