//! All tests of this crate from outside, as one program.

mod corpus;
mod documentation;
mod false_claims;
mod filling;
mod garbage;
mod packed;
mod playing;
mod program;
mod published;
mod soundness;
mod tree;
mod writing;
