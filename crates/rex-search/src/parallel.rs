//! Several threads on one position.
//!
//! The top of the search tree is explicit and shared under a lock. A thread walks down from the root, takes a leaf,
//! searches below it on its own for a *quantum* of work, and returns with the leaf's new numbers. If a leaf outlasts
//! its quantum, its children join the shared tree. Where the player to choose seems to lose, all her moves must be
//! answered; so a node with a thread below it looks worse to her, and the others go elsewhere. Below the leaves it is
//! the one-thread search. All threads share one table, so whatever one solves the others know at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;
use rex_game::Symmetry;

use crate::dfpn::{Search, View, Views};
use crate::known::{Bounds, Child, Node};
use crate::limits::StopReason;
use crate::solver::Team;
use crate::upper_tree::{UpperTree, Way};

/// How long a thread sleeps when every leaf worth searching is taken.
const NAP: Duration = Duration::from_micros(50);

/// A thread needs some ten kilobytes of stack per move on its line.
const STACK: usize = 4 << 20;

/// What to search.
pub(crate) struct Task<'a> {
    pub node: &'a Node,
    /// From the coordinates of the position asked about to the node's, and back: every symmetry is its own inverse.
    pub symmetry: Symmetry,
    /// The search ends when the node's numbers reach this.
    pub limit: Bounds,
    /// About how many nodes to search.
    pub budget: u64,
}

struct Shared {
    tree: Mutex<UpperTree>,
    /// The root is decided or a limit was reached: every thread stops.
    done: AtomicBool,
    /// Nodes of all threads since the request began.
    nodes: AtomicU64,
    /// When they reach this, every thread returns with what it knows.
    budget: u64,
}

/// Searches a node with a team, for about the task's budget, or until it is decided or one of its numbers reaches the
/// limit. The first search runs on this thread and reports to `views`; the others join if the node proves hard. If the
/// node is not decided by then, the result is what is known of it.
pub(crate) fn search<'a>(
    searches: &mut Vec<Search<'a>>,
    team: Team<'a>,
    task: &Task,
    views: Views,
) -> Result<Bounds, StopReason> {
    let &Task { node, symmetry, limit, budget } = task;
    let first = &mut searches[0];
    let known = first.entry(node);
    if let Some(entry) = known
        && entry.bounds.winner().is_some()
    {
        return Ok(entry.bounds);
    }
    let worked = known.map_or(0, |entry| entry.work.nodes());
    // Most positions are decided before a second thread could help. Work of earlier searches counts: a position that
    // has proved hard already gets all threads sooner.
    let alone = if team.threads == 1 { u64::MAX } else { first.tuning.alone.saturating_sub(worked).max(1) };
    let begun = first.watch.nodes();
    let bounds = first.search_below(node, symmetry, limit, alone.min(budget), views)?;
    let before = first.watch.nodes();
    if bounds.reaches(limit) || before - begun >= budget {
        return Ok(bounds);
    }
    team.recruit(searches);
    let (first, others) = searches.split_first_mut().expect("there is at least one search");
    let tree = team.tree(node, symmetry).going_on(limit, worked + (before - begun));
    let shared = Shared {
        tree: Mutex::new(tree),
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(before),
        budget: begun.saturating_add(budget),
    };
    let result = std::thread::scope(|scope| {
        // If a thread cannot be started, do without it.
        let handles: Vec<_> = others
            .iter_mut()
            .map_while(|search| {
                let shared = &shared;
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || work(search, shared, &mut |_| {}))
                    .ok()
            })
            .collect();
        let mut result = work(first, &shared, views);
        for handle in handles {
            // Pass a panic on to the caller.
            let other = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(other);
        }
        result
    });
    for search in others.iter_mut() {
        first.watch.take_over(&mut search.watch);
    }
    debug_assert!(first.watch.nodes() >= before);
    let mut tree = shared.tree.into_inner();
    first.remember(tree.take_solved());
    let bounds = tree.outcome();
    if bounds.winner().is_some() { Ok(bounds) } else { result.map(|()| bounds) }
}

/// One thread: searches leaves until the root is decided or a limit is reached.
fn work(search: &mut Search, shared: &Shared, views: Views) -> Result<(), StopReason> {
    let _alarm = Alarm(&shared.done);
    while !shared.done.load(Relaxed) {
        let way = {
            let mut tree = shared.tree.lock();
            let way = tree.descend();
            // Results from the table may have decided the root during the descent.
            if tree.limit_reached() {
                shared.done.store(true, Relaxed);
            }
            way
        };
        let Some(way) = way else {
            search.watch.look().inspect_err(|_| shared.done.store(true, Relaxed))?;
            std::thread::sleep(NAP);
            continue;
        };
        let (leaf, _) = way.leaf();
        let result = search_leaf(search, shared, &way, views);
        let mut tree = shared.tree.lock();
        match result {
            Ok(Searched { bounds, children, nodes }) => {
                tree.set(leaf, bounds);
                if let Some(children) = children {
                    tree.grow(leaf, &children);
                }
                tree.unmark(&way);
                tree.update(&way, leaf, nodes);
                search.remember(tree.take_solved());
                let total = shared.nodes.load(Relaxed);
                if tree.limit_reached() || total >= shared.budget {
                    shared.done.store(true, Relaxed);
                } else if search.watch.over(total) {
                    shared.done.store(true, Relaxed);
                    return Err(StopReason::Nodes);
                }
            }
            Err(reason) => {
                tree.unmark(&way);
                shared.done.store(true, Relaxed);
                return Err(reason);
            }
        }
    }
    Ok(())
}

/// Tells the other threads to stop if this one panics. They would wait for it forever.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// The result of a leaf.
struct Searched {
    bounds: Bounds,
    children: Option<Vec<Child>>,
    /// Nodes it took.
    nodes: u64,
}

/// Searches below a leaf. If the leaf outlasts its quantum, its children come with its numbers. They are worked out
/// here, outside the lock.
fn search_leaf(
    search: &mut Search,
    shared: &Shared,
    way: &Way,
    views: Views,
) -> Result<Searched, StopReason> {
    let (leaf, limit) = way.leaf();
    let (node, (line, symmetry), root, replies, growth) = {
        let tree = shared.tree.lock();
        (tree.node(leaf), tree.line(way), tree.bounds(UpperTree::ROOT), tree.replies(), tree.growth())
    };
    let quantum = search.tuning.quantum * growth;
    let before = search.watch.nodes();
    let others = shared.nodes.load(Relaxed);
    let result = search.search_below(&node, symmetry, limit, quantum, &mut |view| {
        let whole = [&line[..], view.line].concat();
        let nodes = others + (view.nodes - before);
        views(&View { nodes, line: &whole, bounds: root, replies, ..*view });
    });
    let nodes = search.watch.nodes() - before;
    shared.nodes.fetch_add(nodes, Relaxed);
    let bounds = result?;
    if bounds.winner().is_some() || !search.out_of_quantum() {
        return Ok(Searched { bounds, children: None, nodes });
    }
    Ok(match search.children(&node) {
        Ok(children) => Searched { bounds, children: Some(children), nodes },
        Err(winner) => Searched { bounds: Bounds::won_by(winner), children: None, nodes },
    })
}
