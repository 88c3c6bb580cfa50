use std::time::Duration;

use rex_search::{Settings, Solver};
use serde_json::from_value;

use super::*;
use crate::certificate::{self, Check};

/// A shelf with this certificate, and its name there.
fn shelf(file: Vec<u8>) -> (Shelf, String) {
    let shelf = Shelf::new(0);
    let name = put(&shelf, file);
    (shelf, name)
}

fn put(shelf: &Shelf, file: Vec<u8>) -> String {
    let (checked, claims) = Check::new(file.into(), true).unwrap().go_on(Duration::MAX).unwrap().unwrap();
    shelf.answer(&checked, claims)["certificate"].as_str().expect("it is kept").to_owned()
}

fn proof(position: &str, explicit: bool) -> Vec<u8> {
    let state: State = position.parse().unwrap();
    let solver = Solver::new(state.board(), Settings { memory: 64 << 20, ..Settings::default() }).unwrap();
    let winner = solver.ask(&state).verdict().winner.unwrap();
    certificate::file(solver.proof(&state, winner).explicit(explicit).prove().unwrap(), true).unwrap()
}

fn claim(shelf: &Shelf, request: Value) -> Result<Value, String> {
    shelf.claim(&from_value(request).unwrap()).map_err(|error| error.to_string())
}

fn reply(shelf: &Shelf, request: Value) -> Result<Value, String> {
    shelf.reply(&from_value(request).unwrap()).map_err(|error| error.to_string())
}

/// With every rule but 'joined', which writers leave to 'joins', and 'worse'.
const RULES: &str = "\
rex-certificate 1
board 3x3
rules full
1 w2/3/3 b b mirror transpose
2 3/3/w2 b b mirror transpose
3 2w/3/3 b b mirror transpose
4 3/3/2w b b image rotation 1
5 3/3/3 w b all a1=1 b1<a1:7 a2<a1:6 b2<a2:8:a2-a3 a3=2 c1=3 c3=4 b3<c3:7 c2<c3:6
";

#[test]
fn a_claim_is_said_with_its_rule_and_what_it_rests_on() {
    let (shelf, name) = shelf(rex_proof::seal(RULES, 5).into_bytes());
    let root = claim(&shelf, json!({ "certificate": name })).unwrap();
    assert_eq!(
        root,
        json!({
            "v": 1, "claim": 5, "view": "identity", "position": "3/3/3 w", "to_move": "white", "last": "white",
            "winner": "black", "rule": "all", "joins": [],
            "dominated": [
                { "cell": "b1", "better": "a1", "theorem": 7 },
                { "cell": "a2", "better": "a1", "theorem": 6 },
                { "cell": "b2", "better": "a2", "theorem": 8, "pairs": [["a2", "a3"]] },
                { "cell": "b3", "better": "c3", "theorem": 7 },
                { "cell": "c2", "better": "c3", "theorem": 6 },
            ],
            "premises": [
                { "claim": 1, "view": "identity", "move": "a1" },
                { "claim": 2, "view": "identity", "move": "a3" },
                { "claim": 3, "view": "identity", "move": "c1" },
                { "claim": 4, "view": "identity", "move": "c3" },
            ],
            "line": "5 3/3/3 w b all a1=1 b1<a1:7 a2<a1:6 b2<a2:8:a2-a3 a3=2 c1=3 c3=4 b3<c3:7 c2<c3:6",
        })
    );
    let image = claim(&shelf, json!({ "certificate": name, "claim": 4 })).unwrap();
    assert_eq!((&image["rule"], &image["symmetry"]), (&json!("image"), &json!("rotation")));
    // Seen from where the reader is, what an image rests on is the very same position.
    assert_eq!(image["premises"], json!([{ "claim": 1, "view": "rotation", "position": "3/3/2w b" }]));
    let seen = claim(&shelf, json!({ "certificate": name, "claim": 1, "view": "rotation" })).unwrap();
    assert_eq!((&seen["position"], &seen["rule"]), (&json!("3/3/2w b"), &json!("mirror")));
    // A view that swaps the colours swaps all of them.
    let swapped = claim(&shelf, json!({ "certificate": name, "claim": 2, "view": "transpose" })).unwrap();
    assert_eq!((&swapped["position"], &swapped["winner"]), (&json!("2b/3/3 w"), &json!("white")));
}

#[test]
fn pairs_keys_and_steps_are_named_in_the_readers_coordinates() {
    let board: Board = "2x3".parse().unwrap();
    let cell = |name| board.cell_named(name).unwrap();
    let pair = |one, other| (cell(one), cell(other));
    let fill = vec![
        Step::Dead(cell("c1").set()),
        Step::Captured(Player::Black, vec![pair("a2", "b2")]),
        Step::Mutual(pair("a1", "a2"), pair("c2", "b2")),
    ];
    // These are only described, so they need not hold.
    let rules = [
        ("1b1/bb1 b", Rule::Pairs(vec![pair("a1", "c1")], Some(cell("c2")))),
        ("1b1/3 b", Rule::Fill(fill, 1)),
    ];
    let mut claims = Claims::new(board);
    for (id, (position, rule)) in (1..).zip(rules) {
        claims.add(&Claim { id, state: position.parse().unwrap(), winner: Player::Black, rule }).unwrap();
    }
    let certificate = Certificate { claims, root: 2 };
    let seen = |id, symmetry| certificate.describe(&certificate.get(id).unwrap(), View { board, symmetry });
    let steps = |dead: &str, pair: [&str; 2], black: &str, white: &str| {
        json!([
            { "kind": "dead", "cells": [dead] },
            { "kind": "captured", "player": "black", "pairs": [pair] },
            { "kind": "mutual", "black": black, "white": white },
        ])
    };
    assert_eq!(seen(2, Symmetry::Identity)["steps"], steps("c1", ["a2", "b2"], "a1", "c2"));
    assert_eq!(seen(2, Symmetry::Rotation)["steps"], steps("a2", ["c1", "b1"], "c2", "a1"));
    assert_eq!(seen(2, Symmetry::Identity)["premises"][0]["position"], "1b1/bb1 b");
    let pairs = seen(1, Symmetry::Rotation);
    assert_eq!((&pairs["pairs"], &pairs["key"]), (&json!([["c2", "a2"]]), &json!("a1")));
    assert_eq!(pairs["position"], "1bb/1b1 b");
}

