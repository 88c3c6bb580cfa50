//! The store: what goes in comes out, what is told is true, and what is damaged is noticed and left alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{Database, TableDefinition};
use rex_game::{Board, Cell, CellSet, Player, Position, State};
use rex_oracle::Oracle;
use rex_search::{Limits, Memory, Node, Settings, Solver, Work};
use rex_store::{Keeper, Known, Mended, Place, Record, Store, StoreError, Thread, segment};
use rex_theory::fill_in::RULES;

/// A name that no other test uses.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.redb"));
    let _ = std::fs::remove_file(&path);
    path
}

fn start(path: &Path) -> Arc<Thread> {
    Thread::start(Store::open(path).unwrap(), |error| panic!("{error}"))
}

/// A solver that keeps everything.
fn solver(board: Board, thread: &Arc<Thread>, threads: usize) -> Solver {
    let settings = Settings { memory: 1 << 22, remember: Some(1), threads, ..Settings::default() };
    Solver::new(board, settings).unwrap().remembering(Box::new(Keeper::new(thread, board, RULES)))
}

fn all(store: &Store) -> Vec<(Place, Record)> {
    let mut entries = Vec::new();
    store.each(None, &mut |entry| entries.push(entry.expect("no entry is damaged"))).unwrap();
    entries
}

/// All positions after two moves.
fn states(board: &str) -> Vec<State> {
    let start = State::new(board.parse().unwrap());
    let seconds = start.moves().into_iter().flat_map(|cell| {
        let after = start.play(cell);
        after.moves().into_iter().map(move |reply| after.play(reply))
    });
    seconds.collect()
}

/// Everything that searches put into a store, against the table of all positions.
#[test]
fn what_is_kept_is_true() {
    for (board, threads) in [("4x4", 1), ("4x4", 2), ("3x4", 1)] {
        let path = fresh(&format!("true-{board}-{threads}"));
        let thread = start(&path);
        let oracle = Oracle::new(board.parse().unwrap());
        {
            let solver = solver(board.parse().unwrap(), &thread, threads);
            for state in states(board) {
                let solution = solver.ask(&state).solve();
                assert_eq!(solution.winner, Some(oracle.winner(&state)));
            }
        }
        drop(thread);
        let entries = all(&Store::open(&path).unwrap());
        let (mut games, mut moves) = (0, 0);
        for (place, record) in entries {
            assert_eq!(place.flaw(&record), None, "{place}");
            for last in Player::BOTH {
                let state = place.field(last).to_state();
                let winner = oracle.winner(&state);
                let Some(claimed) = record.known.winner(last) else { continue };
                assert_eq!(claimed, winner, "{place} {last}");
                games += 1;
                if let Some(best) = record.best[state.to_move.index()]
                    && winner == state.to_move
                {
                    assert_eq!(oracle.winner(&state.play(best)), winner, "{place} {last}");
                    moves += 1;
                }
            }
        }
        assert!(games > 50 && moves > 5, "{board}: {games} games, {moves} moves");
    }
}

#[test]
fn a_question_asked_twice_needs_no_search() {
    let path = fresh("twice");
    let state: State = "5x5 a1 d2".parse().unwrap();
    let limits = Limits::default();
    let ask = || {
        let thread = start(&path);
        solver(state.board(), &thread, 1).ask(&state).limits(&limits).solve()
    };
    let (first, second) = (ask(), ask());
    assert_eq!((second.winner, second.best), (first.winner, first.best));
    // The line of play goes on below what is kept; the verdict does not.
    assert!(second.nodes < first.nodes, "{} of {}", second.nodes, first.nodes);
    // So it is for the mirror image, in which the players have changed parts.
    let [black, white] = Player::BOTH.map(|player| state.position.stones(player));
    let mirror = |set| state.board().transposed(set).unwrap();
    let position = Position::with_stones(state.board(), mirror(white), mirror(black));
    let image = State { position, to_move: !state.to_move };
    let thread = start(&path);
    let found = solver(state.board(), &thread, 1).ask(&image).limits(&limits).verdict();
    assert_eq!((found.winner, found.nodes), (first.winner.map(|winner| !winner), 0));
}

