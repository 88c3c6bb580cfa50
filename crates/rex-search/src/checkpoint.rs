//! A whole search in a file, so that it can go on another day as if it had not been stopped.
//!
//! ```text
//! 16 bytes  solrex-search-4 and a newline
//!  2 bytes  rows and columns of the board
//!           the entries of the table (table/saved.rs)
//!           what a thread has: paths and pairings that the exact pairing search remembers, reasons, and the children of nodes
//!           (judge.rs, reasons.rs, expansions.rs), and where its search was stopped (dfpn/stopped.rs)
//! 32 bytes  SHA-256 of all before
//! ```
//!
//! Numbers are little-endian. The digest is checked before anything else is believed.

use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};

use rex_game::{Board, Cell, CellSet};
use sha2::{Digest, Sha256};

use crate::dfpn::Room;
use crate::known::Node;
use crate::table::Table;

const MAGIC: [u8; 16] = *b"solrex-search-4\n";
/// The number in it.
const VERSION: u32 = 4;
/// How the first line of this version and of earlier ones begins.
const NAMES: [&str; 2] = ["solrex-search-", "solrex-table-"];
const DIGEST: usize = 32;

/// Why a checkpoint could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Read(std::io::Error),
    /// It is not a checkpoint.
    #[error("it is not a checkpoint")]
    NotOne,
    /// Another version of the program has written it.
    #[error("it has version {0}; expected {VERSION}")]
    OtherVersion(u32),
    /// It is for another board.
    #[error("it is for a board of {0}, not {1}")]
    OtherBoard(Board, Board),
    /// Its table was smaller than this one.
    #[error("its table had {0} bytes, and this one is larger")]
    TooSmall(u64),
    /// It has been cut off, changed or added to.
    #[error("it is damaged or incomplete: its digest does not match its content")]
    Damaged,
}

impl From<std::io::Error> for CheckpointError {
    fn from(error: std::io::Error) -> CheckpointError {
        match error.kind() {
            ErrorKind::UnexpectedEof => CheckpointError::Damaged,
            _ => CheckpointError::Read(error),
        }
    }
}

/// Writes a search: its table, and the room of one of its threads as [`Room::save`] has it.
pub(crate) fn save(board: Board, table: &Table, room: &[u8], out: &mut impl Write) -> std::io::Result<()> {
    let mut out = Writer { inner: out, digest: Sha256::new(), waiting: Vec::new() };
    out.write(&MAGIC)?;
    out.write(&[board.rows() as u8, board.cols() as u8])?;
    table.save(&mut out)?;
    out.write(room)?;
    out.pass_on()?;
    out.inner.write_all(&out.digest.finalize())
}

/// Reads a search into an empty table and a new room.
pub(crate) fn load(
    board: Board,
    table: &Table,
    room: &mut Room,
    input: &mut (impl Read + Seek),
) -> Result<(), CheckpointError> {
    let mut input = Reader::new(input)?;
    let [rows, cols] = input.take()?;
    let there = Board::new(rows.into(), cols.into()).map_err(|_| CheckpointError::Damaged)?;
    if there != board {
        return Err(CheckpointError::OtherBoard(there, board));
    }
    table.load(board, &mut input)?;
    room.load(&mut input)?;
    if input.left == 0 { Ok(()) } else { Err(CheckpointError::Damaged) }
}

/// Passes bytes on and digests them. Writes are collected into large ones.
pub(crate) struct Writer<'a, W> {
    inner: &'a mut W,
    digest: Sha256,
    waiting: Vec<u8>,
}

const AT_A_TIME: usize = 1 << 20;

impl<W: Write> Writer<'_, W> {
    pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= AT_A_TIME { self.pass_on() } else { Ok(()) }
    }

    fn pass_on(&mut self) -> std::io::Result<()> {
        self.digest.update(&self.waiting);
        self.inner.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

/// The content of a file whose digest is right.
pub(crate) struct Reader<'a, R> {
    inner: &'a mut R,
    /// How many bytes come before the digest.
    left: u64,
}

