//! What `-v` reports on standard error: what is being done, and for how long.

use std::io::Write;
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::Value;

use crate::show::output::json_line;
use crate::show::style::{self, paint};

/// When the program started, if `-v` is on, and whether events are JSON.
static STARTED: OnceLock<(Instant, bool)> = OnceLock::new();

/// Turns `-v` on.
pub fn start(json: bool) {
    let _ = STARTED.set((Instant::now(), json));
}

/// Whether `-v` is on.
pub fn is_on() -> bool {
    STARTED.get().is_some()
}

/// Reports something.
pub fn note(what: &str) {
    if let Some((started, _)) = STARTED.get() {
        let seconds = started.elapsed().as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        let _ = writeln!(anstream::stderr(), "[{hours}:{minutes:02}:{:02}] {what}", seconds % 60);
    }
}

/// Reports what happens again and again: as text, or with `--json` as an object.
pub fn event(object: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
    match STARTED.get() {
        None => {}
        Some((_, false)) => note(&text()),
        Some((_, true)) => _ = std::io::stderr().write_all(json_line(object()).as_bytes()),
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
