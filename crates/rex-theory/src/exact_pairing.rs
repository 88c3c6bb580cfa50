//! The exact pairing search.
//!
//! X has a join pairing iff there are pairs such that every side-to-side path of the opponent contains
//! both cells of some pair. So take a path of hers that has at most one cell of each pair chosen so far.
//! If there is none, we have found the pairing. Otherwise two cells of that path must become a pair or, for
//! a pre-join pairing, one of them the key.
//!
//! There are two ways to go on from there. One (`systematic.rs`) tries the choices in order, and shows in the end that
//! there is no pairing. The other (`repair.rs`) breaks pairs where it must, and never shows that; but where
//! there is a pairing on a large board, it mostly finds it sooner. So they take turns: a short one for the first and a long
//! one for the second, then both ten times as long. All paths that one has met are known to the other.
//!
//! A search of the game asks about many positions that are like each other (`known.rs`). It then begins with the paths of
//! the position before that are still there: it is most of the work to meet them. And first it repairs what is left of
//! pairings that it found earlier: on a large board one of them often needs little.

mod choices;
mod known;
mod repair;
mod routes;
mod systematic;
#[cfg(test)]
mod tests;

use crate::graph::Graph;
use crate::pairing::Pairing;
use choices::Choices;
pub use known::Known;
use routes::Routes;

/// The steps of the first turn.
const FIRST_TURN: u32 = 30;
/// So few steps all go to the search that tries everything.
const FEW: u32 = 1_000;
/// The search that repairs takes this many times as long as the one before it.
const REPAIR: u32 = 333;
/// The steps for each pairing of an earlier position.
const SEED_STEPS: u32 = 4_000;

/// How the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A pairing exists.
    Found(Pairing),
    /// There is none.
    None,
    /// The step limit was reached.
    GaveUp,
}

/// Searches for a pairing of the player whose **opponent's** graph is given. With `key`, she also gets one
/// key cell. Takes no more than `limit` steps, of about a tenth of a microsecond each.
///
/// ```
/// use rex_game::Player;
/// use rex_theory::exact_pairing::{Outcome, find_pairing};
/// use rex_theory::{Field, Options, Reduced, fill_in::fill_in};
///
/// let state: rex_game::State = "4x4 c2".parse()?;
/// let mut reduced = Reduced::new(Field::new(&state));
/// fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut ());
/// // A pairing that makes Black connect: it blocks every path of White's.
/// assert!(matches!(find_pairing(reduced.graph(Player::White), false, 1000), Outcome::Found(_)));
/// assert_eq!(find_pairing(reduced.graph(Player::Black), false, 1000), Outcome::None);
/// # Ok::<(), rex_game::NotationError>(())
/// ```
pub fn find_pairing(opponent: &Graph, key: bool, limit: u32) -> Outcome {
    find_pairing_with(opponent, key, limit, &mut Known::default())
}

/// Like [`find_pairing`], for one of many similar positions. `known` is what the calls before have left, for the same
/// opponent.
pub fn find_pairing_with(opponent: &Graph, key: bool, limit: u32, known: &mut Known) -> Outcome {
    if limit <= FEW {
        return systematic::find(Choices::new(opponent), key, limit, &mut Routes::new());
    }
    let mut routes = Routes::new();
    routes.adopt(&known.routes, opponent);
    let mended =
        known.seeds(opponent, key, &routes).find_map(|seed| repair::mend(seed, key, SEED_STEPS, &mut routes));
    let outcome = mended.map_or_else(|| take_turns(opponent, key, limit, &mut routes), Outcome::Found);
    if let Outcome::Found(pairing) = &outcome {
        known.note(pairing);
    }
    known.routes = routes;
    outcome
}

fn take_turns(opponent: &Graph, key: bool, limit: u32, routes: &mut Routes) -> Outcome {
    let (mut left, mut turn) = (limit, FIRST_TURN);
    while left > 0 {
        let steps = turn.min(left);
        left -= steps;
        match systematic::find(Choices::new(opponent), key, steps, routes) {
            Outcome::GaveUp => {}
            outcome => return outcome,
        }
        let steps = turn.saturating_mul(REPAIR).min(left);
        left -= steps;
        if let Some(pairing) = repair::find(opponent, key, steps, routes) {
            return Outcome::Found(pairing);
        }
        turn = turn.saturating_mul(10);
    }
    Outcome::GaveUp
}
