//! `solrex db import`, `merge` and `salvage`: solved positions from elsewhere.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use rex_answers::answer::add;
use rex_store::{Segment, Store, segment};
use serde_json::json;

use super::verify::{Again, SampleArgs};
use crate::arguments::solver::store::same_file;
use crate::cli::Show;
use crate::{Ending, show::output, show::text};

/// Import files written by export, after solving some of their positions again
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ImportArgs {
    /// The files to import
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    sample: SampleArgs<20>,
}

const EXAMPLES: &str = "\
Examples:
  solrex db import solved/6x6.solved solved/7x7.solved --db other.redb
  solrex db import mine.solved --sample 0          trust the file

A correct digest shows that a file is complete, not that it is true: its author may have been wrong, or lying. So some of
its positions are solved again first; if one is wrong, nothing is imported. Solve more of them (--sample 1000) if you do
not know where a file comes from. Records that cannot be solved positions are left out and counted.";

/// Imports segments.
pub fn import(args: &ImportArgs, store: &Store, show: Show) -> Result<Ending> {
    let read = read_each(store, &args.files, |path| {
        let name = path.display();
        let mut file = File::open(path).with_context(|| format!("cannot read '{name}'"))?;
        segment::read(&mut file).map_err(|error| {
            anyhow!(
                "cannot use '{name}': {error}; 'solrex db salvage' recovers what is intact in a damaged file"
            )
        })
    })?;
    let again = args.sample.solve_again(&read.records, show)?;
    match again {
        Again { wrong: 0, stopped: false, .. } => put(store, read, Some(again), show),
        Again { wrong: 0, .. } => Ok(Ending::Stopped),
        Again { wrong, .. } => {
            let positions = text::count(wrong, "position");
            let why = format!("{positions} in the sample wrong; nothing was imported");
            output::answer(show, || json!({ "error": why }), || format!("{why}\n"))?;
            Ok(Ending::CheckFailed)
        }
    }
}

/// Adds other stores.
pub fn merge(store: &Store, stores: &[PathBuf], show: Show) -> Result<Ending> {
    let read = read_each(store, stores, |path| {
        let mut found = Segment::default();
        Store::open_existing(path)?.each(None, &mut |entry| match entry
            .filter(|(place, record)| place.flaw(record).is_none())
        {
            Some(entry) => found.records.push(entry),
            None => found.flawed += 1,
        })?;
        Ok(found)
    })?;
    put(store, read, None, show)
}

/// Adds what is left of damaged files.
pub fn salvage(store: &Store, files: &[PathBuf], show: Show) -> Result<Ending> {
    let read = read_each(store, files, |path| {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        Ok(Segment { records: rex_store::salvage(&bytes), flawed: 0 })
    })?;
    put(store, read, None, show)
}

/// What `read` finds in each of the files.
fn read_each(store: &Store, files: &[PathBuf], read: impl Fn(&Path) -> Result<Segment>) -> Result<Segment> {
    let mut whole = Segment::default();
    for file in files {
        if same_file(file, store.path()) {
            bail!("'{}' is the store itself; expected another file", file.display());
        }
        let mut found = read(file)?;
        whole.records.append(&mut found.records);
        whole.flawed += found.flawed;
    }
    Ok(whole)
}

/// Puts everything into the store, all or nothing.
fn put(store: &Store, read: Segment, again: Option<Again>, show: Show) -> Result<Ending> {
    let Segment { records, flawed } = read;
    let count = records.len() as u64;
    let new = store.put(records)? as u64;
    let mut object = json!({ "store": store.path(), "read": count, "new": new, "flawed": flawed });
    add(&mut object, "solved_again", again.map(|again| again.solved()));
    let mut line = format!("{} read, {} of them new", text::count(count, "position"), text::thousands(new));
    if flawed > 0 {
        line += &format!("; {} left out", text::count(flawed, "flawed record"));
    }
    if let Some(again) = again.filter(|again| again.solved() > 0) {
        line += &format!("; {} solved again, none wrong", text::thousands(again.solved()));
    }
    output::answer(show, || object, || line + "\n")?;
    Ok(Ending::Answered)
}
