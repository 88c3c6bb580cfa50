use std::collections::HashSet;

use rex_game::{Cell, Player, State};
use rex_proof::ClaimId;

use super::moves::Whole;
use super::{Groundwork, Proof, ProveError, Prover};
use crate::limits::{Limits, StopReason};
use crate::solver::Solver;

/// A request for a certificate, from [`Solver::proof`].
///
/// ```
/// use rex_search::{Settings, Solver};
///
/// let state: rex_game::State = "4x4 d1".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
/// let winner = solver.ask(&state).verdict().winner.expect("nothing stops it");
///
/// let proof = solver.proof(&state, winner).explicit(true).prove()?;
/// let mut text = Vec::new();
/// proof.write(&mut text)?;
/// let report = rex_proof::check(&text[..], &rex_proof::CheckLimits::default(), &mut |_, _| {})?;
/// assert_eq!((report.state, report.winner), (state, winner));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is proved until it ends with prove()"]
pub struct ProofRequest<'a> {
    solver: &'a Solver,
    state: State,
    winner: Player,
    outcomes: Vec<(Cell, Player)>,
    explicit: bool,
    short: bool,
    doubting: Option<&'a HashSet<State>>,
    limits: Limits,
    on_progress: Box<dyn FnMut(usize) + 'a>,
}

/// How far a walk came.
pub struct Attempt {
    /// All claims so far, for a proof or for the next walk.
    pub ground: Groundwork,
    /// The claim that was asked for.
    pub end: Result<ClaimId, ProveError>,
    /// If it failed: the states from the one asked about to the one where it failed. Each is reached from the one before by
    /// a move, or is at most as good for the winner.
    pub way: Vec<State>,
}

impl Solver {
    /// Starts a proof that `winner` wins a state. This solver must have solved it before.
    pub fn proof<'a>(&'a self, state: &State, winner: Player) -> ProofRequest<'a> {
        ProofRequest {
            solver: self,
            state: *state,
            winner,
            outcomes: Vec::new(),
            explicit: false,
            short: false,
            doubting: None,
            limits: Limits::default(),
            on_progress: Box::new(|_| {}),
        }
    }
}

impl<'a> ProofRequest<'a> {
    /// Uses only joins, moves, pairs and images: the fewest theorems, and a strategy that can be played.
    pub fn explicit(self, explicit: bool) -> ProofRequest<'a> {
        ProofRequest { explicit, ..self }
    }

    /// Looks for a shorter proof: the winner also moves to pairings that the search did not look for. This takes two to
    /// three times as long.
    pub fn short(self, short: bool) -> ProofRequest<'a> {
        ProofRequest { short, ..self }
    }

    /// Also proves who wins after each move. Each of those that do not end the game must be there with its winner, and this
    /// solver must have solved them all.
    pub fn every_move(self, outcomes: Vec<(Cell, Player)>) -> ProofRequest<'a> {
        ProofRequest { outcomes, ..self }
    }

    /// Sets what can stop it early.
    pub fn limits(self, limits: &Limits) -> ProofRequest<'a> {
        ProofRequest { limits: limits.clone(), ..self }
    }

    /// Calls `listener` with the number of claims, a few times a second.
    pub fn on_progress(self, listener: impl FnMut(usize) + 'a) -> ProofRequest<'a> {
        ProofRequest { on_progress: Box::new(listener), ..self }
    }

    /// Makes the certificate.
    ///
    /// # Errors
    /// If a limit stops it, or the winner does not win.
    pub fn prove(mut self) -> Result<Proof, ProveError> {
        let board = self.state.board();
        if board != self.solver.board() {
            return Err(ProveError::Stopped(StopReason::Board));
        }
        if self.outcomes.is_empty() {
            let ground = Groundwork::new(board, self.explicit);
            let Attempt { ground, end, .. } = self.attempt(ground);
            return Ok(ground.into_proof(end?));
        }
        let ProofRequest { solver, state, outcomes, explicit, short, limits, on_progress, .. } = &mut self;
        let to_pairings = *short || *explicit;
        let mut whole = Whole::new(state, *explicit);
        for player in Player::BOTH {
            let moves = outcomes.iter().filter(|(_, winner)| *winner == player).map(|(cell, _)| *cell);
            let moves: Vec<Cell> = moves.collect();
            if let Some(&first) = moves.first() {
                let ground = Groundwork::new(board, *explicit);
                let prover = Prover::new(solver, ground, &state.play(first), player, limits, on_progress);
                whole.add(Prover { to_pairings, ..prover }, player, &moves)?;
            }
        }
        Ok(whole.finish())
    }

    /// For a solver that was told things which may be false: gives up where it calls a state won but no winning move is
    /// found soon. Only at the states in `insisting` the walk looks for one as long as it takes.
    pub fn doubting(self, insisting: &'a HashSet<State>) -> ProofRequest<'a> {
        ProofRequest { doubting: Some(insisting), ..self }
    }

    /// Tries to make the certificate, starting from earlier claims for the same winner and Last. They decide whether it
    /// is an explicit one.
    pub fn attempt(mut self, ground: Groundwork) -> Attempt {
        let (state, winner, doubting) = (self.state, self.winner, self.doubting);
        let to_pairings = self.short || ground.explicit;
        let prover = Prover::new(self.solver, ground, &state, winner, &self.limits, &mut self.on_progress);
        let mut prover = Prover { to_pairings, doubting, ..prover };
        let end = prover.run(&state, winner);
        Attempt { ground: prover.ground, end, way: prover.way }
    }
}
