use rex_game::Board;

pub(crate) const BLACK_JOINED: u8 = 1;
pub(crate) const WHITE_JOINED: u8 = 2;

/// For every set of cells, whether it joins top and bottom as black stones, and left and right as white ones.
pub(crate) struct Joins(Vec<u8>);

impl Joins {
    pub(crate) fn new(board: Board) -> Joins {
        let (rows, cols) = (board.rows(), board.cols());
        let flags = |set: usize| {
            let has = |row: usize, col: usize| set >> (row * cols + col) & 1 != 0;
            let down = (0..cols).any(|col| walk(rows, cols, has, (0, col)).any(|(row, _)| row == rows - 1));
            let across = (0..rows).any(|row| walk(rows, cols, has, (row, 0)).any(|(_, col)| col == cols - 1));
            (if down { BLACK_JOINED } else { 0 }) | (if across { WHITE_JOINED } else { 0 })
        };
        Joins((0..1 << board.len()).map(flags).collect())
    }

    /// Who is joined in the position with these stones.
    pub(crate) fn of(&self, (black, white): (u16, u16)) -> u8 {
        self.0[black as usize] & BLACK_JOINED | self.0[white as usize] & WHITE_JOINED
    }
}

/// The cells with a stone that are connected to `start`; none if it has no stone.
fn walk(
    rows: usize,
    cols: usize,
    has: impl Fn(usize, usize) -> bool,
    start: (usize, usize),
) -> impl Iterator<Item = (usize, usize)> {
    let mut seen = 0u16;
    let mut open = vec![start];
    std::iter::from_fn(move || {
        while let Some((row, col)) = open.pop() {
            let bit = 1 << (row * cols + col);
            if !has(row, col) || seen & bit != 0 {
                continue;
            }
            seen |= bit;
            for (down, right) in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)] {
                let next = (row.checked_add_signed(down), col.checked_add_signed(right));
                if let (Some(r), Some(c)) = next
                    && r < rows
                    && c < cols
                {
                    open.push((r, c));
                }
            }
            return Some((row, col));
        }
        None
    })
}
