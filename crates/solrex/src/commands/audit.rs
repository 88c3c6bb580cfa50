//! `solrex audit`: checks every step of a search against the table of all positions.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::Result;
use rex_answers::answer;
use rex_game::State;
use rex_search::{Auditor, Solution, Solver, StepClaim, WrongStep};
use rex_theory::{Field, Options};
use serde_json::{Value, json};

use crate::arguments::position::PositionArg;
use crate::arguments::solver::SearchArgs;
use crate::cli::Show;
use crate::commands::{census, solve};
use crate::show::style::{self, paint};
use crate::{Ending, show::log, show::output, show::text};

/// Check every step of a search against the rules of the game, on a small board
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex audit 4x4 d1
  solrex audit 3x4 b2 --captured-fours
  solrex audit '1b1w/3w/w2b/2b1 b' --no-hsearch --no-exact-pairing
  solrex audit 4x4 --json

First every position of the board is solved from the rules alone, some seconds for 4x4. Then the search runs, and each
of its steps is compared with that: filling cells in, verdicts without search, moves that are not tried, and positions
that it has solved. A wrong step is shown with the rule that makes it; the exit status is then 1. The store is not used.";

/// Searches each position under an audit.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let (settings, limits) = (args.search.settings(), args.search.limits()?);
    let mut referee: Option<Arc<rex_oracle::Oracle>> = None;
    args.position.for_each(show, |state| {
        let board = state.board();
        let oracle = match &referee {
            Some(oracle) if oracle.board() == board => oracle.clone(),
            _ => {
                log::note("solving every position");
                referee.insert(Arc::new(census::oracle(board)?)).clone()
            }
        };
        let auditor = Arc::new(Auditor::new(move |state| oracle.winner(state)));
        let solver = Solver::new(board, settings.clone())?.audited_by(Box::new(auditor.clone()));
        let solution = solver.ask(state).limits(&limits).solve();
        let report = AuditReport { state, solution, auditor: &auditor, theory: &settings.theory };
        output::answer(show, || report.json(), || report.text())?;
        Ok(report.ending())
    })
}

/// The result of an audit.
struct AuditReport<'a> {
    state: &'a State,
    solution: Solution,
    auditor: &'a Auditor,
    theory: &'a Options,
}

impl AuditReport<'_> {
    fn ending(&self) -> Ending {
        if self.auditor.wrong().is_empty() { solve::ending(&self.solution) } else { Ending::CheckFailed }
    }

    fn text(&self) -> String {
        let mut said = solve::sentence(self.state, &self.solution, "holds out longest");
        let checked = self.auditor.checked();
        let counts = checked.map(|(kind, count)| text::count(count, kind.word())).join(", ");
        let wrong = self.auditor.wrong();
        let _ = match wrong.len() {
            0 => writeln!(said, "Compared with the rules: {counts}. All are right."),
            some => writeln!(
                said,
                "Compared with the rules: {counts}. {}",
                paint(style::ERROR, format!("Wrong: {}", text::count(some as u64, "step")))
            ),
        };
        for (number, wrong) in wrong.iter().enumerate() {
            let _ = write!(said, "\n{}", self.describe(number + 1, wrong));
        }
        said + &solve::stop_note(&self.solution, None)
    }

    /// A wrong step with the position before and after it.
    fn describe(&self, number: usize, wrong: &WrongStep) -> String {
        let WrongStep { kind, before, claim } = wrong;
        let board = before.board;
        let rules = match &self.auditor.rules_at_fault(wrong, self.theory)[..] {
            [] => String::new(),
            rules => format!(", by {}", rules.join(", ")),
        };
        let title = paint(style::STRONG, format!("{number}. {}{rules}", kind.word()));
        let mut said = format!("{title}\nBefore, {}\n{}", self.winner(before), drawn(before));
        let _ = match claim {
            StepClaim::Filled(after) => {
                write!(said, "After, {}\n{}", self.winner(after), drawn(after))
            }
            StepClaim::Wins(winner) => writeln!(said, "The step says that {winner} wins."),
            StepClaim::Moves(kept) => writeln!(
                said,
                "The step keeps the moves {}; those that win are {}.",
                text::cells(board, *kept),
                text::cells(board, self.auditor.winning_moves(before))
            ),
        };
        if let Some(step) = self.auditor.first_false_fill(before, self.theory)
            && matches!(claim, StepClaim::Filled(_))
        {
            let _ = writeln!(said, "The first wrong step of the fill-in: {step:?}");
        }
        said
    }

    /// Who wins by the rules.
    fn winner(&self, field: &Field) -> String {
        match self.auditor.winner(field) {
            Some(winner) => format!("{winner} wins by the rules: {}", field.to_state()),
            None => format!("a settled cell matters: {}", field.to_state()),
        }
    }

    fn json(&self) -> Value {
        let checked = self.auditor.checked();
        let counts = checked.map(|(kind, count)| (kind.word().to_owned(), Value::from(count)));
        let mut answer = answer::solve(self.state, &self.solution);
        answer["checked"] = Value::Object(counts.into_iter().collect());
        answer["wrong"] = self.auditor.wrong().iter().map(|wrong| self.wrong_json(wrong)).collect();
        answer
    }

    fn wrong_json(&self, wrong: &WrongStep) -> Value {
        let WrongStep { kind, before, claim } = wrong;
        let board = before.board;
        let mut object = json!({
            "kind": kind.word(),
            "rules": self.auditor.rules_at_fault(wrong, self.theory),
            "before": before.to_state().to_string(),
            "settled": text::names(board, before.settled()),
            "winner": self.auditor.winner(before).map(|winner| winner.to_string()),
        });
        match claim {
            StepClaim::Filled(after) => {
                object["after"] = after.to_state().to_string().into();
                object["after_settled"] = text::names(board, after.settled()).into();
                object["after_winner"] = json!(self.auditor.winner(after).map(|winner| winner.to_string()));
            }
            StepClaim::Wins(winner) => object["claimed"] = winner.to_string().into(),
            StepClaim::Moves(kept) => {
                object["kept"] = text::names(board, *kept).into();
                object["winning"] = text::names(board, self.auditor.winning_moves(before)).into();
            }
        }
        object
    }
}

/// The board, with an x on settled cells.
fn drawn(field: &Field) -> String {
    text::board(&field.to_state(), |cell| field.settled().has(cell).then_some(('x', style::FAINT)))
}

#[cfg(test)]
mod tests {
    use rex_search::Settings;

    use super::*;

    /// An audit with a referee who is wrong about every position, so every step counts as wrong.
    #[test]
    fn what_is_wrong_is_reported() {
        let state: State = "3x3 b1".parse().unwrap();
        let oracle = census::oracle(state.board()).unwrap();
        let auditor = Arc::new(Auditor::new(move |state| !oracle.winner(state)));
        let solver = Solver::new(state.board(), Settings { memory: 1 << 20, ..Settings::default() }).unwrap();
        let solver = solver.audited_by(Box::new(auditor.clone()));
        let solution = solver.ask(&state).solve();
        let theory = Options::default();
        let report = AuditReport { state: &state, solution, auditor: &auditor, theory: &theory };
        assert_eq!(report.ending(), Ending::CheckFailed);
        let told = report.json();
        let wrong = told["wrong"].as_array().unwrap();
        assert_eq!(wrong.len(), auditor.wrong().len());
        assert!(wrong.iter().all(|step| step["before"].is_string()), "{told}");
        let text = report.text();
        assert!(text.contains("Wrong: ") && text.contains("Before, "), "{text}");
    }
}
