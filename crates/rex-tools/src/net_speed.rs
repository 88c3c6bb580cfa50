//! How long the net takes per position, and per move when all moves of a position are rated together.

use std::hint::black_box;
use std::time::Instant;

use rex_game::{Cell, State};
use rex_search::{Bounds, Net};
use rex_theory::Field;

const ROUNDS: u32 = 20_000;

/// Measures the nets of three boards.
pub fn run() {
    for text in ["5x5 a1 c3", "6x6 e3 b2 d4 a5 c1 f2", "7x7 e3 b2 d4 a5 c1 f2 g7 a7"] {
        let state: State = text.parse().expect("a position");
        let net = Net::for_board(state.board()).expect("there is a net for this board");
        let field = Field::new(&state);
        let moves: Vec<Cell> = state.moves().into_iter().collect();
        let mut guesses = vec![Bounds { last: 1, notlast: 1 }; moves.len()];
        let a_move = micros(|| {
            net.guess_moves(black_box(&field), &moves, &mut guesses);
            black_box(&guesses);
        }) / moves.len() as f64;
        let position = micros(|| {
            black_box(net.guess(black_box(&field)));
        });
        println!("{text}: {position:.2} µs per position, {a_move:.2} µs per move");
    }
}

/// Microseconds per call.
fn micros(mut call: impl FnMut()) -> f64 {
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        call();
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS)
}
