//! Fill-in against the table of all positions.

use rex_game::{CellSet, Player, State};
use rex_theory::dead::{cut_off, dead_by_clique, dead_stone};
use rex_theory::fill_in::fill_in;
use rex_theory::{OptionKind, Options};

use crate::common::{field, reduced, report, sweep};

#[test]
fn cells_found_dead_are_dead_by_definition() {
    let [[by_clique, by_cutset, truly]] = sweep(|oracle, position, [counts]| {
        let reduced = reduced(position);
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
    let [[found]] = sweep(|oracle, position, [counts]| {
        if let Some(stone) = dead_stone(&field(position, Player::Black)) {
            let mut without = *position;
            without.set(stone, None);
            assert!(oracle.dead(&without).has(stone), "{position:?}: {stone:?}");
            counts[0] += 1;
        }
    });
    assert!(found > 0);
}

/// Each rule alone, and all together.
fn fill_in_settings() -> [(&'static str, Options); 8] {
    let alone = Options::of_kind(OptionKind::FillIn).map(|info| (info.name, Options::only(info)));
    let all: Vec<_> = alone.chain([("all", Options::all())]).collect();
    all.try_into().expect("seven rules")
}

/// Whoever is Last.
#[test]
fn fill_in_never_changes_the_winner() {
    let settings = fill_in_settings();
    let found: [[u64; 3]; 8] = sweep(|oracle, position, counts| {
        let fresh = reduced(position);
        for ((name, options), counts) in settings.iter().zip(counts) {
            let mut reduced = fresh.clone();
            fill_in(&mut reduced, options, position.empty(), &mut ());
            let filled = reduced.field.to_state().position;
            for last in Player::BOTH {
                assert_eq!(
                    oracle.winner_with_last(&filled, last),
                    oracle.winner_with_last(position, last),
                    "{name}: {position:?} last {last}"
                );
            }
            assert_eq!(reduced.joined, reduced.joined.and(oracle.joined(&filled)), "{name}: {position:?}");
            for player in Player::BOTH {
                assert!(position.stones(player).within(reduced.field.stones[player.index()]));
            }
            counts[0] += (position.empty() - reduced.empty()).len() as u64;
            counts[1] += u64::from(reduced.field != fresh.field);
            counts[2] += 1;
        }
    });
    for ((name, _), [filled, changed, positions]) in settings.iter().zip(found) {
        report(&format!("{name}: positions changed ({filled} cells filled)"), changed, positions);
        assert!(changed > 0, "{name} never fills");
    }
}

/// What the sweeps rest on: fill-in finds the same, whoever is Last.
#[test]
fn fill_in_does_not_ask_who_is_last() {
    let [[changed]] = sweep(|_, position, [counts]| {
        if position.empty().bits() % 16 == 5 {
            let [black, white] = Player::BOTH.map(|last| {
                let mut reduced = rex_theory::Reduced::new(field(position, last));
                fill_in(&mut reduced, &Options::all(), position.empty(), &mut ());
                assert_eq!(reduced.field.last, last);
                reduced.field.stones
            });
            assert_eq!(black, white, "{position:?}");
            counts[0] += u64::from(black != field(position, Player::Black).stones);
        }
    });
    assert!(changed > 0);
}

/// Whoever is to move.
#[test]
fn filling_on_from_a_filled_parent_never_changes_the_winner() {
    let options = Options::all();
    let [[children]] = sweep(|oracle, position, [counts]| {
        let mut parent = reduced(position);
        fill_in(&mut parent, &options, position.empty(), &mut ());
        if parent.joined.is_some() {
            return;
        }
        for mover in Player::BOTH {
            for cell in parent.empty() {
                let mut child = parent.clone();
                let changed = child.put(cell, mover);
                let raw = child.field.to_state().position;
                fill_in(&mut child, &options, changed, &mut ());
                let filled = child.field.to_state().position;
                let winner = oracle.winner(&State { position: raw, to_move: !mover });
                // Filled cells may change who is to move, and not who is Last.
                let last = State { position: raw, to_move: !mover }.last();
                assert_eq!(
                    oracle.winner_with_last(&filled, last),
                    winner,
                    "{position:?} {mover} to move, after {cell:?}"
                );
                assert!(child.joined.is_none_or(|joined| winner == !joined));
                counts[0] += 1;
            }
        }
    });
    assert!(children > 0);
}

/// Each step names the rule that makes it, and all of them together lead from the position to the filled one.
#[test]
fn steps_name_their_rule_and_lead_to_the_filled_position() {
    let settings = fill_in_settings();
    let steps: [[u64; 1]; 8] = sweep(|_, position, counts| {
        // Every rule is met often enough in a part of them.
        if position.empty().bits() % 16 != 5 {
            return;
        }
        let fresh = reduced(position);
        for ((name, options), counts) in settings.iter().zip(counts) {
            let mut reduced = fresh.clone();
            let mut steps = Vec::new();
            fill_in(&mut reduced, options, position.empty(), &mut steps);
            for step in &steps {
                let rule = Options::named(step.rule()).expect("the rule is in the table");
                assert_eq!(rule.kind, OptionKind::FillIn);
                // A single cell that is cut off is dead by its neighbours, too.
                let cut_off = *name == "dead-cutset" && step.rule() == "dead";
                assert!((rule.get)(options) || cut_off, "{position:?}: {step:?}");
            }
            let after = steps.iter().fold(fresh.field, |field, step| step.apply(&field));
            assert_eq!(after, reduced.field, "{position:?}: {steps:?}");
            counts[0] += steps.len() as u64;
        }
    });
    for ((name, _), [steps]) in settings.iter().zip(steps) {
        assert!(steps > 0, "{name} makes no step");
    }
}
