//! All tests of this crate from outside, as one program.

mod diagram;
mod games;
mod notation;
mod perft;
mod properties;
