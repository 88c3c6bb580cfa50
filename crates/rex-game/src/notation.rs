//! Positions as text: REN (`1b1w/3w/w2b/2b1 b`), move lists (`6x6 e3 d4`), and which notation a text is in.

use std::ops::Range;
use std::str::FromStr;

use crate::{GameRecord, State, link};

mod error;
mod grid;
mod moves;
mod ren;

pub use error::NotationError;
pub(crate) use error::quoted;
pub(crate) use grid::{Grid, too_many_cells};
pub use moves::{looks_like_moves, move_list};
pub(crate) use moves::{move_words, read_cell, read_dimension, read_move};

/// The form in which a position is written.
pub(crate) enum Source {
    Rows,
    /// A size, at this place, then moves.
    Moves(Range<usize>),
    Link,
    Sgf,
}

/// The form, judged by the first word.
pub(crate) fn source(input: &str) -> Result<Source, NotationError> {
    const FORMS: &str = "rows such as '1b1w/3w/w2b/2b1 b', a size and moves such as '6x6 e3 d4', a HexWorld or trmph link, or SGF";
    // A file may start with a byte order mark.
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == '\u{feff}';
    let mut all = words(input, is_separator);
    let Some(first) = all.next() else {
        return Err(NotationError::new("no position", FORMS, 0..input.len()));
    };
    let word = &input[first.clone()];
    if moves::looks_like_size(word, all.next().map(|next| &input[next])) {
        Ok(Source::Moves(first))
    } else if link::looks_like_link(word) {
        Ok(Source::Link)
    } else if word.starts_with(|c: char| c.is_ascii_digit() || "bBwW/".contains(c)) {
        Ok(Source::Rows)
    } else if word.starts_with('(') {
        Ok(Source::Sgf)
    } else {
        Err(NotationError::new(format!("{} is not a position", quoted(word)), FORMS, first))
    }
}

/// Reads a position in any form: rows and side to move, a size, a size with moves (Black first), a link to
/// HexWorld or trmph.com, or SGF with one game (its main line).
///
/// ```
/// use rex_game::{Player, State};
///
/// let state: State = "1b1w/3w/w2b/2b1 b".parse()?;
/// assert_eq!(state.to_move, Player::Black);
/// assert_eq!(state.to_string(), "1b1w/3w/w2b/2b1 b");
/// let played: State = "3x4 b2, c1".parse()?;
/// assert_eq!(played.to_string(), "2w1/1b2/4 b");
/// assert_eq!("https://hexworld.org/board/#4x3,b2c1".parse(), Ok(played));
/// assert_eq!("(;GM[11]SZ[4:3];B[b2];W[c1])".parse(), Ok(played));
/// # Ok::<(), rex_game::NotationError>(())
/// ```
impl FromStr for State {
    type Err = NotationError;

    fn from_str(input: &str) -> Result<State, NotationError> {
        match source(input)? {
            Source::Rows => ren::parse(input),
            _ => input.parse::<GameRecord>().map(|record| record.state()),
        }
    }
}

/// Checks that there are no more words.
fn end(
    input: &str,
    mut words: impl Iterator<Item = Range<usize>>,
    after: &str,
    expected: &str,
) -> Result<(), NotationError> {
    let Some(rest) = words.next() else { return Ok(()) };
    let message = format!("unexpected {} after {after}", quoted(&input[rest.clone()]));
    Err(NotationError::new(message, expected, rest.start..input.trim_end().len()))
}

/// Where the words of the input are.
fn words(input: &str, is_separator: impl Fn(char) -> bool + Copy) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + input[at..].find(|c| !is_separator(c))?;
        at = input[start..].find(is_separator).map_or(input.len(), |len| start + len);
        Some(start..at)
    })
}
