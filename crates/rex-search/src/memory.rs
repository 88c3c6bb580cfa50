use crate::known::{Node, Solved};

/// What outlasts a solver: what is known to begin with, and a place for those that it finds.
///
/// The search itself never asks it anything. Positions that are asked about are looked up one by one; before the
/// first search that must be made, everything goes into the table.
pub trait Memory: Send + Sync {
    /// What is known of a node.
    fn recall(&self, node: &Node) -> Option<Solved>;

    /// Calls `each` with everything that is known of the board's positions.
    fn recall_all(&self, each: &mut dyn FnMut(Solved));

    /// Takes over what was solved. Called by any of the searching threads, a few times a second; it should not keep
    /// them waiting.
    fn learn(&self, solved: &mut Vec<Solved>);
}
