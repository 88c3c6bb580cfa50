//! What workers tell each other, without the coordinator.

use rex_game::Board;
use rex_search::Numbers;
use serde::{Deserialize, Serialize};

use crate::message::{Message, MessageError, check_names, check_threads, unhex};

/// Unsolved positions that a worker has put into its table during a job, for the other workers. A message may be lost
/// or false: its numbers only suggest where to search first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct News {
    /// The sender.
    pub worker: String,
    /// How many threads it has.
    pub threads: usize,
    /// The board.
    pub board: String,
    /// The positions, each as [`Numbers::bytes`], in hexadecimal digits.
    pub entries: String,
}

impl News {
    /// News, without solved positions: only the coordinator announces those.
    pub fn new(worker: &str, threads: usize, board: Board, met: &[Numbers]) -> News {
        let open = met.iter().filter(|met| met.entry.bounds.winner().is_none());
        let bytes: Vec<u8> = open.flat_map(|numbers| numbers.bytes(board)).collect();
        let entries = hex::encode(bytes);
        News { worker: worker.to_owned(), threads, board: board.to_string(), entries }
    }

    /// The positions in it.
    ///
    /// # Errors
    /// If it could not come from a table, or names a winner: only the coordinator may do that.
    pub fn met(&self) -> Result<Vec<Numbers>, MessageError> {
        let garbage = || MessageError::Garbage("no unsolved entry of a table".to_owned());
        let board: Board = self.board.parse().map_err(|_| garbage())?;
        let entry = |digits: &[u8]| {
            let bytes = std::str::from_utf8(digits).ok().and_then(unhex)?;
            let (there, numbers) = Numbers::from_bytes(&bytes)?;
            (there == board && numbers.entry.bounds.winner().is_none()).then_some(numbers)
        };
        let digits = self.entries.as_bytes().chunks(2 * Numbers::BYTES);
        digits.map(|digits| entry(digits).ok_or_else(garbage)).collect()
    }
}

impl Message for News {
    fn check(&self) -> Result<(), MessageError> {
        check_names([&self.worker[..]])?;
        check_threads(self.threads)
    }
}

#[cfg(test)]
mod tests {
    use rex_game::CellSet;
    use rex_search::{Bounds, Entry, INFINITE, Node, Part, Work};
    use rex_theory::Field;

    use super::*;

    #[test]
    fn news_come_back_and_what_no_table_could_have_is_refused() {
        let field = Field::new(&"4x4 d1 a1".parse().unwrap());
        let node = Node::of(&field).0;
        let entry = |bounds| Numbers { node, entry: Entry { bounds, work: Work::of(1 << 40) } };
        let met = [(3, 70_000), (1 << 40, 1)].map(|(last, notlast)| entry(Bounds { last, notlast }));
        let news = News::new("w", 2, field.board, &met);
        assert_eq!(News::read(&news.write()).unwrap().met(), Ok(met.to_vec()));
        let is_refused = |entries: String| News { entries, ..news.clone() }.met().is_err();
        assert!(is_refused(news.entries[1..].to_owned()) && is_refused(news.entries.replacen('0', "x", 1)));
        let with = |last, notlast| hex::encode(entry(Bounds { last, notlast }).bytes(field.board));
        assert!(!is_refused(with(5, 5)));
        for last in [0, 5, INFINITE, INFINITE + (1 << 30)] {
            for notlast in [0, INFINITE] {
                assert!(is_refused(with(last, notlast)), "{last} {notlast}");
                assert!(is_refused(with(notlast, last)), "{notlast} {last}");
            }
        }
        let off_board = Numbers {
            node: Node { stones: [CellSet::from_bits(1 << 16), CellSet::from_bits(0)], ..node },
            ..met[0]
        };
        assert!(News::new("w", 2, field.board, &[off_board]).met().is_err());
    }

    #[test]
    fn what_is_solved_is_no_news() {
        let field = Field::new(&"4x4 d1 a1".parse().unwrap());
        let node = Node::of(&field).0;
        let solved = [Part::Last, Part::Notlast].map(|winner| Numbers {
            node,
            entry: Entry { bounds: Bounds::won_by(winner), work: Work::of(9) },
        });
        assert_eq!(News::new("w", 2, field.board, &solved).entries, "");
    }
}
