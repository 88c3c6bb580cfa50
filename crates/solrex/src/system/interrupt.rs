//! Ctrl-C and the other signals that ask the program to end: SIGTERM, and SIGHUP when its terminal closes. The first one
//! stops the running search, which then reports what it knows, and files are written. A second one kills.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::sync::Notify;

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// For code that waits for the flag instead of polling it.
static RAISED: Notify = Notify::const_new();
/// The first signal received, in words.
static CAUSE: OnceLock<&'static str> = OnceLock::new();
const KILLED: i32 = 130;
/// A second signal within this time is the same one again: `timeout` sends it twice, and so does a shell whose terminal closes.
const SAME: Duration = Duration::from_secs(1);

/// Starts to listen (once), and returns the flag that a signal sets.
pub fn watch() -> Result<Arc<AtomicBool>> {
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot listen to signals")?;
    // From here on no signal is missed, and none kills.
    let mut signals = {
        let _inside = runtime.enter();
        Signals::new().context("cannot listen to signals")?
    };
    let flag = FLAG.get_or_init(Arc::default).clone();
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                let _ = CAUSE.set(signals.next().await);
                let first = Instant::now();
                press();
                loop {
                    signals.next().await;
                    if first.elapsed() >= SAME {
                        std::process::exit(KILLED);
                    }
                }
            });
        })
        .context("cannot listen to signals")?;
    Ok(flag)
}

/// Whether the program was asked to end.
pub fn pressed() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Relaxed))
}

/// Returns when the program is asked to end.
pub async fn wait() {
    RAISED.notified().await;
}

/// What asked it to end.
pub fn cause() -> &'static str {
    CAUSE.get().unwrap_or(&"Ctrl-C")
}

/// Stops the running search as Ctrl-C does.
pub fn press() {
    if let Some(flag) = FLAG.get() {
        flag.store(true, Relaxed);
    }
    RAISED.notify_one();
}

/// The signals that are listened to.
#[cfg(unix)]
struct Signals(Vec<(&'static str, tokio::signal::unix::Signal)>);

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut wanted = vec![("Ctrl-C", SignalKind::interrupt()), ("SIGTERM", SignalKind::terminate())];
        if !hangup_is_ignored() {
            wanted.push(("SIGHUP", SignalKind::hangup()));
        }
        let listening = wanted.into_iter().map(|(name, kind)| Ok((name, signal(kind)?)));
        listening.collect::<std::io::Result<_>>().map(Signals)
    }

    /// The name of the next one.
    async fn next(&mut self) -> &'static str {
        use std::task::Poll;
        std::future::poll_fn(|context| {
            let mut ready = self.0.iter_mut().filter_map(|(name, signal)| match signal.poll_recv(context) {
                Poll::Ready(_) => Some(*name),
                Poll::Pending => None,
            });
            ready.next().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

/// Whether the program was started to outlive its terminal, as with `nohup`. Known only on Linux.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    const HANGUP: u64 = 1 << 0;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & HANGUP != 0)
}

/// Elsewhere there is only Ctrl-C.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals)
    }

    async fn next(&mut self) -> &'static str {
        let _ = tokio::signal::ctrl_c().await;
        "Ctrl-C"
    }
}
