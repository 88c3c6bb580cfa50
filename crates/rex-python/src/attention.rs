//! Python has its say while a search runs without it: the search holds no interpreter lock, and takes it a few times a
//! second to run signal handlers (Ctrl-C) and to report how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rex_search::Limits;

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What a search reports to, and what stops it when Python raises an exception meanwhile.
pub struct Attention<'a> {
    /// Called with what is counted and how many there are so far.
    tell: Option<&'a Py<PyAny>>,
    cancel: Arc<AtomicBool>,
    raised: Option<PyErr>,
    looked: Instant,
}

impl<'a> Attention<'a> {
    /// Nothing has been raised yet.
    pub fn new(tell: Option<&'a Py<PyAny>>) -> Attention<'a> {
        Attention { tell, cancel: Arc::default(), raised: None, looked: Instant::now() }
    }

    /// The limits of a search that also ends when an exception was raised.
    pub fn limits(&self, seconds: Option<f64>, nodes: Option<u64>) -> Limits {
        // Longer than a duration can be is no limit.
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Limits { nodes, time, cancel: Some(self.cancel.clone()) }
    }

    /// Whether the search is to end.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }

    /// Looks if the last time was a while ago.
    pub fn perhaps_look(&mut self, what: &str, count: u64) {
        if self.looked.elapsed() >= BETWEEN_LOOKS {
            self.look(what, count);
        }
    }

    /// Runs signal handlers, and reports.
    pub fn look(&mut self, what: &str, count: u64) {
        self.looked = Instant::now();
        if self.raised.is_some() {
            return;
        }
        let looked = Python::attach(|py| {
            py.check_signals()?;
            if let Some(tell) = self.tell {
                tell.call1(py, (what, count))?;
            }
            Ok(())
        });
        if let Err(error) = looked {
            self.raised = Some(error);
            self.cancel.store(true, Relaxed);
        }
    }

    /// The exception that ended the search, if one did.
    pub fn raised(self) -> Option<PyErr> {
        self.raised
    }
}
