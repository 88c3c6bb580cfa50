//! Several threads on one position.
//!
//! The upper part of the search tree is kept explicitly and shared under a lock. A thread walks down from the
//! root, takes a leaf, searches below it on its own for a *quantum* of work, and comes back with the leaf's new
//! numbers; a leaf that outlasts its quantum gets its children into the shared tree. While a thread is below
//! a node, its numbers count as worse if whoever chooses there seems to lose, so that the others look elsewhere: there
//! all moves must be answered. Below the leaves everything is the one-thread search, and all threads share one table,
//! so that what one has solved the others know at once.
//!
//! Several such searches with one table may have company: each sees the threads of the others as it sees its own.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rex::{Board, Cell, Symmetry};

use crate::bounds::{Bounds, INFINITE, Part};
use crate::company::{Companion, Company};
use crate::dfpn::{Search, Solved, View, Views, Widening, choose};
use crate::expand::Children;
use crate::limits::StopReason;
use crate::node::{Key, Node};
use crate::table::{Entry, Table, Work};

/// When the shared tree has grown by so many nodes, quanta have grown by another one, so that the longest search does not
/// fill the memory with its tree.
const TREE_STEP: usize = 1 << 16;

/// How long a thread sleeps when all leaves worth taking are taken.
const NAP: Duration = Duration::from_micros(50);

struct Shared<'a> {
    tree: Mutex<Tree<'a>>,
    /// The root is decided, or a limit was reached: everybody stops.
    done: AtomicBool,
    /// Nodes of all threads since the request began.
    nodes: AtomicU64,
    /// How many of them there are when everybody comes back with what is known.
    budget: u64,
}

struct Tree<'a> {
    board: Board,
    nodes: Vec<TreeNode>,
    table: &'a Table,
    widening: Widening,
    epsilon_share: u32,
    /// Nodes decided here and not below, since somebody took them over.
    solved: Vec<Solved>,
    /// Nodes for a job while the tree is small.
    quantum: u64,
    /// Numbers of the root that end the search; a winner always does.
    limit: Bounds,
    /// What is known of other searches.
    companion: Option<Companion<'a>>,
}

struct TreeNode {
    node: Node,
    key: Key,
    mover: Part,
    bounds: Bounds,
    /// First child and number of children; none for a leaf.
    children: (usize, usize),
    /// Nodes visited below it.
    work: u64,
    /// Threads at work at or below it.
    workers: u32,
    /// The move that leads here, in root coordinates, and the symmetry from those to this node's.
    cell: Cell,
    symmetry: Symmetry,
}

/// A leaf to search below, with the way to it and the numbers at which to come back.
struct Job {
    path: Vec<usize>,
    limit: Bounds,
    quantum: u64,
}

