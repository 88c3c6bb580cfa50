use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A cell, as its index `row * cols + col`.
///
/// A cell does not know its board: [`Board::name`](crate::Board::name) gives its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this index.
    ///
    /// # Panics
    /// If `index` is 64 or more.
    #[inline]
    pub const fn new(index: usize) -> Cell {
        assert!(index < 64);
        Cell(index as u8)
    }

    /// The index, `0..64`. The mask tells the compiler that it is below 64.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The set that holds only this cell.
    #[inline]
    pub const fn set(self) -> CellSet {
        CellSet(1 << self.index())
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A set of cells, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CellSet(u64);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet(0);

    /// The set with these bits: bit `i` stands for the cell with [`Cell::index`] `i`.
    ///
    /// ```
    /// use rex_game::{Cell, CellSet};
    ///
    /// assert_eq!(CellSet::from_bits(0b101), Cell::new(0).set().with(Cell::new(2)));
    /// assert_eq!(Cell::new(3).set().bits(), 0b1000);
    /// ```
    pub const fn from_bits(bits: u64) -> CellSet {
        CellSet(bits)
    }

    /// The bits of the set, as in [`CellSet::from_bits`].
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The first `n` cells.
    #[inline]
    pub const fn first_n(n: usize) -> CellSet {
        if n >= 64 { CellSet(!0) } else { CellSet((1 << n) - 1) }
    }

    /// The number of cells in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `cell` is in the set.
    #[inline]
    pub const fn has(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// Whether the sets share a cell.
    pub const fn meets(self, other: CellSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every cell of this set is in `other`.
    pub const fn within(self, other: CellSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The cell with the smallest index.
    #[inline]
    pub const fn first(self) -> Option<Cell> {
        if self.0 == 0 { None } else { Some(Cell(self.0.trailing_zeros() as u8)) }
    }

    /// This set plus one cell.
    #[inline]
    pub const fn with(self, cell: Cell) -> CellSet {
        CellSet(self.0 | 1 << cell.index())
    }

    /// This set minus one cell.
    #[inline]
    pub const fn without(self, cell: Cell) -> CellSet {
        CellSet(self.0 & !(1 << cell.index()))
    }

    /// Adds a cell.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    /// Removes a cell.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.index());
    }

    /// Removes the cell with the smallest index and returns it.
    #[inline]
    pub const fn pop(&mut self) -> Option<Cell> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl BitOr for CellSet {
    type Output = CellSet;
    fn bitor(self, other: CellSet) -> CellSet {
        CellSet(self.0 | other.0)
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;
    fn bitand(self, other: CellSet) -> CellSet {
        CellSet(self.0 & other.0)
    }
}

impl Sub for CellSet {
    type Output = CellSet;
    fn sub(self, other: CellSet) -> CellSet {
        CellSet(self.0 & !other.0)
    }
}

impl BitOrAssign for CellSet {
    fn bitor_assign(&mut self, other: CellSet) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for CellSet {
    fn bitand_assign(&mut self, other: CellSet) {
        self.0 &= other.0;
    }
}

impl SubAssign for CellSet {
    fn sub_assign(&mut self, other: CellSet) {
        self.0 &= !other.0;
    }
}

impl FromIterator<Cell> for CellSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet {
        cells.into_iter().fold(CellSet::EMPTY, CellSet::with)
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Cells;
    #[inline]
    fn into_iter(self) -> Cells {
        Cells(self)
    }
}

/// The cells of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Cells(CellSet);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        self.0.pop()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Cells {}
