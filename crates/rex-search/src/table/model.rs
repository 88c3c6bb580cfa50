//! Clusters under a schedule explorer, which runs the threads in every order of reads and writes.
//!
//! All traffic between threads goes through `find` and `keep`, so the models need no table, only a few slots made
//! of the explorer's words. The explorer does not model relaxed memory, but that would add nothing: a slot holds
//! one of the data words and one of the check words written to it, and the schedules reach every pair of them (see
//! also `halves_of_two_writes_are_never_an_entry`).

use std::collections::BTreeSet;
use std::sync::Mutex;

use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicU64, Ordering::SeqCst};
use shuttle::thread;

use super::{Slot, Word, find, keep};
use crate::known::{Bounds, Entry, Part, Work};

impl Word for AtomicU64 {
    fn read(&self) -> u64 {
        self.load(SeqCst)
    }

    fn write(&self, value: u64) {
        self.store(value, SeqCst);
    }
}

type Slots = Arc<Vec<Slot<AtomicU64>>>;

fn slots(count: usize) -> Slots {
    Arc::new((0..count).map(|_| Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) }).collect())
}

const A: u64 = 0x0123_4567_89ab_cdef;
const B: u64 = 0xfedc_ba98_7654_3210;
const C: u64 = 0x0f1e_2d3c_4b5a_6978;

fn open(last: u64, notlast: u64) -> Entry {
    Entry { bounds: Bounds { last, notlast }, work: Work::of(1) }
}

fn solved(winner: Part) -> Entry {
    Entry { bounds: Bounds::won_by(winner), work: Work::of(1000) }
}

/// Runs `model` under all schedules and returns everything it reported.
fn all_schedules<T: Ord + Send + 'static>(model: impl Fn(&dyn Fn(T)) + Send + Sync + 'static) -> BTreeSet<T> {
    let seen = std::sync::Arc::new(Mutex::new((0, BTreeSet::new())));
    let sink = seen.clone();
    let run = move || {
        sink.lock().unwrap().0 += 1;
        model(&|value| _ = sink.lock().unwrap().1.insert(value));
    };
    shuttle::check_dfs(run, None);
    let (runs, reports) = std::mem::take(&mut *seen.lock().unwrap());
    println!("{runs} schedules");
    reports
}

fn put(slots: &Slots, check: u64, entry: Entry) -> thread::JoinHandle<()> {
    let slots = slots.clone();
    thread::spawn(move || keep(&slots, check, entry))
}

fn entry_of(slots: &Slots, check: u64) -> Option<Entry> {
    find(slots, check).entry()
}

#[test]
fn positions_that_fight_for_a_slot_are_never_mixed() {
    // The entries differ in every part.
    let (a, b) = (open(1 << 40, 7), solved(Part::Last));
    let seen = all_schedules(move |report| {
        let slots = slots(1);
        let writers = [put(&slots, A, a), put(&slots, B, b)];
        assert!(entry_of(&slots, A).is_none_or(|entry| entry == a));
        assert!(entry_of(&slots, B).is_none_or(|entry| entry == b));
        for writer in writers {
            writer.join().unwrap();
        }
        let (found_a, found_b) = (entry_of(&slots, A), entry_of(&slots, B));
        assert!(found_a.is_none_or(|entry| entry == a));
        assert!(found_b.is_none_or(|entry| entry == b));
        report((found_a.is_some(), found_b.is_some()));
    });
    // Either may win. If the writes cross, the slot is torn and counts as empty.
    assert_eq!(seen, BTreeSet::from([(false, false), (false, true), (true, false)]));
}

#[test]
fn entries_of_one_position_are_never_mixed() {
    let all = [open(1, 1), open(5, 3), solved(Part::Notlast)];
    let seen = all_schedules(move |report| {
        let slots = slots(1);
        keep(&slots, A, all[0]);
        let writers = [put(&slots, A, all[1]), put(&slots, A, all[2])];
        let found = entry_of(&slots, A);
        assert!(found.is_none_or(|entry| all.contains(&entry)));
        report(found.and_then(|entry| all.iter().position(|&other| other == entry)));
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(entry_of(&slots, A).is_none_or(|entry| all[1..].contains(&entry)));
    });
    assert_eq!(seen, BTreeSet::from([None, Some(0), Some(1), Some(2)]));
}

#[test]
fn what_is_kept_stays_while_there_is_room() {
    let (a, b, c) = (open(2, 7), open(3, 9), open(1, 4));
    let seen = all_schedules(move |report| {
        let slots = slots(3);
        keep(&slots, C, c);
        let writers = [put(&slots, A, a), put(&slots, B, b)];
        for writer in writers {
            writer.join().unwrap();
        }
        assert_eq!(entry_of(&slots, C), Some(c));
        report((entry_of(&slots, A).is_some(), entry_of(&slots, B).is_some()));
    });
    // Both find room, unless they pick the same slot at the same time.
    assert!(seen.contains(&(true, true)) && seen.contains(&(false, false)));
}

#[test]
fn one_writer_loses_nothing_while_there_is_room() {
    let (a, b) = (open(2, 7), solved(Part::Last));
    let seen = all_schedules(move |report| {
        let slots = slots(2);
        let writer = {
            let slots = slots.clone();
            thread::spawn(move || {
                keep(&slots, A, a);
                keep(&slots, B, b);
            })
        };
        let (found_a, found_b) = (entry_of(&slots, A), entry_of(&slots, B));
        assert!(found_a.is_none_or(|entry| entry == a));
        assert!(found_b.is_none_or(|entry| entry == b));
        report((found_a.is_some(), found_b.is_some()));
        writer.join().unwrap();
        assert_eq!((entry_of(&slots, A), entry_of(&slots, B)), (Some(a), Some(b)));
    });
    assert_eq!(seen.len(), 4);
}

/// The models can fail: if slots store the check without XORing it with the data, positions do get mixed up.
#[test]
#[should_panic(expected = "mixed")]
fn a_slot_without_the_xor_would_mix_positions_up() {
    all_schedules::<()>(|_| {
        let words = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
        let writers = [(A, 1), (B, 2)].map(|(check, data)| {
            let words = words.clone();
            thread::spawn(move || {
                words.1.write(data);
                words.0.write(check);
            })
        });
        let data = words.1.read();
        assert!(words.0.read() != A || data == 1, "mixed");
        for writer in writers {
            writer.join().unwrap();
        }
    });
}
