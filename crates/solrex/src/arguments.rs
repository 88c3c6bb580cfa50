//! What commands take: positions, limits, the store, switches of the theory, and the units of their values.

pub mod position;
pub mod solver;
pub mod theory;
pub mod units;
