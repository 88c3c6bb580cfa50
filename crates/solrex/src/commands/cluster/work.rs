//! `solrex cluster work`.

use anyhow::Result;
use rex_cluster::{MOST_NAME, Report, Worker, WorkerSettings, is_name};
use rex_search::Settings;

use crate::arguments::solver::{cores, default_memory};
use crate::commands::cluster::nats_args::{NatsArgs, wait_for_server};
use crate::{Ending, arguments::units, show::log, system::interrupt};

/// Search the jobs of coordinators
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    server: NatsArgs,
    /// Number of search threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = units::threads)]
    threads: Option<usize>,
    /// Memory for the search [default: a quarter of the machine's, at most 4G]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    memory: Option<u64>,
    /// A unique name for this worker [default: the machine's name and a number]
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  solrex cluster work --nats nats://one:4222
  solrex cluster work --nats nats://one:4222 --threads 8 --memory 16G -v

It works for every coordinator at that server, and waits if there is none. Ctrl-C or SIGTERM stops it, and its job goes
to another worker.";

/// Works until Ctrl-C.
pub fn run(args: &Args) -> Result<Ending> {
    let cancel = interrupt::watch()?;
    let search = Settings {
        threads: args.threads.unwrap_or_else(cores),
        memory: args.memory.unwrap_or_else(default_memory),
        ..Settings::default()
    };
    let name = args.name.clone().unwrap_or_else(usual_name);
    if let Some(nats) = wait_for_server(&args.server.options()?, &cancel)? {
        log::note(&format!("working as {name}"));
        let settings = WorkerSettings { name, search, cancel };
        let mut report = |report: Report| match report {
            Report::Note(note) => log::note(note),
            Report::Warning(warning) => log::warn(warning),
            Report::Status(_) => {}
        };
        Worker::new(settings, &mut report).run(&mut nats.worker())?;
    }
    Ok(Ending::Stopped)
}

fn usual_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if is_name(host.trim()) { host.trim() } else { "worker" };
    format!("{host}-{}", std::process::id())
}

/// Reads a name, and checks it as the other side will.
fn name(text: &str) -> Result<String, String> {
    if is_name(text) {
        Ok(text.to_owned())
    } else {
        Err(format!("expected at most {MOST_NAME} bytes that can be printed"))
    }
}
