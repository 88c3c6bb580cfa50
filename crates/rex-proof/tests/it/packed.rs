//! Compressed certificates, whole and broken. Broken ones fail at the line where the text ends.

use std::io::Cursor;

use rex_proof::{CheckError, CheckLimits, Report, check, seal, unpack};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

fn run(bytes: Vec<u8>) -> Result<Report, CheckError> {
    let text = unpack(Cursor::new(bytes)).expect("bytes in memory can be read");
    check(text, &CheckLimits::default(), &mut |_, _| {})
}

/// A frame of blocks as they are, with this window descriptor.
fn frame(window: u8, blocks: &[&[u8]]) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &[0, window]].concat();
    for (i, block) in blocks.iter().enumerate() {
        let last = u32::from(i + 1 == blocks.len());
        bytes.extend_from_slice(&((block.len() as u32) << 3 | last).to_le_bytes()[..3]);
        bytes.extend_from_slice(block);
    }
    bytes
}

/// A frame of `count` blocks of the same byte, each 128 KiB.
fn same_byte(window: u8, byte: u8, count: u32) -> Vec<u8> {
    let mut bytes = [&MAGIC[..], &[0, window]].concat();
    for i in 0..count {
        let last = u32::from(i + 1 == count);
        bytes.extend_from_slice(&((128 << 10) << 3 | 1 << 1 | last).to_le_bytes()[..3]);
        bytes.push(byte);
    }
    bytes
}

fn certificate() -> String {
    seal("rex-certificate 1\nboard 1x3\nrules full\n1 3 w w pairs a1-c1\n", 1)
}

fn refused(bytes: Vec<u8>, line: u64, reason: &str) {
    let error = run(bytes).expect_err(reason);
    assert!(error.line == line && error.reason.contains(reason), "{error}");
}

#[test]
fn one_frame_or_several() {
    let text = certificate();
    let (one, other) = text.as_bytes().split_at(40);
    assert!(run(frame(0x50, &[text.as_bytes()])).is_ok());
    assert!(run(frame(0x50, &[one, b"", other])).is_ok());
    assert!(run([frame(0x50, &[one]), frame(0x50, &[]), frame(0x50, &[b""])].concat()).is_err());
    assert!(run([frame(0x50, &[one]), frame(0x50, &[b""]), frame(0x50, &[other])].concat()).is_ok());
}

#[test]
fn nothing_may_follow() {
    let whole = frame(0x50, &[certificate().as_bytes()]);
    refused([whole.clone(), frame(0x50, &[b"more\n"])].concat(), 7, "after the end");
    refused([whole.clone(), b"plain".to_vec()].concat(), 7, "cannot read any further");
    refused([whole.clone(), MAGIC.to_vec()].concat(), 7, "cannot read any further");
    refused([whole, vec![0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]].concat(), 7, "cannot read any further");
}

/// Wherever a compressed file is cut off, the line is named.
#[test]
fn a_truncated_file_is_refused() {
    let text = certificate();
    let (one, other) = text.as_bytes().split_at(40);
    let whole = frame(0x50, &[one, other]);
    for end in 0..whole.len() {
        let error = run(whole[..end].to_vec()).expect_err("it is cut off");
        // The second block, from line 3 on, is there as a whole or not at all.
        assert!((1..=3).contains(&error.line), "{end}: {error}");
    }
    assert!(run(whole).is_ok());
}

#[test]
fn a_changed_byte_is_refused_or_harmless() {
    let whole = frame(0x50, &[certificate().as_bytes()]);
    let report = run(whole.clone()).expect("it is a proof");
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            if let Ok(other) = run(bytes) {
                assert_eq!(other, report, "byte {at}, bit {bit}");
            }
        }
    }
}

/// 400 kB that unpack to 12 GB: a line of 16 kB is all that is looked at.
#[test]
fn a_bomb_is_one_long_line() {
    refused(same_byte(0x50, b'1', 100_000), 1, "longer than 16384 bytes");
    refused(same_byte(0x50, b'\n', 100_000), 1, "not a certificate");
}

/// The window is what an unpacker has to keep in memory: here up to 3.75 TB, filled with 12 GB.
#[test]
fn a_frame_that_wants_much_memory_is_refused() {
    for window in [0x90, 0xa0, 0xb8, 0xff] {
        refused(same_byte(window, b'1', 100_000), 1, "cannot read any further");
    }
    // One that says that it is a single piece of 2^63 bytes.
    let piece = [&MAGIC[..], &[0xe0], &(1u64 << 63).to_le_bytes(), &[0x0b, 0, 0x10, b'1']].concat();
    refused(piece, 1, "cannot read any further");
}
