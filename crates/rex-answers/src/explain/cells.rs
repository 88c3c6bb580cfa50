//! What each cell of a position is.

use rex_game::{Cell, CellSet, Player};
use rex_theory::domination::Dominated;

use super::Explanation;

/// What a cell is: the first of these that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A stone.
    Stone(Player),
    /// A stone whose colour no longer matters.
    DeadStone(Player),
    /// Dead: its colour cannot matter.
    Dead,
    /// Part of a set that this player captures.
    Captured(Player),
    /// Filled for this player by a mutual fill-in.
    Filled(Player),
    /// A move that is no better than another move.
    Dominated(Dominated),
    /// A key of a pairing that would join the mover herself.
    OwnKey,
    /// A move worth trying.
    Open,
}

impl Explanation {
    /// What a cell is.
    pub fn kind(&self, cell: Cell) -> Kind {
        let settled = self.filled.settled().has(cell);
        if let Some(player) = self.state.position.get(cell) {
            return if settled { Kind::DeadStone(player) } else { Kind::Stone(player) };
        }
        if self.dead().has(cell) {
            return Kind::Dead;
        }
        for player in Player::BOTH {
            if self.captured(player).has(cell) {
                return Kind::Captured(player);
            }
            if self.mutual(player).has(cell) {
                return Kind::Filled(player);
            }
        }
        match self.dominated.iter().find(|found| found.cell == cell) {
            Some(found) => Kind::Dominated(*found),
            None if self.own_keys.has(cell) => Kind::OwnKey,
            None => Kind::Open,
        }
    }

    /// The cells that mutual fill-in gave to a player.
    fn mutual(&self, player: Player) -> CellSet {
        self.filled_by(|effect| effect.exchanged[player.index()])
    }
}
