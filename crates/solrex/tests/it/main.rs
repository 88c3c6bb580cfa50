//! All tests of this crate from outside, as one program.

mod answers;
mod bad_input;
mod book;
mod certificates;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
#[cfg(feature = "serve")]
mod crowd;
mod documents;
mod htp;
mod manual;
mod notations;
mod play;
#[cfg(feature = "cluster")]
mod proved_cluster;
mod puzzles;
#[cfg(feature = "cluster")]
mod secure;
#[cfg(feature = "serve")]
mod serve;
#[cfg(all(unix, feature = "cluster"))]
mod signals;
mod store;
mod streams;
mod transcripts;
#[cfg(feature = "cluster")]
mod trouble;
#[cfg(feature = "cluster")]
mod trust;
