use rex_game::{CellSet, Player};

use super::*;

const ROOT: usize = UpperTree::ROOT;

/// A made-up position: only the number of stones matters, for who moves.
fn node(stones: u64) -> Node {
    Node { stones: [CellSet::from_bits(stones), CellSet::from_bits(0)], last: Player::Black }
}

fn child(stones: u64, last: u64, notlast: u64) -> Child {
    let bounds = Bounds { last, notlast };
    Child { cell: Cell::new(0), symmetry: Symmetry::Identity, node: node(stones), bounds }
}

/// 16 empty cells: Notlast moves at the root, Last at its children.
fn tree() -> UpperTree {
    let weighing = Weighing { widening_base: 0, widening_share: 1, epsilon_share: 8 };
    let table = Arc::new(Table::new(1 << 16).unwrap());
    UpperTree::new(Board::new(4, 4).unwrap(), weighing, table, &node(0), Symmetry::Identity, 0)
}

/// Gives a position children, and recomputes up to the root.
fn grow(tree: &mut UpperTree, path: &[usize], children: &[Child]) {
    tree.grow(path[path.len() - 1], children);
    tree.update_path(path);
}

fn leave(tree: &mut UpperTree, way: &Way, nodes: u64) {
    tree.unmark(way);
    tree.update(way, way.leaf().0, nodes);
}

#[test]
fn two_searchers_never_meet_and_the_first_goes_to_the_best_leaf() {
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[child(1, 1, 9), child(2, 1, 2), child(4, 1, 4)]);
    let [first, second, third] = [(); 3].map(|()| tree.descend().unwrap());
    // It stays at the best one until that is an eighth over the second best.
    assert_eq!(first.leaf().1.notlast, 5);
    assert_eq!([&first, &second, &third].map(|way| way.leaf().0), [2, 3, 1]);
    assert_eq!(tree.descend(), None);
    leave(&mut tree, &second, 0);
    assert_eq!(tree.descend(), Some(second));
}

fn tree_of_two_levels(notlast_wins: bool) -> UpperTree {
    let (few, many) = if notlast_wins { (10, 100) } else { (100, 10) };
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[child(1, many, few), child(2, many, few * 3 / 2)]);
    grow(&mut tree, &[ROOT, 1], &[child(3, many, few), child(5, many, 1)]);
    assert_eq!(tree.size(), 5);
    tree
}

#[test]
fn where_the_mover_seems_to_win_the_next_one_joins_in() {
    let mut tree = tree_of_two_levels(true);
    let first = tree.descend().unwrap();
    assert_eq!(first.positions().take(2).collect::<Vec<_>>(), [ROOT, 1]);
    assert_eq!(tree.highest_alone(&first).0, 1);
    let second = tree.descend().unwrap();
    assert_eq!(second.positions().nth(1), Some(1));
    assert_ne!(second.leaf(), first.leaf());
    // The first no longer has it to itself, so this one gets just its leaf.
    assert_eq!(tree.highest_alone(&second), second.leaf());
}

#[test]
fn where_the_mover_seems_to_lose_the_next_one_goes_elsewhere() {
    let mut tree = tree_of_two_levels(false);
    assert_eq!([(); 2].map(|()| tree.descend().unwrap().positions().nth(1)), [Some(1), Some(2)]);
    // Unless the first is far better.
    let mut tree = super::tests::tree();
    grow(&mut tree, &[ROOT], &[child(1, 5, 10), child(2, 5, 25)]);
    grow(&mut tree, &[ROOT, 1], &[child(3, 5, 5), child(5, 5, 5)]);
    assert_eq!([(); 2].map(|()| tree.descend().unwrap().positions().nth(1)), [Some(1), Some(1)]);
}

#[test]
fn the_root_is_for_as_many_as_want_it() {
    let mut tree = tree_of_two_levels(true);
    let way = tree.way_to_root();
    tree.mark(&way);
    tree.mark(&way);
    assert_eq!((way.leaf(), tree.searchers(ROOT)), ((ROOT, Bounds::NO_LIMIT), 2));
    assert_eq!(tree.descend().unwrap().positions().nth(1), Some(1));
}

