use std::fmt::Write;

use rex_game::{Board, Cell};

use crate::{Chapter, HEAD};

/// A book as text.
pub fn write(chapters: &[Chapter]) -> String {
    let mut text = format!("{HEAD}\n");
    for Chapter { board, source, entries } in chapters {
        let _ = writeln!(text, "board {board} {source}");
        for entry in entries {
            let _ = write!(text, "{}: {}", names(*board, &entry.moves), entry.winner.letter());
            if !entry.line.is_empty() {
                let _ = write!(text, " {}", names(*board, &entry.line));
            }
            text.push('\n');
        }
    }
    let check = check(&text);
    let _ = writeln!(text, "check {check:016x}");
    text
}

fn names(board: Board, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| board.name(cell)).collect::<Vec<_>>().join(" ")
}

/// FNV-1a over 64 bits. It notices every change of a single byte.
pub(crate) fn check(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
