//! `solrex`: who wins this Rex position, by which moves, and why.
//!
//! One file a subcommand; what they share:
//! - `position_arg`: the POSITION words, files and streams,
//! - `search_args`, `theory_flags`, `units`: flags and their values,
//! - `store_args`, `checkpoint`: what is kept from search to search,
//! - `answer`: the shapes of `--json` lines,
//! - `text`, `style`, `svg`: what people look at,
//! - `opponent`: a move for whoever plays with the program,
//! - `lines`, `output`, `beside`: standard input, standard output, and files that are whole or not there,
//! - `progress`, `log`, `interrupt`: the line on standard error while a search runs, what `-v` tells, and Ctrl-C.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

mod answer;
mod bench;
mod beside;
mod census;
mod certificate;
mod check;
mod checkpoint;
mod classes;
mod cli;
mod cluster;
mod convert;
mod counter;
mod db;
mod explain;
mod export_training;
mod htp;
mod interrupt;
mod lines;
mod log;
mod manual;
mod moves;
mod openings;
mod opponent;
mod output;
mod play;
mod position_arg;
mod progress;
mod prove;
mod puzzles;
mod random;
mod search_args;
mod serve;
mod solve;
mod store_args;
mod style;
mod svg;
mod text;
mod theory_flags;
mod units;
mod version;

/// How a command ended, when no error stopped it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Everything asked for is answered.
    Answered = 0,
    /// A check came out false.
    CheckFailed = 1,
    /// Some input was bad.
    BadInput = 2,
    /// A limit, Ctrl-C or another signal stopped a search.
    Stopped = 3,
}

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with exit code 0. Nobody may be there to read it.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    match cli.run() {
        Ok(status) => ExitCode::from(status as u8),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "{}error:{:#} {error:#}", style::ERROR, style::ERROR);
            ExitCode::from(Status::BadInput as u8)
        }
    }
}
