//! Searches with a budget: what they come back with is true, and they come to an end.

use rex_game::{Board, Player, State};
use rex_oracle::Oracle;
use rex_oracle::testing::{ENDLESS, LONG};
use rex_search::{Bounds, Entry, Limits, Node, Numbers, Part, Settings, Solved, Solver, StopReason, Work};

use crate::hard::bare;

fn solver(board: Board, threads: usize) -> Solver {
    let settings = Settings { memory: 1 << 22, threads, ..bare() };
    Solver::new(board, settings).unwrap()
}

/// Whether numbers that tell a winner tell the right one.
fn is_true(oracle: &Oracle, node: &Node, bounds: Bounds) -> bool {
    let winner = Part::of(oracle.winner(&node.field(oracle.board()).to_state()), node.last);
    bounds.winner().is_none_or(|told| told == winner)
}

#[test]
fn numbers_of_small_budgets_are_true_and_end_in_a_winner() {
    let oracle = Oracle::new(Board::new(3, 4).unwrap());
    for threads in [1, 3] {
        let (mut unfinished, mut moves) = (0, 0);
        let start = State::new(oracle.board());
        let openings = start.moves().into_iter().map(|cell| start.play(cell));
        let replies = openings.flat_map(|state| state.moves().into_iter().map(move |cell| state.play(cell)));
        for state in replies.step_by(3) {
            let solver = solver(oracle.board(), threads);
            let Ok(node) = solver.node_of(&state) else { continue };
            for round in 0.. {
                assert!(round < 10_000, "{state}: no end in sight");
                let explored = solver.at(&node).budget(20).explore().unwrap();
                assert!(is_true(&oracle, &node, explored.bounds), "{state}");
                for child in &explored.children {
                    assert!(is_true(&oracle, &child.node, child.bounds), "{state}");
                }
                if explored.bounds.winner().is_some() {
                    if let Some(best) = explored.best {
                        let after = node.field(oracle.board()).to_state().play(best);
                        let mover = node.field(oracle.board()).mover();
                        assert_eq!(oracle.winner(&after), mover, "{state}");
                        moves += 1;
                    }
                    break;
                }
                unfinished += 1;
            }
        }
        assert!(unfinished > 0 && moves > 0, "{unfinished} {moves}");
    }
}

#[test]
fn a_budget_is_kept_with_one_thread_and_with_several() {
    let state: State = ENDLESS.parse().unwrap();
    for threads in [1, 2] {
        let solver = solver(state.board(), threads);
        let node = solver.node_of(&state).unwrap();
        let explored = solver.at(&node).budget(3000).explore().unwrap();
        assert_eq!(explored.bounds.winner(), None);
        // Each thread may be one quantum over.
        assert!((3000..4000).contains(&explored.nodes), "{} nodes", explored.nodes);
        assert!(explored.children.len() > 10);
    }
}

#[test]
fn a_limit_ends_the_search() {
    let state: State = ENDLESS.parse().unwrap();
    for threads in [1, 2] {
        let solver = solver(state.board(), threads);
        let node = solver.node_of(&state).unwrap();
        let before = solver.at(&node).budget(1200).explore().unwrap();
        let Bounds { last, notlast } = before.bounds;
        let limit = Bounds { last: last + 1, notlast: notlast + 1 };
        let after = solver.at(&node).until(limit).budget(1_000_000).explore().unwrap();
        assert!(after.bounds.reaches(limit), "{:?}", after.bounds);
        assert!(after.bounds.winner().is_none(), "{:?}", after.bounds);
        assert!(after.nodes < 100_000, "{} nodes", after.nodes);
    }
}

