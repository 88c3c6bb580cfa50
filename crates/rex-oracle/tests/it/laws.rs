//! What holds between the winners of neighbouring positions (THEORY: "Beyond the paper").

use rex_game::{Board, Player, State, Symmetry};
use rex_oracle::Oracle;

/// A board and how many of its live positions a test takes: every how manieth.
fn boards(sizes: &[(usize, usize, usize)]) -> impl Iterator<Item = (Oracle, usize)> {
    sizes.iter().map(|&(rows, cols, every)| (Oracle::new(Board::new(rows, cols).unwrap()), every))
}

#[test]
fn a_stone_is_bad_for_its_owner_if_last_stays_last() {
    for (oracle, every) in boards(&[(3, 4, 1), (4, 3, 1), (4, 4, 16)]) {
        oracle.par_live(
            every,
            || (),
            |(), position| {
                for last in Player::BOTH {
                    let winner = oracle.winner_with_last(position, last);
                    for cell in position.empty() {
                        let given = oracle.winner_with_last(&position.with(cell, !winner), last);
                        assert_eq!(given, winner, "{position:?}, {last} last, {cell:?} to the loser");
                    }
                }
            },
        );
    }
}

#[test]
fn who_wins_as_last_wins_as_notlast() {
    for (oracle, every) in boards(&[(3, 4, 1), (4, 3, 1), (4, 4, 16)]) {
        oracle.par_live(
            every,
            || (),
            |(), position| {
                for player in Player::BOTH {
                    if oracle.winner_with_last(position, player) == player {
                        assert_eq!(oracle.winner_with_last(position, !player), player, "{position:?}");
                    }
                }
            },
        );
    }
}

#[test]
fn symmetric_images_have_the_same_winner() {
    for (oracle, every) in boards(&[(3, 3, 1), (3, 4, 1), (4, 4, 16)]) {
        oracle.par_live(
            every,
            || (),
            |(), &position| {
                for to_move in Player::BOTH {
                    let state = State { position, to_move };
                    let winner = oracle.winner(&state);
                    for &symmetry in Symmetry::of(oracle.board()) {
                        let expected = if symmetry.swaps_colours() { !winner } else { winner };
                        assert_eq!(oracle.winner(&state.image(symmetry)), expected, "{state:?} {symmetry:?}");
                    }
                }
            },
        );
    }
}
