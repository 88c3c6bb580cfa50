//! Answers about Rex positions and games: JSON objects, pictures, moves.
//!
//! Every front end asks here, so that the command line, the server and the engine in a browser say the same. Nothing in
//! this crate knows of HTTP, files, terminals or threads.
//!
//! - [`answer`]: the JSON objects of solved positions
//! - [`explain`]: what theory says about a position
//! - [`opponent`]: moves in a game against a human; [`line`](mod@line): the line of play from a position
//! - [`games`] and [`notation`]: games and positions from and to text
//! - [`page_search`]: the value of every move, one by one, with the solvers of [`tables`]
//! - [`proving`]: certificates made; [`certificate`]: checked; [`reader`]: claim by claim
//! - [`svg`] draws
//! - [`desk`]: all of it by name, for front ends that pass on requests

pub mod answer;
pub mod certificate;
pub mod desk;
pub mod explain;
pub mod games;
pub mod line;
pub mod notation;
pub mod opponent;
pub mod page_search;
pub mod proving;
pub mod reader;
pub mod svg;
pub mod tables;

mod compress;

/// Input that cannot be read, with what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(String);

impl BadInput {
    /// Says what is wrong.
    pub fn new(what: impl std::fmt::Display) -> BadInput {
        BadInput(what.to_string())
    }
}
