//! A pairing in the position as it stands.
//!
//! The pairings of an explanation belong to the filled position: there the loser already has what she captures. Somebody who
//! plays by the pairs needs the captured ones as well, since she gets only one cell of each.

use rex_game::{Cell, Player};
use rex_proof::forces_a_join;
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::fill_in::FillStep;
use rex_theory::pairing::{Pairing, PairingVerdict};
use rex_theory::{Field, Reduced};

use super::Explanation;

/// The most steps for the exact pairing search, which is only the last resort.
const STEPS: u32 = 2_000;

impl Explanation {
    /// A pairing that makes `loser` lose with nothing filled in, as the checker of certificates tests it. It has the pairs of
    /// the one `found` in the filled position, if there fill-in has not joined her already, and as many of those that she
    /// captures as it needs. `None` if it needs another rule of fill-in, too.
    pub(super) fn as_it_stands(
        &self,
        loser: Player,
        found: Option<&PairingVerdict>,
    ) -> Option<PairingVerdict> {
        let key = found.and_then(|found| found.pairing.key);
        let holds = |pairs: &[(Cell, Cell)]| forces_a_join(&self.state.position, loser, pairs, key);
        let own = found.map_or(&[][..], |found| found.pairing.pairs());
        if let Some(found) = found.filter(|_| holds(own)) {
            return Some(*found);
        }
        let mut pairs = [own, &self.captured_pairs(loser)].concat();
        if !holds(&pairs) {
            return self.found_as_it_stands(loser);
        }
        for i in (own.len()..pairs.len()).rev() {
            let pair = pairs.remove(i);
            if !holds(&pairs) {
                pairs.insert(i, pair);
            }
        }
        let mut pairing = Pairing::new(key);
        for (one, other) in pairs {
            pairing.push(one, other);
        }
        Some(PairingVerdict { loser, pairing, mirrored: None })
    }

    /// One that a search in the position itself finds.
    fn found_as_it_stands(&self, loser: Player) -> Option<PairingVerdict> {
        let field = Field::new(&self.state);
        let reduced = Reduced::new(field);
        match find_pairing(reduced.graph(!loser), field.last == loser, STEPS) {
            Outcome::Found(pairing)
                if forces_a_join(&self.state.position, loser, pairing.pairs(), pairing.key) =>
            {
                Some(PairingVerdict { loser, pairing, mirrored: None })
            }
            _ => None,
        }
    }

    /// The pairs of which fill-in gives `player` both cells because she captures them.
    fn captured_pairs(&self, player: Player) -> Vec<(Cell, Cell)> {
        let found = self.steps.iter().filter_map(|step| match step {
            FillStep::Captured { player: whose, pairs } if *whose == player => Some(pairs.as_slice()),
            FillStep::Decomposition(found) if found.player == player => Some(found.pairing.pairs()),
            _ => None,
        });
        found.flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::DecidedBy;
    use crate::notation::read_text;
    use rex_game::{Board, CellSet, Position, State};
    use rex_theory::Options;

    fn strategy(position: &str) -> (Option<String>, Option<PairingVerdict>) {
        let state = read_text(position).unwrap();
        let found = Explanation::new(&state, &Options::all());
        let pairs = |pairing: &Pairing| {
            let pairs = pairing.pairs().iter();
            let name = |cell| state.board().name(cell);
            pairs.map(|&(one, other)| format!("{}-{}", name(one), name(other))).collect::<Vec<_>>().join(" ")
        };
        (found.strategy.map(|found| pairs(&found.pairing)), found.strategy)
    }

    /// Black's stone on c2 reaches the top because she captures c1 and d1: she gets one of the two.
    #[test]
    fn a_captured_pair_that_is_needed_is_named() {
        let (pairs, found) = strategy("5/2bw1/5/5/5 b");
        assert!(pairs.unwrap().split(' ').any(|pair| pair == "c1-d1"));
        let state = read_text("5/2bw1/5/5/5 b").unwrap();
        let PairingVerdict { loser, pairing, .. } = found.unwrap();
        assert!(forces_a_join(&state.position, loser, pairing.pairs(), pairing.key));
    }

    /// Where fill-in alone joins a player, the captured pairs are the strategy.
    #[test]
    fn fill_in_that_joins_has_a_strategy() {
        let (pairs, _) = strategy("1w1/b2/2b b");
        assert!(pairs.is_some());
    }

    /// On 3x3 pairs tell the whole story wherever they, or fill-in, decide: no other rule of fill-in is needed.
    #[test]
    fn every_3x3_position_that_pairs_decide_has_a_strategy() {
        let board = Board::new(3, 3).unwrap();
        let (mut decided, mut named) = (0, 0);
        for code in 0..3_u32.pow(9) {
            let stones = |digit| {
                let cells = board.cells().into_iter();
                cells.filter(|cell| code / 3_u32.pow(cell.index() as u32) % 3 == digit).collect::<CellSet>()
            };
            let position = Position::with_stones(board, stones(1), stones(2));
            for to_move in Player::BOTH {
                let state = State { position, to_move };
                let found = Explanation::new(&state, &Options::all());
                let by = found.verdict.map(|(_, reason)| reason);
                let pairs = [DecidedBy::FillIn, DecidedBy::JoinPairing, DecidedBy::PreJoinPairing];
                if by.is_some_and(|by| pairs.contains(&by)) {
                    decided += 1;
                    named += u32::from(found.strategy.is_some());
                }
            }
        }
        assert!(decided > 1000 && named == decided, "{named} of {decided}");
    }
}
