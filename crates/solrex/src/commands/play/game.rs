//! The game so far, with undo.

use rex_game::{Action, ActionKind, Cell, GameRecord, State};

/// A game with its history.
pub struct Game {
    record: GameRecord,
    /// Whether the second player may swap.
    pie_rule: bool,
}

impl Game {
    /// A game that starts here.
    pub fn new(start: State, pie_rule: bool) -> Game {
        Game { record: GameRecord::new(start), pie_rule }
    }

    /// The position now.
    pub fn state(&self) -> State {
        self.record.end()
    }

    /// Everything that happened.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The last move.
    pub fn last(&self) -> Option<Cell> {
        self.record.actions().iter().rev().find_map(|action| match action.kind {
            ActionKind::Play(cell) => Some(cell),
            _ => None,
        })
    }

    /// The side to move colours a cell.
    pub fn play(&mut self, cell: Cell) {
        self.act(ActionKind::Play(cell));
    }

    /// Whether this is the second player's first move, and she may swap.
    pub fn can_swap(&self) -> bool {
        self.pie_rule && matches!(self.record.actions(), [Action { kind: ActionKind::Play(_), .. }])
    }

    /// Whether the opponent may swap after the next move.
    pub fn before_a_swap(&self) -> bool {
        self.pie_rule && self.record.actions().is_empty()
    }

    /// The players change sides; the stone stays where it is.
    pub fn swap(&mut self) {
        self.act(ActionKind::SwapSides);
    }

    /// Undoes the last move or swap, and says whether it was a swap.
    pub fn undo(&mut self) -> Option<bool> {
        let (last, before) = self.record.actions().split_last()?;
        let mut record = GameRecord::new(*self.record.start());
        before.iter().for_each(|&action| record.push(action));
        let swapped = last.kind == ActionKind::SwapSides;
        self.record = record;
        Some(swapped)
    }

    fn act(&mut self, kind: ActionKind) {
        self.record.push(Action { player: self.state().to_move, kind });
    }
}
