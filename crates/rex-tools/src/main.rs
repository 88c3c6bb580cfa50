//! Tools for developers. The program itself does without them:
//!
//! - `export-training` writes solved positions from which a net can learn,
//! - `net-speed` measures how long the net takes,
//! - `simulate` tells how many workers one coordinator of a cluster can keep busy.

use std::process::ExitCode;

use clap::Parser;

mod export_training;
mod net_speed;
mod simulate;

/// Tools for developers of Solrex
#[derive(Parser, Debug)]
#[command(name = "rex-tools", max_term_width = 100)]
enum Tool {
    ExportTraining(export_training::Args),
    NetSpeed,
    Simulate(simulate::Args),
}

fn main() -> ExitCode {
    let done = match Tool::parse() {
        Tool::ExportTraining(args) => export_training::run(&args),
        Tool::NetSpeed => {
            net_speed::run();
            Ok(())
        }
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
