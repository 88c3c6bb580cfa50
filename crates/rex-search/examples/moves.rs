//! What every move of a 4x4 position is worth, with an answer to each losing one.
//!
//! ```console
//! $ cargo run --release -p rex-search --example moves
//! ```

use std::error::Error;

use rex_game::State;
use rex_search::{MoveValue, Settings, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    // Black opened in a corner and White answered there: only two moves still win.
    let state: State = "4x4 d1 a1".parse()?;
    let board = state.board();
    print!("{}", state.diagram());

    let solver = Solver::new(board, Settings { memory: 1 << 20, ..Settings::default() })?;
    let (solution, reports) = solver.ask(&state).counting_replies(true).moves();

    for report in reports {
        let name = board.name(report.cell);
        match (report.value, report.refutation) {
            (MoveValue::Win, _) => println!("{name}  wins"),
            (MoveValue::Loss, Some(answer)) => {
                let count = report.replies.unwrap_or_default();
                println!("{name}  loses to {} (winning answers: {count})", board.name(answer));
            }
            (MoveValue::Loss, None) => println!("{name}  joins its own sides"),
            (MoveValue::Unknown, _) => println!("{name}  is not decided"),
        }
    }
    println!("best: {}", solution.best.map_or_else(|| "none".to_owned(), |cell| board.name(cell)));
    Ok(())
}
