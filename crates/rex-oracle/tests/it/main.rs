//! All tests of this crate from outside, as one program.

mod golden;
mod laws;
mod table;
