//! What all requests share: the tables, the turns, and the flags that end searches; and the session of one request.
//!
//! A request begins at once, on one of a few places for short looks, and has a slice of work there. Most questions are
//! answered by then. The others take turns, and each goes on from what is in the table of its board.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rex_game::Board;
use rex_search::{Limits, Settings, Solution, Solver, StopReason, TableError};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::tables::Tables;
use super::turns::{Full, Stop, Turn, Turns};
use crate::arguments::store::Kept;

/// What takes hundredths of a second does not wait for searches; but fifty at once must not take all threads.
pub const GLANCES: usize = 2;
/// How long a request may search before it has to wait its turn.
const SLICE: Duration = Duration::from_millis(50);

/// A search that has lost its table needs longer turns to get beyond where it was; but others wait for its end.
const LONGEST_TURN: Duration = Duration::from_secs(5);

/// Told the name of each event and what it says.
pub type Tell<'a> = &'a mut dyn FnMut(&'static str, Value);

/// What all requests share.
pub struct Engine {
    tables: Tables,
    turns: Arc<Turns>,
    /// Short looks at a position, which do not wait for a search.
    glances: Arc<Semaphore>,
    time: Duration,
    nodes: Option<u64>,
    sessions: Mutex<Vec<Weak<Stop>>>,
    stopping: AtomicBool,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refused {
    /// Too many wait already.
    Full,
    /// There is no memory for a table.
    NoMemory(TableError),
}

impl From<Full> for Refused {
    fn from(_: Full) -> Refused {
        Refused::Full
    }
}

impl From<TableError> for Refused {
    fn from(error: TableError) -> Refused {
        Refused::NoMemory(error)
    }
}

/// Ends a search when it is dropped, so that it ends with the one who listens to it.
pub struct Cancel {
    stop: Arc<Stop>,
    turns: Arc<Turns>,
}

impl Cancel {
    /// What ends the search.
    pub fn stop(&self) -> Arc<Stop> {
        self.stop.clone()
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.turns.end(&self.stop);
    }
}

impl Engine {
    /// An engine that runs so many searches at once, each at most so long.
    pub fn new(
        settings: Settings,
        kept: Kept,
        searches: usize,
        time: Duration,
        nodes: Option<u64>,
    ) -> Engine {
        Engine {
            // So many use one at the same time, at most.
            tables: Tables::new(settings, kept, searches + GLANCES),
            turns: Arc::new(Turns::new(searches)),
            glances: Arc::new(Semaphore::new(GLANCES)),
            time,
            nodes,
            sessions: Mutex::default(),
            stopping: AtomicBool::new(false),
        }
    }

    /// Ends a search when it is dropped; the search also ends when the server stops.
    pub fn cancel(&self) -> Cancel {
        let stop = Arc::new(Stop::default());
        let mut sessions = self.sessions.lock();
        sessions.retain(|stop| stop.strong_count() > 0);
        sessions.push(Arc::downgrade(&stop));
        if self.stopping() {
            self.turns.end(&stop);
        }
        Cancel { stop, turns: self.turns.clone() }
    }

    /// Waits for a place among those who only look; also while the server stops, since it does not take long.
    pub async fn glance(&self) -> OwnedSemaphorePermit {
        self.glances.clone().acquire_owned().await.expect("nobody closes it")
    }

    /// Begins to search, with a place for a first look, at most so long.
    ///
    /// # Errors
    /// If there is no memory for a table.
    pub fn session(
        &self,
        place: OwnedSemaphorePermit,
        stop: Arc<Stop>,
        board: Board,
        at_most: Duration,
    ) -> Result<Session<'_>, Refused> {
        let begun = Instant::now();
        let (solver, _) = self.tables.of(board)?;
        let at_work = AtWork { solver, begun, by: By::Glance { _place: place } };
        Ok(Session {
            engine: self,
            board,
            stop,
            time: self.time.min(at_most),
            worked: Duration::ZERO,
            nodes: 0,
            newcomer: true,
            at_work: Some(at_work),
        })
    }

    /// Whether the server stops.
    pub fn stopping(&self) -> bool {
        self.stopping.load(Relaxed)
    }

    /// Ends all searches, also those that come yet.
    pub fn stop(&self) {
        let sessions = self.sessions.lock();
        self.stopping.store(true, Relaxed);
        for stop in sessions.iter().filter_map(Weak::upgrade) {
            self.turns.end(&stop);
        }
    }
}

/// The searching of one request, now and then, until it is answered or its limits are reached.
pub struct Session<'a> {
    engine: &'a Engine,
    board: Board,
    stop: Arc<Stop>,
    time: Duration,
    /// Of the turns that are over.
    worked: Duration,
    nodes: u64,
    /// Whether it had no turn yet.
    newcomer: bool,
    at_work: Option<AtWork>,
}

struct AtWork {
    /// Goes before the turn does, so that there are never more in use than may work.
    solver: Arc<Solver>,
    begun: Instant,
    by: By,
}

/// What lets a session work.
enum By {
    Glance { _place: OwnedSemaphorePermit },
    Turn { _turn: Turn },
}

