//! The explanation as a picture: cells in the colour of their kind, and arrows from inferior moves to better ones.

use rex_answers::explain::{Explanation, Kind};
use rex_answers::svg::{self, Drawing, Look};
use rex_game::Cell;

use super::prose::pairs;
use crate::show::text::name;

/// The SVG file.
pub fn svg(explanation: &Explanation) -> String {
    let look = |cell: Cell| {
        let mut pairings = explanation.pairings.iter().map(|found| found.pairing);
        let ring = pairings.clone().any(|pairing| pairing.key == Some(cell));
        let paired = ring || pairings.any(|pairing| pairing.mate(cell).is_some());
        let (fill, filled) = match explanation.kind(cell) {
            Kind::DeadStone(_) | Kind::Dead => (svg::GREY, None),
            Kind::Captured(player) | Kind::Filled(player) => (svg::BLUE, Some(player)),
            Kind::Stone(_) => (svg::BLANK, None),
            Kind::Dominated(_) | Kind::OwnKey | Kind::Open if paired => (svg::GOLD, None),
            Kind::Dominated(_) | Kind::OwnKey => (svg::RED, None),
            Kind::Open => (svg::BLANK, None),
        };
        Look { fill, filled, ring, ..Look::default() }
    };
    let arrows: Vec<(Cell, Cell)> =
        explanation.dominated.iter().map(|found| (found.cell, found.better)).collect();
    let drawing = Drawing { position: &explanation.state.position, look: &look, arrows: &arrows, links: &[] };
    svg::page(&drawing, &explanation.state.to_string(), &legend(explanation))
}

fn legend(explanation: &Explanation) -> Vec<String> {
    let board = explanation.state.board();
    let mover = name(explanation.filled.mover());
    let mut lines = vec![
        "grey: dead, its colour can never matter".to_owned(),
        "blue with a small stone: filled for that player".to_owned(),
        format!("red: {mover} need not try it, the arrow leads to a move at least as good"),
    ];
    for found in &explanation.pairings {
        let pairs = pairs(board, found.pairing.pairs());
        let key = found.pairing.key.map(|key| format!(" and the ringed key {}", board.name(key)));
        let key = key.unwrap_or_default();
        lines.push(format!("gold: one cell of each pair {pairs}{key} connect {}", name(found.loser)));
    }
    if let Some((winner, _)) = explanation.verdict {
        lines.push(format!("{} wins", name(winner)));
    }
    lines
}
