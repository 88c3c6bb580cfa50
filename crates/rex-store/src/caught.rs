use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether a panic on this thread is caught, so that nothing need be printed.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Works on a file that may be damaged. The database trusts the pages it reads, and panics if they cannot be right; this
/// turns such a panic into an error. (This needs panics that unwind: see the release profile.)
pub fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                usual(info);
            }
        }));
    });
    let before = CATCHING.replace(true);
    // Whatever was half done is in the database, which is not used again.
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(before);
    result.ok()
}
