//! Exact search of Rex positions.
//!
//! [`Solver`] is the way in: it answers who wins a state, by which moves, and what every move is worth.

pub mod audit;
/// Proof numbers.
pub mod bounds;
mod company;
pub mod dfpn;
mod division;
pub mod expand;
/// Children worked out lately.
pub mod expansions;
pub mod guess;
pub mod guidance;
pub mod judge;
mod limits;
mod line_end;
mod memory;
pub mod net;
/// Canonical positions and their keys.
pub mod node;
pub mod parallel;
pub mod prove;
pub mod resistance;
mod solver;
/// The transposition table.
pub mod table;

pub use audit::Audit;
pub use dfpn::{Solved, Tuning};
pub use guidance::Guidance;
pub use limits::{Limits, StopReason, Watch};
pub use line_end::LineEnd;
pub use memory::{Fact, Memory};
pub use solver::{
    Child, Explored, Listener, MoveReport, MoveValue, NodeRequest, Numbers, Progress, Request, Settings,
    Solution, Solver,
};
pub use table::{CheckpointError, TableError};
