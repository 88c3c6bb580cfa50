//! The whole table in a file, so that a stopped search can continue where it was.
//!
//! ```text
//! 16 bytes  solrex-table-3, a newline and a zero
//!  2 bytes  rows and columns of the board; then 6 zeros
//!  8 bytes  the number of clusters
//! 24 bytes  for each entry: cluster, check of the key, data
//! 24 bytes  zeros: the end
//! 32 bytes  SHA-256 of all before
//! ```
//!
//! Numbers are little-endian. On boards of up to 36 cells the address follows from the check and nine bits of the
//! cluster, so the file fits a table of any size. On larger boards it fits only tables that are no larger. (Entries in
//! the small shelves of a larger table are lost if the new one has no such shelf.)

use std::io::{ErrorKind, Read, Write};

use rex_game::Board;
use sha2::{Digest, Sha256};

use super::key::{ADDRESS_BITS, Key};
use super::{CACHE_LINE, GROUP, Shelf, Shelves, Table, Word, unpack};

const MAGIC: [u8; 16] = *b"solrex-table-3\n\0";
const ENTRY: usize = 24;

/// Why a table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Read(std::io::Error),
    /// The file ends too early.
    #[error("it is incomplete")]
    Cut,
    /// It is not a checkpoint.
    #[error("it is not a checkpoint of this version")]
    NotOne,
    /// It is for another board.
    #[error("it is for a board of {0}x{1}, not {2}")]
    OtherBoard(u8, u8, Board),
    /// Its table was smaller than this one.
    #[error("its table had {0} bytes, and this one is larger")]
    TooSmall(u64),
    /// The digest does not match the content.
    #[error("it is damaged: its digest does not match its content")]
    Damaged,
}

impl From<std::io::Error> for CheckpointError {
    fn from(error: std::io::Error) -> CheckpointError {
        match error.kind() {
            ErrorKind::UnexpectedEof => CheckpointError::Cut,
            _ => CheckpointError::Read(error),
        }
    }
}

impl Table {
    /// Writes all entries. Other threads may keep running; what they change in the meantime may be missing.
    pub fn save(&self, board: Board, out: &mut impl Write) -> std::io::Result<()> {
        let mut out = Digesting::new(out);
        out.write_all(&MAGIC)?;
        out.write_all(&[board.rows() as u8, board.cols() as u8, 0, 0, 0, 0, 0, 0])?;
        out.write_all(&self.shelves.clusters().to_le_bytes())?;
        let mut shelves: Vec<&Shelf> = Vec::new();
        for shelf in self.shelves.iter() {
            for cluster in shelf.start..shelf.start + shelf.clusters() {
                // An entry goes past a shelf only where that is full. So memory that was never used stays untouched:
                // with 4 GiB, touching it would take more than a second each time.
                let reached = addresses(shelf, cluster);
                let full = |address: u64, shelf: &&Shelf| self.is_full(shelf.cluster(address));
                if !shelves.iter().all(|before| full(reached[0], before) || full(reached[1], before)) {
                    continue;
                }
                for slot in self.cluster(cluster) {
                    let data = slot.data.read();
                    if data != 0 {
                        let check = slot.check.read() ^ data;
                        let mut entry = [0; ENTRY];
                        entry[..8].copy_from_slice(&cluster.to_le_bytes());
                        entry[8..16].copy_from_slice(&check.to_le_bytes());
                        entry[16..].copy_from_slice(&data.to_le_bytes());
                        out.write_all(&entry)?;
                    }
                }
            }
            shelves.push(shelf);
        }
        out.write_all(&[0; ENTRY])?;
        out.finish()
    }

    /// Whether all slots are taken. They are filled in order, so the last one tells.
    fn is_full(&self, cluster: u64) -> bool {
        self.cluster(cluster).last().is_some_and(|slot| slot.data.read() != 0)
    }

    /// Reads all entries of a file.
    ///
    /// # Errors
    /// If it is not an intact checkpoint that fits. Entries read before the error are in the table, so do not use the
    /// table after that.
    pub fn load(&self, board: Board, input: &mut impl Read) -> Result<(), CheckpointError> {
        let mut input = Digesting::new(input);
        let magic: [u8; 16] = input.take()?;
        let [rows, cols, ..]: [u8; 8] = input.take()?;
        if magic != MAGIC {
            return Err(CheckpointError::NotOne);
        }
        if (usize::from(rows), usize::from(cols)) != (board.rows(), board.cols()) {
            return Err(CheckpointError::OtherBoard(rows, cols, board));
        }
        let clusters = u64::from_le_bytes(input.take()?);
        let known = Shelves::new(clusters);
        if known.clusters() != clusters {
            return Err(CheckpointError::Damaged);
        }
        let exact = Key::fits_any_table(board.len());
        if self.shelves.clusters() > clusters && !exact {
            return Err(CheckpointError::TooSmall(clusters.saturating_mul(CACHE_LINE as u64)));
        }
        loop {
            let entry: [u8; ENTRY] = input.take()?;
            let word = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("8 bytes"));
            let (cluster, check, data) = (word(0), word(8), word(16));
            if data == 0 {
                break;
            }
            if cluster >= clusters {
                return Err(CheckpointError::Damaged);
            }
            let shelf = known.iter().filter(|shelf| shelf.start <= cluster).last().expect("one begins at 0");
            if exact {
                self.put(Key::of_cluster(cluster, check), unpack(data));
                continue;
            }
            let [first, last] = addresses(shelf, cluster);
            self.put(Key { address: first, check }, unpack(data));
            let differs = |shelf: &Shelf| shelf.cluster(first) != shelf.cluster(last);
            if self.shelves.iter().any(differs) {
                self.put(Key { address: last, check }, unpack(data));
            }
        }
        let wanted: [u8; 32] = input.digest.clone().finalize().into();
        let found: [u8; 32] = input.take()?;
        if wanted == found { Ok(()) } else { Err(CheckpointError::Damaged) }
    }
}