fn example(text: &str, known: Known) -> (Place, Record) {
    let state: State = text.parse().unwrap();
    let stones = Player::BOTH.map(|player| state.position.stones(player));
    let place = Place { board: state.board(), stones };
    (place, Record { known, best: [None; 2], work: Work::of(1000), rules: 0 })
}

#[test]
fn knowledge_adds_up_and_contradictions_are_refused() {
    let store = Store::open(&fresh("adds-up")).unwrap();
    let as_notlast = |winner: Player| Known::from_game(!winner, winner);
    let (place, half) = example("6x6 e3 b2", as_notlast(Player::Black));
    assert_eq!(store.put([(place, half)]).unwrap(), 1);
    assert_eq!(store.put([(place, half)]).unwrap(), 0);
    let best = [Some(Cell::new(0)), None];
    let other = Record { known: as_notlast(Player::White), best, ..half };
    assert_eq!(store.put([(place, other)]).unwrap(), 1);
    let whole = Record { known: Known::NOTLAST, ..other };
    assert_eq!(store.get(&place).unwrap(), Some(whole));
    let (elsewhere, new) = example("6x6 e4 b2", Known::WHITE);
    let wrong = Record { known: Known::BLACK, ..half };
    let error = store.put([(elsewhere, new), (place, wrong)]).unwrap_err();
    assert!(matches!(&error, StoreError::Clash(_, found) if *found == place), "{error}");
    assert_eq!(all(&store), [(place, whole)]);
    assert_eq!(store.remove(&[place, elsewhere]).unwrap(), 1);
    assert_eq!(all(&store), []);
}

#[test]
fn boards_are_kept_apart() {
    let store = Store::open(&fresh("boards")).unwrap();
    let boards = ["3x5 a1", "5x3 a1", "4x4 a1", "3x3 a1"].map(|text| example(text, Known::BLACK));
    store.put(boards).unwrap();
    for (place, _) in boards {
        let mut found = Vec::new();
        store.each(Some(place.board), &mut |entry| found.push(entry.unwrap().0)).unwrap();
        assert_eq!(found, [place]);
    }
}

/// An entry that other rules have filled in is found again where today's rules put it.
#[test]
fn older_rules_are_brought_up_to_date() {
    let mut store = Store::open(&fresh("refill")).unwrap();
    let oracle = Oracle::new("3x4".parse().unwrap());
    let unfilled = states("3x4").into_iter().map(|state| {
        let stones = Player::BOTH.map(|player| state.position.stones(player));
        let (place, _) = Place::of(state.board(), &Node { stones, last: Player::Black });
        let known = Known::from_game(Player::White, oracle.winner(&place.field(Player::White).to_state()));
        (place, Record { known, best: [None; 2], work: Work::of(7), rules: 0 })
    });
    store.put(unfilled).unwrap();
    let before = all(&store).len();
    assert!(store.mend().unwrap().mended > 0);
    let after = all(&store);
    assert!(!after.is_empty() && after.len() < before, "{} of {before}", after.len());
    for (place, record) in after {
        assert_eq!((record.rules, place.flaw(&record)), (RULES, None), "{place}");
        for last in Player::BOTH {
            let winner = oracle.winner(&place.field(last).to_state());
            assert!(record.known.winner(last).is_none_or(|claimed| claimed == winner), "{place}");
        }
    }
    assert_eq!(store.mend().unwrap(), Mended::default());
    store.compact().unwrap();
}

