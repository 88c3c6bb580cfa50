//! `solrex openings`.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use rex_answers::{answer, svg};
use rex_game::{Board, Cell, State};
use rex_search::Solution;

use crate::arguments::solver::SolverArgs;
use crate::arguments::units::size;
use crate::classes::{Class, classes};
use crate::cli::Show;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{Ending, show::log, show::output, show::text, system::interrupt};

/// Find out who wins after each opening
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rows x columns, such as 6x6, or one number for a square board
    #[arg(value_name = "SIZE", value_parser = size)]
    board: Board,
    /// Solve the replies to this opening instead (or to several moves, in quotes)
    #[arg(long, value_name = "MOVE")]
    replies_to: Option<String>,
    /// Also draw the diagram to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    solver: SolverArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex openings 4x4
  solrex openings 5x5 --replies-to a1 --svg replies.svg
  solrex openings 6x6 --json";

/// Solves each opening.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let moves = args.replies_to.as_deref().unwrap_or_default();
    let start = State::new(args.board)
        .play_text(moves)
        .map_err(|error| anyhow!("bad --replies-to: {}", error.render(moves)))?;
    let classes = classes(&start);
    let mut found = Vec::new();
    let mut ready = args.solver.ready()?;
    ready.search(args.board, |solver, limits| {
        if !show.json {
            output::text(&header(&start))?;
        }
        for (done, class) in classes.iter().enumerate() {
            if interrupt::pressed() {
                break;
            }
            let (name, all) = (args.board.name(class.representative), classes.len());
            log::note(&format!("solving {name}, {} of {all}", done + 1));
            let after = start.play(class.representative);
            let (solution, _) = ProgressLine::with_bar(args.board, done, all, &name)
                .watch(|shown| solver.ask(&after).limits(limits).on_progress(shown).verdict());
            let object = || answer::opening(args.board, class.representative, &solution);
            output::answer(show, object, || row(args.board, class, &solution))?;
            found.push((*class, solution));
        }
        Ok(())
    })?;
    if !show.json {
        output::text(&summary(&start, &found))?;
    }
    if let Some(path) = &args.svg {
        let title = if moves.is_empty() {
            format!("{} openings", args.board)
        } else {
            format!("{} after {moves}", args.board)
        };
        output::file(path, svg::board(&start.position, &title, |cell| wins(&start, &found, cell)))?;
    }
    let complete =
        found.len() == classes.len() && found.iter().all(|(_, solution)| solution.winner.is_some());
    Ok(if complete { Ending::Answered } else { Ending::Stopped })
}

/// Whether taking this cell wins for the side to move, if that is known.
fn wins(start: &State, found: &[(Class, Solution)], cell: Cell) -> Option<bool> {
    let (_, solution) = found.iter().find(|(class, _)| class.cells.has(cell))?;
    Some(solution.winner? == start.to_move)
}

fn header(start: &State) -> String {
    let what = if start.position.empty() == start.board().cells() { "opening" } else { "reply" };
    let title = format!("{what:<10} {:<8} {:>14} {:>10}", "winner", "nodes", "time");
    format!("{}\n", paint(style::STRONG, title))
}

fn row(board: Board, class: &Class, solution: &Solution) -> String {
    let winner = solution.winner.map_or("unknown", text::name);
    let time = text::seconds(solution.time);
    let nodes = if solution.book { "book".to_owned() } else { text::thousands(solution.nodes) };
    format!("{:<10} {winner:<8} {nodes:>14} {time:>10}\n", text::cells(board, class.cells))
}

fn summary(start: &State, found: &[(Class, Solution)]) -> String {
    let nodes: u64 = found.iter().map(|(_, solution)| solution.nodes).sum();
    let time = found.iter().map(|(_, solution)| solution.time).sum();
    let mut text = format!("{:<19} {:>14} {:>10}\n\n", "total", text::thousands(nodes), text::seconds(time));
    text += &text::board(start, |cell| {
        start.position.empty().has(cell).then(|| match wins(start, found, cell) {
            Some(true) => ('+', style::WIN),
            Some(false) => ('-', style::LOSS),
            None => ('?', style::FAINT),
        })
    });
    let count = |wanted| {
        let moves = start.moves().into_iter();
        text::count(moves.filter(|&cell| wins(start, found, cell) == wanted).count() as u64, "move")
    };
    let mover = text::name(start.to_move);
    let _ = write!(text, "+ {mover} wins ({}), - {mover} loses ({})", count(Some(true)), count(Some(false)));
    if start.moves().into_iter().any(|cell| wins(start, found, cell).is_none()) {
        let _ = write!(text, ", ? not solved ({})", count(None));
    }
    text + "\n"
}
