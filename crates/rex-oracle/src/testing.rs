//! What the tests of all crates share: searches that do not end, searches that take a while, and how to wait.
//!
//! A position is hard for as long as the search does not get better. These are searched with every rule of the theory
//! off and moves in the order of the board, so that they stay as hard as they are. Where nothing can be switched off,
//! in a cluster, [`ENDLESS`] is hard enough all the same. `rex-search/tests/it/hard.rs` holds all of this.

use std::time::{Duration, Instant};

/// No test lives to see the end of this search.
pub const ENDLESS: &str = "8x8 e4";

/// Nor of these, on boards of four more sizes.
pub const MORE_ENDLESS: [&str; 4] = ["7x7 e4", "6x8 b2 d3", "9x7 d5", "6x9 c3"];

/// This search ends after [`LONG_NODES`] nodes or more, in less than a second.
pub const LONG: &str = "4x4 a1 d4";

/// The least that [`LONG`] takes.
pub const LONG_NODES: u64 = 2000;

/// Nobody waits longer than this: a test that hangs fails.
pub const GUARD: Duration = Duration::from_secs(300);

/// Waits for something that another process or thread does.
///
/// # Panics
///
/// If it has not happened after [`GUARD`].
#[track_caller]
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happened() {
        assert!(begun.elapsed() < GUARD, "waited {} s in vain until {what}", GUARD.as_secs());
        std::thread::sleep(Duration::from_millis(10));
    }
}
