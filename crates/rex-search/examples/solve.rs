//! Solves a position and prints who wins, by which move, and how the game goes on.
//!
//! ```console
//! $ cargo run --release -p rex-search --example solve -- 5x5 a1 d2
//! ```
//!
//! The position is given as for the program: REN (`1b1w/3w/w2b/2b1 b`), or a size and moves, Black first.

use std::error::Error;

use rex_game::State;
use rex_search::{Settings, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = if words.is_empty() { "5x5 a1 d2".to_owned() } else { words.join(" ") };
    let state: State = text.parse()?;
    let board = state.board();

    let solver = Solver::new(board, Settings::default())?;
    // No limit, and nobody who watches: the search ends with an answer.
    let solution = solver.ask(&state).solve();

    print!("{}", state.diagram());
    let winner = solution.winner.expect("nothing stops a search without limits");
    println!("{winner} wins; {} nodes in {:.2} s", solution.nodes, solution.time.as_secs_f64());
    if let Some(best) = solution.best {
        let what = if winner == state.to_move { "wins" } else { "resists longest" };
        println!("{} {what} with {}", state.to_move, board.name(best));
    }
    let line: Vec<String> = solution.pv.iter().map(|&cell| board.name(cell)).collect();
    println!("line: {}", line.join(" "));
    Ok(())
}