/// A store with one flaw of each kind among entries that are sound: mending it repairs or drops those, and leaves the
/// others as they are.
#[test]
fn flaws_are_repaired_or_dropped() {
    let path = fresh("mend");
    let board: Board = "4x4".parse().unwrap();
    let thread = start(&path);
    solver(board, &thread, 1).ask(&"4x4 d1".parse().unwrap()).solve();
    drop(thread);
    let store = Store::open(&path).unwrap();
    let good = all(&store);
    let (place, record) = *good.iter().find(|(place, _)| place.empty().len() < 14).unwrap();
    let (other, known) = *good.iter().rfind(|(found, _)| *found != place).unwrap();
    // Its best move is on a stone; a mirror image stands in its place; the game is over; more can be filled in.
    let stone = (board.cells() - place.empty()).first();
    let turned = Place { board, stones: other.stones.map(|set| board.rotated(set)) };
    assert_ne!(turned, other);
    let over = Place { board, stones: [CellSet::from_bits(0x1111), CellSet::EMPTY] };
    let none = Record { known: Known::NOTHING, best: [None; 2], work: Work::of(1), rules: RULES };
    let unfilled = (0..1u64 << 16)
        .map(|bits| Place {
            board,
            stones: [CellSet::from_bits(bits & 0x0f0f), CellSet::from_bits(bits & 0xf0f0)],
        })
        .filter(|place| place.flaw(&none) == Some(rex_store::Flaw::NotFilled))
        .find(|place| place.filled().is_some())
        .unwrap();
    let winner = Oracle::new(board).winner(&unfilled.field(Player::White).to_state());
    store.remove(&[place, other]).unwrap();
    let planted = [
        (place, Record { best: [stone, stone], ..record }),
        (turned, Record { best: [None; 2], ..known }),
        (over, Record { best: [None; 2], ..known }),
        (unfilled, Record { known: Known::from_game(Player::White, winner), ..none }),
    ];
    store.put(planted).unwrap();
    let mended = store.mend().unwrap();
    assert_eq!((mended.mended, mended.dropped), (3, 1));
    let after = all(&store);
    assert!(after.iter().all(|(place, record)| place.flaw(record).is_none()));
    assert_eq!(
        after.iter().filter(|(found, _)| *found == place).map(|(_, found)| found.known).next(),
        Some(record.known)
    );
    assert!(after.iter().any(|(found, record)| *found == other && record.known == known.known));
    assert!(good.iter().all(|(place, _)| after.iter().any(|(found, _)| found == place)));
    assert_eq!(store.mend().unwrap(), Mended::default());
}

#[test]
fn every_sound_record_comes_out_of_a_cut_store() {
    let path = fresh("salvage");
    let board: Board = "5x5".parse().unwrap();
    let thread = start(&path);
    for opening in ["5x5 a1", "5x5 a2"] {
        let state: State = opening.parse().unwrap();
        solver(board, &thread, 1).ask(&state).moves();
    }
    drop(thread);
    let store = Store::open(&path).unwrap();
    let good: std::collections::HashMap<_, _> = all(&store).into_iter().collect();
    drop(store);
    assert!(good.len() > 400, "{}", good.len());
    let bytes = std::fs::read(&path).unwrap();
    let found =
        |bytes: &[u8]| rex_store::salvage(bytes).into_iter().collect::<std::collections::HashMap<_, _>>();
    assert_eq!(found(&bytes), good);
    let mut counts = Vec::new();
    for parts in (0..=128).rev() {
        let left = found(&bytes[..bytes.len() / 128 * parts]);
        assert!(left.iter().all(|(place, record)| good[place].known.and(record.known).is_some()));
        counts.push(left.len());
    }
    assert!(counts.is_sorted_by(|more, less| more >= less) && counts[0] == good.len(), "{counts:?}");
    assert!(counts.iter().any(|&count| count > 0 && count < good.len()), "{counts:?}");
    assert!(rex_store::salvage(&vec![1; 10_000]).is_empty());
}

