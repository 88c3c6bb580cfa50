//! The flags of commands that search, and the solver they set up with its limits, store and checkpoint.

use std::time::Duration;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rex_game::Board;
use rex_search::{Guidance, Limits, Settings, Solver, Tuning};

use crate::arguments::environment;
use crate::arguments::theory::TheoryFlags;
use crate::{arguments::units, system::interrupt};

mod checkpoint;
pub mod store;

pub use checkpoint::CheckpointArgs;
pub use store::{Kept, StoreArgs};

/// All flags of a solver whose work outlasts the command.
#[derive(clap::Args, Debug)]
pub struct SolverArgs {
    /// Threads, memory, limits and theory.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Where solved positions are kept.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Where the table is kept.
    #[command(flatten)]
    pub checkpoint: CheckpointArgs,
}

impl SolverArgs {
    /// Sets up the solver, and opens the store.
    pub fn ready(&self) -> Result<ReadySolver> {
        let warm = WarmSolver::new(self.search.settings(), self.store.open()?);
        Ok(ReadySolver { warm, limits: self.search.limits()?, checkpoint: self.checkpoint.clone() })
    }
}

/// A solver with its limits, store and checkpoint.
pub struct ReadySolver {
    warm: WarmSolver,
    limits: Limits,
    checkpoint: CheckpointArgs,
}

impl ReadySolver {
    /// Runs work that searches a board, prints the answer and stores it. A new solver reads the checkpoint first. It is
    /// written during the work and after it, even if the answer cannot be printed: the terminal may be gone.
    pub fn search<T>(&mut self, board: Board, work: impl FnOnce(&Solver, &Limits) -> Result<T>) -> Result<T> {
        let solver = self.warm.made(board, |solver| self.checkpoint.load(solver))?;
        let done = self.checkpoint.beside(solver, || work(solver, &self.limits));
        self.checkpoint.finish(solver)?;
        done
    }
}

/// Threads, memory and limits of a search.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Number of search threads [default: $SOLREX_THREADS, or all cores; bench: 1]
    #[arg(long, value_name = "N", value_parser = units::threads)]
    threads: Option<usize>,
    /// Memory for the search [default: $SOLREX_MEMORY, or a quarter of the machine's, at most 4G]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    memory: Option<u64>,
    /// Stop each search after this time: 500ms, 60s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    time: Option<Duration>,
    /// Stop each search after this many nodes: 5000, 10k, 3M
    #[arg(long, value_name = "N", value_parser = units::count)]
    nodes: Option<u64>,
    /// How moves are ordered; no answer depends on it
    #[arg(long, default_value = "learned", value_parser = guidance())]
    guidance: Guidance,
    #[command(flatten)]
    theory: TheoryFlags<false>,
}

/// Reads a guidance. Its words have no help: that would spread the help of every command over several pages.
fn guidance() -> impl TypedValueParser<Value = Guidance> {
    PossibleValuesParser::new(["learned", "resistance", "none"]).map(|name| match name.as_str() {
        "resistance" => Guidance::Resistance,
        "none" => Guidance::BoardOrder,
        _ => Guidance::Learned,
    })
}

impl SearchArgs {
    /// The solver's settings.
    pub fn settings(&self) -> Settings {
        Settings {
            theory: self.theory.options,
            memory: self.memory.or_else(environment::memory).unwrap_or_else(default_memory),
            threads: self.threads.or_else(environment::threads).unwrap_or_else(cores),
            tuning: Tuning { guidance: self.guidance, ..Tuning::default() },
            ..Settings::default()
        }
    }

    /// The settings for a measurement: one thread unless asked for more, and this much memory.
    pub fn bench_settings(&self, memory: Option<u64>) -> Settings {
        let memory = self.memory.or(memory).unwrap_or_else(default_memory);
        Settings { memory, threads: self.threads.unwrap_or(1), ..self.settings() }
    }

    /// The time limit, if there is a flag for it.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The node limit, if there is a flag for it.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// What can stop a search early: the flags, and Ctrl-C or another signal.
    pub fn limits(&self) -> Result<Limits> {
        Ok(Limits { nodes: self.nodes, time: self.time, cancel: Some(interrupt::watch()?) })
    }
}

/// A solver that stays warm until another board is needed.
pub struct WarmSolver {
    settings: Settings,
    kept: Kept,
    solver: Option<Solver>,
}

impl WarmSolver {
    /// No solver yet.
    pub fn new(settings: Settings, kept: Kept) -> WarmSolver {
        WarmSolver { settings, kept, solver: None }
    }

    /// The solver for this board.
    pub fn of(&mut self, board: Board) -> Result<&Solver> {
        self.made(board, |_| Ok(()))
    }

    /// The solver for this board, prepared if it is new.
    pub fn made(&mut self, board: Board, prepare: impl FnOnce(&Solver) -> Result<()>) -> Result<&Solver> {
        if self.solver.as_ref().is_none_or(|solver| solver.board() != board) {
            // Free the old table before making the new one.
            self.solver = None;
        }
        match &mut self.solver {
            Some(solver) => Ok(solver),
            none => {
                let solver = store::solver(board, &self.settings, &self.kept)?;
                prepare(&solver)?;
                Ok(none.insert(solver))
            }
        }
    }
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A quarter of the memory that the machine (or the control group, on Linux) has, at most 4 GiB.
pub fn default_memory() -> u64 {
    const MOST: u64 = 4 << 30;
    const UNKNOWN: u64 = 4 << 30;
    let read = |path| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    });
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    (machine.unwrap_or(UNKNOWN).min(group.unwrap_or(u64::MAX)) / 4).min(MOST)
}
