//! The search against the table of all positions, with every option on, off, and tables that thrash.

use std::sync::OnceLock;

use rex_game::{Board, CellSet, Player, Position, State};
use rex_oracle::Oracle;
use rex_search::{Guidance, LineEnd, MoveValue, Net, Settings, Solution, Solver, Tuning};
use rex_theory::fill_in::fill_in;
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Options, Reduced};

const BOARDS: [(usize, usize); 9] = [(2, 2), (3, 3), (3, 4), (4, 3), (2, 7), (7, 2), (3, 5), (5, 3), (4, 4)];

fn oracles() -> &'static [Oracle] {
    static ORACLES: OnceLock<Vec<Oracle>> = OnceLock::new();
    ORACLES.get_or_init(|| BOARDS.map(|(rows, cols)| Oracle::new(Board::new(rows, cols).unwrap())).into())
}

/// Some live positions of each board, spread evenly from the empty one on, with both sides to move.
fn states(oracle: &Oracle, about: usize) -> Vec<State> {
    states_from(0.0, oracle, about)
}

/// The same, beginning at this share of the way to the second one.
fn states_from(share: f64, oracle: &Oracle, about: usize) -> Vec<State> {
    let every = (oracle.live_count() / about).max(1) | 1;
    let every = if every.is_multiple_of(3) { every + 2 } else { every };
    oracle
        .sample(every, (share * every as f64) as usize)
        .flat_map(|position| Player::BOTH.map(|to_move| State { position, to_move }))
        .collect()
}

fn check(settings: &Settings, about: usize) {
    for oracle in oracles() {
        check_board(oracle, settings, states(oracle, about));
    }
}

fn check_board(oracle: &Oracle, settings: &Settings, states: Vec<State>) {
    let solver = Solver::new(oracle.board(), settings.clone()).unwrap();
    for state in states {
        let solution = solver.ask(&state).verdict();
        let Settings { theory, threads, .. } = settings;
        assert_eq!(
            solution.winner,
            Some(oracle.winner(&state)),
            "{state} with {threads} threads, {theory:?}"
        );
    }
}

fn settings(theory: Options) -> Settings {
    Settings { theory, memory: 1 << 20, ..Settings::default() }
}

#[test]
fn winners_with_the_default_options() {
    check(&settings(Options::default()), 4000);
}

#[test]
fn winners_with_all_options() {
    check(&settings(Options::all()), 2000);
}

#[test]
fn winners_with_no_options() {
    check(&settings(Options::NONE), 100);
}

#[test]
fn winners_with_each_option_off() {
    for info in Options::TABLE {
        let mut options = Options::all();
        (info.set)(&mut options, false);
        check(&settings(options), 300);
    }
}

#[test]
fn winners_with_each_option_alone() {
    for info in Options::TABLE {
        let mut options = Options::NONE;
        (info.set)(&mut options, true);
        // The empty board takes longest by far where most is off, and is solved in the tests around this one.
        for oracle in oracles() {
            check_board(oracle, &settings(options), states_from(0.5, oracle, 60));
        }
    }
}

#[test]
fn winners_with_a_table_that_thrashes() {
    // 512 clusters are the fewest there can be; without pairings thousands of positions fight for them.
    let options = Options { hsearch: false, exact_pairing: false, ..Options::default() };
    check(&Settings { memory: 0, ..settings(options) }, 50);
    check(&Settings { memory: 0, ..settings(Options::NONE) }, 10);
}

#[test]
fn winners_with_strange_tuning() {
    for (widening_base, widening_share, epsilon_share) in [(1, 64, 1), (64, 1, 1000), (2, 3, 2)] {
        let tuning =
            Tuning { widening_base, widening_share, epsilon_share, pairing_steps: 3, ..Tuning::default() };
        check(&Settings { tuning, ..settings(Options::default()) }, 300);
    }
}

#[test]
fn winners_with_random_guidance() {
    // Whatever a net says, it changes the order of the work alone: weights of four, eight and sixteen random bits.
    let mut seed = 7u64;
    for bits in [4, 8, 16] {
        for oracle in oracles() {
            let mut word = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                Some(((seed >> 48) as i16) >> (16 - bits))
            };
            let net = Net::from_words(oracle.board().len(), &mut word).unwrap();
            let guidance = Guidance::Net(Box::leak(Box::new(net)));
            for (threads, theory) in [
                (1, Options::default()),
                (2, Options { hsearch: false, exact_pairing: false, ..Options::default() }),
            ] {
                let tuning = Tuning { guidance, alone: 0, quantum: 5, ..Tuning::default() };
                let settings = Settings { threads, tuning, ..settings(theory) };
                check_board(oracle, &settings, states(oracle, 100));
            }
        }
    }
}

#[test]
fn winners_with_several_threads() {
    // Without pairings the searches are long enough to be shared, with quanta that are as short as can be.
    let options = Options { hsearch: false, exact_pairing: false, ..Options::default() };
    for (threads, quantum, memory) in [(2, 1, 1 << 20), (3, 5, 0), (4, 50, 1 << 20)] {
        let tuning = Tuning { alone: 0, quantum, ..Tuning::default() };
        check(&Settings { threads, tuning, memory, ..settings(options) }, 150);
    }
}

