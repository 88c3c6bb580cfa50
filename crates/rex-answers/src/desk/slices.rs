//! A search in slices, where nothing else can run while it does: a browser's Worker hears nobody until a call returns.

use std::sync::Arc;
use std::time::Duration;

use rex_search::{Limits, Moment, Solution, Solver, StopReason};

use crate::page_search::{Session, Tell, Try};

/// The slice is over; the question goes on in the next one.
pub struct Pause;

/// A slice in which fewer nodes were searched went into finding the way back to where the last one ended.
const FEW: u64 = 16;
/// Slices of a search that makes headway do not grow beyond this many times their length.
const MOST_GROWTH: u32 = 8;

/// The session of a job.
pub struct Slices {
    /// Its solver.
    pub solver: Arc<Solver>,
    time: Duration,
    most_nodes: Option<u64>,
    /// How long this slice may be, if it may not be as long as it likes, and when it began.
    slice: Option<Duration>,
    begun: Moment,
    /// By how much slices are longer for the present question.
    growth: u32,
    /// Time of finished slices.
    worked: Duration,
    running: bool,
    /// Whether nothing was asked yet in this slice.
    fresh: bool,
    nodes: u64,
    struck: u64,
    /// Nodes and struck moves before the present question, if one is open.
    before: Option<(u64, u64)>,
}

impl Slices {
    /// A session that ends after this much time and this many nodes.
    pub fn new(solver: Arc<Solver>, time: Duration, most_nodes: Option<u64>) -> Slices {
        Slices {
            solver,
            time,
            most_nodes,
            slice: None,
            begun: Moment::now(),
            growth: 1,
            worked: Duration::ZERO,
            running: false,
            fresh: false,
            nodes: 0,
            struck: 0,
            before: None,
        }
    }

    /// Begins a slice of this length.
    pub fn begin(&mut self, slice: Option<Duration>) {
        // However much a slice of nothing grows, nothing comes of it.
        let slice = slice.map(|slice| slice.max(Duration::from_nanos(1)));
        (self.slice, self.begun, self.running, self.fresh) = (slice, Moment::now(), true, true);
    }

    /// What is left of the whole request, without regard to the slice.
    pub fn limits_left(&self) -> Limits {
        let nodes = self.most_nodes.map(|most| most.saturating_sub(self.nodes));
        let time = (self.time < Duration::MAX).then(|| self.time.saturating_sub(self.worked()));
        Limits { nodes, time, cancel: None }
    }

    fn pause(&mut self) -> Pause {
        self.worked = self.worked();
        self.running = false;
        Pause
    }

    /// What is left of the slice.
    fn left(&self) -> Option<Duration> {
        self.slice.map(|slice| slice.saturating_mul(self.growth).saturating_sub(self.begun.elapsed()))
    }

    fn attempt<T>(&mut self, limits: Limits, question: impl FnOnce(&Try) -> (Solution, T)) -> (Solution, T) {
        let worked = self.worked();
        let answer = question(&Try { solver: &self.solver, limits, nodes: self.nodes, worked });
        self.nodes += answer.0.nodes;
        self.struck += answer.0.struck;
        answer
    }
}

impl Session for Slices {
    type Refused = Pause;

    fn ask<T: Default>(
        &mut self,
        nodes: Option<u64>,
        tell: Tell,
        mut question: impl FnMut(&Try, Tell) -> (Solution, T),
    ) -> Result<(Solution, T), Pause> {
        let left = self.left();
        let whole = std::mem::take(&mut self.fresh);
        // The first attempt of a slice is made in any case: should it be too short for that, the next one is longer.
        if !whole && left.is_some_and(|left| left.is_zero()) {
            return Err(self.pause());
        }
        let (before, struck) = *self.before.get_or_insert((self.nodes, self.struck));
        let budget = nodes.map(|nodes| nodes.saturating_sub(self.nodes - before));
        let all = self.limits_left();
        let limits = Limits {
            nodes: [budget, all.nodes].into_iter().flatten().min(),
            time: [left, all.time].into_iter().flatten().min(),
            cancel: None,
        };
        let (mut solution, more) = self.attempt(limits, |attempt| question(attempt, tell));
        if solution.stopped == Some(StopReason::Time) && self.worked() < self.time {
            // Without headway a whole slice was too short to get anywhere, and so would be the next one.
            let stuck = solution.nodes == 0 || (solution.nodes < FEW && self.growth < MOST_GROWTH);
            if whole && stuck {
                self.growth = self.growth.saturating_mul(2);
            }
            return Err(self.pause());
        }
        (self.before, self.growth) = (None, 1);
        (solution.nodes, solution.struck) = (self.nodes - before, self.struck - struck);
        Ok((solution, more))
    }

    fn look(&mut self, nodes: u64, question: impl FnOnce(&Try) -> Solution) -> Option<Solution> {
        let limits = Limits { nodes: Some(nodes), time: self.left(), cancel: None };
        Some(self.attempt(limits, |look| (question(look), ())).0)
    }

    fn solver(&self) -> Option<&Solver> {
        Some(&self.solver)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn worked(&self) -> Duration {
        self.worked + if self.running { self.begun.elapsed() } else { Duration::ZERO }
    }

    fn is_over(&self) -> bool {
        self.most_nodes.is_some_and(|most| self.nodes >= most) || self.worked() >= self.time
    }
}
