//! Links to HexWorld's board: `https://hexworld.org/board/#6c1,a1b2:sc3,d4`.
//!
//! After the `#` come the size (one number, or columns `x` rows), letters for how the board is shown (turned,
//! numbered, coloured: passed over), and after commas the moves up to the position that is shown and those after
//! it. A move is a cell, `:s` (swap pieces), `:S` (swap sides), `:p` (pass), `:rb`, `:rw` (Red, Blue resigns),
//! `:fb`, `:fw` (forfeits). Red moves first and owns top and bottom: she is Black here.

use std::fmt::Write;
use std::ops::Range;

use crate::notation::{quoted, read_cell, too_many_cells};
use crate::{Action, ActionKind, Board, MAX_CELLS, MAX_COLS, NotationError, Player, Record, State, mirrored};

const HOSTS: [&str; 2] = ["hexworld.org", "www.hexworld.org"];
const ADDRESS: &str = "https://hexworld.org/board/#";
const MOVES: &str = "a cell such as 'a1', ':s', ':S', ':p', ':rb', ':rw', ':fb' or ':fw'";

/// Whether a word is meant to be a link, to whatever page. A browser may show it without its beginning.
pub fn looks_like_link(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["https://", "http://"].iter().chain(&HOSTS).any(|begin| word.starts_with(begin))
}

/// Reads a link.
pub fn read(input: &str) -> Result<Record, NotationError> {
    let trimmed = input.trim();
    let start = input.len() - input.trim_start().len();
    let link = start..start + trimmed.len();
    let rest = trimmed.split_once("://").map_or(trimmed, |(_, rest)| rest);
    let host = rest.split(['/', '#', '?']).next().unwrap_or("");
    if !HOSTS.contains(&host.to_ascii_lowercase().as_str()) {
        let message = format!("a link to {}", quoted(host));
        return Err(NotationError::new(message, "one to 'hexworld.org'", link));
    }
    let Some(hash) = trimmed.find('#') else {
        let expected = "'#' and a size such as '#6' at its end";
        return Err(NotationError::new("a link without a position", expected, link.end..link.end));
    };
    Reader { symbols: symbols(input, link.start + hash + 1..link.end), at: 0, end: link.end }.game()
}

/// The characters of a span with their places; `%2C` is the comma that a browser may have made of it.
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

struct Reader {
    symbols: Vec<(char, Range<usize>)>,
    at: usize,
    /// Where the input ends.
    end: usize,
}

impl Reader {
    fn game(mut self) -> Result<Record, NotationError> {
        let mut record = Record::new(State::new(self.board()?));
        // How the board is shown changes nothing.
        self.take(|c| c != ',');
        let mut shown = usize::MAX;
        let mut commas = 0;
        while let Some(symbol) = self.peek() {
            if symbol != ',' {
                let action = self.action(&record)?;
                record.push(action);
                continue;
            }
            commas += 1;
            match commas {
                1 => {}
                2 => shown = record.actions().len(),
                _ => return Err(self.error(self.at, "a third ','", "the end of the link")),
            }
            self.at += 1;
        }
        record.show(shown);
        Ok(record)
    }

    /// `6`, or columns and rows: `6x5`.
    fn board(&mut self) -> Result<Board, NotationError> {
        let from = self.at;
        let cols = self.number("columns", MAX_COLS)?;
        let mut rows = cols;
        if self.peek() == Some('x') {
            self.at += 1;
            rows = self.number("rows", MAX_CELLS)?;
        }
        let too_large = |_| too_many_cells(rows, cols, self.span(from));
        Board::new(rows, cols).map_err(too_large)
    }

