//! Pairings and dominated moves that the checker accepts.

use rex_game::{Cell, CellSet, Player, State};
use rex_proof::{DominatedBy, Refutation, Rule, forces_a_join};
use rex_theory::captured::all_captures;
use rex_theory::exact_pairing::{Known, Outcome, find_pairing_with};
use rex_theory::hsearch::HSearch;
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::pairing::Pairing;
use rex_theory::{Field, Options, Reduced};

use super::fill::Filled;

/// How many steps the exact pairing search may take: more than in the search, since an image of a position may take more.
pub const STEPS: u32 = 30_000;
/// The same for a short proof.
pub const MORE_STEPS: u32 = 100_000;
/// The same where many moves are tried.
pub const FEW_STEPS: u32 = 3_000;
/// The same where there is time: a fraction of a second …
const MANY_STEPS: u32 = 2_000_000;
/// … or some seconds on boards of more than 36 cells, where a pairing is worth them.
const VERY_MANY_STEPS: u32 = 20_000_000;
const MANY_CELLS: usize = 36;

/// Finds pairings of many positions. Keeps the memory that H-search needs, and for each player the paths that the exact
/// search met in the position before.
#[derive(Default)]
pub struct Pairings {
    hsearch: HSearch,
    known: [Known; 2],
}

impl Pairings {
    /// A pairing that makes `loser` join in a filled position, if the exact search finds one in so many steps, or another
    /// one does. `None` also if she is joined already.
    pub fn find(
        &mut self,
        theory: &Options,
        loser: Player,
        reduced: &Reduced,
        steps: u32,
    ) -> Option<Pairing> {
        if reduced.joined.is_some() {
            return None;
        }
        let last = reduced.field.last == loser;
        let found = self.hsearch.run(reduced, loser, theory, last);
        let by_hsearch = found.join.or(found.pre_join.filter(|_| last));
        let known = &mut self.known[(!loser).index()];
        by_hsearch.or_else(|| mirror(&reduced.field, loser)).or_else(|| exact(reduced, loser, steps, known))
    }
}

/// A rule with a pairing of the position as it stands: a mirror pairing, or one that a long search finds there, or in its
/// filled form.
pub fn long_search(state: &State, loser: Player, filled: &Filled) -> Option<Rule> {
    let field = Field::new(state);
    let steps = if field.board.len() > MANY_CELLS { VERY_MANY_STEPS } else { MANY_STEPS };
    let alone = |reduced: &Reduced| exact(reduced, loser, steps, &mut Known::default());
    let as_it_stands = || {
        let pairing = mirror(&field, loser).or_else(|| alone(&Reduced::new(field)))?;
        agreed(state, loser, pairing.pairs(), pairing.key, &[])
    };
    as_it_stands().or_else(|| {
        let found = filled.reduced.joined.is_none().then(|| alone(&filled.reduced));
        pairing(state, loser, filled, found.flatten().as_ref())
    })
}

/// The rule that proves it for `state`, whose filled form is `filled`, from a `pairing` of the filled form, or from a
/// mirror pairing of the state itself.
pub fn pairing(state: &State, loser: Player, filled: &Filled, pairing: Option<&Pairing>) -> Option<Rule> {
    let captured = &filled.captured[loser.index()];
    let of_filled = match (filled.reduced.joined, pairing) {
        (Some(joined), _) if joined == loser => agreed(state, loser, &[], None, captured),
        (None, Some(pairing)) => agreed(state, loser, pairing.pairs(), pairing.key, captured),
        _ => None,
    };
    of_filled.or_else(|| {
        let pairing = mirror(&Field::new(state), loser)?;
        agreed(state, loser, pairing.pairs(), pairing.key, &[])
    })
}

/// The rule that proves it for `state` by this pairing alone.
pub fn as_it_stands(state: &State, loser: Player, pairing: &Pairing) -> Option<Rule> {
    agreed(state, loser, pairing.pairs(), pairing.key, &[])
}

/// A pairing that makes `loser` join, if the exact search finds one soon enough.
fn exact(reduced: &Reduced, loser: Player, steps: u32, known: &mut Known) -> Option<Pairing> {
    match find_pairing_with(reduced.graph(!loser), reduced.field.last == loser, steps, known) {
        Outcome::Found(pairing) => Some(pairing),
        Outcome::None | Outcome::GaveUp => None,
    }
}

/// The mirror pairing that makes `loser` join.
fn mirror(field: &Field, loser: Player) -> Option<Pairing> {
    mirror_pairing(field).filter(|found| found.loser == loser).map(|found| found.pairing)
}

/// A rule with these pairs, and as many of the `captured` ones as needed, if the checker accepts it.
fn agreed(
    state: &State,
    loser: Player,
    pairs: &[(Cell, Cell)],
    key: Option<Cell>,
    captured: &[(Cell, Cell)],
) -> Option<Rule> {
    let agrees = |pairs: &[(Cell, Cell)]| forces_a_join(&state.position, loser, pairs, key);
    let own = in_order(pairs);
    if agrees(&own) {
        return Some(Rule::Pairs(own, key));
    }
    let mut all = in_order(&[pairs, captured].concat());
    if captured.is_empty() || !agrees(&all) {
        return None;
    }
    for pair in in_order(captured) {
        let fewer: Vec<_> = all.iter().copied().filter(|&other| other != pair).collect();
        if agrees(&fewer) {
            all = fewer;
        }
    }
    Some(Rule::Pairs(all, key))
}

/// The pairs as they are written: from the first cell of the board to the last. Neighbouring positions have much of their
/// pairings in common, and written alike they compress better.
fn in_order(pairs: &[(Cell, Cell)]) -> Vec<(Cell, Cell)> {
    let mut pairs: Vec<_> = pairs.iter().map(|&(one, other)| (one.min(other), one.max(other))).collect();
    pairs.sort_unstable();
    pairs
}

/// Why the side to move need not try `cell`: one of `better` is at least as good. `None` if the checker has no words
/// for it (Theorem 10); then the move is answered by a claim.
pub fn domination(state: &State, reduced: &Reduced, cell: Cell, better: CellSet) -> Option<Refutation> {
    let mover = state.to_move;
    let filling = rex_proof::Filling::new(&state.position);
    let (own, theirs) = (filling.with(cell, mover), filling.with(cell, !mover));
    let captures = |other: Cell| {
        let captured =
            all_captures(reduced, mover).filter(|capture| capture.taken == cell).map(|capture| capture.pair);
        captured.filter(|pair| pair.has(other)).find_map(|pair| {
            let pairs = vec![(other, pair.without(other).first()?)];
            own.capture(mover, &pairs).map(|_| pairs)
        })
    };
    better.into_iter().find_map(|other| {
        let reason = if own.settle(other.set()).is_some() {
            DominatedBy::Victim
        } else if theirs.settle(other.set()).is_some() {
            DominatedBy::Vulnerable
        } else {
            DominatedBy::Captured(captures(other)?)
        };
        Some(Refutation::Dominated(other, reason))
    })
}
