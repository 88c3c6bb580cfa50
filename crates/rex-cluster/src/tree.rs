//! The upper part of the search: proof-number search over filled canonical positions, best first, with a record of who
//! is at work below what.
//!
//! Positions that are reached in several ways are there once. Stones are never taken away, so there are no cycles.

use std::collections::{HashMap, HashSet};

use rex_game::{Board, Cell};
use rex_search::bounds::{Bounds, INFINITE, Part};
use rex_search::node::Node;
use rex_search::{Child, Solved};

/// Where a position is in the tree.
pub type Index = usize;

/// What is to be searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The way that was marked, from the root to a leaf.
    pub path: Vec<Index>,
    /// The position on it that is to be searched.
    pub at: Index,
    /// The numbers at which others are more worth searching.
    pub limit: Bounds,
}

/// The tree. It grows where its owner says.
pub struct Tree {
    board: Board,
    nodes: Vec<TreeNode>,
    index: HashMap<Node, Index>,
    /// Decided by what lies below, since somebody asked.
    solved: Vec<Solved>,
}

struct TreeNode {
    node: Node,
    mover: Part,
    bounds: Bounds,
    /// The numbers with which the last search of it came back.
    told: Bounds,
    /// Nodes searched for it, so far as that is known.
    work: u64,
    /// None yet for a leaf.
    children: Option<Vec<(Cell, Index)>>,
    parents: Vec<Index>,
    /// Jobs at or below it, on the ways on which they were handed out.
    jobs: u32,
}

impl Tree {
    /// A tree of one leaf.
    pub fn new(board: Board, root: Node) -> Tree {
        let mut tree = Tree { board, nodes: Vec::new(), index: HashMap::new(), solved: Vec::new() };
        tree.place(root, Bounds { last: 1, notlast: 1 });
        tree
    }

    /// The root.
    pub const ROOT: Index = 0;

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The position there.
    pub fn node(&self, at: Index) -> Node {
        self.nodes[at].node
    }

    /// The numbers there.
    pub fn bounds(&self, at: Index) -> Bounds {
        self.nodes[at].bounds
    }

    /// Whether it has no children yet.
    pub fn is_leaf(&self, at: Index) -> bool {
        self.nodes[at].children.is_none()
    }

    /// Where a position is, if it is there.
    pub fn find(&self, node: &Node) -> Option<Index> {
        self.index.get(node).copied()
    }

    /// What its children are, with the moves to them.
    pub fn children(&self, at: Index) -> &[(Cell, Index)] {
        self.nodes[at].children.as_deref().unwrap_or_default()
    }

    /// What was decided by what lies below it, since this was asked last.
    pub fn take_solved(&mut self) -> Vec<Solved> {
        std::mem::take(&mut self.solved)
    }

    /// Gives a leaf its children, with their numbers where they are leaves too.
    pub fn grow(&mut self, at: Index, children: &[Child]) {
        let mut list = Vec::with_capacity(children.len());
        for child in children {
            let below = self.place(child.node, child.bounds);
            if self.is_leaf(below) {
                self.set(below, child.bounds, 0);
            }
            let parents = &mut self.nodes[below].parents;
            if !parents.contains(&at) {
                parents.push(at);
            }
            list.push((child.cell, below));
        }
        self.nodes[at].children = Some(list);
        self.update(at);
    }

    /// Takes in what a search of a position came back with: who wins, or numbers. Those of a position with children follow
    /// from its children's.
    pub fn set(&mut self, at: Index, bounds: Bounds, work: u64) {
        let here = &mut self.nodes[at];
        if here.bounds.winner().is_some() {
            return;
        }
        here.work = here.work.saturating_add(work);
        here.told = bounds;
        if bounds.winner().is_some() || here.children.is_none() {
            here.bounds = bounds;
            self.update_parents(at);
        }
    }

    /// The numbers with which the last search of it came back; its first ones where there was none.
    pub fn told(&self, at: Index) -> Bounds {
        self.nodes[at].told
    }

    /// Gives the open children of a position new numbers. They become leaves: what is below them is older than these
    /// numbers, and forgotten, except where somebody is at work. Returns those with new numbers.
    pub fn refresh(&mut self, at: Index, told: impl Fn(Cell) -> Option<Bounds>) -> Vec<Index> {
        let mut fresh = Vec::new();
        for (cell, below) in self.children(at).to_vec() {
            let child = &mut self.nodes[below];
            if child.jobs == 0
                && child.bounds.winner().is_none()
                && let Some(bounds) = told(cell)
            {
                child.bounds = bounds;
                child.told = bounds;
                child.children = None;
                self.update_parents(below);
                fresh.push(below);
            }
        }
        fresh
    }

