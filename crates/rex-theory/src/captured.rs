//! Captured sets (Corollary 1). X captures a set of pairs if, whichever cell of each pair she colours, the remaining
//! cells are dead. The whole set can then be filled for X. It has an even number of cells, so the side to move stays
//! the same.

use rex_game::{Cell, CellSet, Player};

use crate::reduced::Reduced;

/// A pair of empty cells that `player` captures, with at least one cell in `near`.
pub fn captured_pair(reduced: &Reduced, player: Player, near: CellSet) -> Option<(Cell, Cell)> {
    near.into_iter().find_map(|one| {
        reduced
            .killers(one, player)
            .into_iter()
            .find(|&other| reduced.dead_after(other, player, one))
            .map(|other| (one, other))
    })
}

/// A pair of cells of `far` that `player` captures, and that touch each other in her graph.
///
/// [`captured_pair`] misses these if nothing has changed around either cell. Her stone on one cell joins the cells
/// around both; what has changed is that some cells around the one now touch some around the other.
pub fn captured_neighbours(reduced: &Reduced, player: Player, far: CellSet) -> Option<(Cell, Cell)> {
    far.into_iter().find_map(|one| {
        let others = reduced.graph(player).neighbours(one) & far;
        others
            .into_iter()
            .filter(|&other| one < other)
            .find(|&other| reduced.dead_after(one, player, other) && reduced.dead_after(other, player, one))
            .map(|other| (one, other))
    })
}

/// Two pairs that `player` captures only together: whichever cell of each she colours, the other two are dead. This
/// only looks at deletions in the opponent's graph.
pub fn captured_four(reduced: &Reduced, player: Player) -> Option<[(Cell, Cell); 2]> {
    let graph = reduced.graph(!player);
    reduced.empty().into_iter().find_map(|cell| {
        graph.killer_pairs(cell).iter().find_map(|killers| {
            killers.into_iter().find_map(|mate| {
                let other = killers.without(mate).first()?;
                let candidates = (graph.neighbours(other) | graph.neighbours(mate)) - killers.with(cell);
                candidates
                    .into_iter()
                    .map(|other_mate| [(cell, mate), (other, other_mate)])
                    .find(|&pairs| captures(reduced, player, pairs))
            })
        })
    })
}

/// Whether each choice of one cell from each pair leaves the other two dead.
fn captures(reduced: &Reduced, player: Player, pairs: [(Cell, Cell); 2]) -> bool {
    let graph = reduced.graph(!player);
    let [(a, b), (c, d)] = pairs;
    [((a, c), (b, d)), ((a, d), (b, c)), ((b, c), (a, d)), ((b, d), (a, c))].into_iter().all(
        |((one, other), (left, right))| {
            let taken = one.set().with(other);
            // Once one cell is dead, it no longer keeps the other one alive.
            (graph.dead_without(left, taken) && graph.dead_without(right, taken.with(left)))
                || (graph.dead_without(right, taken) && graph.dead_without(left, taken.with(right)))
        },
    )
}

/// A pair that a player captures by taking some cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The cell to take. (Theorem 8: she prefers each of the pair to it.)
    pub taken: Cell,
    /// The pair that is then hers.
    pub pair: CellSet,
}

/// Every pair that `player` captures by taking some cell, as far as deletions in the opponent's graph show it. A pair
/// may come up twice.
pub fn all_captures(reduced: &Reduced, player: Player) -> impl Iterator<Item = Capture> {
    let graph = reduced.graph(!player);
    reduced.empty().into_iter().flat_map(move |one| {
        let killers = graph.killer_pairs(one);
        (0..2 * killers.len()).filter_map(move |i| {
            let mut pair = killers.get(i / 2);
            let (first, second) = (pair.pop()?, pair.pop()?);
            let (taken, other) = if i % 2 == 0 { (first, second) } else { (second, first) };
            let captured =
                graph.neighbours(taken).has(one) && graph.dead_without(other, taken.set().with(one));
            captured.then(|| Capture { taken, pair: one.set().with(other) })
        })
    })
}