#[test]
fn what_is_cut_becomes_a_leaf_except_where_somebody_is() {
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[child(1, 9, 3), child(2, 9, 4)]);
    grow(&mut tree, &[ROOT, 1], &[child(3, 9, 3)]);
    grow(&mut tree, &[ROOT, 2], &[child(6, 9, 4)]);
    assert_eq!(tree.descend().unwrap().positions().nth(1), Some(1));
    let new = Bounds { last: 7, notlast: 20 };
    assert_eq!([1, 2].map(|at| tree.cut(at, new)), [false, true]);
    tree.update_path(&[ROOT]);
    assert!(tree.is_leaf(2) && !tree.is_leaf(1));
    assert_eq!(tree.bounds(ROOT), Bounds { last: 16, notlast: 3 });
    // It can grow again, in the block that was freed.
    grow(&mut tree, &[ROOT, 2], &[child(6, 8, 5)]);
    assert_eq!((tree.bounds(2), tree.size()), (Bounds { last: 8, notlast: 5 }, 5));
}

#[test]
fn a_position_that_is_reached_twice_is_decided_at_both_places() {
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[child(1, 1, 1), child(2, 1, 1)]);
    grow(&mut tree, &[ROOT, 1], &[child(3, 1, 1)]);
    grow(&mut tree, &[ROOT, 2], &[child(3, 1, 1)]);
    let way = tree.descend().unwrap();
    tree.learn(way.leaf().0, Bounds::won_by(Part::Last));
    leave(&mut tree, &way, 10);
    assert_eq!(tree.bounds(ROOT).winner(), None);
    // A searcher comes by the other place, and nothing is left to do.
    assert_eq!(tree.descend(), None);
    assert_eq!(tree.bounds(ROOT).winner(), Some(Part::Last));
    let solved = tree.take_solved();
    assert_eq!(solved.len(), 3);
    assert!(solved.iter().all(|solved| solved.winner == Part::Last));
    assert_eq!(tree.size(), 1);
}

#[test]
fn what_lies_below_a_decided_position_is_freed_when_nobody_is_there() {
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[child(1, 5, 10), child(2, 5, 15)]);
    grow(&mut tree, &[ROOT, 1], &[child(3, 3, 3), child(5, 9, 3)]);
    grow(&mut tree, &[ROOT, 1, 3], &[child(7, 3, 3), child(11, 3, 4)]);
    assert_eq!(tree.size(), 7);
    let way = tree.descend().unwrap();
    assert_eq!(way.positions().collect::<Vec<_>>(), [ROOT, 1, 3, 5]);
    tree.learn(1, Bounds::won_by(Part::Last));
    tree.refresh(1);
    assert_eq!(tree.size(), 7);
    leave(&mut tree, &way, 30);
    assert_eq!((tree.size(), tree.nodes.len()), (3, 7));
    let mut places = tree.free[2].clone();
    places.sort_unstable();
    assert_eq!(places, [3, 5]);
}

#[test]
fn a_position_without_moves_is_lost_for_the_mover() {
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[]);
    assert_eq!(tree.bounds(ROOT).winner(), Some(Part::Last));
    assert_eq!(tree.take_solved().len(), 1);
}

#[test]
fn work_beyond_all_numbers_is_no_overflow() {
    let mut tree = tree();
    grow(&mut tree, &[ROOT], &[child(1, 1, 1), child(2, 1, 1)]);
    for _ in 0..2 {
        let way = tree.descend().unwrap();
        tree.learn(way.leaf().0, Bounds::won_by(Part::Last));
        leave(&mut tree, &way, u64::MAX);
    }
    assert_eq!(tree.take_solved()[0].nodes, u64::MAX);
}

#[test]
fn what_is_decided_stays_decided() {
    let mut tree = tree();
    tree.learn(ROOT, Bounds::won_by(Part::Last));
    tree.learn(ROOT, Bounds { last: 3, notlast: 3 });
    tree.learn(ROOT, Bounds::won_by(Part::Notlast));
    assert_eq!(tree.bounds(ROOT).winner(), Some(Part::Last));
}
