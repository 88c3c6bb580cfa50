use std::fs::File;
use std::io;
use std::ops::Bound;
use std::sync::Arc;

use parking_lot::Mutex;
use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

/// A file that is not written until we know that it is intact. Writes are held back, and discarded if the file turns
/// out to be damaged or not a store. The original then stays unchanged, to the last byte.
#[derive(Clone, Debug)]
pub struct Shield {
    file: Arc<FileBackend>,
    held: Arc<Mutex<Option<Held>>>,
}

/// What was written, in order, and how long the file would be now.
#[derive(Debug)]
struct Held {
    writes: Vec<Write>,
    len: u64,
}

#[derive(Debug)]
enum Write {
    Len(u64),
    Bytes(u64, Vec<u8>),
}

impl Shield {
    /// Starts to hold back all writes.
    pub fn new(file: File) -> Result<Shield, redb::DatabaseError> {
        let len = file.metadata()?.len();
        let held = Held { writes: Vec::new(), len };
        Ok(Shield { file: Arc::new(FileBackend::new(file)?), held: Arc::new(Mutex::new(Some(held))) })
    }

    /// Writes what was held back, in order. From now on, writes go straight to the file.
    pub fn lift(&self) -> io::Result<()> {
        let mut held = self.held.lock();
        for write in held.take().map(|held| held.writes).unwrap_or_default() {
            match write {
                Write::Len(len) => self.file.set_len(len)?,
                Write::Bytes(offset, data) => self.file.write(offset, &data)?,
            }
        }
        self.file.sync_data()
    }

    /// Reads from the file, with zeros after its end.
    fn read_file(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let there = self.file.len()?.saturating_sub(offset).min(out.len() as u64) as usize;
        out[there..].fill(0);
        self.file.read(offset, &mut out[..there])
    }
}

impl StorageBackend for Shield {
    fn len(&self) -> io::Result<u64> {
        self.held.lock().as_ref().map_or_else(|| self.file.len(), |held| Ok(held.len))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let held = self.held.lock();
        let Some(held) = &*held else { return self.file.read(offset, out) };
        if offset + out.len() as u64 > held.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.read_file(offset, out)?;
        for write in &held.writes {
            match write {
                Write::Len(len) => {
                    let kept = len.saturating_sub(offset).min(out.len() as u64) as usize;
                    out[kept..].fill(0);
                }
                Write::Bytes(start, data) => lay_over(out, offset, data, *start),
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut held = self.held.lock();
        let Some(held) = &mut *held else { return self.file.set_len(len) };
        held.len = len;
        held.writes.push(Write::Len(len));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.held.lock().is_none() { self.file.sync_data() } else { Ok(()) }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut held = self.held.lock();
        let Some(held) = &mut *held else { return self.file.write(offset, data) };
        held.len = held.len.max(offset + data.len() as u64);
        held.writes.push(Write::Bytes(offset, data.to_vec()));
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

/// Copies the part of `data` (which lies at `start`) that overlaps `out` (which lies at `offset`).
fn lay_over(out: &mut [u8], offset: u64, data: &[u8], start: u64) {
    let from = offset.max(start);
    let to = (offset + out.len() as u64).min(start + data.len() as u64);
    if from < to {
        let length = (to - from) as usize;
        out[(from - offset) as usize..][..length].copy_from_slice(&data[(from - start) as usize..][..length]);
    }
}
