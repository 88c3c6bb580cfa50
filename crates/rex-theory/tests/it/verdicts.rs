//! Verdicts without search against the table of all positions.

use rex_game::{Board, Cell, CellSet, Player};
use rex_oracle::Oracle;
use rex_theory::exact_pairing::{Outcome, find_pairing};
use rex_theory::fill_in::fill_in;
use rex_theory::hsearch::HSearch;
use rex_theory::mirror_pairing::mirror_pairing;
use rex_theory::pairing::Pairing;
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Options};

use crate::common::{exhaustive, field, reduced, report, sweep, sweep_with};

/// Tries every choice of one cell from each pair, the key being `player`'s as well. A settled cell's colour does not
/// matter, so it may be lent to her.
fn every_choice_joins(field: &Field, player: Player, pairing: &Pairing) -> bool {
    let own = field.own(player) | pairing.key.map_or(CellSet::EMPTY, |key| key.set());
    assert!(pairing.cells().len() == 2 * pairing.pairs().len(), "pairs are disjoint");
    assert!(pairing.key.is_none_or(|key| !pairing.cells().has(key)));
    assert!((pairing.cells() | own).within(field.empty() | field.own(player)));
    (0..1u32 << pairing.pairs().len()).all(|choice| {
        let chosen: CellSet = pairing
            .pairs()
            .iter()
            .enumerate()
            .map(|(i, &(one, other))| if choice >> i & 1 == 0 { one } else { other })
            .collect();
        field.board.joins(player, own | chosen | field.settled())
    })
}

#[test]
fn exact_pairings_join_and_their_verdicts_are_true() {
    let [[decided, states]] = sweep(|oracle, position, [counts]| {
        let reduced = reduced(position);
        counts[1] += 2;
        for last in Player::BOTH {
            let winner = oracle.winner_with_last(position, last);
            for loser in Player::BOTH {
                if let Outcome::Found(pairing) = find_pairing(reduced.graph(!loser), loser == last, 3000) {
                    assert!(
                        every_choice_joins(&reduced.field, loser, &pairing),
                        "{position:?} {loser} {pairing:?}"
                    );
                    assert_eq!(winner, !loser, "{position:?} last {last}: {pairing:?}");
                    counts[0] += 1;
                }
            }
        }
    });
    report("states decided by the exact pairing search", decided, states);
    assert!(decided * 2 > states);
}

#[test]
fn mirror_pairings_join_and_their_verdicts_are_true() {
    let [[decided, states]] = sweep(|oracle, position, [counts]| {
        let mut reduced = reduced(position);
        // As it stands, and as in the search, where some cells are settled.
        for _ in 0..2 {
            for last in Player::BOTH {
                let field = Field { last, ..reduced.field };
                if let Some(found) = mirror_pairing(&field) {
                    assert!(
                        every_choice_joins(&field, found.loser, &found.pairing),
                        "{position:?} {found:?}"
                    );
                    assert!(found.pairing.key.is_none() || found.loser == last, "{position:?} {found:?}");
                    let winner = oracle.winner_with_last(position, last);
                    assert_eq!(winner, !found.loser, "{position:?} last {last}: {found:?}");
                    counts[0] += 1;
                }
                counts[1] += 1;
            }
            fill_in(&mut reduced, &Options::default(), position.empty(), &mut ());
            if reduced.joined.is_some() {
                return;
            }
        }
    });
    report("states decided by a mirror pairing", decided, states);
    // There are none on square boards, so none in the exhaustive sweep of 4x4.
    assert!(exhaustive() || decided * 20 > states);
}

/// On every board that is not square: empty, after any move of the player who loses, and, if she is Last, after any
/// move of her opponent's.
#[test]
fn every_board_that_is_not_square_has_a_mirror_pairing() {
    let mut boards = 0;
    for rows in 1..=64 {
        for cols in (1..=26).filter(|cols| rows * cols <= 64 && rows != *cols) {
            let board = Board::new(rows, cols).unwrap();
            let loser = if rows < cols { Player::Black } else { Player::White };
            for last in Player::BOTH {
                let empty = Field { board, stones: [CellSet::EMPTY; 2], last };
                let by = |player| board.cells().into_iter().map(move |cell| empty.with(cell, player));
                let with_key = by(!loser).filter(|_| last == loser);
                for field in std::iter::once(empty).chain(by(loser)).chain(with_key) {
                    let found = mirror_pairing(&field).expect("there is one");
                    assert_eq!(found.loser, loser, "{field:?}");
                    assert!(found.pairing.joins(board, loser, field.own(loser)), "{field:?} {found:?}");
                }
            }
            boards += 1;
        }
    }
    assert_eq!(boards, 228);
}

