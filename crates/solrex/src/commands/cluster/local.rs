//! `solrex cluster local`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::Result;
use rex_cluster::local::Hub;
use rex_cluster::{Ledger, RunError, Worker, WorkerSettings};
use rex_search::Settings;

use crate::arguments::position::PositionArg;
use crate::arguments::solver::{cores, default_memory};
use crate::cli::Show;
use crate::commands::cluster::leading::{self, PlanArgs};
use crate::{Ending, arguments::solver::store, arguments::units, system::interrupt};

/// Run coordinator and workers in one process, without a server
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Number of workers [default: all cores]
    #[arg(long, value_name = "N", value_parser = units::threads)]
    workers: Option<usize>,
    /// Threads per worker
    #[arg(long, value_name = "N", value_parser = units::threads, default_value = "1")]
    threads: usize,
    /// Memory for the search [default: a quarter of the machine's, at most 4G]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    memory: Option<u64>,
    /// The file that keeps all results; restart with the same file to continue [default: none]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    plan: PlanArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex cluster local 5x5 a1 --workers 2
  solrex cluster local 6x6 b1 --workers 4 --store b1.redb --json

This is for trying a cluster out; here the workers share one table. To solve a position on one machine, use solve
--threads.";

/// Leads and works until the position is solved.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let workers = args.workers.unwrap_or_else(cores);
    // A quarter goes to the coordinator.
    let memory = args.memory.unwrap_or_else(default_memory);
    args.position.for_each(show, |state| {
        let lead = leading::lead(state, args.plan, memory / 4, FOREVER)?;
        let search = Settings { memory: memory / 4 * 3, threads: args.threads, ..Settings::default() };
        let solver = rex_cluster::solver_for(state.board(), &search)?;
        let scratch = Scratch::new();
        let path = args.store.as_ref().unwrap_or(&scratch.0);
        let ledger = Ledger::open(path).map_err(|error| store::advice(error, "another --store FILE"))?;
        let hub = Hub::default();
        let stop = Arc::new(AtomicBool::new(false));
        std::thread::scope(|scope| {
            let mut running = Vec::new();
            for number in 1..=workers {
                let (hub, cancel, solver) = (hub.clone(), stop.clone(), solver.clone());
                let search = search.clone();
                let settings = WorkerSettings { name: format!("worker {number}"), search, cancel };
                let worker = std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(
                    scope,
                    move || -> Result<(), RunError> {
                        let worked = Worker::sharing(solver, settings, &mut |_| {}).run(&mut hub.worker());
                        // Without this worker nobody may answer, so stop.
                        worked.inspect_err(|error| {
                            crate::show::log::warn(&error.to_string());
                            interrupt::press();
                        })
                    },
                )?;
                running.push(worker);
            }
            let answered = leading::answer(&lead, ledger, &mut hub.leader(), args.threads, show, |outcome| {
                stop.store(true, Relaxed);
                // Count the work of jobs that are no longer needed, too.
                while running.iter().any(|worker| !worker.is_finished()) {
                    std::thread::sleep(PAUSE);
                }
                outcome.nodes = solver.nodes();
            });
            stop.store(true, Relaxed);
            answered
        })
    })
}

/// About as long as a worker takes to notice that it should stop.
const PAUSE: Duration = Duration::from_millis(1);

/// No job gets lost in one process.
const FOREVER: Duration = Duration::MAX;

/// A file that is deleted at the end of the run.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        Scratch(std::env::temp_dir().join(format!("solrex-local-{}.redb", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
