//! The line of play from a position: the winner's moves against the longest resistance, up to where no more search is
//! needed, and what the theory says there.

use rex_game::State;
use rex_search::{LineEnd, Solution, Solver};
use rex_theory::Options;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::BadInput;
use crate::answer::{add, names, versioned};
use crate::explain::{self, DecidedBy, Explanation};
use crate::notation::read_text;

/// A request for a line.
#[derive(Deserialize)]
pub struct LineRequest {
    position: String,
}

impl LineRequest {
    /// The position.
    ///
    /// # Errors
    /// If it is none.
    pub fn state(&self) -> Result<State, BadInput> {
        read_text(&self.position)
    }
}

/// The answer, if the theory alone decides the position: a line without moves.
pub fn without_moves(state: &State) -> Option<Value> {
    let explanation = Explanation::new(state, &Options::all());
    let (winner, reason) = explanation.verdict?;
    let end = match reason {
        DecidedBy::Joined => LineEnd::Over,
        DecidedBy::FillIn => LineEnd::FillIn,
        DecidedBy::Symmetry(_) => LineEnd::Symmetry,
        DecidedBy::JoinPairing | DecidedBy::PreJoinPairing => LineEnd::Pairing,
    };
    Some(versioned(json!({
        "position": state.to_string(),
        "winner": winner.to_string(),
        "line": [],
        "end": end.word(),
        "there": explain::object(&explanation),
    })))
}

/// The line, if it is known to its end without search.
pub fn known(solver: &Solver, state: &State) -> Option<Solution> {
    let solution = solver.look_up(state);
    (solution.winner.is_some() && !matches!(solution.pv_end, None | Some(LineEnd::Unknown)))
        .then_some(solution)
}

/// The answer with what the solver found.
pub fn answer(state: &State, solution: &Solution) -> Value {
    let end = solution.pv.iter().fold(*state, |state, &cell| state.play(cell));
    let mut object = json!({
        "position": state.to_string(),
        "winner": solution.winner.map(|player| player.to_string()),
        "line": names(state.board(), solution.pv.iter().copied()),
        "end": solution.pv_end.map(LineEnd::word),
        "there": explain::object(&Explanation::new(&end, &Options::all())),
    });
    add(&mut object, "stopped", solution.stopped.map(|reason| reason.word()));
    versioned(object)
}
