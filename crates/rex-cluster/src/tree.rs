//! The upper part of the search: proof-number search over filled canonical positions, best first, with a record of who
//! is at work below what.
//!
//! Positions that are reached in several ways are there once. Stones are never taken away, so there are no cycles.

use std::collections::{HashMap, HashSet};

use rex::{Board, Cell};
use rex_search::bounds::{Bounds, INFINITE, Part};
use rex_search::node::Node;
use rex_search::{Child, Solved};

/// Where a position is in the tree.
pub type Index = usize;

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

    /// Gives a leaf its children, with their numbers where they are new.
    pub fn grow(&mut self, at: Index, children: &[Child]) {
        let mut list = Vec::with_capacity(children.len());
        for child in children {
            let below = self.place(child.node, child.bounds);
            self.nodes[below].parents.push(at);
            list.push((child.cell, below));
        }
        self.nodes[at].children = Some(list);
        self.update(at);
    }

    /// Sets the numbers of a leaf, or who wins anywhere.
    pub fn set(&mut self, at: Index, bounds: Bounds, work: u64) {
        if self.nodes[at].bounds.winner().is_some() || bounds.winner().is_none() && !self.is_leaf(at) {
            return;
        }
        self.nodes[at].bounds = bounds;
        self.nodes[at].work = self.nodes[at].work.saturating_add(work);
        self.update_parents(at);
    }

    /// Finds the leaf most worth searching that nobody is at, and marks the way to it. With it come the numbers at which
    /// others are more worth searching.
    pub fn take(&mut self) -> Option<(Vec<Index>, Bounds)> {
        let mut path = Vec::new();
        let limit = self.descend(Self::ROOT, Bounds::NO_LIMIT, &mut path, &mut HashSet::new())?;
        for &at in &path {
            self.nodes[at].jobs += 1;
        }
        Some((path, limit))
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
        path: &mut Vec<Index>,
        barren: &mut HashSet<Index>,
    ) -> Option<Bounds> {
        let here = &self.nodes[at];
        if here.bounds.winner().is_some() || barren.contains(&at) {
            return None;
        }
        path.push(at);
        let Some(children) = &here.children else {
            if here.jobs == 0 {
                return Some(limit);
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
        match mover {
            Part::Last => Bounds { last: own.min(INFINITE), notlast: others.min(INFINITE) },
            Part::Notlast => Bounds { last: others.min(INFINITE), notlast: own.min(INFINITE) },
        }
    }

    /// The number of a part at a position, as whoever chooses sees it: every job below makes it worse, as if it were half
    /// lost already. So the next one goes elsewhere, unless this is far better.
    fn seen(&self, at: Index, part: Part) -> u64 {
        let TreeNode { bounds, jobs, .. } = self.nodes[at];
        u64::from(bounds.get(part)) * u64::from(1 + jobs)
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
        let below: u64 = self.children(at).iter().map(|&(_, below)| self.nodes[below].work).sum();
        let here = &mut self.nodes[at];
        here.work = here.work.saturating_add(below);
        self.solved.push(Solved { node: here.node, winner, best, nodes: here.work });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rex::{CellSet, Player};

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
        assert_eq!(first.1.notlast, 5);
        let [first, second, third] = [first.0, second.0, third.0];
        assert_eq!([first.last(), second.last(), third.last()], [Some(&2), Some(&3), Some(&1)]);
        assert_eq!(tree.take(), None);
        tree.give_back(&second);
        assert_eq!(tree.take().map(|(path, _)| path), Some(second));
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
    fn what_is_decided_stays_decided() {
        let mut tree = tree();
        tree.set(Tree::ROOT, Bounds::won_by(Part::Last), 0);
        tree.set(Tree::ROOT, Bounds { last: 3, notlast: 3 }, 0);
        tree.set(Tree::ROOT, Bounds::won_by(Part::Notlast), 0);
        assert_eq!(tree.bounds(Tree::ROOT).winner(), Some(Part::Last));
    }
}
