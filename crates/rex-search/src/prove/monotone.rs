//! Claims from which others follow by monotonicity.
//!
//! All claims of a proof have the same Last and, apart from reflected ones, the same winner. So a claim that took moves
//! to prove also proves every position that is better for the winner cell by cell. This saves about a quarter of the
//! claims (`docs/notes.md`, "Proofs and the checker").

use rex_game::{CellSet, Player, State, Symmetry};
use rex_proof::ClaimId;

/// Only this many of the latest claims are compared, so that long proofs do not take quadratic time.
const LATEST: usize = 10_000;

/// Claims that took moves to prove.
#[derive(Default)]
pub struct ClaimsByMoves {
    claims: Vec<(Stones, ClaimId)>,
}

#[derive(Clone, Copy)]
struct Stones {
    winners: CellSet,
    losers: CellSet,
}

impl Stones {
    fn of(state: &State, winner: Player) -> Stones {
        Stones { winners: state.position.stones(winner), losers: state.position.stones(!winner) }
    }

    fn is_worse_than(&self, other: &Stones) -> bool {
        other.winners.within(self.winners) && self.losers.within(other.losers)
    }
}

impl ClaimsByMoves {
    /// Records a claim.
    pub fn add(&mut self, state: &State, winner: Player, id: ClaimId) {
        self.claims.push((Stones::of(state, winner), id));
    }

    /// A claim that is worse for the winner than the state or its rotation, and which of the two.
    pub fn worse_than(&self, state: &State, winner: Player) -> Option<(ClaimId, Symmetry)> {
        let ways = [Symmetry::Identity, Symmetry::Rotation];
        let images = ways.map(|way| (way, Stones::of(&state.image(way), winner)));
        self.claims.iter().rev().take(LATEST).find_map(|(stones, id)| {
            let (way, _) = images.iter().find(|(_, image)| stones.is_worse_than(image))?;
            Some((*id, *way))
        })
    }
}
