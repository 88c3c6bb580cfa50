//! Every step of running searches, checked against the table of all positions as it is made: each fill-in of a
//! child, each static verdict, each set of moves left by pruning, each number taken from the table.

use std::sync::{Arc, OnceLock};

use rex_game::{Board, Player, State};
use rex_oracle::Oracle;
use rex_search::{Audit, Auditor, Bounds, Part, Settings, Solver, StepKind, Tuning};
use rex_theory::{Field, Options};

fn auditor(oracle: &'static Oracle) -> Arc<Auditor> {
    Arc::new(Auditor::new(|state| oracle.winner(state)))
}

fn oracles() -> &'static [Oracle] {
    static ORACLES: OnceLock<Vec<Oracle>> = OnceLock::new();
    let boards = [(3, 4), (4, 3), (3, 5), (5, 3), (4, 4)];
    ORACLES.get_or_init(|| boards.map(|(rows, cols)| Oracle::new(Board::new(rows, cols).unwrap())).into())
}

/// Solves about so many positions of each board, half of them with Black to move, under audit.
fn audit(settings: &Settings, about: usize) {
    let mut totals = StepKind::ALL.map(|kind| (kind, 0));
    for oracle in oracles() {
        let auditor = auditor(oracle);
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
        assert_eq!(auditor.wrong(), []);
        for ((kind, total), (counted, count)) in totals.iter_mut().zip(auditor.checked()) {
            assert_eq!(*kind, counted);
            *total += count;
        }
    }
    for (kind, total) in totals {
        println!("{}: {total}", kind.word());
        assert!(total > 0, "no step of the kind {}", kind.word());
    }
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

/// The audit itself: a false claim of each kind is noticed, and a true one is not.
#[test]
fn an_auditor_notices_what_is_false() {
    let oracle = &oracles()[4];
    let state: State = "4x4 d1 a1".parse().unwrap();
    let field = Field::new(&state);
    let [good, bad] = ["a2", "b2"].map(|name| state.board().cell_named(name).unwrap());
    // Black, who is Notlast, wins, and only with a2 and c1.
    let honest = auditor(oracle);
    honest.filled(&field, Err(Part::Notlast));
    honest.judged(&field, Part::Notlast);
    honest.learned(&field, Part::Notlast);
    honest.pruned(&field, good.set());
    honest.believed(&field, Bounds::won_by(Part::Notlast));
    assert_eq!(honest.wrong(), []);
    assert!(honest.checked().iter().all(|(_, count)| *count == 1));
    let lied_to = auditor(oracle);
    lied_to.filled(&field, Err(Part::Last));
    lied_to.judged(&field, Part::Last);
    lied_to.learned(&field, Part::Last);
    lied_to.pruned(&field, bad.set());
    lied_to.believed(&field, Bounds::won_by(Part::Last));
    let kinds: Vec<StepKind> = lied_to.wrong().iter().map(|wrong| wrong.kind).collect();
    assert_eq!(kinds, StepKind::ALL);
    assert!(lied_to.wrong().iter().all(|wrong| wrong.before == field));
}

/// A cell that is settled though its colour matters is a wrong step, whoever is said to win.
#[test]
fn an_auditor_notices_a_settled_cell_that_matters() {
    let oracle = &oracles()[4];
    let state: State = "4x4 d1 a1".parse().unwrap();
    let mut settled = 0;
    for cell in state.moves() {
        let field = Field::new(&state);
        let field = field.with(cell, Player::Black).with(cell, Player::White);
        let auditor = auditor(oracle);
        if auditor.winner(&field).is_none() {
            auditor.judged(&field, Part::Last);
            auditor.judged(&field, Part::Notlast);
            assert_eq!(auditor.wrong().len(), 2);
            settled += 1;
        }
    }
    assert!(settled > 0, "no cell matters");
}

/// Against a referee who plays another game (whoever connects wins), steps are wrong, and the rules behind them have names.
#[test]
fn the_rule_at_fault_is_named() {
    let oracle = &oracles()[4];
    let auditor = Arc::new(Auditor::new(|state| !oracle.winner(state)));
    let settings = settings(Options::default());
    let solver = Solver::new(oracle.board(), settings.clone()).unwrap().audited_by(Box::new(auditor.clone()));
    solver.ask(&"4x4 d1".parse().unwrap()).solve();
    let wrong = auditor.wrong();
    let verdict = wrong.iter().find(|wrong| wrong.kind == StepKind::Verdict).expect("all verdicts are wrong");
    let rules = auditor.rules_at_fault(verdict, &settings.theory);
    assert!(rules.iter().any(|rule| ["hsearch", "exact-pairing"].contains(rule)), "{rules:?}");
}
