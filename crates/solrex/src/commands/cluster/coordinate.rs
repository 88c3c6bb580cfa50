//! `solrex cluster coordinate`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use rex_cluster::{Coordinator, Ledger};

use crate::Ending;
use crate::arguments::position::PositionArg;
use crate::arguments::solver::default_memory;
use crate::cli::Show;
use crate::commands::cluster::leading::{self, PlanArgs};
use crate::commands::cluster::nats_args::{NatsArgs, wait_for_server};
use crate::commands::cluster::proving::{self, ProofArgs};
use crate::{arguments::solver::store, arguments::units, system::interrupt};

/// Coordinate the search of a position: hand out jobs, collect answers
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    #[command(flatten)]
    server: NatsArgs,
    /// The file that keeps all results; restart with the same file to continue
    #[arg(long, value_name = "FILE", default_value = "cluster.redb")]
    store: PathBuf,
    /// Memory for solved positions [default: a quarter of the machine's, at most 4G]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    memory: Option<u64>,
    /// Give a job to another worker if its own is silent for this long
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "30s")]
    deadline: Duration,
    /// How many servers of a NATS cluster keep everything
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    proof: ProofArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex cluster coordinate 7x7 a1 b2 --nats nats://one:4222 --store a1b2.redb
  solrex cluster coordinate 7x7 a1 b2 --nats nats://one:4222 --store a1b2.redb --prove a1b2.cert.zst
  solrex cluster coordinate 6x6 e3 --nats tls://one:4222 --tls-ca ca.pem --creds me.creds --json

With --prove no worker has to be trusted: what is false is found, searched again here, and reported.";

/// A job that no worker mentions for this many deadlines is lost.
const SILENT: u32 = 4;

/// Leads until the position is solved.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let cancel = interrupt::watch()?;
    args.proof.try_file()?;
    let mut positions = 0;
    args.position.for_each(show, |state| {
        positions += 1;
        args.proof.allow(positions)?;
        let ledger =
            Ledger::open(&args.store).map_err(|error| store::advice(error, "another --store FILE"))?;
        let memory = args.memory.unwrap_or_else(default_memory);
        let mut lead = leading::lead(state, args.plan, memory, args.deadline * SILENT)?;
        let mut options = args.server.options()?;
        options.ack_wait = args.deadline;
        options.replicas = args.replicas.into();
        let nats = wait_for_server(&options, &cancel)?;
        let Some(nats) = nats else { return Ok(Ending::Stopped) };
        let mut bus = nats.leader(&Coordinator::name_of(state));
        match args.proof.file() {
            Some(file) => {
                lead.note_reporters = true;
                proving::answer(&lead, &ledger, &mut bus, file, args.proof.explicit, show)
            }
            None => leading::answer(&lead, ledger, &mut bus, 1, show, |_| {}),
        }
    })
}
