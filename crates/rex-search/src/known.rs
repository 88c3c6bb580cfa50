//! What can be known of a position: which one it is ([`Node`]), how far it is from being decided ([`Bounds`]), who wins
//! and by which move ([`Solved`]), and how much [`Work`] that took. Tables, stores, files and messages all use these
//! types. Stones have one byte form, [`position_bytes`]: it is the key of the store, and with a byte for Last it is
//! [`Node::bytes`].

use rex_game::{Board, Cell, Symmetry};

mod bounds;
mod node;
mod work;

pub use bounds::{Bounds, INFINITE, Part};
pub use node::{Node, POSITION_BYTES, position_bytes, position_from_bytes};
pub use work::Work;

/// A position that is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The filled position.
    pub node: Node,
    /// Who wins.
    pub winner: Part,
    /// A good move for the side to move, in the node's coordinates: one that wins or, in a lost position, one that
    /// holds out.
    pub best: Option<Cell>,
    /// About how many nodes the search took.
    pub nodes: u64,
}

/// A position and its numbers, solved or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The filled position.
    pub node: Node,
    /// Its proof numbers. If it is solved, they say who wins.
    pub bounds: Bounds,
    /// The work behind them.
    pub work: Work,
}

impl Numbers {
    /// The length of [`Numbers::bytes`].
    pub const BYTES: usize = Node::BYTES + Bounds::BYTES + 1;

    /// As bytes: the node, its bounds, and the step of its work.
    pub fn bytes(&self, board: Board) -> [u8; Numbers::BYTES] {
        let mut bytes = [0; Numbers::BYTES];
        bytes[..Node::BYTES].copy_from_slice(&self.node.bytes(board));
        bytes[Node::BYTES..Numbers::BYTES - 1].copy_from_slice(&self.bounds.bytes());
        bytes[Numbers::BYTES - 1] = self.work.step();
        bytes
    }

    /// Reads numbers back. `None` if no table could hold them.
    pub fn from_bytes(bytes: &[u8; Numbers::BYTES]) -> Option<(Board, Numbers)> {
        let (node, rest) = bytes.split_at(Node::BYTES);
        let (bounds, work) = rest.split_at(Bounds::BYTES);
        let (board, node) = Node::from_bytes(node.try_into().ok()?)?;
        let bounds = Bounds::from_bytes(bounds.try_into().ok()?).checked()?;
        Some((board, Numbers { node, bounds, work: Work::at_step(work[0]) }))
    }
}

/// A move and the filled position it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child {
    /// The move, in the parent's coordinates.
    pub cell: Cell,
    /// From the parent's coordinates to the child's.
    pub symmetry: Symmetry,
    /// The position it leads to.
    pub node: Node,
    /// The numbers of that position.
    pub bounds: Bounds,
}
