//! One file per subcommand. `serve` and `htp` have folders of their own: [`crate::server`], [`crate::htp`].

#[cfg(not(all(feature = "cluster", feature = "serve")))]
pub mod absent;
pub mod audit;
pub mod bench;
pub mod census;
pub mod check;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod convert;
pub mod db;
pub mod explain;
pub mod manual;
pub mod moves;
pub mod openings;
pub mod play;
pub mod prove;
pub mod puzzles;
pub mod solve;
pub mod version;
