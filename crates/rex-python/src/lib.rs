//! The solver for Python: the native module of the package `solrex`, whose sources are in `python/`.
//!
//! It has no logic of its own. `State` is a position, `Engine` a solver with its tables, and
//! `Answer` what it found. What people use are the Python classes around them, with their documentation.

// The arguments of a function are those of Python's, which has keywords for them.
#![allow(clippy::too_many_arguments)]

mod answer;
mod attention;
mod check;
mod engine;
mod errors;
mod state;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program `solrex` with these arguments, and returns its exit status.
#[pyfunction]
fn run(py: Python, arguments: Vec<OsString>) -> u8 {
    py.detach(|| solrex::run(arguments))
}

/// The bytes that a text such as `1G` means.
#[pyfunction]
fn read_bytes(text: &str) -> PyResult<u64> {
    solrex::units::bytes(text).map_err(errors::bad_value)
}

/// The seconds that a text such as `2m` means.
#[pyfunction]
fn read_seconds(text: &str) -> PyResult<f64> {
    solrex::units::duration(text).map(|time| time.as_secs_f64()).map_err(errors::bad_value)
}

/// The native module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::answer::Answer;
    #[pymodule_export]
    use super::check::check;
    #[pymodule_export]
    use super::engine::{Engine, notices};
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::{read_bytes, read_seconds, run};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
