//! Searches that are stopped, or fail, in the middle.

use std::sync::mpsc;
use std::thread::ThreadId;

use rex_game::{CellSet, Player, State};
use rex_oracle::testing::{ENDLESS, GUARD, LONG};
use rex_search::{Audit, Bounds, Limits, MoveValue, Node, Part, Settings, Solver, Tuning};
use rex_theory::{Field, Options};

use crate::hard::bare;

/// Panics in every thread but the one that it was made in.
struct Bomb(ThreadId);

impl Audit for Bomb {
    fn filled(&self, _: &Field, _: Result<&Node, Part>) {}

    fn judged(&self, _: &Field, _: Part) {}

    fn learned(&self, _: &Field, _: Part) {}

    fn pruned(&self, _: &Field, _: CellSet) {}

    fn believed(&self, _: &Field, _: Bounds) {
        assert_eq!(std::thread::current().id(), self.0, "the bomb went off");
    }
}

#[test]
fn a_panic_in_a_searching_thread_reaches_whoever_asked() {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let state: State = ENDLESS.parse().unwrap();
        let tuning = Tuning { alone: 10, ..bare().tuning };
        let settings = Settings { threads: 3, tuning, ..bare() };
        let bomb = Bomb(std::thread::current().id());
        let solver = Solver::new(state.board(), settings).unwrap().audited_by(Box::new(bomb));
        let solve = || solver.ask(&state).verdict();
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(solve)).err();
        send.send(panic.map(|panic| *panic.downcast::<String>().unwrap())).unwrap();
    });
    // If the others wait for the thread that is gone, nothing ever comes.
    let panic = receive.recv_timeout(GUARD).expect("the search does not hang");
    assert!(panic.expect("the panic is passed on").contains("the bomb went off"));
}

#[test]
fn a_request_for_one_thread_stays_on_it() {
    let state: State = LONG.parse().unwrap();
    let solved = || {
        let tuning = Tuning { alone: 10, ..bare().tuning };
        let settings = Settings { threads: 3, tuning, ..bare() };
        let bomb = Bomb(std::thread::current().id());
        let solver = Solver::new(state.board(), settings).unwrap().audited_by(Box::new(bomb));
        let solution = solver.ask(&state).threads(1).verdict();
        (solution.winner, solution.nodes)
    };
    // With one thread the nodes are the same each time.
    assert_eq!(solved(), solved());
    assert_eq!(solved().0, Some(Player::Black));
}

#[test]
fn moves_that_are_known_when_a_limit_comes_are_told() {
    // Who wins after b2 is known by symmetry; the answer to it must be searched for.
    let state: State = "3x3".parse().unwrap();
    let theory = Options { colour_symmetry: true, dominated_symmetry: true, ..Options::NONE };
    let solver = || Solver::new(state.board(), Settings { theory, ..bare() }).unwrap();
    let moves = |solver: &Solver, nodes| {
        let limits = Limits { nodes, ..Limits::default() };
        let mut decided = Vec::new();
        let (solution, reports) =
            solver.ask(&state).limits(&limits).on_move(|report| decided.push(*report)).moves();
        for report in reports.iter().filter(|report| report.value != MoveValue::Unknown) {
            assert!(decided.iter().any(|told| told.cell == report.cell && told.value == report.value));
        }
        (solution, reports)
    };
    let (whole, values) = moves(&solver(), None);
    let mut lost_without_answer = 0;
    for nodes in (1..whole.nodes).step_by((whole.nodes as usize / 50).max(1)) {
        let solver = solver();
        let (solution, reports) = moves(&solver, Some(nodes));
        assert!(solution.stopped.is_some());
        for (report, value) in reports.iter().zip(&values) {
            assert!(report.value == value.value || report.value == MoveValue::Unknown);
            let known = solver.known_winner(&state.play(report.cell)).is_some();
            assert!(report.value != MoveValue::Unknown || !known, "{nodes}: {:?} is known", report.cell);
            lost_without_answer +=
                usize::from(report.value == MoveValue::Loss && report.refutation.is_none());
        }
    }
    // The limit did come while an answer was looked for.
    assert!(lost_without_answer > 0);
}
