//! The entries of a table in a file.
//!
//! ```text
//!  8 bytes  the number of clusters
//! 24 bytes  for each entry: cluster, check of the key, data
//! 24 bytes  zeros: the end
//! ```
//!
//! On boards of up to 36 cells the address follows from the check and nine bits of the cluster, so the entries fit a table
//! of any size. On larger boards they fit only tables that are no larger. (Entries in the small shelves of a larger table
//! are lost if the new one has no such shelf.)

use std::io::{Read, Write};

use rex_game::Board;

use super::key::{ADDRESS_BITS, Key};
use super::{CACHE_LINE, GROUP, Shelf, Shelves, Table, Word};
use crate::checkpoint::{CheckpointError, Reader, Writer};
use crate::known::Entry;

const ENTRY: usize = 24;

impl Table {
    /// Writes all entries. Other threads may keep running; what they change in the meantime may be missing.
    pub fn save(&self, out: &mut Writer<impl Write>) -> std::io::Result<()> {
        out.write(&self.shelves.clusters().to_le_bytes())?;
        let starts = [0, self.shelves.last().start];
        for (slots, start) in [Some(&self.small), self.rest_so_far()].into_iter().zip(starts) {
            let Some(slots) = slots else { continue };
            for cluster in slots.used() {
                for slot in slots.cluster(cluster) {
                    let data = slot.data.read();
                    if data != 0 {
                        let check = slot.check.read() ^ data;
                        for word in [start + cluster, check, data] {
                            out.write(&word.to_le_bytes())?;
                        }
                    }
                }
            }
        }
        out.write(&[0; ENTRY])
    }

    /// Reads all entries.
    pub fn load(&self, board: Board, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        let clusters = input.word()?;
        let known = Shelves::new(clusters);
        if known.clusters() != clusters {
            return Err(CheckpointError::Damaged);
        }
        let exact = Key::fits_any_table(board.len());
        if self.shelves.clusters() > clusters && !exact {
            return Err(CheckpointError::TooSmall(clusters.saturating_mul(CACHE_LINE as u64)));
        }
        loop {
            let (cluster, check, data) = (input.word()?, input.word()?, input.word()?);
            if data == 0 {
                return Ok(());
            }
            let entry = Entry::of_word(data);
            if cluster >= clusters || entry.bounds.checked().is_none() {
                return Err(CheckpointError::Damaged);
            }
            if exact {
                self.put(Key::of_cluster(cluster, check), entry);
                continue;
            }
            let shelf = known.iter().filter(|shelf| shelf.start <= cluster).last().expect("one begins at 0");
            let [first, last] = addresses(shelf, cluster);
            self.put(Key { address: first, check }, entry);
            let differs = |shelf: &Shelf| shelf.cluster(first) != shelf.cluster(last);
            if self.shelves.iter().any(differs) {
                self.put(Key { address: last, check }, entry);
            }
        }
    }
}

/// The first and the last address that lead to a cluster of a shelf.
fn addresses(shelf: &Shelf, cluster: u64) -> [u64; 2] {
    let (group, low) = ((cluster - shelf.start) / GROUP, cluster % GROUP);
    let begin =
        |group: u64| ((u128::from(group) << (64 - ADDRESS_BITS)).div_ceil(u128::from(shelf.groups))) as u64;
    [begin(group), begin(group + 1) - 1].map(|high| high << ADDRESS_BITS | low)
}
