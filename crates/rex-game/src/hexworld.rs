//! Links to HexWorld's board: `https://hexworld.org/board/#6c1,a1b2:sc3,d4`.
//!
//! After the `#` comes the size (one number, or columns `x` rows), then letters for how to show the board
//! (rotation, numbers, colours; we ignore them). After a comma come the moves up to the shown position, and
//! after another comma the moves after it. A move is a cell, `:s` (swap pieces), `:S` (swap sides), `:p`
//! (pass), `:rb` or `:rw` (Red or Blue resigns), `:fb` or `:fw` (forfeits). Red moves first and owns top and
//! bottom: she is Black here.

use std::fmt::Write;

use crate::game_record::ONLY_SECOND;
use crate::link::Reader;
use crate::{Action, ActionKind, Board, GameRecord, NotationError, Player, State};

const ADDRESS: &str = "https://hexworld.org/board/#";
const MOVES: &str = "a cell such as 'a1', ':s', ':S', ':p', ':rb', ':rw', ':fb' or ':fw'";

impl Reader {
    /// Reads what comes after the `#` of a link to HexWorld.
    pub fn hexworld(mut self) -> Result<GameRecord, NotationError> {
        let mut record = GameRecord::new(State::new(self.rectangle()?));
        // Skip how the board is shown.
        self.take(|c| c != ',');
        let mut shown = usize::MAX;
        let mut commas = 0;
        while let Some(symbol) = self.peek() {
            if symbol != ',' {
                let action = self.action(&record)?;
                record.push(action);
                continue;
            }
            commas += 1;
            match commas {
                1 => {}
                2 => shown = record.actions().len(),
                _ => return Err(self.error(self.at, "there is a third ','", "the end of the link")),
            }
            self.at += 1;
        }
        record.show(shown);
        Ok(record)
    }

    fn action(&mut self, record: &GameRecord) -> Result<Action, NotationError> {
        let from = self.at;
        let state = record.end();
        let mut player = state.to_move;
        if self.peek() != Some(':') {
            return self.cell(&state, MOVES).map(|cell| Action { player, kind: ActionKind::Play(cell) });
        }
        self.at += 1;
        let code = self.take_one();
        if code == Some('r') || code == Some('f') {
            player = match self.take_one() {
                Some('b') => Player::Black,
                Some('w') => Player::White,
                _ => return Err(self.not_a_move(from, MOVES)),
            };
        }
        let kind = match code {
            Some('r') => ActionKind::Resign,
            Some('f') => ActionKind::Forfeit,
            _ => match code.and_then(ActionKind::from_letter) {
                Some(kind) => kind,
                None => return Err(self.not_a_move(from, MOVES)),
            },
        };
        if matches!(kind, ActionKind::SwapPieces | ActionKind::SwapSides) && !record.can_swap() {
            return Err(self.error(from, "a swap is not allowed here", ONLY_SECOND));
        }
        kind.check_mirror(&state, self.span(from))?;
        Ok(Action { player, kind })
    }
}

/// Writes the link, with the colours red and blue.
pub fn write(record: &GameRecord) -> String {
    if !replayable(record) {
        return write_position(&record.state());
    }
    let mut link = address(record.start().board());
    let mut board = record.start().board();
    let shown = record.shown();
    for (i, action) in record.actions().iter().enumerate() {
        if i == 0 {
            link.push(',');
        }
        if i == shown {
            link.push(',');
        }
        link += &code(board, action);
        if action.kind == ActionKind::SwapPieces {
            board = record.end().board();
        }
    }
    link
}

fn address(board: Board) -> String {
    let mut link = ADDRESS.to_owned();
    let (rows, cols) = (board.rows(), board.cols());
    let _ = if rows == cols { write!(link, "{cols}c1") } else { write!(link, "{cols}x{rows}c1") };
    link
}

fn code(board: Board, action: &Action) -> String {
    let player = action.player.letter();
    match action.kind {
        ActionKind::Play(cell) => board.name(cell),
        ActionKind::Resign => format!(":r{player}"),
        ActionKind::Forfeit => format!(":f{player}"),
        kind => format!(":{}", kind.letter().expect("a swap or a pass")),
    }
}

/// Whether HexWorld would replay the game the same way.
fn replayable(record: &GameRecord) -> bool {
    let start = *record.start();
    let mut replay = GameRecord::new(start);
    start == State::new(start.board())
        && record.actions().iter().all(|action| {
            let fits = match action.kind {
                ActionKind::Resign | ActionKind::Forfeit => true,
                ActionKind::SwapPieces | ActionKind::SwapSides => {
                    replay.can_swap() && action.player == replay.end().to_move
                }
                _ => action.player == replay.end().to_move,
            };
            if fits {
                replay.push(*action);
            }
            fits
        })
}

/// Writes any position: stones in turn, and a pass when a colour has run out of them.
fn write_position(state: &State) -> String {
    let board = state.board();
    let mut moves = String::new();
    let [mut black, mut white] = Player::BOTH.map(|player| state.position.stones(player));
    let mut player = Player::Black;
    while !black.is_empty() || !white.is_empty() || player != state.to_move {
        let next = if player == Player::Black { black.pop() } else { white.pop() };
        moves += &next.map_or(":p".to_owned(), |cell| board.name(cell));
        player = !player;
    }
    let comma = if moves.is_empty() { "" } else { "," };
    address(board) + comma + &moves
}
