//! `solrex puzzles`.

use std::collections::HashSet;

use crate::common::{Run, SMALL, run, search};
use rex_game::{Cell, CellSet, State};
use rex_search::{MoveReport, Settings, Solver};
use serde_json::{Value, json};

fn puzzles(args: &[&str]) -> Run {
    let run = run(&[&["puzzles"][..], args, &SMALL].concat(), b"");
    assert_eq!(run.code, Some(0), "{args:?} {}", run.err);
    run
}

/// Where a value has one of these words.
fn cells(moves: &Value, word: &str) -> Vec<String> {
    let moves = moves.as_object().unwrap().iter();
    moves.filter(|(_, value)| *value == word).map(|(name, _)| name.clone()).collect()
}

#[test]
fn a_puzzle_has_the_solutions_it_says() {
    for (size, most, count) in [("4x4", "1", "3"), ("4x4", "2", "2"), ("4x5", "2", "1")] {
        let run = puzzles(&[size, "--count", count, "--max-winning", most, "--json"]);
        let lines = run.lines();
        assert!(!lines.is_empty(), "{size}");
        let mut seen = HashSet::new();
        for puzzle in &lines {
            let position = puzzle["position"].as_str().unwrap();
            assert!(seen.insert(position.to_owned()), "{position}");
            let answer = &search(&["moves", "--json", position]).lines()[0];
            let mut wins = cells(&answer["moves"], "win");
            wins.sort();
            let mut solutions: Vec<String> = serde_json::from_value(puzzle["solutions"].clone()).unwrap();
            solutions.sort();
            assert_eq!(solutions, wins, "{position}");
            assert!(solutions.len() <= most.parse().unwrap(), "{position}");
            let failing = puzzle["failing"].as_object().unwrap();
            assert!(failing.len() >= 3, "{position}");
            for (name, line) in failing {
                assert_eq!(answer["moves"][name], "loss", "{position} {name}");
                assert!(line[0].is_string(), "{position} {name}");
            }
            assert_eq!(puzzle["line"][0], puzzle["solutions"][0], "{position}");
        }
        let hard: Vec<u64> = lines.iter().map(|puzzle| puzzle["difficulty"].as_u64().unwrap()).collect();
        assert!(hard.is_sorted(), "{hard:?}");
    }
}

/// Every turn has the winning moves it says, every wrong move the refutation, and no defence leaves fewer winning replies.
fn verify(solver: &Solver, puzzle: &Value) {
    let start: State = puzzle["position"].as_str().unwrap().parse().unwrap();
    let cell = |name: &Value| {
        let moves = start.parse_moves(name.as_str().unwrap()).unwrap();
        moves[0]
    };
    let line: Vec<Cell> = puzzle["line"].as_array().unwrap().iter().map(cell).collect();
    let turns = puzzle["turns"].as_array().unwrap();
    assert!(turns.len() >= 2 && line.len().div_ceil(2) == turns.len(), "{start}");
    assert_eq!(turns[0]["wins"], puzzle["solutions"], "{start}");
    assert_eq!(turns[0]["wins"].as_array().unwrap().len(), 1, "{start}");
    assert!(turns[0]["fails"].as_object().unwrap().len() >= 3, "{start}");
    let wins = |state: &State| solver.ask(state).verdict().winner == Some(state.to_move);
    let mut state = start;
    for (i, &played) in line.iter().enumerate() {
        if i % 2 == 0 {
            let turn = &turns[i / 2];
            let good: CellSet = state.moves().into_iter().filter(|&cell| !wins(&state.play(cell))).collect();
            let good: CellSet =
                good.into_iter().filter(|&cell| state.play(cell).position.winner().is_none()).collect();
            let said: CellSet = turn["wins"].as_array().unwrap().iter().map(cell).collect();
            assert!(said == good && good.has(played), "{start}, turn {i}");
            let fails = turn["fails"].as_object().unwrap();
            assert!(!fails.is_empty(), "{start}: nothing can go wrong in turn {i}");
            for (name, reply) in fails {
                let after = state.play(cell(&json!(name)));
                assert!(!wins(&after.play(cell(reply))), "{start}: {reply} does not refute {name}");
            }
        } else {
            let (_, reports) = solver.ask(&state).counting_replies(true).moves();
            let goes_on = |report: &&MoveReport| state.play(report.cell).position.winner().is_none();
            let fewest = reports.iter().filter(goes_on).map(|report| report.replies.unwrap()).min();
            let here = reports.iter().find(|report| report.cell == played).unwrap();
            assert!(fewest.is_none() || here.replies == fewest, "{start}: a better defence in move {i}");
        }
        state = state.play(played);
    }
}

