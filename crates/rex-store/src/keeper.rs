use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rex_game::Board;
use rex_search::node::Node;
use rex_search::{Fact, Memory, Solved};

use crate::place::Place;
use crate::record::Record;
use crate::store::{Store, StoreError};
use crate::translate::{entry, fact, facts};

/// Between two writes: what a killed process loses.
const BETWEEN: Duration = Duration::from_secs(1);
/// After a write that failed the next one waits twice as long, up to this.
const LONGEST: Duration = Duration::from_secs(32);
/// So many positions wait for a store that cannot be written: about 100 MB.
const MOST_WAITING: usize = 1 << 20;

/// A thread that writes to a store beside the search, once a second, and the store. It ends, with all written, when
/// the last who holds it lets go.
pub struct Thread {
    store: Arc<Store>,
    sender: Option<Sender<Vec<(Place, Record)>>>,
    handle: Option<JoinHandle<()>>,
    trouble: Arc<Trouble>,
}

/// What whoever started the thread should know. It reads as a sentence.
pub enum Notice<'a> {
    /// The search goes on without the store.
    Without(&'a StoreError),
    /// It cannot be written, perhaps because the disk is full. What was found waits.
    Waiting(&'a StoreError),
    /// It could be written again.
    Written {
        /// The store.
        store: &'a Store,
        /// Positions for which there was no room while they waited.
        lost: usize,
    },
    /// The program ends before it could be written again.
    Lost {
        /// What went wrong.
        error: &'a StoreError,
        /// Positions that are not kept.
        lost: usize,
    },
}

impl fmt::Display for Notice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Notice::Without(error) => write!(f, "{error}; going on without it"),
            Notice::Waiting(error) => write!(f, "{error}; what is found waits, and writing is tried again"),
            Notice::Written { store, lost: 0 } => {
                write!(f, "the store '{}' can be written again, and nothing was lost", store.path().display())
            }
            Notice::Written { store, lost } => {
                write!(
                    f,
                    "the store '{}' can be written again; {lost} positions were lost",
                    store.path().display()
                )
            }
            Notice::Lost { error, lost } => write!(f, "{error}; {lost} positions were not written"),
        }
    }
}

/// Tells what goes wrong.
struct Trouble {
    tell: fn(&Notice),
    /// Whether it was told that the store cannot be read.
    told: AtomicBool,
}

impl Trouble {
    /// What could be read. The first time that this goes wrong is told; of a store that is closed the one who writes tells.
    fn read<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result
            .inspect_err(|error| {
                if !matches!(error, StoreError::Closed(_)) && !self.told.swap(true, Relaxed) {
                    (self.tell)(&Notice::Without(error));
                }
            })
            .ok()
    }
}

impl Thread {
    /// Starts it. What goes wrong later is told to `tell`, and when it is right again.
    pub fn start(store: Store, tell: fn(&Notice)) -> Arc<Thread> {
        let store = Arc::new(store);
        let trouble = Arc::new(Trouble { tell, told: AtomicBool::new(false) });
        let (sender, receiver) = channel();
        let writer = Writer {
            store: store.clone(),
            trouble: trouble.clone(),
            waiting: HashMap::new(),
            lost: 0,
            pause: BETWEEN,
        };
        let handle = std::thread::spawn(move || writer.write_all(&receiver));
        Arc::new(Thread { store, sender: Some(sender), handle: Some(handle), trouble })
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(handle) = self.handle.take() {
            // It does not panic, and there is nobody to tell.
            let _ = handle.join();
        }
    }
}

/// What the thread has in hand.
struct Writer {
    store: Arc<Store>,
    trouble: Arc<Trouble>,
    waiting: HashMap<Place, Record>,
    /// Positions that found no room among those that wait.
    lost: usize,
    pause: Duration,
}

