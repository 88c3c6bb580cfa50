//! The transposition table: what the search knows of positions, in a fixed amount of memory. An entry is two proof
//! numbers and the work behind them. `key.rs` says where it goes, `saved.rs` writes all entries to a file.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rex_game::CellSet;
use zerocopy::FromZeros;

use crate::known::Entry;

mod key;

pub(crate) use key::{Key, spread};

use key::ADDRESS_BITS;

/// A transposition table that any number of threads read and write without locks.
///
/// A slot is two words: the data, and the key's check XORed with the data. Words are read and written one at a time, so
/// a slot can hold halves of two writes. Then the XOR does not give the check of the key being looked up, and the slot
/// counts as empty. (For a false match, two data words would have to differ by exactly the difference of two checks.) A
/// slot of zeros is empty: no entry has zero data.
pub struct Table {
    shelves: Shelves,
    /// The small shelves.
    small: Slots,
    /// The last shelf, once it is needed: nothing if there was no memory for it then.
    rest: OnceLock<Option<Slots>>,
}

/// Memory for clusters, all empty at first.
struct Slots {
    /// A few more than are used, so that clusters can start at a cache line. (Slots aligned by their type would be
    /// zeroed at once, not page by page as they come into use.)
    slots: Box<[Slot]>,
    first: usize,
    /// A bit for each cluster that has entries. A large table that is nearly empty has them all over its memory, and to save it
    /// only those need to be read.
    used: Box<[AtomicU64]>,
}

impl Slots {
    /// Memory for this many clusters, if there is enough.
    fn new(clusters: u64) -> Option<Slots> {
        let count = usize::try_from(clusters).ok()?.checked_mul(CLUSTER)?;
        let room = if count == 0 { 0 } else { count.checked_add(CLUSTER)? };
        let slots = <[Slot]>::new_box_zeroed_with_elems(room).ok()?;
        // If it is not aligned it is just slower.
        let first = slots.as_ptr().align_offset(CACHE_LINE).min(CLUSTER);
        let used = <[AtomicU64]>::new_box_zeroed_with_elems(count.div_ceil(CLUSTER * WORD)).ok()?;
        Some(Slots { slots, first, used })
    }

    /// Notes that a cluster is about to get an entry. Its slots are filled in order, so the first one tells whether it has any.
    fn mark_used(&self, cluster: u64) {
        if self.cluster(cluster)[0].data.read() == 0 {
            self.used[cluster as usize / WORD].fetch_or(1 << (cluster % WORD as u64), Relaxed);
        }
    }

    /// The clusters that have entries.
    fn used(&self) -> impl Iterator<Item = u64> {
        self.used.iter().zip(0u64..).flat_map(|(word, number)| {
            CellSet::from_bits(word.load(Relaxed))
                .into_iter()
                .map(move |bit| WORD as u64 * number + bit.index() as u64)
        })
    }

    fn cluster(&self, cluster: u64) -> &[Slot] {
        &self.slots[self.first + cluster as usize * CLUSTER..][..CLUSTER]
    }
}

/// How a table is divided: a small shelf, a larger one, then the rest. An entry goes to the first that has room. Fresh
/// memory costs more than anything else about a table: without the small shelves, nearly every entry of a short search
/// would need a new page from the system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shelves([Shelf; 3]);

/// Adjacent clusters, in groups of [`GROUP`]. An empty shelf is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shelf {
    start: u64,
    groups: u64,
}

/// The small shelves, in clusters: 256 KiB and 16 MiB. A table has one only if it is at least four times as large.
const SMALL: u64 = 1 << 12;
const MIDDLE: u64 = 1 << 18;
/// Clusters per group. The low bits of the address select the cluster within its group; [`Key`] relies on that.
const GROUP: u64 = 1 << ADDRESS_BITS;

impl Shelves {
    /// The shelves of a table of this many clusters.
    fn new(clusters: u64) -> Shelves {
        let groups = (clusters / GROUP).max(1);
        let small = |size: u64| if groups >= 4 * (size / GROUP) { size / GROUP } else { 0 };
        let (first, second) = (small(SMALL), small(MIDDLE));
        let shelf = |start: u64, groups: u64| Shelf { start: start * GROUP, groups };
        Shelves([shelf(0, first), shelf(first, second), shelf(first + second, groups - first - second)])
    }

    fn clusters(&self) -> u64 {
        self.0.iter().map(Shelf::clusters).sum()
    }

    fn last(&self) -> &Shelf {
        &self.0[2]
    }

    /// The shelves that are not empty.
    fn iter(&self) -> impl Iterator<Item = &Shelf> {
        self.0.iter().filter(|shelf| shelf.groups > 0)
    }
}

impl Shelf {
    fn clusters(&self) -> u64 {
        self.groups * GROUP
    }

    /// The cluster of an address: the low bits select it within its group, the others select the group. The number of
    /// groups need not be a power of two.
    fn cluster(&self, address: u64) -> u64 {
        let group = (u128::from(address >> ADDRESS_BITS) * u128::from(self.groups)) >> (64 - ADDRESS_BITS);
        self.start + group as u64 * GROUP + address % GROUP
    }
}

/// Slots that are searched together: one cache line.
const CLUSTER: usize = 4;
const CACHE_LINE: usize = 64;
/// Bits of a word.
const WORD: usize = 64;

#[repr(C)]
#[derive(FromZeros, Default)]
struct Slot<W = AtomicU64> {
    check: W,
    data: W,
}

const _: () = assert!(size_of::<Slot>() * CLUSTER == CACHE_LINE);

/// A word that several threads read and write. The schedule explorer in the tests brings its own.
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

