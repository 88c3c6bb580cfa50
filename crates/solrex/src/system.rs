//! What the program asks of the system: lines of standard input, signals, and files that are whole or not there.

pub mod beside;
pub mod interrupt;
pub mod lines;
