//! Completions, manual pages, version, census, and what `-v` tells.

use std::process::Command;

use crate::common::{run, search};
use serde_json::{Value, json};

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = run(&["completions", shell], b"");
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{shell}");
        for name in ["solve", "puzzles", "htp", "census", "cluster", "audit"] {
            assert!(run.out.contains(name), "{shell} {name}");
        }
    }
    assert_eq!(run(&["completions", "cmd"], b"").code, Some(2));
}

#[test]
fn there_is_a_page_for_every_command() {
    let page = run(&["man"], b"");
    assert_eq!(page.code, Some(0));
    assert!(page.out.contains(".TH solrex 1"), "{}", page.out);
    let folder = format!("{}/man", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(run(&["man", "--dir", &folder], b"").code, Some(0));
    let play = std::fs::read_to_string(format!("{folder}/solrex-play.1")).unwrap();
    assert!(play.contains("Examples:") && play.contains("pie rule"), "{play}");
    let bad = run(&["man", "--dir", "/dev/null/man1"], b"");
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("'/dev/null/man1'"), "{}", bad.err);
}

#[test]
fn the_version_tells_how_it_was_built() {
    let run = run(&["version", "--verbose"], b"");
    for part in ["compiler: rustc ", "target: ", "node signature: ", "minimum compiler: "] {
        assert!(run.out.contains(part), "{part} in {}", run.out);
    }
    let line = &crate::common::run(&["version", "-v", "--json"], b"").lines()[0];
    assert!(line["compiler"].as_str().unwrap().starts_with("rustc "));
    assert_eq!(line["minimum_compiler"], env!("CARGO_PKG_RUST_VERSION"));
}

#[test]
fn every_position_of_3x3_is_counted() {
    let rows = run(&["census", "3x3", "--json"], b"").lines();
    assert_eq!(rows.len(), 10);
    assert_eq!(
        rows[1],
        json!({ "v": 1, "board": "3x3", "stones": 1, "open": 18, "black": 5, "white": 5, "notlast": 8, "over": 0 })
    );
    let all: u64 = rows.iter().map(|row| row["open"].as_u64().unwrap() + row["over"].as_u64().unwrap()).sum();
    assert_eq!(all, 3u64.pow(9));
    for (size, says) in [("5x4", "20 cells; expected at most 16"), ("9x9", "at most 64"), ("x", "'x'")] {
        let run = run(&["census", size], b"");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{size}");
        assert!(run.err.contains(says), "{}", run.err);
    }
}

#[test]
fn verbose_tells_what_is_done_and_when() {
    let run = search(&["openings", "3x3", "-v"]);
    assert_eq!(run.code, Some(0));
    assert!(run.err.starts_with("[0:0") && run.err.contains("] solving a1, 1 of 5\n"), "{}", run.err);
    assert_eq!(run.err.lines().count(), 5, "{}", run.err);
    assert_eq!(search(&["openings", "3x3"]).err, "");
}

/// What is promised about the compiler: every package is content with it, and the README says the same.
#[test]
fn the_stated_compiler_suffices() {
    let root = format!("{}/../..", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", env!("SOLREX_TARGET")])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number =
        |version: &str| -> Vec<u32> { version.split('.').map(|part| part.parse().unwrap()).collect() };
    let stated = number(&format!("{}.99", env!("CARGO_PKG_RUST_VERSION")));
    for package in metadata["packages"].as_array().unwrap() {
        if let Some(needed) = package["rust_version"].as_str() {
            assert!(number(needed) <= stated, "{} needs {needed}", package["name"]);
        }
    }
    let readme = std::fs::read_to_string(format!("{root}/README.md")).unwrap();
    assert!(readme.contains(&format!("You need Rust ({} or later)", env!("CARGO_PKG_RUST_VERSION"))));
}
