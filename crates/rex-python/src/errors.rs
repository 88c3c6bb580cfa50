//! What goes wrong, as exceptions of the package. `solrex/errors.py` has their classes.

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use rex_game::NotationError;
use rex_proof::CheckError;

/// A text that is not a position, with the place in it. Python counts characters.
pub fn bad_text(py: Python, error: &NotationError, text: &str) -> PyErr {
    let characters = |at: usize| text.char_indices().take_while(|&(place, _)| place < at).count();
    let span = error.span();
    let message = error.render(text);
    raise(py, "PositionError", (message, text, characters(span.start), characters(span.end)))
}

/// A file that is not a proof.
pub fn not_a_proof(py: Python, error: &CheckError) -> PyErr {
    raise(py, "ProofError", (error.to_string(), error.line, error.reason.as_str()))
}

/// A search that ended before it had what was asked for: because of a limit or, with `cause`, because Python wants it to.
/// Ctrl-C becomes an exception that says what is known; anything else a signal handler raises goes on as it is.
pub fn stopped(py: Python, cause: Option<PyErr>, message: String, known: Py<PyAny>) -> PyErr {
    match cause {
        None => raise(py, "Stopped", (message, known)),
        Some(cause) if cause.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) => {
            let error = raise(py, "Interrupted", (message, known));
            error.set_cause(py, Some(cause));
            error
        }
        Some(cause) => cause,
    }
}

/// An argument that cannot be.
pub fn bad_value(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// A store or a table that cannot be had.
pub fn unusable(message: impl std::fmt::Display) -> PyErr {
    PyOSError::new_err(message.to_string())
}

fn raise<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("solrex.errors").and_then(|errors| errors.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}
