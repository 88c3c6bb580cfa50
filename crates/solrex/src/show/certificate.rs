//! What `prove` and `check` say about a certificate.

use std::fmt::Write;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rex_answers::certificate::{self, Checked};
use rex_game::{Player, State};
use rex_proof::{CheckError, Claim, Report};
use rex_search::prove::Proof;

use crate::show::counter::Counter;
use crate::{show::log, show::text, system::interrupt};

/// Checks a file; the inner error says why it is not a proof. Calls `watch` with each claim and the bytes so far.
pub fn check(path: &Path, watch: &mut dyn FnMut(&Claim, u64)) -> Result<Result<Checked, CheckError>> {
    let input = rex_proof::open(path)?;
    let file_bytes =
        std::fs::metadata(path).with_context(|| format!("cannot read '{}'", path.display()))?.len();
    Ok(certificate::check(input, file_bytes, watch))
}

/// The bytes of a proof's file.
pub fn bytes(proof: Proof, path: &Path) -> Result<Arc<[u8]>> {
    for refused in &proof.refused {
        let (state, cells) = (refused.state, text::cells(refused.state.board(), refused.cells));
        log::note(&format!("the checker refused a step by '{}' ({cells}) in '{state}'", refused.rule));
    }
    log::note(&format!("the checker refused {}", text::count(proof.refused.len() as u64, "step")));
    let compressed = path.extension().is_some_and(|extension| extension == "zst");
    Ok(certificate::file(proof, compressed)?.into())
}

/// How the check of a certificate that is not yet in a file ended.
pub enum Verdict {
    /// It proves what it should.
    Proved(Checked),
    /// A signal came.
    Stopped,
    /// It is not a proof.
    Refused(CheckError),
}

/// Checks bytes that should prove that this player wins a state.
pub fn check_made(bytes: &Arc<[u8]>, state: &State, winner: Player) -> Result<Verdict> {
    let mut counter = Counter::new("claims checked");
    let mut claims = 0;
    let input = rex_proof::unpack(BufReader::new(UntilSignal(Cursor::new(bytes.clone()))))?;
    let checked = certificate::check(input, bytes.len() as u64, &mut |_, _| {
        claims += 1;
        counter.show(claims);
    });
    counter.finish();
    Ok(match checked {
        Ok(checked) if checked.report.state != *state || checked.report.winner != winner => {
            bail!("the certificate proves something else; nothing was written");
        }
        Ok(checked) => Verdict::Proved(checked),
        Err(_) if interrupt::pressed() => Verdict::Stopped,
        Err(error) => Verdict::Refused(error),
    })
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
    lines += &checked.report.moves_in_words();
    let _ = writeln!(lines, "rules: {}", certificate::rules(*explicit));
    let _ = writeln!(lines, "claims: {} ({})", text::thousands(*claims), by_rule.join(", "));
    let _ = write!(lines, "size: {}", text::count(*bytes, "byte"));
    if checked.file_bytes != *bytes {
        let _ = write!(lines, ", {} in the file", text::thousands(checked.file_bytes));
    }
    lines.push('\n');
    lines
}
