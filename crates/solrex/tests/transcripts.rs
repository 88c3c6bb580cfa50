//! Commands with the output that they should have: those under `tests/cmd`, and those of the README.
//!
//! `TRYCMD=overwrite cargo test -p solrex --test transcripts` writes what the program says now into
//! `tests/cmd`, and what the README should say into `target/tmp/README.md`.

use std::path::{Path, PathBuf};

#[test]
fn commands_say_what_they_should() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

/// Node counts and times in the README are real, but they change from machine to machine and with each
/// improvement of the search, so any number will do there.
#[test]
fn the_readme_shows_real_output() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).expect("there is a README");
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("README.md");
    let text: String = text.lines().map(|line| any_numbers(line) + "\n").collect();
    std::fs::write(&copy, text).expect("the copy can be written");
    trycmd::TestCases::new().case(copy);
}

/// Replaces what stands before ` nodes` and between ` in ` and ` s` by wildcards, and the last two columns of
/// the lines of a table.
fn any_numbers(line: &str) -> String {
    if let Some((before, work)) = line.split_once(", after ")
        && let Some((_, after)) = work.split_once(" s.")
    {
        return format!("{before}, after [..] s.{after}");
    }
    if line.ends_with(" s") && line.contains("   ") {
        let words: Vec<&str> = line.split_whitespace().collect();
        let kept = words.iter().take(words.len().saturating_sub(3)).copied().collect::<Vec<_>>();
        let end = kept.last().and_then(|word| line.rfind(word).map(|at| at + word.len())).unwrap_or(0);
        return format!("{}[..]", &line[..end]);
    }
    line.to_owned()
}
