//! Standard input and output: streams of positions, colour, closed pipes, Ctrl-C.

use std::io::{BufRead, Read, Write};
use std::process::Stdio;

use crate::common::{BARE, LONG, SMALL, run, search, solrex, talk};
use serde_json::json;

#[test]
fn a_stream_answers_line_by_line_and_survives_bad_lines() {
    let input = b"4x4 d1\n\n# a remark\n4/4/4 x\n3x3\n  4x4 c2  \n";
    let run = run(&[&["solve", "--json", "-"][..], &SMALL].concat(), input);
    assert_eq!(run.code, Some(2));
    let lines = run.lines();
    assert_eq!(lines.len(), 4);
    let winners: Vec<_> = lines.iter().map(|line| line["winner"].clone()).collect();
    assert_eq!(winners, [json!("black"), json!(null), json!("white"), json!("white")]);
    assert_eq!((&lines[1]["v"], &lines[1]["line"]), (&json!(1), &json!(4)));
    assert!(lines[1]["error"].as_str().unwrap().contains("expected 'b' or 'w'"));
}

#[test]
fn a_stream_in_text_says_which_line_is_bad() {
    let run = run(&[&["solve", "-"][..], &SMALL].concat(), b"2x2\n2x\n3x3\n");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("line 2: bad position"), "{}", run.err);
    assert!(run.out.contains("Black wins") && run.out.contains("White wins"), "{}", run.out);
}

#[test]
fn a_line_that_is_too_long_is_quoted_in_part_and_the_stream_goes_on() {
    let mut input = b"2x2\n# ".to_vec();
    input.extend(b"#".repeat(2_000_000));
    input.push(b'\n');
    input.extend(b"b".repeat(100_000_000));
    input.extend(b"\n");
    input.extend(b"w".repeat(100_000));
    input.extend(b"\n3x3\n");
    let args = [&["solve", "--json", "-"][..], &SMALL].concat();
    let json = run(&args, &input);
    assert_eq!(json.code, Some(2), "{}", json.err);
    let lines = json.lines();
    assert_eq!(lines.len(), 4, "{}", json.out);
    assert_eq!([&lines[0]["winner"], &lines[3]["winner"]], ["black", "white"]);
    for (line, number, says) in
        [(1, 3, "a line of more than 1048576 bytes"), (2, 4, "row 1 has 100000 cells")]
    {
        assert_eq!(lines[line]["line"], number);
        assert!(lines[line]["error"].as_str().unwrap().contains(says), "{}", lines[line]);
        assert!(lines[line].to_string().len() < 1000, "{}", lines[line]);
    }
    let text = run(&[&["solve", "-"][..], &SMALL].concat(), &input);
    assert_eq!(text.code, Some(2));
    assert!(text.err.contains("error: line 3: a line of more than 1048576 bytes; expected a position\n"));
    assert!(text.err.len() < 1000, "{}", text.err.len());
}

#[cfg(unix)]
#[test]
fn a_line_without_end_ends_the_stream() {
    let zeros = std::fs::File::open("/dev/zero").unwrap();
    let output = solrex(&[&["solve", "-"][..], &SMALL].concat()).stdin(zeros).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err.contains("a line of more than 1048576 bytes") && err.contains("a line does not end"),
        "{err}"
    );
    assert!(err.len() < 1000, "{}", err.len());
}

#[test]
fn the_table_stays_warm_and_counts_are_of_a_line_alone() {
    let input = format!("{LONG}\n{LONG}\n");
    let run = run(&[&["solve", "--json", "-"][..], &BARE].concat(), input.as_bytes());
    assert_eq!(run.code, Some(0));
    let nodes: Vec<u64> = run.lines().iter().map(|line| line["nodes"].as_u64().unwrap()).collect();
    assert!(nodes[1] < nodes[0] / 2, "{nodes:?}");
}

#[test]
fn answers_come_before_the_stream_ends() {
    let (mut child, mut stdin, mut stdout) = talk(&[&["solve", "--json", "-"][..], &SMALL].concat());
    for position in ["3x3", "2x2"] {
        writeln!(stdin, "{position}").unwrap();
        stdin.flush().unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with(r#"{"v":1,"position""#), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn files_hold_positions_moves_or_drawings() {
    for (name, content) in [
        ("rows.txt", "3b/4/4/4 w\n"),
        ("moves.txt", "4x4\nd1\n"),
        ("drawing.txt", ". . . B\n . . . .\n  . . . .\n   . . . .\nwhite to move\n"),
    ] {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, content).unwrap();
        let run = search(&["solve", "--json", &format!("@{path}")]);
        assert_eq!(run.code, Some(0), "{name} {}", run.err);
        assert_eq!(run.lines()[0]["position"], "3b/4/4/4 w", "{name}");
    }
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let coloured = |args: &[&str], environment: &[(&str, &str)]| {
        let mut command = solrex(&[args, &SMALL].concat());
        let output = command.envs(environment.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    let force = ("CLICOLOR_FORCE", "1");
    assert!(!coloured(&["moves", "2x2"], &[]));
    assert!(coloured(&["moves", "2x2", "--color", "always"], &[]));
    assert!(coloured(&["moves", "2x2"], &[force]));
    assert!(!coloured(&["moves", "2x2"], &[force, ("NO_COLOR", "1")]));
    assert!(!coloured(&["moves", "2x2", "--color", "never"], &[force]));
    assert!(!coloured(&["moves", "2x2", "--json", "--color", "always"], &[]));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = solrex(&[&["solve", "-"][..], &SMALL].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // It may end before it has read all of this.
    let _ = stdin.write_all("2x2\n".repeat(100).as_bytes());
    drop(stdin);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}
