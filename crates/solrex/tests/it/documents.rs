//! What the documents point at exists: files, functions, pictures, headings, and in `docs/theory.md` the tests it names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn documents() -> Vec<PathBuf> {
    let at_the_top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    let in_docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    at_the_top.into_iter().chain(in_docs.filter(|path| path.extension().is_some_and(|e| e == "md"))).collect()
}

/// A document in pieces, without its blocks of code: paragraphs, items of lists, rows of tables, headings.
fn pieces(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut in_block = false;
    let mut pieces = vec![String::new()];
    for line in text.lines().map(str::trim) {
        let fence = line.starts_with("```");
        in_block ^= fence;
        if fence || in_block || line.is_empty() {
            pieces.push(String::new());
            continue;
        }
        if ["|", "#", "- ", "* "].iter().any(|start| line.starts_with(start)) {
            pieces.push(String::new());
        }
        let piece = pieces.last_mut().expect("there is always one");
        *piece += line;
        piece.push(' ');
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The code spans of a piece.
fn code(piece: &str) -> impl Iterator<Item = &str> {
    piece.split('`').skip(1).step_by(2)
}

/// The targets of the links and pictures of a piece.
fn links(piece: &str) -> impl Iterator<Item = &str> {
    piece.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// The names by which the headings of a document can be linked to.
fn headings(path: &Path) -> BTreeSet<String> {
    let heading =
        |line: &String| line.starts_with('#').then(|| line.trim_start_matches('#').trim().to_lowercase());
    let anchor = |title: String| -> String {
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    pieces(path).iter().filter_map(heading).map(anchor).collect()
}

#[test]
fn links_and_pictures_lead_somewhere() {
    let mut seen = 0;
    for document in documents() {
        for piece in pieces(&document) {
            for target in links(&piece).filter(|target| !target.contains("://")) {
                let (path, heading) = target.split_once('#').unwrap_or((target, ""));
                let path =
                    if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
                assert!(path.exists(), "{}: {target} is not there", document.display());
                assert!(
                    heading.is_empty() || headings(&path).contains(heading),
                    "{}: {target} has no such heading",
                    document.display()
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

/// Whether a code span is meant as a file or folder of this repository.
fn is_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let folders =
        ["crates/", "docs/", "python/", "scripts/", "train/", "web/", "fuzz/", "verified/", "tools/"];
    span.chars().all(plain)
        && (span.ends_with(".rs") || folders.iter().any(|folder| span.starts_with(folder)))
}

/// Files are named from the top, from `crates/`, or, as ARCHITECTURE.md says, from `rex-search/src`. In one paragraph or
/// row of a table, what follows such a name may be named from its folder, or from its crate's `src`; and a bare file
/// name may stand anywhere.
#[test]
fn files_that_the_documents_name_exist() {
    let sources: BTreeSet<PathBuf> = files_below(&root().join("crates")).into_iter().collect();
    let mut seen = 0;
    for document in documents() {
        for piece in pieces(&document) {
            let mut from = ["", "crates", "crates/rex-search/src"].map(|folder| root().join(folder)).to_vec();
            for span in code(&piece).filter(|span| is_path(span)) {
                let found = from.iter().map(|folder| folder.join(span)).find(|path| path.exists());
                let anywhere = !span.contains('/') && sources.iter().any(|path| path.ends_with(span));
                assert!(found.is_some() || anywhere, "{}: `{span}` is not there", document.display());
                if let Some(path) = found {
                    let of_crate = path.ancestors().find(|folder| folder.ends_with("src"));
                    from.extend(path.parent().into_iter().chain(of_crate).map(Path::to_path_buf));
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

/// The text of every Rust file, with its path.
fn sources() -> Vec<(PathBuf, String)> {
    let files = files_below(&root().join("crates"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "rs"));
    files.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// ARCHITECTURE.md names functions as `name()`, each in one of the files of the same row or item.
#[test]
fn functions_that_the_map_names_exist() {
    let sources = sources();
    let mut seen = 0;
    for piece in pieces(&root().join("ARCHITECTURE.md")) {
        let files: Vec<&str> = code(&piece).filter(|span| span.ends_with(".rs")).collect();
        let is_name = |name: &&str| {
            *name != "name" && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
        };
        for name in code(&piece).filter_map(|span| span.strip_suffix("()")).filter(is_name) {
            let function = format!("fn {name}");
            let has_it = |(path, text): &(PathBuf, String)| {
                files.iter().any(|file| path.ends_with(file)) && text.contains(&function)
            };
            assert!(sources.iter().any(has_it), "`{name}()` is in none of {files:?}");
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn the_theory_names_tests_that_exist() {
    let sources: Vec<String> = sources().into_iter().map(|(_, text)| text).collect();
    let page = pieces(&root().join("docs/theory.md")).concat();
    let is_test = |span: &&str| {
        span.matches('_').count() > 1 && span.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let tests: BTreeSet<&str> = code(&page).filter(is_test).collect();
    for name in &tests {
        let function = format!("fn {name}(");
        assert!(sources.iter().any(|source| source.contains(&function)), "there is no test {name}");
    }
    assert!(tests.len() > 15, "{tests:?}");
}

#[test]
fn every_picture_of_the_theory_is_shown_and_drawn_by_this_program() {
    let page = fs::read_to_string(root().join("docs/theory.md")).unwrap();
    let images = Path::new(env!("CARGO_TARGET_TMPDIR")).join("images");
    let _ = fs::remove_dir_all(&images);
    let status = std::process::Command::new("bash")
        .arg(root().join("scripts/pictures"))
        .arg("theory")
        .env("SOLREX", env!("CARGO_BIN_EXE_solrex"))
        .env("IMAGES", &images)
        .status()
        .expect("bash starts");
    assert!(status.success());
    let names = |folder: &Path| -> BTreeSet<String> {
        let files = files_below(folder).into_iter();
        files.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    };
    let (kept, drawn) = (root().join("docs/images/theory"), images.join("theory"));
    assert_eq!(names(&kept), names(&drawn), "scripts/pictures draws others");
    for name in names(&kept) {
        assert!(page.contains(&format!("](images/theory/{name})")), "{name} is not shown");
        let [kept, drawn] = [&kept, &drawn].map(|folder| fs::read_to_string(folder.join(&name)).unwrap());
        assert!(kept == drawn, "{name} is drawn differently now: look at it, and run scripts/pictures");
    }
}
