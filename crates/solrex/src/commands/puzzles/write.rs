//! Puzzles as text, JSON, SGF and pictures.

use std::fmt::Write;

use rex_answers::svg::{self, Drawing, Figure, Look};
use rex_game::sgf::{Collection, SgfNode};
use rex_game::{Action, ActionKind, Board, Cell, State};
use serde_json::{Map, Value, json};

use super::find::Puzzle;
use super::line::Turn;
use crate::show::style::{self, paint};
use crate::show::text::{self, cells, name, names};

/// The sheet: the puzzles, then their solutions.
pub fn text(puzzles: &[Puzzle]) -> String {
    let mut text = String::new();
    for (i, puzzle) in puzzles.iter().enumerate() {
        let _ = writeln!(text, "{}\n", paint(style::STRONG, format!("{}. {}", i + 1, task(puzzle))));
        text += &text::board(&puzzle.state, |_| None);
        let _ = writeln!(text, "{}\n", puzzle.state);
    }
    if !puzzles.is_empty() {
        let _ = writeln!(text, "{}\n", paint(style::STRONG, "Solutions"));
    }
    for (i, puzzle) in puzzles.iter().enumerate() {
        let board = puzzle.state.board();
        let _ = writeln!(text, "{:>3}. {}, {}", i + 1, answer(puzzle), difficulty(puzzle));
        let failing = puzzle.failing.iter().map(|(cell, line)| refuted(board, *cell, line));
        let _ = write!(text, "     Not:\n{}", text::wrapped(failing, 5));
    }
    text
}

/// `White to play: find the only winning move, and 2 more moves`.
fn task(puzzle: &Puzzle) -> String {
    let mover = name(puzzle.state.to_move);
    let first = match puzzle.solutions().len() {
        1 => "the only winning move".to_owned(),
        n => format!("one of {n} winning moves"),
    };
    let more = text::count(puzzle.turns.len().saturating_sub(1) as u64, "more move");
    format!("{mover} to play: find {first}, and {more}")
}

/// `grade 3, difficulty 12`.
fn difficulty(puzzle: &Puzzle) -> String {
    format!("grade {}, difficulty {}", puzzle.grade(), puzzle.difficulty())
}

fn answer(puzzle: &Puzzle) -> String {
    let board = puzzle.state.board();
    match puzzle.line.get(1) {
        Some(_) => format!(
            "{} (and then {})",
            cells(board, puzzle.solutions()),
            cells(board, puzzle.line[1..].iter().copied())
        ),
        None => cells(board, puzzle.solutions()),
    }
}

/// `b2(c3)`: a move and its refutation.
fn refuted(board: Board, cell: Cell, line: &[Cell]) -> String {
    match line.first() {
        Some(&reply) => format!("{}({})", board.name(cell), board.name(reply)),
        None => board.name(cell),
    }
}

/// One puzzle as a JSON object.
pub fn object(number: usize, puzzle: &Puzzle) -> Value {
    let board = puzzle.state.board();
    let failing: Map<String, Value> = puzzle
        .failing
        .iter()
        .map(|(cell, moves)| (board.name(*cell), names(board, moves.iter().copied()).into()))
        .collect();
    let turn = |turn: &Turn| {
        let reply = |&(cell, reply): &(Cell, Option<Cell>)| {
            (board.name(cell), reply.map(|reply| board.name(reply)).into())
        };
        let fails: Map<String, Value> = turn.fails.iter().map(reply).collect();
        json!({ "wins": names(board, turn.wins), "fails": fails })
    };
    json!({
        "number": number,
        "position": puzzle.state.to_string(),
        "to_move": puzzle.state.to_move.to_string(),
        "solutions": names(board, puzzle.solutions()),
        "line": names(board, puzzle.line.iter().copied()),
        "failing": failing,
        "turns": puzzle.turns.iter().map(turn).collect::<Vec<_>>(),
        "difficulty": puzzle.difficulty(),
        "grade": puzzle.grade(),
        "nodes": puzzle.nodes,
    })
}

/// One game per puzzle: the solution first, then other solutions, then failing moves.
pub fn sgf(puzzles: &[Puzzle]) -> String {
    let mut games = Collection::default();
    for (i, puzzle) in puzzles.iter().enumerate() {
        let start = games.add_game(&puzzle.state);
        games.set_info("GN", &format!("Puzzle {}", i + 1));
        games.set(start, "C", [task(puzzle)]);
        add_line(&mut games, start, &puzzle.state, &puzzle.line, "TE", "The solution.");
        for cell in puzzle.solutions().into_iter().skip(1) {
            add_line(&mut games, start, &puzzle.state, &[cell], "TE", "Also wins.");
        }
        for (cell, refutation) in &puzzle.failing {
            let line: Vec<Cell> = [&[*cell], &refutation[..]].concat();
            add_line(&mut games, start, &puzzle.state, &line, "BM", "Loses.");
        }
    }
    games.to_string()
}

/// Adds moves below a node. The first of them gets a mark (a good or a bad move) and a remark.
fn add_line(
    games: &mut Collection,
    mut node: SgfNode,
    state: &State,
    moves: &[Cell],
    mark: &str,
    remark: &str,
) {
    let mut player = state.to_move;
    for (number, &cell) in moves.iter().enumerate() {
        node = games.add_action(node, state.board(), Action { player, kind: ActionKind::Play(cell) });
        if number == 0 {
            games.set(node, mark, ["1"]);
            games.set(node, "C", [remark]);
        }
        player = !player;
    }
}

/// Pages of puzzles, then pages of solutions.
pub fn svg(board: Board, puzzles: &[Puzzle]) -> String {
    let plain = |_: Cell| Look::default();
    let puzzle_looks: Vec<_> = puzzles
        .iter()
        .map(|puzzle| {
            move |cell: Cell| {
                let fails = puzzle.failing.iter().any(|(failing, _)| *failing == cell);
                let fill = match puzzle.solutions().has(cell) {
                    true => svg::GREEN,
                    false if fails => svg::RED,
                    false => svg::BLANK,
                };
                Look { fill, ..Look::default() }
            }
        })
        .collect();
    let number = |i: usize| format!("{}.", i + 1);
    let tasks = puzzles.iter().enumerate().map(|(i, puzzle)| Figure {
        drawing: Drawing { position: &puzzle.state.position, look: &plain, arrows: &[], links: &[] },
        notes: vec![format!("{} {} to play and win", number(i), name(puzzle.state.to_move))],
    });
    let solutions = puzzles.iter().zip(&puzzle_looks).enumerate().map(|(i, (puzzle, look))| Figure {
        drawing: Drawing { position: &puzzle.state.position, look, arrows: &[], links: &[] },
        notes: vec![format!("{} {}", number(i), cells(board, puzzle.solutions())), difficulty(puzzle)],
    });
    svg::sheet(
        &format!("Rex puzzles on {board}"),
        &[
            ("Whoever connects their own two sides loses.", tasks.collect()),
            ("Solutions", solutions.collect()),
        ],
    )
}
