//! Links to boards on the web: which site they lead to, and what they have in common.

use std::ops::Range;

use crate::notation::{quoted, read_cell, read_dimension, too_many_cells};
use crate::{Board, Cell, GameRecord, MAX_CELLS, MAX_COLS, NotationError, State};

const HEXWORLD: [&str; 2] = ["hexworld.org", "www.hexworld.org"];
const TRMPH: [&str; 2] = ["trmph.com", "www.trmph.com"];

/// Whether a word looks like a link, to any site. The `https://` is optional, since browsers hide it.
pub fn looks_like_link(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["https://", "http://"].iter().chain(&HEXWORLD).chain(&TRMPH).any(|begin| word.starts_with(begin))
}

/// Reads a link.
pub fn read(input: &str) -> Result<GameRecord, NotationError> {
    let trimmed = input.trim();
    let start = input.len() - input.trim_start().len();
    let link = start..start + trimmed.len();
    let rest = trimmed.split_once("://").map_or(trimmed, |(_, rest)| rest);
    let host = rest.split(['/', '#', '?']).next().unwrap_or("").to_ascii_lowercase();
    let is_one_of = |hosts: &[&str]| hosts.contains(&host.as_str());
    if !is_one_of(&HEXWORLD) && !is_one_of(&TRMPH) {
        let message = format!("the link leads to {}", quoted(&host));
        return Err(NotationError::new(message, "'hexworld.org' or 'trmph.com'", link));
    }
    let Some(hash) = trimmed.find('#') else {
        let expected = "'#' and a size at the end, such as '#6'";
        return Err(NotationError::new("the link has no position", expected, link.end..link.end));
    };
    let reader = Reader { symbols: symbols(input, link.start + hash + 1..link.end), at: 0, end: link.end };
    if is_one_of(&TRMPH) { reader.trmph() } else { reader.hexworld() }
}

/// The characters of a span with their places. Escapes are decoded: browsers may write `%2C` for a comma.
fn symbols(input: &str, span: Range<usize>) -> Vec<(char, Range<usize>)> {
    let mut symbols = Vec::new();
    let mut at = span.start;
    while let Some(first) = input[at..span.end].chars().next() {
        let escaped = input[at..span.end].strip_prefix('%').and_then(|rest| rest.get(..2));
        let (symbol, len) = match escaped.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if byte.is_ascii_graphic() => (byte as char, 3),
            _ => (first, first.len_utf8()),
        };
        symbols.push((symbol, at..at + len));
        at += len;
    }
    symbols
}

/// Reads the part of a link after its `#`, character by character.
pub struct Reader {
    symbols: Vec<(char, Range<usize>)>,
    /// How many of them have been read.
    pub at: usize,
    /// Where the input ends.
    end: usize,
}

impl Reader {
    /// One number: `6`.
    pub fn square(&mut self) -> Result<Board, NotationError> {
        let from = self.at;
        let side = self.number("columns", MAX_COLS, "a size such as '6'")?;
        Board::new(side, side).map_err(|_| too_many_cells(side, side, self.span(from)))
    }

    /// `6`, or columns and rows: `6x5`.
    pub fn rectangle(&mut self) -> Result<Board, NotationError> {
        const SIZES: &str = "a size such as '6' or '6x5'";
        let from = self.at;
        let cols = self.number("columns", MAX_COLS, SIZES)?;
        let mut rows = cols;
        if self.peek() == Some('x') {
            self.at += 1;
            rows = self.number("rows", MAX_CELLS, SIZES)?;
        }
        Board::new(rows, cols).map_err(|_| too_many_cells(rows, cols, self.span(from)))
    }

    fn number(&mut self, what: &str, most: usize, sizes: &str) -> Result<usize, NotationError> {
        let from = self.at;
        let digits = self.take(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.error(from, format!("missing number of {what}"), sizes));
        }
        read_dimension(&digits, what, most, self.span(from))
    }

    /// The name of a cell of any board; `moves` is what the error message says was expected.
    pub fn name(&mut self, moves: &str) -> Result<String, NotationError> {
        let from = self.at;
        let letters = self.take(|c| c.is_ascii_lowercase());
        let digits = self.take(|c| c.is_ascii_digit());
        if letters.is_empty() || digits.is_empty() {
            self.at = self.at.max(from + 1);
            return Err(self.not_a_move(from, moves));
        }
        Ok(letters + &digits)
    }

    /// An empty cell.
    pub fn cell(&mut self, state: &State, moves: &str) -> Result<Cell, NotationError> {
        let from = self.at;
        let name = self.name(moves)?;
        read_cell(state, &name, self.span(from))
    }

    pub fn peek(&self) -> Option<char> {
        self.symbols.get(self.at).map(|&(symbol, _)| symbol)
    }

    pub fn take_one(&mut self) -> Option<char> {
        let symbol = self.peek()?;
        self.at += 1;
        Some(symbol)
    }

    pub fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text(from)
    }

    pub fn text(&self, from: usize) -> String {
        self.symbols[from..self.at].iter().map(|&(symbol, _)| symbol).collect()
    }

    /// The place of what has been read since `from`.
    pub fn span(&self, from: usize) -> Range<usize> {
        let start = self.symbols.get(from).map_or(self.end, |(_, place)| place.start);
        let end = self.symbols[from..self.at].last().map_or(start, |(_, place)| place.end);
        start..end
    }

    /// What has been read since `from` is not one of these `moves`.
    pub fn not_a_move(&self, from: usize, moves: &str) -> NotationError {
        self.error(from, format!("{} is not a move", quoted(&self.text(from))), moves)
    }

    pub fn error(
        &self,
        from: usize,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> NotationError {
        NotationError::new(message, expected, self.span(from))
    }
}
