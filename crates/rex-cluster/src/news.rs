//! What workers tell each other, past the coordinator.

use rex_game::{Board, CellSet, Player};
use rex_search::Numbers;
use rex_search::bounds::{Bounds, Part};
use rex_search::node::Node;
use rex_search::table::Work;
use rex_theory::fill_in::RULES;
use serde::{Deserialize, Serialize};

use crate::message::{MessageError, VERSION, check_names, check_threads, hex, read, unhex, write};

/// What a worker has put into its table at a job and has not solved, for the other workers. It may be lost, or a lie: numbers
/// only say where to search first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct News {
    pub(crate) v: u32,
    pub(crate) rules: u8,
    /// Who tells it.
    pub worker: String,
    /// Its threads.
    pub threads: usize,
    /// The board.
    pub board: String,
    /// 32 bytes for each position, as hexadecimal digits: the cells of Black and of White, 8 bytes each with a1 in the
    /// lowest bit; the numbers for Last and for Notlast, 4 bytes each; the nodes it took, 7 bytes; and who is Last, one byte, 0
    /// for Black. The bytes of a number come with the largest first.
    pub entries: String,
}

/// Bytes of a position in [`News`].
const ENTRY: usize = 32;

impl News {
    /// News of this version. What is solved is left out: that is for the coordinator to tell.
    pub fn new(worker: &str, threads: usize, board: Board, met: &[Numbers]) -> News {
        let mut bytes = Vec::with_capacity(ENTRY * met.len());
        for Numbers { node, bounds, work } in met.iter().filter(|met| met.bounds.winner().is_none()) {
            bytes.extend(node.stones.iter().flat_map(|set| set.0.to_be_bytes()));
            bytes.extend([bounds.last, bounds.notlast].iter().flat_map(|number| number.to_be_bytes()));
            bytes.extend(&work.nodes().min((1 << 56) - 1).to_be_bytes()[1..]);
            bytes.push(node.last.index() as u8);
        }
        News {
            v: VERSION,
            rules: RULES,
            worker: worker.to_owned(),
            threads,
            board: board.to_string(),
            entries: hex(&bytes),
        }
    }

    /// What it tells.
    ///
    /// # Errors
    /// If it is not what a table could have, or names a winner: who wins is for the coordinator alone to say.
    pub fn met(&self) -> Result<Vec<Numbers>, MessageError> {
        let garbage = || MessageError::Garbage("no unsolved entry of a table".to_owned());
        let board: Board = self.board.parse().map_err(|_| garbage())?;
        let digits = self.entries.as_bytes().chunks(2 * ENTRY);
        let entry = |digits: &[u8]| -> Option<Numbers> {
            let bytes: [u8; ENTRY] = unhex(std::str::from_utf8(digits).ok()?)?;
            let number = |from: usize, to: usize| {
                bytes[from..to].iter().fold(0, |all, &byte| all << 8 | u64::from(byte))
            };
            let stones = [CellSet(number(0, 8)), CellSet(number(8, 16))];
            let last = *Player::BOTH.get(usize::from(bytes[31]))?;
            let bounds = Bounds { last: number(16, 20) as u32, notlast: number(20, 24) as u32 };
            let possible = bounds == Bounds::unsolved(Part::Last, bounds.last, bounds.notlast);
            let on_board = stones.iter().all(|&set| (set - board.cells()).is_empty());
            let work = Work::of(number(24, 31));
            (possible && on_board).then_some(Numbers { node: Node { stones, last }, bounds, work })
        };
        digits.map(|digits| entry(digits).ok_or_else(garbage)).collect()
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it is not of this version, or garbage.
    pub fn read(bytes: &[u8]) -> Result<News, MessageError> {
        let news: News = read(bytes)?;
        check_names([&news.worker[..]])?;
        check_threads(news.threads)?;
        Ok(news)
    }

    /// As it travels.
    pub fn write(&self) -> Vec<u8> {
        write(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_theory::Field;

    #[test]
    fn news_come_back_and_what_no_table_could_have_is_refused() {
        let field = Field::new(&"4x4 d1 a1".parse().unwrap());
        let node = Node::of(&field).0;
        let met = [Bounds { last: 3, notlast: 70_000 }, Bounds { last: 0xff_fffe, notlast: 1 }]
            .map(|bounds| Numbers { node, bounds, work: Work::of(1 << 40) });
        let news = News::new("w", 2, field.board, &met);
        assert_eq!(News::read(&news.write()).unwrap().met(), Ok(met.to_vec()));
        let is_refused = |entries: String| News { entries, ..news.clone() }.met().is_err();
        assert!(is_refused(news.entries[1..].to_owned()) && is_refused(news.entries.replacen('0', "x", 1)));
        // The numbers are in the digits from 32 on: those of Last, then those of Notlast.
        let with = |last: u32, notlast: u32| {
            let numbers = format!("{last:08x}{notlast:08x}");
            [&news.entries[..32], &numbers, &news.entries[48..]].concat()
        };
        assert!(!is_refused(with(5, 5)));
        for (last, notlast) in
            [(0, 0), (0, 5), (5, 0), (0, 0xff_ffff), (0xff_ffff, 0), (0xff_ffff, 5), (1 << 24, 1)]
        {
            assert!(is_refused(with(last, notlast)), "{last} {notlast}");
        }
        let off_board = Numbers { node: Node { stones: [CellSet(1 << 16), CellSet(0)], ..node }, ..met[0] };
        assert!(News::new("w", 2, field.board, &[off_board]).met().is_err());
    }

    #[test]
    fn what_is_solved_is_no_news() {
        let field = Field::new(&"4x4 d1 a1".parse().unwrap());
        let node = Node::of(&field).0;
        let solved = [Part::Last, Part::Notlast].map(|winner| Numbers {
            node,
            bounds: Bounds::won_by(winner),
            work: Work::of(9),
        });
        assert_eq!(News::new("w", 2, field.board, &solved).entries, "");
    }
}
