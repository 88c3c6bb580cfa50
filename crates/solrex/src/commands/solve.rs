//! `solrex solve`.

use std::fmt::Write;

use anyhow::Result;
use rex_answers::{answer, explain};
use rex_game::State;
use rex_search::{LineEnd, Progress, Solution, StopReason};

use crate::arguments::position::PositionArg;
use crate::arguments::solver::{SolverArgs, store};
use crate::cli::Show;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text, system::interrupt};

/// Find out who wins, with which move, and how the game continues
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Only find out who wins; accept an argument by symmetry, which names no move
    #[arg(long)]
    verdict_only: bool,
    /// Say who wins, in one line
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex solve 6x6 a1
  solrex solve '1b1w/3w/w2b/2b1 b'
  solrex solve 6x6 e3 --time 60s --memory 1G
  solrex solve 7x7 a1 b2 --checkpoint a1b2.table
  solrex solve --json - < positions.txt";

/// What is said of the best move in a lost position.
pub const HARDEST: &str = "is the hardest to refute";

/// Solves each position.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let theory = args.solver.search.settings().theory;
    let show = show.in_one_line(args.quiet);
    let mut ready = args.solver.ready()?;
    args.position.for_each(show, |state| {
        ready.search(state.board(), |solver, limits| {
            let (solution, last) = ProgressLine::new(state.board()).watch(|shown| {
                let question = solver.ask(state).limits(limits).on_progress(shown);
                if args.verdict_only { question.verdict() } else { question.solve() }
            });
            let existence = args.verdict_only && explain::is_existence_argument(state, &theory);
            let object = answer::verdict(state, &solution, existence);
            let said = || match args.quiet {
                true => in_one_line(&solution),
                false => describe(state, &solution, existence, last.as_ref()),
            };
            let told = output::answer(show, || object, said);
            if solution.nodes >= store::FROM {
                answer::keep_answer(solver, state, &solution, &[]);
            }
            told.map(|()| ending(&solution))
        })
    })
}

/// Whether a limit stopped it.
pub fn ending(solution: &Solution) -> Ending {
    if solution.stopped.is_some() { Ending::Stopped } else { Ending::Answered }
}

/// Who wins.
pub fn in_one_line(solution: &Solution) -> String {
    match solution.winner {
        Some(winner) => format!("{} wins\n", text::name(winner)),
        None => "Not solved\n".to_owned(),
    }
}

/// A solution as text.
pub fn describe(state: &State, solution: &Solution, existence: bool, last: Option<&Progress>) -> String {
    let mark = |cell| (Some(cell) == solution.best).then_some(('*', style::WIN));
    let mut text = text::board(state, mark);
    text.push('\n');
    text += &sentence(state, solution, HARDEST);
    if existence {
        text += "An existence argument: the position looks the same to both players, so the one who\n\
                 would not colour the last cell wins. It names no move.\n";
    }
    if !solution.pv.is_empty() {
        let line = text::cells(state.board(), solution.pv.iter().copied());
        let _ = writeln!(text, "Line of play: {line}{}", line_end(solution));
    }
    text += &stop_note(solution, last);
    text
}

/// Why the line of play ends before the game does.
fn line_end(solution: &Solution) -> &'static str {
    match solution.pv_end {
        None | Some(LineEnd::Over) => "",
        Some(LineEnd::FillIn) => " (then fill-in decides)",
        Some(LineEnd::Pairing) => " (then a pairing decides)",
        Some(LineEnd::Symmetry) => " (then symmetry decides, which names no move)",
        Some(LineEnd::Unknown) => " (the rest was not searched)",
    }
}

/// `Black wins: b4, after 5,077 nodes and 9,100 struck moves in 0.12 s.`, or `known from the book.` If the side to move loses, the best move is the one that
/// does what `merit` says.
pub fn sentence(state: &State, solution: &Solution, merit: &str) -> String {
    let struck = match solution.struck {
        0 => String::new(),
        struck => format!(" and {}", text::count(struck, "struck move")),
    };
    let nodes = text::count(solution.nodes, "node");
    let work = format!("{nodes}{struck} in {}", text::seconds(solution.time));
    let how = match (solution.book, solution.nodes) {
        (true, 0) => "known from the book".to_owned(),
        (true, _) => format!("known from the book; the rest took {work}"),
        (false, _) => format!("after {work}"),
    };
    let mover = state.to_move;
    let Some(winner) = solution.winner else {
        return format!("{} {how}.\n", paint(style::STRONG, "Not solved"));
    };
    let verdict = paint(style::STRONG, format!("{} wins", text::name(winner)));
    if state.position.winner().is_some() {
        return format!("{verdict}: {} has connected her two sides.\n", text::name(!winner));
    }
    match solution.best {
        None => format!("{verdict}, {how}.\n"),
        Some(best) if winner == mover => {
            let best = paint(style::WIN, state.board().name(best));
            format!("{verdict}: {best}, {how}.\n")
        }
        Some(best) => {
            let best = state.board().name(best);
            format!("{verdict}, {how}. {} loses with every move; {best} {merit}.\n", text::name(mover))
        }
    }
}

/// Why a search was stopped, and what was known by then.
pub fn stop_note(solution: &Solution, last: Option<&Progress>) -> String {
    let Some(reason) = solution.stopped else { return String::new() };
    let why = match reason {
        StopReason::Time => "the time limit",
        StopReason::Nodes => "the node limit",
        StopReason::Interrupt => interrupt::cause(),
        StopReason::Board => "another board than that of the solver",
    };
    let mut note = format!("Stopped by {why}.");
    match (solution.winner, last) {
        (Some(_), _) => note += " The winner is certain; the rest was not searched.",
        (None, Some(last)) => {
            let [black, white] = last.bounds.map(text::thousands);
            let _ = write!(
                note,
                " A proof still needs about {black} positions for a Black win, or {white} for a White win."
            );
        }
        (None, None) => {}
    }
    note + "\n"
}
