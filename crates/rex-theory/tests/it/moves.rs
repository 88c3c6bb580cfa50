//! Inferior moves against the table of all positions.

use rex_game::{Player, Position, State};
use rex_theory::domination::{Domination, explain};
use rex_theory::fill_in::fill_in;
use rex_theory::{Options, Reduced};

use crate::common::{reduced, report, sweep};

/// The theorems, each alone. What they say together is what they say one by one.
const THEOREMS: [(&str, Options); 4] = [
    ("victim", Options { victim: true, ..Options::NONE }),
    ("vulnerable", Options { vulnerable: true, ..Options::NONE }),
    ("capturer", Options { capturer: true, ..Options::NONE }),
    ("mutual-creator", Options { mutual_creator: true, ..Options::NONE }),
];

/// A position as the search meets it, after fill-in, unless that decides it.
fn filled(position: &Position) -> Option<Reduced> {
    let mut reduced = reduced(position);
    fill_in(&mut reduced, &Options::all(), position.empty(), &mut ());
    reduced.joined.is_none().then_some(reduced)
}

#[test]
fn a_dominated_move_never_wins_where_its_dominator_loses() {
    let struck: [[u64; 2]; 4] = sweep(|oracle, position, counts| {
        // Positions as they stand, and filled.
        for (way, reduced) in [Some(reduced(position)), filled(position)].into_iter().enumerate() {
            let Some(reduced) = reduced else { continue };
            for to_move in Player::BOTH {
                let state = State { position: reduced.field.to_state().position, to_move };
                let winning = oracle.winning_moves(&state);
                for ((name, options), counts) in THEOREMS.iter().zip(counts.iter_mut()) {
                    let domination = Domination::new(&reduced, to_move, options);
                    for cell in reduced.empty() {
                        let better = domination.better_than(cell);
                        counts[way] += better.len() as u64;
                        if winning.has(cell) {
                            assert!(better.within(winning), "{name}: {state} {cell:?} < {better:?}");
                        }
                    }
                }
            }
        }
    });
    for ((name, _), [plain, filled]) in THEOREMS.iter().zip(struck) {
        println!("{name}: {plain} dominations as it stands, {filled} after fill-in");
        assert!(plain > 0, "{name} never says anything");
    }
}

#[test]
fn pruning_keeps_a_winning_move() {
    let [[kept, all]] = sweep(|oracle, position, [counts]| {
        let Some(reduced) = filled(position).filter(|reduced| !reduced.empty().is_empty()) else { return };
        for to_move in Player::BOTH {
            let state = State { position: reduced.field.to_state().position, to_move };
            let winning = oracle.winning_moves(&state);
            let moves = Domination::new(&reduced, to_move, &Options::all()).prune(reduced.empty());
            assert!(!moves.is_empty());
            assert!(winning.is_empty() || winning.meets(moves), "{state}: {moves:?} of {winning:?}");
            counts[0] += moves.len() as u64;
            counts[1] += reduced.empty().len() as u64;
        }
    });
    report("moves kept", kept, all);
    assert!(kept < all);
}

#[test]
fn every_struck_move_is_explained() {
    let [[explained]] = sweep(|_, position, [counts]| {
        let [black, white] = Player::BOTH.map(|player| position.stones(player).bits());
        if (black ^ white) % 7 != 0 {
            return;
        }
        let Some(reduced) = filled(position) else { return };
        for mover in Player::BOTH {
            let moves = reduced.empty();
            let kept = Domination::new(&reduced, mover, &Options::all()).prune(moves);
            let struck = explain(&reduced, mover, &Options::all(), moves);
            assert_eq!(struck.len(), (moves - kept).len());
            counts[0] += struck.len() as u64;
        }
    });
    assert!(explained > 0);
}
