//! Positions of the suite `7x7`: random, but always the same.
//!
//! A draw puts equal numbers of black and white stones on random cells, so that neither player is joined, and Black
//! moves. It depends only on the number of stones and the number of the draw, so figures of different versions can
//! be compared. Draws that theory decided at once when they were chosen are left out, in [`DRAWS`];
//! they stay as they are, though a stronger H-search decides more.

use rex_game::{Board, Random, State};

/// By number of stones: the first draws that theory did not decide.
pub const DRAWS: &[(usize, [u64; 3])] = &[
    (20, [26, 39, 41]),
    (18, [3, 5, 9]),
    (16, [9, 21, 34]),
    (14, [7, 8, 19]),
    (12, [1, 13, 16]),
    (10, [1, 2, 7]),
    (8, [1, 3, 4]),
    (6, [1, 2, 3]),
    (4, [1, 2, 3]),
];

/// A random state with an even number of stones.
pub fn draw(board: Board, stones: usize, draw: u64) -> State {
    let mut random = Random((stones as u64) << 32 | draw);
    loop {
        let position = random.stones(board, stones / 2, stones / 2);
        if position.winner().is_none() {
            return State { position, ..State::new(board) };
        }
    }
}

#[cfg(test)]
mod tests {
    use rex_game::Player;
    use rex_search::{Limits, Settings, Solver};
    use rex_theory::Options;

    use super::*;

    #[test]
    fn draws_are_what_they_were() {
        let board = Board::new(7, 7).unwrap();
        assert_eq!(draw(board, 14, 1).to_string(), "1w1b3/2b4/1b1w3/6w/b2wb2/3w1b1/3wwb1 b");
        for &(stones, draws) in DRAWS {
            for number in draws {
                let State { position, to_move } = draw(board, stones, number);
                for player in Player::BOTH {
                    assert_eq!(position.stones(player).len(), stones / 2);
                }
                assert_eq!((position.winner(), to_move), (None, Player::Black));
            }
        }
    }

    #[test]
    fn neither_fill_in_nor_symmetry_decides_the_draws() {
        let board = Board::new(7, 7).unwrap();
        let theory = Options { hsearch: false, exact_pairing: false, ..Options::default() };
        let solver = Solver::new(board, Settings { memory: 1 << 20, theory, ..Settings::default() }).unwrap();
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        for &(stones, draws) in DRAWS {
            for number in draws {
                let solution = solver.ask(&draw(board, stones, number)).limits(&limits).verdict();
                assert_eq!(solution.winner, None, "{stones} stones, draw {number}");
            }
        }
    }
}
