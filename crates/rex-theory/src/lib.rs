//! What we can tell about a Rex position without search, one technique per file.

pub mod captured;
pub mod dead;
pub mod decomposition;
pub mod domination;
pub mod exact_pairing;
mod field;
pub mod fill_in;
pub mod graph;
pub mod hsearch;
pub mod mirror_pairing;
pub mod mutual;
mod options;
pub mod pairing;
mod reduced;
pub mod symmetry;

pub use field::Field;
pub use options::{OptionInfo, OptionKind, Options};
pub use reduced::Reduced;