/// Whether some pairing of `open` cells makes every choice join `player`, who has `own` already: all pairings are tried, with
/// the pairs chosen so far in `pairs`.
fn some_pairing_joins(
    board: Board,
    player: Player,
    own: CellSet,
    open: CellSet,
    pairs: &mut Vec<[Cell; 2]>,
) -> bool {
    let Some(one) = open.first() else {
        return (0..1u32 << pairs.len()).all(|choice| {
            let chosen = pairs.iter().enumerate().map(|(i, pair)| pair[(choice >> i & 1) as usize]);
            board.joins(player, own | chosen.collect::<CellSet>())
        });
    };
    let rest = open.without(one);
    some_pairing_joins(board, player, own, rest, pairs)
        || rest.into_iter().any(|other| {
            pairs.push([one, other]);
            let joins = some_pairing_joins(board, player, own, rest.without(other), pairs);
            pairs.pop();
            joins
        })
}

#[test]
fn the_exact_search_finds_a_pairing_wherever_there_is_one() {
    let mut counts = [[0u32; 2]; 2];
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
        let oracle = Oracle::new(Board::new(rows, cols).unwrap());
        for position in oracle.live_positions() {
            let reduced = reduced(&position);
            for player in Player::BOTH {
                let (own, open) = (position.stones(player), position.empty());
                for with_key in [false, true] {
                    let mut keys = open.into_iter().filter(|_| with_key).map(|key| key.set());
                    let exists = some_pairing_joins(oracle.board(), player, own, open, &mut Vec::new())
                        || keys.any(|key| {
                            some_pairing_joins(oracle.board(), player, own | key, open - key, &mut Vec::new())
                        });
                    let found = find_pairing(reduced.graph(!player), with_key, u32::MAX);
                    assert_eq!(
                        matches!(found, Outcome::Found(_)),
                        exists,
                        "{position:?} {player} {with_key} {found:?}"
                    );
                    counts[usize::from(with_key)][usize::from(exists)] += 1;
                }
            }
        }
    }
    assert!(counts.iter().flatten().all(|&count| count > 1_000), "{counts:?}");
}

#[test]
fn hsearch_pairings_join_and_their_verdicts_are_true() {
    let plain = Options { hsearch: true, ..Options::NONE };
    let usual = Options { augmented: true, compatible: true, ..plain };
    let settings = [
        ("plain H-search", plain),
        ("H-search, augmented and with compatible overlap", usual),
        ("H-search over sides as well", Options { side_and: true, ..usual }),
    ];
    let found: [[u64; 3]; 3] = sweep_with(HSearch::default, |hsearch, oracle, position, counts| {
        let mut reduced = reduced(position);
        // As in the search, on filled positions; every fourth also as it stands.
        if (position.empty().bits() % 4) != 0 {
            fill_in(&mut reduced, &Options::default(), position.empty(), &mut ());
            if reduced.joined.is_some() {
                return;
            }
        }
        let filled = reduced.field.to_state().position;
        for ((name, options), counts) in settings.iter().zip(counts) {
            let found = Player::BOTH.map(|loser| (loser, hsearch.run(&reduced, loser, options, false)));
            for (loser, found) in &found {
                for pairing in found.join.iter().chain(&found.pre_join) {
                    assert!(
                        every_choice_joins(&reduced.field, *loser, pairing),
                        "{name}: {filled:?} {loser} {pairing:?}"
                    );
                }
            }
            for last in Player::BOTH {
                let winner = oracle.winner_with_last(position, last);
                let state = Field { last, ..reduced.field }.to_state();
                counts[1] += 1;
                for (loser, found) in &found {
                    let mut pairings = found.join.iter().chain(&found.pre_join);
                    if let Some(pairing) = pairings.find(|pairing| pairing.key.is_none() || *loser == last) {
                        assert_eq!(winner, !*loser, "{name}: {state}: {pairing:?}");
                        counts[0] += 1;
                    }
                    if *loser == state.to_move && found.join.is_none() {
                        let winning = oracle.winning_moves(&state);
                        assert!(!winning.meets(found.keys), "{name}: {state}: a key wins");
                        counts[2] += found.keys.len() as u64;
                    }
                }
            }
        }
    });
    for ((name, _), [decided, states, keys]) in settings.iter().zip(found) {
        report(&format!("{name} ({keys} own keys)"), decided, states);
        assert!(decided * 2 > states && keys > 0);
    }
}

#[test]
fn symmetry_verdicts_are_true() {
    let settings = [
        ("colour symmetry", Options { colour_symmetry: true, ..Options::NONE }),
        ("dominated symmetry", Options { dominated_symmetry: true, ..Options::NONE }),
    ];
    let found: [[u64; 2]; 2] = sweep(|oracle, position, counts| {
        for ((name, options), counts) in settings.iter().zip(counts) {
            for last in Player::BOTH {
                counts[1] += 1;
                if notlast_wins_by_symmetry(&field(position, last), options).is_some() {
                    assert_eq!(
                        oracle.winner_with_last(position, last),
                        !last,
                        "{name}: {position:?} last {last}"
                    );
                    counts[0] += 1;
                }
            }
        }
    });
    for ((name, _), [decided, states]) in settings.iter().zip(found) {
        report(name, decided, states);
        assert!(decided > 0);
    }
}
