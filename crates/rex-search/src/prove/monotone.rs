//! What follows by monotonicity: from claims that are there, and from what the search has learned.
//!
//! All claims of a proof have the same Last and, apart from reflected ones, the same winner. So a claim that took moves
//! to prove also proves every position that is better for the winner cell by cell, and so does a reason, once the
//! position that is worst among those it decides has a claim (`docs/notes.md`, "Proofs and the checker").

use rex_game::{Board, Player, State, Symmetry};
use rex_proof::ClaimId;
use rex_theory::Field;
use rex_theory::pairing::Pairing;

use crate::known::{Node, Part};
use crate::reasons::{Index, Log, Reason};

/// Claims that took moves to prove, each in both images of the board.
pub struct ClaimsByMoves {
    index: Index,
    claims: Vec<(ClaimId, Symmetry)>,
}

impl ClaimsByMoves {
    /// None yet.
    pub fn new(board: Board) -> ClaimsByMoves {
        ClaimsByMoves { index: Index::new(board.len()), claims: Vec::new() }
    }

    /// Records a claim.
    pub fn add(&mut self, state: &State, winner: Player, id: ClaimId) {
        for way in [Symmetry::Identity, Symmetry::Rotation] {
            let field = Field::new(&state.image(way));
            self.index.insert(&Reason::of_field(&field, Part::of(!winner, field.last)), 0, true);
            self.claims.push((id, way));
        }
    }

    /// A claim that is worse for the winner than the state, and the image of it that is.
    pub fn worse_than(&self, state: &State, winner: Player) -> Option<(ClaimId, Symmetry)> {
        let [winners, losers] = [winner, !winner].map(|player| state.position.stones(player));
        self.index.first(losers, winners, usize::MAX, |_| true).map(|found| self.claims[found])
    }
}

/// The reasons that the search has learned against the loser of a proof. They have numbers, in the order in which they
/// were learned. Each follows from earlier ones, or was told by another solver; then its position is searched again. So a
/// proof that always goes to earlier ones comes to an end.
pub struct Learned {
    board: Board,
    /// Who is Last in the form of positions that reasons are about.
    last: Player,
    loser: Part,
    index: Index,
    /// By their place in the index: the number, and what it says there.
    reasons: Vec<(usize, Reason)>,
    heard: usize,
}

impl Learned {
    /// The reasons against the loser of a state.
    pub fn new(state: &State, winner: Player) -> Learned {
        let field = Field::new(state);
        let (node, _) = Node::of(&field);
        Learned {
            board: state.board(),
            last: node.last,
            loser: Part::of(!winner, field.last),
            index: Index::new(state.board().len()),
            reasons: Vec::new(),
            heard: 0,
        }
    }

    /// Takes over what the log has that is new.
    pub fn catch_up(&mut self, log: &Log) {
        let Learned { board, last, loser, index, reasons, heard } = self;
        *heard = log.since(*heard, |number, reason| {
            if reason.last == *last && reason.loser == *loser {
                for reason in [*reason, reason.rotated(*board)] {
                    index.insert(&reason, 0, true);
                    reasons.push((number, reason));
                }
            }
        });
    }

    /// Whether a reason decides a field.
    pub fn decides(&self, field: &Field) -> bool {
        let (field, _) = self.canonical(field);
        self.find(&field, usize::MAX, |_| true).is_some()
    }

    /// A pairing that decides a field.
    pub fn pairing(&self, field: &Field) -> Option<Pairing> {
        let (field, symmetry) = self.canonical(field);
        let (_, reason) = self.find(&field, usize::MAX, |reason| reason.pairs.is_some())?;
        let found = reason.pairing(&field)?;
        let there = |cell| symmetry.apply_to_cell(self.board, cell);
        let mut pairing = Pairing::new(found.key.map(there));
        found.pairs().iter().for_each(|&(one, other)| pairing.push(there(one), there(other)));
        Some(pairing)
    }

    /// The first reason with a number below `before` that decides a field and comes from a position: its number, and the
    /// worst of the fields that it decides. Not if that is the field itself.
    pub fn worse_than(&self, field: &Field, before: usize) -> Option<(usize, Field)> {
        let (field, symmetry) = self.canonical(field);
        let itself = Reason::of_field(&field, self.loser);
        let (number, reason) =
            self.find(&field, before, |reason| reason.pairs.is_none() && *reason != itself)?;
        Some((number, reason.worst(self.board).next()?.image(symmetry)))
    }

    fn find(
        &self,
        field: &Field,
        before: usize,
        wanted: impl Fn(&Reason) -> bool,
    ) -> Option<(usize, Reason)> {
        let loser = self.loser.player(self.last);
        let (losers, winners) = (field.stones[loser.index()], field.own(!loser));
        let end = self.reasons.partition_point(|&(number, _)| number < before);
        let found = self.index.first(losers, winners, end, |at| wanted(&self.reasons[at].1))?;
        Some(self.reasons[found])
    }

    fn canonical(&self, field: &Field) -> (Field, Symmetry) {
        let (node, symmetry) = Node::of(field);
        (node.field(self.board), symmetry)
    }
}
