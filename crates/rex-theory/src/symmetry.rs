//! Verdicts by symmetry (square boards): they name a winner but no move.
//!
//! *Colour symmetry*: a state that looks the same to both players is won by Notlast.
//! *Dominated symmetry*: with σ a colour-swapping reflection, if the mirror images of all of Notlast's
//! stones are Last's stones, Notlast wins: she wins the symmetric position that keeps just those stones
//! of Last's, and Last's further stones only help her (monotonicity, with Last fixed). It contains the
//! first rule.

use rex_game::{CellSet, Symmetry};

use crate::field::Field;
use crate::options::Options;

/// Whether Notlast wins by symmetry; the reflection that shows it.
///
/// ```
/// use rex_game::Player;
/// use rex_theory::symmetry::notlast_wins_by_symmetry;
/// use rex_theory::{Field, Options};
///
/// let empty: rex_game::State = "4x4".parse()?;
/// let field = Field::new(&empty);
/// // White would colour the last cell of an even board, so Black wins. No move is named.
/// assert_eq!(field.last, Player::White);
/// assert!(notlast_wins_by_symmetry(&field, &Options::default()).is_some());
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn notlast_wins_by_symmetry(field: &Field, options: &Options) -> Option<Symmetry> {
    if !field.board.is_square() || !(options.colour_symmetry || options.dominated_symmetry) {
        return None;
    }
    // A settled cell counts as whatever suits: no stone of Notlast's, a stone of Last's.
    let notlast = field.own(!field.last);
    let last = field.stones[field.last.index()];
    [Symmetry::Transpose, Symmetry::AntiTranspose].into_iter().find(|reflection| {
        let mirrored = reflection.apply(field.board, notlast);
        if options.dominated_symmetry {
            mirrored.within(last)
        } else {
            mirrored == last && settled_alike(field)
        }
    })
}

/// The plain rule speaks of stones, so it only applies where nothing is settled.
fn settled_alike(field: &Field) -> bool {
    field.settled() == CellSet::EMPTY
}
