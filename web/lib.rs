//! The page of `solrex serve`, embedded as it lies in this folder: no build step, nothing from elsewhere.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Where the page asks for it.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// What is in it.
    pub content: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";
const PACKED: &str = "application/zstd";

macro_rules! files {
    ($($path:literal $kind:expr;)*) => {
        &[$(File { path: $path, kind: $kind, content: include_bytes!($path) }),*]
    };
}

/// All files of the page.
pub const FILES: &[File] = files! {
    "index.html" HTML;
    "style.css" STYLE;
    "icon.svg" PICTURE;
    "main.js" SCRIPT;
    "game.js" SCRIPT;
    "board.js" SCRIPT;
    "engine.js" SCRIPT;
    "local.js" SCRIPT;
    "rex.js" SCRIPT;
    "server.js" SCRIPT;
    "offline.js" SCRIPT;
    "service.js" SCRIPT;
    "start.js" SCRIPT;
    "trusted.js" SCRIPT;
    "worker.js" SCRIPT;
    "explore.js" SCRIPT;
    "lines.js" SCRIPT;
    "pairs.js" SCRIPT;
    "beat.js" SCRIPT;
    "review.js" SCRIPT;
    "options.js" SCRIPT;
    "why.js" SCRIPT;
    "play.js" SCRIPT;
    "progress.js" SCRIPT;
    "puzzles.js" SCRIPT;
    "openings.js" SCRIPT;
    "proofs.js" SCRIPT;
    "rules.js" SCRIPT;
    "share.js" SCRIPT;
};

/// The certificates that the page offers.
pub const PROOFS: &[File] = files! {
    "3x3.cert" TEXT;
    "4x4-d3.cert" TEXT;
    "4x4-d1.cert.zst" PACKED;
    "7x7-d3.cert" TEXT;
    "7x7-f2.cert.zst" PACKED;
};

/// The puzzles, made by `scripts/page-puzzles`: one JSON object per line.
pub const PUZZLES: &str = include_str!("puzzles.jsonl");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_embedded_and_nothing_else() {
        let others = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "lib.rs", "puzzles.jsonl"];
        let mut there: Vec<String> = std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !others.contains(&name.as_str()))
            .collect();
        there.sort();
        let mut embedded: Vec<&str> = FILES.iter().chain(PROOFS).map(|file| file.path).collect();
        embedded.sort();
        assert_eq!(there, embedded);
    }

    #[test]
    fn the_page_offers_the_certificates_that_are_there_with_their_sizes() {
        let script = FILES.iter().find(|file| file.path == "proofs.js").unwrap().content;
        let script = std::str::from_utf8(script).unwrap();
        let (_, list) = script.split_once("const PUBLISHED = [\n").unwrap();
        let list = list.split_once("];").unwrap().0;
        assert_eq!(list.lines().count(), PROOFS.len());
        for (line, File { path, content, .. }) in list.lines().zip(PROOFS) {
            assert!(line.starts_with(&format!("  ['{path}', {}, '", content.len())), "{line}");
        }
        assert!(PROOFS.iter().map(|file| file.content.len()).sum::<usize>() < 100_000);
    }

    /// Nobody knows who plays. Comments may speak as the theory does.
    #[test]
    fn the_page_calls_no_player_her() {
        for File { path, content, .. } in FILES.iter().filter(|file| [SCRIPT, HTML].contains(&file.kind)) {
            let text = std::str::from_utf8(content).unwrap();
            let is_comment = |line: &&str| {
                ["//", "*", "/*", "<!--"].iter().any(|sign| line.trim_start().starts_with(sign))
            };
            for line in text.lines().filter(|line| !is_comment(line)) {
                let said = line.split(" // ").next().unwrap_or(line);
                let mut words = said.split(|c: char| !c.is_ascii_alphabetic()).map(str::to_ascii_lowercase);
                assert!(!words.any(|word| ["she", "her", "hers"].contains(&word.as_str())), "{path}: {line}");
            }
        }
    }

    #[test]
    fn the_page_is_small_and_asks_nobody_else() {
        let bytes: usize = FILES.iter().map(|file| file.content.len()).sum();
        // Packed, all of it is some 85 kB.
        assert!(bytes < 256_000, "{bytes} bytes");
        for File { path, content, .. } in FILES {
            let text = std::str::from_utf8(content).unwrap();
            for (at, _) in text.match_indices("//") {
                let address = text[..at].ends_with("http:") || text[..at].ends_with("https:");
                let known =
                    text[at..].starts_with("//www.w3.org/") || text[at..].starts_with("//hexworld.org/");
                assert!(!address || known, "{path}: {}", &text[at..(at + 40).min(text.len())]);
            }
        }
    }
}
