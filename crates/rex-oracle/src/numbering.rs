use rex_game::CellSet;

/// The most cells the oracle can handle: 3^16 is 43 million positions.
pub(crate) const MAX_CELLS: usize = 16;

/// The stones of a position: Black's cells, White's cells.
pub(crate) type Stones = (u16, u16);

/// Numbers positions in base 3, one digit per cell: 0 empty, 1 black, 2 white. Cell 0 is the lowest digit.
///
/// One more stone always makes the number larger. So if we fill a table from the top down, every successor
/// of a position is already there. A number splits into a block (its high digits) and a place in the block
/// (its low digits); two short tables give the stones of each half.
pub(crate) struct Numbering {
    cells: usize,
    low: Vec<Stones>,
    high: Vec<Stones>,
    /// For each set of cells, the number of the position with black stones on them.
    of_set: Vec<u32>,
}

impl Numbering {
    pub(crate) fn new(cells: usize) -> Numbering {
        assert!(cells <= MAX_CELLS, "{cells} cells; the oracle takes at most {MAX_CELLS}");
        let half = cells / 2;
        let of_set = |set: usize| (0..cells).filter(|i| set >> i & 1 != 0).map(step).sum::<usize>() as u32;
        Numbering {
            cells,
            low: (0..step(half)).map(|code| stones(code, 0)).collect(),
            high: (0..step(cells - half)).map(|code| stones(code, half)).collect(),
            of_set: (0..1 << cells).map(of_set).collect(),
        }
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        step(self.cells)
    }

    pub(crate) fn blocks(&self) -> usize {
        self.high.len()
    }

    pub(crate) fn block_len(&self) -> usize {
        self.low.len()
    }

    /// The number of a position.
    ///
    /// # Panics
    /// If a cell is off the board or has two colours.
    pub(crate) fn index(&self, black: CellSet, white: CellSet) -> usize {
        assert!(!black.meets(white), "a cell has one colour");
        let [black, white] = [black, white].map(|set| self.of_set[set.bits() as usize] as usize);
        black + 2 * white
    }

    /// The stones of the position at this place of this block.
    pub(crate) fn stones(&self, block: usize, place: usize) -> Stones {
        let (high, low) = (self.high[block], self.low[place]);
        (high.0 | low.0, high.1 | low.1)
    }

    pub(crate) fn empty(&self, (black, white): Stones) -> u16 {
        !(black | white) & ((1u32 << self.cells) - 1) as u16
    }
}

/// The value of a cell's digit: what a black stone there adds to the number.
pub(crate) const fn step(cell: usize) -> usize {
    3usize.pow(cell as u32)
}

/// The stones for the digits of `code`. The lowest digit is cell `first`.
fn stones(mut code: usize, first: usize) -> Stones {
    let (mut black, mut white) = (0, 0);
    for cell in first.. {
        match code % 3 {
            1 => black |= 1 << cell,
            2 => white |= 1 << cell,
            _ if code == 0 => break,
            _ => {}
        }
        code /= 3;
    }
    (black, white)
}
