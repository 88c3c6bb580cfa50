//! `solrex cluster status`.

use anyhow::{Result, bail};
use rex_cluster::nats::Nats;
use serde_json::json;

use crate::cli::Show;
use crate::commands::cluster::leading::describe;
use crate::commands::cluster::nats_args::NatsArgs;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text};

/// Show the progress of the searches at a server
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    server: NatsArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex cluster status --nats nats://one:4222
  solrex cluster status --nats nats://one:4222 --json

The time left is a guess from the proof numbers and the speed so far, and often wrong by a factor of ten.";

/// Shows each running coordinator.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let nats = Nats::connect(&args.server.options()?)?;
    let statuses = nats.statuses()?;
    if statuses.is_empty() {
        bail!("no coordinator is running there; expected a running 'solrex cluster coordinate'");
    }
    for status in statuses {
        if show.json {
            output::json(json!(status))?;
            continue;
        }
        let threads = status.workers.iter().map(|&(_, threads)| threads).fold(0, usize::saturating_add);
        output::text(&format!(
            "{}\n{}\n{} answered, {} refused, {} in the tree, {} in all\n",
            paint(style::STRONG, &status.position),
            describe(&status),
            text::count(status.answers, "job"),
            status.refused,
            text::count(status.tree as u64, "position"),
            text::count(threads as u64, "thread"),
        ))?;
    }
    Ok(Ending::Answered)
}
