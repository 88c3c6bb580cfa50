//! Files and lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use ruzstd::decoding::StreamingDecoder;

/// A file is no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct CheckError {
    /// The first line that is wrong, counted from one.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// A file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read '{path}': {error}")]
pub struct OpenError {
    path: String,
    error: io::Error,
}

/// Opens a certificate, compressed (zstd) or plain: the first bytes tell.
///
/// # Errors
/// If the file cannot be read.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, OpenError> {
    const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let failed = |error| OpenError { path: path.display().to_string(), error };
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?);
    if file.fill_buf().map_err(failed)?.starts_with(&ZSTD) {
        let decoder = StreamingDecoder::new(file).map_err(|error| failed(io::Error::other(error)))?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, decoder)))
    } else {
        Ok(Box::new(file))
    }
}

/// Lines of limited length, counted.
pub(crate) struct Lines<R> {
    input: R,
    most: usize,
    buffer: Vec<u8>,
    number: u64,
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R, most: usize) -> Lines<R> {
        Lines { input, most, buffer: Vec::new(), number: 0, bytes: 0 }
    }

    /// The next line without its end; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<&str>, String> {
        self.number += 1;
        self.buffer.clear();
        let most = self.most as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer);
        self.bytes += read.map_err(|error| format!("cannot read on: {error}"))? as u64;
        match self.buffer.pop() {
            None => return Ok(None),
            Some(b'\n') => {}
            Some(_) if self.buffer.len() >= self.most => {
                return Err(format!("longer than {} bytes", self.most));
            }
            Some(_) => return Err("the file ends within the line".to_owned()),
        }
        std::str::from_utf8(&self.buffer).map(Some).map_err(|_| "not text".to_owned())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn error(&self, reason: String) -> CheckError {
        CheckError { line: self.number, reason }
    }
}