/// Searches a node with all the given searches, one thread each, for about `budget` nodes, or until one of its numbers
/// reaches `limit` or it is decided; the first search runs on this thread and shows itself to `views`. The numbers of a node
/// that is not decided by then are what is known of it.
pub fn explore(
    searches: &mut [Search],
    node: &Node,
    symmetry: Symmetry,
    limit: Bounds,
    budget: u64,
    company: Option<&Company>,
    views: Views,
) -> Result<Bounds, StopReason> {
    let (first, others) = searches.split_first_mut().expect("there is at least one search");
    let known = first.known(node);
    if let Some(entry) = known
        && entry.bounds.winner().is_some()
    {
        return Ok(entry.bounds);
    }
    let worked = known.map_or(0, |entry| entry.work.nodes());
    // Most positions are decided before a second thread could be of use; those that were not, earlier, are not.
    let steps = first.root_steps();
    let alone = if others.is_empty() && company.is_none() {
        u64::MAX
    } else {
        first.tuning.alone.saturating_sub(worked).max(1)
    };
    let begun = first.watch.nodes();
    let bounds = first.search_below(node, symmetry, limit, alone.min(budget), steps, views)?;
    let before = first.watch.nodes();
    if bounds.reaches(limit) || before - begun >= budget {
        return Ok(bounds);
    }
    let mut root = TreeNode::leaf(node, first.key(node), first.mover(node), Cell::new(0), symmetry);
    root.work = first.known(node).map_or(0, |entry| entry.work.nodes()).max(before - begun);
    let shared = Shared {
        tree: Mutex::new(Tree {
            board: first.board,
            nodes: vec![root],
            table: first.table,
            widening: first.widening,
            epsilon_share: first.tuning.epsilon_share,
            solved: Vec::new(),
            quantum: first.tuning.quantum,
            limit,
            companion: company.map(Company::join),
        }),
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(before),
        budget: begun.saturating_add(budget),
    };
    let result = std::thread::scope(|scope| {
        let handles: Vec<_> = others
            .iter_mut()
            .zip(1..)
            .map(|(search, thread)| {
                let shared = &shared;
                std::thread::Builder::new()
                    .stack_size(16 << 20)
                    .spawn_scoped(scope, move || work(search, shared, thread, &mut |_| {}))
                    .expect("a thread can be started")
            })
            .collect();
        let mut result = work(first, &shared, 0, views);
        for handle in handles {
            let other = handle.join().expect("a searching thread does not panic");
            result = result.and(other);
        }
        result
    });
    for search in others.iter_mut() {
        first.watch.add(search.watch.take());
    }
    debug_assert!(first.watch.nodes() >= before);
    let mut tree = shared.tree.into_inner().unwrap_or_else(PoisonError::into_inner);
    tree.hand_solved_to(first);
    let bounds = tree.nodes[0].bounds;
    // Nobody was stopped: the limit or the budget was reached. The limit perhaps only for a moment, since a thread that comes
    // back after that may bring the numbers down again.
    if bounds.winner().is_some() { Ok(bounds) } else { result.map(|()| bounds) }
}

/// One thread: takes jobs until the root is decided or a limit is reached.
fn work(search: &mut Search, shared: &Shared, thread: usize, views: Views) -> Result<(), StopReason> {
    while !shared.done.load(Relaxed) {
        let job = {
            let mut tree = shared.lock();
            let job = tree.take_job(thread);
            // What the table knew may have decided the root on the way.
            if tree.nodes[0].bounds.reaches(tree.limit) {
                shared.done.store(true, Relaxed);
            }
            job
        };
        let Some(job) = job else {
            search.watch.look().inspect_err(|_| shared.done.store(true, Relaxed))?;
            std::thread::sleep(NAP);
            continue;
        };
        let result = search_leaf(search, shared, &job, views);
        let mut tree = shared.lock();
        match result {
            Ok(Searched { bounds, children, nodes }) => {
                let leaf = *job.path.last().expect("a path has a leaf");
                tree.nodes[leaf].bounds = bounds;
                if let Some(children) = children {
                    tree.grow(leaf, &children, search);
                }
                tree.give_back(&job.path, nodes);
                tree.hand_solved_to(search);
                let spent = shared.nodes.load(Relaxed) >= shared.budget;
                if spent || tree.nodes[0].bounds.reaches(tree.limit) {
                    shared.done.store(true, Relaxed);
                }
            }
            Err(reason) => {
                tree.give_back(&job.path, 0);
                shared.done.store(true, Relaxed);
                return Err(reason);
            }
        }
    }
    Ok(())
}

/// What came of a job.
struct Searched {
    bounds: Bounds,
    children: Option<Children>,
    /// Nodes it took.
    nodes: u64,
}

