//! `solrex version`.

use anyhow::Result;
use serde_json::{Value, json};

use crate::cli::Show;
use crate::{Ending, show::log, show::output};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Print the version; with -v also how it was built
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

const EXAMPLES: &str = "\
Examples:
  solrex version
  solrex version --verbose
  solrex version --verbose --json";

/// How it was built, and the machine it runs on.
fn details() -> [(&'static str, String); 6] {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    [
        ("compiler", env!("SOLREX_RUSTC").to_owned()),
        ("minimum compiler", env!("CARGO_PKG_RUST_VERSION").to_owned()),
        ("target", env!("SOLREX_TARGET").to_owned()),
        ("profile", env!("SOLREX_PROFILE").to_owned()),
        ("node signature", include_str!("../../bench-signature.txt").trim().to_owned()),
        ("cores", cores.to_string()),
    ]
}

/// Prints the version.
pub fn run(_: &Args, show: Show) -> Result<Ending> {
    let mut object = json!({ "version": VERSION });
    let mut text = format!("solrex {VERSION}\n");
    if log::is_on() {
        for (name, value) in details() {
            text += &format!("{name}: {value}\n");
            object[name.replace(' ', "_")] = value.parse::<u64>().map_or_else(|_| value.into(), Value::from);
        }
    }
    output::answer(show, || object, || text)?;
    Ok(Ending::Answered)
}
