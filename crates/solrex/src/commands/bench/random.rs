//! Positions of the suites `7x7` and `boards`: random, but always the same.
//!
//! A draw puts equal numbers of black and white stones on random cells, so that neither player is joined, and Black
//! moves. It depends only on the number of stones and the number of the draw, so figures of different versions can
//! be compared. Draws that theory decided at once when they were chosen are left out, in [`SEVEN`] and [`BOARDS`];
//! they stay as they are, though a stronger H-search and mirror pairings decide more.

use rex_game::{Board, BoardError, Random, State};

/// Rows, columns, a number of stones, and draws.
type Draws = ((usize, usize), usize, [u64; 3]);

/// By number of stones: the first draws that theory did not decide.
pub const SEVEN: &[Draws] = &[
    ((7, 7), 20, [26, 39, 41]),
    ((7, 7), 18, [3, 5, 9]),
    ((7, 7), 16, [9, 21, 34]),
    ((7, 7), 14, [7, 8, 19]),
    ((7, 7), 12, [1, 13, 16]),
    ((7, 7), 10, [1, 2, 7]),
    ((7, 7), 8, [1, 3, 4]),
    ((7, 7), 6, [1, 2, 3]),
    ((7, 7), 4, [1, 2, 3]),
];

/// The same on boards that have no net of their own, with few enough stones to be hard. What the program knows of such
/// boards it learned from other positions.
pub const BOARDS: &[Draws] = &[
    ((4, 8), 4, [77, 290, 356]),
    ((5, 7), 4, [310, 401, 408]),
    ((5, 8), 4, [2, 4, 5]),
    ((6, 7), 8, [3, 9, 11]),
    ((6, 7), 4, [1, 2, 3]),
    ((7, 8), 14, [3, 10, 12]),
    ((7, 8), 8, [1, 2, 3]),
    ((8, 8), 16, [5, 8, 10]),
    ((8, 8), 10, [1, 2, 3]),
];

/// The states of some draws.
pub fn states(draws: &[Draws]) -> Result<Vec<State>, BoardError> {
    let mut states = Vec::new();
    for &((rows, cols), stones, numbers) in draws {
        let board = Board::new(rows, cols)?;
        states.extend(numbers.map(|number| draw(board, stones, number)));
    }
    Ok(states)
}

/// A random state with an even number of stones.
fn draw(board: Board, stones: usize, draw: u64) -> State {
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
        for &((rows, cols), stones, draws) in SEVEN.iter().chain(BOARDS) {
            let board = Board::new(rows, cols).unwrap();
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
        let theory =
            Options { hsearch: false, exact_pairing: false, mirror_pairing: false, ..Options::default() };
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        for state in states(SEVEN).unwrap().into_iter().chain(states(BOARDS).unwrap()) {
            let settings = Settings { memory: 1 << 20, theory, ..Settings::default() };
            let solution =
                Solver::new(state.board(), settings).unwrap().ask(&state).limits(&limits).verdict();
            assert_eq!(solution.winner, None, "{state}");
        }
    }
}