/// Of two threads one may see the limit reached, and the other one come back after that with numbers that are below it
/// again. Nobody has interrupted the search then, and the numbers that reached the limit are the answer.
#[test]
fn a_limit_reached_for_a_moment_ends_the_search_of_two_threads() {
    let state: State = LONG.parse().unwrap();
    let solver = solver(state.board(), 2);
    let node = solver.node_of(&state).unwrap();
    let mut limit = Bounds { notlast: 2, ..Bounds::NO_LIMIT };
    for searches in 0.. {
        let explored = solver.at(&node).until(limit).explore().unwrap();
        assert!(explored.bounds.reaches(limit), "{:?} {limit:?}", explored.bounds);
        if explored.bounds.winner().is_some() {
            assert!(searches > 10, "{searches} searches");
            break;
        }
        let now = explored.bounds.notlast;
        limit.notlast = now + now / 8 + 1;
    }
}

#[test]
fn what_was_solved_elsewhere_spares_the_search() {
    let state: State = LONG.parse().unwrap();
    let asked = solver(state.board(), 1);
    let node = asked.node_of(&state).unwrap();
    let winner = asked.at(&node).explore().unwrap().bounds.winner();
    let told = solver(state.board(), 1);
    told.learn([Solved { node, winner: winner.unwrap(), best: None, nodes: 1000 }]);
    let explored = told.at(&node).budget(1).explore().unwrap();
    assert_eq!((explored.bounds.winner(), explored.nodes), (winner, 0));
}

#[test]
fn a_cancelled_search_says_so() {
    let state: State = ENDLESS.parse().unwrap();
    let solver = solver(state.board(), 1);
    let node = solver.node_of(&state).unwrap();
    let limits = Limits { cancel: Some(std::sync::Arc::new(true.into())), ..Limits::default() };
    assert_eq!(solver.at(&node).budget(1000).limits(&limits).explore(), Err(StopReason::Interrupt));
}

#[test]
fn a_position_of_another_board_is_an_error_and_no_panic() {
    let [state, other]: [State; 2] = ["4x4 d1", "3x3 b2"].map(|position| position.parse().unwrap());
    let solver = solver(state.board(), 1);
    assert_eq!(solver.ask(&other).solve().stopped, Some(StopReason::Board));
    assert_eq!(solver.ask(&other).moves().0.stopped, Some(StopReason::Board));
    let proof = solver.proof(&other, Player::White).prove();
    assert!(proof.is_err_and(|error| error.to_string() == "stopped by a limit: board"));
    // To fill it in takes no search.
    assert_eq!(solver.node_of(&other), self::solver(other.board(), 1).node_of(&other));
}

#[test]
fn a_game_that_is_over_has_no_node() {
    let state: State = "b1/b1 w".parse().unwrap();
    assert_eq!(solver(state.board(), 1).node_of(&state), Err(Player::White));
}

#[test]
fn who_hears_what_another_has_met_goes_on_where_it_stopped() {
    let state: State = LONG.parse().unwrap();
    let noting = || Solver::new(state.board(), Settings { note: Some(1), ..bare() }).unwrap();
    let (first, second, alone) = (noting(), noting(), noting());
    let node = first.node_of(&state).unwrap();
    let explore = |solver: &Solver, budget| solver.at(&node).budget(budget).explore().unwrap();
    let whole = explore(&alone, u64::MAX);
    let half = explore(&first, whole.nodes / 2);
    assert_eq!(half.bounds.winner(), None);
    let met = first.numbers(first.take_met());
    assert!(met.iter().any(|numbers| numbers.entry.bounds.winner().is_some()));
    assert!(met.iter().any(|numbers| numbers.node == node && numbers.entry.bounds.winner().is_none()));
    assert!(first.take_met().is_empty());
    second.learn_met(met);
    let rest = explore(&second, u64::MAX);
    assert_eq!(rest.bounds, whole.bounds);
    // The first has visited the others.
    assert!(
        half.nodes + rest.nodes <= whole.nodes + whole.nodes / 10,
        "{} {} {}",
        half.nodes,
        rest.nodes,
        whole.nodes
    );
    // What is decided is not made undecided again.
    let known = second.known_winner(&state);
    second.learn_met(first.numbers(first.take_met()));
    second.learn_met([Numbers { node, entry: Entry { bounds: Bounds::UNKNOWN, work: Work::of(u64::MAX) } }]);
    assert_eq!(second.known_winner(&state), known);
}
