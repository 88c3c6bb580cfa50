//! Compresses a certificate, as `zstd` would.
//!
//! `ruzstd` writes the format, but only looks for repetitions in the last 128 kB. The lines of a certificate repeat
//! what is megabytes back, so this module finds matches itself. A hash of the next few bytes leads to the earlier
//! places that have it, newest first, and a match waits for a better one that begins a little later. Files are a tenth
//! larger than those of `zstd -9`; `docs/notes.md`, "Build time", says why that is worth it.

use std::num::NonZeroU32;

use ruzstd::encoding::{CompressionLevel, FrameCompressor, Matcher, Sequence};

/// The largest block of the format.
const BLOCK: usize = 128 << 10;
/// How far back a match may be. Every decoder accepts this.
const WINDOW: usize = 8 << 20;
/// The shortest match, in bytes.
const LEAST: usize = 5;
/// How many places with the same hash to try.
const TRIES: usize = 48;
/// How many bytes later a better match may begin.
const PATIENCE: usize = 2;
const HASH_BITS: u32 = 18;

/// The text as a zstd frame.
pub fn compress(text: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    // The level only says how sequences are written; the matcher finds them.
    let mut compressor = FrameCompressor::new_with_matcher(Matches::new(text), CompressionLevel::Fastest);
    compressor.set_source(text);
    compressor.set_drain(&mut frame);
    compressor.compress();
    drop(compressor);
    frame
}

/// Finds repetitions in a text, block by block.
struct Matches<'t> {
    text: &'t [u8],
    /// The current block.
    start: usize,
    end: usize,
    /// By hash: the newest place with it, counted from one.
    newest: Vec<Option<NonZeroU32>>,
    /// By place: the one before it with the same hash.
    older: Vec<Option<NonZeroU32>>,
}

/// Bytes that occurred before.
#[derive(Clone, Copy)]
struct Match {
    len: usize,
    /// How far back.
    offset: usize,
}

impl Match {
    /// Roughly how much it saves, in quarters of a byte.
    fn worth(self) -> usize {
        (4 * self.len).saturating_sub(self.offset.ilog2() as usize)
    }
}

impl<'t> Matches<'t> {
    fn new(text: &'t [u8]) -> Matches<'t> {
        Matches {
            text,
            start: 0,
            end: 0,
            newest: vec![None; 1 << HASH_BITS],
            older: Vec::with_capacity(text.len()),
        }
    }

    fn hash(&self, at: usize) -> usize {
        let mut word = [0; 8];
        word[..LEAST].copy_from_slice(&self.text[at..at + LEAST]);
        (u64::from_le_bytes(word).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HASH_BITS)) as usize
    }

    /// Adds the places before this one to the hash chains.
    fn enter_up_to(&mut self, end: usize) {
        for at in self.older.len()..end {
            let hash = self.hash(at);
            let place = u32::try_from(at + 1).ok().and_then(NonZeroU32::new);
            self.older.push(std::mem::replace(&mut self.newest[hash], place));
        }
    }

    /// The best match that begins here and ends in this block.
    fn best(&mut self, at: usize) -> Option<Match> {
        if at + LEAST > self.end {
            return None;
        }
        self.enter_up_to(at);
        let here = &self.text[at..self.end];
        let mut best: Option<Match> = None;
        let mut place = self.newest[self.hash(at)];
        for _ in 0..TRIES {
            let Some(from) = place.map(|place| place.get() as usize - 1) else { break };
            let offset = at - from;
            if offset > WINDOW {
                break;
            }
            let len = here.iter().zip(&self.text[from..]).take_while(|(one, other)| one == other).count();
            let found = Match { len, offset };
            if len >= LEAST && best.is_none_or(|best| best.worth() < found.worth()) {
                best = Some(found);
            }
            place = self.older[from];
        }
        best
    }
}

impl Matcher for Matches<'_> {
    fn get_next_space(&mut self) -> Vec<u8> {
        vec![0; BLOCK]
    }

    fn get_last_space(&mut self) -> &[u8] {
        &self.text[self.start..self.end]
    }

    fn commit_space(&mut self, space: Vec<u8>) {
        self.start = self.end;
        self.end += space.len();
    }

    fn skip_matching(&mut self) {}

    fn start_matching(&mut self, mut handle_sequence: impl for<'a> FnMut(Sequence<'a>)) {
        // A match never begins a block: ruzstd cannot write a table in which every match directly follows another.
        let (mut written, mut at) = (self.start, self.start + 1);
        while at < self.end {
            let Some(mut found) = self.best(at) else {
                at += 1;
                continue;
            };
            let mut later = 1;
            while later <= PATIENCE {
                match self.best(at + later) {
                    // It must be enough better to pay for the bytes before it.
                    Some(better) if better.worth() > found.worth() + 3 * later + 1 => {
                        at += later;
                        found = better;
                        later = 1;
                    }
                    _ => later += 1,
                }
            }
            let literals = &self.text[written..at];
            handle_sequence(Sequence::Triple { literals, offset: found.offset, match_len: found.len });
            at += found.len;
            written = at;
        }
        if written < self.end {
            handle_sequence(Sequence::Literals { literals: &self.text[written..self.end] });
        }
    }

    fn reset(&mut self, _: CompressionLevel) {}

    fn window_size(&self) -> u64 {
        WINDOW as u64
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn unpacked(frame: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        ruzstd::decoding::StreamingDecoder::new(frame).unwrap().read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn what_is_compressed_comes_out_again() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 60) as u8
        };
        let noise: Vec<u8> = (0..300_000).map(|_| random()).collect();
        for text in [&b""[..], b"a", b"abcde", &[7; 1000], &[7; 3 * BLOCK], &noise, &noise.repeat(2)] {
            assert_eq!(unpacked(&compress(text)), text);
        }
        // Last blocks of every small size, usually a single match.
        let lines = b"12 bw2w/3ww/3ww/3bb/1bbbb w b pairs c1-a4,d1-a5,a2-a3\n".repeat(BLOCK / 50);
        for len in BLOCK - 2..BLOCK + 70 {
            assert_eq!(unpacked(&compress(&lines[..len])), &lines[..len]);
        }
    }

    /// `zstd -9` compresses it to 81,751 bytes.
    #[test]
    fn a_published_certificate_comes_out_at_most_an_eighth_larger_than_zstd_makes_it() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proofs/7x7/a2.cert.zst");
        let text = unpacked(&std::fs::read(file).unwrap());
        let frame = compress(&text);
        assert!(frame.len() < 81_751 / 8 * 9, "{} bytes", frame.len());
        assert_eq!(unpacked(&frame), text);
    }
}