/// The first and the last address that lead to a cluster of a shelf.
fn addresses(shelf: &Shelf, cluster: u64) -> [u64; 2] {
    let (group, low) = ((cluster - shelf.start) / GROUP, cluster % GROUP);
    let begin =
        |group: u64| ((u128::from(group) << (64 - ADDRESS_BITS)).div_ceil(u128::from(shelf.groups))) as u64;
    [begin(group), begin(group + 1) - 1].map(|high| high << ADDRESS_BITS | low)
}

/// Passes bytes on and digests them. Writes are collected into large ones.
struct Digesting<'a, T> {
    inner: &'a mut T,
    digest: Sha256,
    waiting: Vec<u8>,
}

const AT_A_TIME: usize = 1 << 20;

impl<T> Digesting<'_, T> {
    fn new(inner: &mut T) -> Digesting<'_, T> {
        Digesting { inner, digest: Sha256::new(), waiting: Vec::new() }
    }
}

impl<T: Write> Digesting<'_, T> {
    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= AT_A_TIME { self.pass_on() } else { Ok(()) }
    }

    fn pass_on(&mut self) -> std::io::Result<()> {
        self.digest.update(&self.waiting);
        self.inner.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }

    /// Writes the digest after the rest.
    fn finish(mut self) -> std::io::Result<()> {
        self.pass_on()?;
        self.inner.write_all(&self.digest.finalize())
    }
}

impl<T: Read> Digesting<'_, T> {
    fn take<const N: usize>(&mut self) -> std::io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.digest.update(bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::Node;
    use crate::known::{Bounds, Part};
    use crate::table::{Entry, Work};
    use rex_game::{CellSet, Player};

    fn node(seed: u64, cells: usize) -> Node {
        let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = CellSet::first_n(cells).bits();
        Node {
            stones: [CellSet::from_bits(mixed & mask), CellSet::from_bits(mixed.rotate_left(29) & mask)],
            last: Player::Black,
        }
    }

    fn entry(seed: u64) -> Entry {
        let bounds = Bounds::unsolved(Part::Last, seed as u32 % 50 + 1, seed as u32 % 7 + 1);
        Entry { bounds, work: Work::of(seed + 1) }
    }

    /// Carries 300 entries from a table of `from` bytes to one of `to` bytes, and counts how many arrive.
    fn carried(board: &str, from: u64, to: u64) -> Result<usize, CheckpointError> {
        let board: Board = board.parse().unwrap();
        let table = Table::new(from).unwrap();
        for seed in 0..300 {
            table.put(Key::new(&node(seed, board.len()), board.len()), entry(seed));
        }
        let mut file = Vec::new();
        table.save(board, &mut file).unwrap();
        let other = Table::new(to).unwrap();
        other.load(board, &mut file.as_slice())?;
        let found =
            |seed: &u64| other.get(Key::new(&node(*seed, board.len()), board.len())) == Some(entry(*seed));
        Ok((0..300).filter(found).count())
    }

    #[test]
    fn a_table_comes_back_from_its_file() {
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
        let [small, .., rest] = table.shelves.0;
        assert!(small.groups > 0 && rest.groups > 0);
        let key = |seed: u64| Key::new(&node(seed, board.len()), board.len());
        let kept =
            |table: &Table| (0..entries).filter(|&seed| table.get(key(seed)) == Some(entry(seed))).count();
        (0..entries).for_each(|seed| table.put(key(seed), entry(seed)));
        let mut file = Vec::new();
        table.save(board, &mut file).unwrap();
        other.load(board, &mut file.as_slice()).unwrap();
        // More than fit in the small shelf.
        assert!(kept(&table) as u64 > small.clusters() * crate::table::CLUSTER as u64);
        assert_eq!(kept(&other), kept(&table));
    }

    #[test]
    fn every_damage_is_noticed() {
        let board: Board = "4x4".parse().unwrap();
        let table = Table::new(1 << 16).unwrap();
        for seed in 0..5 {
            table.put(Key::new(&node(seed, 16), 16), entry(seed));
        }
        let mut file = Vec::new();
        table.save(board, &mut file).unwrap();
        let load = |bytes: &[u8]| Table::new(1 << 16).unwrap().load(board, &mut &*bytes);
        assert!(load(&file).is_ok());
        for at in 0..file.len() {
            let mut bad = file.clone();
            bad[at] ^= 4;
            assert!(load(&bad).is_err(), "byte {at}");
            assert!(load(&file[..at]).is_err(), "cut at {at}");
        }
        let other: Board = "4x5".parse().unwrap();
        let error = Table::new(1 << 16).unwrap().load(other, &mut file.as_slice()).unwrap_err();
        assert_eq!(error.to_string(), "it is for a board of 4x4, not 4x5");
    }
}
