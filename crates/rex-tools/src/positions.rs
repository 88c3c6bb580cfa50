//! `positions`: positions that players meet. The two strongest levels of the program play games, and one position of each is
//! written.

use anyhow::Result;
use rex_answers::opponent::Level;
use rex_game::{Board, Random, State};

use crate::ladder::{Contestant, Hall};

/// Write positions from games between the two strongest levels
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The board to play on
    #[arg(value_name = "SIZE", default_value = "7x7")]
    board: Board,
    /// How many positions, each from another game
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: usize,
    /// The fewest stones
    #[arg(long, value_name = "N", default_value_t = 4)]
    least: usize,
    /// The most stones
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
    /// The same number gives the same positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The most nodes for a move
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
}

const PLAYERS: [Level; 2] = [Level::Expert, Level::Perfect];

/// Plays and prints.
pub fn run(args: &Args) -> Result<()> {
    let hall = Hall::new(args.board, args.nodes)?;
    let mut random = Random(args.seed);
    let mut found: Vec<State> = Vec::new();
    while found.len() < args.count {
        let players = [(); 2].map(|()| Contestant::Level(PLAYERS[random.below(PLAYERS.len())]));
        let stones = args.least + random.below(args.most.saturating_sub(args.least) + 1);
        let mut state = State::new(args.board);
        while state.position.winner().is_none() && state.moves().len() + stones > args.board.len() {
            state = hall.next(&state, players, &mut random)?;
        }
        // A game may be over sooner, and short games may be alike.
        if state.position.winner().is_none() && !found.contains(&state) {
            println!("{state}");
            found.push(state);
        }
    }
    Ok(())
}
