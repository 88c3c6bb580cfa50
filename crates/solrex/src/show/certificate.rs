//! What `prove` and `check` say about a certificate.

use std::fmt::Write;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rex_proof::{CheckError, CheckLimits, Claim, Report};
use serde_json::{Map, Value, json};

use crate::show::answer::seconds;
use crate::{show::text, system::interrupt};

/// A certificate that was read.
pub struct Checked {
    /// What it proves.
    pub report: Report,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Checks a file; the inner error says why it is not a proof. Calls `watch` with each claim and the bytes so far.
pub fn check(path: &Path, watch: &mut dyn FnMut(&Claim, u64)) -> Result<Result<Checked, CheckError>> {
    let input = rex_proof::open(path)?;
    let file_bytes =
        std::fs::metadata(path).with_context(|| format!("cannot read '{}'", path.display()))?.len();
    Ok(check_input(input, file_bytes, watch))
}

/// Checks a certificate that is not yet in a file, until a signal comes.
pub fn check_bytes(
    bytes: &Arc<[u8]>,
    watch: &mut dyn FnMut(&Claim, u64),
) -> Result<Result<Checked, CheckError>> {
    let input = rex_proof::unpack(BufReader::new(UntilSignal(Cursor::new(bytes.clone()))))?;
    Ok(check_input(input, bytes.len() as u64, watch))
}

fn check_input(
    input: impl BufRead,
    file_bytes: u64,
    watch: &mut dyn FnMut(&Claim, u64),
) -> Result<Checked, CheckError> {
    let started = Instant::now();
    let report = rex_proof::check(input, &CheckLimits::default(), watch)?;
    Ok(Checked { report, file_bytes, time: started.elapsed() })
}

/// What cannot be read any more when the program was asked to end.
struct UntilSignal<R>(R);

impl<R: Read> Read for UntilSignal<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if interrupt::pressed() {
            return Err(std::io::Error::other("stopped"));
        }
        self.0.read(buffer)
    }
}

impl Checked {
    /// The lines that say what is proved and with how much.
    pub fn describe(&self) -> String {
        let Report { state, winner, explicit, claims, bytes, .. } = &self.report;
        let by_rule: Vec<String> = self
            .report
            .rules_used()
            .map(|(rule, count)| format!("{rule} {}", text::thousands(count)))
            .collect();
        let mut lines = String::new();
        let _ = writeln!(lines, "proved: {state}");
        let _ = writeln!(lines, "winner: {winner}");
        let _ = writeln!(lines, "rules: {}", rules(*explicit));
        let _ = writeln!(lines, "claims: {} ({})", text::thousands(*claims), by_rule.join(", "));
        let _ = write!(lines, "size: {}", text::count(*bytes, "byte"));
        if self.file_bytes != *bytes {
            let _ = write!(lines, ", {} in the file", text::thousands(self.file_bytes));
        }
        lines.push('\n');
        lines
    }

    /// The same for programs.
    pub fn json(&self, path: &Path) -> Value {
        let Report { state, winner, explicit, claims, bytes, most_live, .. } = &self.report;
        let by_rule: Map<String, Value> =
            self.report.rules_used().map(|(rule, count)| (rule.to_owned(), count.into())).collect();
        json!({
            "position": state.to_string(),
            "to_move": state.to_move.to_string(),
            "winner": winner.to_string(),
            "file": path.display().to_string(),
            "rules": rules(*explicit),
            "claims": claims,
            "by_rule": by_rule,
            "most_live": most_live,
            "bytes": bytes,
            "file_bytes": self.file_bytes,
            "check_seconds": seconds(self.time),
        })
    }
}

fn rules(explicit: bool) -> &'static str {
    if explicit { "explicit" } else { "full" }
}
