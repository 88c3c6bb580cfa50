//! Solved positions as they travel: sorted records behind a header, in a file that never changes, so that it can be
//! published, mapped into memory and looked up by bisection.
//!
//! ```text
//! 16 bytes  solrex-solved-1 and a newline
//!  2 bytes  rows and columns of the board; then 6 zeros
//!  8 bytes  number of records, little-endian
//! 32 bytes  SHA-256 of the header so far and of the records
//! 24 bytes  for each record: Black's cells, White's cells (8 bytes each, the highest first), and what is known
//! ```

use std::io::{Read, Write};

use rex::Board;
use sha2::{Digest, Sha256};

use crate::place::Place;
use crate::record::Record;

const MAGIC: [u8; 16] = *b"solrex-solved-1\n";
const HEAD: usize = 32;
const RECORD: usize = 24;

/// Why a segment cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The file cannot be read or ends too early.
    #[error("it cannot be read to its end: {0}")]
    Read(#[from] std::io::Error),
    /// It is something else.
    #[error("it is no segment of this version; expected a file written by 'solrex db export'")]
    NotOne,
    /// It is not as it was written.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
}

/// Writes the records of one board, which come sorted.
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

/// Reads all records.
///
/// # Errors
/// If it is no segment, or not as it was written.
pub fn read(input: &mut impl Read) -> Result<Vec<(Place, Record)>, SegmentError> {
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
        return Err(SegmentError::Damaged("it has not as many records as it says"));
    }
    if digest[..] != Sha256::new().chain_update(head).chain_update(&body).finalize()[..] {
        return Err(SegmentError::Damaged("its digest is not that of its content"));
    }
    let mut key = [0; Place::BYTES];
    key[..2].copy_from_slice(&head[16..18]);
    let mut records: Vec<(Place, Record)> = Vec::with_capacity(body.len() / RECORD);
    for bytes in body.chunks_exact(RECORD) {
        if bytes[..16] <= key[2..] && !records.is_empty() {
            return Err(SegmentError::Damaged("its records are not sorted"));
        }
        key[2..].copy_from_slice(&bytes[..16]);
        let value = bytes[16..].try_into().expect("8 bytes");
        let record = Place::from_bytes(&key)
            .and_then(|place| Some((place, Record::from_bytes(&place, value)?)))
            .filter(|(place, record)| place.flaw(record).is_none());
        records.push(record.ok_or(SegmentError::Damaged("a record is none"))?);
    }
    Ok(records)
}
