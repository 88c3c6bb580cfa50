//! The checker's test for pairings.

use rex_game::{Board, Cell, CellSet, Player, Position};

/// The most steps of a check. Run the check before you write a claim into a certificate.
const MOST_STEPS: u32 = 20_000;

/// Whether `loser` is joined as soon as she has one cell of each pair, and the key if there is one, whatever else
/// is coloured. That is so if the opponent has no path from side to side that avoids the key and holds at most
/// one cell of each pair. Also false if that takes too long to tell.
pub fn forces_a_join(position: &Position, loser: Player, pairs: &[(Cell, Cell)], key: Option<Cell>) -> bool {
    let empty = position.empty();
    let mut cells = CellSet::EMPTY;
    for cell in pairs.iter().flat_map(|&(one, other)| [one, other]).chain(key) {
        if !empty.has(cell) || cells.has(cell) {
            return false;
        }
        cells.insert(cell);
    }
    let board = position.board();
    let mut area = board.cells() - position.stones(loser);
    if let Some(key) = key {
        area.remove(key);
    }
    let [from, goal] = [0, 1].map(|side| board.side(!loser, side));
    let mut paths = Paths { board, pairs, goal, steps: MOST_STEPS };
    let here = board.reachable(from, paths.free(area));
    paths.end(here, from, area - here)
}

/// Paths to the side `goal` that hold at most one cell of each pair.
struct Paths<'a> {
    board: Board,
    pairs: &'a [(Cell, Cell)],
    goal: CellSet,
    steps: u32,
}

impl Paths<'_> {
    /// Whether all paths end before the goal that come from the cells `here`, or begin in `from`, and go on through
    /// `area`. False when out of steps.
    ///
    /// Of the cells next to `here`, follow a path from the last one that it has. From there on it has no other of
    /// them, and it has not the mate of that one.
    fn end(&mut self, here: CellSet, from: CellSet, area: CellSet) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let next = (self.board.neighbours_of_set(here) | from) & area;
        if !(here | self.board.reachable(next, area)).meets(self.goal) {
            return true;
        }
        if (here | next).meets(self.goal) {
            return false;
        }
        next.into_iter().all(|cell| {
            let area = area - next - self.mate(cell);
            let here = self.board.reachable(cell.set(), self.free(area).with(cell));
            self.end(here, CellSet::EMPTY, area - here)
        })
    }

    /// The cells of the area whose mate is not in it. A path may have all of them.
    fn free(&self, area: CellSet) -> CellSet {
        let whole = self.pairs.iter().filter(|&&(one, other)| area.has(one) && area.has(other));
        whole.fold(area, |free, &(one, other)| free.without(one).without(other))
    }

    /// The cell that is paired with this one, if there is one.
    fn mate(&self, cell: Cell) -> CellSet {
        let mate = self.pairs.iter().find_map(|&(one, other)| match cell {
            _ if cell == one => Some(other),
            _ if cell == other => Some(one),
            _ => None,
        });
        mate.map_or(CellSet::EMPTY, Cell::set)
    }
}
