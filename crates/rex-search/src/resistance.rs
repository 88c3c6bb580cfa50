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
fn potentials(graph: &Graph, order: &[Cell], rank: &[u8; 64]) -> [f32; 64] {
    let count = order.len();
    let mut matrix = [[0.0f32; 65]; 64];
    for (i, &cell) in order.iter().enumerate() {
        let around = graph.around(cell);
        let neighbours: CellSet = around.cells;
        let row = &mut matrix[i];
        // A little leakage keeps the system solvable when a cell has no path.
        let mut diagonal = 1e-4 + neighbours.len() as f32 * BETWEEN_CELLS;
        for other in neighbours {
            row[rank[other.index()] as usize] = -BETWEEN_CELLS;
        }
        if around.sides[0] {
            diagonal += TO_A_SIDE;
            row[64] = TO_A_SIDE;
        }
        if around.sides[1] {
            diagonal += TO_A_SIDE;
        }
        row[i] = diagonal;
    }
    // The matrix is diagonally dominant, so no pivoting is needed.
    for pivot in 0..count {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let pivot_row = &above[pivot];
        let inverse = 1.0 / pivot_row[pivot];
        for row in &mut below[..count - pivot - 1] {
            let factor = row[pivot] * inverse;
            if factor != 0.0 {
                for (value, &above) in row[pivot + 1..count].iter_mut().zip(&pivot_row[pivot + 1..count]) {
                    *value -= factor * above;
                }
                row[64] -= factor * pivot_row[64];
            }
        }
    }
    let mut potential = [0.0f32; 64];
    for i in (0..count).rev() {
        let row = &matrix[i];
        let known: f32 = (i + 1..count).map(|j| row[j] * potential[j]).sum();
        potential[i] = (row[64] - known) / row[i];
    }
    potential
}
