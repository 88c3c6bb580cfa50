//! Somebody who looks over the search's shoulder.

use rex_game::CellSet;
use rex_theory::Field;

use crate::known::{Bounds, Node, Part};

mod auditor;

pub use auditor::{Auditor, StepClaim, StepKind, WrongStep};

/// Told of every conclusion that a search draws, as it draws it. An [`Auditor`] compares each with
/// a table of all positions: a wrong step is then caught where it is made, even when another one hides it from the answer.
///
/// The fields are as the search sees them, in canonical coordinates; settled cells may have any colour.
pub trait Audit: Send + Sync {
    /// Fill-in led from `before` to a node, or joined somebody: then the other one is said to win.
    fn filled(&self, before: &Field, after: Result<&Node, Part>);

    /// The theory alone decided a field.
    fn judged(&self, field: &Field, winner: Part);

    /// Only these moves of a field are tried: if none of them wins, no move does.
    fn pruned(&self, field: &Field, kept: CellSet);

    /// The numbers that a field has after a look into the table or a search below it.
    fn believed(&self, field: &Field, bounds: Bounds);
}
