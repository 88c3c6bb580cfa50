use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::clock::Moment;

/// What can stop a search early.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// At most this many nodes.
    pub nodes: Option<u64>,
    /// At most this long.
    pub time: Option<Duration>,
    /// Stop as soon as this is set.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The cancel flag.
    Interrupt,
    /// The position has another board than the solver, which therefore never began.
    Board,
}

impl StopReason {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Time => "time",
            StopReason::Nodes => "nodes",
            StopReason::Interrupt => "interrupt",
            StopReason::Board => "board",
        }
    }
}

/// Counts nodes and watches the limits. It checks the clock and the cancel flag every few nodes.
#[derive(Debug)]
pub struct Watch {
    limits: Limits,
    started: Moment,
    nodes: u64,
    struck: u64,
    next_look: u64,
}

/// A node takes some tens of microseconds, so checking every 64 is often enough and costs nothing. On the largest boards it
/// may take a millisecond, which matters to a search that may not take long.
const BETWEEN_LOOKS: u64 = 64;
const BETWEEN_LOOKS_IF_SHORT: u64 = 8;
const SHORT: Duration = Duration::from_millis(500);

impl Watch {
    /// Starts counting.
    pub fn new(limits: &Limits) -> Watch {
        Watch { limits: limits.clone(), started: Moment::now(), nodes: 0, struck: 0, next_look: 0 }
    }

    /// A watch with the same limits and start time, for another thread.
    pub fn for_another_thread(&self) -> Watch {
        Watch { limits: self.limits.clone(), started: self.started, nodes: 0, struck: 0, next_look: 0 }
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Moves that reasons struck so far.
    pub fn struck(&self) -> u64 {
        self.struck
    }

    /// Counts moves that reasons struck.
    pub fn strike(&mut self, moves: u64) {
        self.struck += moves;
    }

    /// Takes over what another thread's watch has counted, which starts again from zero.
    pub fn take_over(&mut self, other: &mut Watch) {
        other.next_look = 0;
        self.nodes += std::mem::take(&mut other.nodes);
        self.struck += std::mem::take(&mut other.struck);
    }

    /// Whether this many nodes in all use up the node limit.
    pub fn over(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|limit| nodes >= limit)
    }

    /// The time limit, if there is one.
    pub fn time_limit(&self) -> Option<Duration> {
        self.limits.time
    }

    /// Time so far.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts a node. Every few nodes it returns the time so far.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn count(&mut self) -> Result<Option<Duration>, StopReason> {
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(StopReason::Nodes);
        }
        self.nodes += 1;
        if self.nodes < self.next_look {
            return Ok(None);
        }
        let short = self.limits.time.is_some_and(|limit| limit < SHORT);
        self.next_look = self.nodes + if short { BETWEEN_LOOKS_IF_SHORT } else { BETWEEN_LOOKS };
        self.look().map(Some)
    }

    /// Checks the clock and the cancel flag, and returns the time so far.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn look(&self) -> Result<Duration, StopReason> {
        if self.limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Relaxed)) {
            return Err(StopReason::Interrupt);
        }
        let elapsed = self.started.elapsed();
        if self.limits.time.is_some_and(|limit| elapsed >= limit) {
            return Err(StopReason::Time);
        }
        Ok(elapsed)
    }
}
