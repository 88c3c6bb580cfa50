//! Certificates: proofs of who wins a Rex position, which anyone can check.
//!
//! A certificate is text, one claim per line. `docs/certificate.md` has the grammar, what each rule means, and why it
//! is true. A sceptic only has to read the checker: [`check`](fn@check) goes through the lines, `filling` tests dead
//! cells and captured sets, and `pairing` tests pairings. It uses boards, stones and symmetries from [`rex_game`], and
//! nothing from the theory or the search.
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
mod claims;
mod filling;
mod pairing;
mod parse;
mod play;
mod read;
mod tree;
mod write;

pub use check::{Advance, CheckLimits, Checking, Report, check};
pub use claim::{Claim, ClaimId, DominatedBy, Refutation, Rule, Step, symmetry_word};
pub use claims::Claims;
pub use filling::{Filling, MOST_PAIRS};
pub use pairing::forces_a_join;
pub use play::{Place, Strategy, StrategyError};
pub use read::{CheckError, OpenError, open, unpack};
pub use tree::TreeSize;
pub use write::{Written, seal, write};
