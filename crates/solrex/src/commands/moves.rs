//! `solrex moves`.

use std::fmt::Write;

use anyhow::Result;
use rex_game::State;
use rex_search::{MoveReport, MoveValue, Progress, Solution};

use crate::arguments::position::PositionArg;
use crate::arguments::solver::{SolverArgs, store};
use crate::cli::Show;
use crate::commands::solve::{ending, sentence, stop_note};
use crate::show::answer;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text};

/// Find out which moves win, and what refutes the others
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Also count the replies that refute each losing move
    #[arg(long)]
    replies: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex moves 4x4 d1 a1
  solrex moves 5x5 --replies
  solrex moves --json - < positions.txt";

/// Finds the value of every move of each position.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let mut ready = args.solver.ready()?;
    args.position.for_each(show, |state| {
        ready.search(state.board(), |solver, limits| {
            let question = solver.ask(state).limits(limits).counting_replies(args.replies);
            let line = ProgressLine::new(state.board());
            let ((solution, reports), last) = line.watch(|shown| question.on_progress(shown).moves());
            let object = || answer::moves(state, &solution, &reports, args.replies);
            let told = output::answer(show, object, || describe(state, &solution, &reports, last.as_ref()));
            if solution.nodes >= store::FROM {
                store::keep_answer(solver, state, &solution, &reports);
            }
            told.map(|()| ending(&solution))
        })
    })
}

fn describe(state: &State, solution: &Solution, reports: &[MoveReport], last: Option<&Progress>) -> String {
    let mut text = marked_board(state, reports) + "\n";
    let counted = reports.iter().any(|report| report.replies.is_some());
    let merit = if counted { "leaves the fewest winning replies" } else { "is the hardest to refute" };
    text += &sentence(state, solution, merit);
    let board = state.board();
    let of = |value| reports.iter().filter(move |report| report.value == value);
    let names = |value| of(value).map(|report| board.name(report.cell));
    let title = |text: &mut String, style, symbol: char, value: MoveValue, kind: &str, rest: &str| {
        let number = of(value).count();
        let moves = text::count(number as u64, &format!("{kind} move"));
        let _ = writeln!(text, "{} {moves}{rest}", paint(style, symbol));
        number > 0
    };
    if reports.is_empty() {
        return text;
    }
    if title(&mut text, style::WIN, '+', MoveValue::Win, "winning", "") {
        text += &text::wrapped(names(MoveValue::Win), 2);
    }
    let refuted = ", each with a reply that refutes it";
    if title(&mut text, style::LOSS, '-', MoveValue::Loss, "losing", refuted) {
        text += &text::wrapped(of(MoveValue::Loss).map(|report| losing(state, report)), 2);
    }
    if of(MoveValue::Unknown).next().is_some() {
        title(&mut text, style::FAINT, '?', MoveValue::Unknown, "unsolved", "");
        text += &text::wrapped(names(MoveValue::Unknown), 2);
    }
    text += &stop_note(solution, last);
    text
}

/// The board with the value of every move.
pub fn marked_board(state: &State, reports: &[MoveReport]) -> String {
    text::board(state, |cell| {
        let report = reports.iter().find(|report| report.cell == cell)?;
        Some(match report.value {
            MoveValue::Win => ('+', style::WIN),
            MoveValue::Loss => ('-', style::LOSS),
            MoveValue::Unknown => ('?', style::FAINT),
        })
    })
}

/// `b1(c2)`, `b1(c2 of 4)`, or `b1(connects)` for a move that connects the mover's own sides.
fn losing(state: &State, report: &MoveReport) -> String {
    let board = state.board();
    let answer = match (report.refutation, report.replies) {
        (Some(cell), Some(replies)) => format!("{} of {replies}", board.name(cell)),
        (Some(cell), None) => board.name(cell),
        (None, _) => "connects".to_owned(),
    };
    format!("{}({answer})", board.name(report.cell))
}
