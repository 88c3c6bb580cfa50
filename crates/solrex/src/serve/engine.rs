//! The solvers of the server: so many search at once, the others wait, and each search ends when nobody listens.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use rex::Board;
use rex_search::{Limits, Settings, Solver, TableError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::store_args::{self, Kept};

/// More than so many that wait are sent away.
const QUEUE: usize = 256;

/// What takes hundredths of a second does not wait for searches; but fifty at once must not take all threads.
const GLANCES: usize = 2;

/// What all requests share.
pub struct Engine {
    settings: Settings,
    /// Where solved positions are kept, if anywhere.
    kept: Kept,
    time: Duration,
    nodes: Option<u64>,
    slots: Semaphore,
    /// Short looks at a position, which do not wait for a search.
    glances: Arc<Semaphore>,
    /// Everybody who waits for a slot or has one.
    present: AtomicUsize,
    searches: usize,
    /// Solvers that nobody uses now, with warm tables; the one used last comes last.
    idle: Mutex<Vec<Solver>>,
    running: Mutex<Vec<Weak<AtomicBool>>>,
    stopping: AtomicBool,
}

/// Why there is no solver.
pub enum Refused {
    /// Too many wait already.
    Full,
    /// The server stops.
    Stopping,
}

/// Sets the flag of a search when it is dropped, so that a search ends with the one who listens to it.
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// The flag.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A place among those who search. It is given back when it is dropped.
pub struct Slot {
    engine: Arc<Engine>,
    entered: bool,
}

impl Drop for Slot {
    fn drop(&mut self) {
        if self.entered {
            self.engine.slots.add_permits(1);
        }
        self.engine.present.fetch_sub(1, Relaxed);
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
            settings,
            kept,
            time,
            nodes,
            slots: Semaphore::new(searches),
            glances: Arc::new(Semaphore::new(GLANCES)),
            present: AtomicUsize::new(0),
            searches,
            idle: Mutex::default(),
            running: Mutex::default(),
            stopping: AtomicBool::new(false),
        }
    }

    /// A flag for a search, which is set when the server stops.
    pub fn cancel(&self) -> Cancel {
        let flag = Arc::new(AtomicBool::new(self.stopping.load(Relaxed)));
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|flag| flag.strong_count() > 0);
        running.push(Arc::downgrade(&flag));
        Cancel(flag)
    }

    /// What may end a search, at most this long.
    pub fn limits(&self, cancel: Arc<AtomicBool>, at_most: Duration) -> Limits {
        Limits { nodes: self.nodes, time: Some(self.time.min(at_most)), cancel: Some(cancel) }
    }

    /// How many wait for a slot now.
    pub fn waiting(&self) -> usize {
        self.present.load(Relaxed).saturating_sub(self.searches)
    }

    /// Waits for a place. Whoever stops waiting (drops this) leaves the queue.
    pub async fn slot(self: &Arc<Engine>) -> Result<Slot, Refused> {
        if self.present.fetch_add(1, Relaxed) >= self.searches + QUEUE {
            self.present.fetch_sub(1, Relaxed);
            return Err(Refused::Full);
        }
        let mut slot = Slot { engine: self.clone(), entered: false };
        self.slots.acquire().await.map_err(|_| Refused::Stopping)?.forget();
        slot.entered = true;
        Ok(slot)
    }

    /// Waits for a place among those who only look; also while the server stops, since it does not take long.
    pub async fn glance(&self) -> OwnedSemaphorePermit {
        self.glances.clone().acquire_owned().await.expect("nobody closes it")
    }

    /// Works with a solver for this board, the warmest there is. Only who has a slot may ask, so that there are never
    /// more tables than slots.
    pub fn with_solver<T>(
        &self,
        _: &Slot,
        board: Board,
        work: impl FnOnce(&Solver) -> T,
    ) -> Result<T, TableError> {
        let solver = self.take(board)?;
        let result = work(&solver);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
        Ok(result)
    }

    fn take(&self, board: Board) -> Result<Solver, TableError> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().rposition(|solver| solver.board() == board) {
            return Ok(idle.remove(at));
        }
        // The oldest goes if there is one for each slot already, and its table before the new one comes.
        if idle.len() >= self.searches {
            idle.remove(0);
        }
        drop(idle);
        let memory = (self.settings.memory / self.searches as u64).min(enough(board));
        store_args::solver(board, &Settings { memory, ..self.settings.clone() }, &self.kept)
    }

    /// Ends all searches, and lets nobody in any more.
    pub fn stop(&self) {
        self.stopping.store(true, Relaxed);
        self.slots.close();
        for flag in self.running.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if let Some(flag) = flag.upgrade() {
                flag.store(true, Relaxed);
            }
        }
    }
}

/// As much memory as a board of this size can use: making a larger table only takes time.
fn enough(board: Board) -> u64 {
    match board.len() {
        0..=16 => 1 << 24,
        17..=25 => 1 << 27,
        _ => u64::MAX,
    }
}
