//! A certificate for a position, made piece by piece: it is solved, then walked through, then written.

use std::time::Duration;

use rex_game::{Player, State};
use rex_search::prove::{Groundwork, Proof, ProveError};
use rex_search::{Limits, Moment, Solution, StopReason};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{self, seconds, versioned};
use crate::certificate;
use crate::page_search::{Session, Tell, report};

/// A question for a certificate.
#[derive(Deserialize, Clone, Debug)]
pub struct ProveRequest {
    /// The position.
    pub position: String,
    /// With the fewest theorems, so that it can be played against.
    #[serde(default)]
    pub explicit: bool,
    /// As a zstd frame.
    #[serde(default)]
    pub compressed: bool,
    /// Keep it, so that its claims can be asked for.
    #[serde(default)]
    pub keep: bool,
    /// Stop after this many seconds.
    pub seconds: Option<f64>,
}

/// A proof in the making.
pub struct Proving {
    state: State,
    explicit: bool,
    /// The winner, once that is known, with the time it took.
    solved: Option<(Player, Duration)>,
    /// The claims so far. Every one of them holds, so the next try goes on from there.
    ground: Option<Groundwork>,
    /// When progress was last told.
    told: Moment,
}

/// What came of it.
pub enum Outcome {
    /// A proof, which is not checked yet.
    Made(Proof, Times),
    /// A limit was reached: the answer says how far it came.
    Stopped(Value),
    /// The search called a position won, and no winning move is there: a bug.
    Failed(ProveError),
}

/// How long it took to solve and to prove a position.
#[derive(Clone, Copy)]
pub struct Times {
    solving: Duration,
    proving: Duration,
}

impl Outcome {
    /// The bytes of the certificate's file, and the time it took.
    ///
    /// # Errors
    /// If there is none: the event that says why.
    pub fn file(self, compressed: bool) -> Result<(Vec<u8>, Times), (&'static str, Value)> {
        let failed = |what: String| ("failed", json!({ "error": what }));
        match self {
            Outcome::Made(proof, times) => match certificate::file(proof, compressed) {
                Ok(file) => Ok((file, times)),
                Err(error) => Err(failed(error.to_string())),
            },
            Outcome::Stopped(answer) => Err(("answer", answer)),
            Outcome::Failed(error) => Err(failed(error.to_string())),
        }
    }
}

impl Times {
    /// Adds them to what is said of a certificate.
    pub fn add_to(self, answer: &mut Value) {
        answer["solve_seconds"] = seconds(self.solving).into();
        answer["prove_seconds"] = seconds(self.proving).into();
    }
}

const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

impl Proving {
    /// A proof of who wins this state. An explicit one names every move of the winner.
    pub fn new(state: &State, explicit: bool) -> Proving {
        Proving { state: *state, explicit, solved: None, ground: None, told: Moment::now() }
    }

    /// Solves the state and finds the claims. Tells how it is doing (`progress`): first with `nodes`, then with `claims`.
    ///
    /// # Errors
    /// If the session cannot continue. Called again, it continues where it was.
    pub fn go_on<S: Session>(&mut self, session: &mut S, tell: Tell) -> Result<Outcome, S::Refused> {
        let state = self.state;
        let (winner, solving) = match self.solved {
            Some(solved) => solved,
            None => {
                let (solution, ()) = session.ask(None, tell, |attempt, tell| {
                    let asked = attempt.solver.ask(&state).limits(&attempt.limits);
                    (asked.on_progress(|progress| report(&state, attempt, progress, tell)).verdict(), ())
                })?;
                let Some(winner) = solution.winner else {
                    return Ok(Outcome::Stopped(versioned(answer::solve(&state, &solution))));
                };
                *self.solved.insert((winner, session.worked()))
            }
        };
        let (explicit, ground, told) = (self.explicit, &mut self.ground, &mut self.told);
        let (solution, end) = session.ask(None, tell, |attempt, tell| {
            // A look at what is known: no proof is.
            if attempt.limits.nodes == Some(0) {
                return (Solution { stopped: Some(StopReason::Nodes), ..Solution::default() }, None);
            }
            let so_far = ground.take().unwrap_or_else(|| Groundwork::new(state.board(), explicit));
            let (claims, nodes) = so_far.size();
            // Those of earlier tries are counted again.
            let limits =
                Limits { nodes: attempt.limits.nodes.map(|left| left + nodes), ..attempt.limits.clone() };
            let walk = attempt.solver.proof(&state, winner).limits(&limits).on_progress(|claims| {
                if told.elapsed() >= BETWEEN_PROGRESS {
                    *told = Moment::now();
                    tell("progress", json!({ "claims": claims }));
                }
            });
            let walk = walk.attempt(so_far);
            let (more_claims, more_nodes) = walk.ground.size();
            *ground = Some(walk.ground);
            let stopped = match walk.end {
                Err(ProveError::Stopped(reason)) => Some(reason),
                _ => None,
            };
            // A claim counts as a node, so that whoever counts nodes sees headway.
            let nodes = more_nodes - nodes + (more_claims - claims) as u64;
            (Solution { stopped, nodes, ..Solution::default() }, Some(walk.end))
        })?;
        Ok(match (end, self.ground.take()) {
            (Some(Ok(root)), Some(ground)) => {
                let times = Times { solving, proving: session.worked().saturating_sub(solving) };
                Outcome::Made(ground.into_proof(root), times)
            }
            (Some(Err(error @ ProveError::NoMove { .. })), _) => Outcome::Failed(error),
            _ => {
                let reason = solution.stopped.unwrap_or(StopReason::Interrupt).word();
                let object =
                    json!({ "position": state.to_string(), "winner": winner.to_string(), "stopped": reason });
                Outcome::Stopped(versioned(object))
            }
        })
    }
}
