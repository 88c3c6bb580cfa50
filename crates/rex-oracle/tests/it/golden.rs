//! The known facts about small boards.

use rex_game::{Board, Player, Position, State};
use rex_oracle::Oracle;

fn oracle(rows: usize, cols: usize) -> Oracle {
    Oracle::new(Board::new(rows, cols).unwrap())
}

fn empty(board: Board, to_move: Player) -> State {
    State { position: Position::new(board), to_move }
}

/// The state after these moves, Black first.
fn after(board: Board, moves: &str) -> State {
    let cell = |name: &str| board.cell_named(name).unwrap();
    moves.split_whitespace().fold(State::new(board), |state, name| state.play(cell(name)))
}

/// The winning moves in the order of the board, row by row.
fn winning(oracle: &Oracle, moves: &str) -> String {
    names(oracle, &after(oracle.board(), moves))
}

fn names(oracle: &Oracle, state: &State) -> String {
    let moves = oracle.winning_moves(state);
    moves.into_iter().map(|c| oracle.board().name(c)).collect::<Vec<_>>().join(" ")
}

#[test]
fn on_square_boards_the_first_player_wins_iff_the_side_is_even() {
    for n in 1..=4 {
        let oracle = oracle(n, n);
        for first in Player::BOTH {
            let winner = oracle.winner(&empty(oracle.board(), first));
            assert_eq!(winner == first, n % 2 == 0, "{n}x{n}, {first} first");
        }
    }
}

#[test]
fn elsewhere_the_player_whose_sides_are_further_apart_wins_whoever_starts() {
    for rows in 1..=8 {
        for cols in (1..=8).filter(|&cols| cols != rows && rows * cols <= 15) {
            let oracle = oracle(rows, cols);
            let further = if rows > cols { Player::Black } else { Player::White };
            for first in Player::BOTH {
                let winner = oracle.winner(&empty(oracle.board(), first));
                assert_eq!(winner, further, "{rows}x{cols}, {first} first");
            }
        }
    }
}

#[test]
fn on_even_boards_every_opening_of_that_player_wins() {
    for rows in 1..=8 {
        for cols in (1..=8).filter(|&cols| cols != rows && rows * cols <= 14 && rows * cols % 2 == 0) {
            let oracle = oracle(rows, cols);
            let further = if rows > cols { Player::Black } else { Player::White };
            let winning = oracle.winning_moves(&empty(oracle.board(), further));
            assert_eq!(winning, oracle.board().cells(), "{rows}x{cols}");
        }
    }
}

#[test]
fn two_from_square_some_openings_of_that_player_lose() {
    let three_five = oracle(3, 5);
    let white = names(&three_five, &empty(three_five.board(), Player::White));
    assert_eq!(white, "a1 b1 c1 d1 e1 a2 c2 e2 a3 b3 c3 d3 e3"); // all but b2 and d2
    let five_three = oracle(5, 3);
    let black = names(&five_three, &empty(five_three.board(), Player::Black));
    assert_eq!(black, "a1 b1 c1 a2 c2 a3 b3 c3 a4 c4 a5 b5 c5"); // all but b2 and b4
}

#[test]
fn winning_openings_of_small_square_boards() {
    assert_eq!(winning(&oracle(2, 2), ""), "a1 b2");
    assert_eq!(winning(&oracle(3, 3), ""), "");
}

#[test]
fn four_by_four() {
    let oracle = oracle(4, 4);
    assert_eq!(winning(&oracle, ""), "a1 b1 c1 d1 a2 b2 d2 a3 c3 d3 a4 b4 c4 d4"); // all but c2 and b3
    assert_eq!(winning(&oracle, "d1 a1"), "c1 a2");
    assert_eq!(winning(&oracle, "d1 c1"), "a1 b2 d4");
    assert_eq!(winning(&oracle, "c2"), "a1 b1 a2 b2 d2 a3 d3 b4 d4");
}
