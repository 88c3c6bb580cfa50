//! `solrex db`: inspects and maintains the store of solved positions.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Subcommand;
use rex_game::Board;
use rex_store::{Known, Mended, Place, Record, Store, segment};
use rex_theory::fill_in::RULES;
use serde_json::json;

use crate::arguments::solver::store::{advice, path_or_usual};
use crate::cli::Show;
use crate::show::style::{self, paint};
use crate::system::beside;
use crate::{Ending, show::output, show::text};

mod take_in;
mod verify;

/// Inspect, check, export and repair the store of solved positions
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
    /// The store [default: $SOLREX_DB, or solrex/solved.redb in the user's data directory]
    #[arg(long, value_name = "FILE", global = true)]
    db: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  solrex db stats
  solrex db verify --sample 1000 --nodes 1M
  solrex db export solved/
  solrex db import solved/6x6.solved --db other.redb
  solrex db merge other.redb
  solrex db salvage damaged.redb --db rescued.redb
  solrex db compact";

#[derive(Subcommand, Debug)]
enum Command {
    /// Count what is in the store
    #[command(after_help = "Examples:\n  solrex db stats\n  solrex db stats --json --db solved.redb")]
    Stats,
    Verify(verify::Args),
    /// Export everything to sorted files with digests, one for each board
    #[command(after_help = "Examples:\n  solrex db export solved/")]
    Export {
        /// The folder to write to
        folder: PathBuf,
    },
    Import(take_in::ImportArgs),
    /// Add the contents of other stores; damaged entries are left out
    #[command(after_help = "Examples:\n  solrex db merge other.redb")]
    Merge {
        /// The stores to add
        #[arg(required = true)]
        stores: Vec<PathBuf>,
    },
    /// Recover every intact position from a damaged store or file into another store
    #[command(after_help = "Examples:\n  solrex db salvage damaged.redb --db rescued.redb")]
    Salvage {
        /// The damaged files; they are not changed
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Bring old entries up to date, repair or drop damaged ones, and release unused space
    #[command(after_help = "Examples:\n  solrex db compact")]
    Compact,
}

/// Runs the subcommand.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let path = path_or_usual(args.db.as_deref())?;
    let makes_one =
        matches!(args.command, Command::Import(_) | Command::Merge { .. } | Command::Salvage { .. });
    let store = if makes_one { Store::open(&path) } else { Store::open_existing(&path) };
    let mut store = store.map_err(|error| advice(error, "another --db FILE"))?;
    match &args.command {
        Command::Stats => stats(&store, show),
        Command::Verify(args) => verify::run(args, &mut store, show),
        Command::Export { folder } => export(&store, folder, show),
        Command::Import(args) => take_in::import(args, &store, show),
        Command::Merge { stores } => take_in::merge(&store, stores, show),
        Command::Salvage { files } => take_in::salvage(&store, files, show),
        Command::Compact => compact(&mut store, show),
    }
}

/// What a store has for one board.
#[derive(Default)]
struct Count {
    black: u64,
    white: u64,
    notlast: u64,
    half: u64,
    moves: u64,
    older: u64,
    work: u64,
}

impl Count {
    fn entries(&self) -> u64 {
        self.black + self.white + self.notlast + self.half
    }

    fn add(&mut self, record: &Record) {
        match record.known {
            Known::BLACK => self.black += 1,
            Known::WHITE => self.white += 1,
            Known::NOTLAST => self.notlast += 1,
            _ => self.half += 1,
        }
        self.moves += record.best.iter().flatten().count() as u64;
        self.older += u64::from(record.rules != RULES);
        self.work = self.work.max(record.work.nodes());
    }
}

