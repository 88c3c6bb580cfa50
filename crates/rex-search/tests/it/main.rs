//! All tests of this crate from outside, as one program.

mod audit;
mod explore;
mod golden;
mod hard;
mod mutations;
mod oracle;
mod prove;
mod threads;
