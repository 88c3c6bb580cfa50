//! Solved positions, kept in a file from search to search.
//!
//! A position is kept without a side to move: its stones after fill-in, in their least image under the symmetries of
//! the board ([`Place`]). What is known of it is a [`Record`]: which of the three values *Black wins*, *White wins*,
//! *Notlast wins* it may still have, and a good move of each side to move. [`Store`] is the file, [`Keeper`] lets a
//! solver use it, [`entry`] and [`solved_nodes`] lead from solved nodes to records and back, [`segment`] is how solved positions travel, and
//! [`salvage`] reads what is left of a damaged file.

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
pub use store::{Clash, Mended, Note, Store, StoreError};
pub use translate::{entry, solved_node, solved_nodes};
