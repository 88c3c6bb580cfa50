//! The upper part of a search that several threads share.

use rex_game::{Board, Cell, Symmetry};

use crate::bounds::{Bounds, INFINITE, Part};
use crate::company::{Companion, Others};
use crate::dfpn::{Search, Solved, Widening, choose};
use crate::expand::Children;
use crate::node::{Key, Node};
use crate::table::{Entry, Table, Work};

/// When the shared tree has grown by so many nodes, quanta have grown by another one, so that the longest search does not
/// fill the memory with its tree.
const TREE_STEP: usize = 1 << 16;

/// The bytes of a node.
pub(crate) const TREE_NODE: usize = size_of::<TreeNode>();

/// The fewest nodes that a tree has room for.
const LEAST_ROOM: usize = 1 << 10;

/// The upper part of the search, as all threads see it.
pub(super) struct Tree<'a> {
    pub board: Board,
    /// The root, and behind it the children of nodes, those of one node together.
    pub nodes: Vec<TreeNode>,
    /// Where children of decided nodes were, by how many: their places are used again.
    free: Vec<Vec<usize>>,
    /// How many nodes are in such places.
    unused: usize,
    /// The most nodes there is memory for.
    most: usize,
    pub table: &'a Table,
    pub widening: Widening,
    pub epsilon_share: u32,
    /// Nodes decided here and not below, since somebody took them over.
    pub solved: Vec<Solved>,
    /// Nodes for a job while the tree is small.
    pub quantum: u64,
    /// Numbers of the root that end the search; a winner always does.
    pub limit: Bounds,
    /// The numbers of the root that have reached the limit.
    pub reached: Option<Bounds>,
    /// What is known of other searches.
    pub companion: Option<Companion<'a>>,
}

/// A position in it.
pub(super) struct TreeNode {
    pub node: Node,
    pub key: Key,
    pub mover: Part,
    pub bounds: Bounds,
    /// First child and number of children; none for a leaf.
    pub children: (usize, usize),
    /// Nodes visited below it.
    pub work: u64,
    /// Threads at work at or below it.
    pub workers: u32,
    /// The move that leads here, in root coordinates, and the symmetry from those to this node's.
    pub cell: Cell,
    pub symmetry: Symmetry,
}

/// A leaf to search below, with the way to it and the numbers at which to come back.
pub(super) struct Job {
    pub path: Vec<usize>,
    pub limit: Bounds,
    pub quantum: u64,
}

impl TreeNode {
    pub fn leaf(node: &Node, key: Key, mover: Part, cell: Cell, symmetry: Symmetry) -> TreeNode {
        let bounds = Bounds { last: 1, notlast: 1 };
        TreeNode { node: *node, key, mover, bounds, children: (0, 0), work: 0, workers: 0, cell, symmetry }
    }
}

