//! Pairings and dominated moves that the checker agrees to.

use rex::{Cell, CellSet, Player, State};
use rex_proof::{Answer, Reason, Rule, forces_a_join};
use rex_theory::captured::captured_pairs_after;
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::hsearch::HSearch;
use rex_theory::mutual::mutual_fill_in;
use rex_theory::pairing::Pairing;
use rex_theory::{Options, Reduced};

use super::fill::Filled;

/// How many paths the exact pairing search may look at.
const STEPS: u32 = 1_000;

/// A pairing that makes `loser` join in a filled position; `None` also when she is joined already.
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

/// The rule that says so of a state that `filled` is the filled form of, `pairing` being that of the filled form.
pub fn pairing(state: &State, loser: Player, filled: &Filled, pairing: Option<&Pairing>) -> Option<Rule> {
    let captured = &filled.captured[loser.index()];
    match (filled.reduced.joined, pairing) {
        (Some(joined), _) if joined == loser => agreed(state, loser, &[], None, captured),
        (None, Some(pairing)) => agreed(state, loser, pairing.pairs(), pairing.key, captured),
        _ => None,
    }
}

/// The pairs, and as many of the `captured` ones as it takes, if the checker agrees to them.
fn agreed(
    state: &State,
    loser: Player,
    pairs: &[(Cell, Cell)],
    key: Option<Cell>,
    captured: &[(Cell, Cell)],
) -> Option<Rule> {
    let mut pairs = pairs.to_vec();
    if forces_a_join(&state.position, loser, &pairs, key) {
        return Some(Rule::Pairs(pairs, key));
    }
    let own = pairs.len();
    pairs.extend_from_slice(captured);
    if captured.is_empty() || !forces_a_join(&state.position, loser, &pairs, key) {
        return None;
    }
    for i in (own..pairs.len()).rev() {
        let pair = pairs.remove(i);
        if !forces_a_join(&state.position, loser, &pairs, key) {
            pairs.insert(i, pair);
        }
    }
    Some(Rule::Pairs(pairs, key))
}

/// Why the side to move need not look at `cell`: one of `better` is at least as good.
pub fn domination(state: &State, reduced: &Reduced, cell: Cell, better: CellSet) -> Option<Answer> {
    let mover = state.to_move;
    let field = rex_proof::Field::new(&state.position);
    let (own, theirs) = (field.with(cell, mover), field.with(cell, !mover));
    better.into_iter().find_map(|other| {
        let reason = if own.settle(other.set()).is_some() {
            Reason::Victim
        } else if theirs.settle(other.set()).is_some() {
            Reason::Vulnerable
        } else {
            capturer(reduced, mover, cell, other, &own)
                .or_else(|| creator(reduced, mover, cell, other, &own))?
        };
        Some(Answer::Dominated(other, reason))
    })
}

/// `mover` captures a pair with `other` by taking `cell`.
fn capturer(
    reduced: &Reduced,
    mover: Player,
    cell: Cell,
    other: Cell,
    own: &rex_proof::Field,
) -> Option<Reason> {
    captured_pairs_after(reduced, mover, cell).filter(|pair| pair.has(other)).find_map(|pair| {
        let pairs = vec![(other, pair.without(other).first()?)];
        own.capture(mover, &pairs).is_some().then_some(Reason::Captured(pairs))
    })
}

/// `mover` makes a mutual fill-in with `other` as her cell by taking `cell`.
fn creator(
    reduced: &Reduced,
    mover: Player,
    cell: Cell,
    other: Cell,
    own: &rex_proof::Field,
) -> Option<Reason> {
    let mut after = reduced.clone();
    let changed = after.put(cell, mover) & after.empty();
    let found = mutual_fill_in(&after, changed)?;
    let reason = match mover {
        Player::Black => Reason::Mutual(found.black, found.white),
        Player::White => Reason::Mutual(found.white, found.black),
    };
    let Reason::Mutual(first, _) = reason else { return None };
    (first.0 == other && own.mutual(found.black, found.white).is_some()).then_some(reason)
}
