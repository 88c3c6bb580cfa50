//! The page, exactly as in `web/`: no build step, nothing loaded from elsewhere.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::show::answer::V;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($path:literal $kind:expr;)*) => {
        &[$(($path, $kind, include_bytes!(concat!("../../../../web/", $path)))),*]
    };
}

/// Path, type and content.
const FILES: &[(&str, &str, &[u8])] = files! {
    "index.html" HTML;
    "style.css" STYLE;
    "icon.svg" PICTURE;
    "main.js" SCRIPT;
    "game.js" SCRIPT;
    "board.js" SCRIPT;
    "engine.js" SCRIPT;
    "explore.js" SCRIPT;
    "why.js" SCRIPT;
    "play.js" SCRIPT;
    "puzzles.js" SCRIPT;
    "openings.js" SCRIPT;
    "rules.js" SCRIPT;
    "share.js" SCRIPT;
};

/// The response with the puzzles, which are made by `scripts/page-puzzles`.
pub static PUZZLES: LazyLock<Bytes> = LazyLock::new(|| {
    let puzzles: Vec<&str> = include_str!("../../../../web/puzzles.jsonl").lines().collect();
    format!("{{\"v\":{V},\"puzzles\":[{}]}}", puzzles.join(",")).into()
});

/// The file with this path.
pub async fn file(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match FILES.iter().find(|(name, ..)| *name == path) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => super::api::error(StatusCode::NOT_FOUND, "there is nothing here").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served_and_nothing_else() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "puzzles.jsonl")
            .collect();
        there.sort();
        let mut served: Vec<&str> = FILES.iter().map(|(name, ..)| *name).collect();
        served.sort();
        assert_eq!(there, served);
    }

    #[test]
    fn the_page_is_small_and_asks_nobody_else() {
        let bytes: usize = FILES.iter().map(|(_, _, content)| content.len()).sum();
        assert!(bytes < 150_000, "{bytes} bytes");
        for (name, _, content) in FILES {
            let text = std::str::from_utf8(content).unwrap();
            for (at, _) in text.match_indices("//") {
                let address = text[..at].ends_with("http:") || text[..at].ends_with("https:");
                let known =
                    text[at..].starts_with("//www.w3.org/") || text[at..].starts_with("//hexworld.org/");
                assert!(!address || known, "{name}: {}", &text[at..(at + 40).min(text.len())]);
            }
        }
    }
}
