//! Mutual fill-in (Theorem 9): if a Black stone on `a` lets White capture a set with `b`, and a White
//! stone on `b` lets Black capture a set with `a`, then both stones can be put down at once. The search
//! must then go on from the filled position.
//!
//! Theorem 10: a move that creates such a pattern is no better than a move to the pattern's own cell.

use rex::{Cell, CellSet, Player};

use crate::graph::Graph;
use crate::reduced::Reduced;

/// A mutual fill-in, with the pairs that are its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutualFillIn {
    /// Black's cell `a`, and its mate in the pair that Black captures when White has `white`.
    pub black: (Cell, Cell),
    /// White's cell `b`, and its mate in the pair that White captures when Black has `black`.
    pub white: (Cell, Cell),
}

/// Finds a mutual fill-in whose Black or White cell is in `near`.
pub fn mutual_fill_in(reduced: &Reduced, near: CellSet) -> Option<MutualFillIn> {
    near.into_iter()
        .find_map(|cell| Player::BOTH.into_iter().find_map(|player| with_cell(reduced, cell, player)))
}

/// Finds a mutual fill-in with `cell` for `player`.
fn with_cell(reduced: &Reduced, cell: Cell, player: Player) -> Option<MutualFillIn> {
    let (graph, other_graph) = (reduced.graph(player), reduced.graph(!player));
    // The other cell is near this one in both graphs.
    let candidates = graph.changed_by_contracting(cell) & other_graph.changed_by_contracting(cell);
    if candidates.is_empty() {
        return None;
    }
    let after = contracted(graph, cell);
    candidates.into_iter().find_map(|other| {
        let theirs = (other, captured_with(&after, other)?);
        let own = (cell, captured_with(&contracted(other_graph, other), cell)?);
        Some(match player {
            Player::Black => MutualFillIn { black: own, white: theirs },
            Player::White => MutualFillIn { black: theirs, white: own },
        })
    })
}

fn contracted(graph: &Graph, cell: Cell) -> Graph {
    let mut after = graph.clone();
    after.contract(cell);
    after
}

/// The mate of `cell` in a pair that the opponent of the owner of `graph` captures.
fn captured_with(graph: &Graph, cell: Cell) -> Option<Cell> {
    graph.killers_by_deletion(cell).into_iter().find(|&mate| graph.dead_without(mate, cell.set()))
}
