//! Facts from the literature, and from longer computations, that every version must reproduce.

use std::time::Duration;

use rex_game::{Board, Cell, Player, State};
use rex_oracle::testing::{ENDLESS, LONG};
use rex_search::{Limits, MoveValue, Settings, Solver, StopReason};

use crate::hard::bare;

fn solver(board: Board) -> Solver {
    Solver::new(board, Settings { memory: 1 << 26, ..Settings::default() }).unwrap()
}

/// The cells with this value, by name.
fn moves(text: &str, value: MoveValue) -> Vec<String> {
    let state: State = text.parse().unwrap();
    let solver = solver(state.board());
    let (_, reports) = solver.ask(&state).moves();
    reports
        .iter()
        .filter(|report| report.value == value)
        .map(|report| state.board().name(report.cell))
        .collect()
}

/// Names in the order of the board.
fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    names.sort_by_key(|name| (name[1..].to_owned(), name[..1].to_owned()));
    names
}

#[test]
fn small_openings() {
    assert_eq!(moves("2x2", MoveValue::Win), names("a1 b2"));
    assert_eq!(moves("3x3", MoveValue::Win), names(""));
    assert_eq!(moves("4x4", MoveValue::Loss), names("c2 b3"));
}

#[test]
fn the_story_of_the_4x4_opening_d1() {
    assert_eq!(moves("4x4 d1", MoveValue::Win), names(""));
    assert_eq!(moves("4x4 d1 a1", MoveValue::Win), names("a2 c1"));
    assert_eq!(moves("4x4 d1 c1", MoveValue::Win), names("a1 b2 d4"));
    assert_eq!(moves("4x4 c2", MoveValue::Win), names("a1 b1 a2 b2 d2 a3 d3 b4 d4"));
    let state: State = "4x4 d1".parse().unwrap();
    let (solution, reports) = solver(state.board()).ask(&state).counting_replies(true).moves();
    assert_eq!(solution.winner, Some(Player::Black));
    assert_eq!(solution.best.map(|cell| state.board().name(cell)).as_deref(), Some("a1"));
    let fewest = reports.iter().filter_map(|report| report.replies).min();
    assert_eq!(fewest, Some(2));
    assert_eq!(reports.iter().filter(|report| report.replies == Some(2)).count(), 1);
}

#[test]
fn losing_replies_of_black_on_5x5() {
    let expected =
        [("a1 a4 e2 e5", "d2 c3 b4"), ("a2 a3", "d2 c3"), ("e3 e4", "c3 b4"), ("c1", "d2"), ("c5", "b4")];
    let board = Board::new(5, 5).unwrap();
    let solver = solver(board);
    for opening in board.cells() {
        let state = State { to_move: Player::White, ..State::new(board) }.play(opening);
        let name = board.name(opening);
        let losing = expected.iter().find(|(openings, _)| openings.split(' ').any(|o| o == name));
        let losing: Vec<Cell> = losing
            .map_or("", |(_, replies)| replies)
            .split_whitespace()
            .map(|reply| board.cell_named(reply).unwrap())
            .collect();
        for reply in state.moves() {
            let winner = solver.ask(&state.play(reply)).verdict().winner;
            let expected = if losing.contains(&reply) { Player::White } else { Player::Black };
            assert_eq!(winner, Some(expected), "White {name}, Black {}", board.name(reply));
        }
    }
}

#[test]
fn who_wins_the_empty_board() {
    for side in [1, 2, 3, 4, 5, 6, 8] {
        let board = Board::new(side, side).unwrap();
        let solver = solver(board);
        for to_move in Player::BOTH {
            let state = State { to_move, ..State::new(board) };
            let expected = if side % 2 == 0 { to_move } else { !to_move };
            assert_eq!(solver.ask(&state).verdict().winner, Some(expected), "{state}");
        }
    }
}

/// Every board that is not square, and the player whose sides are further apart.
fn longer_boards() -> impl Iterator<Item = (Board, Player)> {
    let sizes = (1..=64).flat_map(|rows| (1..=26).map(move |cols| (rows, cols)));
    sizes.filter(|(rows, cols)| rows != cols && rows * cols <= 64).map(|(rows, cols)| {
        let further = if rows > cols { Player::Black } else { Player::White };
        (Board::new(rows, cols).unwrap(), further)
    })
}

#[test]
fn boards_that_are_not_square_are_solved_at_once() {
    for (board, further) in longer_boards() {
        let solver = Solver::new(board, Settings { memory: 1 << 20, ..Settings::default() }).unwrap();
        for to_move in Player::BOTH {
            let state = State { to_move, ..State::new(board) };
            let solution = solver.ask(&state).solve();
            assert_eq!(solution.winner, Some(further), "{state}");
            assert!(solution.best.is_some() && solution.nodes <= 10, "{state}: {solution:?}");
        }
    }
}