    fn number(&mut self, what: &str, most: usize) -> Result<usize, NotationError> {
        let from = self.at;
        let digits = self.take(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.error(from, format!("missing number of {what}"), "a size such as '6' or '6x5'"));
        }
        // A number too large for a `usize` is too large for a board.
        digits.parse().ok().filter(|number| (1..=most).contains(number)).ok_or_else(|| {
            let message = format!("bad number of {what} {}", quoted(&digits));
            self.error(from, message, format!("a number from 1 to {most}"))
        })
    }

    fn action(&mut self, record: &Record) -> Result<Action, NotationError> {
        let from = self.at;
        let state = record.end();
        if self.peek() != Some(':') {
            let letters = self.take(|c| c.is_ascii_lowercase());
            let name = letters + &self.take(|c| c.is_ascii_digit());
            if !name.starts_with(|c: char| c.is_ascii_lowercase())
                || !name.ends_with(|c: char| c.is_ascii_digit())
            {
                self.at = self.at.max(from + 1);
                let message = format!("{} is no move", quoted(&self.text(from)));
                return Err(self.error(from, message, MOVES));
            }
            return match read_cell(&state, &name) {
                Ok(cell) => Ok(Action { player: state.to_move, kind: ActionKind::Play(cell) }),
                Err((message, expected)) => Err(self.error(from, message, expected)),
            };
        }
        self.at += 1;
        let code = self.take_one();
        let mut player = state.to_move;
        if code == Some('r') || code == Some('f') {
            player = match self.take_one() {
                Some('b') => Player::Black,
                Some('w') => Player::White,
                _ => return Err(self.error(from, format!("{} is no move", quoted(&self.text(from))), MOVES)),
            };
        }
        let kind = match code {
            Some('s') => ActionKind::SwapPieces,
            Some('S') => ActionKind::SwapSides,
            Some('p') => ActionKind::Pass,
            Some('r') => ActionKind::Resign,
            Some('f') => ActionKind::Forfeit,
            _ => return Err(self.error(from, format!("{} is no move", quoted(&self.text(from))), MOVES)),
        };
        if matches!(kind, ActionKind::SwapPieces | ActionKind::SwapSides) && !can_swap(record) {
            return Err(self.error(from, "a swap here", "it as the second move"));
        }
        if kind == ActionKind::SwapPieces && mirrored(&state.position).is_none() {
            let message = format!("a swap on a board of {}", state.board());
            return Err(self.error(from, message, "a board that can be mirrored"));
        }
        Ok(Action { player, kind })
    }

    fn peek(&self) -> Option<char> {
        self.symbols.get(self.at).map(|&(symbol, _)| symbol)
    }

    fn take_one(&mut self) -> Option<char> {
        let symbol = self.peek()?;
        self.at += 1;
        Some(symbol)
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text(from)
    }

    fn text(&self, from: usize) -> String {
        self.symbols[from..self.at].iter().map(|&(symbol, _)| symbol).collect()
    }

    /// The place of what was read since `from`.
    fn span(&self, from: usize) -> Range<usize> {
        let start = self.symbols.get(from).map_or(self.end, |(_, place)| place.start);
        let end = self.symbols[from..self.at].last().map_or(start, |(_, place)| place.end);
        start..end
    }

    fn error(&self, from: usize, message: impl Into<String>, expected: impl Into<String>) -> NotationError {
        NotationError::new(message, expected, self.span(from))
    }
}

/// HexWorld lets the second player swap, and nobody later.
fn can_swap(record: &Record) -> bool {
    matches!(record.actions(), [Action { kind: ActionKind::Play(_), .. }])
}

/// Writes the link, with the colours red and blue.
pub fn write(record: &Record) -> String {
    if !replayable(record) {
        return write_position(&record.state());
    }
    let mut link = address(record.start().board());
    let mut board = record.start().board();
    let shown = record.shown();
    for (i, action) in record.actions().iter().enumerate() {
        if i == 0 {
            link.push(',');
        }
        if i == shown {
            link.push(',');
        }
        link += &code(board, action);
        if action.kind == ActionKind::SwapPieces {
            board = record.end().board();
        }
    }
    link
}

fn address(board: Board) -> String {
    let mut link = ADDRESS.to_owned();
    let (rows, cols) = (board.rows(), board.cols());
    let _ = if rows == cols { write!(link, "{cols}c1") } else { write!(link, "{cols}x{rows}c1") };
    link
}

fn code(board: Board, action: &Action) -> String {
    let letter = action.player.letter();
    match action.kind {
        ActionKind::Play(cell) => board.name(cell),
        ActionKind::SwapPieces => ":s".to_owned(),
        ActionKind::SwapSides => ":S".to_owned(),
        ActionKind::Pass => ":p".to_owned(),
        ActionKind::Resign => format!(":r{letter}"),
        ActionKind::Forfeit => format!(":f{letter}"),
    }
}

/// Whether HexWorld would play it the same way.
fn replayable(record: &Record) -> bool {
    let start = *record.start();
    let mut replay = Record::new(start);
    start == State::new(start.board())
        && record.actions().iter().all(|action| {
            let fits = match action.kind {
                ActionKind::Resign | ActionKind::Forfeit => true,
                ActionKind::SwapPieces | ActionKind::SwapSides => {
                    can_swap(&replay) && action.player == replay.end().to_move
                }
                _ => action.player == replay.end().to_move,
            };
            if fits {
                replay.push(*action);
            }
            fits
        })
}

/// Any position: stones in turn, and a pass where one colour has no more of them.
fn write_position(state: &State) -> String {
    let board = state.board();
    let mut moves = String::new();
    let [mut black, mut white] = Player::BOTH.map(|player| state.position.stones(player));
    let mut player = Player::Black;
    while !black.is_empty() || !white.is_empty() || player != state.to_move {
        let next = if player == Player::Black { black.pop() } else { white.pop() };
        moves += &next.map_or(":p".to_owned(), |cell| board.name(cell));
        player = !player;
    }
    let comma = if moves.is_empty() { "" } else { "," };
    address(board) + comma + &moves
}
