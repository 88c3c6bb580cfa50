//! Which position an entry of the store is about: its key in the file.

use std::fmt;

use rex_game::{Board, Cell, CellSet, Player, Symmetry};
use rex_search::{Node, POSITION_BYTES, position_bytes, position_from_bytes};
use rex_theory::fill_in::{RULES, fill_in};
use rex_theory::{Field, Options, Reduced};

use crate::record::Record;

/// A filled position in its smallest image under the symmetries of its board. It says neither who is to move nor who
/// is Last: the fill-in rules depend on neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The board.
    pub board: Board,
    /// The stones; cells in both sets are settled.
    pub stones: [CellSet; 2],
}

impl Place {
    /// The length of [`Place::bytes`].
    pub const BYTES: usize = POSITION_BYTES;

    /// The place of a node, and the symmetry from the node's coordinates to the place's (and back). If it swaps the
    /// colours, the node's Last is the other player here.
    pub fn of(board: Board, node: &Node) -> (Place, Symmetry) {
        let (Field { stones, .. }, symmetry) = node.field(board).least_image();
        (Place { board, stones }, symmetry)
    }

    /// The position with this player as Last.
    pub fn field(&self, last: Player) -> Field {
        Field { board: self.board, stones: self.stones, last }
    }

    /// The empty cells that are not settled.
    pub fn empty(&self) -> CellSet {
        self.field(Player::Black).empty()
    }

    /// The place after filling in with the current rules, and the symmetry to it; none if that ends the game.
    pub fn filled(&self) -> Option<(Place, Symmetry)> {
        let mut reduced = Reduced::new(self.field(Player::Black));
        if reduced.joined.is_none() {
            fill_in(&mut reduced, &Options::default(), self.board.cells(), &mut ());
        }
        let node = Node { stones: reduced.field.stones, last: Player::Black };
        reduced.joined.is_none().then(|| Place::of(self.board, &node))
    }

    /// The bytes in the file.
    pub fn bytes(&self) -> [u8; Place::BYTES] {
        position_bytes(self.board, self.stones)
    }

    /// Reads it back; none if there is no such board, or a stone is off the board.
    pub fn from_bytes(bytes: &[u8; Place::BYTES]) -> Option<Place> {
        let (board, stones) = position_from_bytes(bytes)?;
        Some(Place { board, stones })
    }

    /// What is wrong with this place and its record, if anything is.
    pub fn flaw(&self, record: &Record) -> Option<Flaw> {
        let node = Node { stones: self.stones, last: Player::Black };
        if Place::of(self.board, &node).0 != *self {
            return Some(Flaw::NotLeast);
        }
        if Reduced::new(self.field(Player::Black)).joined.is_some() {
            return Some(Flaw::Over);
        }
        if record.best.iter().flatten().any(|&cell: &Cell| !self.empty().has(cell)) {
            return Some(Flaw::BestMove);
        }
        if record.rules == RULES && self.filled().is_none_or(|(filled, _)| filled != *self) {
            return Some(Flaw::NotFilled);
        }
        None
    }
}

impl fmt::Display for Place {
    /// The rows of position text. Settled cells appear as Black's.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = self.field(Player::Black).to_state().to_string();
        f.write_str(text.split(' ').next().unwrap_or_default())
    }
}

/// What can be wrong with a single entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// Another image is smaller.
    #[error("it is not in canonical form")]
    NotLeast,
    /// Somebody has connected her sides.
    #[error("the game is already over")]
    Over,
    /// The best move is not an empty cell.
    #[error("its best move is on a cell that is not empty")]
    BestMove,
    /// Its rules would fill in more.
    #[error("it is not filled in as its rules require")]
    NotFilled,
}
