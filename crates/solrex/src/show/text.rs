//! Words, numbers and boards for people.

use std::fmt::Write;
use std::time::Duration;

use anstyle::Style;
pub use rex_answers::answer::{name, names};
use rex_game::{Board, Cell, Player, State};

use crate::show::style::{self, paint};

/// `B` or `W`.
pub fn letter(player: Player) -> char {
    player.letter().to_ascii_uppercase()
}

/// `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `0.01 s`, `12.3 s`, `1,234 s`.
pub fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        t if t < 9.995 => format!("{t:.2} s"),
        t if t < 99.95 => format!("{t:.1} s"),
        t => format!("{} s", thousands(t.round() as u64)),
    }
}

/// `1 node`, `57,077 nodes`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// What an error says, and what helps against it where that is a flag.
pub fn error(error: &anyhow::Error) -> String {
    let no_memory = error.chain().any(|cause| cause.is::<rex_search::TableError>());
    format!("{error:#}{}", if no_memory { "; try a smaller --memory" } else { "" })
}

/// The names of cells with a space between.
pub fn cells(board: Board, cells: impl IntoIterator<Item = Cell>) -> String {
    names(board, cells).join(" ")
}

/// The board, with a mark on each cell for which `mark` has one.
pub fn board(state: &State, mark: impl Fn(Cell) -> Option<(char, Style)>) -> String {
    let draw = |cell| {
        let (symbol, style) = mark(cell).unwrap_or(match state.position.get(cell) {
            Some(Player::Black) => ('B', style::BLACK),
            Some(Player::White) => ('W', style::WHITE),
            None => ('.', style::FAINT),
        });
        Some(paint(style, symbol))
    };
    state.diagram().marks(&draw).to_string()
}

/// Items one after another, broken into lines of at most 80 columns that are indented by `indent`.
pub fn wrapped(items: impl IntoIterator<Item = String>, indent: usize) -> String {
    const COLUMNS: usize = 80;
    let (mut text, mut column) = (String::new(), COLUMNS);
    for item in items {
        let width = item.chars().count();
        if column + 1 + width > COLUMNS {
            let _ = write!(text, "{}{:indent$}", if text.is_empty() { "" } else { "\n" }, "");
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(&item);
        column += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(57077), "57,077");
        assert_eq!(thousands(1_000_000), "1,000,000");
        assert_eq!(count(1, "node"), "1 node");
        assert_eq!(seconds(Duration::from_millis(12)), "0.01 s");
        assert_eq!(seconds(Duration::from_millis(12_345)), "12.3 s");
        assert_eq!(seconds(Duration::from_secs(25_900)), "25,900 s");
    }

    #[test]
    fn long_lists_are_broken_between_items() {
        let items = (0..30).map(|i| format!("item{i:02}"));
        let text = wrapped(items, 2);
        assert!(text.lines().all(|line| line.starts_with("  item") && line.len() <= 80));
        assert_eq!(text.split_whitespace().count(), 30);
        assert_eq!(wrapped([], 2), "\n");
    }
}
