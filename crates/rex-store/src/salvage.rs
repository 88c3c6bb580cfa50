//! Reads what is left of a damaged file.

use crate::place::Place;
use crate::record::Record;
use crate::segment::{Segment, sound};

/// The size of a database page, and the first byte of a page with entries.
const PAGE: usize = 4096;
const LEAF: u8 = 1;

/// Every intact record of a damaged file: a store that no longer opens, or a segment. Each record has its own checksum,
/// so nothing else is mistaken for one. It may come up twice, if the file still has an older version.
///
/// Reads the pages of a store without the tree above them. A page holds the number of entries, all keys, all values.
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
