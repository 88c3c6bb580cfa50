use std::ops::Range;
use std::str::FromStr;

use super::error::quoted;
use super::grid::too_many_cells;
use super::{NotationError, end, words};
use crate::{ActionKind, Board, Cell, MAX_CELLS, MAX_COLS, State};

/// The game with these moves as text, from the empty board with Black first.
///
/// ```
/// use rex_game::{Board, State, move_list};
///
/// let board: Board = "6x6".parse()?;
/// let moves = State::new(board).parse_moves("e3, d4")?;
/// assert_eq!(move_list(board, &moves), "6x6 e3 d4");
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn move_list(board: Board, moves: &[Cell]) -> String {
    moves.iter().fold(board.to_string(), |list, &cell| list + " " + &board.name(cell))
}

impl State {
    /// Reads moves separated by spaces or commas, played in turn from this state. Move numbers (`1.`) are ignored.
    ///
    /// # Errors
    /// At the first word that is not a move, is off the board or on a stone, or comes after the game is over.
    ///
    /// ```
    /// let state: rex_game::State = "2x2".parse()?;
    /// assert_eq!(state.parse_moves("a1 b2")?.len(), 2);
    /// assert_eq!(
    ///     state.parse_moves("a1 a1").unwrap_err().to_string(),
    ///     "move 'a1' is on a black stone; expected an empty cell"
    /// );
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    pub fn parse_moves(&self, text: &str) -> Result<Vec<Cell>, NotationError> {
        Ok(read_moves(self, text)?.1)
    }

    /// The state after the moves that [`State::parse_moves`] reads.
    ///
    /// # Errors
    /// As there.
    pub fn play_text(&self, text: &str) -> Result<State, NotationError> {
        Ok(read_moves(self, text)?.0)
    }
}

/// Whether a text is nothing but moves, perhaps numbered: `1. d1 a1`. To be a position, it needs a size in front.
pub fn looks_like_moves(text: &str) -> bool {
    let mut moves = move_words(text).map(|word| &text[word]).peekable();
    moves.peek().is_some() && moves.all(|word| is_name(word) || ActionKind::from_word(word).is_some())
}

/// Reads a size, rows x columns: `6x6`, or `6` for the same.
impl FromStr for Board {
    type Err = NotationError;

    fn from_str(input: &str) -> Result<Board, NotationError> {
        let mut words = words(input, char::is_whitespace);
        let Some(size) = words.next() else {
            return Err(NotationError::new("no size", "rows x columns such as '6x6'", 0..input.len()));
        };
        let board = read_size(input, size)?;
        end(input, words, "the size", "nothing more").map(|()| board)
    }
}

/// Whether a word is a size and not rows: it starts with a number and an `x`, or it is a number and what comes next no side to
/// move.
pub(super) fn looks_like_size(word: &str, next: Option<&str>) -> bool {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let square = || after.is_empty() && next.is_none_or(is_name);
    after.len() < word.len() && (square() || after.starts_with(['x', 'X']) && !word.contains('/'))
}

fn read_size(input: &str, span: Range<usize>) -> Result<Board, NotationError> {
    let word = &input[span.clone()];
    let Some(x) = word.find(['x', 'X']) else {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let rows = read_dimension(word, "rows", MAX_CELLS, span.clone())?;
            return Board::new(rows, rows).map_err(|_| too_many_cells(rows, rows, span));
        }
        let message = format!("{} is not a size", quoted(word));
        return Err(NotationError::new(message, "rows x columns such as '6x6'", span));
    };
    let rows = read_dimension(&word[..x], "rows", MAX_CELLS, span.start..span.start + x)?;
    let cols = read_dimension(&word[x + 1..], "columns", MAX_COLS, span.start + x + 1..span.end)?;
    Board::new(rows, cols).map_err(|_| too_many_cells(rows, cols, span))
}

pub(crate) fn read_dimension(
    number: &str,
    what: &str,
    most: usize,
    span: Range<usize>,
) -> Result<usize, NotationError> {
    let message = match number.parse() {
        // Signs would pass `parse`; a number too large for a `usize` is too large for a board.
        Ok(value) if number.bytes().all(|b| b.is_ascii_digit()) && (1..=most).contains(&value) => {
            return Ok(value);
        }
        _ if number.is_empty() => format!("missing number of {what}"),
        _ => format!("bad number of {what} {}", quoted(number)),
    };
    Err(NotationError::new(message, format!("a number from 1 to {most}"), span))
}

fn read_moves(start: &State, input: &str) -> Result<(State, Vec<Cell>), NotationError> {
    let mut state = *start;
    let mut moves = Vec::new();
    for word in move_words(input) {
        let cell = read_move(&state, &input[word.clone()], word)?;
        state = state.play(cell);
        moves.push(cell);
    }
    Ok((state, moves))
}

/// Where the words are, without move numbers.
pub(crate) fn move_words(input: &str) -> impl Iterator<Item = Range<usize>> {
    let unnumbered = |word: Range<usize>| word.start + number(&input[word.clone()])..word.end;
    words(input, is_separator).map(unnumbered).filter(|word| !word.is_empty())
}

/// The length in bytes of a move number such as `1.` at the start of a word. The move may follow without a space.
fn number(word: &str) -> usize {
    let dots = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = dots.trim_start_matches('.');
    if dots.len() < word.len() && rest.len() < dots.len() { word.len() - rest.len() } else { 0 }
}

/// Whether a word names a cell of any board.
fn is_name(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The cell, if the side to move may colour it. `span` is where the name was read.
pub(crate) fn read_move(state: &State, name: &str, span: Range<usize>) -> Result<Cell, NotationError> {
    if !is_name(name) {
        let message = format!("{} is not a move", quoted(name));
        return Err(NotationError::new(message, "a letter and a number such as 'a1'", span));
    }
    if let Some(winner) = state.position.winner() {
        let message = format!("move {} comes after the end: {} is connected", quoted(name), !winner);
        return Err(NotationError::new(message, "no further move", span));
    }
    read_cell(state, name, span)
}

/// The empty cell with this name. `span` is where it was read.
pub(crate) fn read_cell(state: &State, name: &str, span: Range<usize>) -> Result<Cell, NotationError> {
    let board = state.board();
    let Some(cell) = board.cell_named(name) else {
        let corner = board.name(Cell::new(board.len() - 1));
        let message = format!("move {} is off the {board} board", quoted(name));
        return Err(NotationError::new(message, format!("a cell from a1 to {corner}"), span));
    };
    let Some(player) = state.position.get(cell) else { return Ok(cell) };
    let message = format!("move {} is on a {player} stone", quoted(name));
    Err(NotationError::new(message, "an empty cell", span))
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}