fn stats(store: &Store, show: Show) -> Result<Ending> {
    let mut boards: BTreeMap<(usize, usize), Count> = BTreeMap::new();
    let mut damaged = 0u64;
    store.each(None, &mut |entry| match entry {
        Some((place, record)) => {
            boards.entry((place.board.rows(), place.board.cols())).or_default().add(&record);
        }
        None => damaged += 1,
    })?;
    let bytes = std::fs::metadata(store.path()).map_or(0, |data| data.len());
    if show.json {
        for ((rows, cols), count) in &boards {
            output::json(json!({
                "board": format!("{rows}x{cols}"), "entries": count.entries(), "black": count.black,
                "white": count.white, "notlast": count.notlast, "half": count.half, "moves": count.moves,
                "older_rules": count.older, "most_work": count.work,
            }))?;
        }
        let entries: u64 = boards.values().map(Count::entries).sum();
        output::json(json!({
            "store": store.path(), "bytes": bytes, "entries": entries, "damaged": damaged, "rules": RULES,
        }))?;
        return Ok(Ending::Answered);
    }
    let title = format!(
        "{:<6} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "board", "positions", "Black", "White", "Notlast", "half known", "moves"
    );
    let mut text = format!("{}\n", paint(style::STRONG, title));
    for ((rows, cols), count) in &boards {
        let _ = write!(text, "{:<6}", format!("{rows}x{cols}"));
        for number in [count.entries(), count.black, count.white, count.notlast, count.half, count.moves] {
            let _ = write!(text, " {:>12}", text::thousands(number));
        }
        text.push('\n');
    }
    let older: u64 = boards.values().map(|count| count.older).sum();
    let _ = writeln!(text, "{} bytes in '{}'", text::thousands(bytes), store.path().display());
    if older > 0 {
        let positions = text::count(older, "position");
        let _ = writeln!(
            text,
            "{positions} filled in by older rules: 'solrex db compact' brings them up to date"
        );
    }
    if damaged > 0 {
        let _ = writeln!(text, "{} damaged: 'solrex db verify' says more", text::count(damaged, "position"));
    }
    output::text(&text)?;
    Ok(Ending::Answered)
}

fn export(store: &Store, folder: &Path, show: Show) -> Result<Ending> {
    let mut boards: BTreeMap<(usize, usize), Vec<(Place, Record)>> = BTreeMap::new();
    store.each(None, &mut |entry| {
        if let Some((place, record)) = entry {
            boards.entry((place.board.rows(), place.board.cols())).or_default().push((place, record));
        }
    })?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    for (&(rows, cols), records) in &boards {
        let board = Board::new(rows, cols).map_err(|error| anyhow!(error))?;
        let path = folder.join(format!("{board}.solved"));
        let cannot = || format!("cannot write '{}'", path.display());
        write_segment(&path, board, records).with_context(cannot)?;
        let positions = text::count(records.len() as u64, "position");
        let object = || json!({ "file": path, "entries": records.len() });
        output::answer(show, object, || format!("{positions} in '{}'\n", path.display()))?;
    }
    if boards.is_empty() && !show.json {
        output::text("The store is empty; nothing was written.\n")?;
    }
    Ok(Ending::Answered)
}

fn write_segment(path: &Path, board: Board, records: &[(Place, Record)]) -> std::io::Result<()> {
    // Never overwrite what was published.
    if path.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    // Half a file would get in the way of the next attempt.
    beside::write(path, |file| {
        let mut out = BufWriter::new(file);
        segment::write(&mut out, board, records)?;
        out.flush()
    })
}

fn compact(store: &mut Store, show: Show) -> Result<Ending> {
    let size = |store: &Store| std::fs::metadata(store.path()).map_or(0, |data| data.len());
    let before = size(store);
    let Mended { mended, dropped } = store.mend()?;
    store.compact()?;
    let after = size(store);
    let object = json!({
        "store": store.path(), "refilled": mended, "dropped": dropped, "bytes_before": before, "bytes": after,
    });
    let positions = text::count(mended, "position");
    let [dropped, before, after] = [dropped, before, after].map(text::thousands);
    let said =
        format!("{positions} brought up to date, {dropped} dropped; {before} bytes before, {after} now\n");
    output::answer(show, || object, || said)?;
    Ok(Ending::Answered)
}
