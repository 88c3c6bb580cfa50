//! First guesses at the proof numbers of a node nobody has visited.

use rex_theory::Reduced;

use crate::known::{Bounds, Part};
use crate::resistance::conductance;

/// Both numbers start from here, which leaves room below.
const BASE: f32 = 4.0;
/// To beat the mover, one must answer her moves: about one in this many of the empty cells.
const MOVES_SHARE: f32 = 4.0;
/// Guesses stay far below the numbers that a search finds.
const LARGEST: f32 = 10_000.0;

/// A guess at the proof numbers of a filled position.
///
/// A player who is better connected, in the sense of Hex, is easier to force to connect. So it is harder to show that
/// she wins: her number grows with the fourth power of the ratio of the conductances (`docs/notes.md`, "Guidance
/// without a net").
pub fn first_guess(reduced: &Reduced) -> Bounds {
    let last = reduced.field.last;
    let ratio = (conductance(reduced.graph(last)) / conductance(reduced.graph(!last))).clamp(0.01, 100.0);
    let power = ratio * ratio * ratio * ratio;
    let answers = 1.0 + reduced.empty().len() as f32 / MOVES_SHARE;
    let (for_last, for_notlast) = match Part::of(reduced.field.mover(), last) {
        Part::Last => (1.0, answers),
        Part::Notlast => (answers, 1.0),
    };
    let number = |value: f32| (BASE * value).clamp(1.0, LARGEST) as u64;
    Bounds { last: number(for_last * power), notlast: number(for_notlast / power) }
}
