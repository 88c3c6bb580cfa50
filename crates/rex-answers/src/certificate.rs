//! What certificates prove, and with how much; and the bytes of their files.

use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rex_game::{Cell, Player};
use rex_proof::{Advance, CheckError, CheckLimits, Checking, Claim, Claims, Report};
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

/// Claims between two looks at the clock.
const AT_ONCE: usize = 32;

/// A check that goes on from time to time, of a certificate that is kept in memory.
pub struct Check {
    checking: Checking<Box<dyn BufRead>>,
    /// How much of the file has been read.
    read: Arc<AtomicU64>,
    file_bytes: u64,
    worked: Duration,
    done: u64,
    /// If they are wanted afterwards.
    claims: Option<Claims>,
}

impl Check {
    /// Begins to check a file; `keep` its claims.
    ///
    /// # Errors
    /// If it does not look like a certificate.
    pub fn new(file: Arc<[u8]>, keep: bool) -> Result<Check, CheckError> {
        let (file_bytes, read) = (file.len() as u64, Arc::new(AtomicU64::new(0)));
        let input = rex_proof::unpack(Counted { file: Cursor::new(file), read: read.clone() });
        let input = input.map_err(|error| CheckError { line: 1, reason: error.to_string() })?;
        let checking = Checking::new(input, &CheckLimits::default())?;
        let claims = keep.then(|| Claims::new(checking.board()));
        Ok(Check { checking, read, file_bytes, worked: Duration::ZERO, done: 0, claims })
    }

    /// Checks for about this long. Returns what the certificate proves, and its claims if they are kept; or nothing if
    /// there is more to check.
    ///
    /// # Errors
    /// If it is not a proof.
    pub fn go_on(&mut self, time: Duration) -> Result<Option<(Checked, Option<Claims>)>, CheckError> {
        let started = Moment::now();
        let report = self.until(|| started.elapsed() >= time)?;
        self.worked += started.elapsed();
        let (file_bytes, time) = (self.file_bytes, self.worked);
        Ok(report.map(|report| (Checked { report, file_bytes, time }, self.claims.take())))
    }

    fn until(&mut self, late: impl Fn() -> bool) -> Result<Option<Report>, CheckError> {
        loop {
            for _ in 0..AT_ONCE {
                match self.checking.go_on()? {
                    Advance::Proof(report) => return Ok(Some(report)),
                    Advance::Claim(claim) => self.keep(&claim),
                }
            }
            if late() {
                return Ok(None);
            }
        }
    }

    /// Keeps a claim. If there is no memory for it, none is kept: the certificate can be checked, but not read.
    fn keep(&mut self, claim: &Claim) {
        self.done += 1;
        if self.claims.as_mut().is_some_and(|claims| claims.add(claim).is_err()) {
            self.claims = None;
        }
    }

    /// How far it is: claims, bytes of text, and bytes of the file.
    pub fn progress(&self) -> Value {
        let read = self.read.load(Ordering::Relaxed);
        json!({ "claims": self.done, "bytes": self.checking.bytes(), "read": read, "file_bytes": self.file_bytes })
    }
}

/// A file that counts what was read of it.
struct Counted {
    file: Cursor<Arc<[u8]>>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read.store(self.file.position(), Ordering::Relaxed);
        Ok(read)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.file.consume(amount);
        self.read.store(self.file.position(), Ordering::Relaxed);
    }
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
        if !self.report.moves.is_empty() {
            let outcome =
                |(cell, winner): &(Cell, Player)| (state.board().name(*cell), winner.to_string().into());
            object["moves"] = Value::Object(self.report.moves.iter().map(outcome).collect());
        }
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