#[test]
fn a_flawed_record_of_a_segment_is_left_out_and_counted() {
    let board: Board = "4x4".parse().unwrap();
    let record = Record { known: Known::BLACK, best: [None; 2], work: Work::of(1), rules: RULES };
    let over = Place { board, stones: [CellSet::from_bits(0x1111), CellSet::EMPTY] };
    let empty = Place { board, stones: [CellSet::EMPTY; 2] };
    let mut file = Vec::new();
    segment::write(&mut file, board, &[(empty, record), (over, record)]).unwrap();
    let read = segment::read(&mut file.as_slice()).unwrap();
    assert_eq!((read.records, read.flawed), (vec![(empty, record)], 1));
    // Of a damaged one the same is left.
    file[40] ^= 1;
    assert!(segment::read(&mut file.as_slice()).is_err());
    assert_eq!(rex_store::salvage(&file), [(empty, record)]);
}

#[test]
fn one_process_has_it_at_a_time() {
    let path = fresh("in-use");
    let store = Store::open(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::InUse(found)) if found == path));
    drop(store);
    assert!(Store::open(&path).is_ok());
}

#[test]
fn another_version_or_another_program_is_left_alone() {
    let path = fresh("version");
    for (table, value, says) in
        [("about", 99u32, "has format 99; expected 1"), ("other", 1, "another program")]
    {
        let _ = std::fs::remove_file(&path);
        let database = Database::create(&path).unwrap();
        let transaction = database.begin_write().unwrap();
        let definition: TableDefinition<&str, u32> = TableDefinition::new(table);
        transaction.open_table(definition).unwrap().insert("solrex format", value).unwrap();
        transaction.commit().unwrap();
        drop(database);
        let before = std::fs::read(&path).unwrap();
        let error = Store::open(&path).err().expect("it is refused").to_string();
        assert!(error.contains(says), "{error}");
        assert!(std::fs::read(&path).unwrap() == before, "the file has changed");
    }
}

