use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// One of the two players. Black owns top and bottom, White owns left and right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Owns the top and the bottom side.
    Black,
    /// Owns the left and the right side.
    White,
}

impl Player {
    /// Both players, Black first.
    pub const BOTH: [Player; 2] = [Player::Black, Player::White];

    /// `0` for Black and `1` for White, to index tables.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of this player in position text, `b` or `w`.
    pub const fn letter(self) -> char {
        match self {
            Player::Black => 'b',
            Player::White => 'w',
        }
    }
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::Black => Player::White,
            Player::White => Player::Black,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::Black => "black",
            Player::White => "white",
        })
    }
}

/// The text does not name a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a player; expected 'black' or 'white'")]
pub struct ParsePlayerError(String);

impl FromStr for Player {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Player, ParsePlayerError> {
        match text {
            "b" | "black" => Ok(Player::Black),
            "w" | "white" => Ok(Player::White),
            _ => Err(ParsePlayerError(text.to_owned())),
        }
    }
}