#[test]
fn every_puzzle_of_the_page_is_one() {
    let puzzles: Vec<Value> = include_str!("../../../../web/puzzles.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(puzzles.len() >= 60, "{}", puzzles.len());
    let mut seen = HashSet::new();
    for size in ["3x3", "4x4", "5x5", "6x6"] {
        let solver =
            Solver::new(size.parse().unwrap(), Settings { memory: 1 << 26, ..Settings::default() }).unwrap();
        let mut count = 0;
        for puzzle in &puzzles {
            let state: State = puzzle["position"].as_str().unwrap().parse().unwrap();
            if state.board() == solver.board() {
                count += 1;
                assert!(seen.insert(state.canonical().0), "{state} is there twice");
                verify(&solver, puzzle);
            }
        }
        assert!(count >= 7, "{count} on {size}");
    }
    assert_eq!(seen.len(), puzzles.len(), "all sizes are tried");
    for grade in 1..=5 {
        let count = puzzles.iter().filter(|puzzle| puzzle["grade"] == grade).count();
        assert!(count >= 5, "{count} of grade {grade}");
    }
}

#[test]
fn a_seed_gives_the_same_puzzles_again() {
    let find = |seed| puzzles(&["4x4", "--count", "3", "--seed", seed, "--json"]).out;
    assert_eq!(find("5"), find("5"));
    assert_ne!(find("5"), find("6"));
}

#[test]
fn sheets_sgf_and_pictures_hold_all_puzzles() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (sgf, svg) = (format!("{folder}/puzzles.sgf"), format!("{folder}/puzzles.svg"));
    let args = ["4x4", "--count", "3", "--seed", "2"];
    let sheet = puzzles(&[&args[..], &["--sgf", &sgf, "--svg", &svg]].concat()).out;
    let json = puzzles(&[&args[..], &["--json"]].concat()).lines();
    assert_eq!(json.len(), 3);
    let (tasks, solutions) = sheet.split_once("Solutions\n").expect("solutions come after the puzzles");
    let starts = run(&["convert", &format!("@{sgf}"), "--at", "0", "--to", "ren"], b"").out;
    let positions: Vec<&str> = starts.lines().collect();
    for (i, puzzle) in json.iter().enumerate() {
        let position = puzzle["position"].as_str().unwrap();
        assert_eq!(positions[i], position);
        assert!(tasks.contains(&format!("{position}\n")), "{sheet}");
        let solution = puzzle["solutions"][0].as_str().unwrap();
        assert!(solutions.contains(&format!("{}. {solution}", i + 1)), "{sheet}");
    }
    // The main line begins with the solution, and what fails is in variations.
    let game = std::fs::read_to_string(&sgf).unwrap();
    assert_eq!(game.matches("TE[1]C[The solution.]").count(), 3);
    let failing: usize = json.iter().map(|puzzle| puzzle["failing"].as_object().unwrap().len()).sum();
    assert_eq!(game.matches("BM[1]C[Loses.]").count(), failing);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains("height=\"740\""), "a page of puzzles and one of solutions, a row each");
    assert_eq!(picture.matches("to play and win").count(), 3);
    let solved = picture.split_once(">Solutions<").expect("there is a page of solutions").1;
    assert_eq!(solved.matches("#7cc47f").count(), 3, "one green cell each, and only there");
    assert_eq!(picture.matches("#7cc47f").count(), 3);
}

/// The middle one of the paper's three puzzles: Black wins, but a1 leaves only a2 and c1.
#[test]
fn the_papers_middle_puzzle() {
    let line = &search(&["moves", "--replies", "--json", "4x4 d1"]).lines()[0];
    assert_eq!((&line["winner"], &line["best"]), (&json!("black"), &json!("a1")));
    for (name, replies) in line["replies"].as_object().unwrap() {
        let replies = replies.as_u64().unwrap();
        assert!(if name == "a1" { replies == 2 } else { replies >= 3 }, "{name} leaves {replies}");
    }
    assert_eq!(line["replies"]["c1"], 3);
    for (reply, wins) in [("d1 a1", "c1 a2"), ("d1 c1", "a1 b2 d4")] {
        let answer = &search(&["moves", "--json", &format!("4x4 {reply}")]).lines()[0];
        assert_eq!(cells(&answer["moves"], "win").join(" "), wins);
    }
}

#[test]
fn too_few_puzzles_are_admitted() {
    let run = puzzles(&["2x2", "--count", "2"]);
    assert_eq!(run.out, "");
    assert!(run.err.contains("only 0 of 2 puzzles found"), "{}", run.err);
}

#[test]
fn bad_wishes_are_refused() {
    for (args, says) in [
        (&["puzzles", "9x9"][..], "81 cells"),
        (&["puzzles", "4x4", "--count", "0"], "1..=1000"),
        (&["puzzles", "4x4", "--max-winning", "many"], "many"),
        (&["puzzles", "4x4", "--count", "1", "--sgf", "/no/such/file"], "cannot write '/no/such/file'"),
    ] {
        let run = run(args, b"");
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.err.contains(says), "{args:?}\n{}", run.err);
    }
}
