//! What `prove` and `check` say about a certificate.

use std::fmt::Write;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use rex_answers::certificate::{self, Checked};
use rex_proof::{CheckError, Claim, Report};

use crate::{show::text, system::interrupt};

/// Checks a file; the inner error says why it is not a proof. Calls `watch` with each claim and the bytes so far.
pub fn check(path: &Path, watch: &mut dyn FnMut(&Claim, u64)) -> Result<Result<Checked, CheckError>> {
    let input = rex_proof::open(path)?;
    let file_bytes =
        std::fs::metadata(path).with_context(|| format!("cannot read '{}'", path.display()))?.len();
    Ok(certificate::check(input, file_bytes, watch))
}

/// Checks a certificate that is not yet in a file, until a signal comes.
pub fn check_bytes(
    bytes: &Arc<[u8]>,
    watch: &mut dyn FnMut(&Claim, u64),
) -> Result<Result<Checked, CheckError>> {
    let input = rex_proof::unpack(BufReader::new(UntilSignal(Cursor::new(bytes.clone()))))?;
    Ok(certificate::check(input, bytes.len() as u64, watch))
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

/// The lines that say what is proved and with how much.
pub fn describe(checked: &Checked) -> String {
    let Report { state, winner, explicit, claims, bytes, .. } = &checked.report;
    let by_rule: Vec<String> = checked
        .report
        .rules_used()
        .map(|(rule, count)| format!("{rule} {}", text::thousands(count)))
        .collect();
    let mut lines = String::new();
    let _ = writeln!(lines, "proved: {state}");
    let _ = writeln!(lines, "winner: {winner}");
    let _ = writeln!(lines, "rules: {}", certificate::rules(*explicit));
    let _ = writeln!(lines, "claims: {} ({})", text::thousands(*claims), by_rule.join(", "));
    let _ = write!(lines, "size: {}", text::count(*bytes, "byte"));
    if checked.file_bytes != *bytes {
        let _ = write!(lines, ", {} in the file", text::thousands(checked.file_bytes));
    }
    lines.push('\n');
    lines
}
