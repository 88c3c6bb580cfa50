//! A growing number on standard error during long work.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::show::text::thousands;

const QUIET: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(200);
/// Look at the clock only once in this many calls.
const STRIDE: u64 = 1024;

/// Shows a count, when standard error is a terminal and it takes long.
pub struct Counter {
    what: &'static str,
    terminal: bool,
    due: Instant,
    /// Calls between two looks at the clock.
    stride: u64,
    calls: u64,
    shown: bool,
}

impl Counter {
    /// Nothing is shown yet.
    pub fn new(what: &'static str) -> Counter {
        let terminal = std::io::stderr().is_terminal();
        Counter { what, terminal, due: Instant::now() + QUIET, stride: STRIDE, calls: 0, shown: false }
    }

    /// A count that grows slowly.
    pub fn of_few(what: &'static str) -> Counter {
        Counter { stride: 1, ..Counter::new(what) }
    }

    /// Updates the count.
    pub fn show(&mut self, count: u64) {
        self.calls += 1;
        if !self.terminal || !self.calls.is_multiple_of(self.stride) || Instant::now() < self.due {
            return;
        }
        self.due = Instant::now() + BETWEEN;
        self.shown = true;
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "\r\x1b[2K{} {}", thousands(count), self.what).and_then(|()| err.flush());
    }

    /// Removes the line.
    pub fn finish(self) {
        if self.shown {
            let mut err = std::io::stderr().lock();
            let _ = write!(err, "\r\x1b[2K").and_then(|()| err.flush());
        }
    }
}
