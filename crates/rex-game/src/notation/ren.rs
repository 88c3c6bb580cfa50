use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::error::quoted;
use super::grid::Grid;
use super::{NotationError, end, words};
use crate::{MAX_COLS, Player, Position, State};

/// Reads just the rows: `1b1w/3w/w2b/2b1`.
///
/// ```
/// let position: rex_game::Position = "1b1w/3w/w2b/2b1".parse()?;
/// assert_eq!(position, "1b1w/3w/w2b/2b1 b".parse::<rex_game::State>()?.position);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
impl FromStr for Position {
    type Err = NotationError;

    fn from_str(input: &str) -> Result<Position, NotationError> {
        let mut words = words(input, char::is_whitespace);
        let position = read_rows(input, words.next().unwrap_or(0..0))?;
        end(input, words, "the rows", "nothing more").map(|()| position)
    }
}

/// Reads `1b1w/3w/w2b/2b1 b`.
pub(super) fn parse(input: &str) -> Result<State, NotationError> {
    let mut words = words(input, char::is_whitespace);
    let rows = words.next().unwrap_or(0..0);
    let position = read_rows(input, rows.clone())?;
    let Some(side) = words.next() else {
        let (message, expected) = ("missing side to move", "' b' or ' w' after the rows");
        return Err(NotationError::new(message, expected, rows.end..rows.end));
    };
    let to_move = match &input[side.clone()] {
        "b" | "B" => Player::Black,
        "w" | "W" => Player::White,
        other => {
            let message = format!("bad side to move {}", quoted(other));
            return Err(NotationError::new(message, "'b' or 'w'", side));
        }
    };
    end(input, words, "the side to move", "the end of the position").map(|()| State { position, to_move })
}

fn read_rows(input: &str, span: Range<usize>) -> Result<Position, NotationError> {
    let mut grid = Grid::default();
    let mut at = span.start;
    for row in input[span.clone()].split('/') {
        read_row(row, at, &mut grid)?;
        grid.end_row(at..at + row.len())?;
        at += row.len() + 1;
    }
    grid.finish(span)
}

fn read_row(row: &str, start: usize, grid: &mut Grid) -> Result<(), NotationError> {
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        let at = start + row.len() - rest.len();
        let number = &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()];
        if !number.is_empty() {
            grid.skip(read_run(number, at, grid.row_number())?);
            rest = &rest[number.len()..];
            continue;
        }
        grid.push(Some(match first {
            'b' | 'B' => Player::Black,
            'w' | 'W' => Player::White,
            _ => {
                let what = if first.is_alphabetic() { "letter" } else { "character" };
                let name = quoted(first.encode_utf8(&mut [0; 4]));
                let message = format!("unknown {what} {name} in row {}", grid.row_number());
                let place = at..at + first.len_utf8();
                return Err(NotationError::new(message, "'b', 'w', a number or '/'", place));
            }
        }));
        rest = &rest[first.len_utf8()..];
    }
    Ok(())
}

fn read_run(number: &str, at: usize, row: usize) -> Result<usize, NotationError> {
    // A number too large for a `usize` is too large for a board.
    let expected = match number.parse() {
        _ if number.starts_with('0') => "a number that starts with 1 to 9".to_owned(),
        Ok(run) if run <= MAX_COLS => return Ok(run),
        _ => format!("at most {MAX_COLS} columns"),
    };
    let message = format!("run {} of empty cells in row {row}", quoted(number));
    Err(NotationError::new(message, expected, at..at + number.len()))
}

/// Position text in canonical form: runs of empty cells merged, lower-case letters.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board();
        for row in 0..board.rows() {
            if row > 0 {
                f.write_str("/")?;
            }
            let mut run = 0;
            for cell in (0..board.cols()).filter_map(|col| board.cell(row, col)) {
                match self.position.get(cell) {
                    None => run += 1,
                    Some(player) => {
                        write_run(f, run)?;
                        write!(f, "{}", player.letter())?;
                        run = 0;
                    }
                }
            }
            write_run(f, run)?;
        }
        write!(f, " {}", self.to_move.letter())
    }
}

fn write_run(f: &mut fmt::Formatter<'_>, run: usize) -> fmt::Result {
    if run > 0 { write!(f, "{run}") } else { Ok(()) }
}
