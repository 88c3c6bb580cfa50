//! What commands take: positions, limits, the store, theory switches, and units.

pub mod position;
pub mod solver;
pub mod theory;
pub mod units;