impl<'a> Tree<'a> {
    /// A tree of one node, steered as this search is, with room for `most` nodes.
    pub fn new(
        root: TreeNode,
        search: &Search<'a>,
        limit: Bounds,
        most: usize,
        companion: Option<Companion<'a>>,
    ) -> Tree<'a> {
        Tree {
            board: search.board,
            nodes: vec![root],
            free: vec![Vec::new(); 65],
            unused: 0,
            most: most.max(LEAST_ROOM),
            table: search.table,
            widening: search.widening,
            epsilon_share: search.tuning.epsilon_share,
            solved: Vec::new(),
            quantum: search.tuning.quantum,
            limit,
            reached: None,
            companion,
        }
    }

    /// Whether the numbers of the root reach the limit now.
    pub fn limit_reached(&mut self) -> bool {
        let bounds = self.nodes[0].bounds;
        let reached = bounds.reaches(self.limit);
        if reached {
            self.reached = Some(bounds);
        }
        reached
    }

    /// Nodes in use.
    fn size(&self) -> usize {
        self.nodes.len() - self.unused
    }

    /// Walks down to a free leaf for a thread and marks the way; `None` when there is none worth taking, or when the root is
    /// decided.
    pub fn take_job(&mut self, thread: usize) -> Option<Job> {
        if let Some(companion) = &mut self.companion {
            companion.look_around();
        }
        let mut path = vec![0];
        let mut limit = self.limit;
        while !self.nodes[0].bounds.reaches(self.limit) {
            let at = path[path.len() - 1];
            if self.nodes[at].children.1 == 0 {
                if self.nodes[at].workers > 0 {
                    return None;
                }
                for &index in &path {
                    self.nodes[index].workers += 1;
                }
                if let Some(companion) = &self.companion {
                    companion.go(thread, path.iter().map(|&index| self.nodes[index].node).collect());
                }
                let quantum = self.quantum * (1 + (self.size() / TREE_STEP) as u64);
                return Some(Job { path, limit, quantum });
            }
            match self.step(at, limit) {
                Some((next, next_limit)) => {
                    path.push(next);
                    limit = next_limit;
                }
                // The table knows more than the tree did: this node is decided. Start again.
                None => {
                    self.back_up(&path);
                    path.truncate(1);
                    limit = self.limit;
                }
            }
        }
        None
    }

    /// The child to go to, and its limit; `None` when the children decide the node.
    fn step(&mut self, at: usize, limit: Bounds) -> Option<(usize, Bounds)> {
        let (first, count) = self.nodes[at].children;
        let mover = self.nodes[at].mover;
        let other = mover.other();
        let mut real = [Bounds { last: 1, notlast: 1 }; 64];
        let mut seen = real;
        for i in 0..count {
            self.refresh(first + i);
            let child = &self.nodes[first + i];
            real[i] = child.bounds;
            seen[i] = child.bounds;
            let others =
                self.companion.as_ref().map_or_else(Others::default, |mine| mine.others_at(&child.node));
            let busy = child.workers + others.threads;
            if child.bounds.winner().is_none() && busy > 0 {
                // Busy. Where the mover seems to lose, all moves must be answered: worse for her, so that another one is
                // chosen if it is nearly as good. Where she seems to win, one suffices, and whoever comes joins in.
                let own = child.bounds.get(mover);
                let times = match child.children.1 {
                    0 if child.workers > 0 || others.here => 1 << 20,
                    _ if own < child.bounds.get(other) => 1,
                    _ => 1 + busy,
                };
                seen[i] = Bounds::unsolved(mover, own.saturating_mul(times), child.bounds.get(other));
            }
        }
        let now = choose(self.widening, mover, &real[..count])?;
        if now.best == 0 {
            return None;
        }
        let chosen = choose(self.widening, mover, &seen[..count])?.index;
        let (own, theirs) = (real[chosen].get(mover), real[chosen].get(other));
        let rival = if chosen == now.index { now.second } else { now.best.max(own) };
        let slack = rival / self.epsilon_share + 1;
        let own_limit = limit.get(mover).min(rival.saturating_add(slack)).max(own.saturating_add(1));
        let their_limit =
            limit.get(other).saturating_sub(now.sum).saturating_add(theirs).max(theirs.saturating_add(1));
        Some((first + chosen, Bounds::of(mover, own_limit, their_limit.min(INFINITE))))
    }

    /// Takes over what the table has learnt of a leaf.
    fn refresh(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        if node.bounds.winner().is_none()
            && let Some(entry) = self.table.get(node.key)
            && (node.children.1 == 0 || entry.bounds.winner().is_some())
        {
            node.bounds = entry.bounds;
            node.work = node.work.max(entry.work.nodes());
            self.free_below(index);
        }
    }

    /// Gives a leaf its children.
    pub fn grow(&mut self, leaf: usize, children: &Children, search: &Search) {
        let (node, symmetry) = (self.nodes[leaf].node, self.nodes[leaf].symmetry);
        let count = children.len();
        let place = self.free[count].pop();
        if place.is_none() && self.nodes.len() + count > self.most {
            // It stays a leaf; the next to take it goes on below it.
            return;
        }
        let first = place.unwrap_or(self.nodes.len());
        for index in 0..count {
            let child = Node { stones: children.stones(index), last: node.last };
            let cell = symmetry.apply_to_cell(search.board, children.cell(index));
            let onward = symmetry.then(children.symmetry(index));
            let leaf_node = TreeNode::leaf(&child, search.key(&child), search.mover(&child), cell, onward);
            let bounds = if children.is_gone(index) {
                Bounds::won_by(self.nodes[leaf].mover.other())
            } else {
                children.guess(index)
            };
            let leaf_node = TreeNode { bounds, ..leaf_node };
            match self.nodes.get_mut(first + index) {
                Some(unused) => *unused = leaf_node,
                None => self.nodes.push(leaf_node),
            }
            self.refresh(first + index);
        }
        if place.is_some() {
            self.unused -= count;
        }
        self.nodes[leaf].children = (first, count);
    }

    /// Gives the places below a decided node back, if nobody is at work there.
    fn free_below(&mut self, index: usize) {
        let TreeNode { children: (first, count), bounds, workers, .. } = self.nodes[index];
        if count == 0 || workers > 0 || bounds.winner().is_none() {
            return;
        }
        let mut blocks = vec![(first, count)];
        self.nodes[index].children = (0, 0);
        while let Some((first, count)) = blocks.pop() {
            blocks.extend(
                self.nodes[first..first + count]
                    .iter()
                    .map(|node| node.children)
                    .filter(|&(_, count)| count > 0),
            );
            self.free[count].push(first);
            self.unused += count;
        }
    }

    /// Unmarks the way to a leaf below which so many nodes were visited, and works the new numbers out along it.
    pub fn give_back(&mut self, path: &[usize], nodes: u64) {
        for &index in path {
            self.nodes[index].workers -= 1;
            self.nodes[index].work += nodes;
        }
        self.back_up(path);
    }

    /// Works the numbers out along a path, and gives back what lies below a decided node on it.
    fn back_up(&mut self, path: &[usize]) {
        self.update(path);
        // From the root on: what lies below a place that was given back is no longer anybody's.
        for &index in path {
            self.free_below(index);
            if self.nodes[index].children.1 == 0 {
                break;
            }
        }
    }

    /// Works the numbers out along a path, from its end up to the root.
    fn update(&mut self, path: &[usize]) {
        for &index in path.iter().rev() {
            let (first, count) = self.nodes[index].children;
            if count == 0 || self.nodes[index].bounds.winner().is_some() {
                continue;
            }
            let mut bounds = [Bounds { last: 1, notlast: 1 }; 64];
            for (i, bounds) in bounds[..count].iter_mut().enumerate() {
                self.refresh(first + i);
                *bounds = self.nodes[first + i].bounds;
            }
            let mover = self.nodes[index].mover;
            let mut best = None;
            self.nodes[index].bounds = match choose(self.widening, mover, &bounds[..count]) {
                None => Bounds::won_by(mover.other()),
                Some(choice) if choice.best == 0 => {
                    best = Some(self.nodes[first + choice.index].cell);
                    Bounds::won_by(mover)
                }
                Some(choice) => Bounds::unsolved(mover, choice.best, choice.sum),
            };
            self.note_solved(index, best);
            let TreeNode { key, bounds, work, .. } = self.nodes[index];
            let earlier = self.table.get(key).map_or_else(Default::default, |entry| entry.work);
            self.table.put(key, Entry { bounds, work: Work::of(work).max(earlier) });
        }
    }

    /// Lets a search remember what was decided here, if it took enough work.
    pub fn hand_solved_to(&mut self, search: &mut Search) {
        for solved in self.solved.drain(..) {
            if search.remembers(solved.nodes) {
                search.solved.push(solved);
            }
        }
    }

    /// Notes a node that its children decide. The move comes in root coordinates.
    fn note_solved(&mut self, index: usize, best: Option<Cell>) {
        let TreeNode { node, bounds, symmetry, work, .. } = self.nodes[index];
        let Some(winner) = bounds.winner() else { return };
        let best = best.map(|cell| symmetry.apply_to_cell(self.board, cell));
        self.solved.push(Solved { node, winner, best, nodes: work });
    }
}

