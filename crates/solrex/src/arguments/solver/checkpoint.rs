//! `--checkpoint FILE`: saves a search, so that it can go on another day.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use rex_search::{CheckpointError, Solver};

use crate::show::log;
use crate::system::beside;

/// The shortest pause between two writes during a search, so the most that a killed process loses …
const LEAST: Duration = Duration::from_secs(5);
/// … or this many times as long as a write took: writing should cost at most a twentieth of one thread's time.
const SHARE: u32 = 20;

/// The flag.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct CheckpointArgs {
    /// Save the search in this file every few seconds (a large one less often) and at the end, and continue from it if it
    /// exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

impl CheckpointArgs {
    /// Whether the flag is given.
    pub fn is_given(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Loads the search into a new solver. If the file cannot be written, this fails now and not after hours.
    pub fn load(&self, solver: &Solver) -> Result<()> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let name = path.display();
        beside::try_writing(path).with_context(|| cannot_write(path))?;
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            file => file.with_context(|| format!("cannot read the checkpoint '{name}'"))?,
        };
        solver
            .load(&mut BufReader::with_capacity(1 << 20, file))
            .map_err(|error| anyhow!("cannot use the checkpoint '{name}': {error}{}", advice(&error)))?;
        log::note(&format!("read the search from '{name}'"));
        Ok(())
    }

    /// Runs work that searches, and writes the search from time to time in a thread of its own.
    pub fn beside<T>(&self, solver: &Solver, work: impl FnOnce() -> T) -> T {
        let Some(path) = &self.checkpoint else { return work() };
        let (done, wait) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || write_now_and_then(path, solver, &wait));
            let result = work();
            drop(done);
            result
        })
    }

    /// Writes the search at the end.
    pub fn finish(&self, solver: &Solver) -> Result<()> {
        self.checkpoint.as_ref().map_or(Ok(()), |path| save(path, solver))
    }
}

/// Writes the search until the other end of the channel is dropped. Reports the first error, and the search goes on.
fn write_now_and_then(path: &Path, solver: &Solver, wait: &Receiver<()>) {
    let mut pause = LEAST;
    let mut told = false;
    while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let began = Instant::now();
        if let Err(error) = save(path, solver)
            && !std::mem::replace(&mut told, true)
        {
            log::warn(&format!("{error:#}; the search continues"));
        }
        pause = LEAST.max(began.elapsed() * SHARE);
    }
}

/// Writes the search next to the old one, so there is a complete file at any time.
fn save(path: &Path, solver: &Solver) -> Result<()> {
    let began = Instant::now();
    beside::write(path, |file| solver.save(file)).with_context(|| cannot_write(path))?;
    let took = began.elapsed().as_secs_f64();
    log::note(&format!("wrote the search to '{}' in {took:.2} s", path.display()));
    Ok(())
}

/// What to do about a checkpoint that cannot be used, if a flag helps.
fn advice(error: &CheckpointError) -> String {
    match error {
        CheckpointError::NotOne => "; expected one written by --checkpoint".to_owned(),
        CheckpointError::TooSmall(bytes) => format!("; expected --memory {bytes}"),
        CheckpointError::Read(_)
        | CheckpointError::OtherVersion(_)
        | CheckpointError::OtherBoard(..)
        | CheckpointError::Damaged => String::new(),
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write the checkpoint '{}'", path.display())
}
