//! The picture of a place: its stones, and what the page shows besides.

use rex_game::{Board, Cell, Player, State};
use serde::Deserialize;

use super::Result;
use crate::svg::{self, Drawing, GOLD, Look};
use crate::{BadInput, answer};

/// What the board of the page shows besides stones. Cells have their names.
#[derive(Deserialize, Clone, Default, Debug)]
pub struct Shown {
    /// Pairs of cells, in the order of their letters.
    #[serde(default)]
    pairs: Vec<(String, String)>,
    /// The key of a pairing.
    #[serde(default)]
    key: Option<String>,
    /// Cells that count as a player's stones, with the letter of the player.
    #[serde(default)]
    filled: Vec<(String, String)>,
    /// Moves that are not played yet, from here on.
    #[serde(default)]
    line: Vec<String>,
}

/// Draws a state with what is shown on it.
pub fn picture(state: &State, shown: &Shown) -> Result<String> {
    let board = state.board();
    let pairs = shown.pairs.iter().map(|(one, two)| Ok((cell(board, one)?, cell(board, two)?)));
    let pairs: Vec<(Cell, Cell)> = pairs.collect::<Result<_>>()?;
    let key = shown.key.as_deref().map(|name| cell(board, name)).transpose()?;
    let filled = shown
        .filled
        .iter()
        .map(|(name, player)| Ok((cell(board, name)?, player.parse::<Player>().map_err(BadInput::new)?)));
    let filled: Vec<(Cell, Player)> = filled.collect::<Result<_>>()?;
    let line: Vec<Cell> = shown.line.iter().map(|name| cell(board, name)).collect::<Result<_>>()?;
    let look = |cell: Cell| {
        let pair = pairs.iter().position(|&(one, two)| cell == one || cell == two);
        let mark = pair.map(letter).or((key == Some(cell)).then_some('★'));
        let coming = line.iter().position(|&played| played == cell);
        Look {
            fill: if mark.is_some() { GOLD } else { Look::default().fill },
            filled: filled.iter().find(|(filled, _)| *filled == cell).map(|(_, player)| *player),
            ring: key == Some(cell),
            mark,
            coming: coming.map(|i| (if i % 2 == 0 { state.to_move } else { !state.to_move }, i + 1)),
        }
    };
    let title = match state.position.winner() {
        Some(winner) => format!("{} has won", answer::name(winner)),
        None => format!("{} to move", answer::name(state.to_move)),
    };
    let drawing = Drawing { position: &state.position, look: &look, arrows: &[], links: &pairs };
    Ok(svg::page(&drawing, &title, &[]))
}

fn cell(board: Board, name: &str) -> Result<Cell> {
    board
        .cell_named(name)
        .ok_or_else(|| BadInput::new(format_args!("'{name}' is not a cell of the {board} board")))
}

/// The letter of a pair, as on the page: capitals, then small letters.
fn letter(number: usize) -> char {
    let letters = ('A'..='Z').chain('a'..='z');
    letters.clone().nth(number).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_pairs_and_the_line_that_the_board_shows() {
        let state: State = "4x4 d1".parse().unwrap();
        let plain = picture(&state, &Shown::default()).unwrap();
        assert!(plain.contains("White to move") && !plain.contains("class=\"link\""));
        let shown = serde_json::json!({
            "pairs": [["a1", "b1"], ["c3", "d3"]], "key": "a4", "filled": [["b2", "w"]], "line": ["c1", "c2"]
        });
        let drawn = picture(&state, &serde_json::from_value(shown).unwrap()).unwrap();
        assert_eq!(drawn.matches("class=\"link\"").count(), 2);
        for mark in [">A<", ">B<", ">★<", ">1<", ">2<"] {
            assert!(drawn.contains(mark), "{mark}: {drawn}");
        }
        assert_eq!(drawn.matches(">A<").count(), 2);
        for bad in [r#"{"pairs":[["a1","e1"]]}"#, r#"{"key":"x"}"#, r#"{"filled":[["a1","red"]]}"#] {
            assert!(picture(&state, &serde_json::from_str(bad).unwrap()).is_err(), "{bad}");
        }
    }
}
