//! How many games of each length there are; a game that has ended contributes no longer one.

use rex_game::{Board, State};

fn perft(state: &State, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    state.moves().into_iter().map(|cell| perft(&state.play(cell), depth - 1)).sum()
}

fn check(rows: usize, cols: usize, counts: &[u64]) {
    let start = State::new(Board::new(rows, cols).unwrap());
    for (i, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&start, i + 1), count, "{rows}x{cols} at depth {}", i + 1);
    }
}

macro_rules! perft {
    ($($name:ident: $rows:literal x $cols:literal => $($count:literal)*;)*) => {
        $(#[test] fn $name() { check($rows, $cols, &[$($count),*]); })*
    };
}

perft! {
    // Whoever moves on one cell joins at once.
    board_1x1: 1 x 1 => 1 0;
    // Black joins with any stone on a single row, White only with all of a row.
    board_1x3: 1 x 3 => 3 0;
    board_2x2: 2 x 2 => 4 12 24 12 0;
    board_3x3: 3 x 3 => 9 72 504 3024 15120 54720 146880 207360 120960 0;
    board_4x4: 4 x 4 => 16 240 3360 43680 524160 5765760;
}
