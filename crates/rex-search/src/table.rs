use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::FromZeros;

use crate::bounds::Bounds;
use crate::node::Key;

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Proof numbers.
    pub bounds: Bounds,
    /// How many nodes were visited below it, roughly: the binary logarithm in half steps.
    pub work: Work,
}

/// An amount of work on a logarithmic scale, small enough for the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Work(u8);

impl Work {
    /// The scale has four steps for each doubling.
    pub fn of(nodes: u64) -> Work {
        let nodes = nodes.max(1);
        let log = nodes.ilog2();
        let fraction = if log >= 2 { nodes >> (log - 2) & 3 } else { nodes << (2 - log) & 3 };
        Work((log as u8) << 2 | fraction as u8)
    }

    /// The step, for files.
    pub fn step(self) -> u8 {
        self.0
    }

    /// The work of a step.
    pub fn at_step(step: u8) -> Work {
        Work(step)
    }

    /// The number of nodes at the lower end of this step.
    pub fn nodes(self) -> u64 {
        let (log, fraction) = (u32::from(self.0 >> 2), u64::from(self.0 & 3));
        if log >= 2 { (4 + fraction) << (log - 2) } else { (4 + fraction) << log >> 2 }
    }
}

/// A transposition table that any number of threads read and write without locks.
///
/// A slot is two words: the data, and the check of its key XORed with the data. Words are read and written
/// one by one, so a slot can hold halves of two writes; then the XOR does not give back the check of the key
/// that is looked up, and the slot counts as empty. (For a false match, two different data words would have
/// to differ by exactly the difference of two checks.) A slot of zeros is empty: no entry has zero data.
pub struct Table {
    /// A few more than are used, so that clusters can begin at a cache line. (Slots that are aligned by their
    /// type would be zeroed at once, and not page by page as they come into use.)
    slots: Box<[Slot]>,
    first: usize,
    /// What is left of a place in a small part at the beginning, in a larger one, and in the whole. An entry goes where
    /// there is room first. Fresh memory costs more than anything else about a table: without the small parts the system
    /// would make a page for nearly every entry of a short search.
    masks: [u64; 3],
}

/// The small parts, in clusters: 4 MiB and 64 MiB.
const SMALL: u64 = 1 << 16;
const MIDDLE: u64 = 1 << 20;

/// Slots that are looked through together: one cache line.
const CLUSTER: usize = 4;
const CACHE_LINE: usize = 64;

#[repr(C)]
#[derive(FromZeros, Default)]
struct Slot<W = AtomicU64> {
    check: W,
    data: W,
}

const _: () = assert!(size_of::<Slot>() * CLUSTER == CACHE_LINE);

/// A word that several threads read and write; the schedule explorer in the tests brings its own.
trait Word {
    fn read(&self) -> u64;
    fn write(&self, value: u64);
}

impl Word for AtomicU64 {
    fn read(&self) -> u64 {
        self.load(Relaxed)
    }

    fn write(&self, value: u64) {
        self.store(value, Relaxed);
    }
}

/// The fewest clusters: [`Key`] relies on 9 bits of the place.
const FEWEST: u64 = 512;

