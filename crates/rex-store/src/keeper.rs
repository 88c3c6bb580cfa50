use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rex::{Board, Player};
use rex_search::bounds::Part;
use rex_search::node::Node;
use rex_search::table::Work;
use rex_search::{Fact, Memory, Solved};

use crate::place::Place;
use crate::record::{Known, Record};
use crate::store::{Store, StoreError};

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
        let (place, symmetry) = Place::of(self.board, node);
        let swaps = symmetry.swaps_colours();
        let there = |player: Player| if swaps { !player } else { player };
        let record = self.thread.trouble.report(self.thread.store.get(&place))??;
        let winner = there(record.known.winner(there(node.last))?);
        let mover = there(node.field(self.board).mover());
        let best = record.best[mover.index()].map(|cell| symmetry.apply_to_cell(self.board, cell));
        Some(Fact { winner: Part::of(winner, node.last), best, work: record.work })
    }

    fn recall_all(&self, tell: &mut dyn FnMut(&Node, Fact)) {
        let told = self.thread.store.each(Some(self.board), &mut |entry| {
            let Some((place, record)) = entry else { return };
            for last in Player::BOTH {
                if let Some(winner) = record.known.winner(last) {
                    let (node, _) = Node::of(&place.field(last));
                    tell(&node, Fact { winner: Part::of(winner, last), best: None, work: record.work });
                }
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

/// What a solved node tells of its place.
fn entry(board: Board, solved: &Solved, rules: u8) -> (Place, Record) {
    let Solved { node, winner, best, nodes } = *solved;
    let (place, symmetry) = Place::of(board, &node);
    let there = |player: Player| if symmetry.swaps_colours() { !player } else { player };
    let mut record = Record {
        known: Known::from_game(there(node.last), there(winner.player(node.last))),
        best: [None; 2],
        work: Work::of(nodes),
        rules,
    };
    let mover = there(node.field(board).mover());
    record.best[mover.index()] = best.map(|cell| symmetry.apply_to_cell(board, cell));
    (place, record)
}
