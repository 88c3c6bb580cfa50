//! Bad input: exit status 2, one clear message on standard error, nothing on standard output.

use std::io::Write;

use crate::common::{run, solrex};

/// The command fails with 2 and says all of this.
#[track_caller]
fn rejects(args: &[&str], says: &[&str]) {
    let run = run(args, b"");
    assert_eq!(run.code, Some(2), "{args:?} {}", run.err);
    assert_eq!(run.out, "", "{args:?}");
    for part in says {
        assert!(run.err.contains(part), "{args:?} should say {part:?}:\n{}", run.err);
    }
    assert!(!run.err.contains("panicked"), "{args:?}\n{}", run.err);
}

#[test]
fn positions() {
    for (position, says) in [
        (
            "1b1w/3x/w2b/2b1 b",
            ["unknown letter 'x'", "expected 'b', 'w'", "\n  1b1w/3x/w2b/2b1 b\n        ^"],
        ),
        ("4/3/4 b", ["row 2 has 3 cells", "expected 4 cells", "\n    ^"]),
        ("9/9/9/9/9/9/9/9/9 b", ["81 cells", "at most 64", "^^^"]),
        ("9x9", ["81 cells", "at most 64", "^^^"]),
        ("0x6", ["0", "expected a number from 1 to 64", "^"]),
        ("/ b", ["row 1 is empty", "at least one cell", "^"]),
        ("6x6 g7", ["'g7'", "expected", "^^"]),
        ("6x6 e3 e3", ["is on a black stone", "expected an empty cell", "       ^^"]),
        ("4/4/4/4", ["missing side to move", "' b' or ' w'", "^"]),
        ("", ["no position", "expected rows", "^"]),
        ("hello", ["'hello' is not a position", "expected rows", "^^^^^"]),
        ("https://hexworld.org/board/#6,a1a1", ["'a1' is on a black stone", "expected an empty cell", "^^"]),
        ("https://example.org/#6", ["the link leads to 'example.org'", "expected 'hexworld.org'", "^^^"]),
        ("(;GM[11]SZ[6];B[h1])", ["line 1, column 17", "'h1' is off the 6x6 board", "^^"]),
    ] {
        for command in ["solve", "moves", "explain"] {
            rejects(&[command, position], &says);
        }
    }
}

#[test]
fn positions_in_several_words_are_one_text() {
    rejects(&["solve", "6x6", "e3", "z9"], &["\n  6x6 e3 z9\n         ^^"]);
}

/// A program that asks with `--json` is answered in JSON, whatever it asks.
#[test]
fn errors_are_json_where_answers_are() {
    for (args, says) in [
        (&["solve", "6x6 g7", "--json"][..], "bad position: move 'g7' is off the 6x6 board"),
        (&["solve", "--json", "--threads", "0", "4x4"], "invalid value '0' for '--threads <N>'"),
        (&["sovle", "4x4", "--json"], "unrecognized subcommand 'sovle'"),
    ] {
        let run = run(args, b"");
        assert_eq!((run.code, run.err.as_str()), (Some(2), ""), "{args:?}");
        let said = run.lines()[0]["error"].as_str().unwrap().to_owned();
        assert!(said.starts_with(says), "{said}");
    }
}

#[test]
fn variables_of_the_environment() {
    for (name, value) in [("SOLREX_THREADS", "many"), ("SOLREX_MEMORY", "2X")] {
        let output = solrex(&["solve", "4x4"]).env(name, value).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            said.contains(&format!("bad value '{value}' of the environment variable {name}: ")),
            "{said}"
        );
    }
    // A flag is stronger.
    let command = ["solve", "4x4 c2", "-v", "--threads", "1", "--memory", "16M"];
    assert!(solrex(&command).env("SOLREX_THREADS", "2").output().unwrap().status.success());
}

#[test]
fn files() {
    rejects(&["solve", "@/no/such/file"], &["cannot read the file '/no/such/file'"]);
    rejects(&["solve", "@/"], &["cannot read the file '/'"]);
    let folder = env!("CARGO_TARGET_TMPDIR");
    for (name, content, says) in [
        ("bad-rows.txt", "4/4/5/4 b\n".as_bytes(), "row 3 has 5 cells"),
        ("bad-drawing.txt", b". .\n . ?\nblack to move\n", "line 2, column 4: unknown symbol '?'"),
        ("game.sgf", b"(;GM[11]SZ[6]\n;B[a1]\n;W[a1])", "line 3, column 4: move 'a1' is on a black stone"),
        ("go.sgf", b"(;GM[1]SZ[6])", "the game type is '1'; expected GM[11], Hex"),
        ("cut-off.sgf", b"(;GM[11]SZ[6", "the value is not closed"),
        ("latin-1.sgf", b"(;C[\xe9]GM[11]SZ[6];B[x])", "move 'x' is off the 6x6 board"),
        ("binary", b"\xff\xfe\x00", "is not text"),
        ("empty.txt", b"", "no position"),
    ] {
        let path = format!("{folder}/{name}");
        std::fs::write(&path, content).unwrap();
        rejects(&["solve", &format!("@{path}")], &[says, name]);
    }
}

