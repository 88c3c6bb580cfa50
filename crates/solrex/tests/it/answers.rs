//! What the commands answer, in JSON and in text.

use crate::common::{BARE, ENDLESS, LONG, LONG_NODES, Run, SMALL, fresh, run, search, search_bare};
use rex_theory::{OptionKind, Options};
use serde_json::{Value, json};

/// The winning moves that `solrex moves` finds.
fn winning(position: &str) -> Vec<String> {
    let run = search(&["moves", "--json", position]);
    assert_eq!(run.code, Some(0), "{position} {}", run.err);
    let moves = run.lines()[0]["moves"].as_object().unwrap().clone();
    moves.into_iter().filter(|(_, value)| value == "win").map(|(name, _)| name).collect()
}

#[test]
fn golden_moves_of_small_boards() {
    for (position, wanted) in [
        ("2x2", "a1 b2"),
        ("3x3", ""),
        ("4x4", "a1 b1 c1 d1 a2 b2 d2 a3 c3 d3 a4 b4 c4 d4"),
        ("4x4 d1 a1", "c1 a2"),
        ("4x4 d1 c1", "a1 b2 d4"),
        ("4x4 c2", "a1 b1 a2 b2 d2 a3 d3 b4 d4"),
    ] {
        assert_eq!(winning(position).join(" "), wanted, "{position}");
    }
}

#[test]
fn solve_has_the_keys_in_order() {
    let run = search(&["solve", "--json", "4x4", "d1"]);
    assert_eq!(run.code, Some(0));
    let line = &run.lines()[0];
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["v", "position", "to_move", "winner", "best", "pv", "nodes", "struck", "seconds", "pv_end"]
    );
    assert_eq!(line["v"], 1);
    assert_eq!(line["position"], "3b/4/4/4 w");
    assert_eq!((&line["to_move"], &line["winner"]), (&json!("white"), &json!("black")));
    assert!(line["pv"].as_array().unwrap().contains(&line["best"]));
    assert!(line["nodes"].is_u64() && line["seconds"].is_f64());
}

#[test]
fn a_line_of_play_says_why_it_ends() {
    let store = fresh("line-end.redb");
    // Then who wins is known, and not how it goes on to the end.
    search_bare(&["solve", "--verdict-only", LONG, "--db", &store]);
    for (args, end, says) in [
        (&["4x4 c2"][..], "pairing", " (then a pairing decides)\n"),
        (&["2/b1 w"], "fill-in", "Line of play: b2 (then fill-in decides)\n"),
        (
            &["3w1/5/5/b4/5 b", "--no-exact-pairing"],
            "symmetry",
            " (then symmetry decides, which names no move)\n",
        ),
        (&["wb/2 b"], "over", "Line of play: a2\n"),
        (&["b1/b1 w"], "over", "Black has connected her two sides.\n"),
        (&[&[LONG, "--db", &store], &BARE[4..]].concat(), "unknown", " (the rest was not searched)\n"),
    ] {
        let args = [&["solve"], args].concat();
        let json = search(&[&args[..], &["--json"]].concat());
        assert_eq!(json.lines()[0]["pv_end"], end, "{args:?} {}", json.out);
        let text = search(&args);
        assert!(text.out.ends_with(says), "{args:?} {}", text.out);
    }
    // What was not asked for, or was cut off, has no end.
    for args in [&["4x4 d1 a1", "--verdict-only"][..], &[ENDLESS, "--nodes", "1"]] {
        let line = &search_bare(&[&["solve", "--json"], args].concat()).lines()[0];
        assert_eq!(line.get("pv_end"), None, "{line}");
    }
}

#[test]
fn moves_has_a_value_for_every_cell_and_an_answer_for_every_loss() {
    let run = search(&["moves", "--json", "--replies", "4x4 d1 a1"]);
    let line = &run.lines()[0];
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    let wanted = ["v", "position", "to_move", "winner", "best", "pv", "nodes", "struck", "seconds"];
    assert_eq!(keys[..9], wanted);
    assert_eq!(keys[9..], ["pv_end", "moves", "refutations", "replies"]);
    let moves = line["moves"].as_object().unwrap();
    assert_eq!(moves.len(), 14);
    for (name, value) in moves {
        let lost = value == "loss";
        assert_eq!(line["refutations"].get(name).is_some(), lost, "{name}");
        assert_eq!(line["replies"].get(name).is_some_and(|n| n.as_u64() > Some(0)), lost, "{name}");
    }
}

