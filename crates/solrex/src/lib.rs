//! `solrex`: who wins this Rex position, by which moves, and why.
//!
//! [`run`] is the whole program. The rest of what is public serves the Python package, which says the same as the program.
//!
//! - `cli` is the command line, `commands` has one file per subcommand,
//! - `arguments` is what they take, `show` what they print, draw and report,
//! - `server` is `solrex serve`, `htp` the protocol of HexGui,
//! - `system` is standard input, signals and files,
//! - `classes` lists moves up to symmetry. What is not about a terminal, a file or HTTP is in [`rex_answers`].

// Without the page, code that only the page uses is unused.
#![cfg_attr(not(feature = "serve"), allow(dead_code, unused_imports))]

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;
use serde_json::json;

mod arguments;
mod classes;
mod cli;
mod commands;
mod htp;
pub mod said;
#[cfg(feature = "serve")]
mod server;
mod show;
mod system;

pub use arguments::solver::{cores, default_memory};
pub use arguments::units;

/// What is known before a search: the book, and a store of solved positions.
pub mod known {
    pub use crate::arguments::solver::store::{FROM, Kept, solver};
}

/// How a command ended, when no error stopped it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// Everything asked for is answered.
    Answered = 0,
    /// A check failed.
    CheckFailed = 1,
    /// Some input was bad.
    BadInput = 2,
    /// A limit, Ctrl-C or another signal stopped a search.
    Stopped = 3,
}

/// Runs the program with these arguments, of which the first is its name, and returns its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = cli::in_full(arguments.into_iter().collect());
    let json = arguments.iter().any(|argument| argument == "--json");
    let cli = match cli::Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) if json && error.use_stderr() => {
            let message = error.render().to_string();
            let sentence = message.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
            let sentence =
                sentence.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = show::output::json(json!({ "error": sentence }));
            return Ending::BadInput as u8;
        }
        Err(error) => {
            // Help and version come this way too, with exit code 0. Ignore it if nobody can read it.
            let _ = error.print();
            return error.exit_code() as u8;
        }
    };
    match cli.run() {
        Ok(status) => status as u8,
        Err(error) if show::output::is_broken_pipe(&error) => 0,
        Err(error) if json => {
            let _ = show::output::json(json!({ "error": show::text::error(&error) }));
            Ending::BadInput as u8
        }
        Err(error) => {
            let label = show::style::paint(show::style::ERROR, "error:");
            let _ = writeln!(anstream::stderr(), "{label} {}", show::text::error(&error));
            Ending::BadInput as u8
        }
    }
}