impl<'a, R: Read + Seek> Reader<'a, R> {
    fn new(input: &'a mut R) -> Result<Reader<'a, R>, CheckpointError> {
        let end = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        let mut magic = [0; MAGIC.len()];
        // A shorter file is none.
        input.read_exact(&mut magic).map_err(|_| CheckpointError::NotOne)?;
        if magic != MAGIC {
            let line = String::from_utf8_lossy(&magic);
            let version = NAMES.iter().find_map(|name| line.strip_prefix(name)?.lines().next()?.parse().ok());
            return Err(version.map_or(CheckpointError::NotOne, CheckpointError::OtherVersion));
        }
        let whole = end.checked_sub(DIGEST as u64).ok_or(CheckpointError::Damaged)?;
        let mut digest = Sha256::new_with_prefix(MAGIC);
        let left = whole.saturating_sub(MAGIC.len() as u64);
        let mut buffer = vec![0; AT_A_TIME];
        for at in (0..left).step_by(AT_A_TIME) {
            let part = &mut buffer[..(left - at).min(AT_A_TIME as u64) as usize];
            input.read_exact(part)?;
            digest.update(part);
        }
        let mut wanted = [0; DIGEST];
        input.read_exact(&mut wanted)?;
        if digest.finalize()[..] != wanted {
            return Err(CheckpointError::Damaged);
        }
        input.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        Ok(Reader { inner: input, left })
    }
}

impl<R: Read> Reader<'_, R> {
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        self.left = self.left.checked_sub(N as u64).ok_or(CheckpointError::Damaged)?;
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub fn byte(&mut self) -> Result<u8, CheckpointError> {
        self.take().map(|[byte]| byte)
    }

    pub fn word(&mut self) -> Result<u64, CheckpointError> {
        self.take().map(u64::from_le_bytes)
    }

