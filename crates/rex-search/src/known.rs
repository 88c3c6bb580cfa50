//! What can be known of a position: which one it is ([`Node`]), how far it is from being decided ([`Bounds`]), who wins
//! and by which move ([`Solved`]), and how much [`Work`] that took. Tables, stores, files and messages all use these
//! types. Stones have one byte form, [`position_bytes`]: it is the key of the store, and with a byte for Last it is
//! [`Node::bytes`].

use rex_game::{Board, Cell, Symmetry};

mod bounds;
mod node;
mod work;

pub(crate) use bounds::LARGEST;
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
    /// What is known of it.
    pub entry: Entry,
}

/// What a table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Proof numbers. If it is solved, they say who wins.
    pub bounds: Bounds,
    /// How many nodes were visited below it, roughly.
    pub work: Work,
}

impl Entry {
    /// As a word, the one form that tables, files and messages have: the step of its work above the code of its bounds.
    /// It is never zero.
    pub fn word(self) -> u64 {
        u64::from(self.work.step()) << Bounds::CODE_BITS | self.bounds.code()
    }

    /// Reads a word back, without checking the bounds.
    pub(crate) fn of_word(word: u64) -> Entry {
        let code = word & ((1 << Bounds::CODE_BITS) - 1);
        Entry { bounds: Bounds::from_code(code), work: Work::at_step((word >> Bounds::CODE_BITS) as u8) }
    }
}

impl Numbers {
    /// The length of [`Numbers::bytes`].
    pub const BYTES: usize = Node::BYTES + size_of::<u64>();

    /// As bytes: the node, and the word of what is known of it.
    pub fn bytes(&self, board: Board) -> [u8; Numbers::BYTES] {
        let mut bytes = [0; Numbers::BYTES];
        bytes[..Node::BYTES].copy_from_slice(&self.node.bytes(board));
        bytes[Node::BYTES..].copy_from_slice(&self.entry.word().to_be_bytes());
        bytes
    }

    /// Reads numbers back. `None` if no table could hold them.
    pub fn from_bytes(bytes: &[u8; Numbers::BYTES]) -> Option<(Board, Numbers)> {
        let (node, word) = bytes.split_at(Node::BYTES);
        let (board, node) = Node::from_bytes(node.try_into().ok()?)?;
        let entry = Entry::of_word(u64::from_be_bytes(word.try_into().ok()?));
        entry.bounds.checked()?;
        Some((board, Numbers { node, entry }))
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
