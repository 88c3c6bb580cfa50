//! A certificate that also says who wins after every move.

use rex_game::{Cell, Player, State};
use rex_proof::{Claim, ClaimId, Refutation, Rule};

use super::fill::Origin;
use super::{Extent, Proof, ProveError, Prover};

/// A proof put together from proofs of what follows after the moves.
pub(super) struct Whole {
    state: State,
    proof: Proof,
    answers: Vec<(Cell, Refutation)>,
    /// A winning move, and the claim that says so.
    winning: Option<(Cell, ClaimId)>,
}

impl Whole {
    pub(super) fn new(state: &State, explicit: bool) -> Whole {
        let proof = Proof {
            board: state.board(),
            explicit,
            claims: Vec::new(),
            root: 0,
            kept: Vec::new(),
            extent: Extent::default(),
            refused: Vec::new(),
        };
        Whole { state: *state, proof, answers: Vec::new(), winning: None }
    }

    /// Adds that `winner` wins after each of these moves.
    pub(super) fn add(
        &mut self,
        mut prover: Prover,
        winner: Player,
        moves: &[Cell],
    ) -> Result<(), ProveError> {
        let Whole { state, proof, answers, winning } = self;
        let offset = proof.claims.len() as ClaimId;
        prover.learned.catch_up(prover.solver.log());
        for &cell in moves {
            let after = state.play(cell);
            let id = offset + prover.prove(&after, winner, Origin::of(&after))?;
            proof.kept.push(id);
            answers.push((cell, Refutation::Claim(id)));
            if winner == state.to_move {
                winning.get_or_insert((cell, id));
            }
        }
        let Proof { claims, extent, mut refused, .. } = prover.ground.into_proof(0);
        proof.extent.positions += extent.positions;
        proof.extent.forgotten += extent.forgotten;
        proof.extent.nodes += extent.nodes;
        proof.refused.append(&mut refused);
        proof.claims.extend(claims.into_iter().map(|mut claim| {
            claim.id += offset;
            claim.rule.for_each_reference(|id| *id += offset);
            claim
        }));
        Ok(())
    }

    /// The proof, once there is a winner for each move that does not end the game.
    pub(super) fn finish(self) -> Proof {
        let Whole { state, mut proof, mut answers, winning } = self;
        let joins = state.moves().into_iter().filter(|&cell| state.play(cell).position.winner().is_some());
        answers.extend(joins.map(|cell| (cell, Refutation::Joins)));
        let (winner, rule) = match winning {
            Some((cell, id)) => (state.to_move, Rule::Move(cell, id)),
            None => (!state.to_move, Rule::All(answers)),
        };
        proof.root = proof.claims.len() as ClaimId + 1;
        proof.claims.push(Claim { id: proof.root, state, winner, rule });
        proof
    }
}
