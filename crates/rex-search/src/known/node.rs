use rex_game::{Board, CellSet, Player, Symmetry};
use rex_theory::Field;

use super::Part;

/// A filled position in canonical form: what the search walks through and what keys the table.
///
/// On a square board, a colour-swapping reflection makes Last Black. Only the rotation is left then, and the smaller
/// image is taken. On other boards there is only the rotation, and Last is part of the key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The stones; cells in both sets are settled.
    pub stones: [CellSet; 2],
    /// Who is Last.
    pub last: Player,
}

impl Node {
    /// The canonical form of a field, and the symmetry that maps to it.
    pub fn of(field: &Field) -> (Node, Symmetry) {
        let board = field.board;
        let swap = board.is_square() && field.last == Player::White;
        let (stones, last) = if swap {
            let [black, white] = field.stones;
            let mirror = |set| Symmetry::Transpose.apply(board, set);
            ([mirror(white), mirror(black)], Player::Black)
        } else {
            (field.stones, field.last)
        };
        let turned = stones.map(|set| board.rotated(set));
        let turn = turned < stones;
        let symmetry = match (swap, turn) {
            (false, false) => Symmetry::Identity,
            (false, true) => Symmetry::Rotation,
            (true, false) => Symmetry::Transpose,
            (true, true) => Symmetry::AntiTranspose,
        };
        (Node { stones: if turn { turned } else { stones }, last }, symmetry)
    }

    /// The field of this node.
    pub fn field(&self, board: Board) -> Field {
        Field { board, stones: self.stones, last: self.last }
    }

    /// Who moves here.
    pub fn mover(&self, board: Board) -> Part {
        Part::of(self.field(board).mover(), self.last)
    }

    /// A node and its board as bytes: those of the position, then 0 or 1 for Black or White as Last.
    pub fn bytes(&self, board: Board) -> [u8; Node::BYTES] {
        let mut bytes = [0; Node::BYTES];
        bytes[..POSITION_BYTES].copy_from_slice(&position_bytes(board, self.stones));
        bytes[POSITION_BYTES] = self.last.index() as u8;
        bytes
    }

    /// The length of [`Node::bytes`].
    pub const BYTES: usize = POSITION_BYTES + 1;

    /// Reads a node back. `None` if there is no such board, a stone is off it, or the form is not canonical.
    pub fn from_bytes(bytes: &[u8; Node::BYTES]) -> Option<(Board, Node)> {
        let [position @ .., last] = *bytes;
        let (board, stones) = position_from_bytes(&position)?;
        let node = Node { stones, last: *Player::BOTH.get(usize::from(last))? };
        (Node::of(&node.field(board)).0 == node).then_some((board, node))
    }
}

/// The length of [`position_bytes`].
pub const POSITION_BYTES: usize = 18;

/// The stones of a board as bytes, in files and messages alike: rows, columns, then the cells of Black and of White as
/// big-endian numbers, with the first cell in the lowest bit. So positions of one board are adjacent, and bytes sort
/// like numbers. Settled cells are in both sets.
pub fn position_bytes(board: Board, stones: [CellSet; 2]) -> [u8; POSITION_BYTES] {
    let mut bytes = [0; POSITION_BYTES];
    bytes[..2].copy_from_slice(&[board.rows() as u8, board.cols() as u8]);
    bytes[2..10].copy_from_slice(&stones[0].bits().to_be_bytes());
    bytes[10..].copy_from_slice(&stones[1].bits().to_be_bytes());
    bytes
}

/// Reads [`position_bytes`]. `None` if there is no such board or a stone is off it.
pub fn position_from_bytes(bytes: &[u8; POSITION_BYTES]) -> Option<(Board, [CellSet; 2])> {
    let board = Board::new(bytes[0].into(), bytes[1].into()).ok()?;
    let set =
        |at: usize| CellSet::from_bits(u64::from_be_bytes(bytes[at..at + 8].try_into().expect("8 bytes")));
    let stones = [set(2), set(10)];
    stones.iter().all(|&set| (set - board.cells()).is_empty()).then_some((board, stones))
}
