use proptest::prelude::*;

use super::*;
use crate::known::{Bounds, INFINITE, Part, Work};

/// A key of the first cluster.
fn key(check: u64) -> Key {
    Key { address: 0, check }
}

fn open(nodes: u64) -> Entry {
    Entry { bounds: Bounds { last: 3, notlast: 5 }, work: Work::of(nodes) }
}

fn solved(nodes: u64) -> Entry {
    Entry { bounds: Bounds::won_by(Part::Last), work: Work::of(nodes) }
}

/// The smallest table, with these entries under the checks 1, 2, ….
fn table(entries: &[Entry]) -> Table {
    let table = Table::new(0).unwrap();
    for (check, &entry) in (1..).zip(entries) {
        table.put(key(check), entry);
    }
    table
}

fn present(table: &Table, checks: impl IntoIterator<Item = u64>) -> Vec<u64> {
    checks.into_iter().filter(|&check| table.get(key(check)).is_some()).collect()
}

#[test]
fn an_empty_table_knows_nothing() {
    let table = table(&[]);
    assert_eq!(table.get(key(0)), None);
    assert_eq!(table.get(key(1)), None);
    assert_eq!(table.fill_permille(), 0);
    assert!(table.bytes() >= 32 << 10);
}

#[test]
fn a_cluster_holds_four_positions_and_forgets_none_of_them() {
    let entries = [open(1), solved(1), open(1000), solved(1 << 40)];
    let table = table(&entries);
    for (check, entry) in (1..).zip(entries) {
        assert_eq!(table.get(key(check)), Some(entry));
    }
    assert_eq!(present(&table, 5..9), []);
}

#[test]
fn a_position_takes_the_place_it_has() {
    let table = table(&[open(1), open(2), open(4), open(8)]);
    table.put(key(2), solved(16));
    assert_eq!(table.get(key(2)), Some(solved(16)));
    assert_eq!(present(&table, 1..5), [1, 2, 3, 4]);
}

#[test]
fn the_unsolved_position_with_least_work_goes_first() {
    for (entries, gone) in [
        ([solved(8), open(8), solved(8), open(16)], 2),
        ([open(100), open(50), open(20), open(200)], 3),
        ([solved(1), open(10), solved(1), solved(1)], 2),
        // Eight doublings of work weigh as much as being solved.
        ([solved(1), open(1 << 9), solved(1000), solved(1000)], 1),
    ] {
        let table = table(&entries);
        table.put(key(9), open(1));
        let left: Vec<u64> = (1..5).filter(|&check| check != gone).collect();
        assert_eq!(present(&table, 1..5), left, "{entries:?}");
        assert_eq!(table.get(key(9)), Some(open(1)));
    }
}

#[test]
fn a_cluster_full_of_solved_positions_takes_a_new_one_in() {
    let table = table(&[solved(1 << 30); 4]);
    for check in 10..100 {
        table.put(key(check), open(1));
        assert_eq!(table.get(key(check)), Some(open(1)));
        // The newcomers replace each other, not the solved ones.
        assert_eq!(present(&table, 1..5).len(), 3);
    }
}

#[test]
fn clusters_do_not_share_positions() {
    let table = table(&[]);
    for address in 0..GROUP {
        table.put(Key { address, check: 7 }, open(address + 1));
    }
    for address in 0..GROUP {
        assert_eq!(table.get(Key { address, check: 7 }), Some(open(address + 1)));
    }
    assert_eq!(table.fill_permille(), 250);
}

/// Positions of one cluster of the small shelf: four stay there, the fifth goes to the middle shelf, the ninth to the
/// rest, where only its own cluster has to give way.
#[test]
fn a_full_cluster_passes_on_what_is_new() {
    let table = Table::new(256 << 20).unwrap();
    let address = 0x9e37_79b9_7f4a_7c15;
    let key = |check| Key { address, check };
    for check in 1..=12 {
        table.put(key(check), open(check));
        table.put(key(check), solved(check));
    }
    for check in 1..=12 {
        assert_eq!(table.get(key(check)), Some(solved(check)));
    }
    let in_cluster = |shelf: Shelf| {
        table.cluster(shelf.cluster(address)).iter().filter(|slot| slot.data.read() != 0).count()
    };
    assert_eq!(table.shelves.0.map(in_cluster), [4, 4, 4]);
    table.put(key(13), open(1));
    let left = (1..=12).filter(|&check| table.get(key(check)).is_some());
    assert_eq!(left.collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12]);
    assert_eq!(table.get(Key { address: address + 1, check: 20 }), None);
}