/// Searches below a leaf. If it outlasts its quantum, its children come with its numbers: they are worked out here, where
/// nobody waits for the lock.
fn search_leaf(
    search: &mut Search,
    shared: &Shared,
    job: &Job,
    views: Views,
) -> Result<Searched, StopReason> {
    let (node, symmetry, line, root_bounds) = {
        let tree = shared.lock();
        let leaf = &tree.nodes[*job.path.last().expect("a path has a leaf")];
        let line: Vec<Cell> = job.path[1..].iter().map(|&index| tree.nodes[index].cell).collect();
        (leaf.node, leaf.symmetry, line, tree.nodes[0].bounds)
    };
    let steps = search.tuning.pairing_steps;
    let before = search.watch.nodes();
    let others = shared.nodes.load(Relaxed);
    let result = search.search_below(&node, symmetry, job.limit, job.quantum, steps, &mut |view| {
        let mut whole = line.clone();
        whole.extend_from_slice(view.line);
        let nodes = others + (view.nodes - before);
        views(&View { nodes, line: &whole, bounds: root_bounds, ..*view });
    });
    let nodes = search.watch.nodes() - before;
    let total = shared.nodes.fetch_add(nodes, Relaxed) + nodes;
    let bounds = result?;
    if search.watch.over(total) {
        return Err(StopReason::Nodes);
    }
    if bounds.winner().is_some() || !search.out_of_quantum() {
        return Ok(Searched { bounds, children: None, nodes });
    }
    Ok(match search.children(&node) {
        Ok(children) => Searched { bounds, children: Some(children), nodes },
        Err(winner) => Searched { bounds: Bounds::won_by(winner), children: None, nodes },
    })
}

impl<'a> Shared<'a> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Tree<'a>> {
        // A poisoned lock means a panic elsewhere, which is passed on when the thread is joined.
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TreeNode {
    fn leaf(node: &Node, key: Key, mover: Part, cell: Cell, symmetry: Symmetry) -> TreeNode {
        let bounds = Bounds { last: 1, notlast: 1 };
        TreeNode { node: *node, key, mover, bounds, children: (0, 0), work: 0, workers: 0, cell, symmetry }
    }
}

impl Tree<'_> {
    /// Walks down to a free leaf for a thread and marks the way; `None` when there is none worth taking, or when the root is
    /// decided.
    fn take_job(&mut self, thread: usize) -> Option<Job> {
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
                let quantum = self.quantum * (1 + (self.nodes.len() / TREE_STEP) as u64);
                return Some(Job { path, limit, quantum });
            }
            match self.step(at, limit) {
                Some((next, next_limit)) => {
                    path.push(next);
                    limit = next_limit;
                }
                // The table knows more than the tree did: this node is decided. Start again.
                None => {
                    self.update(&path);
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
            let elsewhere = self.companion.as_ref().map_or(0, |companion| companion.others_at(&child.node));
            if child.bounds.winner().is_none() && child.workers + elsewhere > 0 {
                // Busy. Where the mover seems to lose, all moves must be answered: worse for her, so that another one is
                // chosen if it is nearly as good. Where she seems to win, one suffices, and whoever comes joins in.
                let own = child.bounds.get(mover);
                let times = match child.children.1 {
                    0 if child.workers > 0 => 1 << 20,
                    _ if own < child.bounds.get(other) => 1,
                    _ => 1 + child.workers + elsewhere,
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
        }
    }

    /// Gives a leaf its children.
    fn grow(&mut self, leaf: usize, children: &Children, search: &Search) {
        let (node, symmetry) = (self.nodes[leaf].node, self.nodes[leaf].symmetry);
        let first = self.nodes.len();
        for index in 0..children.len() {
            let child = Node { stones: children.stones(index), last: node.last };
            let cell = symmetry.apply_to_cell(search.board, children.cell(index));
            let onward = symmetry.then(children.symmetry(index));
            let leaf_node = TreeNode::leaf(&child, search.key(&child), search.mover(&child), cell, onward);
            self.nodes.push(TreeNode { bounds: children.guess(index), ..leaf_node });
            if children.is_gone(index) {
                let mover = self.nodes[leaf].mover;
                self.nodes[first + index].bounds = Bounds::won_by(mover.other());
            }
            self.refresh(first + index);
        }
        self.nodes[leaf].children = (first, children.len());
    }

    /// Unmarks the way to a leaf below which so many nodes were visited, and works the new numbers out along it.
    fn give_back(&mut self, path: &[usize], nodes: u64) {
        for &index in path {
            self.nodes[index].workers -= 1;
            self.nodes[index].work += nodes;
        }
        self.update(path);
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
    fn hand_solved_to(&mut self, search: &mut Search) {
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
