//! The top of a search that several searchers share: threads of one solver, or workers of a cluster.
//!
//! A searcher walks down from the root ([`UpperTree::descend`]) to the most promising leaf that nobody is searching. It
//! marks its path, so that the next searcher goes elsewhere where that makes sense. It comes back with numbers, and
//! perhaps with children for the leaf. [`UpperTree::update`] then recomputes the numbers up to the root.
//!
//! A position that is reached by two paths is in the tree twice. The table makes up for that: a result found at one
//! place goes there, and the other place picks it up when a searcher comes by. Nothing is kept below a decided
//! position.

use std::sync::Arc;

use rex_game::{Board, Cell, Symmetry};

use crate::dfpn::replies;
use crate::known::{Bounds, Child, Entry, Node, Part, Solved, Work};
use crate::proof_number::{Choice, Weighing, back_up};
use crate::table::{Key, Table};

/// Each time the tree grows by this many positions, pieces of work grow by their first size. So even the longest search
/// does not fill the memory with its tree.
const STEP: usize = 1 << 16;

/// A tree has room for at least this many positions.
const LEAST_ROOM: usize = 1 << 10;

/// A position has at most this many moves.
const MOST_MOVES: usize = 64;

/// The shared tree.
pub struct UpperTree {
    board: Board,
    weighing: Weighing,
    table: Arc<Table>,
    /// The root, followed by the children of positions. The children of one position are adjacent.
    nodes: Vec<TreeNode>,
    /// Blocks that held children of decided positions, by size, for reuse.
    free: Vec<Vec<usize>>,
    /// How many positions are in free blocks.
    unused: usize,
    /// At most this many positions.
    most: usize,
    /// Positions decided by their children since [`UpperTree::take_solved`] was last called.
    solved: Vec<Solved>,
    /// The search ends when the numbers of the root reach this. A winner always ends it.
    limit: Bounds,
    /// The numbers of the root when they reached the limit.
    reached: Option<Bounds>,
}

/// A position in the tree.
struct TreeNode {
    node: Node,
    key: Key,
    mover: Part,
    bounds: Bounds,
    /// The first child and their number; no children: a leaf.
    children: (usize, usize),
    /// Nodes searched below it.
    work: u64,
    /// How many searchers are at or below it.
    searchers: u32,
    /// The move that leads here, in root coordinates, and the symmetry from root coordinates to this node's. It also
    /// leads back, since every symmetry is its own inverse.
    cell: Cell,
    symmetry: Symmetry,
}

/// Bytes per position of the tree.
pub(crate) const TREE_NODE: usize = size_of::<TreeNode>();

/// A path from the root to a leaf. Each position comes with its limit: the numbers at which another one becomes more
/// promising.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way(Vec<(usize, Bounds)>);

impl Way {
    /// The leaf, and its limit.
    pub fn leaf(&self) -> (usize, Bounds) {
        self.0[self.0.len() - 1]
    }

    /// The positions on it, starting at the root.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.0.iter().map(|&(at, _)| at)
    }
}

/// How a walk down ends.
enum End {
    /// At a leaf that nobody is searching.
    Leaf,
    /// Every leaf worth searching is taken.
    Busy,
    /// At a position that is decided by its children, from what the table has learnt of them.
    Decided,
}

impl UpperTree {
    /// A tree that is one leaf, with room for `most` positions.
    pub(crate) fn new(
        board: Board,
        weighing: Weighing,
        table: Arc<Table>,
        root: &Node,
        symmetry: Symmetry,
        most: usize,
    ) -> UpperTree {
        let root = TreeNode::leaf(board, root, Cell::new(0), symmetry, Bounds::UNKNOWN);
        UpperTree {
            board,
            weighing,
            table,
            nodes: vec![root],
            free: vec![Vec::new(); MOST_MOVES + 1],
            unused: 0,
            most: most.max(LEAST_ROOM),
            solved: Vec::new(),
            limit: Bounds::NO_LIMIT,
            reached: None,
        }
    }

    /// Sets the limit at which the search ends, and the work already done on the root.
    pub(crate) fn going_on(mut self, limit: Bounds, work: u64) -> UpperTree {
        self.nodes[Self::ROOT].work = work;
        UpperTree { limit, ..self }
    }