    /// As many bytes as the next word says.
    pub fn bytes(&mut self) -> Result<Vec<u8>, CheckpointError> {
        let count = self.word()?;
        self.left = self.left.checked_sub(count).ok_or(CheckpointError::Damaged)?;
        let mut bytes = vec![0; count as usize];
        self.inner.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub fn cell(&mut self, board: Board) -> Result<Cell, CheckpointError> {
        let number = self.byte()?.into();
        if number < board.len() { Ok(Cell::new(number)) } else { Err(CheckpointError::Damaged) }
    }

    pub fn node(&mut self, board: Board) -> Result<Node, CheckpointError> {
        let read = Node::from_bytes(&self.take::<{ Node::BYTES }>()?);
        read.filter(|(there, _)| *there == board).map(|(_, node)| node).ok_or(CheckpointError::Damaged)
    }

    pub fn cells(&mut self, board: Board) -> Result<CellSet, CheckpointError> {
        let cells = CellSet::from_bits(self.word()?);
        if (cells - board.cells()).is_empty() { Ok(cells) } else { Err(CheckpointError::Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use rex_game::{Player, State};

    use super::*;
    use crate::known::{Bounds, Entry, Part, Work};
    use crate::limits::Limits;
    use crate::solver::{Progress, Settings, Solver};
    use crate::table::Key;

    fn node(seed: u64, cells: usize) -> Node {
        let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = CellSet::first_n(cells).bits();
        Node {
            stones: [CellSet::from_bits(mixed & mask), CellSet::from_bits(mixed.rotate_left(29) & mask)],
            last: Player::Black,
        }
    }

    fn entry(seed: u64) -> Entry {
        let bounds = Bounds::unsolved(Part::Last, seed % 50 + 1, (seed % 7 + 1) << 40);
        Entry { bounds, work: Work::of(seed + 1) }
    }

    fn saved(board: Board, table: &Table) -> Vec<u8> {
        let mut file = Vec::new();
        save(board, table, &Room::new(board, 16, 4).save(), &mut file).unwrap();
        file
    }

    fn loaded(board: Board, table: &Table, file: &[u8]) -> Result<(), CheckpointError> {
        load(board, table, &mut Room::new(board, 16, 4), &mut Cursor::new(file))
    }

    /// Carries 300 entries from a table of `from` bytes to one of `to` bytes, and counts how many arrive.
    fn carried(board: &str, from: u64, to: u64) -> Result<usize, CheckpointError> {
        let board: Board = board.parse().unwrap();
        let [table, other] = [from, to].map(|bytes| Table::new(bytes).unwrap());
        let key = |seed| Key::new(&node(seed, board.len()), board.len());
        (0..300).for_each(|seed| table.put(key(seed), entry(seed)));
        loaded(board, &other, &saved(board, &table))?;
        Ok((0..300).filter(|&seed| other.get(key(seed)) == Some(entry(seed))).count())
    }

    #[test]
    fn a_table_comes_back() {
        for (from, to) in [(1 << 16, 1 << 16), (1 << 20, 1 << 16), (1 << 16, 1 << 20)] {
            assert_eq!(carried("6x6", from, to).unwrap(), 300);
        }
        assert_eq!(carried("7x7", 1 << 20, 1 << 16).unwrap(), 300);
        assert!(matches!(carried("7x7", 1 << 16, 1 << 20), Err(CheckpointError::TooSmall(65536))));
    }

    #[test]
    fn what_lies_beyond_the_small_part_comes_back_too() {
        let (board, entries): (Board, u64) = ("6x6".parse().unwrap(), 300_000);
        let [table, other] = [(); 2].map(|()| Table::new(1 << 24).unwrap());
        let key = |seed: u64| Key::new(&node(seed, board.len()), board.len());
        let kept =
            |table: &Table| (0..entries).filter(|&seed| table.get(key(seed)) == Some(entry(seed))).count();
        (0..entries).for_each(|seed| table.put(key(seed), entry(seed)));
        let before = kept(&table);
        loaded(board, &other, &saved(board, &table)).unwrap();
        // More than fit in the small shelf.
        assert!(before > 1 << 17, "{before}");
        assert_eq!((kept(&table), kept(&other)), (before, before));
    }

    #[test]
    fn every_damage_is_noticed_before_anything_is_believed() {
        let board: Board = "4x4".parse().unwrap();
        let table = Table::new(1 << 16).unwrap();
        (0..5).for_each(|seed| table.put(Key::new(&node(seed, 16), 16), entry(seed)));
        let file = saved(board, &table);
        let load = |bytes: &[u8]| {
            let table = Table::new(1 << 16).unwrap();
            let read = loaded(board, &table, bytes);
            assert!(read.is_ok() || table.fill_permille() == 0);
            read
        };
        assert!(load(&file).is_ok());
        for at in 0..file.len() {
            let mut bad = file.clone();
            bad[at] ^= 4;
            assert!(load(&bad).is_err(), "byte {at}");
            assert!(load(&file[..at]).is_err(), "cut at {at}");
        }
        assert!(load(&[&file[..], &[0]].concat()).is_err());
        let other: Board = "4x5".parse().unwrap();
        let error = loaded(other, &table, &file).unwrap_err();
        assert_eq!(error.to_string(), "it is for a board of 4x4, not 4x5");
    }

    #[test]
    fn a_search_that_was_stopped_goes_on_with_all_that_it_knew() {
        let state: State = "6x6 e3 a1".parse().unwrap();
        let solver = || Solver::new(state.board(), Settings::default()).unwrap();
        let whole = solver().ask(&state).verdict();
        let limits = Limits { nodes: Some(whole.nodes / 3), ..Limits::default() };
        let first = solver();
        first.ask(&state).limits(&limits).verdict();
        let mut file = Vec::new();
        first.save(&mut file).unwrap();
        let second = solver();
        second.load(&mut Cursor::new(&file)).unwrap();
        let mut again = Vec::new();
        second.save(&mut again).unwrap();
        assert!(file == again, "{} bytes, {} bytes", file.len(), again.len());
        let [one, other] = [first, second].map(|solver| solver.ask(&state).verdict());
        assert_eq!([one.winner, other.winner], [whole.winner; 2]);
        assert_eq!([one.nodes, other.nodes], [whole.nodes - whole.nodes / 3; 2]);
    }

    #[test]
    fn a_running_search_can_be_saved() {
        let state: State = rex_oracle::testing::ENDLESS.parse().unwrap();
        let settings = Settings { threads: 2, ..Settings::default() };
        let solver = Solver::new(state.board(), settings.clone()).unwrap();
        let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let limits = Limits { cancel: Some(cancel.clone()), ..Limits::default() };
        let file = std::thread::scope(|scope| {
            let (begun, wait) = std::sync::mpsc::channel();
            let (solver, state, limits) = (&solver, &state, &limits);
            scope.spawn(move || {
                let mut tell = |_: &Progress| _ = begun.send(());
                solver.ask(state).limits(limits).on_progress(&mut tell).verdict()
            });
            wait.recv().unwrap();
            let mut file = Vec::new();
            solver.save(&mut file).unwrap();
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
            file
        });
        let other = Solver::new(state.board(), settings).unwrap();
        other.load(&mut Cursor::new(&file)).unwrap();
        let mut again = Vec::new();
        other.save(&mut again).unwrap();
        assert!(again.len() > 10_000 && file.len().abs_diff(again.len()) < file.len() / 10);
    }
}
