//! Every step of running searches, checked against the table of all positions as it is made: each fill-in of a
//! child, each static verdict, each set of moves left by pruning, each number taken from the table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use rex_game::{Board, Cell, CellSet, Player, State};
use rex_oracle::Oracle;
use rex_search::{Audit, Bounds, Node, Part, Settings, Solver, Tuning};
use rex_theory::{Field, Options};

/// An auditor with a table of all positions, who counts what is checked.
#[derive(Clone)]
struct Auditor {
    oracle: &'static Oracle,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    filled: AtomicU64,
    judged: AtomicU64,
    pruned: AtomicU64,
    believed: AtomicU64,
}

impl Auditor {
    fn new(oracle: &'static Oracle) -> Auditor {
        Auditor { oracle, counts: Arc::default() }
    }

    /// Who wins a field: the same with all settled cells Black's and with all of them White's.
    fn winner(&self, field: &Field) -> Part {
        let [black, white] = field.stones;
        let settled = field.settled();
        let one = self.oracle.winner_of(black, white - settled, field.mover());
        let other = self.oracle.winner_of(black - settled, white, field.mover());
        assert_eq!(one, other, "a settled cell matters: {field:?}");
        Part::of(one, field.last)
    }

    fn says(&self, field: &Field, winner: Part, what: &str) {
        assert_eq!(self.winner(field), winner, "{what}: {} {field:?}", field.to_state());
    }
}

impl Audit for Auditor {
    fn filled(&self, before: &Field, after: Result<&Node, Part>) {
        self.counts.filled.fetch_add(1, Relaxed);
        let winner = match after {
            Ok(node) => self.winner(&node.field(before.board)),
            Err(winner) => winner,
        };
        self.says(before, winner, "fill-in");
    }

    fn judged(&self, field: &Field, winner: Part) {
        self.counts.judged.fetch_add(1, Relaxed);
        self.says(field, winner, "a static verdict");
    }

    fn pruned(&self, field: &Field, kept: CellSet) {
        self.counts.pruned.fetch_add(1, Relaxed);
        assert!(kept.within(field.empty()));
        let mover = field.mover();
        let part = Part::of(mover, field.last);
        let wins = |cell: Cell| self.winner(&field.with(cell, mover)) == part;
        assert_eq!(kept.into_iter().any(wins), self.winner(field) == part, "pruned to {kept:?}: {field:?}");
    }

    fn believed(&self, field: &Field, bounds: Bounds) {
        if let Some(winner) = bounds.winner() {
            self.counts.believed.fetch_add(1, Relaxed);
            self.says(field, winner, "the table or the search");
        }
    }
}

fn oracles() -> &'static [Oracle] {
    static ORACLES: OnceLock<Vec<Oracle>> = OnceLock::new();
    let boards = [(3, 4), (4, 3), (3, 5), (5, 3), (4, 4)];
    ORACLES.get_or_init(|| boards.map(|(rows, cols)| Oracle::new(Board::new(rows, cols).unwrap())).into())
}

/// Solves about so many positions of each board, half of them with Black to move, under audit.
fn audit(settings: &Settings, about: usize) {
    let mut totals = [0; 4];
    for oracle in oracles() {
        let auditor = Auditor::new(oracle);
        let solver = Solver::new(oracle.board(), settings.clone()).unwrap();
        let solver = solver.audited_by(Box::new(auditor.clone()));
        let every = (oracle.live_count() / about).max(1) | 1;
        let every = if every.is_multiple_of(3) { every + 2 } else { every };
        let start = State::new(oracle.board()).position;
        for position in oracle.sample(every, 0).chain([start]) {
            for to_move in Player::BOTH {
                let state = State { position, to_move };
                let solution = solver.ask(&state).solve();
                assert_eq!(solution.winner, Some(oracle.winner(&state)), "{state}");
            }
        }
        let Counts { filled, judged, pruned, believed } = &*auditor.counts;
        for (total, count) in totals.iter_mut().zip([filled, judged, pruned, believed]) {
            *total += count.load(Relaxed);
        }
    }
    let [filled, judged, pruned, believed] = totals;
    println!("{filled} fill-ins, {judged} verdicts, {pruned} sets of moves, {believed} results of search");
    assert!(filled > 0 && pruned > 0 && believed > 0);
}

fn settings(theory: Options) -> Settings {
    Settings { theory, memory: 1 << 20, ..Settings::default() }
}

#[test]
fn every_step_with_all_options_is_right() {
    audit(&settings(Options::all()), 3000);
}

#[test]
fn every_step_with_the_default_options_is_right() {
    audit(&settings(Options::default()), 3000);
}

#[test]
fn every_step_with_few_static_verdicts_is_right() {
    // Then the searches are longer, and go where a verdict would have ended them.
    let all = Options::all();
    let without_pairings = Options { hsearch: false, exact_pairing: false, ..all };
    let without_symmetry = Options { colour_symmetry: false, dominated_symmetry: false, ..without_pairings };
    let without_fill_in = Options { captured: false, mutual_fillin: false, ..without_symmetry };
    // Weak H-search leaves positions open, and finds keys to be pruned there.
    let weak =
        Options { hsearch: true, augmented: false, compatible: false, side_and: false, ..without_fill_in };
    for options in [without_pairings, without_symmetry, without_fill_in] {
        audit(&settings(options), 400);
    }
    audit(&settings(weak), 3000);
}

#[test]
fn every_step_of_several_threads_with_a_tiny_table_is_right() {
    let theory = Options { hsearch: false, exact_pairing: false, ..Options::default() };
    let tuning =
        Tuning { alone: 0, quantum: 3, guidance: rex_search::Guidance::BoardOrder, ..Tuning::default() };
    audit(&Settings { theory, tuning, memory: 0, threads: 3, remember: None, note: None }, 60);
}

/// The audit itself: a false claim of each kind is noticed.
#[test]
fn an_auditor_notices_what_is_false() {
    let oracle = &oracles()[4];
    let state: State = "4x4 d1 a1".parse().unwrap();
    let field = Field::new(&state);
    let [good, bad] = ["a2", "b2"].map(|name| state.board().cell_named(name).unwrap());
    // Black, who is Notlast, wins, and only with a2 and c1.
    let claims: [fn(&Auditor, &Field, Cell); 4] = [
        |auditor, field, _| auditor.filled(field, Err(Part::Last)),
        |auditor, field, _| auditor.judged(field, Part::Last),
        |auditor, field, cell| auditor.pruned(field, cell.set()),
        |auditor, field, _| auditor.believed(field, Bounds::won_by(Part::Last)),
    ];
    for claim in claims {
        let noticed = std::panic::catch_unwind(|| claim(&Auditor::new(oracle), &field, bad));
        assert!(noticed.is_err());
    }
    let auditor = Auditor::new(oracle);
    auditor.filled(&field, Err(Part::Notlast));
    auditor.judged(&field, Part::Notlast);
    auditor.pruned(&field, good.set());
    auditor.believed(&field, Bounds::won_by(Part::Notlast));
}
