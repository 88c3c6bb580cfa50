//! Positions as text: REN (`1b1w/3w/w2b/2b1 b`) and move lists (`6x6 e3 d4`).

use std::ops::Range;
use std::str::FromStr;

use crate::State;

mod error;
mod grid;
mod moves;
mod ren;

pub use error::NotationError;
pub(crate) use error::quoted;
pub(crate) use grid::Grid;
pub use moves::move_list;

/// Reads REN, a size, or a size with moves (Black first).
///
/// ```
/// use rex::{Player, State};
///
/// let state: State = "1b1w/3w/w2b/2b1 b".parse()?;
/// assert_eq!(state.to_move, Player::Black);
/// assert_eq!(state.to_string(), "1b1w/3w/w2b/2b1 b");
/// let played: State = "3x4 b2, c1".parse()?;
/// assert_eq!(played.to_string(), "2w1/1b2/4 b");
/// # Ok::<(), rex::NotationError>(())
/// ```
impl FromStr for State {
    type Err = NotationError;

    fn from_str(input: &str) -> Result<State, NotationError> {
        const FORMS: &str = "rows such as '1b1w/3w/w2b/2b1 b' or a size and moves such as '6x6 e3 d4'";
        let Some(first) = words(input, 0..input.len(), |c| c.is_whitespace() || c == ',').next() else {
            return Err(NotationError::new("no position", FORMS, 0..input.len()));
        };
        let word = &input[first.clone()];
        if moves::looks_like_size(word) {
            moves::parse(input)
        } else if word.starts_with(|c: char| c.is_ascii_digit() || "bBwW/".contains(c)) {
            ren::parse(input)
        } else {
            Err(NotationError::new(format!("{} is no position", quoted(word)), FORMS, first))
        }
    }
}

/// Where in `input` the words of `span` are.
fn words(
    input: &str,
    span: Range<usize>,
    is_separator: impl Fn(char) -> bool + Copy,
) -> impl Iterator<Item = Range<usize>> {
    let mut at = span.start;
    std::iter::from_fn(move || {
        let text = &input[at..span.end];
        let start = at + text.find(|c| !is_separator(c))?;
        at = input[start..span.end].find(is_separator).map_or(span.end, |len| start + len);
        Some(start..at)
    })
}
