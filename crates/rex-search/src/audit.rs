//! Checks a search while it runs.

use rex_game::CellSet;
use rex_theory::Field;

use crate::known::{Bounds, Node, Part};

mod auditor;

pub use auditor::{Auditor, StepClaim, StepKind, WrongStep};

/// Hears every conclusion of a search, as the search draws it. An [`Auditor`] compares each one with a table of all
/// positions. That catches a wrong step where it is made, even if a second wrong step hides it from the final answer.
///
/// Fields come as the search sees them, in canonical coordinates. Settled cells may have any colour.
pub trait Audit: Send + Sync {
    /// Fill-in led from `before` to a node. `Err`: it joined a player, so the game is over, and this part wins.
    fn filled(&self, before: &Field, after: Result<&Node, Part>);

    /// Theory decided a field without search.
    fn judged(&self, field: &Field, winner: Part);

    /// The search learned a reason. This is the field that is worst for the winner among those it decides.
    fn learned(&self, worst: &Field, winner: Part);

    /// The search tries only these moves of a field: if none of them wins, no move does.
    fn pruned(&self, field: &Field, kept: CellSet);

    /// The proof numbers of a field after a table lookup or a search below it.
    fn believed(&self, field: &Field, bounds: Bounds);
}