impl Table {
    /// The size of the smallest table.
    pub const LEAST: u64 = GROUP * CACHE_LINE as u64;

    /// A table of at most this many bytes (and at least [`Table::LEAST`]).
    ///
    /// In a browser all of the memory is written when it is given out. So there the last shelf is made when an entry first
    /// needs it, which most searches never do. Should there be no memory for it then, the table stays as it is.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(bytes: u64) -> Result<Table, TableError> {
        let table = Table::growing(bytes)?;
        if !cfg!(target_family = "wasm") && table.rest().is_none() {
            return Err(TableError { bytes });
        }
        Ok(table)
    }

    /// A table that makes its last shelf when that is needed, if there are others before it.
    fn growing(bytes: u64) -> Result<Table, TableError> {
        let shelves = Shelves::new(bytes / CACHE_LINE as u64);
        let small = Slots::new(shelves.last().start).ok_or(TableError { bytes })?;
        let table = Table { shelves, small, rest: OnceLock::new() };
        if shelves.last().start == 0 && table.rest().is_none() {
            return Err(TableError { bytes });
        }
        Ok(table)
    }

    /// The last shelf, which is made now if it was not there. `None` if there is no memory for it.
    fn rest(&self) -> Option<&Slots> {
        self.rest.get_or_init(|| Slots::new(self.shelves.last().clusters())).as_ref()
    }

    /// Its size in bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        let bytes = |slots: &Slots| size_of_val::<[Slot]>(&slots.slots) as u64;
        bytes(&self.small) + self.rest.get().and_then(Option::as_ref).map_or(0, bytes)
    }

    /// Looks up a position.
    pub fn get(&self, key: Key) -> Option<Entry> {
        for shelf in self.shelves.iter() {
            match find(self.cluster(shelf.cluster(key.address)), key.check) {
                Find::Entry(entry) => return Some(entry),
                // An entry would be here.
                Find::Free => return None,
                Find::Full => {}
            }
        }
        None
    }

    /// Stores an entry. Where its cluster is full it replaces another one, preferably an unsolved one with little work
    /// below it. If all four are worth more than the new one it still replaces one, so that the table goes on taking in
    /// new positions.
    pub fn put(&self, key: Key, entry: Entry) {
        let mut place = None;
        for shelf in self.shelves.iter() {
            let cluster = shelf.cluster(key.address);
            let Some(slots) = self.slots(cluster, || self.rest()) else { break };
            place = Some(slots);
            if !matches!(find(slots.0.cluster(slots.1), key.check), Find::Full) {
                break;
            }
        }
        let (slots, cluster) = place.expect("the first shelf is always there");
        slots.mark_used(cluster);
        keep(slots.cluster(cluster), key.check, entry);
    }

    /// The share of slots in use, in thousandths, from a sample.
    pub fn fill_permille(&self) -> u32 {
        let sample = (0..self.shelves.clusters()).step_by((self.shelves.clusters() / GROUP) as usize);
        let slots = sample.flat_map(|cluster| self.cluster(cluster));
        let used = slots.filter(|slot| slot.data.read() != 0).count();
        (used * 1000 / (CLUSTER * GROUP as usize)) as u32
    }

    /// The memory that a cluster is in, and its number there. None if it is in the last shelf, and `rest` has none.
    fn slots<'a>(
        &'a self,
        cluster: u64,
        rest: impl FnOnce() -> Option<&'a Slots>,
    ) -> Option<(&'a Slots, u64)> {
        match cluster.checked_sub(self.shelves.last().start) {
            None => Some((&self.small, cluster)),
            Some(cluster) => rest().map(|rest| (rest, cluster)),
        }
    }

    /// The last shelf, if it is there by now.
    fn rest_so_far(&self) -> Option<&Slots> {
        self.rest.get().and_then(Option::as_ref)
    }

    /// The slots of a cluster. None if its shelf is not there yet.
    fn cluster(&self, cluster: u64) -> &[Slot] {
        self.slots(cluster, || self.rest_so_far()).map_or(&[], |(slots, cluster)| slots.cluster(cluster))
    }
}

/// Not enough memory for the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {bytes} bytes")]
pub struct TableError {
    pub(crate) bytes: u64,
}

/// What a cluster has for a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Find {
    Entry(Entry),
    /// No entry, but a free slot. Slots are filled in order and never freed.
    Free,
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
            return Find::Free;
        }
        if slot.check.read() ^ data == check {
            return Find::Entry(Entry::of_word(data));
        }
    }
    Find::Full
}

/// Puts an entry into a cluster: over an older entry of the same position, into an empty slot, or over the entry that
/// is worth least.
///
/// Two threads that store different positions at the same time may take the same slot. Then one entry is lost, or both
/// if the writes cross. That costs work, nothing else. Other slots are not affected.
#[inline]
fn keep<W: Word>(slots: &[Slot<W>], check: u64, entry: Entry) {
    let data = entry.word();
    let mut victim = (u32::MAX, &slots[0]);
    for slot in slots {
        let old = slot.data.read();
        let rank = if old == 0 || slot.check.read() ^ old == check { 0 } else { 1 + worth(old) };
        if rank < victim.0 {
            victim = (rank, slot);
            if rank == 0 && old != 0 {
                // Another thread may have solved it in the meantime.
                if Entry::of_word(old).bounds.winner().is_some() && entry.bounds.winner().is_none() {
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

/// How much an entry is worth keeping: its work, plus eight doublings if it is solved.
fn worth(data: u64) -> u32 {
    let entry = Entry::of_word(data);
    u32::from(entry.work.step()) + if entry.bounds.winner().is_some() { 32 } else { 0 }
}

mod saved;

#[cfg(test)]
mod model;

#[cfg(test)]
mod tests;
