//! What `-v` reports on standard error: what is being done, and for how long.

use std::io::Write;
use std::sync::OnceLock;
use std::time::Instant;

use crate::show::style::{self, paint};

/// When the program started, if `-v` is on.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// Turns `-v` on.
pub fn start() {
    let _ = STARTED.set(Instant::now());
}

/// Whether `-v` is on.
pub fn is_on() -> bool {
    STARTED.get().is_some()
}

/// Reports something.
pub fn note(what: &str) {
    if let Some(started) = STARTED.get() {
        let seconds = started.elapsed().as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let _ = writeln!(anstream::stderr(), "[{hours}:{minutes:02}:{:02}] {what}", seconds % 60);
    }
}

/// Warns, with or without `-v`.
pub fn warn(what: &str) {
    say("warning:", what);
}

/// Says what is good to know, with or without `-v`.
pub fn remark(what: &str) {
    say("note:", what);
}

fn say(kind: &str, what: &str) {
    let _ = writeln!(anstream::stderr(), "{} {what}", paint(style::STRONG, kind));
}
