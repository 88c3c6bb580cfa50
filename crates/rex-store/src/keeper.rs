use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rex_game::Board;
use rex_search::{Memory, Node, Solved};

use crate::place::Place;
use crate::record::Record;
use crate::store::{Store, StoreError};
use crate::translate::{record_of, solved_node, solved_nodes};

/// The time between two writes. A killed process loses at most this much.
const BETWEEN: Duration = Duration::from_secs(1);
/// After each failed write the pause doubles, up to this.
const LONGEST: Duration = Duration::from_secs(32);
/// The most positions kept in memory while the store cannot be written: about 100 MB.
const MOST_WAITING: usize = 1 << 20;

/// A store, and a thread that writes to it once a second, and what is left when the last handle is dropped.
pub struct Thread {
    store: Arc<Store>,
    sender: Option<Sender<Vec<(Place, Record)>>>,
    handle: Option<JoinHandle<()>>,
    trouble: Arc<Trouble>,
}

/// A message for whoever started the thread; it can be printed as it is.
pub enum Notice<'a> {
    /// The search goes on without the store.
    Without(&'a StoreError),
    /// The store cannot be written, perhaps because the disk is full. New results are kept in memory.
    Waiting(&'a StoreError),
    /// The store can be written again.
    Written {
        /// The store.
        store: &'a Store,
        /// Positions lost because too many were waiting.
        lost: usize,
    },
    /// The program ends while the store still cannot be written.
    Lost {
        /// What went wrong.
        error: &'a StoreError,
        /// Positions that were not written.
        lost: usize,
    },
}

impl fmt::Display for Notice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Notice::Without(error) => write!(f, "{error}; continuing without it"),
            Notice::Waiting(error) => write!(f, "{error}; will try again, keeping new results in memory"),
            Notice::Written { store, lost } => {
                let lost =
                    if *lost == 0 { "nothing was".to_owned() } else { format!("{lost} positions were") };
                write!(f, "the store '{}' can be written again; {lost} lost", store.path().display())
            }
            Notice::Lost { error, lost } => write!(f, "{error}; {lost} positions were not written"),
        }
    }
}

/// Reports problems.
struct Trouble {
    tell: fn(&Notice),
    /// Whether a read error has been reported.
    told: AtomicBool,
}

impl Trouble {
    /// What was read, if that worked. Reports the first read error only; the writer reports a closed store.
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
    /// Starts the thread. It calls `tell` when something goes wrong later, and when it works again.
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
            // The thread does not panic, and there is nobody to report it to.
            let _ = handle.join();
        }
    }
}

/// What the thread still has to write.
struct Writer {
    store: Arc<Store>,
    trouble: Arc<Trouble>,
    waiting: HashMap<Place, Record>,
    /// Positions dropped because too many were waiting.
    lost: usize,
    pause: Duration,
}

impl Writer {
    /// Writes what arrives, once a second, until all senders are gone. Retries failed writes.
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
                // The contradiction must be resolved first.
                return (self.trouble.tell)(&Notice::Without(&error));
            }
            if over {
                return;
            }
        }
    }

    /// Adds a record.
    fn take(&mut self, (place, record): (Place, Record)) -> Result<(), StoreError> {
        let known = self.waiting.get(&place).copied();
        match known.map_or(Some(record), |old| old.and(&record)) {
            Some(_) if known.is_none() && self.waiting.len() >= MOST_WAITING => self.lost += 1,
            Some(whole) => drop(self.waiting.insert(place, whole)),
            // Searches should never contradict each other. If they do, the store reports it.
            None => drop(self.store.put(known.map(|old| (place, old)).into_iter().chain([(place, record)]))?),
        }
        Ok(())
    }

    /// Writes what is waiting. Fails only on a contradiction. After other errors it tries again, unless `last`.
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
    /// Dropped before the thread, which waits until all senders are gone.
    sender: Mutex<Sender<Vec<(Place, Record)>>>,
    thread: Arc<Thread>,
    rules: u8,
}

impl Keeper {
    /// For a solver of this board. `rules` is the version of its fill-in rules, 0 if they are not the default ones.
    pub fn new(thread: &Arc<Thread>, board: Board, rules: u8) -> Keeper {
        let sender = thread.sender.clone().expect("there is a sender until the thread is dropped");
        Keeper { board, thread: thread.clone(), sender: Mutex::new(sender), rules }
    }
}

impl Memory for Keeper {
    fn recall(&self, node: &Node) -> Option<Solved> {
        let (place, _) = Place::of(self.board, node);
        let record = self.thread.trouble.read(self.thread.store.get(&place))??;
        solved_node(node, &place, &record)
    }

    fn recall_all(&self, each: &mut dyn FnMut(Solved)) {
        let told = self.thread.store.each(Some(self.board), &mut |entry| {
            let Some((place, record)) = entry else { return };
            solved_nodes(&place, &record).for_each(&mut *each);
        });
        self.thread.trouble.read(told);
    }

    fn learn(&self, solved: &mut Vec<Solved>) {
        let records = solved.drain(..).map(|solved| record_of(self.board, &solved, self.rules)).collect();
        // If the thread has stopped, it has reported why.
        let _ = self.sender.lock().send(records);
    }
}
