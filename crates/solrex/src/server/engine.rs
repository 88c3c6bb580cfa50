//! What all requests share: the tables, the turns, and the flags that end searches; and the session of one request.
//!
//! A request starts at once, in one of a few slots for short looks. Most questions are answered there. The others take
//! turns, and each continues from what is in the table of its board.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rex_answers::page_search::{Session, Tell, Try};
use rex_answers::tables::Tables;
use rex_game::Board;
use rex_search::{Limits, Settings, Solution, Solver, StopReason, TableError};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::turns::{Stop, Turn, Turns};
use crate::arguments::solver::store::{self, Kept};

/// Tables for proofs, and how many are made at a time.
const PROOFS: usize = 1;
/// Slots for short looks. They take hundredths of a second and do not wait for searches, but must not take all threads.
pub const GLANCES: usize = 2;
/// How long a request may search before it has to wait its turn.
const SLICE: Duration = Duration::from_millis(50);

/// The longest turn. A search that has lost its table needs longer turns to get further, but others are waiting.
const LONGEST_TURN: Duration = Duration::from_secs(5);

/// What all requests share.
pub struct Engine {
    tables: Tables,
    /// A proof is made of what a search leaves in the table, so here are no book and no store.
    proof_tables: Tables,
    /// Places for proofs in the making.
    proofs: Arc<Semaphore>,
    turns: Arc<Turns>,
    /// Slots for short looks, which do not wait for a search.
    glances: Arc<Semaphore>,
    time: Duration,
    nodes: Option<u64>,
    sessions: Mutex<Vec<Weak<Stop>>>,
    stopping: AtomicBool,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refused {
    /// Too many searches are waiting.
    Full,
    /// There is not enough memory for a table.
    NoMemory(TableError),
}

impl From<TableError> for Refused {
    fn from(error: TableError) -> Refused {
        Refused::NoMemory(error)
    }
}

/// Ends a search when it is dropped, so that the search ends with its listener.
pub struct Cancel {
    /// What ends the search.
    pub stop: Arc<Stop>,
    turns: Arc<Turns>,
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.turns.end(&self.stop);
    }
}

impl Engine {
    /// An engine that runs this many searches at once, each at most this long.
    pub fn new(
        settings: Settings,
        kept: Kept,
        searches: usize,
        time: Duration,
        nodes: Option<u64>,
    ) -> Engine {
        // The most tables in use at the same time.
        let most = searches + GLANCES;
        let share = settings.memory / (most + PROOFS) as u64;
        let of = |tables: usize| Settings { memory: share * tables as u64, ..settings.clone() };
        Engine {
            tables: Tables::new(of(most), most, move |board, settings| store::solver(board, settings, &kept)),
            proof_tables: Tables::new(of(PROOFS), PROOFS, |board, settings| {
                Solver::new(board, settings.clone())
            }),
            proofs: Arc::new(Semaphore::new(PROOFS)),
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

    /// Waits for a slot for a short look, even while the server is stopping, since it does not take long.
    pub async fn glance(&self) -> OwnedSemaphorePermit {
        self.glances.clone().acquire_owned().await.expect("nobody closes it")
    }

    /// Waits until nobody else makes a proof.
    pub async fn proof(&self) -> OwnedSemaphorePermit {
        self.proofs.clone().acquire_owned().await.expect("nobody closes it")
    }

    /// Starts to search for a proof, as [`Engine::session`] does. Whoever calls it has a place from [`Engine::proof`].
    ///
    /// # Errors
    /// As there.
    pub fn proof_session(
        &self,
        slot: OwnedSemaphorePermit,
        stop: Arc<Stop>,
        board: Board,
        at_most: Duration,
    ) -> Result<Turnwise<'_>, Refused> {
        self.session_with(&self.proof_tables, slot, stop, board, at_most)
    }

    /// Starts to search, in a slot for a first look, for at most this long.
    ///
    /// # Errors
    /// If there is not enough memory for a table.
    pub fn session(
        &self,
        slot: OwnedSemaphorePermit,
        stop: Arc<Stop>,
        board: Board,
        at_most: Duration,
    ) -> Result<Turnwise<'_>, Refused> {
        self.session_with(&self.tables, slot, stop, board, at_most)
    }

