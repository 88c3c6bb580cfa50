//! The command line.

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};

use crate::{
    Status, bench, check, convert, explain, htp, moves, openings, play, prove, puzzles, solve, version,
};

/// Solves Reverse Hex exactly: who joins her own two sides loses.
///
/// Black owns the top and bottom side, White the left and right side. A POSITION is any of
///
///   6x6                    the empty board of 6 rows and 6 columns, Black to move
///   6x6 e3 d4              moves from the empty board, Black first
///   '1b1w/3w/w2b/2b1 b'    rows from the top (numbers are empty cells), then the side to move
///   'https://hexworld…'    a link to HexWorld's board (Red is Black)
///   @FILE                  a file with one of these, a drawn board, or SGF
///   -                      standard input, one position a line
#[derive(Parser, Debug)]
#[command(name = "solrex", version, verbatim_doc_comment, after_help = EXAMPLES, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    show: Show,
}

const EXAMPLES: &str = "\
Examples:
  solrex solve 5x5 a1 c3
  solrex moves 4x4 c2
  solrex explain '1b1w/3w/w2b/2b1 b'
  solrex openings 5x5

Exit status: 0 answered, 1 a check failed, 2 bad input, 3 stopped by a limit or Ctrl-C.";

/// How answers are shown.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Output")]
pub struct Show {
    /// One JSON object a line, for programs
    #[arg(long, global = true, display_order = 1000)]
    pub json: bool,
    /// Colour; NO_COLOR in the environment turns auto off
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 1001)]
    color: Colour,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::Args),
    Moves(moves::Args),
    Explain(explain::Args),
    Openings(openings::Args),
    Prove(prove::Args),
    Check(check::Args),
    Convert(convert::Args),
    Play(play::Args),
    Puzzles(puzzles::Args),
    Htp(htp::Args),
    Bench(bench::Args),
    /// The version of this program
    Version,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<Status> {
        match self.show.color {
            Colour::Auto => {}
            Colour::Always => anstream::ColorChoice::Always.write_global(),
            Colour::Never => anstream::ColorChoice::Never.write_global(),
        }
        match self.command {
            Command::Solve(args) => solve::run(&args, self.show),
            Command::Moves(args) => moves::run(&args, self.show),
            Command::Explain(args) => explain::run(&args, self.show),
            Command::Openings(args) => openings::run(&args, self.show),
            Command::Prove(args) => prove::run(&args, self.show),
            Command::Check(args) => check::run(&args, self.show),
            Command::Convert(args) => convert::run(&args, self.show),
            Command::Play(args) => play::run(&args, self.show),
            Command::Puzzles(args) => puzzles::run(&args, self.show),
            Command::Htp(args) => htp::run(&args, self.show),
            Command::Bench(args) => bench::run(&args, self.show),
            Command::Version => version::run(self.show),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
