//! Advice for the player.

use std::fmt::Write;

use rex_answers::explain::Explanation;
use rex_answers::opponent;
use rex_search::{Listener, MoveValue};
use rex_theory::Options;

use super::PlayTable;
use crate::commands::explain::prose;
use crate::commands::moves::marked_board;
use crate::show::style::{self, paint};
use crate::show::text::{self, name};

const UNSOLVED: &str = "The position could not be solved in time.\n";

impl PlayTable {
    /// A good move, or whether to swap.
    pub fn hint(&self, listener: Listener) -> String {
        let PlayTable { solver, game, limits, .. } = self;
        let state = game.state();
        if state.moves().is_empty() {
            return "The game is over.\n".to_owned();
        }
        if game.can_swap() {
            let Some(winner) = solver.ask(&state).limits(limits).on_progress(listener).verdict().winner
            else {
                return UNSOLVED.to_owned();
            };
            return if winner == state.to_move {
                format!("Do not swap: {} is winning.\n", name(winner))
            } else {
                format!("Swap: the opening wins for {}.\n", name(winner))
            };
        }
        if game.before_a_swap()
            && let Some(opening) = opponent::fair_opening(solver, &state, limits, listener)
        {
            let cell = paint(style::WIN, state.board().name(opening.cell));
            let answers = text::count(opening.replies.unwrap_or(0) as u64, "winning move");
            return format!("{cell} makes swapping a mistake: it loses, but leaves only {answers}.\n");
        }
        let Some(choice) = opponent::choose(solver, &state, limits, listener) else {
            return UNSOLVED.to_owned();
        };
        let cell = paint(style::WIN, state.board().name(choice.cell));
        match (choice.winner, choice.replies) {
            (Some(winner), _) if winner == state.to_move && game.before_a_swap() => {
                format!("{cell} wins, but your opponent should then swap.\n")
            }
            (Some(winner), _) if winner == state.to_move => format!("{cell} wins.\n"),
            (Some(_), Some(replies)) => {
                let answers = text::count(replies as u64, "winning move");
                format!("Every move loses; {cell} leaves only {answers}.\n")
            }
            (Some(_), None) => format!("Every move loses; {cell} may be the hardest to refute.\n"),
            (None, _) => format!("{UNSOLVED}{cell} looks good.\n"),
        }
    }

    /// The board with the value of every move.
    pub fn moves(&self, listener: Listener) -> String {
        let state = self.game.state();
        let (_, reports) = self.solver.ask(&state).limits(&self.limits).on_progress(listener).moves();
        let unknown = reports.iter().any(|report| report.value == MoveValue::Unknown);
        let board = marked_board(&state, &reports);
        format!("{board}+ wins, - loses{}\n", if unknown { ", ? unknown" } else { "" })
    }

    /// Why the winner wins: what theory sees, or the line that a search found.
    pub fn why(&self, listener: Listener) -> String {
        let state = self.game.state();
        let explanation = Explanation::new(&state, &Options::all());
        if explanation.verdict.is_some() {
            return prose::reason(&explanation);
        }
        let solution = self.solver.ask(&state).limits(&self.limits).on_progress(listener).solve();
        let Some(winner) = solution.winner else { return UNSOLVED.to_owned() };
        let mut said = format!("{} wins, as a search shows.", name(winner));
        let _ = writeln!(said, " The main line: {}", text::cells(state.board(), solution.pv.iter().copied()));
        let after = solution.pv.iter().fold(state, |state, &cell| state.play(cell));
        let end = Explanation::new(&after, &Options::all());
        if end.verdict.is_some() {
            said += "Then:\n";
            said += &prose::reason(&end);
        }
        said
    }
}
