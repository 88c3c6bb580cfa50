//! The POSITION argument: words, a file, or a stream.

use std::fs::File;
use std::io::{Read, Write};

use anyhow::{Context, Result, anyhow, bail};
use rex_answers::notation::{Given, bad, given_content, given_text};
use rex_game::{State, sgf};
use serde_json::json;

use crate::cli::Show;
use crate::system::lines::{self, Line, Lines, clipped};
use crate::{Ending, show::output, show::style, system::interrupt};

/// The largest file to read. Nothing useful is larger.
const LARGEST: u64 = 16 << 20;

/// The argument itself, for the commands that take one.
#[derive(clap::Args, Debug)]
pub struct PositionArg {
    /// Rows and side to move, a size and moves, a HexWorld link, @FILE (also SGF), or - for standard input, one position
    /// per line
    #[arg(required = true, value_name = "POSITION")]
    words: Vec<String>,
}

impl PositionArg {
    /// Answers the position, or with `-` each position from standard input. A bad line is reported in its place, and
    /// the stream goes on. SGF with several games gives several positions.
    pub fn for_each(&self, show: Show, mut answer: impl FnMut(&State) -> Result<Ending>) -> Result<Ending> {
        let mut answered = 0;
        self.for_each_given(show, |given| {
            let mut worst = Ending::Answered;
            for record in &given.records {
                // Separate answers by an empty line, for human readers.
                if answered > 0 && !show.json && !show.quiet {
                    output::text("\n")?;
                }
                answered += 1;
                worst = worst.max(answer(&record.state())?);
                if interrupt::pressed() {
                    break;
                }
            }
            Ok(worst)
        })
    }

    /// The same for commands that need more than the position.
    pub fn for_each_given(
        &self,
        show: Show,
        mut answer: impl FnMut(&Given) -> Result<Ending>,
    ) -> Result<Ending> {
        let text = self.words.join(" ");
        if text == "-" { for_each_line(show, &mut answer) } else { answer(&given(&text)?) }
    }
}

fn for_each_line(show: Show, answer: &mut dyn FnMut(&Given) -> Result<Ending>) -> Result<Ending> {
    let mut input = Lines::of_stdin();
    let mut worst = Ending::Answered;
    let mut number = 0;
    while let Some(line) = input.next()? {
        number += 1;
        let (line, given) = match line {
            Line::Text(line) => {
                let line = line.trim().to_owned();
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let given = given(&line);
                (line, given)
            }
            Line::TooLong(start) if start.trim_start().starts_with('#') => continue,
            Line::TooLong(start) => (start, Err(lines::too_long())),
        };
        let status = match given {
            Ok(given) => answer(&given)?,
            Err(error) => {
                report_bad_line(show, number, &line, &error)?;
                Ending::BadInput
            }
        };
        // A bad line outweighs a stopped one.
        worst = match (worst, status) {
            (Ending::BadInput, _) | (_, Ending::BadInput) => Ending::BadInput,
            (one, other) => one.max(other),
        };
    }
    Ok(if interrupt::pressed() { Ending::Stopped } else { worst })
}

fn report_bad_line(show: Show, number: usize, line: &str, error: &anyhow::Error) -> Result<()> {
    let message = format!("{error:#}");
    if show.json {
        return output::json(json!({ "error": message, "line": number, "input": clipped(line) }));
    }
    let _ = writeln!(anstream::stderr(), "{} line {number}: {message}", style::paint(style::ERROR, "error:"));
    Ok(())
}

/// Reads one position in any form except `-`.
pub fn read(text: &str) -> Result<State> {
    match &given(text)?.records[..] {
        [record] => Ok(record.state()),
        several => {
            bail!("'{}' has {} games; expected one position", clipped(text.trim()), several.len())
        }
    }
}

/// Reads one position, or all games of an SGF.
pub fn given(text: &str) -> Result<Given> {
    if let Some(path) = text.trim_start().strip_prefix('@') {
        return given_file(path);
    }
    Ok(given_text(text).map_err(|error| bad(&error, text))?)
}

/// A file contains anything an argument can, or a drawn board.
fn given_file(path: &str) -> Result<Given> {
    let name = clipped(path);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    if read.with_context(|| format!("cannot read the file '{name}'"))? as u64 > LARGEST {
        bail!("the file '{name}' has more than {LARGEST} bytes; expected a position, a drawn board or SGF");
    }
    let text = if bytes.trim_ascii_start().starts_with(b"(") {
        sgf::decode(&bytes)
    } else {
        let Ok(text) = std::str::from_utf8(&bytes) else {
            bail!("cannot read the file '{name}': it is not text; expected a position or a drawn board");
        };
        text.into()
    };
    given_content(&text)
        .map_err(|error| anyhow!("bad position in the file '{name}': {}", error.render(&text)))
}
