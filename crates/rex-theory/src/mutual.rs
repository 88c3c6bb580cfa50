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
    near.into_iter().find_map(|cell| {
        Player::BOTH.into_iter().find_map(|player| {
            // The other cell is near this one in both graphs.
            let (graph, other_graph) = (reduced.graph(player), reduced.graph(!player));
            let candidates = graph.changed_by_contracting(cell) & other_graph.changed_by_contracting(cell);
            let answer = captures_of_the_other(graph, cell, candidates).find_map(|(other, mate)| {
                let back = captures_of_the_other(other_graph, other, cell.set()).next()?;
                Some((back, (other, mate)))
            })?;
            let ((own, own_mate), theirs) = answer;
            Some(match player {
                Player::Black => MutualFillIn { black: (own, own_mate), white: theirs },
                Player::White => MutualFillIn { black: theirs, white: (own, own_mate) },
            })
        })
    })
}

/// The pairs, each with its first cell among `wanted`, that the opponent captures once the owner of `graph` has
/// taken `cell`.
fn captures_of_the_other(graph: &Graph, cell: Cell, wanted: CellSet) -> impl Iterator<Item = (Cell, Cell)> {
    let mut after = graph.clone();
    after.contract(cell);
    wanted.into_iter().flat_map(move |one| {
        let pair =
            after.killers_by_deletion(one).into_iter().find(|&other| after.dead_without(other, one.set()));
        pair.map(|other| (one, other))
    })
}
