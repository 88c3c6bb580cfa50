//! Ctrl-C: the first one stops the running search, which then says what it knows; the second one kills.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result};

use crate::Status;

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// Whether a search runs that will notice the flag. Otherwise there is nothing to wait for.
static BUSY: AtomicBool = AtomicBool::new(false);
const KILLED: i32 = 130;

/// Starts to listen (once), and returns the flag that Ctrl-C sets.
pub fn watch() -> Result<Arc<AtomicBool>> {
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let flag = FLAG.get_or_init(Arc::default).clone();
    let set = flag.clone();
    ctrlc::set_handler(move || {
        if set.swap(true, Relaxed) {
            std::process::exit(KILLED);
        }
        if !BUSY.load(Relaxed) {
            std::process::exit(Status::Stopped as i32);
        }
    })
    .context("cannot listen to Ctrl-C")?;
    Ok(flag)
}

/// Whether Ctrl-C was pressed.
pub fn pressed() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Relaxed))
}

/// Stops the running search as Ctrl-C does.
pub fn press() {
    if let Some(flag) = FLAG.get() {
        flag.store(true, Relaxed);
    }
}

/// Does work that looks at the flag.
pub fn while_busy<T>(work: impl FnOnce() -> T) -> T {
    BUSY.store(true, Relaxed);
    let result = work();
    BUSY.store(false, Relaxed);
    result
}
