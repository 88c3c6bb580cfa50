//! Exact search of Rex positions.
//!
//! Start with [`Solver`]: it says who wins a state, by which moves, and what every move is worth.

mod audit;
mod checkpoint;
mod clock;
mod context;
mod dfpn;
mod division;
mod expansion;
mod expansions;
mod general;
mod guess;
mod guidance;
mod judge;
mod known;
mod limits;
mod line_end;
mod memory;
mod net;
mod parallel;
mod proof_number;
pub mod prove;
mod reasons;
mod resistance;
mod solver;
mod table;
mod tuning;
mod upper_tree;

pub use audit::{Audit, Auditor, StepClaim, StepKind, WrongStep};
pub use checkpoint::CheckpointError;
pub use clock::Moment;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use general::{General, Opinion};
pub use guidance::{Guidance, opinions};
pub use known::{
    Bounds, Child, Entry, INFINITE, Node, Numbers, POSITION_BYTES, Part, Solved, Work, position_bytes,
    position_from_bytes,
};
pub use limits::{Limits, StopReason};
pub use line_end::LineEnd;
pub use memory::{Book, BookEntry, Memory};
pub use net::Net;
pub use resistance::{conductance, hex_value};
pub use solver::{
    Explored, Listener, MoveReport, MoveValue, NodeRequest, Progress, Request, Settings, Solution, Solver,
};
pub use table::TableError;
pub use tuning::Tuning;
pub use upper_tree::{UpperTree, Way};
