//! The explanation as a JSON object.

use rex_game::{Board, Cell, Player};
use rex_theory::fill_in::FillStep;
use rex_theory::pairing::PairingVerdict;
use serde_json::{Map, Value, json};

use super::cells::Kind;
use super::{DecidedBy, Explanation};
use crate::answer::names;

/// The object that `--json` prints.
pub fn object(explanation: &Explanation) -> Value {
    let Explanation { state, steps, filled, verdict, pairings, strategy, own_keys, dominated, .. } =
        explanation;
    let board = state.board();
    let captured = |player| names(board, explanation.captured(player));
    json!({
        "position": state.to_string(),
        "to_move": state.to_move.to_string(),
        "last": state.last().to_string(),
        "winner": verdict.map(|(winner, _)| winner.to_string()),
        "reason": verdict.map(|(_, reason)| word(reason)),
        "fill": steps.iter().map(|step| fill_step(board, step)).collect::<Vec<_>>(),
        "filled": filled.to_state().to_string(),
        "dead": names(board, explanation.dead()),
        "captured": { "black": captured(Player::Black), "white": captured(Player::White) },
        "dominated": dominated.iter().map(|found| json!({
            "cell": board.name(found.cell),
            "better": board.name(found.better),
            "theorem": found.theorem.number(),
        })).collect::<Vec<_>>(),
        "pairings": pairings.iter().map(|found| pairing(board, found)).collect::<Vec<_>>(),
        "strategy": strategy.as_ref().map(|found| pairing(board, found)),
        "own_keys": names(board, *own_keys),
        "cells": cells(explanation),
    })
}

fn pairing(board: Board, found: &PairingVerdict) -> Value {
    let mut object = json!({
        "loser": found.loser.to_string(),
        "pairs": pairs(board, found.pairing.pairs()),
        "key": found.pairing.key.map(|cell| board.name(cell)),
    });
    if let Some(part) = found.mirrored {
        object["mirrored"] = json!(names(board, part));
    }
    object
}

/// What each cell is.
fn cells(explanation: &Explanation) -> Map<String, Value> {
    let board = explanation.state.board();
    let describe = |cell| {
        let mut object = match explanation.kind(cell) {
            Kind::Stone(player) => json!({ "is": "stone", "player": player.to_string() }),
            Kind::DeadStone(player) => json!({ "is": "dead stone", "player": player.to_string() }),
            Kind::Dead => json!({ "is": "dead" }),
            Kind::Captured(player) => json!({ "is": "captured", "player": player.to_string() }),
            Kind::Filled(player) => json!({ "is": "filled", "player": player.to_string() }),
            Kind::Dominated(found) => json!({
                "is": "dominated",
                "better": board.name(found.better),
                "theorem": found.theorem.number(),
            }),
            Kind::OwnKey => json!({ "is": "own key" }),
            Kind::Open => json!({ "is": "open" }),
        };
        for PairingVerdict { loser, pairing, .. } in &explanation.pairings {
            if pairing.key == Some(cell) {
                object["key_of"] = loser.to_string().into();
            }
            if let Some(mate) = pairing.mate(cell) {
                object["mate"] = json!({ "of": loser.to_string(), "cell": board.name(mate) });
            }
        }
        object
    };
    board.cells().into_iter().map(|cell| (board.name(cell), describe(cell))).collect()
}

fn word(reason: DecidedBy) -> &'static str {
    match reason {
        DecidedBy::Joined => "joined",
        DecidedBy::FillIn => "fill-in",
        DecidedBy::Symmetry(_) => "symmetry",
        DecidedBy::JoinPairing => "join pairing",
        DecidedBy::PreJoinPairing => "pre-join pairing",
    }
}

fn fill_step(board: Board, step: &FillStep) -> Value {
    match step {
        FillStep::Dead { cells, evidence } => json!({
            "kind": "dead",
            "cells": names(board, *cells),
            "graph": evidence.player.to_string(),
            "clique": names(board, evidence.clique),
            "side": evidence.side.map(|which| super::side(evidence.player, which)),
        }),
        FillStep::DeadStone { cell } => json!({ "kind": "dead-stone", "cell": board.name(*cell) }),
        FillStep::Captured { player, pairs: found } => json!({
            "kind": "captured",
            "player": player.to_string(),
            "pairs": pairs(board, found),
        }),
        FillStep::Decomposition(found) => json!({
            "kind": "decomposition",
            "player": found.player.to_string(),
            "pairs": pairs(board, found.pairing.pairs()),
            "dead": names(board, found.dead),
        }),
        FillStep::Mutual(found) => json!({
            "kind": "mutual",
            "black": board.name(found.black.0),
            "white": board.name(found.white.0),
            "pairs": { "black": pair(board, found.black), "white": pair(board, found.white) },
        }),
    }
}

fn pairs(board: Board, pairs: &[(Cell, Cell)]) -> Vec<[String; 2]> {
    pairs.iter().map(|&found| pair(board, found)).collect()
}

fn pair(board: Board, (one, other): (Cell, Cell)) -> [String; 2] {
    [board.name(one), board.name(other)]
}
