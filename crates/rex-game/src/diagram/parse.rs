use std::ops::Range;

use crate::notation::{Grid, quoted};
use crate::{NotationError, Player, Position, State};

impl Position {
    /// Reads a drawing: the printed form, or just rows of `.` or `-`, `b` and `w` (capitals and spaces
    /// are optional). A line that says who is to move is ignored.
    ///
    /// # Errors
    /// If it is not a drawing of a board; the message gives line and column.
    ///
    /// ```
    /// let drawn = "
    ///     . b . w
    ///      . . . w
    ///       w . . b";
    /// let position = rex_game::Position::from_diagram(drawn)?;
    /// assert_eq!(position, "1b1w/3w/w2b w".parse::<rex_game::State>()?.position);
    /// # Ok::<(), rex_game::NotationError>(())
    /// ```
    pub fn from_diagram(text: &str) -> Result<Position, NotationError> {
        Ok(parse(text)?.0)
    }
}

impl State {
    /// Like [`Position::from_diagram`], with a last line `black to move` or `white to move`.
    ///
    /// # Errors
    /// If it is not a drawing of a board or the last line is missing; the message gives line and column.
    pub fn from_diagram(text: &str) -> Result<State, NotationError> {
        const EXPECTED: &str = "a last line 'black to move' or 'white to move'";
        let (position, to_move) = parse(text)?;
        let end = text.trim_end().len();
        let missing = || NotationError::new("missing side to move", EXPECTED, end..end).located(text);
        Ok(State { position, to_move: to_move.ok_or_else(missing)? })
    }
}

/// How far down the drawing the reader is.
#[derive(PartialEq)]
enum Part {
    Rows,
    /// The letters or the word `black` below the last row.
    Below,
    End,
}

fn parse(text: &str) -> Result<(Position, Option<Player>), NotationError> {
    read(text).map_err(|error| error.located(text))
}

fn read(text: &str) -> Result<(Position, Option<Player>), NotationError> {
    let mut grid = Grid::default();
    let mut part = Part::Rows;
    let mut to_move = None;
    let mut headers = Vec::new();
    let mut extent = 0..0;
    for line in lines(text) {
        let content = &text[line.clone()];
        if part == Part::End {
            return Err(NotationError::new("a line after the side to move", "the end of the diagram", line));
        } else if let Some(player) = side_to_move(content) {
            to_move = Some(player);
            part = Part::End;
        } else if content == "black" || content.starts_with(['a', 'A']) {
            if content != "black" {
                read_letters(text, line.clone())?;
                headers.push(line);
            }
            if grid.rows > 0 {
                part = Part::Below;
            }
        } else if part == Part::Below {
            let message = "a row below the bottom of the board";
            return Err(NotationError::new(message, "the side to move or the end", line));
        } else {
            read_row(text, line.clone(), &mut grid)?;
            extent = if grid.rows == 1 { line } else { extent.start..line.end };
        }
    }
    if grid.rows == 0 {
        return Err(NotationError::new("no rows", "rows of '.', 'b' and 'w'", 0..text.len()));
    }
    let count = |header: &Range<usize>| text[header.clone()].split_whitespace().map(str::len).sum::<usize>();
    if let Some(header) = headers.into_iter().find(|header| count(header) != grid.cols) {
        let message = format!("letters for {} columns", count(&header));
        return Err(NotationError::new(message, format!("{} as in the rows", grid.cols), header));
    }
    Ok((grid.finish(extent)?, to_move))
}

/// Reads `white 2 . B w - 2 white`. Everything but the cells is optional.
fn read_row(text: &str, line: Range<usize>, grid: &mut Grid) -> Result<(), NotationError> {
    const WHITE: &str = "white";
    let mut cells = line.clone();
    if text[cells.clone()].starts_with(WHITE) {
        cells.start += WHITE.len();
    }
    if text[cells.clone()].ends_with(WHITE) {
        cells.end -= WHITE.len();
    }
    let mut at = cells.start;
    let mut numbered_end = false;
    while let Some(symbol) = text[at..cells.end].chars().next() {
        let digits = text[at..cells.end].bytes().take_while(u8::is_ascii_digit).count();
        let span = at..at + digits.max(symbol.len_utf8());
        at = span.end;
        if digits > 0 && !numbered_end {
            let number = &text[span.clone()];
            if number != grid.row_number().to_string() {
                let message = format!("row number {}", quoted(number));
                return Err(NotationError::new(message, grid.row_number().to_string(), span));
            }
            numbered_end = !grid.row_is_empty();
            continue;
        }
        match symbol {
            _ if symbol.is_whitespace() => {}
            _ if numbered_end => {
                let message = format!("{} after the row number", quoted(&text[span.clone()]));
                return Err(NotationError::new(message, "the end of the line", span));
            }
            '.' | '-' | '·' => grid.push(None),
            'b' | 'B' | '●' => grid.push(Some(Player::Black)),
            'w' | 'W' | '○' => grid.push(Some(Player::White)),
            _ => {
                let message = format!("unknown symbol {}", quoted(&text[span.clone()]));
                return Err(NotationError::new(message, "'.', 'b' or 'w'", span));
            }
        }
    }
    grid.end_row(line)
}

/// Checks that a line is `a b c …`.
fn read_letters(text: &str, line: Range<usize>) -> Result<(), NotationError> {
    let mut expected = 'a'..='z';
    let letters = text[line.clone()].char_indices().filter(|(_, c)| !c.is_whitespace());
    for (offset, letter) in letters {
        let next = expected.next();
        if Some(letter.to_ascii_lowercase()) != next {
            let at = line.start + offset;
            let message = format!("{} in the line of letters", quoted(letter.encode_utf8(&mut [0; 4])));
            let expected = next.map_or("at most 26 columns".to_owned(), |next| format!("'{next}'"));
            return Err(NotationError::new(message, expected, at..at + letter.len_utf8()));
        }
    }
    Ok(())
}

fn side_to_move(line: &str) -> Option<Player> {
    let [player, "to", "move"] = line.split_whitespace().collect::<Vec<_>>()[..] else { return None };
    Player::BOTH.into_iter().find(|side| side.to_string().eq_ignore_ascii_case(player))
}

/// The place of each line, trimmed. Blank lines are skipped.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split('\n').filter_map(move |line| {
        let start = at + line.len() - line.trim_start().len();
        at += line.len() + 1;
        let content = line.trim();
        (!content.is_empty()).then(|| start..start + content.len())
    })
}
