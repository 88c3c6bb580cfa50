//! The tables against the plainest reading of the rules, and the walks over them.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rex_game::{Board, Cell, CellSet, Player, Position, State};
use rex_oracle::Oracle;

fn oracle(rows: usize, cols: usize) -> Oracle {
    Oracle::new(Board::new(rows, cols).unwrap())
}

/// All positions of a board, with anybody joined or nobody.
fn all_positions(board: Board) -> impl Iterator<Item = Position> {
    let n = board.len() as u32;
    let digit = move |code: u32, cell: usize| code / 3u32.pow(cell as u32) % 3;
    let coloured = move |code: u32, colour: u32| -> CellSet {
        (0..n as usize).filter(|&cell| digit(code, cell) == colour).map(Cell::new).collect()
    };
    (0..3u32.pow(n)).map(move |code| Position::with_stones(board, coloured(code, 1), coloured(code, 2)))
}

/// The winner by playing everything out.
fn play_out(state: &State) -> Player {
    let wins = |cell| play_out(&state.play(cell)) == state.to_move;
    match state.position.winner() {
        Some(winner) => winner,
        None if state.position.empty().into_iter().any(wins) => state.to_move,
        None => !state.to_move,
    }
}

/// Whether `cell` changes who is joined in some filling of the other empty cells.
fn matters(position: &Position, cell: Cell) -> bool {
    match position.empty().without(cell).first() {
        Some(other) => Player::BOTH.into_iter().any(|player| matters(&position.with(other, player), cell)),
        None => {
            let [a, b] = Player::BOTH.map(|player| position.with(cell, player).winner());
            a != b
        }
    }
}

#[test]
fn winners_are_those_of_playing_everything_out() {
    for (rows, cols) in [(1, 3), (2, 2), (2, 3), (3, 2), (1, 7)] {
        let oracle = oracle(rows, cols);
        for position in all_positions(oracle.board()) {
            for to_move in Player::BOTH {
                let state = State { position, to_move };
                let [black, white] = Player::BOTH.map(|player| position.stones(player));
                assert_eq!(oracle.winner(&state), play_out(&state), "{state:?}");
                assert_eq!(oracle.winner_of(black, white, to_move), play_out(&state), "{state:?}");
                assert_eq!(oracle.winner_with_last(&position, state.last()), play_out(&state), "{state:?}");
            }
        }
    }
    let oracle = oracle(3, 3);
    for position in all_positions(oracle.board()).filter(|position| position.empty().len() <= 6) {
        for to_move in Player::BOTH {
            let state = State { position, to_move };
            assert_eq!(oracle.winner(&state), play_out(&state), "{state:?}");
        }
    }
}

#[test]
fn who_is_joined_is_what_the_game_says() {
    for (rows, cols) in [(3, 3), (3, 4), (4, 3), (2, 5), (1, 4), (4, 1)] {
        let oracle = oracle(rows, cols);
        for position in all_positions(oracle.board()) {
            assert_eq!(oracle.joined(&position), position.winner().map(|winner| !winner), "{position:?}");
        }
    }
}

#[test]
fn on_a_full_board_exactly_one_player_is_joined() {
    for (rows, cols) in [(4, 4), (3, 5), (5, 3), (2, 8), (8, 2), (1, 16)] {
        let oracle = oracle(rows, cols);
        let cells = oracle.board().cells();
        for black in (0..1 << cells.len()).map(CellSet::from_bits) {
            let full = Position::with_stones(oracle.board(), black, cells - black);
            let loser = oracle.joined(&full).expect("somebody is joined");
            assert_eq!(full.winner(), Some(!loser), "{full:?}");
        }
    }
}

#[test]
fn dead_cells_are_those_that_never_matter() {
    for (rows, cols, most_empty) in [(1, 5, 5), (2, 3, 6), (3, 2, 6), (3, 3, 9), (4, 3, 4)] {
        let oracle = oracle(rows, cols);
        for position in all_positions(oracle.board()).filter(|p| p.empty().len() <= most_empty) {
            let dead: CellSet = position.empty().into_iter().filter(|&c| !matters(&position, c)).collect();
            assert_eq!(oracle.dead(&position), dead, "{position:?}");
        }
    }
}

#[test]
fn live_counts() {
    for (rows, cols, count) in
        [(3, 3, 11_741), (3, 4, 327_135), (2, 7, 1_368_747), (3, 5, 8_532_053), (4, 4, 29_518_143)]
    {
        let oracle = oracle(rows, cols);
        println!("{rows}x{cols}: {} live positions", oracle.live_count());
        assert_eq!(oracle.live_count(), count, "{rows}x{cols}");
    }
}

#[test]
fn walks_visit_each_live_position_of_their_sample_once() {
    let oracle = oracle(3, 3);
    let live: Vec<Position> = all_positions(oracle.board()).filter(|p| p.winner().is_none()).collect();
    assert!(oracle.live_positions().eq(live.iter().copied()));
    assert!(oracle.sample(7, 3).eq(live.iter().copied().skip(3).step_by(7)));
    for every in [1, 2, 7, 1000, 100_000] {
        let visited = oracle.par_live(every, Vec::new, |seen, position| seen.push(*position)).concat();
        assert_eq!(visited.len(), live.len().div_ceil(every));
        let expected: HashSet<Position> = oracle.sample(every, 0).collect();
        assert_eq!(visited.into_iter().collect::<HashSet<_>>(), expected);
    }
}

#[test]
fn a_panic_ends_the_sweep_with_its_own_message() {
    let oracle = oracle(3, 3);
    let sweep = || oracle.par_live(1, || (), |(), position| assert!(!position.empty().is_empty(), "full"));
    assert!(catch_unwind(AssertUnwindSafe(sweep)).is_ok(), "no live position is full");
    let sweep = || oracle.par_live(1, || (), |(), position| assert!(position.empty().len() > 4, "found one"));
    let panic = catch_unwind(AssertUnwindSafe(sweep)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"found one"));
}
