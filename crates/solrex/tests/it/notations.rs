//! Positions in every notation, and `solrex convert` between them.

use crate::common::{SMALL, run, search};

/// Writes a file that other tests do not use.
fn file(name: &str, content: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, content).unwrap();
    format!("@{path}")
}

/// What `solrex convert` prints.
#[track_caller]
fn convert(position: &str, to: &str) -> String {
    let run = run(&["convert", position, "--to", to], b"");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{position}");
    run.out
}

#[test]
fn every_command_takes_every_notation() {
    let sgf = file("puzzle.sgf", "(;GM[11]SZ[4];B[d1];W[a1])");
    for position in
        ["4x4 d1 a1", "w2b/4/4/4 b", "https://hexworld.org/board/#4c1,d1a1", "(;SZ[4];B[d1];W[a1])", &sgf]
    {
        let line = &search(&["moves", "--json", position]).lines()[0];
        assert_eq!(
            (&line["position"], &line["winner"]),
            (&"w2b/4/4/4 b".into(), &"black".into()),
            "{position}"
        );
        let line = &search(&["solve", "--json", position]).lines()[0];
        assert_eq!(line["position"], "w2b/4/4/4 b", "{position}");
        let line = &run(&["explain", "--json", position], b"").lines()[0];
        assert_eq!(line["position"], "w2b/4/4/4 b", "{position}");
        let stream = run(&[&["solve", "--json", "-"][..], &SMALL].concat(), position.as_bytes());
        assert_eq!(stream.lines()[0]["position"], "w2b/4/4/4 b", "{position}");
    }
}

#[test]
fn each_game_of_a_file_is_answered() {
    let two = file("two.sgf", "(;SZ[3])\n(;SZ[2];B[a1])");
    let run = search(&["solve", "--json", &two]);
    let positions: Vec<_> = run.lines().iter().map(|line| line["position"].clone()).collect();
    assert_eq!((run.code, positions), (Some(0), vec!["3/3/3 b".into(), "b1/2 w".into()]));
}

#[test]
fn positions_go_from_notation_to_notation() {
    assert_eq!(convert("4x4 d1 a1", "ren"), "w2b/4/4/4 b\n");
    assert_eq!(convert("4x4 d1 a1", "hexworld"), "https://hexworld.org/board/#4c1,d1a1\n");
    assert_eq!(convert("https://hexworld.org/board/#4c1,d1a1", "moves"), "4x4 d1 a1\n");
    assert_eq!(convert("w2b/4/4/4 b", "hexworld"), "https://hexworld.org/board/#4c1,d1a1\n");
    assert!(convert("w2b/4/4/4 b", "sgf").contains("RU[Rex]SZ[4];AB[d1]AW[a1]PL[B])"));
    assert!(convert("4x4 d1 a1", "sgf").ends_with("SZ[4];B[d1];W[a1])\n"));
    assert!(convert("4x4 d1 a1", "diagram").contains("1 W . . B 1"));
    assert!(convert("4x4 d1 a1", "svg").starts_with("<svg "));
    assert_eq!(
        convert("(;SZ[4];B[d1];W[swap-pieces])", "hexworld"),
        "https://hexworld.org/board/#4c1,d1:s\n"
    );
}

#[test]
fn sgf_keeps_its_variations() {
    let game = "(;GM[11]SZ[4]GN[a name];B[d1](;W[a1]C[the \\] puzzle];B[a2])(;W[c1]))";
    let path = file("variations.sgf", game);
    let written = convert(&path, "sgf");
    assert!(written.contains("GN[a name];B[d1]"), "{written}");
    assert!(written.contains("(;W[a1]C[the \\] puzzle];B[a2])(;W[c1])"), "{written}");
    assert_eq!(convert(&written, "sgf"), written);
    let run = run(&["convert", &path, "--at", "1", "--to", "ren"], b"");
    assert_eq!(run.out, "3b/4/4/4 w\n");
}

#[test]
fn streams_are_converted_line_by_line() {
    let input = b"4x4 d1\nhttps://hexworld.org/board/#2,a1\nnonsense\n(;SZ[2])(;SZ[1])\n";
    let run = run(&["convert", "-", "--to", "ren"], input);
    assert_eq!((run.code, run.out.as_str()), (Some(2), "3b/4/4/4 w\nb1/2 w\n2/2 b\n1 b\n"));
    assert!(run.err.contains("line 3: bad position: 'nonsense' is not a position"), "{}", run.err);
}

#[test]
fn a_file_is_written_and_read_back() {
    let path = format!("{}/written.sgf", env!("CARGO_TARGET_TMPDIR"));
    let written = run(&["convert", "5x4 a1 b2 c3", "--to", "sgf", "-o", &path], b"");
    assert_eq!((written.code, written.out.as_str()), (Some(0), ""));
    assert_eq!(convert(&format!("@{path}"), "moves"), "5x4 a1 b2 c3\n");
    let json = &run(&["convert", "--json", "5x4 a1", "--to", "hexworld"], b"").lines()[0];
    assert_eq!(json["text"], "https://hexworld.org/board/#4x5c1,a1");
}
