//! Verdicts without search against the table of all positions.

mod common;

use common::{reduced, report, sweep};
use rex::{CellSet, Player, Position};
use rex_theory::Options;
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::pairing::Pairing;
use rex_theory::symmetry::notlast_wins_by_symmetry;

/// Tries every selection: one cell of each pair, and the key, are `player`'s.
fn every_selection_joins(position: &Position, player: Player, pairing: &Pairing) -> bool {
    let own = position.stones(player) | pairing.key.map_or(CellSet::EMPTY, |key| key.set());
    assert!(pairing.cells().len() == 2 * pairing.pairs().len(), "pairs are disjoint");
    assert!(pairing.key.is_none_or(|key| !pairing.cells().has(key)));
    assert!((pairing.cells() | own).within(position.empty() | position.stones(player)));
    (0..1u32 << pairing.pairs().len()).all(|choice| {
        let chosen: CellSet = pairing
            .pairs()
            .iter()
            .enumerate()
            .map(|(i, &(one, other))| if choice >> i & 1 == 0 { one } else { other })
            .collect();
        position.board().joins(player, own | chosen)
    })
}

#[test]
fn exact_pairings_join_and_their_verdicts_are_true() {
    let [decided, states] = sweep(|oracle, position, last, counts| {
        let reduced = reduced(position, last);
        let winner = oracle.winner_with_last(position, last);
        counts[1] += 1;
        for loser in Player::BOTH {
            if let Outcome::Found(pairing) = find_pairing(reduced.graph(!loser), loser == last, 3000) {
                assert!(every_selection_joins(position, loser, &pairing), "{position:?} {loser} {pairing:?}");
                assert_eq!(winner, !loser, "{position:?} last {last}: {pairing:?}");
                counts[0] += 1;
            }
        }
    });
    report("states decided by the exact pairing search", decided, states);
    assert!(decided * 2 > states);
}

#[test]
fn symmetry_verdicts_are_true() {
    for (name, options) in [
        ("colour symmetry", Options { colour_symmetry: true, ..Options::NONE }),
        ("dominated symmetry", Options { dominated_symmetry: true, ..Options::NONE }),
    ] {
        let [decided, states] = sweep(|oracle, position, last, counts| {
            counts[1] += 1;
            if notlast_wins_by_symmetry(&reduced(position, last).field, &options).is_some() {
                assert_eq!(
                    oracle.winner_with_last(position, last),
                    !last,
                    "{name}: {position:?} last {last}"
                );
                counts[0] += 1;
            }
        });
        report(name, decided, states);
        assert!(decided > 0);
    }
}
