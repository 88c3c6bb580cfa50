//! Why positions are decided.
//!
//! A solved position is one instance of a statement: *with this Last, whoever has at least these stones, while her
//! opponent has none on those cells, loses*. Such a [`Reason`] decides every position that is at least as good for the
//! winner, cell by cell, whoever moves (`docs/theory.md`, "Monotonicity" and "Reasons").
//!
//! All threads write what they learn to one [`Log`]. Each has [`Reasons`] of its own, an index of the log that takes no
//! lock to ask.

use rex_game::{Board, CellSet, Player};
use rex_theory::Field;
use rex_theory::pairing::Pairing;

use crate::known::{Node, Part, Solved};

mod index;
mod log;
#[cfg(test)]
mod tests;

pub(crate) use index::Index;
pub(crate) use log::Log;

/// A statement: if Last is this player, the part `loser` loses every position where she has the stones `need` and her
/// opponent has none on `forbid`. What is needed is forbidden, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Who is Last.
    pub last: Player,
    /// Who loses.
    pub loser: Part,
    /// The loser's stones.
    pub need: CellSet,
    /// Where the winner has no stone.
    pub forbid: CellSet,
}

impl Reason {
    /// What a field that `loser` loses says of others: she has her stones, and the winner no more than she has there.
    /// Settled cells are dead, so the winner may have those.
    pub fn of_field(field: &Field, loser: Part) -> Reason {
        let player = loser.player(field.last);
        let winners = field.stones[(!player).index()];
        Reason { last: field.last, loser, need: field.own(player), forbid: field.board.cells() - winners }
    }

    /// What a pairing that makes `loser` join says of others: she has the stones it needs, and the winner none on them,
    /// on its pairs or on its key. A pairing with a key must be one of Last's. `None` if she is not joined by her own
    /// stones.
    pub fn of_pairing(field: &Field, loser: Part, pairing: &Pairing) -> Option<Reason> {
        let player = loser.player(field.last);
        let need = pairing.stones_needed(field.board, player, field.own(player))?;
        let key = pairing.key.map_or(CellSet::EMPTY, |key| key.set());
        Some(Reason { last: field.last, loser, need, forbid: need | pairing.cells() | key })
    }

    /// The field that is worst for the winner among those it decides.
    pub fn worst(&self, board: Board) -> Field {
        let player = self.loser.player(self.last);
        let mut stones = [self.need; 2];
        stones[(!player).index()] = board.cells() - self.forbid;
        Field { board, stones, last: self.last }
    }

    /// What it says after half a turn of the board.
    pub fn rotated(&self, board: Board) -> Reason {
        Reason { need: board.rotated(self.need), forbid: board.rotated(self.forbid), ..*self }
    }

    /// Whether it decides a field.
    fn decides(&self, field: &Field) -> bool {
        let player = self.loser.player(self.last);
        self.last == field.last
            && (self.need - field.stones[player.index()]).is_empty()
            && (self.forbid & field.own(!player)).is_empty()
    }

    /// Its place among the four kinds: by Last and by loser.
    fn kind(last: Player, loser: Part) -> usize {
        2 * last.index() + usize::from(loser == Part::Notlast)
    }
}

impl Solved {
    /// Whether a node has the same winner because it is this one, or at least as good for the winner cell by cell.
    pub fn decides(&self, board: Board, node: &Node) -> bool {
        let reason = Reason::of_field(&self.node.field(board), self.winner.other());
        let field = node.field(board);
        reason.decides(&field) || reason.rotated(board).decides(&field)
    }
}

/// The reasons that a thread knows.
pub struct Reasons {
    board: Board,
    by_kind: [Index; 4],
    /// How many blocks of reasons there is still room for.
    blocks_left: usize,
    /// How many reasons of the log it has heard.
    heard: usize,
}

/// For each move: the opponent's answers that a reason decides against her.
pub type Answers = [CellSet; 64];

/// What reasons say of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// A reason that decides it.
    pub decided: Option<Reason>,
    /// The moves of the loser after which one would.
    pub struck: CellSet,
}

impl Reasons {
    /// The fewest blocks it can work with: one for each kind.
    pub const FEWEST: usize = 4;

    /// Room for this many blocks of reasons.
    pub fn new(board: Board, blocks: usize) -> Reasons {
        let by_kind = [(); 4].map(|()| Index::new(board.len()));
        Reasons { board, by_kind, blocks_left: blocks.max(Reasons::FEWEST), heard: 0 }
    }

    /// Takes over what the log has that is new.
    pub fn catch_up(&mut self, log: &Log) {
        let Reasons { board, by_kind, blocks_left, heard } = self;
        *heard = log.since(*heard, |_, reason| {
            let rotated = reason.rotated(*board);
            for image in [Some(reason), (rotated != *reason).then_some(&rotated)].into_iter().flatten() {
                // A block is kept back for each kind that has none yet.
                let may_grow = *blocks_left > by_kind.iter().filter(|index| index.is_empty()).count();
                let index = &mut by_kind[Reason::kind(reason.last, reason.loser)];
                *blocks_left -= usize::from(index.insert(image, may_grow));
            }
        });
    }

    /// Whether a reason decides a field against `loser`. If not, which moves of hers one would decide.
    pub fn ask(&mut self, field: &Field, loser: Part) -> Asked {
        let player = loser.player(field.last);
        let index = &mut self.by_kind[Reason::kind(field.last, loser)];
        let (decided, struck) = index.ask(field.stones[player.index()], field.own(!player), field.empty());
        let full = |(need, forbid)| Reason { last: field.last, loser, need, forbid };
        // Where it is decided, not all of the moves were looked for.
        Asked { decided: decided.map(full), struck: if decided.is_some() { CellSet::EMPTY } else { struck } }
    }

    /// Whether a reason decides a field against `loser`. If not: for each move of the winner, the answers of hers that
    /// one would decide.
    pub fn ask_answers(&mut self, field: &Field, loser: Part) -> (bool, Answers) {
        let player = loser.player(field.last);
        let index = &mut self.by_kind[Reason::kind(field.last, loser)];
        let mut after = [CellSet::EMPTY; 64];
        let decided =
            index.answers(field.stones[player.index()], field.own(!player), field.empty(), &mut after);
        (decided.is_some(), after)
    }

    /// A reason that decides a field against `loser`.
    pub fn decide(&mut self, field: &Field, loser: Part) -> Option<Reason> {
        let player = loser.player(field.last);
        let index = &mut self.by_kind[Reason::kind(field.last, loser)];
        let (need, forbid) = index.decide(field.stones[player.index()], field.own(!player))?;
        Some(Reason { last: field.last, loser, need, forbid })
    }
}
