//! Tools for developers. The program does not need them:
//!
//! - `book` writes the book of openings,
//! - `export-looks` writes what searches found out about the moves they looked at, to train the general net with,
//! - `export-training` writes solved positions to train a net with,
//! - `ladder` plays the levels of the program against each other,
//! - `net-speed` measures the speed of the nets,
//! - `positions` writes positions from games between the levels,
//! - `simulate` shows how many workers one coordinator of a cluster can keep busy.

use std::process::ExitCode;

use clap::Parser;

mod book;
mod draw;
mod export_looks;
mod export_training;
mod ladder;
mod net_speed;
mod positions;
mod simulate;

/// Tools for developers of Solrex
#[derive(Parser, Debug)]
#[command(name = "rex-tools", max_term_width = 100)]
enum Tool {
    Book(book::Args),
    ExportLooks(export_looks::Args),
    ExportTraining(export_training::Args),
    Ladder(ladder::Args),
    NetSpeed,
    Positions(positions::Args),
    Simulate(simulate::Args),
}

fn main() -> ExitCode {
    let done = match Tool::parse() {
        Tool::Book(args) => book::run(&args),
        Tool::ExportLooks(args) => export_looks::run(&args),
        Tool::ExportTraining(args) => export_training::run(&args),
        Tool::Ladder(args) => ladder::run(&args),
        Tool::NetSpeed => {
            net_speed::run();
            Ok(())
        }
        Tool::Positions(args) => positions::run(&args),
        Tool::Simulate(args) => simulate::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Tool::command().debug_assert();
    }
}
