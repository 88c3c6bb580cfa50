//! Reader and checker: see `invariant.rs`.
#![no_main]

#[path = "../invariant.rs"]
mod invariant;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariant::holds_for(bytes));
