//! `solrex htp`: the text protocol of HexGui and of Hex programs, on standard input and output.
//!
//! A command is a line, optionally with a number in front: `3 dfpn-solve-state black`. The response is `=3 black` or, if it
//! fails, `?3 message`, followed by an empty line. Anything after a `#` is a comment, except `# interrupt`, which stops the
//! running search. During a search, `gogui-gfx:` blocks show its progress.

use anyhow::{Context, Result};
use rex_game::Board;

use crate::arguments::solver::SolverArgs;
use crate::arguments::units::size;
use crate::cli::Show;
use crate::{Ending, show::output, system::interrupt};

mod commands;
mod connections;
mod conversation;
mod gfx;
mod input;
mod settings;
mod solving;
mod theory;

/// Talk to HexGui or another program over HTP
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The board size, until a boardsize command changes it
    #[arg(value_name = "SIZE", default_value = "6x6", value_parser = size)]
    board: Board,
    #[command(flatten)]
    solver: SolverArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex htp                                      the command to enter in HexGui
  printf 'boardsize 4\\ndfpn-solve-state b\\n' | solrex htp
  solrex htp --time 10s --memory 1G               at most ten seconds for a search
  solrex htp 7x7 --checkpoint 7x7.table           keep the table of the 7x7 board in a file

list_commands lists all commands. Searches have no limit unless you set one here or with param_dfpn; genmove takes at most
ten seconds. In HexGui choose a board of at most 8x8: it starts with 11x11.";

/// Answers commands until `quit` or the end of input.
pub fn run(args: &Args, _: Show) -> Result<Ending> {
    interrupt::watch()?;
    let mut conversation = conversation::Conversation::new(args.board, &args.solver)?;
    if args.solver.checkpoint.is_given() {
        // If it cannot be used, that is said now.
        conversation.solver().map_err(anyhow::Error::msg)?;
    }
    for line in input::lines(std::io::stdin()) {
        let line = line.context("cannot read standard input")?;
        let answer = conversation.answer(&line);
        output::bytes(answer.format(&line.id).as_bytes())?;
        if interrupt::pressed() || answer.is_last {
            break;
        }
    }
    Ok(if interrupt::pressed() { Ending::Stopped } else { Ending::Answered })
}
