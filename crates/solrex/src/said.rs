//! What the commands say, without colours.

use anstream::adapter::strip_str;
use rex_answers::explain::Explanation;
use rex_game::State;
use rex_search::{MoveReport, Solution};

use crate::commands::{explain, moves, solve};

/// What `solrex solve` prints; `existence` if the verdict is by an argument that names no move.
pub fn solution(state: &State, solution: &Solution, existence: bool) -> String {
    strip_str(&solve::describe(state, solution, existence, None)).to_string()
}

/// Its sentence alone.
pub fn sentence(state: &State, solution: &Solution) -> String {
    let said = solve::sentence(state, solution, solve::HARDEST);
    strip_str(said.trim_end()).to_string()
}

/// What `solrex moves` prints.
pub fn moves(state: &State, solution: &Solution, reports: &[MoveReport]) -> String {
    strip_str(&moves::describe(state, solution, reports, None)).to_string()
}

/// What `solrex explain` prints.
pub fn explanation(explanation: &Explanation) -> String {
    strip_str(&explain::prose::describe(explanation)).to_string()
}

/// What `solrex explain --svg` draws.
pub fn picture(explanation: &Explanation) -> String {
    explain::picture::svg(explanation)
}
