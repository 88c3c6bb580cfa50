//! Fill-in against the table of all positions.

mod common;

use common::{field, reduced, report, sweep};
use rex_game::{CellSet, Player};
use rex_theory::dead::{cut_off, dead_by_clique, dead_stone};
use rex_theory::fill_in::fill_in;
use rex_theory::{OptionKind, Options, Reduced};

#[test]
fn cells_found_dead_are_dead_by_definition() {
    let [by_clique, by_cutset, truly] = sweep(|oracle, position, last, counts| {
        if last == Player::White {
            return; // Death does not depend on who is Last.
        }
        let reduced = reduced(position, last);
        let dead = oracle.dead(position);
        let mut found = CellSet::EMPTY;
        for player in Player::BOTH {
            found |= dead_by_clique(&reduced, player, reduced.empty());
        }
        assert!(found.within(dead), "{position:?}: {found:?} but {dead:?}");
        counts[0] += found.len() as u64;
        if let Some((region, evidence)) = cut_off(&reduced) {
            assert!(region.within(dead), "{position:?}: {region:?} {evidence:?} but {dead:?}");
        }
        let mut reduced = reduced;
        let options = Options { dead: true, dead_cutset: true, ..Options::NONE };
        fill_in(&mut reduced, &options, position.empty(), &mut ());
        let found = reduced.field.settled();
        assert!(found.within(dead), "{position:?}: {found:?} but {dead:?}");
        counts[1] += found.len() as u64;
        counts[2] += dead.len() as u64;
    });
    report("dead cells found by the clique test", by_clique, truly);
    report("dead cells found with cutsets, repeated", by_cutset, truly);
    assert!(by_clique * 10 > truly * 6 && by_cutset >= by_clique);
}

#[test]
fn stones_found_dead_would_be_dead_if_uncoloured() {
    let [found] = sweep(|oracle, position, last, counts| {
        if let Some(stone) = dead_stone(&field(position, last)) {
            let mut without = *position;
            without.set(stone, None);
            assert!(oracle.dead(&without).has(stone), "{position:?}: {stone:?}");
            counts[0] += 1;
        }
    });
    assert!(found > 0);
}

/// Each rule alone, and all together.
fn fill_in_settings() -> Vec<(&'static str, Options)> {
    let alone = Options::of_kind(OptionKind::FillIn).map(|info| (info.name, Options::only(info)));
    alone.chain([("all", Options::all())]).collect()
}

#[test]
fn fill_in_never_changes_the_winner() {
    for (name, options) in fill_in_settings() {
        let [filled, changed, positions] = sweep(|oracle, position, last, counts| {
            let mut reduced = reduced(position, last);
            fill_in(&mut reduced, &options, position.empty(), &mut ());
            let state = reduced.field.to_state();
            let winner = oracle.winner_with_last(position, last);
            assert_eq!(
                oracle.winner_with_last(&state.position, last),
                winner,
                "{name}: {position:?} last {last}"
            );
            assert_eq!(
                reduced.joined,
                reduced.joined.and(oracle.joined(&state.position)),
                "{name}: {position:?}"
            );
            assert!(position.stones(Player::Black).within(reduced.field.stones[0]));
            assert!(position.stones(Player::White).within(reduced.field.stones[1]));
            counts[0] += (position.empty() - reduced.empty()).len() as u64;
            counts[1] += u64::from(reduced.field != field(position, last));
            counts[2] += 1;
        });
        report(&format!("{name}: positions changed ({filled} cells filled)"), changed, positions);
        assert!(changed > 0, "{name} never fills");
    }
}

#[test]
fn filling_on_from_a_filled_parent_never_changes_the_winner() {
    let options = Options::all();
    sweep::<0>(|oracle, position, last, _| {
        let mut parent = reduced(position, last);
        fill_in(&mut parent, &options, position.empty(), &mut ());
        if parent.joined.is_some() {
            return;
        }
        let mover = parent.field.mover();
        for cell in parent.empty() {
            let mut child: Reduced = parent.clone();
            let changed = child.put(cell, mover);
            let raw = child.field.to_state();
            let winner = oracle.winner_with_last(&raw.position, last);
            fill_in(&mut child, &options, changed, &mut ());
            let state = child.field.to_state();
            assert_eq!(
                oracle.winner_with_last(&state.position, last),
                winner,
                "{position:?} last {last} after {cell:?}"
            );
            if let Some(joined) = child.joined {
                assert_eq!(winner, !joined);
            }
        }
    });
}

/// Each step names the rule that makes it, and all of them together lead from the position to the filled one.
#[test]
fn steps_name_their_rule_and_lead_to_the_filled_position() {
    for (name, options) in fill_in_settings() {
        let [steps] = sweep(|_, position, last, counts| {
            let before = field(position, last);
            let mut reduced = Reduced::new(before);
            let mut steps = Vec::new();
            fill_in(&mut reduced, &options, position.empty(), &mut steps);
            for step in &steps {
                let rule = Options::named(step.rule()).expect("the rule is in the table");
                assert_eq!(rule.kind, OptionKind::FillIn);
                // A single cell that is cut off is dead by its neighbours, too.
                let cut_off = name == "dead-cutset" && step.rule() == "dead";
                assert!((rule.get)(&options) || cut_off, "{position:?}: {step:?}");
            }
            let after = steps.iter().fold(before, |field, step| step.apply(&field));
            assert_eq!(after, reduced.field, "{position:?}: {steps:?}");
            counts[0] += steps.len() as u64;
        });
        assert!(steps > 0, "{name} makes no step");
    }
}
