//! What the environment says of a search, where no flag does: SOLREX_THREADS and SOLREX_MEMORY.

use std::sync::OnceLock;

use anyhow::{Result, anyhow};

use crate::arguments::units;

/// The values, none where a variable is not set.
#[derive(Clone, Copy, Default)]
struct Environment {
    threads: Option<usize>,
    memory: Option<u64>,
}

static READ: OnceLock<Environment> = OnceLock::new();

/// Reads the variables, once.
pub fn read() -> Result<()> {
    let threads = variable("SOLREX_THREADS", units::threads)?;
    let memory = variable("SOLREX_MEMORY", units::bytes)?;
    READ.get_or_init(|| Environment { threads, memory });
    Ok(())
}

fn variable<T>(name: &str, value: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>> {
    let Some(text) = std::env::var_os(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    let text = text.to_string_lossy();
    value(&text)
        .map(Some)
        .map_err(|error| anyhow!("bad value '{text}' of the environment variable {name}: {error}"))
}

/// How many threads should search.
pub fn threads() -> Option<usize> {
    READ.get().and_then(|read| read.threads)
}

/// How much memory a search should have.
pub fn memory() -> Option<u64> {
    READ.get().and_then(|read| read.memory)
}
