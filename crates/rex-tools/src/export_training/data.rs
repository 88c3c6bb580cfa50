//! The file of training positions, described in docs/training.md.

use std::collections::HashMap;

use rex_game::{Board, Cell, CellSet};
use rex_search::{Part, Solved, Work};

/// A file starts with this and the version.
const MAGIC: &[u8; 4] = b"RXTD";
const VERSION: u8 = 1;
/// Means that no winning move was found: the side to move has lost, or theory decided.
const NO_MOVE: u8 = 255;
const LAST_WINS: u8 = 0x80;

/// What there is to learn from one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lesson {
    last_wins: bool,
    /// Nodes searched below it.
    nodes: u64,
    /// A winning move of the side to move.
    winning: Option<Cell>,
}

/// The stones of a position in a file: as many bytes for each player as it takes to have a bit for each cell.
pub fn stones_as_bytes(stones: &[CellSet; 2], board: Board) -> impl Iterator<Item = u8> {
    let width = board.len().div_ceil(8);
    stones
        .map(|set| set.bits().to_le_bytes())
        .into_iter()
        .flat_map(move |bytes| bytes.into_iter().take(width))
}

/// Solved positions of a board, each once: filled, in the smaller image, with Last as Black.
#[derive(Default)]
pub struct Lessons {
    by_stones: HashMap<[CellSet; 2], Lesson>,
}

impl Lessons {
    /// Adds a position. If one comes twice, the larger work counts: a search that left a position and came back counts
    /// its earlier work, while another search just finds the answer in the table.
    pub fn add(&mut self, solved: &Solved) {
        let lesson =
            Lesson { last_wins: solved.winner == Part::Last, nodes: solved.nodes, winning: solved.best };
        self.put(solved.node.stones, lesson);
    }

    fn put(&mut self, stones: [CellSet; 2], lesson: Lesson) {
        let kept = self.by_stones.entry(stones).or_insert(lesson);
        kept.nodes = kept.nodes.max(lesson.nodes);
        kept.winning = kept.winning.or(lesson.winning);
    }

    /// Removes every position that another collection has.
    pub fn leave_out(&mut self, other: &Lessons) {
        self.by_stones.retain(|stones, _| !other.by_stones.contains_key(stones));
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.by_stones.len()
    }

    /// How many of them Last wins.
    pub fn last_wins(&self) -> usize {
        self.by_stones.values().filter(|lesson| lesson.last_wins).count()
    }

    /// How many have a winning move.
    pub fn with_move(&self) -> usize {
        self.by_stones.values().filter(|lesson| lesson.winning.is_some()).count()
    }

    /// The content of the file, sorted by stones.
    pub fn bytes(&self, board: Board) -> Vec<u8> {
        let mut all: Vec<([CellSet; 2], Lesson)> =
            self.by_stones.iter().map(|(&stones, &lesson)| (stones, lesson)).collect();
        all.sort_unstable_by_key(|&(stones, _)| stones);
        let width = board.len().div_ceil(8);
        let mut bytes = Vec::with_capacity(16 + all.len() * (2 * width + 2));
        bytes.extend(MAGIC);
        bytes.extend([VERSION, board.rows() as u8, board.cols() as u8, 0]);
        bytes.extend((all.len() as u64).to_le_bytes());
        bytes.extend(all.iter().flat_map(|(stones, _)| stones_as_bytes(stones, board)));
        bytes.extend(all.iter().map(|(_, lesson)| {
            let work = Work::of(lesson.nodes).step().min(LAST_WINS - 1);
            work | if lesson.last_wins { LAST_WINS } else { 0 }
        }));
        bytes.extend(all.iter().map(|(_, lesson)| lesson.winning.map_or(NO_MOVE, |cell| cell.index() as u8)));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lessons() -> Lessons {
        let mut lessons = Lessons::default();
        for (black, white, last_wins, nodes, winning) in [
            (0b1_0000_0000u64, 0b10u64, true, 1000, Some(4)),
            (0b11, 0b100, false, 1, None),
            (0b1, 0b1_0000_0001, true, 6, None),
        ] {
            let lesson = Lesson { last_wins, nodes, winning: winning.map(Cell::new) };
            lessons.put([CellSet::from_bits(black), CellSet::from_bits(white)], lesson);
        }
        lessons
    }

    #[test]
    fn the_file_is_as_described() {
        let board = Board::new(3, 3).unwrap();
        let bytes = lessons().bytes(board);
        let (head, rest) = bytes.split_at(16);
        assert_eq!(head, [&b"RXTD\x01\x03\x03\x00"[..], &3u64.to_le_bytes()].concat());
        let (stones, rest) = rest.split_at(3 * 4);
        assert_eq!(stones, [1, 0, 1, 1, 3, 0, 4, 0, 0, 1, 2, 0]);
        // 4 log2 of 6 is 10.3, of 1000 39.9; the steps are a little below.
        let (labels, moves) = rest.split_at(3);
        assert_eq!(labels, [0x80 | 10, 0, 0x80 | 39]);
        assert_eq!(moves, [255, 255, 4]);
    }

    #[test]
    fn what_comes_twice_is_kept_once_and_what_is_tested_not_at_all() {
        let mut twice = lessons();
        let more = Lesson { last_wins: false, nodes: 70, winning: Some(Cell::new(8)) };
        let stones = [CellSet::from_bits(0b11), CellSet::from_bits(0b100)];
        twice.put(stones, more);
        assert_eq!((twice.len(), twice.last_wins(), twice.with_move()), (3, 2, 2));
        assert_eq!(twice.by_stones[&stones], more);
        let mut tested = Lessons::default();
        tested.put(stones, more);
        twice.leave_out(&tested);
        assert_eq!(twice.len(), 2);
        assert!(!twice.by_stones.contains_key(&stones));
    }
}