/// A message is for people: it quotes some of the input, however long that is, and what has no end is not read to it.
#[test]
fn long_input_is_not_read_whole_and_not_quoted_whole() {
    let path = format!("{}/long-line.txt", env!("CARGO_TARGET_TMPDIR"));
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(&b"w".repeat(100_000_000)).unwrap();
    let long = format!("@{path}");
    let endless = if cfg!(unix) { "@/dev/zero" } else { &long };
    for args in [&["solve", &long][..], &["solve", endless], &["convert", endless, "--to", "ren"]] {
        let run = run(args, b"");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.err.contains("has more than 16777216 bytes; expected a position"), "{}", run.err);
        assert!(run.err.len() < 600, "{}", run.err.len());
    }
    std::fs::remove_file(&path).unwrap();
    let word = "w".repeat(100_000);
    let name = format!("@{word}");
    for args in [&["solve", &word][..], &["solve", &name], &["bench", &word], &["play", &name]] {
        let run = run(args, b"");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.len() < 600, "{}", run.err.len());
    }
}

#[test]
fn several_games_are_no_one_position() {
    let path = format!("{}/two-games.sgf", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, "(;SZ[2])(;SZ[3])").unwrap();
    rejects(&["bench", &format!("@{path}")], &["has 2 games; expected one position"]);
}

#[test]
fn conversions() {
    rejects(&["convert", "4x4"], &["--to"]);
    rejects(&["convert", "4x4", "--to", "pgn"], &["'pgn'", "ren, moves, sgf, hexworld, diagram, svg"]);
    rejects(&["convert", "4x4 a1", "--to", "ren", "--at", "2"], &["--at 2 is after the end", "at most 1"]);
    rejects(&["convert", "b1/2 w", "--to", "moves"], &["cannot be written as moves"]);
    rejects(&["convert", "4x4", "--to", "ren", "-o", "/no/such/file"], &["cannot write '/no/such/file'"]);
}

#[test]
fn flags() {
    rejects(&["solve", "4x4", "--threads", "0"], &["--threads", "from 1 to 1024"]);
    rejects(&["solve", "4x4", "--memory", "much"], &["--memory", "512M"]);
    rejects(&["solve", "4x4", "--memory", "4X"], &["unknown unit 'X'"]);
    rejects(&["solve", "6x6", "--memory", "9000000T"], &["memory"]);
    rejects(&["solve", "4x4", "--time", "soon"], &["--time", "60s"]);
    rejects(&["solve", "4x4", "--nodes", "-5"], &["'-5'"]);
    rejects(&["solve", "4x4", "--color", "pink"], &["pink", "auto, always, never"]);
    rejects(&["solve", "4x4", "--no-theory"], &["--no-theory"]);
    rejects(&["solve"], &["POSITION"]);
    rejects(&["resolve", "4x4"], &["resolve"]);
    rejects(&["openings", "9"], &["81 cells", "at most 64"]);
    rejects(&["openings", "6x"], &["'6x'"]);
    rejects(&["openings", "4x4", "--replies-to", "e5"], &["--replies-to", "'e5'", "^^"]);
    rejects(&["bench", "quickest"], &["'quickest' is not a position"]);
    rejects(&["bench", "5x5", "--check"], &["--check is for the suite 'quick'"]);
    // These never use the store.
    rejects(&["prove", "4x4", "-o", "x", "--no-db"], &["--no-db"]);
    rejects(&["puzzles", "4x4", "--no-db"], &["--no-db"]);
    rejects(&["bench", "--no-db"], &["--no-db"]);
    rejects(&["db", "verify", "--no-db"], &["--no-db"]);
}

#[test]
fn odd_bytes_never_panic() {
    // A fixed xorshift, so that a failure comes back.
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut input = Vec::new();
    for _ in 0..4000 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let alphabet = b"bw/123456789x aceBW-@();[]:#%SZ\xc3\xa9\xff\n\n\r\t\0";
        input.push(alphabet[(seed >> 33) as usize % alphabet.len()]);
    }
    let run = run(&["explain", "--json", "-"], &input);
    assert_eq!(run.code, Some(2));
    assert!(run.lines().iter().all(|line| line["v"] == 1));
}
