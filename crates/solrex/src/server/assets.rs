//! The page: the files of [`solrex_page`], exactly as they are in `web/`.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use rex_answers::answer::V;

/// The response with the puzzles, which are made by `scripts/page-puzzles`.
pub static PUZZLES: LazyLock<Bytes> = LazyLock::new(|| {
    let puzzles: Vec<&str> = solrex_page::PUZZLES.lines().collect();
    format!("{{\"v\":{V},\"puzzles\":[{}]}}", puzzles.join(",")).into()
});

/// The file with this path.
pub async fn file(uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    match solrex_page::FILES.iter().chain(solrex_page::PROOFS).find(|file| file.path == path) {
        Some(file) => ([(header::CONTENT_TYPE, file.kind)], file.content).into_response(),
        None => super::api::error(StatusCode::NOT_FOUND, "there is nothing here").into_response(),
    }
}
