//! The POSITION argument: words, a file, or a stream.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, anyhow, bail};
use rex::{NotationError, State};
use serde_json::json;

use crate::cli::Show;
use crate::{Status, interrupt, output, style};

const FORMS: &str = "rows such as '1b1w/3w/w2b/2b1 b', a size and moves such as '6x6 e3 d4', @FILE, or -";

/// The argument itself, for the commands that take one.
#[derive(clap::Args, Debug)]
pub struct PositionArg {
    /// Rows and side to move, a size and moves, @FILE, or - for one position a line on standard input
    #[arg(required = true, value_name = "POSITION")]
    words: Vec<String>,
}

impl PositionArg {
    /// Answers the position, or with `-` each position of standard input. In a stream a bad line is
    /// reported in its place and the stream goes on.
    pub fn for_each(&self, show: Show, mut answer: impl FnMut(&State) -> Result<Status>) -> Result<Status> {
        let text = self.words.join(" ");
        if text == "-" { for_each_line(show, &mut answer) } else { answer(&read(&text)?) }
    }
}

fn for_each_line(show: Show, answer: &mut dyn FnMut(&State) -> Result<Status>) -> Result<Status> {
    let mut input = std::io::stdin().lock();
    let mut worst = Status::Answered;
    let mut answered = 0;
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).context("cannot read standard input")? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let status = match read(line) {
            Ok(state) => {
                if answered > 0 && !show.json {
                    output::text("\n")?;
                }
                answered += 1;
                answer(&state)?
            }
            Err(error) => {
                report_bad_line(show, number, line, &error)?;
                Status::BadInput
            }
        };
        if interrupt::pressed() {
            return Ok(Status::Stopped);
        }
        // A bad line outweighs a stopped one.
        worst = match (worst, status) {
            (Status::BadInput, _) | (_, Status::BadInput) => Status::BadInput,
            (one, other) => one.max(other),
        };
    }
    Ok(worst)
}

fn report_bad_line(show: Show, number: usize, line: &str, error: &anyhow::Error) -> Result<()> {
    let message = format!("{error:#}");
    if show.json {
        return output::json(&json!({ "v": 1, "error": message, "line": number, "input": line }));
    }
    let _ = writeln!(anstream::stderr(), "{} line {number}: {message}", style::paint(style::ERROR, "error:"));
    Ok(())
}

/// Reads one position in any form but `-`.
pub fn read(text: &str) -> Result<State> {
    let start = text.trim_start();
    if let Some(path) = start.strip_prefix('@') {
        return read_file(path);
    }
    if start.starts_with("http://") || start.starts_with("https://") {
        bail!("links such as '{}' are not read; expected {FORMS}", start.trim_end());
    }
    text.parse().map_err(|error: NotationError| anyhow!("bad position: {}", error.render(text)))
}

/// A file holds what an argument could say, or a drawn board.
fn read_file(path: &str) -> Result<State> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read the file '{path}'"))?;
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("cannot read the file '{path}': it is no text; expected a position or a drawn board");
    };
    if text.trim_start().starts_with("(;") {
        bail!(
            "cannot read the file '{path}': it looks like SGF, which is not read; expected rows, moves or a drawn board"
        );
    }
    // Moves may go on over several lines; several lines of anything else are a drawing.
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_size = first.starts_with(|c: char| c.is_ascii_digit()) && first.contains(['x', 'X']);
    let is_drawing = text.trim().contains('\n') && !is_size && !first.contains('/');
    let state = if is_drawing { State::from_diagram(&text) } else { text.parse() };
    state.map_err(|error| anyhow!("bad position in the file '{path}': {}", error.render(&text)))
}