#[test]
fn replies_choose_the_hardest_losing_move() {
    let run = search(&["moves", "--json", "--replies", "3x3"]);
    let line = &run.lines()[0];
    let replies = line["replies"].as_object().unwrap();
    let fewest = replies.values().filter_map(Value::as_u64).min();
    assert_eq!(line["winner"], "white");
    assert_eq!(replies[line["best"].as_str().unwrap()].as_u64(), fewest);
    // Whoever joins has lost at once: that leaves no answer, and is no choice.
    let line = &search(&["moves", "--json", "--replies", "bw1/b2/3 b"]).lines()[0];
    assert_eq!((&line["winner"], &line["moves"]["a3"]), (&json!("white"), &json!("loss")));
    assert_eq!((line["replies"].get("a3"), line["refutations"].get("a3")), (None, None));
    assert_eq!(line["replies"][line["best"].as_str().unwrap()], 2);
    assert_eq!(line["pv"][0], line["best"]);
}

#[test]
fn a_finished_game_has_a_winner_and_no_moves() {
    let line = &search(&["moves", "--json", "b1/b1 w"]).lines()[0];
    assert_eq!(line["winner"], "white");
    assert_eq!((&line["best"], &line["pv"], &line["moves"]), (&Value::Null, &json!([]), &json!({})));
    let run = search(&["solve", "b1/b1 w"]);
    assert!(run.out.contains("White wins: Black has connected her two sides."), "{}", run.out);
    let line = &run_json(&["explain", "--json", "b1/b1 w"]);
    assert_eq!((&line["winner"], &line["reason"]), (&json!("white"), &json!("joined")));
}

#[test]
fn a_move_that_joins_is_a_loss_without_answer() {
    let line = &search(&["moves", "--json", "b1/2 b"]).lines()[0];
    assert_eq!(line["moves"]["a2"], "loss");
    assert_eq!(line["refutations"].get("a2"), None);
}

#[test]
fn a_loss_is_said_to_connect_only_where_it_does() {
    // Symmetry decides a move of the former, which connects nothing, and a3 of the latter joins.
    let by_symmetry = search(&["moves", ENDLESS, "--nodes", "1000"]).out;
    assert!(by_symmetry.contains("1 losing move\n"), "{by_symmetry}");
    assert!(!by_symmetry.contains("connects") && !by_symmetry.contains("refutes"), "{by_symmetry}");
    let joining = search(&["moves", "bw1/b2/3 b"]).out;
    assert!(joining.contains("a3(connects)") && joining.contains("each with a reply"), "{joining}");
}

#[test]
fn what_is_not_there_is_not_counted() {
    // White loses with every move, and Black has no move that loses.
    let said = search(&["moves", "3b/4/4/4 w"]).out;
    assert!(said.contains("15 losing moves") && !said.contains("winning"), "{said}");
}

#[test]
fn short_forms_are_those_of_solve() {
    let whole = search(&["solve", "--json", "--verdict-only", "4x4", "d1"]).lines()[0]["position"].clone();
    let rows = "3b/4/4/4 w";
    for short in
        [&["4x4", "d1"][..], &["--json", "4", "d1"], &["4 d1"], &[rows], &["solve", "4", "d1"], &["@FILE"]]
    {
        let file = fresh("short-form.txt");
        std::fs::write(&file, rows).unwrap();
        let words: Vec<String> =
            short.iter().map(|word| word.replace("@FILE", &format!("@{file}"))).collect();
        let words: Vec<&str> = words.iter().map(|word| &word[..]).chain(["--verdict-only"]).collect();
        let json = if short[0] == "--json" { words } else { [&words[..], &["--json"]].concat() };
        assert_eq!(search(&json).lines()[0]["position"], whole, "{short:?}");
    }
    // A square board, a row of two cells, and a move on the square board.
    for (position, wanted) in [("2", "2/2 b"), ("2 b", "2 b"), ("2 b2", "2/1b w")] {
        assert_eq!(search(&["solve", "--json", position]).lines()[0]["position"], wanted);
    }
    assert_eq!(run(&["help", "solve"], b"").out, run(&["solve", "--help"], b"").out);
    assert_eq!(run(&["help", "db", "verify"], b"").out, run(&["db", "verify", "--help"], b"").out);
}