/// The large shelf of a growing table comes with the first entry that needs it; until then its entries are not missed.
#[test]
fn a_growing_table_grows_when_it_must() {
    let (growing, whole) = (Table::growing(256 << 20).unwrap(), Table::new(256 << 20).unwrap());
    let small = growing.bytes();
    assert!(small < 20 << 20 && growing.rest.get().is_none());
    let key = |check| Key { address: 0x9e37_79b9_7f4a_7c15, check };
    for check in 1..=14 {
        assert_eq!(growing.rest.get().is_some(), check > 9);
        assert_eq!(growing.get(key(check)), None);
        for table in [&growing, &whole] {
            table.put(key(check), solved(check));
        }
        for earlier in 1..=check {
            assert_eq!(growing.get(key(earlier)), whole.get(key(earlier)));
        }
    }
    assert_eq!(growing.bytes(), whole.bytes());
    assert_eq!(growing.fill_permille(), whole.fill_permille());
    assert!(Table::growing(500_000).unwrap().rest.get().is_some());
}

/// Whatever halves of other threads' writes a slot holds, in whatever order they arrived.
#[test]
fn halves_of_two_writes_are_never_an_entry() {
    let keys = [1, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
    let entries = [open(1), open(1000), solved(1), solved(1 << 20)];
    let writes = || keys.into_iter().flat_map(|check| entries.map(|entry| (check, entry)));
    for one in entries {
        for (check, other) in writes() {
            let slot = [Slot::<AtomicU64>::default()];
            slot[0].data.write(one.word());
            slot[0].check.write(check ^ other.word());
            for key in keys {
                // Data of different entries are never mistaken for each other. Equal data are no mixture.
                let whole = one == other && key == check;
                assert_eq!(find(&slot, key).entry(), whole.then_some(one));
            }
        }
    }
}

#[test]
fn a_table_takes_the_memory_it_is_given() {
    for bytes in [0u64, 100_000, 3 << 20, 15 << 20, 20_000_000, 100_000_000, 300_000_000] {
        let table = Table::new(bytes).unwrap();
        let wanted = bytes.max(Table::LEAST);
        // One group less, and some slots for the alignment.
        assert!(table.bytes() + Table::LEAST > wanted, "{bytes}: {}", table.bytes());
        assert!(table.bytes() <= wanted + 2 * CACHE_LINE as u64, "{bytes}: {}", table.bytes());
    }
}

#[test]
fn places_are_spread_over_every_part() {
    for clusters in [512, 5 * 512, 1000 * 512, 9000 * 512] {
        let shelves = Shelves::new(clusters);
        for shelf in shelves.iter() {
            let clusters = [0, u64::MAX / 2, u64::MAX].map(|address| shelf.cluster(address));
            let end = shelf.start + shelf.groups * GROUP;
            assert_eq!((clusters[0], clusters[2]), (shelf.start, end - 1));
            assert!((shelf.start..end).contains(&clusters[1]));
        }
    }
}

/// Work that grows in small pieces ends up at their sum.
#[test]
fn work_in_small_pieces_adds_up() {
    let mut lot = 0x9e37_79b9_7f4a_7c15_u64;
    for (start, piece, pieces) in [(896, 30, 1000), (1, 1, 5000), (100_000, 7, 20_000)] {
        let mut sum = 0;
        for _ in 0..20 {
            let mut work = Work::of(start);
            for _ in 0..pieces {
                lot = lot.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                work = Work::drawn(work.nodes() + piece, lot);
            }
            sum += work.nodes();
        }
        let (mean, wanted) = (sum / 20, Work::of(start).nodes() + piece * pieces);
        assert!(mean.abs_diff(wanted) < wanted / 5, "{start} + {pieces} x {piece}: {mean}, not {wanted}");
    }
}

#[test]
fn tables_beyond_all_memory_are_an_error() {
    assert!(Table::new(u64::MAX).is_err());
}

proptest! {
    #[test]
    fn work_is_monotone(nodes: u64, more: u64) {
        let (less, more) = (nodes.min(more), nodes.max(more));
        prop_assert!(Work::of(less) <= Work::of(more));
    }

    #[test]
    fn work_is_rounded_down_by_less_than_a_fourth(bits in 1u32..=64, nodes: u64) {
        let nodes = (nodes >> (64 - bits)).max(1);
        let work = Work::of(nodes);
        prop_assert!(work.nodes() <= nodes);
        prop_assert!(nodes - work.nodes() <= work.nodes() / 4);
        prop_assert_eq!(Work::of(work.nodes()), work);
    }

    #[test]
    fn work_is_drawn_from_the_steps_around_it(bits in 1u32..=63, nodes: u64, lot: u64) {
        let nodes = (nodes >> (64 - bits)).max(1);
        let (below, drawn) = (Work::of(nodes), Work::drawn(nodes, lot));
        prop_assert!(drawn == below || (drawn > below && drawn.nodes() > nodes && below.nodes() < nodes));
        prop_assert_eq!(Work::drawn(drawn.nodes(), lot), drawn);
    }

    #[test]
    fn entries_come_back_as_they_were(last in 1..=INFINITE, notlast in 1..=INFINITE, nodes: u64) {
        let entry = Entry { bounds: Bounds::unsolved(Part::Last, last, notlast), work: Work::of(nodes) };
        prop_assert_eq!(Entry::of_word(entry.word()), entry);
    }
}
