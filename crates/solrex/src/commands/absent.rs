//! A command that this program was built without. It says how to build a program that has it.

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::Ending;

/// Whatever the command would take.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Help for a missing command.
macro_rules! how_to_build {
    ($feature:literal) => {
        concat!(
            "Examples:\n  cargo install solrex --features ",
            $feature,
            "\n  cargo build --release --features ",
            $feature,
            "          # in a copy of the sources\n\nThis program was built without it; these build one that has it."
        )
    };
}
pub(crate) use how_to_build;

/// Refuses, and says what to do.
pub fn run(_: &Args, feature: &str) -> Result<Ending> {
    bail!(
        "this program was built without `{feature}`; \
         expected one from `cargo install solrex --features {feature}`, \
         or from `cargo build --release --features {feature}` in a copy of the sources"
    )
}