    /// The root.
    pub const ROOT: usize = 0;

    /// How many positions are in it.
    pub fn size(&self) -> usize {
        self.nodes.len() - self.unused
    }

    /// How many times larger a piece of work is than at the start.
    pub fn growth(&self) -> u64 {
        1 + (self.size() / STEP) as u64
    }

    /// The position at this index.
    pub fn node(&self, at: usize) -> Node {
        self.nodes[at].node
    }

    /// The numbers at this index.
    pub fn bounds(&self, at: usize) -> Bounds {
        self.nodes[at].bounds
    }

    /// Whether it has no children.
    pub fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].children.1 == 0
    }

    /// How many searchers are at or below it.
    pub fn searchers(&self, at: usize) -> u32 {
        self.nodes[at].searchers
    }

    /// How many moves of the root are decided, and how many are open.
    pub(crate) fn replies(&self) -> [usize; 2] {
        let TreeNode { children: (first, count), mover, .. } = self.nodes[Self::ROOT];
        let below: Vec<Bounds> = self.nodes[first..first + count].iter().map(|node| node.bounds).collect();
        replies(mover, &below)
    }

    /// The moves of a position, in its coordinates, and the index of each child.
    pub fn moves(&self, at: usize) -> impl Iterator<Item = (Cell, usize)> {
        let TreeNode { children: (first, count), symmetry, .. } = self.nodes[at];
        (first..first + count)
            .map(move |below| (symmetry.apply_to_cell(self.board, self.nodes[below].cell), below))
    }

    /// The moves to the leaf of a way, in root coordinates, and the symmetry from root coordinates to the leaf's.
    pub(crate) fn line(&self, way: &Way) -> (Vec<Cell>, Symmetry) {
        let line = way.positions().skip(1).map(|at| self.nodes[at].cell).collect();
        (line, self.nodes[way.leaf().0].symmetry)
    }

    /// The positions decided since the last call.
    pub fn take_solved(&mut self) -> Vec<Solved> {
        std::mem::take(&mut self.solved)
    }

    /// Whether the root has reached the limit.
    pub(crate) fn limit_reached(&mut self) -> bool {
        let bounds = self.bounds(Self::ROOT);
        let reached = bounds.reaches(self.limit);
        if reached {
            self.reached = Some(bounds);
        }
        reached
    }

    /// The numbers of the root. A searcher that returns after the limit was reached may push them back down, so the
    /// numbers that reached it count, unless the root is decided.
    pub(crate) fn outcome(&self) -> Bounds {
        let bounds = self.bounds(Self::ROOT);
        self.reached.filter(|_| bounds.winner().is_none()).unwrap_or(bounds)
    }

    /// Walks down to the most promising leaf that nobody is searching, and marks the way. `None`: there is none, or the
    /// root has reached its limit.
    pub fn descend(&mut self) -> Option<Way> {
        while !self.bounds(Self::ROOT).reaches(self.limit) {
            let mut way = vec![(Self::ROOT, self.limit)];
            match self.walk_down(&mut way) {
                End::Leaf => {
                    let way = Way(way);
                    self.mark(&way);
                    return Some(way);
                }
                End::Busy => return None,
                End::Decided => {
                    let path: Vec<usize> = way.iter().map(|&(at, _)| at).collect();
                    self.update_path(&path);
                }
            }
        }
        None
    }

    /// Walks on from the end of a way.
    fn walk_down(&mut self, way: &mut Vec<(usize, Bounds)>) -> End {
        let (at, limit) = way[way.len() - 1];
        let TreeNode { children: (first, count), mover, searchers, .. } = self.nodes[at];
        if count == 0 {
            return if searchers == 0 { End::Leaf } else { End::Busy };
        }
        let (mut real, mut seen) = ([Bounds::UNKNOWN; MOST_MOVES], [Bounds::UNKNOWN; MOST_MOVES]);
        for index in 0..count {
            self.refresh(first + index);
            real[index] = self.nodes[first + index].bounds;
            seen[index] = self.seen(first + index, mover);
        }
        let Some(now) = self.weighing.choose(mover, &real[..count]).filter(|now| now.best > 0) else {
            return End::Decided;
        };
        while let Some(Choice { index, .. }) = self.weighing.choose(mover, &seen[..count]) {
            let limit = self.weighing.child_limit(mover, &now, index, real[index], limit);
            way.push((first + index, limit));
            match self.walk_down(way) {
                // Treat it as lost, so the next best gets its turn.
                End::Busy => seen[index] = Bounds::won_by(mover.other()),
                end => return end,
            }
            way.pop();
        }
        End::Busy
    }

    /// A child's numbers as the chooser should see them. Where the mover seems to lose, every move must be answered, so
    /// each searcher below makes a child look worse and the next one goes elsewhere, unless this child is far better.
    /// Where she seems to win, one move is enough, and the next searcher joins in.
    fn seen(&self, at: usize, mover: Part) -> Bounds {
        let TreeNode { bounds, searchers, .. } = self.nodes[at];
        let (own, theirs) = (bounds.get(mover), bounds.get(mover.other()));
        if bounds.winner().is_some() || searchers == 0 || own < theirs {
            return bounds;
        }
        Bounds::unsolved(mover, own.saturating_mul(1 + u64::from(searchers)), theirs)
    }

    /// Marks a way.
    pub fn mark(&mut self, way: &Way) {
        for at in way.positions() {
            self.nodes[at].searchers += 1;
        }
    }

    /// The way that consists of the root alone, for a search of the whole.
    pub fn way_to_root(&self) -> Way {
        Way(vec![(Self::ROOT, self.limit)])
    }

    /// This way extended by one of the children at its end, without a limit.
    pub fn way_on(&self, way: &Way, below: usize) -> Way {
        Way([&way.0[..], &[(below, Bounds::NO_LIMIT)]].concat())
    }

    /// The highest position on a way, below the root, with only one searcher at or below it, and its limit.
    pub fn highest_alone(&self, way: &Way) -> (usize, Bounds) {
        let alone = |&&(at, _): &&(usize, Bounds)| at != Self::ROOT && self.searchers(at) == 1;
        way.0.iter().find(alone).copied().unwrap_or(way.leaf())
    }

    /// Unmarks a way.
    pub fn unmark(&mut self, way: &Way) {
        for at in way.positions() {
            self.nodes[at].searchers -= 1;
        }
    }

    /// Adds the nodes searched at a position of a way, and recomputes the numbers from there up to the root.
    pub fn update(&mut self, way: &Way, searched: usize, nodes: u64) {
        let mut path: Vec<usize> = way.positions().take_while(|&at| at != searched).collect();
        path.push(searched);
        for &at in &path {
            // A worker may claim any number of nodes, so this must not overflow.
            self.nodes[at].work = self.nodes[at].work.saturating_add(nodes);
        }
        self.update_path(&path);
    }

    /// Sets the numbers of a position after a search that used the same table. If the position has children its numbers
    /// follow from theirs, unless it is decided.
    pub(crate) fn set(&mut self, at: usize, bounds: Bounds) {
        let here = &mut self.nodes[at];
        if here.bounds.winner().is_none() && (here.children.1 == 0 || bounds.winner().is_some()) {
            here.bounds = bounds;
        }
    }

    /// Sets the numbers of a position after a search elsewhere, and writes them to the table too.
    pub fn learn(&mut self, at: usize, bounds: Bounds) {
        let TreeNode { key, bounds: known, work, .. } = self.nodes[at];
        if known.winner().is_none() {
            self.table.put(key, Entry { bounds, work: Work::of(work) });
            self.set(at, bounds);
        }
    }

    /// Makes an open position a leaf with these numbers, unless somebody is searching there. What was below it is older
    /// than they are.
    pub fn cut(&mut self, at: usize, bounds: Bounds) -> bool {
        let here = &self.nodes[at];
        let free = here.searchers == 0 && here.bounds.winner().is_none();
        if free {
            self.free_below(at);
            self.learn(at, bounds);
        }
        free
    }

    /// Gives a leaf its children. With none it is lost for the mover. If there is no room it stays a leaf, and the next
    /// searcher goes on below it.
    pub fn grow(&mut self, leaf: usize, children: &[Child]) {
        let TreeNode { mover, symmetry, .. } = self.nodes[leaf];
        let count = children.len();
        if count == 0 {
            self.nodes[leaf].bounds = Bounds::won_by(mover.other());
            self.note_solved(leaf, None);
            return;
        }
        let free = self.free[count].pop();
        if free.is_none() && self.nodes.len() + count > self.most {
            return;
        }
        self.unused -= if free.is_some() { count } else { 0 };
        let first = free.unwrap_or(self.nodes.len());
        for (child, at) in children.iter().zip(first..) {
            let cell = symmetry.apply_to_cell(self.board, child.cell);
            let onward = symmetry.then(child.symmetry);
            let new = TreeNode::leaf(self.board, &child.node, cell, onward, child.bounds);
            match self.nodes.get_mut(at) {
                Some(unused) => *unused = new,
                None => self.nodes.push(new),
            }
            self.refresh(at);
        }
        self.nodes[leaf].children = (first, count);
    }

    /// Updates a position from the table if it is a leaf, or if the table has decided it.
    pub fn refresh(&mut self, at: usize) {
        let here = &mut self.nodes[at];
        if here.bounds.winner().is_none()
            && let Some(entry) = self.table.get(here.key)
            && (here.children.1 == 0 || entry.bounds.winner().is_some())
        {
            here.bounds = entry.bounds;
            here.work = here.work.max(entry.work.nodes());
            self.free_below_decided(at);
        }
    }

    /// Recomputes the numbers along a path, from its end up to the root, and frees everything below decided positions.
    fn update_path(&mut self, path: &[usize]) {
        for &at in path.iter().rev() {
            self.recompute(at);
        }
        // From the root down: below a freed block, indices on the path are stale.
        for &at in path {
            self.free_below_decided(at);
            if self.is_leaf(at) {
                break;
            }
        }
    }

    /// Recomputes the numbers of one position from its children.
    pub fn recompute(&mut self, at: usize) {
        let TreeNode { children: (first, count), mover, bounds, .. } = self.nodes[at];
        if count == 0 || bounds.winner().is_some() {
            return;
        }
        let mut below = [Bounds::UNKNOWN; MOST_MOVES];
        for (index, bounds) in below[..count].iter_mut().enumerate() {
            self.refresh(first + index);
            *bounds = self.nodes[first + index].bounds;
        }
        let choice = self.weighing.choose(mover, &below[..count]);
        self.nodes[at].bounds = back_up(mover, choice.as_ref());
        let winning = choice.filter(|choice| choice.best == 0);
        self.note_solved(at, winning.map(|choice| self.nodes[first + choice.index].cell));
        let TreeNode { key, bounds, work, .. } = self.nodes[at];
        let earlier = self.table.get(key).map_or_else(Work::default, |entry| entry.work);
        self.table.put(key, Entry { bounds, work: Work::of(work).max(earlier) });
    }

    /// Records a position if its children decide it. The move is in root coordinates.
    fn note_solved(&mut self, at: usize, best: Option<Cell>) {
        let TreeNode { node, bounds, symmetry, work, .. } = self.nodes[at];
        let Some(winner) = bounds.winner() else { return };
        let best = best.map(|cell| symmetry.apply_to_cell(self.board, cell));
        self.solved.push(Solved { node, winner, best, nodes: work });
    }

    fn free_below_decided(&mut self, at: usize) {
        if self.bounds(at).winner().is_some() {
            self.free_below(at);
        }
    }

    /// Frees everything below a position, unless somebody is searching there.
    fn free_below(&mut self, at: usize) {
        let TreeNode { children, searchers, .. } = self.nodes[at];
        if children.1 == 0 || searchers > 0 {
            return;
        }
        self.nodes[at].children = (0, 0);
        let mut blocks = vec![children];
        while let Some((first, count)) = blocks.pop() {
            let below = self.nodes[first..first + count].iter().map(|node| node.children);
            blocks.extend(below.filter(|&(_, count)| count > 0));
            self.free[count].push(first);
            self.unused += count;
        }
    }
}

impl TreeNode {
    fn leaf(board: Board, node: &Node, cell: Cell, symmetry: Symmetry, bounds: Bounds) -> TreeNode {
        TreeNode {
            node: *node,
            key: Key::new(node, board.len()),
            mover: node.mover(board),
            bounds,
            children: (0, 0),
            work: 0,
            searchers: 0,
            cell,
            symmetry,
        }
    }
}

#[cfg(test)]
mod tests;
