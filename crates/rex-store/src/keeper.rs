use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rex::Board;
use rex_search::node::Node;
use rex_search::{Fact, Memory, Solved};

use crate::place::Place;
use crate::record::Record;
use crate::store::{Store, StoreError};
use crate::translate::{entry, fact, facts};

/// Between two writes: what a killed process loses.
const BETWEEN: Duration = Duration::from_secs(1);

/// A thread that writes to a store beside the search, once a second, and the store. It ends, with all written, when
/// the last who holds it lets go.
pub struct Thread {
    store: Arc<Store>,
    sender: Option<Sender<Vec<(Place, Record)>>>,
    handle: Option<JoinHandle<()>>,
    trouble: Arc<Trouble>,
}

/// Tells what goes wrong first. The search goes on without the store then.
struct Trouble {
    tell: fn(&StoreError),
    told: AtomicBool,
}

impl Trouble {
    fn report<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result
            .inspect_err(|error| {
                if !self.told.swap(true, Relaxed) {
                    (self.tell)(error);
                }
            })
            .ok()
    }
}

impl Thread {
    /// Starts it. The first thing that goes wrong later is told to `tell`.
    pub fn start(store: Store, tell: fn(&StoreError)) -> Arc<Thread> {
        let store = Arc::new(store);
        let trouble = Arc::new(Trouble { tell, told: AtomicBool::new(false) });
        let (sender, receiver) = channel();
        let (its_store, its_trouble) = (store.clone(), trouble.clone());
        let handle = std::thread::spawn(move || {
            its_trouble.report(write_all(&its_store, &receiver));
        });
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

/// Writes what comes, once a second, until nobody can send any more.
fn write_all(store: &Store, receiver: &Receiver<Vec<(Place, Record)>>) -> Result<(), StoreError> {
    let mut waiting: HashMap<Place, Record> = HashMap::new();
    let mut due = Instant::now() + BETWEEN;
    loop {
        let patience = due.saturating_duration_since(Instant::now());
        let received = receiver.recv_timeout(patience);
        let over = matches!(received, Err(RecvTimeoutError::Disconnected));
        for (place, record) in received.unwrap_or_default() {
            match waiting.get(&place).copied() {
                // Two searches never contradict each other; if they did, the store would say so.
                Some(old) if old.and(&record).is_none() => {
                    store.put([(place, old), (place, record)])?;
                }
                Some(old) => {
                    waiting.insert(place, old.and(&record).unwrap_or(record));
                }
                None => {
                    waiting.insert(place, record);
                }
            }
        }
        if over || Instant::now() >= due {
            if !waiting.is_empty() {
                store.put(waiting.drain())?;
            }
            due = Instant::now() + BETWEEN;
        }
        if over {
            return Ok(());
        }
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
        let record = self.thread.trouble.report(self.thread.store.get(&place))??;
        fact(node, &place, &record)
    }

    fn recall_all(&self, tell: &mut dyn FnMut(&Node, Fact)) {
        let told = self.thread.store.each(Some(self.board), &mut |entry| {
            let Some((place, record)) = entry else { return };
            for (node, fact) in facts(&place, &record) {
                tell(&node, fact);
            }
        });
        self.thread.trouble.report(told);
    }

    fn learn(&self, solved: &mut Vec<Solved>) {
        let records = solved.drain(..).map(|solved| entry(self.board, &solved, self.rules)).collect();
        // When the thread has stopped, it has said why.
        let _ = self.sender.lock().unwrap_or_else(PoisonError::into_inner).send(records);
    }
}