    /// Finds the leaf most worth searching that nobody is at, and marks the way to it. What is to be searched is the highest
    /// position on this way that nobody else is below, not the leaf: a worker has what it needs to choose among what lies
    /// below by itself; nor is it the root. Returned are the way, that position, and the numbers at which others are more
    /// worth searching.
    pub fn take(&mut self) -> Option<Taken> {
        let mut way = Vec::new();
        self.descend(Self::ROOT, Bounds::NO_LIMIT, &mut way, &mut HashSet::new())?;
        let &(at, limit) = way[1..].iter().find(|&&(at, _)| self.nodes[at].jobs == 0)?;
        let path: Vec<Index> = way.into_iter().map(|(at, _)| at).collect();
        for &at in &path {
            self.nodes[at].jobs += 1;
        }
        Some(Taken { path, at, limit })
    }

    /// Takes the root, whoever else is at work.
    pub fn take_root(&mut self) -> Taken {
        self.nodes[Self::ROOT].jobs += 1;
        Taken { path: vec![Self::ROOT], at: Self::ROOT, limit: Bounds::NO_LIMIT }
    }

    /// Unmarks a way that was taken.
    pub fn give_back(&mut self, path: &[Index]) {
        for &at in path {
            self.nodes[at].jobs -= 1;
        }
    }

    /// A way to a leaf that is still in the tree, for a job that was handed out before; marked as if it were taken.
    pub fn take_at(&mut self, leaf: Index) -> Vec<Index> {
        let mut path = vec![leaf];
        while let Some(&above) = self.nodes[path[path.len() - 1]].parents.first() {
            path.push(above);
        }
        for &at in &path {
            self.nodes[at].jobs += 1;
        }
        path
    }

    fn place(&mut self, node: Node, bounds: Bounds) -> Index {
        if let Some(&there) = self.index.get(&node) {
            return there;
        }
        let mover = Part::of(node.field(self.board).mover(), node.last);
        let at = self.nodes.len();
        self.nodes.push(TreeNode {
            node,
            mover,
            bounds,
            told: bounds,
            work: 0,
            children: None,
            parents: Vec::new(),
            jobs: 0,
        });
        self.index.insert(node, at);
        at
    }

    /// Adds the way from here to the best free leaf below, if there is one, and returns its limit. `barren` are those below
    /// which there is none.
    fn descend(
        &self,
        at: Index,
        limit: Bounds,
        path: &mut Vec<(Index, Bounds)>,
        barren: &mut HashSet<Index>,
    ) -> Option<()> {
        let here = &self.nodes[at];
        if here.bounds.winner().is_some() || barren.contains(&at) {
            return None;
        }
        path.push((at, limit));
        let Some(children) = &here.children else {
            if here.jobs == 0 {
                return Some(());
            }
            path.pop();
            return None;
        };
        let mut order: Vec<(u64, Index)> =
            children.iter().map(|&(_, below)| (self.seen(below, here.mover), below)).collect();
        order.sort_unstable();
        order.dedup();
        for (_, below) in order {
            let found = self.descend(below, self.limit_below(at, below, limit), path, barren);
            if found.is_some() {
                return found;
            }
        }
        barren.insert(at);
        path.pop();
        None
    }

    /// The numbers at which the search of a child should end: the mover's has grown an eighth over the best sibling's, or
    /// the opponent's pushes the parent over its own limit. (6x6 a3 and d3 with four workers over one table: a quarter 128
    /// thousand nodes, an eighth 114.)
    fn limit_below(&self, at: Index, below: Index, limit: Bounds) -> Bounds {
        let mover = self.nodes[at].mover;
        let other = mover.other();
        let child = self.nodes[below].bounds;
        let siblings = self.children(at).iter().filter(|&&(_, index)| index != below);
        let rival = siblings.map(|&(_, index)| self.nodes[index].bounds.get(mover)).min().unwrap_or(INFINITE);
        let rival = rival.max(child.get(mover));
        let own =
            limit.get(mover).min(rival.saturating_add(rival / 8 + 1)).max(child.get(mover).saturating_add(1));
        let room = limit.get(other).saturating_sub(self.nodes[at].bounds.get(other));
        let others = child.get(other).saturating_add(room.max(1));
        Bounds::of(mover, own.min(INFINITE), others.min(INFINITE))
    }

