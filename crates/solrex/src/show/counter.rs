//! A growing number on standard error during long work.

use std::time::Instant;

use crate::show::progress::LiveLine;
use crate::show::text::thousands;

/// Look at the clock only once in this many calls.
const STRIDE: u64 = 1024;

/// Shows a count, when standard error is a terminal and it takes long.
pub struct Counter {
    what: &'static str,
    started: Instant,
    line: LiveLine,
    /// Calls between two looks at the clock.
    stride: u64,
    calls: u64,
}

impl Counter {
    /// Nothing is shown yet.
    pub fn new(what: &'static str) -> Counter {
        Counter { what, started: Instant::now(), line: LiveLine::new(), stride: STRIDE, calls: 0 }
    }

    /// A count that grows slowly.
    pub fn of_few(what: &'static str) -> Counter {
        Counter { stride: 1, ..Counter::new(what) }
    }

    /// Updates the count.
    pub fn show(&mut self, count: u64) {
        self.calls += 1;
        if self.calls.is_multiple_of(self.stride) {
            self.line.show(self.started.elapsed(), || format!("{} {}", thousands(count), self.what));
        }
    }

    /// Removes the line.
    pub fn finish(self) {
        self.line.erase();
    }
}
