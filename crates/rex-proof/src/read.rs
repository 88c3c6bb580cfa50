//! Opens files and reads lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use sha2::{Digest, Sha256};

/// Why a file is not a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct CheckError {
    /// The first line that is wrong, counted from one.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read '{path}': {error}")]
pub struct OpenError {
    path: String,
    error: io::Error,
}

/// Opens a certificate, compressed (zstd) or plain.
///
/// # Errors
/// If the file cannot be read.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, OpenError> {
    let file = File::open(path).map(|file| BufReader::with_capacity(1 << 16, file));
    file.and_then(unpack).map_err(|error| OpenError { path: path.display().to_string(), error })
}

/// The text of a certificate, compressed (zstd) or plain. Damage in compressed data shows up as it is read.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn unpack(mut input: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    if input.fill_buf()?.starts_with(&EMPTY_FRAME[..4]) {
        Ok(Box::new(BufReader::with_capacity(1 << 16, Frames::new(input)?)))
    } else {
        Ok(Box::new(input))
    }
}

/// A zstd frame without contents.
const EMPTY_FRAME: [u8; 9] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];

/// The contents of one zstd frame after another.
struct Frames<R> {
    input: R,
    decoder: FrameDecoder,
}

impl<R: BufRead> Frames<R> {
    fn new(input: R) -> io::Result<Frames<R>> {
        let mut decoder = FrameDecoder::new();
        // Some decoders limit the memory of every frame but the first. So give it a harmless first one.
        let mut first = &EMPTY_FRAME[..];
        decoder.init(&mut first).map_err(io::Error::other)?;
        decoder.decode_blocks(&mut first, BlockDecodingStrategy::All).map_err(io::Error::other)?;
        Ok(Frames { input, decoder })
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.input, one).map_err(io::Error::other)?;
            } else if self.input.fill_buf()?.is_empty() {
                return Ok(0);
            } else {
                self.decoder.init(&mut self.input).map_err(io::Error::other)?;
            }
        }
        self.decoder.read(buffer)
    }
}

/// Lines of limited length, counted and hashed.
pub(crate) struct Lines<R> {
    input: R,
    most: usize,
    buffer: Vec<u8>,
    number: u64,
    bytes: u64,
    hash: Sha256,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R, most: usize) -> Lines<R> {
        Lines { input, most, buffer: Vec::new(), number: 0, bytes: 0, hash: Sha256::new() }
    }

    /// The next line, without its line break; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<&str>, String> {
        self.number += 1;
        self.buffer.clear();
        let most = self.most as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer);
        self.bytes += read.map_err(|error| format!("cannot read any further: {error}"))? as u64;
        self.hash.update(&self.buffer);
        match self.buffer.pop() {
            None => return Ok(None),
            Some(b'\n') if self.buffer.last() == Some(&b'\r') => {
                return Err(
                    "the line ends with a carriage return and a line feed; expected a line feed alone"
                        .to_owned(),
                );
            }
            Some(b'\n') => {}
            Some(_) if self.buffer.len() >= self.most => {
                return Err(format!("longer than {} bytes", self.most));
            }
            Some(_) => return Err("the file ends in the middle of the line".to_owned()),
        }
        std::str::from_utf8(&self.buffer).map(Some).map_err(|_| "not UTF-8 text".to_owned())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of all lines so far.
    pub(crate) fn digest(&self) -> String {
        hex::encode(self.hash.clone().finalize())
    }

    /// An error in the current line. The reason may quote the line, so it is made short and safe for a terminal.
    pub(crate) fn error(&self, reason: String) -> CheckError {
        const MOST: usize = 300;
        let mut shown = String::new();
        for c in reason.chars().take(MOST) {
            if c.is_control() { shown.extend(c.escape_default()) } else { shown.push(c) }
        }
        if reason.chars().nth(MOST).is_some() {
            shown.push('…');
        }
        CheckError { line: self.number, reason: shown }
    }
}
