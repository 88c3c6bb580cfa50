//! Certificates: proofs of who wins a Rex position that a stranger can check.
//!
//! A certificate is text, one claim a line; `docs/certificate.md` has the grammar, the meaning of each rule
//! and why it is true. The checker is what a sceptic reads: [`check`](fn@check) walks over the lines, `field` holds the
//! tests for dead cells and captured sets, `pairing` the one for pairings. It uses the words of [`rex_game`] (boards,
//! stones, symmetries) and nothing of the theory or the search.
//!
//! ```
//! let text = "\
//! rex-certificate 1
//! board 1x2
//! rules explicit
//! 1 w1 b w all b1=joins
//! ";
//! let sealed = rex_proof::seal(text, 1);
//! let report = rex_proof::check(sealed.as_bytes(), &rex_proof::CheckLimits::default(), &mut |_, _| {})?;
//! assert_eq!(report.winner, rex_game::Player::White);
//! # Ok::<(), rex_proof::CheckError>(())
//! ```

mod check;
mod claim;
mod filling;
mod pairing;
mod parse;
mod play;
mod read;
mod write;

pub use check::{CheckLimits, Report, check};
pub use claim::{Answer, Claim, ClaimId, Reason, Rule, RuleKind, Step};
pub use filling::{Filling, MOST_PAIRS};
pub use pairing::forces_a_join;
pub use play::{Strategy, StrategyError};
pub use read::{CheckError, OpenError, open, unpack};
pub use write::{Written, seal, write};
