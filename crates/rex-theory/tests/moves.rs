//! Inferior moves against the table of all positions.

mod common;

use common::{reduced, report, sweep};
use rex_theory::Options;
use rex_theory::domination::{Domination, explain};
use rex_theory::fill_in::fill_in;

/// The theorems, each alone. What they say together is what they say one by one.
fn theorems() -> [(&'static str, Options); 4] {
    [
        ("victim", Options { victim: true, ..Options::NONE }),
        ("vulnerable", Options { vulnerable: true, ..Options::NONE }),
        ("capturer", Options { capturer: true, ..Options::NONE }),
        ("mutual-creator", Options { mutual_creator: true, ..Options::NONE }),
    ]
}

#[test]
fn a_dominated_move_never_wins_where_its_dominator_loses() {
    // Positions as they stand, and as the search meets them, after fill-in.
    for filled in [false, true] {
        let struck: [u64; 4] = sweep(|oracle, position, last, counts| {
            let mut reduced = reduced(position, last);
            if filled {
                fill_in(&mut reduced, &Options::all(), position.empty(), &mut ());
                if reduced.joined.is_some() {
                    return;
                }
            }
            let state = reduced.field.to_state();
            let winning = oracle.winning_moves(&state);
            for ((name, options), count) in theorems().iter().zip(counts) {
                let domination = Domination::new(&reduced, state.to_move, options);
                for cell in reduced.empty() {
                    let better = domination.better_than(cell);
                    *count += better.len() as u64;
                    if winning.has(cell) {
                        assert!(better.within(winning), "{name}: {state} {cell:?} < {better:?}");
                    }
                }
            }
        });
        for ((name, _), struck) in theorems().iter().zip(struck) {
            println!("{name}: {struck} dominations, filled {filled}");
            assert!(struck > 0 || filled, "{name} never says anything");
        }
    }
}

#[test]
fn pruning_keeps_a_winning_move() {
    let [kept, all] = sweep(|oracle, position, last, counts| {
        let mut reduced = reduced(position, last);
        fill_in(&mut reduced, &Options::all(), position.empty(), &mut ());
        if reduced.joined.is_some() || reduced.empty().is_empty() {
            return;
        }
        let state = reduced.field.to_state();
        let winning = oracle.winning_moves(&state);
        let moves = Domination::new(&reduced, state.to_move, &Options::all()).prune(reduced.empty());
        assert!(!moves.is_empty());
        assert!(winning.is_empty() || winning.meets(moves), "{state}: {moves:?} of {winning:?}");
        counts[0] += moves.len() as u64;
        counts[1] += reduced.empty().len() as u64;
    });
    report("moves kept", kept, all);
    assert!(kept < all);
}

#[test]
fn every_struck_move_is_explained() {
    sweep::<0>(|_, position, last, _| {
        if (position.stones(rex_game::Player::Black).bits() ^ position.stones(rex_game::Player::White).bits())
            % 7
            != 0
        {
            return;
        }
        let mut reduced = reduced(position, last);
        fill_in(&mut reduced, &Options::all(), position.empty(), &mut ());
        if reduced.joined.is_some() {
            return;
        }
        let (mover, moves) = (reduced.field.mover(), reduced.empty());
        let kept = Domination::new(&reduced, mover, &Options::all()).prune(moves);
        let struck = explain(&reduced, mover, &Options::all(), moves);
        assert_eq!(struck.len(), (moves - kept).len());
    });
}