#[test]
fn quiet_is_one_line_for_each_position() {
    for command in ["solve", "moves"] {
        let said = crate::common::run(&[command, "-", "--quiet", "--threads", "1"], b"4x4 c2\n4x4 d1\n");
        assert_eq!(said.out, "White wins\nBlack wins\n", "{}", said.err);
    }
    assert_eq!(search_bare(&["solve", "-q", ENDLESS, "--nodes", "5"]).out, "Not solved\n");
}

#[test]
fn limits_stop_with_status_3() {
    for (flag, value, word) in [("--nodes", "5", "nodes"), ("--time", "0s", "time")] {
        let run = search_bare(&["solve", "--json", ENDLESS, flag, value]);
        assert_eq!(run.code, Some(3), "{flag}");
        let line = &run.lines()[0];
        assert_eq!((&line["winner"], &line["stopped"]), (&Value::Null, &json!(word)));
        let run = search_bare(&["solve", ENDLESS, flag, value]);
        assert_eq!(run.code, Some(3));
        assert!(run.out.contains("Not solved") && run.out.contains("Stopped by"), "{}", run.out);
    }
    let run = search_bare(&["moves", "--json", ENDLESS, "--nodes", "5"]);
    assert_eq!(run.code, Some(3));
    let line = &run.lines()[0];
    assert_eq!(line["moves"].as_object().unwrap().len(), 63);
    assert_eq!(line["moves"]["a1"], "unknown");
}

#[test]
fn a_verdict_by_symmetry_is_called_an_existence_argument() {
    let run = search(&["solve", "--verdict-only", "6x6"]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("Black wins") && run.out.contains("existence argument"), "{}", run.out);
    let line = &search(&["solve", "--json", "--verdict-only", "8x8"]).lines()[0];
    assert_eq!((&line["winner"], &line["existence"]), (&json!("black"), &json!(true)));
    assert_eq!(line["best"], Value::Null);
}

#[test]
fn one_thread_counts_the_same_nodes_on_each_run() {
    let nodes = |run: Run| run.lines()[0]["nodes"].as_u64().unwrap();
    let both =
        || [search(&["solve", "--json", "6x6 e3"]), search_bare(&["solve", "--json", LONG])].map(nodes);
    let first = both();
    assert_eq!(first, both());
    assert!(first[1] >= LONG_NODES, "{first:?}");
}

#[test]
fn theory_flags_change_the_work_but_not_the_answer() {
    let with = &search(&["solve", "--json", LONG]).lines()[0];
    let without = &search_bare(&["solve", "--json", LONG]).lines()[0];
    assert_eq!(with["winner"], without["winner"]);
    assert!(with["nodes"].as_u64() < without["nodes"].as_u64());
}

#[test]
fn explain_has_the_keys_in_order() {
    let line = run_json(&["explain", "--json", "1b1w/3w/w2b/2b1 b"]);
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    let wanted = [
        "v",
        "position",
        "to_move",
        "last",
        "winner",
        "reason",
        "fill",
        "filled",
        "dead",
        "captured",
        "dominated",
        "pairings",
        "strategy",
        "own_keys",
        "cells",
    ];
    assert_eq!(keys, wanted);
    assert_eq!((&line["last"], &line["winner"]), (&json!("white"), &json!("black")));
    assert_eq!(line["pairings"][0]["loser"], "white");
}

