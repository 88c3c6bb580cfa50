use std::ops::Range;

use super::NotationError;
use crate::{Board, Cell, CellSet, MAX_CELLS, MAX_COLS, Player, Position};

/// Rows of cells, read from the top. Counts all cells but keeps a board's worth: absurd input costs no memory.
#[derive(Default)]
pub(crate) struct Grid {
    /// The number of complete rows, and of cells in each of them.
    pub rows: usize,
    pub cols: usize,
    in_row: usize,
    stones: [CellSet; 2],
}

impl Grid {
    /// The number of the row being read, counted from one.
    pub fn row_number(&self) -> usize {
        self.rows + 1
    }

    /// Whether the row being read has no cell yet.
    pub fn row_is_empty(&self) -> bool {
        self.in_row == 0
    }

    pub fn push(&mut self, stone: Option<Player>) {
        let index = self.rows * self.cols + self.in_row;
        if let Some(player) = stone
            && index < MAX_CELLS
        {
            self.stones[player.index()].insert(Cell::new(index));
        }
        self.in_row += 1;
    }

    /// A run of empty cells.
    pub fn skip(&mut self, cells: usize) {
        self.in_row += cells;
    }

    /// Ends the row that was read from `span`.
    pub fn end_row(&mut self, span: Range<usize>) -> Result<(), NotationError> {
        let expected = match (self.rows, self.in_row) {
            (0, 0) => "at least one cell".to_owned(),
            (0, n) if n > MAX_COLS => format!("at most {MAX_COLS} columns"),
            (1.., n) if n != self.cols => format!("{} as in row 1", cells(self.cols)),
            (_, n) => {
                *self = Grid { rows: self.rows + 1, cols: n, in_row: 0, ..*self };
                return Ok(());
            }
        };
        let row = self.row_number();
        let message = match self.in_row {
            0 => format!("row {row} is empty"),
            n => format!("row {row} has {}", cells(n)),
        };
        Err(NotationError::new(message, expected, span))
    }

    /// The position, from all rows. `span` is where they were read.
    pub fn finish(self, span: Range<usize>) -> Result<Position, NotationError> {
        let Grid { rows, cols, stones: [black, white], .. } = self;
        let board = Board::new(rows, cols).map_err(|_| too_many_cells(rows, cols, span))?;
        Ok(Position::with_stones(board, black, white))
    }
}

pub(crate) fn too_many_cells(rows: usize, cols: usize, span: Range<usize>) -> NotationError {
    let message = format!("a board of {rows}x{cols} has {} cells", rows.saturating_mul(cols));
    NotationError::too_many_cells(message, (rows, cols), span)
}

fn cells(n: usize) -> String {
    format!("{n} {}", if n == 1 { "cell" } else { "cells" })
}
