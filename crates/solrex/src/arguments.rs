//! What commands take: positions, limits, the environment, the store, theory switches, and units.

pub mod environment;
pub mod position;
pub mod solver;
pub mod theory;
pub mod units;