impl Writer {
    /// Writes what comes, once a second, until nobody can send any more. What could not be written is tried again.
    fn write_all(mut self, receiver: &Receiver<Vec<(Place, Record)>>) {
        let mut due = Instant::now() + self.pause;
        loop {
            let received = receiver.recv_timeout(due.saturating_duration_since(Instant::now()));
            let over = matches!(received, Err(RecvTimeoutError::Disconnected));
            let mut done = received.unwrap_or_default().into_iter().try_for_each(|news| self.take(news));
            if over || Instant::now() >= due {
                done = done.and_then(|()| self.write(over));
                due = Instant::now() + self.pause;
            }
            if let Err(error) = done {
                // What it contradicts must be looked at first.
                return (self.trouble.tell)(&Notice::Without(&error));
            }
            if over {
                return;
            }
        }
    }

    /// Takes a record in.
    fn take(&mut self, (place, record): (Place, Record)) -> Result<(), StoreError> {
        let known = self.waiting.get(&place).copied();
        match known.map_or(Some(record), |old| old.and(&record)) {
            Some(_) if known.is_none() && self.waiting.len() >= MOST_WAITING => self.lost += 1,
            Some(whole) => drop(self.waiting.insert(place, whole)),
            // Two searches never contradict each other; if they did, the store says so.
            None => drop(self.store.put(known.map(|old| (place, old)).into_iter().chain([(place, record)]))?),
        }
        Ok(())
    }

    /// Writes what waits. It fails only if that contradicts what is known; otherwise there is another time, unless this is
    /// the `last`.
    fn write(&mut self, last: bool) -> Result<(), StoreError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        match self.store.put(self.waiting.iter().map(|(&place, &record)| (place, record))) {
            Ok(_) => {
                self.waiting.clear();
                if self.pause > BETWEEN {
                    self.pause = BETWEEN;
                    let lost = std::mem::take(&mut self.lost);
                    (self.trouble.tell)(&Notice::Written { store: &self.store, lost });
                    self.trouble.told.store(false, Relaxed);
                }
            }
            Err(error @ StoreError::Clash { .. }) => return Err(error),
            Err(error) if last => {
                (self.trouble.tell)(&Notice::Lost { error: &error, lost: self.waiting.len() + self.lost });
            }
            Err(error) => {
                if self.pause == BETWEEN {
                    (self.trouble.tell)(&Notice::Waiting(&error));
                }
                self.pause = (self.pause * 2).min(LONGEST);
            }
        }
        Ok(())
    }
}

/// The part of a store that the solver of one board uses.
pub struct Keeper {
    board: Board,
    /// Goes before the thread does, which waits until nobody can send any more.
    sender: Mutex<Sender<Vec<(Place, Record)>>>,
    thread: Arc<Thread>,
    rules: u8,
}

impl Keeper {
    /// For the solver of this board, whose positions are filled in by these rules (0 for other than the usual ones).
    pub fn new(thread: &Arc<Thread>, board: Board, rules: u8) -> Keeper {
        let sender = thread.sender.clone().expect("there is a sender until the thread is dropped");
        Keeper { board, thread: thread.clone(), sender: Mutex::new(sender), rules }
    }
}

impl Memory for Keeper {
    fn recall(&self, node: &Node) -> Option<Fact> {
        let (place, _) = Place::of(self.board, node);
        let record = self.thread.trouble.read(self.thread.store.get(&place))??;
        fact(node, &place, &record)
    }

    fn recall_all(&self, tell: &mut dyn FnMut(&Node, Fact)) {
        let told = self.thread.store.each(Some(self.board), &mut |entry| {
            let Some((place, record)) = entry else { return };
            for (node, fact) in facts(&place, &record) {
                tell(&node, fact);
            }
        });
        self.thread.trouble.read(told);
    }

    fn learn(&self, solved: &mut Vec<Solved>) {
        let records = solved.drain(..).map(|solved| entry(self.board, &solved, self.rules)).collect();
        // When the thread has stopped, it has said why.
        let _ = self.sender.lock().send(records);
    }
}
