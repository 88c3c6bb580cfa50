//! `solrex cluster`: one search on many machines (`docs/cluster.md`), or on several workers of this one.
//!
//! `leading` is what `coordinate` and `local` share, `nats_args` is how to reach the server, `proving` is for
//! `coordinate --prove`.

use anyhow::Result;
use clap::Subcommand;

use crate::Ending;
use crate::cli::Show;

mod coordinate;
mod leading;
mod local;
mod nats_args;
mod proving;
mod status;
mod work;

/// Run one search on many machines
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  solrex cluster local 6x6 b1 --workers 4
  solrex cluster coordinate 7x7 a1 b2 --nats nats://one:4222 --store a1b2.redb --prove a1b2.cert.zst
  solrex cluster work --nats nats://one:4222 --threads 8 --memory 16G
  solrex cluster status --nats nats://one:4222

docs/cluster.md explains how to set up the server. Any part may be stopped or killed, and started again.";

#[derive(Subcommand, Debug)]
enum Command {
    Coordinate(coordinate::Args),
    Work(work::Args),
    Status(status::Args),
    Local(local::Args),
}

/// Runs the subcommand.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    match &args.command {
        Command::Coordinate(args) => coordinate::run(args, show),
        Command::Work(args) => work::run(args),
        Command::Status(args) => status::run(args, show),
        Command::Local(args) => local::run(args, show),
    }
}