/// A line of play begins with the best move, is possible, nobody in it gives anything away, and it says why it ends.
fn check_line(oracle: &Oracle, state: &State, solution: &Solution) {
    assert_eq!(solution.pv.first(), solution.best.as_ref(), "{state}");
    let mut at = *state;
    for &cell in &solution.pv {
        assert!(at.moves().has(cell), "{state}: {:?}", solution.pv);
        at = at.play(cell);
        assert_eq!(oracle.winner(&at), oracle.winner(state), "{state}: {:?}", solution.pv);
    }
    let mut reduced = Reduced::new(Field::new(&at));
    fill_in(&mut reduced, &Options::default(), at.board().cells(), &mut ());
    let by_symmetry = || notlast_wins_by_symmetry(&reduced.field, &Options::default()).is_some();
    let told = match solution.pv_end {
        Some(LineEnd::Over) => at.position.winner().is_some(),
        _ if at.position.winner().is_some() => false,
        Some(LineEnd::FillIn) => reduced.joined.is_some(),
        _ if reduced.joined.is_some() => false,
        Some(LineEnd::Symmetry) => by_symmetry(),
        Some(LineEnd::Pairing) => true,
        Some(LineEnd::Unknown) | None => false,
    };
    assert!(told, "{state}: {:?} ends by {:?}", solution.pv, solution.pv_end);
}

#[test]
fn winning_moves_best_moves_and_refutations_are_exact() {
    for oracle in oracles() {
        let solver = Solver::new(oracle.board(), settings(Options::default())).unwrap();
        for state in states(oracle, 300) {
            let winning = oracle.winning_moves(&state);
            let (solution, reports) = solver.ask(&state).counting_replies(true).moves();
            assert_eq!(solution.winner, Some(oracle.winner(&state)));
            assert_eq!(reports.len(), state.position.empty().len());
            for report in &reports {
                let wins = report.value == MoveValue::Win;
                assert_eq!(wins, winning.has(report.cell), "{state} {:?}", report.cell);
                let child = state.play(report.cell);
                let answers = oracle.winning_moves(&child);
                if wins {
                    assert_eq!((report.refutation, report.replies), (None, None));
                } else {
                    let counted = child.position.winner().is_none().then_some(answers.len());
                    assert_eq!(report.replies, counted, "{state} {:?}", report.cell);
                    assert_eq!(report.refutation.is_some(), !answers.is_empty());
                    assert!(report.refutation.is_none_or(|answer| answers.has(answer)));
                }
            }
            let best = solution.best.expect("the game is not over");
            assert!(winning.is_empty() || winning.has(best), "{state}: {best:?} of {winning:?}");
            let counted = reports.iter().filter_map(|report| report.replies).min();
            if winning.is_empty() && counted.is_some() {
                let of_best = reports.iter().find(|report| report.cell == best).unwrap().replies;
                assert_eq!(of_best, counted, "{state}: {best:?} is not the one with the fewest answers");
            }
            check_line(oracle, &state, &solution);
            if let ([best, answer, ..], true) = (&solution.pv[..], winning.is_empty()) {
                let report = reports.iter().find(|report| report.cell == *best).unwrap();
                assert_eq!(report.refutation, Some(*answer), "{state}");
            }
            check_line(oracle, &state, &solver.ask(&state).solve());
            // All of this is known now, and needs no search.
            let known = solver.look_up(&state);
            assert_eq!((known.winner, known.nodes), (Some(oracle.winner(&state)), 0), "{state}");
            check_line(oracle, &state, &known);
            assert_eq!(solver.known_winner(&state), known.winner);
        }
    }
}

#[test]
fn remembered_positions_have_the_winner_they_say() {
    let oracle = oracles().iter().find(|oracle| oracle.board().len() == 16).unwrap();
    for threads in [1, 2] {
        let theory = Options { hsearch: false, exact_pairing: false, ..Options::default() };
        let tuning = Tuning { alone: 0, quantum: 5, ..Tuning::default() };
        let settings = Settings { threads, tuning, remember: Some(0), ..settings(theory) };
        let solver = Solver::new(oracle.board(), settings).unwrap();
        for state in states(oracle, 3000) {
            solver.ask(&state).verdict();
        }
        let solved = solver.take_solved();
        assert!(solved.len() > 100, "{} positions", solved.len());
        assert!(solver.take_solved().is_empty());
        for found in solved {
            let position = found.node.field(oracle.board()).to_state().position;
            let winner = oracle.winner_with_last(&position, found.node.last);
            assert_eq!(found.winner.player(found.node.last), winner, "{position:?}");
        }
    }
}

#[test]
fn one_thread_counts_the_same_nodes_twice() {
    let count = || {
        let solver = Solver::new(Board::new(5, 5).unwrap(), settings(Options::default())).unwrap();
        let state: State = "5x5 a1 b1".parse().unwrap();
        let solution = solver.ask(&state).solve();
        (solution.nodes, solution.pv)
    };
    assert_eq!(count(), count());
}

#[test]
fn decided_positions_need_no_nodes() {
    let joined: State = "b1/b1 w".parse().unwrap();
    let solver = Solver::new(joined.board(), settings(Options::default())).unwrap();
    let solution = solver.ask(&joined).solve();
    assert_eq!((solution.winner, solution.best, solution.nodes), (Some(Player::White), None, 0));
    let full = Position::with_stones(joined.board(), CellSet::from_bits(0b1001), CellSet::from_bits(0b0110));
    let state = State { position: full, to_move: Player::Black };
    let (solution, reports) = solver.ask(&state).moves();
    assert_eq!(solution.winner, full.winner());
    assert!(reports.is_empty());
}
