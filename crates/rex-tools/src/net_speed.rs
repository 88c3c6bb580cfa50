//! How long the nets take per position, and per move when all moves of a position are rated together.

use std::hint::black_box;
use std::time::Instant;

use rex_game::{Cell, State};
use rex_search::{Bounds, General, Net};
use rex_theory::Field;

const ROUNDS: u32 = 20_000;

/// Measures the nets of two boards, and the general net on three others.
pub fn run() {
    for text in [
        "5x5 a1 c3",
        "6x6 e3 b2 d4 a5 c1 f2",
        "6x7 e3 b2 d4 a5",
        "7x7 e3 b2 d4 a5 c1 f2 g7 a7",
        "8x8 e3 b2 d4 a5",
    ] {
        let state: State = text.parse().expect("a position");
        let field = Field::new(&state);
        let moves: Vec<Cell> = state.moves().into_iter().collect();
        let mut guesses = vec![Bounds { last: 1, notlast: 1 }; moves.len()];
        let mut all_moves = |guess: &dyn Fn(&Field, &mut [Bounds])| {
            micros(|| {
                guess(black_box(&field), &mut guesses);
                black_box(&guesses);
            })
        };
        if let Some(net) = Net::for_board(state.board()) {
            let all = all_moves(&|field, guesses| net.guess_moves(field, &moves, guesses));
            let position = micros(|| {
                black_box(net.guess(black_box(&field)));
            });
            println!("{text}: {position:.2} µs per position, {:.2} µs per move", all / moves.len() as f64);
        } else {
            let all = all_moves(&|field, guesses| General::built_in().look(field).moves(&moves, guesses));
            println!("{text}: {all:.2} µs for all moves of a position");
        }
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
