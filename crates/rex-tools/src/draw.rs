//! Random positions that each part wins about equally often.

use std::str::FromStr;

use anyhow::{Result, bail};
use rex_game::{Board, Player, Random, State};

/// How many more stones Notlast gets than Last. With equal numbers she would win most positions: having to colour the
/// last cell is a disadvantage.
const MORE: [usize; 8] = [0, 1, 1, 2, 2, 2, 3, 3];
const MOST: usize = 3;

/// A range of numbers of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones {
    least: usize,
    most: usize,
}

impl FromStr for Stones {
    type Err = String;

    fn from_str(text: &str) -> Result<Stones, String> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        match (number(least), number(most)) {
            // Fewer would be openings, and those are used to judge nets.
            (Some(least), Some(most)) if 2 <= least && least <= most => Ok(Stones { least, most }),
            _ => Err("expected a range of at least two stones, as 3-10".to_owned()),
        }
    }
}

impl Stones {
    /// Whether this many stones leave room on a board.
    pub fn check(self, board: Board) -> Result<()> {
        if self.most / 2 * 2 + MOST >= board.len() {
            bail!("{} stones are too many for {board}", self.most);
        }
        Ok(())
    }

    /// A random state in which nobody is joined. Black is Last.
    pub fn draw(self, board: Board, random: &mut Random) -> State {
        loop {
            let half = (self.least + random.below(self.most - self.least + 1)) / 2;
            let more = MORE[random.below(MORE.len())];
            let position = random.stones(board, half, half + more);
            let odd = position.empty().len() % 2 == 1;
            let state = State { position, to_move: if odd { Player::Black } else { Player::White } };
            if position.winner().is_none() {
                return state;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_the_stones_they_should() {
        let board = Board::new(6, 6).unwrap();
        let stones: Stones = "3-10".parse().unwrap();
        let mut random = Random(1);
        for _ in 0..1000 {
            let state = stones.draw(board, &mut random);
            let [last, notlast] = Player::BOTH.map(|player| state.position.stones(player).len());
            assert_eq!((state.last(), state.position.winner()), (Player::Black, None));
            assert!((1..=5).contains(&last) && (last..=last + MOST).contains(&notlast), "{state}");
        }
    }

    #[test]
    fn ranges_leave_openings_out_and_room_on_the_board() {
        let range = |text: &str| text.parse::<Stones>();
        assert_eq!(range("3-10"), Ok(Stones { least: 3, most: 10 }));
        assert_eq!(range("4"), Ok(Stones { least: 4, most: 4 }));
        for text in ["", "1-3", "5-4", "a-b", "3-"] {
            assert!(range(text).is_err(), "{text}");
        }
        let board = Board::new(3, 3).unwrap();
        assert!(range("2-5").unwrap().check(board).is_ok());
        assert!(range("2-6").unwrap().check(board).is_err());
    }
}
