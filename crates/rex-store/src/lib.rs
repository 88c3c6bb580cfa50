//! Solved positions, stored in a file for later searches.
//!
//! Positions are stored without a side to move: the stones after fill-in, in their smallest image under the symmetries
//! of the board ([`Place`]). A [`Record`] holds what we know about one: which of the three values *Black wins*, *White
//! wins*, *Notlast wins* it may still have, and a good move for each side to move. [`Store`] is the file, and
//! [`Keeper`] lets a solver use it. [`record_of`] and [`solved_nodes`] convert solved nodes to records and back.
//! [`segment`] is the format for exchanging solved positions, and [`salvage`] reads what is left of a damaged file.

mod caught;
mod keeper;
mod place;
mod record;
mod salvage;
pub mod segment;
mod shield;
mod store;
mod translate;

pub use keeper::{Keeper, Notice, Thread};
pub use place::{Flaw, Place};
pub use record::{Known, Record};
pub use salvage::salvage;
pub use segment::{Segment, SegmentError};
pub use store::{Mended, Note, Store, StoreError};
pub use translate::{record_of, solved_node, solved_nodes};
