//! `solrex puzzles`: positions with one winning move, or a few, and more to find after it.

use std::path::PathBuf;

use anyhow::Result;
use rex_game::Board;

use crate::arguments::solver::SearchArgs;
use crate::arguments::units::size;
use crate::cli::Show;
use crate::{Ending, show::log, show::output, system::interrupt};

mod find;
mod line;
mod write;

/// Find positions with just one winning move
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rows x columns, such as 5x5, or one number for a square board
    #[arg(value_name = "SIZE", value_parser = size)]
    board: Board,
    /// How many puzzles to find
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,
    /// Allow up to this many winning moves
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=63))]
    max_winning: u16,
    /// Random seed: the same number gives the same puzzles
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also write them as SGF, with the solution as the main line and failing moves as variations
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Also draw them, with the solutions on separate pages
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex puzzles 4x4 --count 3
  solrex puzzles 5x5 --count 12 --seed 7 --sgf puzzles.sgf --svg puzzles.svg
  solrex puzzles 6x6 --max-winning 2 --json

Puzzles come from random games, hardest last. Each takes several moves against the best defence. One thread is used unless
you set --threads; with more, the same seed may give other puzzles. --nodes limits the search of each position.";

/// Finds puzzles and writes them.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let mut limits = args.search.limits()?;
    limits.nodes.get_or_insert(find::NODES);
    let wish = find::Wish {
        board: args.board,
        count: args.count.into(),
        max_winning: args.max_winning.into(),
        seed: args.seed,
        settings: args.search.bench_settings(Some(find::MEMORY)),
        limits,
    };
    for path in args.sgf.iter().chain(&args.svg) {
        output::try_file(path)?;
    }
    let puzzles = find::find(&wish)?;
    // Write the files first: the terminal may be gone.
    if let Some(path) = &args.sgf {
        output::file(path, write::sgf(&puzzles))?;
    }
    if let Some(path) = &args.svg {
        output::file(path, write::svg(args.board, &puzzles))?;
    }
    if show.json {
        for (number, puzzle) in puzzles.iter().enumerate() {
            output::json(write::object(number + 1, puzzle))?;
        }
    } else {
        output::text(&write::text(&puzzles))?;
    }
    if interrupt::pressed() {
        return Ok(Ending::Stopped);
    }
    if puzzles.len() < wish.count {
        let found = format!("only {} of {} puzzles found", puzzles.len(), wish.count);
        log::remark(&format!("{found}; try a larger board, more winning moves or another seed"));
    }
    Ok(Ending::Answered)
}
