use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether we catch panics on this thread, so that nothing is printed.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Works on a file that may be damaged. The database trusts the pages it reads, and panics if they make no sense. This
/// turns such a panic into `None`. (It needs panics that unwind: see the release profile.)
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
    // Only the database can be left half done, and it is not used again.
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(before);
    result.ok()
}
