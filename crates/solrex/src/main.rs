//! Solrex.
fn main() {}
