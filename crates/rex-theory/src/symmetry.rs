//! Verdicts by symmetry, on square boards. They give a winner, but no move.
//!
//! - *Colour symmetry*: Notlast wins a state that looks the same to both players.
//! - *Dominated symmetry*: take a reflection, which swaps the colours. If the mirror image of each of
//!   Notlast's stones is a stone of Last's, Notlast wins. She wins the symmetric position that keeps only
//!   those stones of Last's, and Last's other stones only help her (monotonicity, with Last fixed). This
//!   rule includes the first one.

use rex_game::{CellSet, Symmetry};

use crate::field::Field;
use crate::options::Options;

/// The reflection that shows that Notlast wins, if there is one.
///
/// ```
/// use rex_game::Player;
/// use rex_theory::symmetry::notlast_wins_by_symmetry;
/// use rex_theory::{Field, Options};
///
/// let empty: rex_game::State = "4x4".parse()?;
/// let field = Field::new(&empty);
/// // White would colour the last cell of an even board, so Black wins. That names no move.
/// assert_eq!(field.last, Player::White);
/// assert!(notlast_wins_by_symmetry(&field, &Options::default()).is_some());
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn notlast_wins_by_symmetry(field: &Field, options: &Options) -> Option<Symmetry> {
    if !field.board.is_square() || !(options.colour_symmetry || options.dominated_symmetry) {
        return None;
    }
    // A settled cell counts as whatever suits us: as a stone of Last's, but not of Notlast's.
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

/// The plain rule is about stones, so it applies only if nothing is settled.
fn settled_alike(field: &Field) -> bool {
    field.settled() == CellSet::EMPTY
}
