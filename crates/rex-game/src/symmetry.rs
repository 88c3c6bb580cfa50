use crate::{Board, Cell, CellSet, Player};

/// A symmetry of the game. Only square boards have reflections. They swap the players' sides and colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Leaves everything in place.
    Identity,
    /// Half a turn.
    Rotation,
    /// `(row, col) → (col, row)`, the reflection in the long diagonal from `a1`; swaps the colours.
    Transpose,
    /// Transpose, then rotation: the reflection in the short diagonal; swaps the colours.
    AntiTranspose,
}

impl Symmetry {
    const ALL: [Symmetry; 4] =
        [Symmetry::Identity, Symmetry::Rotation, Symmetry::Transpose, Symmetry::AntiTranspose];

    /// The symmetries of a board: four if it is square, otherwise two.
    pub fn of(board: Board) -> &'static [Symmetry] {
        if board.is_square() { &Symmetry::ALL } else { &Symmetry::ALL[..2] }
    }

    /// Whether Black's stones become White's.
    pub fn swaps_colours(self) -> bool {
        matches!(self, Symmetry::Transpose | Symmetry::AntiTranspose)
    }

    /// Whom a player's stones belong to in the image.
    pub fn apply_to_player(self, player: Player) -> Player {
        if self.swaps_colours() { !player } else { player }
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

    /// This symmetry followed by `next`.
    pub fn then(self, next: Symmetry) -> Symmetry {
        // The numbers have two independent bits: whether it reflects, and whether it rotates.
        Symmetry::ALL[self as usize ^ next as usize]
    }

    /// The inverse: each symmetry undoes itself.
    pub fn inverse(self) -> Symmetry {
        self
    }
}
