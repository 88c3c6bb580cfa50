//! Exact search of Rex positions.
//!
//! [`Solver`] is the way in: it answers who wins a state, by which moves, and what every move is worth.

pub mod audit;
pub mod bounds;
pub mod dfpn;
pub mod expand;
pub mod expansions;
pub mod judge;
mod limits;
pub mod node;
pub mod parallel;
pub mod resistance;
mod solver;
pub mod table;

pub use audit::Audit;
pub use dfpn::Tuning;
pub use limits::{Limits, StopReason, Watch};
pub use solver::{Listener, MoveReport, MoveValue, Progress, Settings, Solution, Solver};
pub use table::TableError;
