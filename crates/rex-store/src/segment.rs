//! Solved positions for exchange: a file of a header and sorted records, to be published and searched by bisection.
//!
//! ```text
//! 16 bytes  solrex-solved-1 and a newline
//!  2 bytes  rows and columns of the board; then 6 zeros
//!  8 bytes  number of records, little-endian
//! 32 bytes  SHA-256 of the header so far and of the records
//! 24 bytes  for each record: Black's cells, White's cells (8 bytes each, the highest first), and what is known
//! ```

use std::io::{Read, Write};

use rex_game::Board;
use sha2::{Digest, Sha256};

use crate::place::Place;
use crate::record::Record;
use crate::store::read_entry;

const MAGIC: [u8; 16] = *b"solrex-solved-1\n";
const HEAD: usize = 32;
const RECORD: usize = 24;

/// Why a segment cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The file cannot be read, or ends too early.
    #[error("it cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// It is not a segment.
    #[error("it is not a segment of this version; expected a file written by 'solrex db export'")]
    NotOne,
    /// It was changed after it was written.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
}

/// Writes the records of one board, which must be sorted.
///
/// # Errors
/// If it cannot be written.
pub fn write(out: &mut impl Write, board: Board, records: &[(Place, Record)]) -> std::io::Result<()> {
    let mut body = Vec::with_capacity(records.len() * RECORD);
    for (place, record) in records {
        body.extend_from_slice(&place.bytes()[2..]);
        body.extend_from_slice(&record.bytes(place));
    }
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&[board.rows() as u8, board.cols() as u8, 0, 0, 0, 0, 0, 0]);
    head.extend_from_slice(&(records.len() as u64).to_le_bytes());
    let digest = Sha256::new().chain_update(&head).chain_update(&body).finalize();
    out.write_all(&head)?;
    out.write_all(&digest)?;
    out.write_all(&body)
}

/// What is in a segment.
#[derive(Debug, Default)]
pub struct Segment {
    /// The intact records.
    pub records: Vec<(Place, Record)>,
    /// The number of other records: those that cannot be solved positions, or have a flaw.
    pub flawed: u64,
}

/// Reads all records. The digest shows that the file is complete, not that its answers are true.
///
/// # Errors
/// If it is not a segment, or is damaged.
pub fn read(input: &mut impl Read) -> Result<Segment, SegmentError> {
    let mut head = [0; HEAD];
    let mut digest = [0; 32];
    input.read_exact(&mut head)?;
    if head[..16] != MAGIC {
        return Err(SegmentError::NotOne);
    }
    input.read_exact(&mut digest)?;
    let mut body = Vec::new();
    input.read_to_end(&mut body)?;
    let count = u64::from_le_bytes(head[24..].try_into().expect("8 bytes"));
    if Some(body.len() as u64) != count.checked_mul(RECORD as u64) {
        return Err(SegmentError::Damaged("it has the wrong number of records"));
    }
    if digest[..] != Sha256::new().chain_update(head).chain_update(&body).finalize()[..] {
        return Err(SegmentError::Damaged("its digest does not match its content"));
    }
    if !body.as_chunks::<RECORD>().0.is_sorted_by(|one, other| one[..16] < other[..16]) {
        return Err(SegmentError::Damaged("its records are not sorted"));
    }
    Ok(Segment::new([head[16], head[17]], &body))
}

impl Segment {
    /// Separates the intact records of a board of this size from the others.
    fn new(size: [u8; 2], body: &[u8]) -> Segment {
        let mut segment = Segment::default();
        for bytes in body.as_chunks::<RECORD>().0 {
            let mut key = [0; Place::BYTES];
            key[..2].copy_from_slice(&size);
            key[2..].copy_from_slice(&bytes[..16]);
            match sound(&key, bytes[16..].try_into().expect("8 bytes")) {
                Some(record) => segment.records.push(record),
                None => segment.flawed += 1,
            }
        }
        segment
    }

    /// What is left of a damaged segment: its intact records. None if it is not a segment.
    pub(crate) fn of_damaged(bytes: &[u8]) -> Option<Segment> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let &[rows, cols] = rest.first_chunk()?;
        Some(Segment::new([rows, cols], bytes.get(HEAD + 32..).unwrap_or_default()))
    }
}

/// The solved position in these bytes of a file, if there is one and it has no flaw.
pub(crate) fn sound(key: &[u8; Place::BYTES], value: &[u8; Record::BYTES]) -> Option<(Place, Record)> {
    read_entry(key, value).filter(|(place, record)| place.flaw(record).is_none())
}
