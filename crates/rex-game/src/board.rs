use std::fmt;
use std::sync::OnceLock;

use crate::{Cell, CellSet, Player};

/// The most cells a board can have: one bit each in a `u64`.
pub const MAX_CELLS: usize = 64;
/// The most columns: one letter each.
pub const MAX_COLS: usize = 26;

/// A rectangular Hex board of at most 64 cells and 26 columns.
///
/// A `Board` is a handle to tables that are computed once per size, so it is cheap to copy.
///
/// ```
/// use rex_game::{Board, Player};
///
/// let board = Board::new(3, 4)?;
/// let b2 = board.cell(1, 1).unwrap();
/// assert_eq!(board.name(b2), "b2");
/// assert_eq!(board.neighbours(b2).len(), 6);
/// assert_eq!(board.side(Player::Black, 0).len(), 4); // the top row
/// # Ok::<(), rex_game::BoardError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Board(&'static Geometry);

/// Everything that depends only on the size.
struct Geometry {
    rows: usize,
    cols: usize,
    cells: CellSet,
    not_first_col: u64,
    not_last_col: u64,
    neighbours: [CellSet; MAX_CELLS],
    /// By player, then top/left before bottom/right.
    sides: [[CellSet; 2]; 2],
    /// On square boards, the map `(r,c) → (c,r)`: entry `[i][v]` is the image of a set whose byte `i` is `v`.
    transpose: Option<Box<[[u64; 256]; 8]>>,
}

/// Why there is no board of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Zero rows or zero columns.
    #[error("a board needs at least one row and one column")]
    NoCells,
    /// More than 26 columns.
    #[error("{0} columns; expected at most {MAX_COLS}")]
    TooManyColumns(usize),
    /// More than 64 cells.
    #[error("{0} cells; expected at most {MAX_CELLS}")]
    TooManyCells(usize),
}

impl Board {
    /// The board with this many rows and columns.
    ///
    /// # Errors
    /// If a dimension is zero, there are more than 26 columns or more than 64 cells.
    pub fn new(rows: usize, cols: usize) -> Result<Board, BoardError> {
        if rows == 0 || cols == 0 {
            return Err(BoardError::NoCells);
        }
        if cols > MAX_COLS {
            return Err(BoardError::TooManyColumns(cols));
        }
        if rows.saturating_mul(cols) > MAX_CELLS {
            return Err(BoardError::TooManyCells(rows.saturating_mul(cols)));
        }
        // Boxed: with the geometry in place, the table of all sizes would be a megabyte of static data.
        static SIZES: [[OnceLock<Box<Geometry>>; MAX_COLS]; MAX_CELLS] =
            [const { [const { OnceLock::new() }; MAX_COLS] }; MAX_CELLS];
        Ok(Board(SIZES[rows - 1][cols - 1].get_or_init(|| Box::new(Geometry::new(rows, cols)))))
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        self.0.rows
    }

    /// The number of columns.
    pub fn cols(self) -> usize {
        self.0.cols
    }

    /// Whether there are as many rows as columns. Only then does the board have reflections.
    pub fn is_square(self) -> bool {
        self.0.rows == self.0.cols
    }

    /// The number of cells.
    #[inline]
    pub fn len(self) -> usize {
        self.0.rows * self.0.cols
    }

    /// Always false; a board has at least one cell.
    pub fn is_empty(self) -> bool {
        false
    }

    /// All cells.
    #[inline]
    pub fn cells(self) -> CellSet {
        self.0.cells
    }

    /// The cell in this row and column, both counted from zero, if it is on the board.
    pub fn cell(self, row: usize, col: usize) -> Option<Cell> {
        (row < self.rows() && col < self.cols()).then(|| Cell::new(row * self.cols() + col))
    }

