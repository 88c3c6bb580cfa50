//! Prints positions of a small board in which nobody has lost yet, with either side to move, and the winner of each:
//! `values 4x4 1000` prints every thousandth.

use rex_game::{Board, Player, State};
use rex_oracle::Oracle;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let board: Board = words.next().ok_or("expected a board such as 3x3")?.parse()?;
    let every = words.next().map_or(Ok(1), |word| word.parse())?;
    let oracle = Oracle::new(board);
    for position in oracle.sample(every, every / 2) {
        for to_move in Player::BOTH {
            let state = State { position, to_move };
            println!("{state}\t{}", oracle.winner(&state));
        }
    }
    Ok(())
}