#[cfg(test)]
mod tests {
    use rex_game::{CellSet, Player};

    use super::*;
    use crate::company::Company;

    fn node(stones: u64) -> Node {
        Node { stones: [CellSet(stones), CellSet(0)], last: Player::Black }
    }

    /// A root with two moves, of which the first is a little better for the mover.
    fn tree<'a>(table: &'a Table, own: [u32; 2], theirs: u32, companion: Companion<'a>) -> Tree<'a> {
        let mover = Part::Notlast;
        let leaf = |stones: u64, bounds| {
            let node = node(stones);
            let leaf = TreeNode::leaf(&node, Key::new(&node, 16), mover, Cell::new(0), Symmetry::Identity);
            TreeNode { bounds, ..leaf }
        };
        let moves = [1, 2].map(|stones| leaf(stones, Bounds::of(mover, own[stones as usize - 1], theirs)));
        let root = TreeNode { children: (1, 2), ..leaf(0, Bounds::of(mover, own[0], 2 * theirs)) };
        Tree {
            board: Board::new(4, 4).unwrap(),
            nodes: [root].into_iter().chain(moves).collect(),
            free: vec![Vec::new(); 65],
            unused: 0,
            most: LEAST_ROOM,
            table,
            widening: Widening::EVERYTHING,
            epsilon_share: 4,
            solved: Vec::new(),
            quantum: 30,
            limit: Bounds::NO_LIMIT,
            reached: None,
            companion: Some(companion),
        }
    }

