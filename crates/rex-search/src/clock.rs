//! The clock of searches. WebAssembly in a browser has none of its own: whoever loads it passes one in.

use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod system {
    pub use std::time::Instant as Reading;
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod system {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    #[derive(Clone, Copy, Debug)]
    pub struct Reading(Duration);

    impl Reading {
        /// Time stands still until there is a clock.
        pub fn now() -> Reading {
            Reading(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        pub fn elapsed(self) -> Duration {
            Reading::now().0.saturating_sub(self.0)
        }
    }

    pub fn set(clock: fn() -> Duration) {
        CLOCK.get_or_init(|| clock);
    }
}

/// A moment in time.
#[derive(Clone, Copy, Debug)]
pub struct Moment(system::Reading);

impl Moment {
    /// This one.
    pub fn now() -> Moment {
        Moment(system::Reading::now())
    }

    /// How long ago it was.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Sets the clock, for as long as the module is loaded: time since any fixed moment.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn set_clock(clock: fn() -> Duration) {
    system::set(clock);
}
