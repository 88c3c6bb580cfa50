use rex_game::{Board, Cell, Player, Position, State};

use super::routes::{Numbers, RouteSet};
use super::*;
use crate::fill_in::fill_in;
use crate::{Field, Options, Reduced};

/// A position of 5x5 in which about half of the cells are empty, the same for the same number.
fn random_position(mut number: u64) -> Position {
    let board = Board::new(5, 5).unwrap();
    board.cells().into_iter().fold(Position::new(board), |position, cell| {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        match number >> 60 {
            0..4 => position.with(cell, Player::Black),
            4..8 => position.with(cell, Player::White),
            _ => position,
        }
    })
}

#[test]
fn repairs_find_what_the_search_in_order_finds_and_nothing_else() {
    let [mut found, mut missed, mut none] = [0; 3];
    for number in 1..=4_000 {
        let position = random_position(number * 0x9e37_79b9);
        if position.winner().is_some() {
            continue;
        }
        let reduced = Reduced::new(Field::new(&State { position, to_move: Player::Black }));
        for (loser, key) in Player::BOTH.into_iter().flat_map(|loser| [(loser, false), (loser, true)]) {
            let graph = reduced.graph(!loser);
            let in_order = systematic::find(Choices::new(graph), key, u32::MAX, &mut Routes::new());
            match (in_order, repair::find(graph, key, 100_000, &mut Routes::new())) {
                (Outcome::Found(_), Some(pairing)) => {
                    assert!(
                        pairing.joins(position.board(), loser, position.stones(loser)),
                        "{position:?} {pairing:?}"
                    );
                    assert!(key || pairing.key.is_none());
                    found += 1;
                }
                (Outcome::Found(_), None) => missed += 1,
                (Outcome::None, None) => none += 1,
                (in_order, repaired) => panic!("{position:?} {loser} {key}: {in_order:?}, {repaired:?}"),
            }
        }
    }
    assert!(found > 1_000 && none > 1_000 && missed * 50 < found, "{found} {missed} {none}");
}

#[test]
fn paths_of_another_position_are_adopted_only_where_they_are_paths() {
    let [mut adopted, mut left_out] = [0; 2];
    for number in 1..=2_000 {
        let before = random_position(number * 0x9e37_79b9);
        // Some of its empty cells are taken, and some of its stones are taken back.
        let other = random_position(number * 0x85eb_ca6b);
        let mixed = |cell: Cell| match (cell.index() as u64 + number) % 5 {
            0 => other.get(cell),
            _ => before.get(cell),
        };
        let after =
            before.board().cells().into_iter().fold(Position::new(before.board()), |position, cell| {
                mixed(cell).map_or(position, |player| position.with(cell, player))
            });
        if before.winner().is_some() || after.winner().is_some() {
            continue;
        }
        let [before, reduced] = [before, after]
            .map(|position| Reduced::new(Field::new(&State { position, to_move: Player::Black })));
        for owner in Player::BOTH {
            let mut known = Routes::new();
            systematic::find(Choices::new(before.graph(owner)), false, 1_000, &mut known);
            let mut routes = Routes::new();
            routes.adopt(&known, reduced.graph(owner));
            for &cells in &routes.cells {
                let joined = cells.into_iter().fold(after, |position, cell| position.with(cell, owner));
                assert!(joined.joined(owner), "{after:?} {owner} {cells:?}");
            }
            adopted += routes.cells.len();
            left_out += known.cells.len() - routes.cells.len();
        }
    }
    assert!(adopted > 1_000 && left_out > 1_000, "{adopted} {left_out}");
}

