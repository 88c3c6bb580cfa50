//! Dead cells (Theorem 5): cells in no joinset of either player.
//!
//! A player's minimal path never uses a cell whose neighbours in her reduced graph all touch each other. Nor does it
//! use a cell of a region that a clique cuts off: a path that enters the region must leave it through the clique, and
//! could have taken the short cut. The clique may contain one side. A cell that is dead for one player is dead for
//! both, because on a full board exactly one of them is joined.

use rex_game::{Cell, CellSet, Player, Symmetry};

use crate::field::Field;
use crate::graph::Graph;
use crate::reduced::Reduced;

/// Why cells are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadEvidence {
    /// Whose graph shows it.
    pub player: Player,
    /// The cells of the clique around them.
    pub clique: CellSet,
    /// The side in the clique, if there is one.
    pub side: Option<usize>,
}

/// Those `candidates` (empty cells, or stones treated as uncoloured) that the clique test in `player`'s graph shows
/// to be dead.
pub fn dead_by_clique(reduced: &Reduced, player: Player, candidates: CellSet) -> CellSet {
    let graph = reduced.graph(player);
    candidates.into_iter().filter(|&cell| graph.dead(cell)).collect()
}

/// A stone that would be dead if uncoloured. The stone is a deleted cell in the other player's graph, so only that
/// graph can tell.
///
/// A settled cell was found dead with this stone in place. It may come to life when the stone changes colour: in a
/// captured pair filled with two stones, each is dead because of the other. So settled cells count as open here, and
/// the graphs are rebuilt after each stone that is settled.
pub fn dead_stone(field: &Field) -> Option<Cell> {
    Player::BOTH.into_iter().find_map(|player| {
        let mut graph = Graph::new(field, !player);
        graph.cells |= field.settled();
        field.own(player).into_iter().find(|&stone| graph.dead(stone))
    })
}

/// The clique around a cell that the clique test shows to be dead.
pub fn clique_around(reduced: &Reduced, player: Player, cell: Cell) -> DeadEvidence {
    let around = reduced.graph(player).around(cell);
    DeadEvidence { player, clique: around.cells, side: (0..2).find(|&which| around.sides[which]) }
}

/// A region that a clique cuts off. Cliques are grown in the order of the cells, so what we find in one image of the
/// board we might miss in another. That is why we always search the smallest image.
pub fn cut_off_in_any_image(reduced: &Reduced) -> Option<(CellSet, DeadEvidence)> {
    let (image, symmetry) = reduced.field.least_image();
    let (cells, DeadEvidence { player, clique, side }) = cut_off(&Reduced::new(image))?;
    let here = |set| symmetry.apply(image.board, set);
    // Half a turn maps each side to the opposite one.
    let turns = matches!(symmetry, Symmetry::Rotation | Symmetry::AntiTranspose);
    let evidence = DeadEvidence {
        player: if symmetry.swaps_colours() { !player } else { player },
        clique: here(clique),
        side: side.map(|which| if turns { 1 - which } else { which }),
    };
    Some((here(cells), evidence))
}

/// A region of empty cells that a clique cuts off from both sides or, if the clique contains one side, from the other
/// side.
pub fn cut_off(reduced: &Reduced) -> Option<(CellSet, DeadEvidence)> {
    Player::BOTH.into_iter().find_map(|player| {
        let graph = reduced.graph(player);
        graph.cells.into_iter().find_map(|cell| cut_off_by_clique_with(graph, player, cell))
    })
}

/// Tries cliques that contain `cell`: the cell alone, with each neighbour, and grown greedily from each such edge.
/// Tries each without a side, and with either side that touches all of it.
fn cut_off_by_clique_with(graph: &Graph, player: Player, cell: Cell) -> Option<(CellSet, DeadEvidence)> {
    let neighbours = graph.neighbours(cell);
    let alone = cell.set();
    try_clique(graph, player, alone).or_else(|| {
        neighbours.into_iter().filter(|&other| other > cell).find_map(|other| {
            let edge = alone.with(other);
            let mut grown = edge;
            let mut common = neighbours & graph.neighbours(other);
            while let Some(next) = common.pop() {
                grown.insert(next);
                common &= graph.neighbours(next);
            }
            try_clique(graph, player, edge)
                .or_else(|| (grown != edge).then(|| try_clique(graph, player, grown)).flatten())
        })
    })
}

fn try_clique(graph: &Graph, player: Player, clique: CellSet) -> Option<(CellSet, DeadEvidence)> {
    let open = graph.cells - clique;
    let reach = [0, 1].map(|which| reachable(graph, graph.sides[which] & open, open));
    // Without a side in the clique, the region must touch neither side. With one, it may touch that side only.
    let regions =
        [(None, open - (reach[0] | reach[1])), (Some(0), open - reach[1]), (Some(1), open - reach[0])];
    regions.into_iter().find_map(|(side, region)| {
        let valid = side.is_none_or(|which| clique.within(graph.sides[which]));
        (valid && !region.is_empty()).then_some((region, DeadEvidence { player, clique, side }))
    })
}

fn reachable(graph: &Graph, start: CellSet, area: CellSet) -> CellSet {
    let mut reached = start;
    let mut frontier = start;
    while !frontier.is_empty() {
        frontier = graph.neighbours_of_set(frontier) & (area - reached);
        reached |= frontier;
    }
    reached
}
