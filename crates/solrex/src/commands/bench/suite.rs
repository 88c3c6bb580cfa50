use anyhow::{Result, bail};
use rex_game::{Cell, State};

use super::random::{BOARDS, SEVEN, states};
use crate::arguments::position;
use crate::classes::classes;

/// Positions to measure.
pub struct Suite {
    /// Its name, or the text of the position.
    pub name: String,
    /// The positions, each with a label.
    pub positions: Vec<(String, State)>,
    /// Whether each position starts from an empty table.
    pub fresh: bool,
    /// Whether to ask for the move, or only the winner.
    pub with_move: bool,
    /// The memory, if the suite fixes it.
    pub memory: Option<u64>,
}

/// Small enough to run in seconds, with many shapes, either side to move, and any number of stones.
const QUICK: &[&str] = &[
    "3x3",
    "4x4 d1",
    "1b1w/3w/w2b/2b1 b",
    "2x9",
    "4x5",
    "4x6",
    "4x7",
    "3x8 a1 h3",
    "5x5 a1 d2",
    "6x5 c3",
    "1b4/w5/6/6/b5 w",
    "3b2/6/6/6/2wb2 w",
    "5/ww3/bb3/5/5/5 w",
    "5w/2b3/6/3w2/1b4/6 b",
    "5w/b1w3/1b4/6/6/6 b",
    "bw2w1/4bb/b3w1/w5/6/6 w",
    "6/1ww1b1/w5/2b3/6/1b4/w1b3 b",
    "2w1bw/w5/b5/6/3w2/1b3b/6 w",
    "w6/1bb3b/1w5/1ww1b1w/2b4/b2w1w1/3b3 w",
    "bww2w1/b1b3w/7/4wb1/3b2w/1b1w3/4b2 w",
    "8/8/2b2w2/3bw3/3wb3/2w2b2/1b4w1/w6b b",
];

/// Positions of games between the two strongest levels of the program, 4 to 20 stones: `rex-tools positions`.
const GAMES: &str = include_str!("games.txt");

impl Suite {
    /// Who wins these positions, each from an empty table.
    fn new(name: &str, positions: Vec<(String, State)>) -> Suite {
        Suite { name: name.to_owned(), positions, fresh: true, with_move: false, memory: None }
    }

    /// The suite of this name, or one of a given position.
    pub fn named(name: &str) -> Result<Suite> {
        Ok(match name {
            "quick" => {
                let positions = QUICK.iter().map(|text| Ok((text.to_string(), text.parse()?)));
                let suite = Suite::new(name, positions.collect::<Result<_>>()?);
                Suite { with_move: true, memory: Some(64 << 20), ..suite }
            }
            "5x5" => {
                let start: State = "5x5 a1".parse()?;
                Suite::after(name, &start, start.moves().into_iter().collect())
            }
            "6x6" | "paper" => {
                let start: State = "6x6".parse()?;
                Suite::after(name, &start, classes(&start).iter().map(|class| class.representative).collect())
            }
            "7x7" | "boards" => {
                let states = states(if name == "7x7" { SEVEN } else { BOARDS })?;
                let suite =
                    Suite::new(name, states.into_iter().map(|state| (state.to_string(), state)).collect());
                Suite { memory: Some(1 << 30), ..suite }
            }
            "games" => {
                let positions = GAMES.lines().map(|text| Ok((text.to_owned(), text.parse()?)));
                let suite = Suite::new(name, positions.collect::<Result<_>>()?);
                Suite { with_move: true, memory: Some(1 << 30), ..suite }
            }
            _ => Suite::new(name, vec![(name.to_owned(), position::read(name)?)]),
        })
    }

    /// Keeps only the positions with these names; with no names, all.
    pub fn keep(&mut self, names: &[String]) -> Result<()> {
        for name in names {
            if !self.positions.iter().any(|(label, _)| label == name) {
                bail!("'{name}' is not in the suite '{}'", self.name);
            }
        }
        self.positions.retain(|(label, _)| names.is_empty() || names.contains(label));
        Ok(())
    }

    /// The positions after each of these moves, with one table.
    fn after(name: &str, start: &State, moves: Vec<Cell>) -> Suite {
        let positions = moves.into_iter().map(|cell| (start.board().name(cell), start.play(cell)));
        Suite { fresh: false, ..Suite::new(name, positions.collect()) }
    }
}

#[cfg(test)]
mod tests {
    use super::Suite;

    #[test]
    fn suites_have_the_positions_they_should() {
        for (name, wanted) in [
            ("quick", super::QUICK.len()),
            ("5x5", 24),
            ("6x6", 18),
            ("paper", 18),
            ("7x7", 27),
            ("boards", 27),
            ("games", 200),
            ("6x6 e3", 1),
        ] {
            assert_eq!(Suite::named(name).unwrap().positions.len(), wanted, "{name}");
        }
        assert!(Suite::named("quickest").is_err());
    }

    #[test]
    fn games_have_four_to_twenty_stones_and_are_not_over() {
        let suite = Suite::named("games").unwrap();
        for (label, state) in &suite.positions {
            assert!((4..=20).contains(&(state.board().len() - state.moves().len())), "{label}");
            assert_eq!(state.position.winner(), None, "{label}");
        }
    }

    #[test]
    fn some_positions_of_a_suite_can_be_kept() {
        let mut suite = Suite::named("6x6").unwrap();
        suite.keep(&["d2".to_owned(), "a1".to_owned()]).unwrap();
        let labels: Vec<&str> = suite.positions.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(labels, ["a1", "d2"]);
        assert!(suite.keep(&["f6".to_owned()]).is_err());
    }
}
