use rex_game::{Board, Cell, Player, State, Symmetry};

use crate::known::{Node, Solved};

/// What outlives a solver: positions solved before, and a place for those it solves.
///
/// The search itself never asks it. A position that a request is about is looked up by itself. Before the first
/// real search, everything goes into the table.
pub trait Memory: Send + Sync {
    /// What is known of a node.
    fn recall(&self, node: &Node) -> Option<Solved>;

    /// Calls `each` with every known position of the board.
    fn recall_all(&self, each: &mut dyn FnMut(Solved));

    /// Takes the solved positions. Any searching thread may call it, a few times a second, so it should not block.
    fn learn(&self, solved: &mut Vec<Solved>);
}

/// What was solved once and for all, such as openings. Unlike a [`Memory`] it knows states as they are asked about,
/// before fill-in, and nothing of it goes into the table: searches below them are the same with a book and without.
pub trait Book: Send + Sync {
    /// What is known of a state.
    fn find(&self, state: &State) -> Option<BookEntry>;
}

/// What a [`Book`] knows of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// Who wins.
    pub winner: Player,
    /// A move that wins or, in a lost state, one that holds out.
    pub best: Option<Cell>,
}

impl BookEntry {
    /// The entry of the state's image.
    pub fn image(&self, board: Board, symmetry: Symmetry) -> BookEntry {
        let winner = symmetry.apply_to_player(self.winner);
        BookEntry { winner, best: self.best.map(|cell| symmetry.apply_to_cell(board, cell)) }
    }
}