/// Proposition 23. An opening of a board with an odd number of cells wins if it leaves `near + 1` lines alone.
#[test]
fn openings_that_win_by_a_mirror_pairing() {
    for (board, further) in longer_boards() {
        let solver = Solver::new(board, Settings { memory: 1 << 20, ..Settings::default() }).unwrap();
        let (near, far) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
        let empty = State { to_move: further, ..State::new(board) };
        for cell in board.cells() {
            let (row, col) = board.coordinates(cell);
            let line = if further == Player::Black { row } else { col };
            let misses_a_part = line > near || line + near + 1 < far;
            if board.len() % 2 == 0 || misses_a_part {
                let solution = solver.ask(&empty.play(cell)).verdict();
                assert_eq!((solution.winner, solution.nodes <= 1), (Some(further), true), "{empty} {cell:?}");
            }
        }
    }
}

#[test]
fn openings_of_odd_boards_that_are_not_square() {
    assert_eq!(moves("5x3", MoveValue::Loss), names("b2 b4"));
    assert_eq!(moves("7x3", MoveValue::Loss), names(""));
    // Of 7x5 those that take few nodes. All of them are in docs/results.md.
    for (opening, expected) in
        [("a1", Player::Black), ("c2", Player::White), ("d2", Player::White), ("c3", Player::White)]
    {
        let state: State = format!("7x5 {opening}").parse().unwrap();
        assert_eq!(solver(state.board()).ask(&state).verdict().winner, Some(expected), "{opening}");
    }
}

#[test]
fn a_long_search_is_stopped_by_each_limit() {
    let state: State = ENDLESS.parse().unwrap();
    let solver = Solver::new(state.board(), bare()).unwrap();
    let nodes = Limits { nodes: Some(500), ..Limits::default() };
    let solution = solver.ask(&state).limits(&nodes).solve();
    assert_eq!((solution.winner, solution.stopped, solution.nodes), (None, Some(StopReason::Nodes), 500));
    let time = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    assert_eq!(solver.ask(&state).limits(&time).solve().stopped, Some(StopReason::Time));
    let cancel = Limits { cancel: Some(std::sync::Arc::new(true.into())), ..Limits::default() };
    assert_eq!(solver.ask(&state).limits(&cancel).solve().stopped, Some(StopReason::Interrupt));
}

/// Whoever has counted them, they are nodes of the one search: for the limit, for the listener, and for the work that a
/// position has taken.
#[test]
fn the_nodes_of_all_threads_count() {
    let [endless, long]: [State; 2] = [ENDLESS, LONG].map(|position| position.parse().unwrap());
    let settings = Settings { threads: 2, remember: Some(100), ..bare() };
    let solver = |state: &State| Solver::new(state.board(), settings.clone()).unwrap();
    let limits = Limits { nodes: Some(3000), ..Limits::default() };
    let mut shown = 0;
    let stopped = solver(&endless)
        .ask(&endless)
        .limits(&limits)
        .on_progress(|progress| {
            assert!(progress.nodes >= shown, "{shown} and then {}", progress.nodes);
            shown = progress.nodes;
        })
        .verdict();
    assert_eq!(stopped.stopped, Some(StopReason::Nodes));
    assert!((3000..3200).contains(&stopped.nodes), "{}", stopped.nodes);
    let solver = solver(&long);
    let whole = solver.ask(&long).verdict();
    let most = solver.take_solved().iter().map(|solved| solved.nodes).max().unwrap();
    assert!(most <= whole.nodes && most + 500 > whole.nodes, "{most} of {}", whole.nodes);
}

#[test]
fn images_of_a_state_have_the_same_winner() {
    let state: State = "5x5 a1 d2 c3".parse().unwrap();
    let solver = solver(state.board());
    let winner = solver.ask(&state).verdict().winner.unwrap();
    for &symmetry in rex_game::Symmetry::of(state.board()) {
        let image = state.image(symmetry);
        let expected = if symmetry.swaps_colours() { !winner } else { winner };
        assert_eq!(solver.ask(&image).verdict().winner, Some(expected));
    }
}

/// It is the most promising move that is searched, move by move, and not one move to its end: some answer to each opening is
/// decided at once, by symmetry or a pairing, and others take millions of nodes.
#[test]
fn a_winner_by_symmetry_is_given_a_move_at_once() {
    let board = Board::new(7, 7).unwrap();
    for opening in ["e1", "b3", "g1", "d4"] {
        let state: State = format!("7x7 {opening}").parse().unwrap();
        let limits = Limits { nodes: Some(2000), ..Limits::default() };
        let solution = solver(board).ask(&state).limits(&limits).solve();
        assert_eq!(solution.winner, Some(Player::White), "{opening}");
        let best = solution.best.unwrap_or_else(|| panic!("no answer to {opening}"));
        let after = solver(board).ask(&state.play(best)).limits(&limits).verdict();
        assert_eq!(after.winner, Some(Player::White), "{opening} {best:?}");
    }
}
