//! What can still be read of a damaged file.

use crate::place::Place;
use crate::record::Record;
use crate::segment::{Segment, sound};

/// The size of a page of the database, and what the first byte of one with entries is.
const PAGE: usize = 4096;
const LEAF: u8 = 1;

/// Every intact record of a damaged file: a store that no longer opens, or a segment. Each record has its own checksum, so
/// nothing is mistaken for a record. One may come twice, because an older version of it may still be in the file.
///
/// The pages of a store are read one by one, without the tree over them: number of entries, all keys, all values.
pub fn salvage(bytes: &[u8]) -> Vec<(Place, Record)> {
    if let Some(segment) = Segment::of_damaged(bytes) {
        return segment.records;
    }
    let mut records = Vec::new();
    for page in bytes.chunks(PAGE).filter(|page| page.len() > 4 && page[0] == LEAF) {
        let count = usize::from(u16::from_le_bytes([page[2], page[3]]));
        let (keys, values) = page[4..].split_at((count * Place::BYTES).min(page.len() - 4));
        let keys = keys.as_chunks::<{ Place::BYTES }>().0;
        let values = values.as_chunks::<{ Record::BYTES }>().0;
        records.extend(keys.iter().zip(values).take(count).filter_map(|(key, value)| sound(key, value)));
    }
    records
}
