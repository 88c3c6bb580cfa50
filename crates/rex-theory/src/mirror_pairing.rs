//! The mirror pairing, on boards that are not square (Proposition 21).
//!
//! Let there be `n` rows and more columns, so that Black's sides are nearer to each other than White's. Take `n + 1`
//! columns that follow each other, the *strip*, and pair each of its cells with its mirror image:
//!
//! ```text
//! in the short diagonal:  1 2 3 3    in the long diagonal:  1 1 2 4
//!                          4 5 5 2                           2 3 3 5
//!                           6 6 4 1                           4 5 6 6
//! ```
//!
//! Either way Black is joined as soon as she has a cell of each pair. `docs/theory.md` has the proof: fold the strip
//! along the diagonal, and follow a path of White's from the left. It gets caught behind itself. So Black loses if in
//! some strip she has a stone on every pair on which White has one. If Black is Last, one such stone may be missing:
//! it is the key. On boards with more rows than columns the same is true with colours swapped.

use rex_game::{Board, Cell, CellSet, Player};

use crate::field::Field;
use crate::pairing::Pairing;

/// A mirror pairing, which decides a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MirrorPairing {
    /// Who is made to join, and so loses.
    pub loser: Player,
    /// The cells that are paired with their images, those with stones too.
    pub strip: CellSet,
    /// The pairs of empty cells, and the key if it takes one.
    pub pairing: Pairing,
}

/// The mirror pairing that decides a field, if there is one.
///
/// ```
/// use rex_game::{Player, State};
/// use rex_theory::{Field, mirror_pairing::mirror_pairing};
///
/// // White has answered c2 by its mirror image.
/// let state: State = "7x8 c2 g5".parse()?;
/// let found = mirror_pairing(&Field::new(&state)).unwrap();
/// assert_eq!((found.loser, found.pairing.pairs().len()), (Player::Black, 27));
/// // On a square board nobody's sides are nearer.
/// assert!(mirror_pairing(&Field::new(&"7x7".parse()?)).is_none());
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn mirror_pairing(field: &Field) -> Option<MirrorPairing> {
    let (rows, cols) = (field.board.rows(), field.board.cols());
    let (near, far) = (rows.min(cols), rows.max(cols));
    (0..far - near).find_map(|first| {
        let strip = Strip { board: field.board, near, first };
        Diagonal::BOTH.into_iter().find_map(|diagonal| strip.pairing(field, diagonal))
    })
}

#[derive(Clone, Copy)]
enum Diagonal {
    Short,
    Long,
}

impl Diagonal {
    const BOTH: [Diagonal; 2] = [Diagonal::Short, Diagonal::Long];

    /// The image of a cell of the strip. Lines go from one of the loser's sides to the other; there are `near` of them
    /// across, and `near + 1` places along each.
    fn mirror(self, near: usize, (line, place): (usize, usize)) -> (usize, usize) {
        match self {
            Diagonal::Short if line + place < near => (near - 1 - place, near - line),
            Diagonal::Short => (near - place, near - 1 - line),
            Diagonal::Long if place <= line => (place, line + 1),
            Diagonal::Long => (place - 1, line),
        }
    }
}

/// A strip of a board that is as wide as the board and one cell longer than wide.
#[derive(Clone, Copy)]
struct Strip {
    board: Board,
    near: usize,
    /// The first of its rows, or of its columns on a board with more columns.
    first: usize,
}

impl Strip {
    fn loser(self) -> Player {
        if self.board.rows() < self.board.cols() { Player::Black } else { Player::White }
    }

    fn cell(self, (line, place): (usize, usize)) -> Cell {
        let (row, col) = match self.loser() {
            Player::Black => (line, self.first + place),
            Player::White => (self.first + place, line),
        };
        self.board.cell(row, col).expect("the strip is on the board")
    }

    /// Where a cell is in the strip, if it is.
    fn place(self, cell: Cell) -> Option<(usize, usize)> {
        let (row, col) = self.board.coordinates(cell);
        let (line, along) = match self.loser() {
            Player::Black => (row, col),
            Player::White => (col, row),
        };
        let place = along.checked_sub(self.first)?;
        (place <= self.near).then_some((line, place))
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.near).flat_map(move |line| (0..=self.near).map(move |place| self.cell((line, place))))
    }

    /// The pairing by this diagonal, if stones leave it intact.
    fn pairing(self, field: &Field, diagonal: Diagonal) -> Option<MirrorPairing> {
        let loser = self.loser();
        // A settled cell may have either colour, so it counts as the loser's.
        let own = field.stones[loser.index()];
        let mate = |cell| Some(self.cell(diagonal.mirror(self.near, self.place(cell)?)));
        let mut key = None;
        for mate in field.own(!loser).into_iter().filter_map(mate) {
            if own.has(mate) {
                continue;
            }
            let spare = key.is_none() && field.last == loser && field.empty().has(mate);
            if !spare {
                return None;
            }
            key = Some(mate);
        }
        let mut pairing = Pairing::new(key);
        let open = field.empty();
        for cell in self.cells() {
            if let Some(mate) = mate(cell)
                && cell < mate
                && open.has(cell)
                && open.has(mate)
            {
                pairing.push(cell, mate);
            }
        }
        Some(MirrorPairing { loser, strip: self.cells().collect(), pairing })
    }
}
