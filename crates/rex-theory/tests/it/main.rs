//! All tests of this crate from outside, as one program.

mod common;
mod fill_in;
mod fixpoint;
mod moves;
mod verdicts;
