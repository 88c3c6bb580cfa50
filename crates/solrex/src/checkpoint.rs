//! `--checkpoint FILE`: the table of a search, so that the search can go on another day.

use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use rex_search::Solver;

use crate::log;

/// Between two times that the table is written beside a long search.
const BETWEEN: Duration = Duration::from_secs(120);

/// The flag.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct CheckpointArgs {
    /// Begin with the table in this file if it is there, and write it every two minutes and at the end
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

/// Keeps a solver's table in a file, if that is wished for.
pub struct Checkpoint<'a> {
    path: Option<&'a PathBuf>,
    saved: Instant,
    /// What went wrong while the search was running.
    trouble: Option<anyhow::Error>,
}

impl CheckpointArgs {
    /// Loads the table into a new solver.
    pub fn load(&self, solver: &Solver) -> Result<()> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let name = path.display();
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            file => file.with_context(|| format!("cannot read the checkpoint '{name}'"))?,
        };
        solver
            .load_table(&mut BufReader::with_capacity(1 << 20, file))
            .map_err(|error| anyhow!("cannot use the checkpoint '{name}': {error}"))?;
        log::note(&format!("the table is read from '{name}'"));
        Ok(())
    }

    /// Begins to keep it.
    pub fn begin(&self) -> Checkpoint<'_> {
        Checkpoint { path: self.checkpoint.as_ref(), saved: Instant::now(), trouble: None }
    }
}

impl Checkpoint<'_> {
    /// Writes the table when it is time. The other threads go on meanwhile.
    pub fn look(&mut self, solver: &Solver) {
        if self.path.is_some() && self.saved.elapsed() >= BETWEEN {
            if let Err(error) = self.save(solver) {
                self.trouble.get_or_insert(error);
            }
            self.saved = Instant::now();
        }
    }

    /// Writes the table for good.
    pub fn finish(mut self, solver: &Solver) -> Result<()> {
        self.save(solver)?;
        self.trouble.take().map_or(Ok(()), Err)
    }

    /// Under another name first, so that there is a whole file at any time.
    fn save(&self, solver: &Solver) -> Result<()> {
        let Some(path) = self.path else { return Ok(()) };
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let write = || -> std::io::Result<()> {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&new)?);
            solver.save_table(&mut out)?;
            out.into_inner().map_err(|error| error.into_error())?.sync_all()?;
            std::fs::rename(&new, path)
        };
        write().with_context(|| format!("cannot write the checkpoint '{}'", path.display()))?;
        log::note(&format!("the table is written to '{}'", path.display()));
        Ok(())
    }
}
