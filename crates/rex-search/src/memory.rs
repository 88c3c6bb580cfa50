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
