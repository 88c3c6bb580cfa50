//! The JSON objects that answers are. Keys come out in the order in which they are written here.

use std::time::Duration;

use rex_game::{Board, Cell, CellSet, Player, State};
use rex_search::{MoveReport, MoveValue, Progress, Solution, Solver};
use serde_json::{Map, Value, json};

/// The version of these shapes.
pub const V: u32 = 1;

/// The object with the version in front, where it is in all of them.
pub fn versioned(object: Value) -> Value {
    let mut whole = Map::from_iter([("v".to_owned(), V.into())]);
    if let Value::Object(rest) = object {
        whole.extend(rest);
    }
    whole.into()
}

/// Adds a key that only some objects have.
pub fn add(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}

/// `solrex solve`.
pub fn solve(state: &State, solution: &Solution) -> Value {
    let board = state.board();
    let mut object = json!({
        "position": state.to_string(),
        "to_move": state.to_move.to_string(),
        "winner": solution.winner.map(|player| player.to_string()),
        "best": solution.best.map(|cell| board.name(cell)),
        "pv": names(board, solution.pv.iter().copied()),
        "nodes": solution.nodes,
        "struck": solution.struck,
        "seconds": seconds(solution.time),
    });
    // Whether the winner is known from the book, why the line of play ends there, if it was not cut off, and which limit
    // stopped the search.
    add(&mut object, "book", solution.book.then_some(true));
    add(&mut object, "pv_end", solution.pv_end.map(|end| end.word()));
    add(&mut object, "stopped", solution.stopped.map(|reason| reason.word()));
    object
}

/// `solrex solve --verdict-only`, perhaps by an argument that names no move.
pub fn verdict(state: &State, solution: &Solution, existence: bool) -> Value {
    let mut object = solve(state, solution);
    add(&mut object, "existence", existence.then_some(true));
    object
}

/// `solrex moves`.
pub fn moves(state: &State, solution: &Solution, reports: &[MoveReport], replies: bool) -> Value {
    let board = state.board();
    let map = |value: &dyn Fn(&MoveReport) -> Option<Value>| -> Map<String, Value> {
        reports.iter().filter_map(|report| Some((board.name(report.cell), value(report)?))).collect()
    };
    let mut object = solve(state, solution);
    object["moves"] = map(&|report| Some(word(report.value).into())).into();
    object["refutations"] = map(&|report| Some(board.name(report.refutation?).into())).into();
    add(&mut object, "replies", replies.then(|| map(&|report| Some(report.replies?.into()))));
    object
}

/// One line of `solrex openings`.
pub fn opening(board: Board, cell: Cell, solution: &Solution) -> Value {
    let mut object = json!({
        "move": board.name(cell),
        "winner": solution.winner.map(|player| player.to_string()),
        "nodes": solution.nodes,
        "struck": solution.struck,
        "seconds": seconds(solution.time),
    });
    add(&mut object, "book", solution.book.then_some(true));
    add(&mut object, "stopped", solution.stopped.map(|reason| reason.word()));
    object
}

/// The word for a value.
pub fn word(value: MoveValue) -> &'static str {
    match value {
        MoveValue::Win => "win",
        MoveValue::Loss => "loss",
        MoveValue::Unknown => "unknown",
    }
}

/// The names of cells.
pub fn names(board: Board, cells: impl IntoIterator<Item = Cell>) -> Vec<String> {
    cells.into_iter().map(|cell| board.name(cell)).collect()
}

/// How a search is doing, and by which shares its numbers have changed of late.
pub fn progress(board: Board, progress: &Progress, trend: Option<[f64; 2]>) -> Value {
    let ([black, white], [decided, open]) = (progress.bounds, progress.replies);
    let share = |permille: u32| f64::from(permille) / 1000.0;
    let mut object = json!({
        "event": "progress",
        "seconds": seconds(progress.elapsed),
        "nodes": progress.nodes,
        "black": black,
        "white": white,
        "decided": decided,
        "moves": decided + open,
        "table": share(progress.table_permille),
        "reasons": share(progress.reasons_permille),
        "line": names(board, progress.line.iter().copied()),
    });
    add(
        &mut object,
        "trend",
        trend.map(|trend| trend.map(|share| (1000.0 * share).round() / 1000.0).to_vec()),
    );
    object
}

/// `Black` or `White`.
pub fn name(player: Player) -> &'static str {
    match player {
        Player::Black => "Black",
        Player::White => "White",
    }
}

/// Seconds to the microsecond.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// Stores an answer with all its parts: the line of play, every move with its refutation, and the replies that were
/// counted. The search itself only stores expensive positions, so some of this would have to be searched again.
pub fn keep_answer(solver: &Solver, state: &State, solution: &Solution, reports: &[MoveReport]) {
    let mut along = *state;
    for &cell in &solution.pv {
        solver.keep(&along, Some(cell));
        along = along.play(cell);
    }
    solver.keep(&along, None);
    for report in reports {
        let child = state.play(report.cell);
        solver.keep(&child, report.refutation);
        let answers = if report.replies.is_some() { child.moves() } else { CellSet::EMPTY };
        for cell in report.refutation.into_iter().chain(answers) {
            solver.keep(&child.play(cell), None);
        }
    }
}