    fn session_with<'a>(
        &'a self,
        tables: &'a Tables,
        slot: OwnedSemaphorePermit,
        stop: Arc<Stop>,
        board: Board,
        at_most: Duration,
    ) -> Result<Turnwise<'a>, Refused> {
        let begun = Instant::now();
        let (solver, _) = tables.of(board)?;
        let at_work = AtWork { solver, begun, by: By::Glance { _slot: slot } };
        Ok(Turnwise {
            engine: self,
            tables,
            board,
            stop,
            time: self.time.min(at_most),
            worked: Duration::ZERO,
            nodes: 0,
            struck: 0,
            newcomer: true,
            at_work: Some(at_work),
        })
    }

    /// Whether the server is stopping.
    pub fn stopping(&self) -> bool {
        self.stopping.load(Relaxed)
    }

    /// Ends all searches, present and future.
    pub fn stop(&self) {
        let sessions = self.sessions.lock();
        self.stopping.store(true, Relaxed);
        for stop in sessions.iter().filter_map(Weak::upgrade) {
            self.turns.end(&stop);
        }
    }
}

/// The search of one request, in turns, until it is answered or a limit is reached.
pub struct Turnwise<'a> {
    engine: &'a Engine,
    /// Where it gets its solver.
    tables: &'a Tables,
    board: Board,
    stop: Arc<Stop>,
    time: Duration,
    /// Time of finished turns.
    worked: Duration,
    nodes: u64,
    struck: u64,
    /// Whether it has not had a turn yet.
    newcomer: bool,
    at_work: Option<AtWork>,
}

struct AtWork {
    /// Declared before the turn so that it is dropped first: never more tables in use than searches running.
    solver: Arc<Solver>,
    begun: Instant,
    by: By,
}

/// What lets a session work.
enum By {
    Glance { _slot: OwnedSemaphorePermit },
    Turn { _turn: Turn },
}

impl Session for Turnwise<'_> {
    type Refused = Refused;

    /// Asks a solver, with at most this many nodes. If a turn ends before the answer is found, the question continues in
    /// the next turn, and `tell` is called about the waiting. Known positions are answered without a turn.
    ///
    /// # Errors
    /// If too many searches are waiting, or there is not enough memory for a table.
    fn ask<T: Default>(
        &mut self,
        nodes: Option<u64>,
        tell: Tell,
        mut question: impl FnMut(&Try, Tell) -> (Solution, T),
    ) -> Result<(Solution, T), Refused> {
        let (before, struck) = (self.nodes, self.struck);
        loop {
            if self.is_glance() && self.worked() >= SLICE {
                let known = self.attempt(Some(0), None, |attempt| question(attempt, tell));
                match known {
                    Some((mut solution, more)) if solution.stopped.is_none() => {
                        (solution.nodes, solution.struck) = (self.nodes - before, self.struck - struck);
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
                (solution.nodes, solution.struck) = (self.nodes - before, self.struck - struck);
                return Ok((solution, more));
            }
            if !self.is_glance() {
                self.leave();
            }
        }
    }

    /// Looks once, with at most this many nodes and no longer than a first look; none if it is not this one's turn.
    fn look(&mut self, nodes: u64, question: impl FnOnce(&Try) -> Solution) -> Option<Solution> {
        let time = SLICE.min(self.time.saturating_sub(self.worked()));
        self.attempt(Some(nodes), Some(time), |look| (question(look), ())).map(|(solution, ())| solution)
    }

    /// The solver, if it is this one's turn.
    fn solver(&self) -> Option<&Solver> {
        self.at_work.as_ref().map(|at_work| &*at_work.solver)
    }

    /// Nodes so far.
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time so far, without the waiting.
    fn worked(&self) -> Duration {
        self.worked + self.at_work.as_ref().map_or(Duration::ZERO, |at_work| at_work.begun.elapsed())
    }

    /// Whether a limit is reached, or nobody is listening any more.
    fn is_over(&self) -> bool {
        let nodes = self.engine.nodes.is_some_and(|nodes| self.nodes >= nodes);
        self.stop.for_good() || nodes || self.worked() >= self.time
    }
}

impl Turnwise<'_> {
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
        self.struck += answer.0.struck;
        Some(answer)
    }

    fn is_glance(&self) -> bool {
        self.at_work.as_ref().is_some_and(|at_work| matches!(at_work.by, By::Glance { .. }))
    }

    fn leave(&mut self) {
        self.worked = self.worked();
        self.at_work = None;
    }

    /// Waits for a turn, if it has none; false if the search was ended meanwhile.
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
        let (solver, fresh) = self.tables.of(self.board)?;
        if fresh {
            // Another board took its table, so it starts from nothing. A turn as long as all turns before together
            // takes it further than it was, even if it loses its table every time.
            turn.at_least(self.worked.min(LONGEST_TURN));
        }
        self.at_work = Some(AtWork { solver, begun, by: By::Turn { _turn: turn } });
        Ok(true)
    }
}
