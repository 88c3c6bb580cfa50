//! The book of openings: what is in it is answered without search, wherever one asks.

use crate::common::server::Server;
use crate::common::{Run, SMALL, run_command, solrex};
use serde_json::Value;

/// Runs a command that searches, with the book.
fn with_book(args: &[&str], input: &str) -> Run {
    let mut command = solrex(&[args, &SMALL].concat());
    command.env_remove("SOLREX_BOOK");
    run_command(command, input.as_bytes())
}

/// The same, where no node may be searched.
fn without_search(args: &[&str], input: &str) -> Run {
    let run = with_book(&[args, &["--nodes", "0"]].concat(), input);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}\n{}", run.out);
    run
}

fn json(args: &[&str]) -> Vec<Value> {
    without_search(&[args, &["--json"]].concat(), "").lines()
}

#[test]
fn openings_and_first_replies_need_no_search() {
    let openings = json(&["openings", "6x6"]);
    assert_eq!(openings.len(), 18);
    let lost =
        openings.iter().filter(|line| line["winner"] == "white").map(|line| line["move"].as_str().unwrap());
    assert_eq!(lost.collect::<Vec<_>>(), ["e2", "d3"]);
    assert!(openings.iter().all(|line| line["book"] == true && line["nodes"] == 0), "{openings:?}");
    assert_eq!(json(&["openings", "6x6", "--replies-to", "d3"]).len(), 35);
    assert_eq!(json(&["openings", "5x5", "--replies-to", "c3"]).len(), 12);

    // Every move of a first reply has its value, and every losing one its refutation.
    for position in ["6x6", "6x6 a1", "6x6 f6", "5x5", "5x5 c3"] {
        let found = &json(&["moves", position])[0];
        let moves = found["moves"].as_object().unwrap();
        let losing = moves.values().filter(|value| *value == "loss").count();
        assert_eq!(found["refutations"].as_object().unwrap().len(), losing, "{position}");
        assert!(moves.values().all(|value| value != "unknown"), "{position}");
        assert!(found["book"] == true && found["best"].is_string(), "{found}");
    }
    assert_eq!(json(&["moves", "5x5", "--replies"])[0]["replies"].as_object().unwrap().len(), 25);
}

/// The line of play goes on to where theory decides. On 7x7 it is as long as what is certified.
#[test]
fn the_line_of_play_comes_from_the_book_too() {
    for (position, end) in
        [("6x6", "pairing"), ("6x6 a1 d1", "pairing"), ("5x5 a1 d1", "pairing"), ("7x7 c1", "unknown")]
    {
        let found = &json(&["solve", position])[0];
        assert_eq!((&found["book"], &found["pv_end"]), (&true.into(), &end.into()), "{found}");
        assert_eq!(found["pv"][0], found["best"]);
        assert!(found["pv"].as_array().unwrap().len() > 1, "{found}");
    }
    assert_eq!(json(&["solve", "7x7 c1"])[0]["best"], "g4");
    // White opens on a board of her own: the image of Black's opening.
    assert_eq!(json(&["solve", "6/6/6/3w2/6/6 b"])[0]["winner"], "white");
}

#[test]
fn it_says_so() {
    let solved = without_search(&["solve", "6x6 a1 c6"], "");
    assert!(solved.out.contains("Black wins: d1, known from the book.\n"), "{}", solved.out);
    let lost = without_search(&["solve", "6x6 a1"], "");
    assert!(
        lost.out.contains("Black wins, known from the book. White loses with every move; "),
        "{}",
        lost.out
    );
    let openings = without_search(&["openings", "6x6"], "");
    assert!(openings.out.contains("\na1 f6      Black              book "), "{}", openings.out);
    // The winner is known, but the moves of a position with two stones have to be searched.
    let moves = with_book(&["moves", "5x5 a1 d2"], "");
    assert!(moves.out.contains(", known from the book; the rest took "), "{}", moves.out);
    let json = &with_book(&["moves", "5x5 a1 d2", "--json"], "").lines()[0];
    assert!(json["book"] == true && json["nodes"].as_u64() > Some(0), "{json}");
}