    /// The number of a part at a position, as she sees it who may move there. If she seems to lose, all her moves must be
    /// answered: every job below makes it worse, as if it were half lost already, so that the next one goes elsewhere unless
    /// this is far better. If she seems to win, one move suffices, and the next job joins in.
    fn seen(&self, at: Index, part: Part) -> u64 {
        let TreeNode { bounds, jobs, .. } = self.nodes[at];
        let own = bounds.get(part);
        let times = if own < bounds.get(part.other()) { 1 } else { 1 + jobs };
        u64::from(own) * u64::from(times)
    }

    /// Works the numbers of a position out anew, and of all above that it changes.
    fn update(&mut self, at: Index) {
        let mut waiting = vec![at];
        while let Some(at) = waiting.pop() {
            if self.nodes[at].bounds.winner().is_some() {
                continue;
            }
            let Some((bounds, best)) = self.backed_up(at) else { continue };
            if bounds == self.nodes[at].bounds {
                continue;
            }
            self.nodes[at].bounds = bounds;
            if let Some(winner) = bounds.winner() {
                self.note_solved(at, winner, best);
            }
            waiting.extend_from_slice(&self.nodes[at].parents);
        }
    }

    fn update_parents(&mut self, at: Index) {
        for above in self.nodes[at].parents.clone() {
            self.update(above);
        }
    }

    /// What the children make of a position, and the move that wins it; none for a leaf.
    fn backed_up(&self, at: Index) -> Option<(Bounds, Option<Cell>)> {
        let mover = self.nodes[at].mover;
        let children = self.nodes[at].children.as_ref()?;
        let (mut least, mut sum) = (INFINITE, 0u32);
        for &(cell, below) in children {
            let bounds = self.nodes[below].bounds;
            if bounds.winner() == Some(mover) {
                return Some((Bounds::won_by(mover), Some(cell)));
            }
            least = least.min(bounds.get(mover));
            sum = sum.saturating_add(bounds.get(mover.other()));
        }
        let lost = children.iter().all(|&(_, below)| self.nodes[below].bounds.winner().is_some());
        let bounds = if lost { Bounds::won_by(mover.other()) } else { Bounds::unsolved(mover, least, sum) };
        Some((bounds, None))
    }