/// Bytes changed all over the file, and files cut short: the store is refused and not touched, or nothing that it
/// tells is wrong.
#[test]
fn damage_is_noticed_and_left_alone() {
    let path = fresh("damage");
    let store = Store::open(&path).unwrap();
    let board: Board = "6x6".parse().unwrap();
    let entries = (1..400u64).map(|seed| {
        let stones = [CellSet::from_bits(seed), CellSet::from_bits(seed << 20)];
        let record = Record { known: Known::BLACK, best: [None; 2], work: Work::of(seed), rules: 0 };
        (Place { board, stones }, record)
    });
    let wanted: Vec<_> = entries.collect();
    store.put(wanted.clone()).unwrap();
    drop(store);
    let good = std::fs::read(&path).unwrap();
    let mut refused = 0;
    let mut try_out = |bad: &[u8], what: &str| {
        std::fs::write(&path, bad).unwrap();
        match Store::open(&path) {
            Ok(store) => {
                let told = store.each(None, &mut |entry| {
                    assert!(entry.is_none_or(|entry| wanted.contains(&entry)), "{what}: {entry:?}");
                });
                assert!(told.is_ok(), "{what}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().contains("damage.redb"), "{error}");
                assert!(std::fs::read(&path).unwrap() == bad, "{what}: the file has changed");
            }
        }
    };
    let used: Vec<usize> = (0..good.len()).filter(|&at| good[at] != 0).collect();
    for at in (0..320).chain(used.iter().copied().step_by(used.len() / 150 + 1)) {
        let mut bad = good.clone();
        bad[at] ^= 0x41;
        try_out(&bad, &format!("byte {at}"));
    }
    for len in [0, 1, 100, 4096, good.len() / 2, good.len() - 1] {
        try_out(&good[..len], &format!("cut at {len}"));
    }
    try_out(&vec![b'x'; 100_000], "no store at all");
    assert!(refused > 50, "{refused}");
}

#[test]
fn segments_come_back_and_damaged_ones_do_not() {
    let board: Board = "4x4".parse().unwrap();
    let path = fresh("segment");
    let thread = start(&path);
    solver(board, &thread, 1).ask(&"4x4 d1".parse().unwrap()).solve();
    drop(thread);
    let entries: Vec<_> = all(&Store::open(&path).unwrap()).into_iter().take(5).collect();
    let mut file = Vec::new();
    segment::write(&mut file, board, &entries).unwrap();
    assert_eq!(file.len(), 64 + 5 * 24);
    let segment = segment::read(&mut file.as_slice()).unwrap();
    assert_eq!((segment.records, segment.flawed), (entries.clone(), 0));
    for at in 0..file.len() {
        let mut bad = file.clone();
        bad[at] ^= 1;
        assert!(segment::read(&mut bad.as_slice()).is_err(), "byte {at}");
        assert!(segment::read(&mut &file[..at]).is_err(), "cut at {at}");
    }
    let mut unsorted = entries.clone();
    unsorted.reverse();
    let mut file = Vec::new();
    segment::write(&mut file, board, &unsorted).unwrap();
    assert!(segment::read(&mut file.as_slice()).unwrap_err().to_string().contains("not sorted"));
}

/// All that is known of a board goes into the table before the first search: every record once for each side to move. A
/// large store takes few bytes a record.
#[test]
fn a_large_store_is_recalled_as_a_whole() {
    let path = fresh("large");
    let board: Board = "7x7".parse().unwrap();
    let mut chance = 1u64;
    let mut next = || {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        CellSet::from_bits(chance.rotate_left(29) & chance.rotate_left(7)) & board.cells()
    };
    let known = Record { known: Known::BLACK, best: [None; 2], work: Work::of(100), rules: 0 };
    let entries = (0..200_000).map(|_| {
        let black = next();
        let node = Node { stones: [black, next() - black], last: Player::Black };
        (Place::of(board, &node).0, known)
    });
    let new = Store::open(&path).unwrap().put(entries).unwrap();
    assert!(new > 190_000, "{new}");
    let bytes = std::fs::metadata(&path).unwrap().len();
    assert!(bytes < 100 * new as u64, "{bytes} bytes for {new} records");
    let thread = start(&path);
    let mut told = 0;
    Keeper::new(&thread, board, RULES).recall_all(&mut |_| told += 1);
    assert_eq!(told, 2 * new);
}

#[test]
fn notes_are_written_with_the_records_or_not_at_all() {
    let store = Store::open(&fresh("notes")).unwrap();
    let notes = |begin: &[u8]| {
        let mut notes = Vec::new();
        store.each_note(begin, &mut |name, note| notes.push((name.to_vec(), note.to_vec()))).unwrap();
        notes
    };
    assert_eq!(notes(b""), []);
    let place =
        Place { board: "4x4".parse().unwrap(), stones: [CellSet::from_bits(1), CellSet::from_bits(2)] };
    let black = Record { known: Known::BLACK, best: [None; 2], work: Work::of(1), rules: RULES };
    let note = |name: &[u8], text: &[u8]| (name.to_vec(), Some(text.to_vec()));
    store.put_with_notes([(place, black)], &[note(b"job 1", b"x"), note(b"open 1", b"y")]).unwrap();
    assert_eq!(notes(b"job"), [(b"job 1".to_vec(), b"x".to_vec())]);
    let white = Record { known: Known::WHITE, ..black };
    let clash = store.put_with_notes([(place, white)], &[note(b"job 2", b"z")]);
    assert!(matches!(clash, Err(StoreError::Clash { .. })));
    store.put_with_notes([], &[(b"job 1".to_vec(), None)]).unwrap();
    assert_eq!(notes(b""), [(b"open 1".to_vec(), b"y".to_vec())]);
    assert_eq!(store.get(&place).unwrap(), Some(black));
}
