//! Certificates.

use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use rex_answers::answer::versioned;
use rex_answers::certificate::{Check, Checked};
use rex_proof::CheckError;

use crate::attention::Attention;
use crate::errors::{not_a_proof, stopped};

const SLICE: Duration = Duration::from_millis(50);

/// Checks a certificate that was read, and returns what it proves as JSON.
#[pyfunction]
#[pyo3(signature = (file, tell))]
pub fn check(py: Python, file: &[u8], tell: Option<Py<PyAny>>) -> PyResult<String> {
    let mut attention = Attention::new(tell.as_ref());
    let checked = checked(py, file.into(), &mut attention);
    match attention.raised() {
        Some(error) => {
            Err(stopped(py, Some(error), "the certificate was not read to its end".to_owned(), py.None()))
        }
        None => Ok(versioned(checked?.json(None)).to_string()),
    }
}

/// Checks a certificate. If `attention` was raised meanwhile, the result means nothing.
pub fn checked(py: Python, file: Arc<[u8]>, attention: &mut Attention) -> PyResult<Checked> {
    let checked = py.detach(|| {
        let mut check = Check::new(file, false)?;
        loop {
            if let Some((checked, _)) = check.go_on(SLICE)? {
                return Ok(checked);
            }
            attention.look("claims", check.progress()["claims"].as_u64().unwrap_or_default());
            if attention.flag().load(std::sync::atomic::Ordering::Relaxed) {
                return Err(CheckError { line: 0, reason: "stopped".to_owned() });
            }
        }
    });
    checked.map_err(|error| not_a_proof(py, &error))
}
