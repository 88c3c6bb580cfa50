//! `solrex moves`.

use std::fmt::Write;

use anstyle::Style;
use anyhow::Result;
use rex_answers::answer;
use rex_game::{Cell, State};
use rex_search::{MoveReport, MoveValue, Progress, Solution};

use crate::arguments::position::PositionArg;
use crate::arguments::solver::{SolverArgs, store};
use crate::cli::Show;
use crate::commands::solve::{HARDEST, ending, in_one_line, sentence, stop_note};
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
    /// Say who wins, in one line
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
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
    let show = show.in_one_line(args.quiet);
    let mut ready = args.solver.ready()?;
    args.position.for_each(show, |state| {
        ready.search(state.board(), |solver, limits| {
            let question = solver.ask(state).limits(limits).counting_replies(args.replies);
            let line = ProgressLine::new(state.board());
            let ((solution, reports), last) = line.watch(|shown| question.on_progress(shown).moves());
            let object = || answer::moves(state, &solution, &reports, args.replies);
            let said = || match args.quiet {
                true => in_one_line(&solution),
                false => describe(state, &solution, &reports, last.as_ref()),
            };
            let told = output::answer(show, object, said);
            if solution.nodes >= store::FROM {
                answer::keep_answer(solver, state, &solution, &reports);
            }
            told.map(|()| ending(&solution))
        })
    })
}

/// The answer as text.
pub fn describe(
    state: &State,
    solution: &Solution,
    reports: &[MoveReport],
    last: Option<&Progress>,
) -> String {
    let mut text = marked_board(state, reports) + "\n";
    let counted = reports.iter().any(|report| report.replies.is_some());
    let merit = if counted { "leaves the fewest winning replies" } else { HARDEST };
    text += &sentence(state, solution, merit);
    if reports.is_empty() {
        return text;
    }
    let values = [(MoveValue::Win, "winning"), (MoveValue::Loss, "losing"), (MoveValue::Unknown, "unsolved")];
    for (value, kind) in values {
        let found: Vec<&MoveReport> = reports.iter().filter(|report| report.value == value).collect();
        if found.is_empty() {
            continue;
        }
        let moves = text::count(found.len() as u64, &format!("{kind} move"));
        let explained = |report: &&MoveReport| report.refutation.is_some() || joins(state, report.cell);
        let refuted = value == MoveValue::Loss && found.iter().all(explained);
        let refuted = if refuted { ", each with a reply that refutes it" } else { "" };
        let (symbol, style) = mark(value);
        let _ = writeln!(text, "{} {moves}{refuted}", paint(style, symbol));
        text += &text::wrapped(found.into_iter().map(|report| described(state, report)), 2);
    }
    text += &stop_note(solution, last);
    text
}

/// The board with the value of every move.
pub fn marked_board(state: &State, reports: &[MoveReport]) -> String {
    text::board(state, |cell| {
        let report = reports.iter().find(|report| report.cell == cell)?;
        Some(mark(report.value))
    })
}

/// The mark of a move.
fn mark(value: MoveValue) -> (char, Style) {
    match value {
        MoveValue::Win => ('+', style::WIN),
        MoveValue::Loss => ('-', style::LOSS),
        MoveValue::Unknown => ('?', style::FAINT),
    }
}

/// Whether the move connects the mover's own sides.
fn joins(state: &State, cell: Cell) -> bool {
    state.play(cell).position.winner().is_some()
}

/// `b1`, or for a losing move `b1(c2)`, `b1(c2 of 4)`, or `b1(connects)` if it connects the mover's own sides.
/// Symmetry may say that a move loses and name no reply.
fn described(state: &State, report: &MoveReport) -> String {
    let board = state.board();
    let answer = match (report.refutation, report.replies) {
        _ if report.value != MoveValue::Loss => return board.name(report.cell),
        (Some(cell), Some(replies)) => format!("{} of {replies}", board.name(cell)),
        (Some(cell), None) => board.name(cell),
        (None, _) if joins(state, report.cell) => "connects".to_owned(),
        (None, _) => return board.name(report.cell),
    };
    format!("{}({answer})", board.name(report.cell))
}
