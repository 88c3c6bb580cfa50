//! `solrex`: who wins this Rex position, by which moves, and why. All of it is in the library of this package, so that
//! the Python package can run the very same program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(solrex::run(std::env::args_os()))
}
