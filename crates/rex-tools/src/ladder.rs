//! `ladder`: plays the levels of the program against each other and against two simple players, and prints how often
//! each of them wins.

use std::fmt;

use anyhow::{Context, Result};
use rex_answers::opponent::{self, Level};
use rex_game::{Board, Cell, Player, Random, State};
use rex_search::{Limits, Settings, Solver};

/// Measure how often each level wins
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Boards to play on
    #[arg(value_name = "SIZE", default_values = ["4x4", "5x5", "6x6"])]
    boards: Vec<Board>,
    /// Games of each pair, half of them with each colour
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    games: u64,
    /// The same number gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most nodes for a move: the level perfect has a limit of its own, but that is one of time
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
}

/// As in a browser.
const MEMORY: u64 = 1 << 27;

/// Somebody who can make a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// Plays on any empty cell.
    Random,
    /// Never connects if she can avoid it, and knows nothing else.
    Naive,
    Level(Level),
}

impl Contestant {
    fn all() -> Vec<Contestant> {
        let levels = Level::ALL.into_iter().map(Contestant::Level);
        [Contestant::Random, Contestant::Naive].into_iter().chain(levels).collect()
    }

    fn choose(self, hall: &Hall, state: &State, random: &mut Random) -> Option<Cell> {
        let moves = match self {
            Contestant::Random => state.moves(),
            Contestant::Naive => opponent::safe(state),
            Contestant::Level(level) => {
                let seed = random.below(usize::MAX) as u64;
                let choice =
                    opponent::choose_as(level, seed, &hall.solver, state, &hall.limits, &mut |_| {})?;
                return Some(choice.cell);
            }
        };
        moves.into_iter().nth(random.below(moves.len().max(1)))
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Contestant::Random => "random",
            Contestant::Naive => "naive",
            Contestant::Level(level) => level.name(),
        })
    }
}

/// Where games of one board are played.
pub struct Hall {
    solver: Solver,
    limits: Limits,
}

impl Hall {
    /// A solver for the board, and the most nodes for a move.
    pub fn new(board: Board, nodes: u64) -> Result<Hall> {
        let solver = Solver::new(board, Settings { memory: MEMORY, ..Settings::default() })?;
        let book = rex_book::shipped_for(board);
        let solver = if let Some(book) = book { solver.with_book(book) } else { solver };
        Ok(Hall { solver, limits: Limits { nodes: Some(nodes), ..Limits::default() } })
    }

    /// This many games with each colour.
    fn compete(&self, [one, other]: [Contestant; 2], games: u64, seed: u64) -> Result<Wins> {
        let mut random = Random(seed);
        let mut won = Wins::default();
        for _ in 0..games {
            won.as_black += u64::from(self.play([one, other], &mut random)? == Player::Black);
            won.as_white += u64::from(self.play([other, one], &mut random)? == Player::White);
        }
        Ok(won)
    }

    /// Who wins a game between Black and White.
    fn play(&self, players: [Contestant; 2], random: &mut Random) -> Result<Player> {
        let mut state = State::new(self.solver.board());
        loop {
            if let Some(winner) = state.position.winner() {
                return Ok(winner);
            }
            state = self.next(&state, players, random)?;
        }
    }

    /// The state after the next move of a game between Black and White.
    pub fn next(&self, state: &State, players: [Contestant; 2], random: &mut Random) -> Result<State> {
        let cell = players[state.to_move.index()].choose(self, state, random);
        let cell = cell.filter(|&cell| state.moves().has(cell));
        Ok(state.play(cell.with_context(|| format!("no move in '{state}'"))?))
    }
}

/// Games that the first of two has won.
#[derive(Clone, Copy, Default)]
struct Wins {
    as_black: u64,
    as_white: u64,
}

/// Plays and prints.
pub fn run(args: &Args) -> Result<()> {
    // A board has a solver of its own, so that the games on it are the same whatever other boards there are.
    let tables: Vec<Result<String>> = std::thread::scope(|scope| {
        let boards: Vec<_> =
            args.boards.iter().map(|&board| scope.spawn(move || table(args, board))).collect();
        boards.into_iter().map(|board| board.join().expect("no player panics")).collect()
    });
    for table in tables {
        println!("{}", table?);
    }
    Ok(())
}

/// All pairs on one board, as a table: how often the player of the row wins against that of the column, in percent.
fn table(args: &Args, board: Board) -> Result<String> {
    let hall = Hall::new(board, args.nodes)?;
    let all = Contestant::all();
    let half = args.games / 2;
    let mut wins = vec![vec![None; all.len()]; all.len()];
    for i in 0..all.len() {
        for j in 0..i {
            let won = hall.compete([all[i], all[j]], half, args.seed)?;
            wins[i][j] = Some(won);
            // The same games seen by the other player.
            wins[j][i] = Some(Wins { as_black: half - won.as_white, as_white: half - won.as_black });
        }
    }
    let percent = |won: u64, of: u64| format!("{:.0}", 100.0 * won as f64 / of as f64);
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    let mut text = format!("| {board} | {} |\n|---{}|\n", names.join(" | "), "|--:".repeat(all.len()));
    for (name, row) in names.iter().zip(&wins) {
        let cells = row.iter().map(|won| match won {
            Some(won) => percent(won.as_black + won.as_white, 2 * half),
            None => "–".to_owned(),
        });
        text += &format!("| {name} | {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    let won = hall.compete([Contestant::Naive, Contestant::Level(Level::Novice)], half, args.seed)?;
    let (black, white) = (percent(won.as_black, half), percent(won.as_white, half));
    text += &format!(
        "\nIn {} more games against novice, naive wins {black} % as Black and {white} % as White.\n",
        2 * half
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page and the manual promise. The numbers of a seed are always the same, so this fails only if a level
    /// changes.
    #[test]
    fn each_level_beats_the_one_below_and_a_beginner_beats_the_first() {
        for board in ["4x4", "5x5"] {
            let hall = Hall::new(board.parse().unwrap(), 20_000).unwrap();
            let share = |players: [Contestant; 2]| {
                let won = hall.compete(players, 50, 1).unwrap();
                won.as_black + won.as_white
            };
            for pair in Level::ALL.windows(2) {
                let won = share([Contestant::Level(pair[1]), Contestant::Level(pair[0])]);
                assert!(won >= 57, "{:?} wins {won} of 100 against {:?} on {board}", pair[1], pair[0]);
            }
            let won = share([Contestant::Naive, Contestant::Level(Level::Novice)]);
            assert!((50..80).contains(&won), "naive wins {won} of 100 against novice on {board}");
            for easy in [Contestant::Random, Contestant::Naive] {
                let won = share([Contestant::Level(Level::Perfect), easy]);
                assert!(won >= 98, "perfect wins {won} of 100 against {easy} on {board}");
            }
        }
    }
}