#[test]
fn every_claim_of_a_proof_is_reached_from_its_root_by_its_premises() {
    for explicit in [false, true] {
        let (shelf, name) = shelf(proof("4x4 d1", explicit));
        let root = claim(&shelf, json!({ "certificate": name })).unwrap();
        let mut open = vec![root];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(at) = open.pop() {
            let here: State = at["position"].as_str().unwrap().parse().unwrap();
            assert_eq!(at["winner"], "black");
            for premise in at["premises"].as_array().unwrap() {
                let request =
                    json!({ "certificate": name, "claim": premise["claim"], "view": premise["view"] });
                let there = claim(&shelf, request).unwrap();
                if let Some(cell) = premise["move"].as_str() {
                    let after = here.play(here.board().cell_named(cell).unwrap());
                    assert_eq!(there["position"], after.to_string());
                } else {
                    assert_eq!(there["position"], premise["position"]);
                }
                if seen.insert((premise["claim"].to_string(), premise["view"].to_string())) {
                    open.push(there);
                }
            }
        }
        assert!(seen.len() > 10, "{}", seen.len());
    }
}

#[test]
fn an_explicit_proof_answers_every_move_until_the_loser_has_connected() {
    let (shelf, name) = shelf(proof("4x4 d1", true));
    // The loser always takes the first cell, the last one, or one in between.
    for choice in 0..7 {
        let mut at = claim(&shelf, json!({ "certificate": name })).unwrap();
        loop {
            let state: State = at["position"].as_str().unwrap().parse().unwrap();
            if let Some(winner) = state.position.winner() {
                assert_eq!(winner, Player::Black);
                break;
            }
            let moves: Vec<Cell> = state.moves().into_iter().collect();
            let cell = state.board().name(moves[choice * 7 % moves.len()]);
            let request = json!({
                "certificate": name, "claim": at["claim"], "view": at["view"], "position": at["position"], "move": cell,
            });
            at = reply(&shelf, request).unwrap();
        }
    }
}

#[test]
fn what_cannot_be_answered_is_a_sentence() {
    let (shelf, name) = shelf(proof("4x4 d1", true));
    let at = |more: Value| {
        let mut request = json!({ "certificate": name });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let elsewhere = json!({ "certificate": "0123" });
    assert_eq!(claim(&shelf, elsewhere).unwrap_err(), "this certificate is no longer kept; open it again");
    assert_eq!(claim(&shelf, at(json!({ "claim": 4_000_000 }))).unwrap_err(), "there is no claim 4000000");
    let view = claim(&shelf, at(json!({ "view": "sideways" }))).unwrap_err();
    assert_eq!(view, "'sideways' is not a symmetry of the 4x4 board");
    for (more, says) in [
        (json!({ "move": "d1" }), "that move is not possible now"),
        (json!({ "move": "z9" }), "'z9' is not a cell of the 4x4 board"),
        (json!({}), "that move is not possible now"),
        (json!({ "move": "a1", "position": "4/4/4/4 w" }), "is not about this position"),
        (json!({ "move": "a1", "position": "5x5" }), "is not about this position"),
        (json!({ "move": "a1", "position": "?" }), "bad position"),
    ] {
        let error = reply(&shelf, at(more.clone())).unwrap_err();
        assert!(error.contains(says), "{more}: {error}");
    }
    // A certificate that names no moves cannot be played.
    let (shelf, name) = super::tests::shelf(rex_proof::seal(RULES, 5).into_bytes());
    let error = reply(&shelf, json!({ "certificate": name, "move": "a1" })).unwrap_err();
    assert!(error.contains("names no moves here"), "{error}");
}

#[test]
fn the_newest_certificate_is_kept_and_older_ones_if_they_fit() {
    let other = RULES.replace("5 3/3/3", "6 3/3/3");
    let [first, second] = [rex_proof::seal(RULES, 5), rex_proof::seal(&other, 6)];
    for (bytes, kept) in [(0, false), (1 << 20, true)] {
        let shelf = Shelf::new(bytes);
        let names = [&first, &second].map(|text| put(&shelf, text.clone().into_bytes()));
        assert_eq!(claim(&shelf, json!({ "certificate": names[0] })).is_ok(), kept);
        assert_eq!(claim(&shelf, json!({ "certificate": names[1] })).unwrap()["claim"], 6);
    }
}
