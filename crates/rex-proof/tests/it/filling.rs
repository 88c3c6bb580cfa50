//! The tests for dead cells and captured sets at their edges: positions in which one thing alone decides.

use rex_game::{Cell, CellSet, Player, State};
use rex_proof::{Filling, MOST_PAIRS};

fn field(position: &str) -> (Filling, impl Fn(&str) -> Cell) {
    let state: State = position.parse().unwrap();
    (Filling::new(&state.position), move |name: &str| state.board().cell_named(name).unwrap())
}

fn pairs(cell: impl Fn(&str) -> Cell, names: &[(&str, &str)]) -> Vec<(Cell, Cell)> {
    names.iter().map(|&(one, other)| (cell(one), cell(other))).collect()
}

/// Seven stones in the second row, each with two cells between it and the top.
#[test]
fn six_pairs_are_captured_at_once_and_seven_are_not_tried() {
    let (field, cell) = field("14/b1b1b1b1b1b1b1/14/14 b");
    let all =
        [("a1", "b1"), ("c1", "d1"), ("e1", "f1"), ("g1", "h1"), ("i1", "j1"), ("k1", "l1"), ("m1", "n1")];
    let all = pairs(cell, &all);
    assert!(field.capture(Player::Black, &all[..MOST_PAIRS]).is_some());
    assert!(field.capture(Player::Black, &all[1..]).is_some());
    assert!(field.capture(Player::Black, &all).is_none());
}

/// With b1 and b3 White does not kill c1 and c2; with any other choice she kills the rest.
#[test]
fn every_choice_from_the_pairs_is_tried() {
    let (field, cell) = field("3/ww1/w2 w");
    for (one, other) in [(("b1", "c2"), ("b3", "c1")), (("b3", "c1"), ("b1", "c2"))] {
        let turned = |(here, there)| (there, here);
        for set in [[one, other], [turned(one), other], [one, turned(other)], [turned(one), turned(other)]] {
            assert!(field.capture(Player::White, &pairs(&cell, &set)).is_none(), "{set:?}");
        }
    }
    for (taken, dead) in
        [(["b1", "c1"], ["c2", "b3"]), (["c2", "b3"], ["b1", "c1"]), (["c2", "c1"], ["b1", "b3"])]
    {
        let after = taken.iter().fold(field, |field, name| field.with(cell(name), Player::White));
        let dead: CellSet = dead.iter().map(|name| cell(name)).collect();
        assert!(after.settle(dead).is_some(), "{taken:?}");
    }
}

#[test]
fn settled_cells_are_told() {
    let (field, cell) = field("1b1/3/3 w");
    assert_eq!(field.settled(), CellSet::EMPTY);
    assert_eq!(field.open().len(), 8);
    let after = field.settle(cell("a1").set()).unwrap();
    assert_eq!(after.settled(), cell("a1").set());
    assert_eq!(after.open(), field.open().without(cell("a1")));
}

/// White's stones and her left side close off c3 and the cells around it but for an opening. In the first position
/// it is two cells wide: whoever comes in at d3 or c4 goes out at the other one, which touches it. In the second
/// one Black's stone on d3 makes three cells around it neighbours.
#[test]
fn an_area_behind_two_or_three_neighbours_is_dead() {
    for (position, dead) in [
        ("2www2/1w2w2/w6/w6/ww5/7/7 w", &["b3", "b4", "c2", "c3", "d2"][..]),
        ("2ww3/1w2w2/w2b3/w6/ww5/7/7 w", &["b3", "b4", "c2", "c3"]),
    ] {
        let (field, cell) = field(position);
        for name in dead {
            assert!(field.settle(cell(name).set()).is_some(), "{name} of {position}");
        }
        assert!(field.settle(cell("c4").set()).is_none(), "{position}");
        // With one more cell open there is a way through.
        let wider = position.replacen("/ww5/", "/w6/", 1);
        let (field, cell) = self::field(&wider);
        assert!(field.settle(cell("c3").set()).is_none(), "{position}");
    }
}

/// In the first position no way of Black's leads from a1 to the bottom. In the second one all of them pass b2, which
/// touches her stone at the top, so that she might as well begin there.
#[test]
fn an_area_that_reaches_one_side_only_is_dead() {
    for (position, dead, alive) in
        [("2b/2b/ww1 b", &["a1", "b1", "a2", "b2"][..], "c3"), ("2b/3/w2 b", &["a1", "b1", "a2"], "b2")]
    {
        let (field, cell) = field(position);
        for name in dead {
            assert!(field.settle(cell(name).set()).is_some(), "{name} of {position}");
        }
        assert!(field.settle(cell(alive).set()).is_none(), "{alive} of {position}");
    }
}
