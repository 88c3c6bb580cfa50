//! Which moves to try first, and what to expect of a position nobody has visited. Guidance orders the work; it never
//! decides anything.

use rex_game::{Board, Cell, CellSet, State};
use rex_theory::{Field, Reduced};

use crate::general::General;
use crate::guess::first_guess;
use crate::known::{Bounds, Part};
use crate::net::Net;
use crate::resistance::hex_value;

/// On boards of at most this many cells the general net saves no nodes.
const SMALL: usize = 20;

/// Where guidance comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guidance {
    /// The net trained for the board; if there is none, the general net, or on small boards the resistance model.
    Learned,
    /// The resistance model.
    Resistance,
    /// Moves in board order, first guesses from the resistance model.
    BoardOrder,
    /// This net if it fits the board's number of cells, otherwise the resistance model.
    Net(&'static Net),
}

/// Guidance on one board.
#[derive(Clone, Copy, Debug)]
pub struct Guide(Source);

#[derive(Clone, Copy, Debug)]
enum Source {
    Net(&'static Net),
    General(&'static General),
    Resistance,
    BoardOrder,
}

/// Moves in the order to try them, each with a first guess at the numbers of the position it leads to.
pub struct Ranked {
    /// How many there are.
    pub len: usize,
    /// The moves.
    pub cells: [Cell; 64],
    /// The guesses.
    pub guesses: [Bounds; 64],
}

/// What the net for this board thinks of each move: a guess at the numbers of the position after it, which may be wrong.
///
/// ```
/// let state: rex_game::State = "8x8".parse()?;
/// assert_eq!(rex_search::opinions(&state).len(), 64);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn opinions(state: &State) -> Vec<(Cell, Bounds)> {
    let (field, moves) = (Field::new(state), Vec::from_iter(state.moves()));
    let mut guesses = vec![Bounds::UNKNOWN; moves.len()];
    if moves.is_empty() {
        return Vec::new();
    }
    match Net::for_board(state.board()) {
        Some(net) => net.guess_moves(&field, &moves, &mut guesses),
        None => General::built_in().look(&field).moves(&moves, &mut guesses),
    }
    moves.into_iter().zip(guesses).collect()
}

impl Guide {
    /// The guide for a board.
    pub fn new(guidance: Guidance, board: Board) -> Guide {
        Guide(match guidance {
            Guidance::Learned => match Net::for_board(board) {
                Some(net) => Source::Net(net),
                None if board.len() <= SMALL => Source::Resistance,
                None => Source::General(General::built_in()),
            },
            Guidance::Net(net) if net.cells() == board.len() => Source::Net(net),
            Guidance::Net(_) | Guidance::Resistance => Source::Resistance,
            Guidance::BoardOrder => Source::BoardOrder,
        })
    }

    /// Whether a child's numbers tell more than its rank. Then all children are in view from the start.
    pub fn knows_every_move(&self) -> bool {
        matches!(self.0, Source::Net(_) | Source::General(_))
    }

    /// Whether the general net is asked.
    pub fn is_general(&self) -> bool {
        matches!(self.0, Source::General(_))
    }

    /// A first guess at the numbers of a filled position, which were guessed as this before it was filled in.
    pub fn guess(&self, reduced: &Reduced, before: Bounds) -> Bounds {
        match self.0 {
            Source::Net(net) => net.guess(&reduced.field),
            // Looking again after fill-in saves a fifth of the nodes and takes twice the time.
            Source::General(_) => before,
            Source::Resistance | Source::BoardOrder => first_guess(reduced),
        }
    }

    /// Ranks moves of the mover.
    pub fn rank(&self, reduced: &Reduced, moves: CellSet) -> Ranked {
        let mut ranked =
            Ranked { len: moves.len(), cells: [Cell::new(0); 64], guesses: [Bounds::UNKNOWN; 64] };
        for (slot, cell) in ranked.cells.iter_mut().zip(moves) {
            *slot = cell;
        }
        let cells = &mut ranked.cells[..ranked.len];
        if self.knows_every_move() {
            let part = Part::of(reduced.field.mover(), reduced.field.last);
            let mut of_cell = [Bounds::UNKNOWN; 64];
            let mut guesses = of_cell;
            match self.0 {
                Source::General(net) => net.look(&reduced.field).moves(cells, &mut guesses),
                Source::Net(net) => net.guess_moves(&reduced.field, cells, &mut guesses),
                Source::Resistance | Source::BoardOrder => {}
            }
            for (cell, guess) in cells.iter().zip(guesses) {
                of_cell[cell.index()] = guess;
            }
            cells.sort_unstable_by_key(|&cell| (of_cell[cell.index()].get(part), cell));
            for (guess, cell) in ranked.guesses.iter_mut().zip(cells) {
                *guess = of_cell[cell.index()];
            }
        } else if matches!(self.0, Source::Resistance) {
            let value = hex_value(reduced);
            cells.sort_unstable_by(|a, b| value[a.index()].total_cmp(&value[b.index()]).then(a.cmp(b)));
        }
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_for_another_board_is_not_used() {
        let net: &'static Net = Box::leak(Box::new(Net::from_words(16, &mut || Some(1)).unwrap()));
        let knows = |size: &str| Guide::new(Guidance::Net(net), size.parse().unwrap()).knows_every_move();
        assert!(knows("4x4") && knows("2x8"));
        assert!(!knows("5x5") && !knows("3x5"));
    }
}
