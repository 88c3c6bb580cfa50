//! Lines of commands. A separate thread reads ahead, so that an interrupt is seen while a command is running.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::system::lines;

/// The longest command.
const LONGEST: u64 = 1 << 16;
/// How many commands are read ahead.
const AHEAD: usize = 1024;
/// Between the last line and the end of an input that is a list of commands.
const AT_ONCE: Duration = Duration::from_secs(2);

/// A line that needs a response.
#[derive(Debug, Default)]
pub struct CommandLine {
    /// The number in front of the command, repeated in the response.
    pub id: String,
    /// The command and its arguments, or nothing at all if there is only a number.
    pub words: Vec<String>,
    /// Set when this command is interrupted. Each command has its own flag.
    pub cancel: Arc<AtomicBool>,
    /// Whether it was too long to keep.
    pub too_long: bool,
}

impl CommandLine {
    /// Whether it was interrupted.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Relaxed)
    }
}

/// The lines that need a response.
///
/// When the input ends, nobody is left to read a response, so a running command is interrupted. But if it ends within
/// [`AT_ONCE`] of the last line, the input was a prepared list, and all of it is answered.
pub fn lines(input: impl Read + Send + 'static) -> impl Iterator<Item = std::io::Result<CommandLine>> {
    let (sender, receiver) = mpsc::sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        // Lines without a response yet. An interrupt is for the last one.
        let mut waiting: Vec<Weak<AtomicBool>> = Vec::new();
        let mut last = Instant::now();
        loop {
            let line = match read(&mut input) {
                Ok(None) => {
                    if last.elapsed() > AT_ONCE {
                        waiting.iter().for_each(cancel);
                    }
                    return;
                }
                Ok(Some(Input::Interrupt)) => {
                    waiting.last().into_iter().for_each(cancel);
                    continue;
                }
                Ok(Some(Input::Nothing)) => continue,
                Ok(Some(Input::Command(line))) => Ok(line),
                Err(error) => Err(error),
            };
            let failed = line.is_err();
            waiting.retain(|flag| flag.strong_count() > 0);
            waiting.extend(line.as_ref().ok().map(|line| Arc::downgrade(&line.cancel)));
            if sender.send(line).is_err() || failed {
                return;
            }
            last = Instant::now();
        }
    });
    std::iter::from_fn(move || lines::next(&receiver))
}

/// Interrupts a line, unless it has been answered.
fn cancel(flag: &Weak<AtomicBool>) {
    if let Some(flag) = flag.upgrade() {
        flag.store(true, Relaxed);
    }
}

/// The lines of a file that need a response, with their numbers. They are interrupted with the command that reads it.
///
/// # Errors
/// If it is not a readable file. (A device may never end.)
pub fn lines_of_file(
    path: &Path,
    cancel: &Arc<AtomicBool>,
) -> std::io::Result<impl Iterator<Item = std::io::Result<(usize, CommandLine)>>> {
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::other("it is not a file"));
    }
    let mut input = BufReader::new(File::open(path)?);
    let mut number = 0;
    let cancel = cancel.clone();
    Ok(std::iter::from_fn(move || {
        loop {
            number += 1;
            match read(&mut input).transpose()? {
                Ok(Input::Command(line)) => {
                    return Some(Ok((number, CommandLine { cancel: cancel.clone(), ..line })));
                }
                Ok(Input::Interrupt | Input::Nothing) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

enum Input {
    Command(CommandLine),
    Interrupt,
    /// An empty line or a comment.
    Nothing,
}

/// Reads a line, or says that there are no more.
fn read(input: &mut impl BufRead) -> std::io::Result<Option<Input>> {
    let Some((text, too_long)) = lines::read_up_to(input, LONGEST)? else { return Ok(None) };
    if too_long {
        input.skip_until(b'\n')?;
    }
    Ok(Some(parse(&text, too_long)))
}

fn parse(text: &str, too_long: bool) -> Input {
    // Control characters other than tabs are dropped.
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\t').collect();
    let (command, remark) = text.split_once('#').unwrap_or((&text, ""));
    let mut words = words(command).into_iter().peekable();
    let is_remark = text.contains('#');
    if words.peek().is_none() && (is_remark || !too_long) {
        return if remark.trim() == "interrupt" { Input::Interrupt } else { Input::Nothing };
    }
    let id = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit())).unwrap_or_default();
    if too_long {
        // A leading number, if more follows.
        let id = words.next().map(|_| id).unwrap_or_default();
        return Input::Command(CommandLine { id, too_long, ..CommandLine::default() });
    }
    Input::Command(CommandLine { id, words: words.collect(), ..CommandLine::default() })
}

/// Words between spaces, or in quotation marks, since file names may contain spaces.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for symbol in command.chars() {
        match symbol {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if symbol.is_whitespace() && !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(symbol),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &str) -> Vec<(String, String, bool)> {
        let lines: Vec<CommandLine> =
            lines(std::io::Cursor::new(input.to_owned())).map(Result::unwrap).collect();
        // All are read by now, so that every interrupt has come to the command before it.
        lines.into_iter().map(|l| (l.id, l.words.join(" "), l.cancel.load(Relaxed))).collect()
    }

    #[test]
    fn numbers_remarks_and_interrupts() {
        let wanted = [("", "name", false), ("7", "play b a1", true), ("12", "", false), ("", "a", true)];
        let wanted = wanted.map(|(id, words, cancel)| (id.to_owned(), words.to_owned(), cancel));
        let input = "# interrupt\n name # first\n\n# a remark\n7\tplay  b\ta1\u{7}\r\n#interrupt\n12\na#b\n#  interrupt  \n";
        assert_eq!(all(input), wanted);
    }

    #[test]
    fn quotation_marks_hold_a_word_together() {
        for (line, wanted) in [
            ("a  b\tc", &["a", "b", "c"][..]),
            ("open \"my games/one.redb\" 3", &["open", "my games/one.redb", "3"]),
            ("a\" \"b \"\"", &["a b", ""]),
            ("a \"b c", &["a", "b c"]),
            (" ", &[]),
        ] {
            assert_eq!(words(line), wanted, "{line}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let [long, blank] = ["x", " "].map(|symbol| symbol.repeat(3 << 16));
        let input = format!("{long}\nname\n7 {long}\n{blank}name\n# {long}\nname\n");
        let lines: Vec<CommandLine> = lines(std::io::Cursor::new(input)).map(Result::unwrap).collect();
        let kept: Vec<(bool, &str, usize)> =
            lines.iter().map(|line| (line.too_long, line.id.as_str(), line.words.len())).collect();
        assert_eq!(kept, [(true, "", 0), (false, "", 1), (true, "7", 0), (true, "", 0), (false, "", 1)]);
    }
}
