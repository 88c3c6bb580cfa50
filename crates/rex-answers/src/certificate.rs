//! What certificates prove, and with how much; and the bytes of their files.

use std::io::{self, BufRead};
use std::time::Duration;

use rex_proof::{CheckError, CheckLimits, Claim, Report};
use rex_search::Moment;
use rex_search::prove::Proof;
use serde_json::{Map, Value, json};

use crate::answer::seconds;
use crate::compress;

/// A certificate that was read.
pub struct Checked {
    /// What it proves.
    pub report: Report,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Checks a certificate from a file of this many bytes. Calls `watch` with each claim and the bytes so far.
///
/// # Errors
/// If it is not a proof.
pub fn check(
    input: impl BufRead,
    file_bytes: u64,
    watch: &mut dyn FnMut(&Claim, u64),
) -> Result<Checked, CheckError> {
    let started = Moment::now();
    let report = rex_proof::check(input, &CheckLimits::default(), watch)?;
    Ok(Checked { report, file_bytes, time: started.elapsed() })
}

impl Checked {
    /// The object that `prove` and `check` print; `file` is the name of the file, if it has one.
    pub fn json(&self, file: Option<String>) -> Value {
        let Report { state, winner, explicit, claims, bytes, most_live, .. } = &self.report;
        let by_rule: Map<String, Value> =
            self.report.rules_used().map(|(rule, count)| (rule.to_owned(), count.into())).collect();
        let mut object = json!({
            "position": state.to_string(),
            "to_move": state.to_move.to_string(),
            "winner": winner.to_string(),
            "file": file,
            "rules": rules(*explicit),
            "claims": claims,
            "by_rule": by_rule,
            "most_live": most_live,
            "bytes": bytes,
            "file_bytes": self.file_bytes,
            "check_seconds": seconds(self.time),
        });
        if let (None, Value::Object(object)) = (file, &mut object) {
            object.shift_remove("file");
        }
        object
    }
}

/// Which rules a certificate may use.
pub fn rules(explicit: bool) -> &'static str {
    if explicit { "explicit" } else { "full" }
}

/// The object for a file that is not a proof.
pub fn failure(file: Option<String>, error: &CheckError) -> Value {
    let mut object = Map::new();
    object.extend(file.map(|file| ("file".to_owned(), file.into())));
    object.insert("error".to_owned(), error.reason.clone().into());
    object.insert("line".to_owned(), error.line.into());
    object.into()
}

/// The bytes of a certificate's file.
///
/// # Errors
/// If the proof cannot be written.
pub fn file(proof: Proof, compressed: bool) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    proof.write(&mut text)?;
    Ok(if compressed { compress::compress(&text) } else { text })
}
