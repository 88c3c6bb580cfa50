//! Positions and games as somebody writes or pastes them.

use rex_game::sgf::Collection;
use rex_game::{GameRecord, NotationError, State};

use crate::BadInput;

/// A text that was read: each position with its history, and the SGF it came from, if any.
pub struct Given {
    /// One per game.
    pub records: Vec<GameRecord>,
    /// The games with their variations.
    pub games: Option<Collection>,
}

/// Reads one position that is written out: not a file or a stream.
///
/// # Errors
/// If it is not a position.
pub fn read_text(text: &str) -> Result<State, BadInput> {
    let record: GameRecord = text.parse().map_err(|error| bad(&error, text))?;
    Ok(record.state())
}

/// The error for a text that is not a position.
pub fn bad(error: &NotationError, text: &str) -> BadInput {
    BadInput::new(format_args!("bad position: {}", error.render(text)))
}

/// Reads a position, or all games of an SGF, in one line or word.
///
/// # Errors
/// If it is neither.
pub fn given_text(text: &str) -> Result<Given, NotationError> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('(') {
        return Ok(Given { records: vec![text.parse()?], games: None });
    }
    let games = Collection::parse(text)?;
    let records = games.games().map(|game| game.record()).collect::<Result<_, _>>()?;
    Ok(Given { records, games: Some(games) })
}

/// Reads what a file may contain: all of that, or a drawn board.
///
/// # Errors
/// If it is none of these.
pub fn given_content(text: &str) -> Result<Given, NotationError> {
    // Moves and SGF may take several lines. Several lines of anything else are a drawing.
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_size = first.starts_with(|c: char| c.is_ascii_digit()) && first.contains(['x', 'X']);
    let is_drawing = text.trim().contains('\n') && !is_size && !first.contains(['/', '(']);
    if is_drawing {
        State::from_diagram(text).map(|state| Given { records: vec![GameRecord::new(state)], games: None })
    } else {
        given_text(text)
    }
}