#[test]
fn explain_tells_what_each_cell_is() {
    let line = run_json(&["explain", "--json", "1b1w/3w/w2b/2b1 b"]);
    let cells = &line["cells"];
    assert_eq!(cells.as_object().unwrap().len(), 16);
    for (name, wanted) in [
        ("b1", json!({ "is": "stone", "player": "black" })),
        ("a1", json!({ "is": "dead" })),
        ("a4", json!({ "is": "captured", "player": "black" })),
        (
            "b3",
            json!({ "is": "dominated", "better": "c3", "theorem": 7, "mate": { "of": "white", "cell": "b2" } }),
        ),
        ("c2", json!({ "is": "dominated", "better": "c3", "theorem": 6, "key_of": "white" })),
        ("c1", json!({ "is": "dominated", "better": "c3", "theorem": 8 })),
        ("c3", json!({ "is": "open" })),
    ] {
        assert_eq!(cells[name], wanted, "{name}");
    }
    let own = run_json(&["explain", "--json", "6/1ww1b1/w5/2b3/6/1b4/w1b3 b"]);
    assert_eq!(own["cells"]["d3"], json!({ "is": "own key" }));
    assert_eq!(own["cells"]["c2"], json!({ "is": "dead stone", "player": "white" }));
}

#[test]
fn the_picture_has_an_arrow_from_each_inferior_cell() {
    let path = format!("{}/explain.svg", env!("CARGO_TARGET_TMPDIR"));
    for position in ["1b1w/3w/w2b/2b1 b", "6x6 a1", "b1/b1 w", "2x26"] {
        let line = run_json(&["explain", "--json", position, "--svg", &path]);
        let picture = std::fs::read_to_string(&path).unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{position}");
        let inferior = line["dominated"].as_array().unwrap().len();
        assert_eq!(picture.matches("class=\"arrow\"").count(), inferior, "{position}");
        let cells = line["cells"].as_object().unwrap();
        assert!(picture.matches("<polygon points=").count() >= cells.len(), "{position}");
    }
}

/// `scripts/pictures` draws them anew. (That of the puzzles changes with the search.)
#[test]
fn the_readmes_pictures_are_real() {
    let images = format!("{}/../../docs/images", env!("CARGO_MANIFEST_DIR"));
    for (name, args) in [
        ("explain.svg", &["explain", "1b1w/3w/w2b/2b1 b", "--svg"][..]),
        ("openings-4x4.svg", &["openings", "4x4", "--svg"]),
    ] {
        let path = format!("{}/readme-{name}", env!("CARGO_TARGET_TMPDIR"));
        assert_eq!(run(&[args, &[&path]].concat(), b"").code, Some(0), "{name}");
        let drawn = std::fs::read_to_string(path).unwrap();
        assert_eq!(drawn, std::fs::read_to_string(format!("{images}/{name}")).unwrap(), "{name}");
    }
}

#[test]
fn explain_shows_less_when_told_so() {
    let flags: Vec<String> =
        Options::of_kind(OptionKind::FillIn).map(|info| format!("--no-{}", info.name)).collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let line = run_json(&[&["explain", "--json", "1b1w/3w/w2b/2b1 b"][..], &flags].concat());
    assert_eq!(line["fill"], json!([]));
    assert_eq!(line["position"], line["filled"]);
}

#[test]
fn openings_come_one_a_class_and_fill_the_picture() {
    let run = search(&["openings", "--json", "4"]);
    assert_eq!(run.code, Some(0));
    let lines = run.lines();
    assert_eq!(lines.len(), 8);
    for line in &lines {
        let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["v", "move", "winner", "nodes", "struck", "seconds"]);
        assert_eq!(line["winner"] == "white", line["move"] == "c2");
    }
    let path = format!("{}/openings.svg", env!("CARGO_TARGET_TMPDIR"));
    let run = search(&["openings", "4x4", "--svg", &path]);
    assert!(run.out.contains("2 + + - + 2"), "{}", run.out);
    assert_eq!(std::fs::read_to_string(path).unwrap().matches("<polygon").count(), 16);
    let run = search(&["openings", "4x4", "--replies-to", "d1", "--json"]);
    assert_eq!(run.lines().len(), 15);
    assert!(run.lines().iter().all(|line| line["winner"] == "black"));
}

