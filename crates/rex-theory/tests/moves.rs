//! Inferior moves against the table of all positions.

mod common;

use common::{exhaustive, reduced, report, sweep};
use rex_theory::Options;
use rex_theory::domination::{Domination, explain};
use rex_theory::fill_in::fill_in;

#[test]
fn a_dominated_move_never_wins_where_its_dominator_loses() {
    let rules = ["victim", "vulnerable", "capturer", "mutual-creator"];
    let mut settings = vec![("all", Options::all())];
    if !exhaustive() {
        for info in Options::TABLE.iter().filter(|info| rules.contains(&info.name)) {
            let mut options = Options::NONE;
            (info.set)(&mut options, true);
            settings.push((info.name, options));
        }
    }
    for (name, options) in settings {
        // Each rule alone on positions as they stand; all of them also where they are used, after fill-in.
        for filled in [false, true].into_iter().filter(|&filled| !filled || name == "all") {
            let [struck] = sweep(|oracle, position, last, counts| {
                let mut reduced = reduced(position, last);
                if filled {
                    fill_in(&mut reduced, &Options::all(), position.empty(), &mut ());
                    if reduced.joined.is_some() {
                        return;
                    }
                }
                let state = reduced.field.to_state();
                let winning = oracle.winning_moves(&state);
                let domination = Domination::new(&reduced, state.to_move, &options);
                for cell in reduced.empty() {
                    let better = domination.better_than(cell);
                    counts[0] += better.len() as u64;
                    if winning.has(cell) {
                        assert!(better.within(winning), "{}: {state} {cell:?} < {better:?}", name);
                    }
                }
            });
            println!("{}: {struck} dominations, filled {filled}", name);
            assert!(struck > 0 || filled, "{} never says anything", name);
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
        if (position.stones(rex::Player::Black).0 ^ position.stones(rex::Player::White).0) % 7 != 0 {
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
