//! Commands with the output that they should have: those under `tests/cmd`, and those of the README.
//!
//! `TRYCMD=overwrite cargo test -p solrex --test transcripts` writes what the program says now into
//! `tests/cmd`; `scripts/readme` does so in the README.

use std::path::{Path, PathBuf};

#[test]
fn commands_say_what_they_should() {
    trycmd::TestCases::new().env("SOLREX_DB", "none").case("tests/cmd/*.trycmd");
}

/// Node counts and times in the README are real, but they change from machine to machine and with each
/// improvement of the search, so any number will do there. The rest is the same on every machine with one
/// thread, so that is what is asked for, and little memory.
#[test]
fn the_readme_shows_real_output() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).expect("there is a README");
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("README.md");
    let mut in_console = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if in_console && line == "```" {
            // The empty line stands for the end of the last line of output.
            lines.push(String::new());
        }
        in_console = line == "```console" || in_console && line != "```";
        lines.push(if in_console { any_numbers(line) } else { line.to_owned() });
    }
    std::fs::write(&copy, lines.join("\n")).expect("the copy can be written");
    // The store of the tour begins empty, and lies where the commands run.
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("tour.redb");
    let _ = std::fs::remove_file(&store);
    trycmd::TestCases::new().env("SOLREX_DB", "none").case(copy);
    std::fs::remove_file(store).expect("the tour has made its store");
}

/// Replaces node counts and times by wildcards (in sentences, in the JSON, in the last columns of tables, and in what
/// the store tells of itself), and adds the flags to commands that search.
fn any_numbers(line: &str) -> String {
    let command = line.strip_prefix("$ solrex ").and_then(|words| words.split(' ').next());
    if command.is_some_and(|name| ["solve", "moves", "openings"].contains(&name)) {
        format!("{line} --threads 1 --memory 64M")
    } else if let Some((before, work)) = line.split_once(", after ")
        && let Some((_, after)) = work.split_once(" s.")
    {
        format!("{before}, after [..] s.{after}")
    } else if let Some((before, _)) = line.split_once(r#""nodes":"#) {
        format!(r#"{before}"nodes":[..]}}"#)
    } else if line.starts_with("6x6   ") {
        "6x6   [..]".to_owned()
    } else if line.ends_with(" bytes in 'tour.redb'") {
        "[..] bytes in 'tour.redb'".to_owned()
    } else if line.ends_with(" s") && line.contains("   ") {
        let name = line.split("   ").next().unwrap_or_default();
        let winner = ["Black", "White"].into_iter().find(|winner| line.contains(winner));
        winner.map_or(format!("{name} [..] s"), |winner| format!("{name} [..]{winner} [..] s"))
    } else {
        line.to_owned()
    }
}
