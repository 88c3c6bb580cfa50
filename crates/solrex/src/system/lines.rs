//! Lines of standard input. A separate thread reads them, so that signals are noticed while nobody types.

use std::io::{BufRead, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::system::interrupt;

/// A longer line is neither a position nor a command.
pub const LONGEST: usize = 1 << 20;
/// Give up on the end of an overlong line after this many bytes.
const PATIENCE: u64 = 1 << 30;
/// How often to check whether the program should end.
const LOOK: Duration = Duration::from_millis(50);

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// The line, perhaps with its line ending. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// The start of a line that is too long.
    TooLong(String),
}

/// The lines of standard input.
pub struct Lines(Receiver<std::io::Result<Line>>);

impl Lines {
    /// Starts to read, at most one line ahead.
    pub fn of_stdin() -> Lines {
        Lines::of(std::io::stdin())
    }

    fn of(input: impl Read + Send + 'static) -> Lines {
        let (sender, receiver) = sync_channel(0);
        std::thread::spawn(move || {
            let mut input = std::io::BufReader::new(input);
            while let Some(line) = read(&mut input).transpose() {
                let too_long = matches!(line, Ok(Line::TooLong(_)));
                let failed = line.is_err();
                if sender.send(line).is_err() || failed {
                    return;
                }
                if too_long && let Err(error) = skip(&mut input) {
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        });
        Lines(receiver)
    }

    /// The next line; none at the end of the input, or when the program was asked to end.
    pub fn next(&mut self) -> Result<Option<Line>> {
        next(&self.0).transpose().context("cannot read standard input")
    }
}

/// What another thread has read next; none when it has ended, or when the program was asked to end.
pub fn next<T>(read: &Receiver<T>) -> Option<T> {
    while !interrupt::pressed() {
        match read.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) => {}
            next => return next.ok(),
        }
    }
    None
}

/// Reads a line, or says that there are no more.
fn read(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let read = read_up_to(input, LONGEST as u64 + 1)?;
    Ok(read.map(|(text, too_long)| if too_long { Line::TooLong(clipped(&text)) } else { Line::Text(text) }))
}

/// Reads a line of less than this many bytes, or the start of a longer one, and says whether it is longer.
pub fn read_up_to(input: &mut impl BufRead, most: u64) -> std::io::Result<Option<(String, bool)>> {
    let mut bytes = Vec::new();
    if input.take(most).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let too_long = bytes.len() as u64 == most && bytes.last() != Some(&b'\n');
    Ok(Some((String::from_utf8_lossy(&bytes).into_owned(), too_long)))
}

/// Reads to the end of a line, and keeps nothing of it.
fn skip(input: &mut impl BufRead) -> std::io::Result<()> {
    let skipped = input.take(PATIENCE).skip_until(b'\n')?;
    if skipped as u64 == PATIENCE {
        return Err(std::io::Error::new(ErrorKind::InvalidData, "a line does not end"));
    }
    Ok(())
}

/// As much of a text as fits into a message.
pub fn clipped(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The error for a line that is too long.
pub fn too_long() -> anyhow::Error {
    anyhow!("a line of more than {LONGEST} bytes; expected a position")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: impl Read + Send + 'static) -> Vec<String> {
        let mut lines = Lines::of(input);
        let mut seen = Vec::new();
        loop {
            seen.push(match lines.next() {
                Ok(Some(Line::Text(text))) => text,
                Ok(Some(Line::TooLong(start))) => format!("too long: {}", start.len()),
                Ok(None) => return seen,
                Err(error) => format!("{error:#}"),
            });
        }
    }

    #[test]
    fn what_is_too_long_is_left_out() {
        let long = |length: usize| "x".repeat(length);
        let input = format!("one\n{}\n{}\n\nlast", long(LONGEST), long(100 << 20));
        let wanted =
            ["one\n".to_owned(), long(LONGEST) + "\n", "too long: 203".into(), "\n".into(), "last".into()];
        assert!(all(std::io::Cursor::new(input)) == wanted);
    }

    #[test]
    fn a_line_without_end_ends_the_stream() {
        let wanted = ["2x2\n", "too long: 203", "cannot read standard input: a line does not end"];
        assert_eq!(all(std::io::Cursor::new("2x2\n").chain(std::io::repeat(b'x'))), wanted);
    }
}
