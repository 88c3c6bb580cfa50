//! The electric resistance model. Each player's graph is a circuit between her two sides, and a cell
//! matters to her as much as the current that flows through it. A good Hex move carries much current for
//! both players, so it is a bad Rex move.

use rex_game::{Cell, CellSet, Player};
use rex_theory::Reduced;
use rex_theory::graph::Graph;

/// How good a Hex move each cell is: the share of each player's current that flows through it, added up.
/// Cells that no path uses get zero.
pub fn hex_value(reduced: &Reduced) -> [f32; 64] {
    let mut value = [0.0; 64];
    for player in Player::BOTH {
        add_currents(reduced.graph(player), &mut value);
    }
    value
}

/// The conductance between a player's sides.
pub fn conductance(graph: &Graph) -> f32 {
    let (order, rank) = numbered(graph.cells);
    let order = &order[..graph.cells.len()];
    let potential = potentials(graph, order, &rank);
    let near_first = order.iter().zip(potential).filter(|(cell, _)| graph.sides[0].has(**cell));
    near_first.map(|(_, potential)| (1.0 - potential) * TO_A_SIDE).sum()
}

fn numbered(cells: CellSet) -> ([Cell; 64], [u8; 64]) {
    let mut order = [Cell::new(0); 64];
    let mut rank = [0u8; 64];
    for (i, cell) in cells.into_iter().enumerate() {
        order[i] = cell;
        rank[cell.index()] = i as u8;
    }
    (order, rank)
}

/// Conductances. From the middle of an empty cell it is a resistance of 1 to each of its edges, so 2 to
/// the middle of a neighbour.
const BETWEEN_CELLS: f32 = 0.5;
const TO_A_SIDE: f32 = 1.0;

fn add_currents(graph: &Graph, value: &mut [f32; 64]) {
    let cells = graph.cells;
    let count = cells.len();
    let (order, rank) = numbered(cells);
    let potential = potentials(graph, &order[..count], &rank);
    let mut through = [0.0f32; 64];
    let mut total = 0.0;
    for (i, &cell) in order[..count].iter().enumerate() {
        let here = potential[i];
        let mut current = 0.0;
        for other in graph.neighbours(cell) {
            current += (here - potential[rank[other.index()] as usize]).abs() * BETWEEN_CELLS;
        }
        let around = graph.around(cell);
        if around.sides[0] {
            current += (1.0 - here).abs() * TO_A_SIDE;
            total += (1.0 - here).abs() * TO_A_SIDE;
        }
        if around.sides[1] {
            current += here.abs() * TO_A_SIDE;
        }
        through[i] = current * 0.5;
    }
    if total > 0.0 {
        for (i, &cell) in order[..count].iter().enumerate() {
            value[cell.index()] += through[i] / total;
        }
    }
}

/// Solves for the potential of each cell, with the first side at 1 and the second at 0.
///
/// The equations are symmetric, and a cell has neighbours only a row or so before it, or where a group of stones connects it
/// with others. So they are factored as *L D Lᵀ*, and in each row of *L* nothing before the first neighbour is ever touched.
/// The matrix is diagonally dominant, so no pivoting is needed.
fn potentials(graph: &Graph, order: &[Cell], rank: &[u8; 64]) -> [f32; 64] {
    let count = order.len();
    // Column by column: `lower[k][i]` is in row `i`.
    let mut lower = [[0.0f32; 64]; 64];
    let mut first = [0usize; 64];
    let mut inverse = [0.0f32; 64];
    let mut potential = [0.0f32; 64];
    for (i, &cell) in order.iter().enumerate() {
        let around = graph.around(cell);
        let mut row = [0.0f32; 64];
        first[i] = i;
        for other in around.cells {
            let other = rank[other.index()] as usize;
            row[other] = -BETWEEN_CELLS;
            first[i] = first[i].min(other);
        }
        let at_side = around.sides.map(|at| if at { TO_A_SIDE } else { 0.0 });
        // A little leakage keeps the system solvable when a cell has no path.
        let mut diagonal = 1e-4 + around.cells.len() as f32 * BETWEEN_CELLS + at_side[0] + at_side[1];
        let mut right = at_side[0];
        for k in first[i]..i {
            let value = row[k];
            if value != 0.0 {
                for (later, factor) in row[k + 1..i].iter_mut().zip(&lower[k][k + 1..i]) {
                    *later -= value * factor;
                }
                let factor = value * inverse[k];
                diagonal -= value * factor;
                right -= factor * potential[k];
                lower[k][i] = factor;
            }
        }
        inverse[i] = 1.0 / diagonal;
        potential[i] = right;
    }
    for (value, inverse) in potential[..count].iter_mut().zip(&inverse) {
        *value *= inverse;
    }
    for i in (0..count).rev() {
        for k in first[i]..i {
            potential[k] -= lower[k][i] * potential[i];
        }
    }
    potential
}

#[cfg(test)]
mod tests {
    use rex_game::State;
    use rex_theory::Field;

    use super::*;

    /// What flows into a cell flows out of it again, but for what leaks.
    #[test]
    fn currents_add_up_at_every_cell() {
        for text in
            ["5/5/5/5/5 b", "1b3/2w2/5/w3b/5 b", "8/8/2b2w2/3bw3/3wb3/2w2b2/1b4w1/w6b b", "3b4/w7/1b4w1/8 w"]
        {
            let state: State = text.parse().unwrap();
            let reduced = Reduced::new(Field::new(&state));
            for player in Player::BOTH {
                let graph = reduced.graph(player);
                let (order, rank) = numbered(graph.cells);
                let order = &order[..graph.cells.len()];
                let potential = potentials(graph, order, &rank);
                for (i, &cell) in order.iter().enumerate() {
                    let around = graph.around(cell);
                    let sides = [1.0, 0.0].into_iter().zip(around.sides).filter(|(_, at)| *at);
                    let from_sides: f32 = sides.map(|(side, _)| (side - potential[i]) * TO_A_SIDE).sum();
                    let others =
                        around.cells.into_iter().map(|other| potential[rank[other.index()] as usize]);
                    let from_cells: f32 = others.map(|other| (other - potential[i]) * BETWEEN_CELLS).sum();
                    assert!((from_sides + from_cells).abs() < 1e-3, "{text} {player}: cell {i}");
                }
            }
        }
    }
}