#[test]
fn paths_of_other_positions_change_no_verdict() {
    let mut known = Player::BOTH.map(|_| Known::new(9));
    let [mut found, mut none] = [0; 2];
    for number in 1..=4_000 {
        let position = random_position(number * 0x9e37_79b9);
        if position.winner().is_some() {
            continue;
        }
        let reduced = Reduced::new(Field::new(&State { position, to_move: Player::Black }));
        for (loser, key) in Player::BOTH.into_iter().flat_map(|loser| [(loser, false), (loser, true)]) {
            let graph = reduced.graph(!loser);
            let alone = systematic::find(Choices::new(graph), key, u32::MAX, &mut Routes::new());
            match (alone, find_pairing_with(graph, key, 100_000, &mut known[loser.index()])) {
                (Outcome::Found(_), Outcome::Found(pairing)) => {
                    assert!(pairing.joins(position.board(), loser, position.stones(loser)), "{position:?}");
                    found += 1;
                }
                (Outcome::None, Outcome::None | Outcome::GaveUp) => none += 1,
                (alone, with) => panic!("{position:?} {loser} {key}: {alone:?}, {with:?}"),
            }
        }
    }
    assert!(found > 1_000 && none > 1_000, "{found} {none}");
    // What they know can be saved, and no part of it is missed.
    for known in known {
        let bytes = known.save();
        let mut other = Known::new(9);
        assert_eq!(other.load(25, &bytes), Some(()));
        assert!(bytes.len() > 1_000 && other.save() == bytes);
        for end in 0..bytes.len() {
            assert_eq!(Known::new(9).load(25, &bytes[..end]), None, "{end}");
        }
        assert_eq!(Known::new(9).load(24, &bytes), None);
    }
}

#[test]
fn repairs_find_pairings_of_large_boards() {
    let mut most_routes = 0;
    for text in ["7x7 c3 a4", "7x7 c3 b5", "7x7 d3"] {
        let state: State = text.parse().unwrap();
        let mut reduced = Reduced::new(Field::new(&state));
        fill_in(&mut reduced, &Options::default(), state.board().cells(), &mut ());
        let loser = reduced.field.last;
        let graph = reduced.graph(!loser);
        let in_order = systematic::find(Choices::new(graph), true, 30_000, &mut Routes::new());
        let mut routes = Routes::new();
        let repaired = repair::find(graph, true, 200_000, &mut routes);
        most_routes = most_routes.max(routes.len());
        let pairing = repaired.unwrap_or_else(|| panic!("{text}: in order {in_order:?}"));
        assert!(pairing.joins(state.board(), loser, reduced.field.own(loser)), "{text}");
        // Each pair is needed, and so is the key.
        for left_out in 0..pairing.pairs().len() {
            let mut fewer = Pairing::new(pairing.key);
            for (_, &(one, other)) in
                pairing.pairs().iter().enumerate().filter(|&(place, _)| place != left_out)
            {
                fewer.push(one, other);
            }
            assert!(
                !fewer.joins(state.board(), loser, reduced.field.own(loser)),
                "{text} without {left_out}"
            );
        }
    }
    // Sets of one word were too small, and those of two.
    assert!(most_routes > 128, "{most_routes}");
}

#[test]
fn numbers_count() {
    let mut numbers = Numbers::<3, 4>::ZERO;
    let mut plain = [0u8; 7];
    let sets: [&[usize]; 6] = [&[0, 1, 200], &[1, 200], &[200, 5], &[200, 1, 0], &[5], &[200]];
    let chosen =
        |routes: &[usize]| routes.iter().fold(RouteSet::EMPTY, |set, &route| set | RouteSet::one(route));
    let place = |route: usize| if route == 200 { 6 } else { route };
    for routes in sets {
        numbers.add(chosen(routes));
        routes.iter().for_each(|&route| plain[place(route)] += 1);
    }
    for routes in &sets[1..4] {
        numbers.subtract(chosen(routes));
        routes.iter().for_each(|&route| plain[place(route)] -= 1);
    }
    for route in [0, 1, 5, 7, 200] {
        let number = plain.get(place(route)).copied().filter(|_| route != 7).unwrap_or(0);
        assert_eq!(numbers.sum(RouteSet::one(route)), u32::from(number), "{route}");
    }
    let all = chosen(&[0, 1, 5, 7, 200]);
    let sum = numbers.sum(all);
    assert_eq!(sum, plain.iter().map(|&number| u32::from(number)).sum());
    let before = numbers.sum(RouteSet::one(200));
    numbers.clear(RouteSet::one(200));
    assert!(before > 0);
    assert_eq!(numbers.sum(all), sum - before);
    // With more room they are the same.
    let wider: Numbers<3, 8> = numbers.widened();
    for route in [0, 1, 5, 7, 200] {
        assert_eq!(wider.sum(RouteSet::one(route)), numbers.sum(RouteSet::one(route)), "{route}");
    }
    assert_eq!(wider.sum(RouteSet::one(500)), 0);
}
