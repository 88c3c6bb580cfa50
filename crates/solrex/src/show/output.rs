//! Standard output, flushed after each answer. A reader that goes away ends the program quietly.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};
use rex_answers::answer::versioned;
use serde_json::Value;

use crate::cli::Show;
use crate::system::beside;

/// Writes text, with styles where the terminal shows them.
pub fn text(text: &str) -> Result<()> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Writes an answer: an object for programs, or text for people.
pub fn answer(show: Show, object: impl FnOnce() -> Value, said: impl FnOnce() -> String) -> Result<()> {
    if show.json { json(object()) } else { text(&said()) }
}

/// Writes one JSON object as a line.
pub fn json(object: Value) -> Result<()> {
    bytes(json_line(object).as_bytes())
}

/// One JSON object as a line.
pub fn json_line(object: Value) -> String {
    format!("{}\n", versioned(object))
}

/// Writes this as it is.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Writes a file, or leaves the existing one unchanged if that fails.
pub fn file(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let written = if is_special(path) {
        std::fs::write(path, &content)
    } else {
        beside::write(path, |file| file.write_all(content.as_ref()))
    };
    written.with_context(|| format!("cannot write '{}'", path.display()))
}

/// Fails now if a file could not be written later.
pub fn try_file(path: &Path) -> Result<()> {
    let tried = if is_special(path) { Ok(()) } else { beside::try_writing(path) };
    tried.with_context(|| format!("cannot write '{}'", path.display()))
}

/// Whether it is something like /dev/null or a pipe, which cannot be replaced.
fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Whether this error comes from a pipe that nobody reads any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == ErrorKind::BrokenPipe)
}