#[test]
fn bench_measures_a_position_of_ones_own() {
    let path = format!("{}/bench.svg", env!("CARGO_TARGET_TMPDIR"));
    let args = ["bench", "--json", "--repeat", "3", "--svg", &path, "4x4 d1"];
    let run = run(&[&args[..], &SMALL].concat(), b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines = run.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["nodes"], lines[1]["nodes"]);
    assert!(lines[0]["spread"][0].as_f64() <= lines[0]["spread"][1].as_f64());
    assert_eq!(std::fs::read_to_string(path).unwrap().matches(r#"width="30""#).count(), 2);
}

#[test]
fn bench_tells_how_much_of_a_search_its_proof_needed() {
    let run = run(&["bench", "5x5", "--efficiency", "--only", "d2,e2", "--json", "--memory", "1M"], b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines = run.lines();
    assert_eq!(lines.len(), 3);
    let sum = |key: &str| lines[..2].iter().map(|line| line[key].as_u64().unwrap()).sum::<u64>();
    for key in ["proof", "nodes", "claims", "forgotten"] {
        assert_eq!(lines[2][key], sum(key), "{key}");
    }
    assert_eq!((&lines[0]["position"], &lines[2]["suite"]), (&json!("d2"), &json!("5x5")));
    let share = sum("proof") as f64 / sum("nodes") as f64;
    assert!((lines[2]["efficiency"].as_f64().unwrap() - share).abs() < 1e-9);
}

#[test]
fn bench_compares_numbers_of_threads() {
    let path = format!("{}/scaling.svg", env!("CARGO_TARGET_TMPDIR"));
    let args = ["bench", "--json", "--threads-list", "1,2", "--memory", "1M", "--svg", &path, "4x4 d1"];
    let run = run(&args, b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let lines = run.lines();
    assert_eq!(lines.iter().map(|line| line["threads"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert_eq!((&lines[0]["node_ratio"], &lines[0]["speedup"]), (&1.0.into(), &1.0.into()));
    // One position, and two numbers of threads, each with nodes and seconds.
    assert_eq!(std::fs::read_to_string(path).unwrap().matches(r#"width="30""#).count(), 6);
}

#[test]
fn bench_with_any_guidance_finds_the_same_winners() {
    let winners = |more: &[&str]| {
        let args = ["bench", "5x5", "--json", "--memory", "16M"];
        let run = run(&[&args[..], more].concat(), b"");
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.lines().iter().map(|line| line["winner"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(winners(&[]), winners(&["--guidance", "resistance"]));
    assert_eq!(winners(&[]), winners(&["--guidance", "none"]));
}

#[test]
fn bench_says_which_positions_a_limit_left_open() {
    let run = search_bare(&["bench", "7x7", "--json", "--nodes", "2"]);
    assert_eq!(run.code, Some(3), "{}", run.err);
    let lines = run.lines();
    assert_eq!(lines.len(), 28);
    assert!(lines[..21].iter().all(|line| line["winner"].is_null() == (line["stopped"] == "nodes")));
}

fn run_json(args: &[&str]) -> Value {
    let run = run(args, b"");
    assert_eq!(run.code, Some(0), "{}", run.err);
    run.lines()[0].clone()
}

/// Every step of these searches is compared with the rules, whatever the switches of the theory say.
#[test]
fn an_audit_counts_the_steps_and_finds_them_right() {
    for words in [&["audit", "3x4", "b2"][..], &["audit", "3x4", "b2", "--no-hsearch", "--no-exact-pairing"]]
    {
        let run = search(&[words, &["--json"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        let [answer] = &run.lines()[..] else { panic!("one line for one position: {}", run.out) };
        assert_eq!(answer["wrong"].as_array().map(Vec::len), Some(0), "{answer}");
        assert!(answer["checked"]["fill-in"].as_u64() > Some(0), "{answer}");
        assert_eq!(answer["winner"], search(&["solve", "3x4", "b2", "--json"]).lines()[0]["winner"]);
    }
    let people = search(&["audit", "3x3", "b1"]);
    assert!(people.out.contains("All are right."), "{}", people.out);
    let large = search(&["audit", "5x5", "a1"]);
    assert_eq!(large.code, Some(2), "{}", large.out);
    assert!(large.err.contains("expected at most 16"), "{}", large.err);
}

/// Where the checker does not follow a step of the theory's, `prove -v` says so.
#[test]
fn a_verbose_proof_says_what_the_checker_refused() {
    let run = search(&["prove", "4x4", "d1", "-o", "-", "-v"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("the checker refused "), "{}", run.err);
}