/// One try at a question.
pub struct Try<'a> {
    /// Whom to ask.
    pub solver: &'a Solver,
    /// What ends this try.
    pub limits: Limits,
    /// Nodes of the request before.
    pub nodes: u64,
    /// Time of the request before.
    pub worked: Duration,
}

impl Session<'_> {
    /// Asks a solver, with at most so many nodes. If a turn ends before the answer is found, it goes on with the same
    /// question in the next one, and `tell` hears about the waiting. What is known without a search is answered without
    /// a turn.
    ///
    /// # Errors
    /// If too many wait for a turn, or there is no memory for a table.
    pub fn ask<T: Default>(
        &mut self,
        nodes: Option<u64>,
        tell: Tell,
        mut question: impl FnMut(&Try, Tell) -> (Solution, T),
    ) -> Result<(Solution, T), Refused> {
        let before = self.nodes;
        loop {
            if self.glance_is_over() {
                let known = self.attempt(Some(0), None, |attempt| question(attempt, tell));
                match known {
                    Some((mut solution, more)) if solution.stopped.is_none() => {
                        solution.nodes = self.nodes - before;
                        return Ok((solution, more));
                    }
                    _ => self.leave(),
                }
            }
            if !self.enter(tell)? {
                let stopped = Some(StopReason::Interrupt);
                return Ok((Solution { stopped, ..Solution::default() }, T::default()));
            }
            let left = nodes.map(|nodes| nodes.saturating_sub(self.nodes - before));
            let time = self.time.saturating_sub(self.worked());
            let slice = if self.is_glance() { SLICE.saturating_sub(self.worked()) } else { time };
            let attempt = self.attempt(left, Some(time.min(slice)), |attempt| question(attempt, tell));
            let Some((mut solution, more)) = attempt else { continue };
            let goes_on = match solution.stopped {
                Some(StopReason::Interrupt) => !self.stop.for_good(),
                Some(StopReason::Time) => self.is_glance() && self.worked() < self.time,
                _ => false,
            };
            if !goes_on {
                solution.nodes = self.nodes - before;
                return Ok((solution, more));
            }
            if !self.is_glance() {
                self.leave();
            }
        }
    }

    /// Looks once, with at most so many nodes and no longer than a first look takes; none when it is not its turn.
    pub fn look<T: Default>(
        &mut self,
        nodes: u64,
        question: impl FnOnce(&Try) -> (Solution, T),
    ) -> Option<(Solution, T)> {
        let time = SLICE.min(self.time.saturating_sub(self.worked()));
        self.attempt(Some(nodes), Some(time), question)
    }

    fn attempt<T>(
        &mut self,
        nodes: Option<u64>,
        time: Option<Duration>,
        question: impl FnOnce(&Try) -> (Solution, T),
    ) -> Option<(Solution, T)> {
        let all = self.engine.nodes.map(|all| all.saturating_sub(self.nodes));
        let nodes = [nodes, all].into_iter().flatten().min();
        let limits = Limits { nodes, time, cancel: Some(self.stop.flag()) };
        let solver = &self.at_work.as_ref()?.solver;
        let answer = question(&Try { solver, limits, nodes: self.nodes, worked: self.worked() });
        self.nodes += answer.0.nodes;
        Some(answer)
    }

    /// The solver, when it is this one's turn.
    pub fn solver(&self) -> Option<&Solver> {
        self.at_work.as_ref().map(|at_work| &*at_work.solver)
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time so far, without the waiting.
    pub fn worked(&self) -> Duration {
        self.worked + self.at_work.as_ref().map_or(Duration::ZERO, |at_work| at_work.begun.elapsed())
    }

    /// Whether a limit is reached, or nobody listens any more.
    pub fn is_over(&self) -> bool {
        let nodes = self.engine.nodes.is_some_and(|nodes| self.nodes >= nodes);
        self.stop.for_good() || nodes || self.worked() >= self.time
    }

    fn is_glance(&self) -> bool {
        self.at_work.as_ref().is_some_and(|at_work| matches!(at_work.by, By::Glance { .. }))
    }

    fn glance_is_over(&self) -> bool {
        self.is_glance() && self.worked() >= SLICE
    }

    fn leave(&mut self) {
        self.worked = self.worked();
        self.at_work = None;
    }

    /// Waits until it may work, if it may not yet; false when it was ended meanwhile.
    fn enter(&mut self, tell: Tell) -> Result<bool, Refused> {
        if self.at_work.is_some() {
            return Ok(true);
        }
        let mut waited = false;
        let turn = self.engine.turns.wait(&self.stop, self.worked, self.newcomer, &mut |searches| {
            waited = true;
            tell("waiting", json!({ "waiting": true, "searches": searches }));
        })?;
        let Some(turn) = turn else { return Ok(false) };
        self.newcomer = false;
        if waited {
            tell("waiting", json!({ "waiting": false }));
        }
        let begun = Instant::now();
        let (solver, fresh) = self.engine.tables.of(self.board)?;
        if fresh {
            // Another board took its table. With each turn as long as all before it gets somewhere even if that happens
            // again and again.
            turn.at_least(self.worked.min(LONGEST_TURN));
        }
        self.at_work = Some(AtWork { solver, begun, by: By::Turn { _turn: turn } });
        Ok(true)
    }
}
