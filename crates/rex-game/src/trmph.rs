//! Links to the board of trmph.com: `https://trmph.com/hex/board#6,a1b2c3`.
//!
//! After the `#` comes the size of a square board, then a comma and the moves. The first player owns top and bottom:
//! she is Black here. A swap is written as the first cell twice. `#6,d1d1` means that Black opened at a4, which is d1
//! mirrored across the long diagonal, and that White took over the stone, which is now hers, on d1.

use crate::link::Reader;
use crate::notation::quoted;
use crate::{Action, ActionKind, GameRecord, NotationError, Player, State};

const MOVES: &str = "a cell such as 'a1'";

impl Reader {
    /// Reads what comes after the `#` of a link to trmph.com.
    pub fn trmph(mut self) -> Result<GameRecord, NotationError> {
        let board = self.square()?;
        if let Some(symbol) = self.take_one()
            && symbol != ','
        {
            let message = format!("unexpected {} after the size", quoted(&symbol.to_string()));
            return Err(self.error(self.at - 1, message, "','"));
        }
        let start = State::new(board);
        let mut record = GameRecord::new(start);
        while self.peek().is_some() {
            let from = self.at;
            let state = record.end();
            if let [Action { kind: ActionKind::Play(first), .. }] = *record.actions()
                && board.cell_named(&self.name(MOVES)?) == Some(first)
            {
                let (row, col) = board.coordinates(first);
                let opening = board.cell(col, row).expect("the board is a square");
                record = GameRecord::with_moves(start, &[opening]);
                record.push(Action { player: Player::White, kind: ActionKind::SwapPieces });
                continue;
            }
            self.at = from;
            let cell = self.cell(&state, MOVES)?;
            record.push(Action { player: state.to_move, kind: ActionKind::Play(cell) });
        }
        Ok(record)
    }
}