    #[test]
    fn what_lies_below_a_decided_node_is_given_back_and_used_again() {
        let table = Table::new(1 << 16).unwrap();
        let company = Company::default();
        let mut tree = tree(&table, [10, 15], 5, company.join());
        let leaf = |stones: u64, bounds| {
            let leaf = TreeNode::leaf(
                &node(stones),
                Key::new(&node(stones), 16),
                Part::Last,
                Cell::new(0),
                Symmetry::Identity,
            );
            TreeNode { bounds, ..leaf }
        };
        // The first move gets two answers, and the second of those two more.
        for stones in [4, 5, 6, 7] {
            tree.nodes.push(leaf(stones, Bounds { last: 3, notlast: 3 }));
        }
        tree.nodes[1].children = (3, 2);
        tree.nodes[4].children = (5, 2);
        let won = Bounds::won_by(Part::Last);
        // Somebody is at work below it: nothing is given back yet.
        for index in [0, 1, 4, 5] {
            tree.nodes[index].workers = 1;
        }
        table.put(Key::new(&node(1), 16), Entry { bounds: won, work: Work::of(1) });
        tree.refresh(1);
        assert_eq!((tree.nodes[1].bounds, tree.size()), (won, 7));
        tree.give_back(&[0, 1, 4, 5], 30);
        assert_eq!((tree.nodes[1].children, tree.size(), tree.nodes.len()), ((0, 0), 3, 7));
        let mut places = tree.free[2].clone();
        places.sort_unstable();
        assert_eq!(places, [3, 5]);
    }

    #[test]
    fn where_the_mover_seems_to_lose_it_goes_where_no_other_search_is() {
        let table = Table::new(1 << 16).unwrap();
        let company = Company::default();
        let other = company.join();
        let taken = |own, theirs| {
            let job = tree(&table, own, theirs, company.join()).take_job(0).unwrap();
            job.path[1]
        };
        assert_eq!(taken([10, 15], 5), 1);
        other.go(0, vec![node(0), node(1), node(5)]);
        assert_eq!(taken([10, 15], 5), 2);
        // Far better: two at it are not too many.
        assert_eq!(taken([10, 25], 5), 1);
        // Where she seems to win, one move suffices, and it joins in, unless the other is at that very position.
        assert_eq!(taken([10, 15], 50), 1);
        other.go(0, vec![node(0), node(1)]);
        assert_eq!(taken([10, 25], 50), 2);
        drop(other);
        assert_eq!(taken([10, 15], 5), 1);
    }
}
