//! The writer.

use std::fmt::Write as _;
use std::io::{self, Write};

use rex_game::Board;
use sha2::{Digest, Sha256};

use crate::check::MAGIC;
use crate::claim::{Claim, ClaimId};

/// Drop claims that are no longer needed this many at a time.
const DROPPED_AT_ONCE: usize = 64;

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Claims.
    pub claims: u64,
    /// Bytes of text.
    pub bytes: u64,
}

/// Writes claim `root`, the claims to be `kept`, and all that they rest on. Each claim may refer only to earlier ones in the
/// list. The claims get new numbers, and but for the kept ones they are dropped after their last use.
///
/// # Errors
/// If `out` fails.
///
/// # Panics
/// If a claim refers to one that is not earlier in the list, or `root` or a claim to be kept is not in the list, or a kept
/// one comes after `root`.
pub fn write(
    out: &mut impl Write,
    board: Board,
    explicit: bool,
    mut claims: Vec<Claim>,
    root: ClaimId,
    kept: &[ClaimId],
) -> io::Result<Written> {
    let ids: Vec<ClaimId> = claims.iter().map(|claim| claim.id).collect();
    let index = |id: ClaimId| ids.binary_search(&id).expect("a claim refers to one of the list");
    let root = index(root);
    claims.truncate(root + 1);
    // From the last claim to the first: which claims are needed, and which claim uses each last.
    let mut last_use: Vec<Option<usize>> = vec![None; claims.len()];
    last_use[root] = Some(root);
    for &id in kept {
        last_use[index(id)] = Some(root);
    }
    for user in (0..claims.len()).rev() {
        if last_use[user].is_none() {
            continue;
        }
        let mut rule = claims[user].rule.clone();
        rule.for_each_reference(|id| {
            let used = index(*id);
            assert!(used < user, "a claim refers to earlier ones");
            last_use[used].get_or_insert(user);
        });
    }
    let mut numbers: Vec<ClaimId> = vec![0; claims.len()];
    let mut ends: Vec<Vec<ClaimId>> = vec![Vec::new(); claims.len()];
    let mut sealed = Sealed { out, hash: Sha256::new(), bytes: 0 };
    sealed.line(MAGIC)?;
    sealed.line(&format!("board {board}"))?;
    sealed.line(if explicit { "rules explicit" } else { "rules full" })?;
    let mut count = 0;
    let mut done: Vec<ClaimId> = Vec::new();
    let mut text = String::new();
    for (i, claim) in claims.iter_mut().enumerate() {
        let Some(end) = last_use[i] else { continue };
        count += 1;
        numbers[i] = count;
        claim.id = count;
        claim.rule.for_each_reference(|id| *id = numbers[index(*id)]);
        text.clear();
        let _ = write!(text, "{claim}");
        sealed.line(&text)?;
        ends[end].push(count);
        if i == root {
            break;
        }
        done.append(&mut ends[i]);
        if done.len() >= DROPPED_AT_ONCE {
            done.sort_unstable();
            let list: Vec<String> = done.drain(..).map(|id| id.to_string()).collect();
            sealed.line(&format!("drop {}", list.join(" ")))?;
        }
    }
    sealed.line(&format!("root {count}"))?;
    sealed.finish()?;
    Ok(Written { claims: u64::from(count), bytes: sealed.bytes })
}

/// Completes a text of header, claims and drops with its last lines, including the digest.
pub fn seal(text: &str, root: ClaimId) -> String {
    let mut out = Vec::new();
    let mut sealed = Sealed { out: &mut out, hash: Sha256::new(), bytes: 0 };
    let body = format!("{text}root {root}");
    // Writing to a vector cannot fail.
    let _ = sealed.line(&body).and_then(|()| sealed.finish());
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes lines and computes their digest.
struct Sealed<'a, W> {
    out: &'a mut W,
    hash: Sha256,
    bytes: u64,
}

impl<W: Write> Sealed<'_, W> {
    fn line(&mut self, line: &str) -> io::Result<()> {
        self.hash.update(line);
        self.hash.update("\n");
        self.bytes += line.len() as u64 + 1;
        writeln!(self.out, "{line}")
    }

    fn finish(&mut self) -> io::Result<()> {
        let digest = hex::encode(self.hash.finalize_reset());
        self.line(&format!("sha256 {digest}"))?;
        self.out.flush()
    }
}
