//! Pairings and dominated moves that the checker accepts.

use rex_game::{Cell, CellSet, Player, State};
use rex_proof::{DominatedBy, Refutation, Rule, forces_a_join};
use rex_theory::captured::all_captures;
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::hsearch::HSearch;
use rex_theory::pairing::Pairing;
use rex_theory::{Options, Reduced};

use super::fill::Filled;

/// How many paths the exact pairing search may look at.
const STEPS: u32 = 1_000;

/// A pairing that makes `loser` join in a filled position. `None` also if she is joined already.
pub fn find(hsearch: &mut HSearch, theory: &Options, loser: Player, reduced: &Reduced) -> Option<Pairing> {
    if reduced.joined.is_some() {
        return None;
    }
    let last = reduced.field.last == loser;
    let found = hsearch.run(reduced, loser, theory, last);
    found.join.or(found.pre_join.filter(|_| last)).or_else(|| {
        match find_pairing(reduced.graph(!loser), last, STEPS) {
            Outcome::Found(pairing) => Some(pairing),
            _ => None,
        }
    })
}

/// The rule that proves it for `state`, whose filled form is `filled`, from a `pairing` of the filled form.
pub fn pairing(state: &State, loser: Player, filled: &Filled, pairing: Option<&Pairing>) -> Option<Rule> {
    let captured = &filled.captured[loser.index()];
    match (filled.reduced.joined, pairing) {
        (Some(joined), _) if joined == loser => agreed(state, loser, &[], None, captured),
        (None, Some(pairing)) => agreed(state, loser, pairing.pairs(), pairing.key, captured),
        _ => None,
    }
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
    if agrees(pairs) {
        return Some(Rule::Pairs(pairs.to_vec(), key));
    }
    let mut all = [pairs, captured].concat();
    if captured.is_empty() || !agrees(&all) {
        return None;
    }
    for i in (pairs.len()..all.len()).rev() {
        let pair = all.remove(i);
        if !agrees(&all) {
            all.insert(i, pair);
        }
    }
    Some(Rule::Pairs(all, key))
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