/// The same answers by search: with the flag, the variable, or a switch of the theory. They have no word of a book.
#[test]
fn one_can_go_without() {
    let known = &json(&["moves", "5x5 a1"])[0];
    for flag in ["--no-book", "--no-mutual-fillin", "--side-and"] {
        let searched = &with_book(&["moves", "5x5 a1", "--json", flag], "").lines()[0];
        assert!(searched["nodes"].as_u64() > Some(0) && searched["book"].is_null(), "{flag}: {searched}");
        assert_eq!((&searched["winner"], &searched["moves"]), (&known["winner"], &known["moves"]), "{flag}");
    }
    let searched = &crate::common::search(&["moves", "5x5 a1", "--json"]).lines()[0];
    assert!(searched["nodes"].as_u64() > Some(0) && searched["book"].is_null(), "{searched}");
    let flag = &with_book(&["moves", "5x5 a1", "--json", "--no-book"], "").lines()[0];
    assert_eq!((&flag["nodes"], &flag["pv"]), (&searched["nodes"], &searched["pv"]));
}

/// Searches of what is not in the book are the same with it.
#[test]
fn other_searches_stay_the_same() {
    for position in ["4x4 d1", "5x5 a1 d2 c3 b4", "6x6 a1 c6 b3", "6/6/2bb2/6/6/6 w", "6x6 b2 b6 d5 d1 a5 a6"]
    {
        let with = &with_book(&["solve", position, "--json"], "").lines()[0];
        let without = &crate::common::search(&["solve", position, "--json"]).lines()[0];
        for key in ["winner", "best", "pv", "nodes", "struck", "book", "pv_end"] {
            assert_eq!(with[key], without[key], "{position} {key}");
        }
        assert!(with["book"].is_null(), "{with}");
    }
}

/// A proof is a search, whatever is known.
#[test]
fn a_proof_does_not_look_there() {
    let path = crate::common::fresh("from-the-book.cert");
    let stopped = with_book(&["prove", "6x6 a1", "-o", &path, "--nodes", "1"], "");
    assert_eq!(stopped.code, Some(3), "{}", stopped.out);
    let unknown = with_book(&["prove", "6x6 a1", "-o", &path, "--no-book"], "");
    assert_eq!(unknown.code, Some(2), "{}", unknown.out);
}

#[test]
fn a_game_starts_from_the_book() {
    let game = without_search(&["play", "6x6"], "hint\nmoves\nd3\nquit\n");
    assert!(game.out.contains("wins.\n") && !game.out.contains("could not"), "{}", game.out);
    assert!(game.out.contains("White (Solrex) plays ") && !game.out.contains("guessed"), "{}", game.out);
    assert!(game.out.contains("+ wins, - loses\n"), "{}", game.out);
}

#[test]
fn hexgui_hears_of_it() {
    let said = without_search(
        &["htp", "6x6"],
        "dfpn-get-state black\nplay black d3\ndfpn-get-state white\nparam_solver_ice captured 0\ndfpn-get-state white\nquit\n",
    );
    let answers: Vec<&str> = said.out.split("\n\n").collect();
    assert!(answers[0].starts_with("= winner black best "), "{answers:?}");
    assert!(answers[2].starts_with("= winner white best "), "{answers:?}");
    // Whoever changes the theory wants to see the search.
    assert_eq!(answers[4], "= unknown", "{answers:?}");
}

#[test]
fn the_page_has_its_openings_at_once() {
    let args = ["serve", "--port", "0", "--json", "--memory", "64M", "--threads", "1", "--nodes", "0"];
    let mut command = solrex(&args);
    command.env_remove("SOLREX_BOOK").stdout(std::process::Stdio::piped());
    let server = Server::of(command.spawn().expect("the program starts"));
    let events = server.get("/api/solve?position=6x6").events();
    assert_eq!(events.iter().filter(|(name, _)| name == "move").count(), 36);
    let (name, done) = events.last().unwrap();
    assert_eq!((name.as_str(), &done["nodes"], &done["book"]), ("done", &0.into(), &true.into()), "{done}");
    assert!(
        done["stopped"].is_null()
            && done["moves"].as_object().unwrap().values().all(|value| value != "unknown")
    );
}
