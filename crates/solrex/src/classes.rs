//! Moves up to symmetry.

use rex_game::{Cell, CellSet, State, Symmetry};

/// Moves that are images of each other under the symmetries that leave a state unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// The first of them.
    pub representative: Cell,
    /// All of them.
    pub cells: CellSet,
}

/// The classes of a state's moves, in the order of their first cells. A reflection swaps the colours and with them
/// the side to move, so even the empty board is unchanged only by the rotation.
pub fn classes(state: &State) -> Vec<Class> {
    let board = state.board();
    let symmetries = Symmetry::of(board).iter().filter(|&&symmetry| state.image(symmetry) == *state);
    let symmetries: Vec<Symmetry> = symmetries.copied().collect();
    let mut seen = CellSet::EMPTY;
    let mut classes = Vec::new();
    for cell in state.moves() {
        if !seen.has(cell) {
            let cells: CellSet =
                symmetries.iter().map(|symmetry| symmetry.apply_to_cell(board, cell)).collect();
            seen |= cells;
            classes.push(Class { representative: cell, cells });
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_as_many_as_the_rotation_leaves() {
        for (position, wanted) in
            [("6x6", 18), ("5x5", 13), ("3x4", 6), ("6x6 a1", 35), ("5x5 c3", 12), ("2x2 a1 b2", 2)]
        {
            let state: State = position.parse().unwrap();
            let classes = classes(&state);
            assert_eq!(classes.len(), wanted, "{position}");
            let all = classes.iter().fold(CellSet::EMPTY, |all, class| all | class.cells);
            assert_eq!(all, state.moves(), "{position}");
        }
    }
}
