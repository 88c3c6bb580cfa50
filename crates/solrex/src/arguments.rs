//! What commands take: positions, limits, the store, switches of the theory, and the units of their values.

pub mod checkpoint;
pub mod position;
pub mod search;
pub mod store;
pub mod theory;
pub mod units;
