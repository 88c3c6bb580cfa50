use rex_game::{Player, State};

use super::{Proof, ProveError, Prover};
use crate::limits::Limits;
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
    explicit: bool,
    short: bool,
    limits: Limits,
    on_progress: Box<dyn FnMut(usize) + 'a>,
}

impl Solver {
    /// Starts a proof that `winner` wins a state. This solver must have solved it before.
    pub fn proof<'a>(&'a self, state: &State, winner: Player) -> ProofRequest<'a> {
        ProofRequest {
            solver: self,
            state: *state,
            winner,
            explicit: false,
            short: false,
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
        let prover = Prover::new(self.solver, &self.state, self.winner, &self.limits, &mut self.on_progress);
        let to_pairings = self.short || self.explicit;
        Prover { explicit: self.explicit, to_pairings, ..prover }.run(&self.state, self.winner)
    }
}
