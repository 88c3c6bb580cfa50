//! `solrex version`.

use anyhow::Result;
use serde_json::json;

use crate::cli::Show;
use crate::{Status, output};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints the version.
pub fn run(show: Show) -> Result<Status> {
    if show.json {
        output::json(&json!({ "v": 1, "version": VERSION }))?;
    } else {
        output::text(&format!("solrex {VERSION}\n"))?;
    }
    Ok(Status::Answered)
}
