//! Commands with the output that they should have: those under `tests/cmd`, and those of the README and the manual.
//!
//! `TRYCMD=overwrite cargo test -p solrex --test it transcripts` records the present output in `tests/cmd`;
//! `scripts/readme` does so in the README and the manual.

use std::path::{Path, PathBuf};

#[test]
fn commands_say_what_they_should() {
    trycmd::TestCases::new().env("SOLREX_DB", "none").env("SOLREX_BOOK", "none").case("tests/cmd/*.trycmd");
}

#[test]
fn the_readme_shows_real_output() {
    shows_real_output("README.md", &["d1.cert"]);
}

#[test]
fn the_manual_shows_real_output() {
    shows_real_output("docs/manual.md", &["tour.redb", "d1.cert"]);
}

/// Runs every command in the console blocks of a page, in an empty folder, where they leave these files.
///
/// Node counts and times on the page are real, but they change from machine to machine and with each improvement of
/// the search, so any number is accepted there. Everything else is the same on every machine with one thread and little
/// memory, so these flags are added.
fn shows_real_output(page: &str, left: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(&path).expect("there is such a page");
    let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(path.file_name().expect("it is a file"));
    let mut in_console = false;
    let mut commands = 0;
    let mut lines = Vec::new();
    for line in text.lines() {
        if in_console && line == "```" {
            // The empty line stands for the end of the last line of output.
            lines.push(String::new());
        }
        in_console = line == "```console" || in_console && line != "```";
        commands += usize::from(in_console && line.starts_with("$ "));
        lines.push(if in_console { any_numbers(line) } else { line.to_owned() });
    }
    assert!(commands > 0, "{page} shows no command");
    std::fs::write(&copy, lines.join("\n")).expect("the copy can be written");
    // trycmd runs the commands in the folder of this name.
    let folder = copy.with_extension("in");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("the folder can be made");
    trycmd::TestCases::new().env("SOLREX_DB", "none").case(copy);
    for name in left {
        assert!(folder.join(name).exists(), "no command of {page} wrote {name}");
    }
}

/// Replaces what a better search changes by wildcards, each value by one of its own: node counts, times, sizes, claims, lines
/// of play, and replies that refute a move. Adds the flags to commands that search.
fn any_numbers(line: &str) -> String {
    let command = line.strip_prefix("$ solrex ").and_then(|words| words.split(' ').next());
    if command.is_some_and(|name| ["solve", "moves", "openings", "prove"].contains(&name)) {
        format!("{line} --threads 1 --memory 64M")
    } else if let Some((before, work)) = line.split_once(", after ")
        && let Some((_, after)) = work.split_once(" s.")
    {
        format!("{before}, after [..] s.{after}")
    } else if line.starts_with("Line of play: ") {
        "Line of play: [..]".to_owned()
    } else if line.starts_with('{') {
        let value = |text: String, name: &str| match text.split_once(&format!("\"{name}\":")) {
            Some((before, after)) => {
                let end = after.find([',', '}']).expect("a number ends");
                format!("{before}\"{name}\":[..]{}", &after[end..])
            }
            None => text,
        };
        ["nodes", "struck", "seconds"].into_iter().fold(line.to_owned(), value)
    } else if line.starts_with("6x6   ") {
        "6x6".to_owned() + &" [..]".repeat(line.split_whitespace().count() - 1)
    } else if line.ends_with(" bytes in 'tour.redb'") {
        "[..] bytes in 'tour.redb'".to_owned()
    } else if let Some(name) =
        ["claims: ", "size: ", "time: "].into_iter().find(|&name| line.starts_with(name))
    {
        format!("{name}[..]")
    } else if line.ends_with(" s") && line.contains("   ") {
        let name = line.split("   ").next().unwrap_or_default();
        let winner = ["Black", "White"].into_iter().find(|winner| line.contains(winner));
        winner.map_or(format!("{name} [..] s"), |winner| format!("{name} [..]{winner} [..] s"))
    } else if line.starts_with("  ") && line.split_whitespace().all(is_refuted) {
        line.split('(')
            .map(|part| part.split_once(')').map_or(part.to_owned(), |(_, next)| format!("[..]){next}")))
            .collect::<Vec<_>>()
            .join("(")
    } else {
        line.to_owned()
    }
}

/// Whether this is a losing move with its reply, such as `b1(c1)`.
fn is_refuted(word: &str) -> bool {
    word.len() == 6 && word.as_bytes()[2] == b'(' && word.ends_with(')')
}
