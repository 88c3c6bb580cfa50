//! All tests of this crate from outside, as one program.

mod certify;
mod docs;
mod local;
