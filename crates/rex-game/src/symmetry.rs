use crate::{Board, Cell, CellSet};

/// A symmetry of the game. The reflections exist on square boards alone and swap the colours, since
/// they lay Black's sides on White's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// Half a turn.
    Rotation,
    /// `(row, col) → (col, row)`, the mirror on the long diagonal from `a1`; swaps the colours.
    Transpose,
    /// The rotation of the transpose, the mirror on the short diagonal; swaps the colours.
    AntiTranspose,
}

impl Symmetry {
    /// The symmetries of a board: four on a square one, otherwise two.
    pub fn of(board: Board) -> &'static [Symmetry] {
        use Symmetry::*;
        if board.is_square() {
            &[Identity, Rotation, Transpose, AntiTranspose]
        } else {
            &[Identity, Rotation]
        }
    }

    /// Whether Black's stones become White's.
    pub fn swaps_colours(self) -> bool {
        matches!(self, Symmetry::Transpose | Symmetry::AntiTranspose)
    }

    /// The image of a set of cells.
    ///
    /// # Panics
    /// If this is not a symmetry of the board.
    pub fn apply(self, board: Board, set: CellSet) -> CellSet {
        let transposed = || board.transposed(set).expect("only square boards have reflections");
        match self {
            Symmetry::Identity => set,
            Symmetry::Rotation => board.rotated(set),
            Symmetry::Transpose => transposed(),
            Symmetry::AntiTranspose => board.rotated(transposed()),
        }
    }

    /// The image of a cell.
    ///
    /// # Panics
    /// If this is not a symmetry of the board.
    pub fn apply_to_cell(self, board: Board, cell: Cell) -> Cell {
        self.apply(board, cell.set()).first().expect("a cell goes to a cell")
    }

    /// The symmetry that does this one and then `next`. Each undoes itself.
    pub fn then(self, next: Symmetry) -> Symmetry {
        use Symmetry::*;
        // Two independent switches: whether it reflects, and whether it turns.
        let switches = |symmetry| match symmetry {
            Identity => 0,
            Rotation => 1,
            Transpose => 2,
            AntiTranspose => 3,
        };
        [Identity, Rotation, Transpose, AntiTranspose][switches(self) ^ switches(next)]
    }

    /// Each symmetry undoes itself.
    pub fn inverse(self) -> Symmetry {
        self
    }
}
