//! The program `rex-check`: what it prints, and its exit status.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rex_proof::seal;

fn run(args: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rex-check")).args(args).output().expect("it runs")
}

/// A file of this test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_proof() {
    let claims = "1 wb/1w w b all a2=joins\n2 b1/wb b w image transpose 1\n3 w1/1w b b move b1 1\n";
    let sealed = seal(&format!("rex-certificate 1\nboard 2x2\nrules full\n{claims}"), 3);
    let output = run(&[&file("proof.cert", &sealed)]);
    assert_eq!(output.status.code(), Some(0));
    let (said, seconds) = text(&output.stdout).rsplit_once("seconds: ").unwrap();
    assert_eq!(
        said,
        format!(
            "proved: w1/1w b\nwinner: black\nrules: full\nclaims: 3 (move 1, all 1, image 1)\nbytes: {}\n",
            sealed.len()
        )
    );
    assert!(seconds.trim_end().parse::<f64>().is_ok(), "{seconds}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn an_explicit_proof() {
    let sealed = seal("rex-certificate 1\nboard 1x3\nrules explicit\n1 3 w w pairs a1-c1\n", 1);
    let output = run(&[&file("explicit.cert", &sealed)]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("rules: explicit\nclaims: 1 (pairs 1)\n"));
}

#[test]
fn no_proof() {
    let sealed = seal("rex-certificate 1\nboard 1x3\nrules full\n1 3 b b pairs a1-c1\n", 1);
    let output = run(&[&file("false.cert", &sealed)]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.starts_with("not a proof: line 4: the pairs do not force white to connect"), "{said}");
}

#[test]
fn bad_use() {
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "usage: rex-check FILE\n");
    let output = run(&[Path::new("one"), Path::new("two")]);
    assert_eq!(output.status.code(), Some(2));
    let output = run(&[Path::new("no/such.cert")]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.starts_with("error: cannot read 'no/such.cert': "), "{said}");
    assert_eq!(text(&output.stdout), "");
}