    fn note_solved(&mut self, at: Index, winner: Part, best: Option<Cell>) {
        let below = self.children(at).iter().map(|&(_, below)| self.nodes[below].work);
        // A worker may say of any position that it took more nodes than there are.
        let work = below.fold(self.nodes[at].work, u64::saturating_add);
        let here = &mut self.nodes[at];
        here.work = work;
        self.solved.push(Solved { node: here.node, winner, best, nodes: here.work });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex_game::{CellSet, Player};

    /// A tree over made-up positions: only the number of stones counts, for who moves.
    fn node(stones: u64) -> Node {
        Node { stones: [CellSet(stones), CellSet(0)], last: Player::Black }
    }

    fn child(stones: u64, last: u32, notlast: u32) -> Child {
        Child { cell: Cell::new(0), node: node(stones), bounds: Bounds { last, notlast } }
    }

    fn tree() -> Tree {
        Tree::new(Board::new(4, 4).unwrap(), node(0))
    }

    #[test]
    fn numbers_are_the_least_and_the_sum() {
        let mut tree = tree();
        // 16 empty cells: Notlast moves.
        tree.grow(Tree::ROOT, &[child(1, 3, 5), child(2, 4, 7)]);
        assert_eq!(tree.bounds(Tree::ROOT), Bounds { last: 7, notlast: 5 });
    }

    #[test]
    fn two_jobs_never_meet_and_the_first_goes_to_the_best_leaf() {
        let mut tree = tree();
        tree.grow(Tree::ROOT, &[child(1, 1, 9), child(2, 1, 2), child(4, 1, 4)]);
        let [first, second, third] = [(); 3].map(|()| tree.take().unwrap());
        // The best one comes back when it is an eighth over the second best.
        assert_eq!(first.limit.notlast, 5);
        assert_eq!([first.at, second.at, third.at], [2, 3, 1]);
        assert_eq!(tree.take(), None);
        tree.give_back(&second.path);
        assert_eq!(tree.take(), Some(second));
    }

    /// Notlast moves at the root, Last at its children.
    fn tree_of_two_levels(notlast_wins: bool) -> Tree {
        let (few, many) = if notlast_wins { (10, 100) } else { (100, 10) };
        let mut tree = tree();
        tree.grow(Tree::ROOT, &[child(1, many, few), child(2, many, few * 3 / 2)]);
        tree.grow(1, &[child(3, many, few), child(5, many, 1)]);
        assert_eq!(tree.len(), 5);
        tree
    }

    #[test]
    fn a_job_is_the_highest_position_that_nobody_else_is_below() {
        let mut tree = tree_of_two_levels(true);
        let first = tree.take().unwrap();
        assert_eq!((first.at, &first.path[..2]), (1, &[Tree::ROOT, 1][..]));
        assert_eq!(first.path.len(), 3);
        // One move suffices where the mover seems to win: the next job helps with the same one, below it.
        let second = tree.take().unwrap();
        assert_eq!(second.path[..2], first.path[..2]);
        assert_eq!(second.at, second.path[2]);
        assert_ne!(second.path[2], first.path[2]);
        tree.give_back(&second.path);
        tree.give_back(&first.path);
        assert_eq!(tree.take(), Some(first));
    }

    #[test]
    fn the_root_can_be_taken_by_many() {
        let mut tree = tree_of_two_levels(true);
        let [first, second] = [(); 2].map(|()| tree.take_root());
        assert_eq!(
            (first.at, &first.path[..], first.limit),
            (Tree::ROOT, &[Tree::ROOT][..], Bounds::NO_LIMIT)
        );
        assert_eq!(first, second);
        assert_eq!(tree.take().unwrap().at, 1);
    }

    #[test]
    fn where_the_mover_seems_to_lose_the_next_job_goes_elsewhere() {
        let mut tree = tree_of_two_levels(false);
        assert_eq!(tree.take().unwrap().at, 1);
        assert_eq!(tree.take().unwrap().at, 2);
    }

    #[test]
    fn new_numbers_make_children_leaves_except_where_somebody_is() {
        let mut tree = tree();
        tree.grow(Tree::ROOT, &[child(1, 9, 3), child(2, 9, 4)]);
        tree.grow(1, &[child(3, 9, 3)]);
        tree.grow(2, &[child(6, 9, 4)]);
        let job = tree.take().unwrap();
        assert_eq!(job.path[1], 1);
        let fresh = tree.refresh(Tree::ROOT, |_| Some(Bounds { last: 7, notlast: 20 }));
        assert_eq!(fresh, [2]);
        assert!(tree.is_leaf(2) && !tree.is_leaf(1));
        assert_eq!(tree.bounds(Tree::ROOT), Bounds { last: 16, notlast: 3 });
        // It can grow again, and what is below it has the numbers that it is given then.
        tree.grow(2, &[child(6, 8, 5)]);
        assert_eq!(tree.bounds(2), Bounds { last: 8, notlast: 5 });
    }

    #[test]
    fn what_is_known_of_a_position_when_it_is_reached_again_counts_on_all_ways() {
        let mut tree = tree();
        tree.grow(Tree::ROOT, &[child(1, 1, 1), child(2, 1, 1)]);
        tree.grow(1, &[child(3, 1, 1)]);
        let last = Bounds::won_by(Part::Last);
        tree.grow(2, &[Child { bounds: last, ..child(3, 1, 1) }]);
        assert_eq!(tree.bounds(1), last);
        assert_eq!(tree.bounds(Tree::ROOT), last);
    }

    #[test]
    fn a_position_reached_twice_is_there_once_and_decides_both() {
        let mut tree = tree();
        tree.grow(Tree::ROOT, &[child(1, 1, 1), child(2, 1, 1)]);
        tree.grow(1, &[child(3, 1, 1)]);
        tree.grow(2, &[child(3, 1, 1)]);
        assert_eq!(tree.len(), 4);
        tree.set(3, Bounds::won_by(Part::Last), 10);
        assert_eq!(tree.bounds(Tree::ROOT).winner(), Some(Part::Last));
        let solved = tree.take_solved();
        assert_eq!(solved.len(), 3);
        assert!(solved.iter().all(|solved| solved.winner == Part::Last));
        assert_eq!(tree.take(), None);
    }

    #[test]
    fn work_beyond_all_numbers_is_no_overflow() {
        let mut tree = tree();
        tree.grow(Tree::ROOT, &[child(1, 1, 1), child(2, 1, 1)]);
        tree.set(1, Bounds::won_by(Part::Last), u64::MAX);
        tree.set(2, Bounds::won_by(Part::Last), u64::MAX);
        assert_eq!(tree.take_solved()[0].nodes, u64::MAX);
    }

    #[test]
    fn what_is_decided_stays_decided() {
        let mut tree = tree();
        tree.set(Tree::ROOT, Bounds::won_by(Part::Last), 0);
        tree.set(Tree::ROOT, Bounds { last: 3, notlast: 3 }, 0);
        tree.set(Tree::ROOT, Bounds::won_by(Part::Notlast), 0);
        assert_eq!(tree.bounds(Tree::ROOT).winner(), Some(Part::Last));
    }
}
