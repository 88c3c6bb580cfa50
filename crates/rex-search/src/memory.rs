use rex_game::Cell;

use crate::bounds::Part;
use crate::dfpn::Solved;
use crate::node::Node;
use crate::table::Work;

/// What is known of a node from earlier searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Who wins.
    pub winner: Part,
    /// A good move of the side to move at the node, in the node's coordinates: one that wins, or in a lost position
    /// one that holds out.
    pub best: Option<Cell>,
    /// The work it took.
    pub work: Work,
}

/// What outlasts a solver: facts to begin with, and a place for those that it finds.
///
/// The search itself never asks it anything. Positions that are asked about are looked up one by one; before the
/// first search that must be made, everything goes into the table.
pub trait Memory: Send + Sync {
    /// What is known of a node.
    fn recall(&self, node: &Node) -> Option<Fact>;

    /// Tells all that is known of the board's positions.
    fn recall_all(&self, tell: &mut dyn FnMut(&Node, Fact));

    /// Takes over what was solved. Called by any of the searching threads, a few times a second; it should not keep
    /// them waiting.
    fn learn(&self, solved: &mut Vec<Solved>);
}
