//! A book is read as it was written, and a damaged one is refused.

use rex_book::{OpeningBook, TEXT, write};
use rex_game::{Player, State};
use rex_search::{Book, BookEntry};

/// A book of these lines, with a check sum that is right.
fn sealed(lines: &[&str]) -> String {
    let text = format!("{}\n", lines.join("\n"));
    let check = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{text}check {check:016x}\n")
}

#[test]
fn what_was_written_is_read_and_written_again() {
    let book = OpeningBook::parse(TEXT).unwrap();
    assert_eq!(write(book.chapters()), TEXT);
}

/// An entry stands for its images, and so do the positions on its line.
#[test]
fn entries_are_found_in_every_image() {
    let book = OpeningBook::parse(&sealed(&["rex-book 1", "board 3x3 searched", "a1 b1: w c1 a2"])).unwrap();
    let find = |position: &str| {
        let state: State = position.parse().unwrap();
        let name = |entry: BookEntry| entry.best.map(|cell| state.board().name(cell));
        book.find(&state).map(|entry| (entry.winner, name(entry)))
    };
    assert_eq!(find("3x3 a1 b1"), Some((Player::White, Some("c1".to_owned()))));
    // Half a turn; and the reflection, where White began.
    assert_eq!(find("3x3 c3 b3"), Some((Player::White, Some("a3".to_owned()))));
    assert_eq!(find("w2/b2/3 w"), Some((Player::Black, Some("a3".to_owned()))));
    assert_eq!(find("3x3 a1 b1 c1"), Some((Player::White, Some("a2".to_owned()))));
    assert_eq!(find("3x3 a1 b1 c1 a2"), Some((Player::White, None)));
    assert_eq!(find("bw1/3/3 w"), None);
    assert_eq!((find("3x3 a1"), find("4x4 a1 b1")), (None, None));
}

/// Another byte in its place, and whatever is missing at the end, is noticed.
#[test]
fn a_damaged_book_is_refused() {
    for at in (0..TEXT.len()).step_by(5) {
        let mut bytes = TEXT.as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'3' { b'4' } else { b'3' };
        let text = String::from_utf8(bytes).unwrap();
        assert!(OpeningBook::parse(&text).is_err(), "byte {at}");
        assert!(at % 95 > 0 || OpeningBook::parse(&TEXT[..at]).is_err(), "cut off at {at}");
    }
    assert!(OpeningBook::parse(&format!("{TEXT}\n")).is_err());
    assert!(OpeningBook::parse(&TEXT.replace('\n', "\r\n")).is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    for (lines, line, reason) in [
        (&["rex-book 2"][..], 1, "expected 'rex-book 1'"),
        (&["rex-book 1", "a1: w"], 2, "an entry before the first board"),
        (&["rex-book 1", "board 3x3"], 2, "expected a board, and how it was found"),
        (&["rex-book 1", "board 9x9 searched"], 2, "'9x9' is not a board"),
        (&["rex-book 1", "board 3x3 guessed"], 2, "'guessed' is not how a position is found"),
        (&["rex-book 1", "board 3x3 searched", "a1 w"], 3, "expected moves, a colon, and the winner"),
        (&["rex-book 1", "board 3x3 searched", "a1: x"], 3, "'x' is not a player; expected 'b' or 'w'"),
        (&["rex-book 1", "board 3x3 searched", "a1: w d1"], 3, "'d1' is not a move here"),
        (&["rex-book 1", "board 3x3 searched", "a1 a1: w"], 3, "'a1' is not a move here"),
        (&["rex-book 1", "board 3x3 searched", "a1: w b1 b1"], 3, "'b1' is not a move here"),
        (&["rex-book 1", "board 3x3 searched", "a1: w", "c3: w"], 4, "this position has an entry already"),
        (
            &["rex-book 1", "board 3x3 searched", "a1 b1 a2 b2 a3: b"],
            3,
            "the winner loses at the end of the line",
        ),
        (&["rex-book 1", "board 3x3 searched", "a1 b1 a2 b2 a3 b3: w"], 3, "'b3' is not a move here"),
        (&["rex-book 1", "board 3x3 searched", ": b a1", "a1: w"], 5, "two lines disagree on who wins"),
    ] {
        let error = OpeningBook::parse(&sealed(lines)).unwrap_err();
        assert!(error.line == line && error.reason.starts_with(reason), "{lines:?}: {error}");
    }
    assert!(OpeningBook::parse("").is_err());
}