impl Table {
    /// A table of at most so many bytes (and at least 32 KiB).
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(bytes: u64) -> Result<Table, TableError> {
        let wanted = (bytes / CACHE_LINE as u64).max(FEWEST);
        let count = 1u64 << wanted.ilog2();
        let slots = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(CLUSTER)?.checked_add(CLUSTER))
            .and_then(|count| <[Slot]>::new_box_zeroed_with_elems(count).ok())
            .ok_or(TableError { bytes })?;
        // Without alignment it would only be slower.
        let first = slots.as_ptr().align_offset(CACHE_LINE).min(CLUSTER);
        Ok(Table { slots, first, masks: [SMALL, MIDDLE, count].map(|part| part.min(count) - 1) })
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        size_of_val::<[Slot]>(&self.slots) as u64
    }

    /// Looks a position up.
    pub fn get(&self, key: Key) -> Option<Entry> {
        for mask in self.masks {
            match find(self.cluster(key, mask), key.check) {
                Find::Entry(entry) => return Some(entry),
                // It would have been put here.
                Find::Room => return None,
                Find::Full => {}
            }
        }
        None
    }

    /// Keeps an entry. Another one may have to go: an unsolved one with little work below it rather than a
    /// solved one, but always one of the four, so that the table takes in what is new even where it is full
    /// of solved positions.
    pub fn put(&self, key: Key, entry: Entry) {
        let [small, middle, whole] = self.masks;
        for mask in [small, middle] {
            if !matches!(find(self.cluster(key, mask), key.check), Find::Full) {
                return keep(self.cluster(key, mask), key.check, entry);
            }
        }
        keep(self.cluster(key, whole), key.check, entry);
    }

    /// The share of slots in use, in thousandths, from a sample.
    pub fn fill_permille(&self) -> u32 {
        let clusters = self.slots[self.first..].chunks_exact(CLUSTER);
        let sample = clusters.step_by(((self.mask() + 1) / FEWEST) as usize).take(FEWEST as usize);
        let used = sample.flatten().filter(|slot| slot.data.read() != 0).count();
        (used * 1000 / (CLUSTER * FEWEST as usize)) as u32
    }

    /// The number of clusters less one.
    fn mask(&self) -> u64 {
        self.masks[2]
    }

    fn cluster(&self, key: Key, mask: u64) -> &[Slot] {
        &self.slots[self.first + (key.place & mask) as usize * CLUSTER..][..CLUSTER]
    }
}

/// There is not so much memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {bytes} bytes; try a smaller --memory")]
pub struct TableError {
    bytes: u64,
}

/// What a look into a cluster finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Find {
    Entry(Entry),
    /// No entry, but room for one. Slots are taken in order and never given back.
    Room,
    Full,
}

#[cfg(test)]
impl Find {
    fn entry(self) -> Option<Entry> {
        if let Find::Entry(entry) = self { Some(entry) } else { None }
    }
}

/// Looks for this check in a cluster.
#[inline]
fn find<W: Word>(slots: &[Slot<W>], check: u64) -> Find {
    for slot in slots {
        let data = slot.data.read();
        if data == 0 {
            return Find::Room;
        }
        if slot.check.read() ^ data == check {
            return Find::Entry(unpack(data));
        }
    }
    Find::Full
}

/// Puts an entry into a cluster: in place of what is known of the same position, in an empty slot, or in place of
/// what is worth least.
///
/// Two threads that put different positions at the same time may take the same slot. Then one of the entries is
/// lost, or both when the writes cross; that costs work and no more. What lies in other slots stays.
#[inline]
fn keep<W: Word>(slots: &[Slot<W>], check: u64, entry: Entry) {
    let data = pack(entry);
    let mut victim = (u32::MAX, &slots[0]);
    for slot in slots {
        let old = slot.data.read();
        let rank = if old == 0 || slot.check.read() ^ old == check { 0 } else { 1 + worth(old) };
        if rank < victim.0 {
            victim = (rank, slot);
            if rank == 0 && old != 0 {
                // Another thread may have solved it meanwhile.
                if unpack(old).bounds.winner().is_some() && entry.bounds.winner().is_none() {
                    return;
                }
                break;
            }
        }
    }
    let (_, slot) = victim;
    slot.data.write(data);
    slot.check.write(check ^ data);
}

fn pack(entry: Entry) -> u64 {
    let Entry { bounds, work } = entry;
    u64::from(bounds.last) | u64::from(bounds.notlast) << 24 | u64::from(work.0) << 48
}

fn unpack(data: u64) -> Entry {
    let part = |shift: u32, bits: u32| data >> shift & ((1 << bits) - 1);
    Entry {
        bounds: Bounds { last: part(0, 24) as u32, notlast: part(24, 24) as u32 },
        work: Work(part(48, 8) as u8),
    }
}

/// How much an entry deserves to stay: its work, and twice eight doublings more when it is solved.
fn worth(data: u64) -> u32 {
    let entry = unpack(data);
    u32::from(entry.work.0) + if entry.bounds.winner().is_some() { 32 } else { 0 }
}

mod checkpoint;

pub use checkpoint::CheckpointError;

#[cfg(test)]
mod model;

#[cfg(test)]
mod tests;