    /// Row and column of a cell, both counted from zero.
    #[inline]
    pub fn coordinates(self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.cols(), cell.index() % self.cols())
    }

    /// The name of a cell: column letter, then row number. `a1` is in the upper left.
    pub fn name(self, cell: Cell) -> String {
        let (row, col) = self.coordinates(cell);
        format!("{}{}", (b'a' + col as u8) as char, row + 1)
    }

    /// The cell with this name, if it is on the board. Capital letters work too.
    pub fn cell_named(self, name: &str) -> Option<Cell> {
        let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
        let digits = &name[1..];
        if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
        self.cell(row, (letter.to_ascii_lowercase() as u8 - b'a') as usize)
    }

    /// The neighbours of a cell.
    #[inline]
    pub fn neighbours(self, cell: Cell) -> CellSet {
        self.0.neighbours[cell.index()]
    }

    /// The cells that touch a cell of `set`. A cell of the set is included if it touches another one.
    #[inline]
    pub fn neighbours_of_set(self, set: CellSet) -> CellSet {
        let Geometry { cols, cells, not_first_col, not_last_col, .. } = *self.0;
        let s = set.bits();
        let right = s & not_last_col;
        let left = s & not_first_col;
        CellSet::from_bits(
            right << 1 | left >> 1 | s << cols | s >> cols | left << (cols - 1) | right >> (cols - 1),
        ) & cells
    }

    /// The cells of `area` that are in `start` or connected to it through `area`.
    #[inline]
    pub fn reachable(self, start: CellSet, area: CellSet) -> CellSet {
        let mut reached = start & area;
        loop {
            let next = (reached | self.neighbours_of_set(reached)) & area;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The cells along one side of a player: `which` is 0 for top or left, 1 for bottom or right.
    #[inline]
    pub fn side(self, player: Player, which: usize) -> CellSet {
        self.0.sides[player.index()][which]
    }

    /// Whether `stones` connect the two sides of `player`.
    #[inline]
    pub fn joins(self, player: Player, stones: CellSet) -> bool {
        let [from, to] = self.0.sides[player.index()];
        self.reachable(from, stones).meets(to)
    }

    /// The set rotated by half a turn.
    #[inline]
    pub fn rotated(self, set: CellSet) -> CellSet {
        CellSet::from_bits(set.bits().reverse_bits() >> (MAX_CELLS - self.len()))
    }

    /// The set mirrored by `(row, col) → (col, row)`, if the board is square.
    #[inline]
    pub fn transposed(self, set: CellSet) -> Option<CellSet> {
        let table = self.0.transpose.as_ref()?;
        let bytes = set.bits().to_le_bytes();
        let mut image = 0;
        for (part, byte) in table.iter().zip(bytes).take(self.len().div_ceil(8)) {
            image |= part[byte as usize];
        }
        Some(CellSet::from_bits(image))
    }
}

impl Geometry {
    fn new(rows: usize, cols: usize) -> Geometry {
        let at = |row: usize, col: usize| Cell::new(row * cols + col);
        let inside = |row: i32, col: i32| (0..rows as i32).contains(&row) && (0..cols as i32).contains(&col);
        let mut neighbours = [CellSet::EMPTY; MAX_CELLS];
        for row in 0..rows {
            for col in 0..cols {
                for (dr, dc) in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)] {
                    let (r, c) = (row as i32 + dr, col as i32 + dc);
                    if inside(r, c) {
                        neighbours[at(row, col).index()].insert(at(r as usize, c as usize));
                    }
                }
            }
        }
        let row = |r: usize| (0..cols).map(|c| at(r, c)).collect::<CellSet>();
        let col = |c: usize| (0..rows).map(|r| at(r, c)).collect::<CellSet>();
        let cells = CellSet::first_n(rows * cols);
        let transpose = (rows == cols).then(|| {
            let mut table = Box::new([[0; 256]; 8]);
            for (byte, part) in table.iter_mut().enumerate() {
                for (value, image) in part.iter_mut().enumerate() {
                    let set = CellSet::from_bits((value as u64) << (8 * byte)) & cells;
                    let mirrored = set.into_iter().map(|cell| at(cell.index() % cols, cell.index() / cols));
                    *image = mirrored.collect::<CellSet>().bits();
                }
            }
            table
        });
        Geometry {
            rows,
            cols,
            cells,
            not_first_col: !col(0).bits(),
            not_last_col: !col(cols - 1).bits(),
            neighbours,
            sides: [[row(0), row(rows - 1)], [col(0), col(cols - 1)]],
            transpose,
        }
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Board {}

impl std::hash::Hash for Board {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.rows(), self.cols()).hash(state);
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows(), self.cols())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}
