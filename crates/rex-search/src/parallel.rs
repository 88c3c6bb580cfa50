//! Several threads on one position.
//!
//! The upper part of the search tree is kept explicitly and shared under a lock. A thread walks down from the
//! root, takes a leaf, searches below it on its own for a *quantum* of work, and comes back with the leaf's new
//! numbers; a leaf that outlasts its quantum gets its children into the shared tree. While a thread is below
//! a node, its numbers count as worse if whoever chooses there seems to lose, so that the others look elsewhere: there
//! all moves must be answered. Below the leaves everything is the one-thread search, and all threads share one table,
//! so that what one has solved the others know at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;
use rex_game::Symmetry;

use crate::dfpn::{Search, View, Views};
use crate::known::{Bounds, Child, Node};
use crate::limits::StopReason;
use crate::solver::Team;
use crate::upper_tree::{UpperTree, Way};

/// How long a thread sleeps when all leaves worth taking are taken.
const NAP: Duration = Duration::from_micros(50);

/// A thread needs some ten kilobytes for each move on its line.
const STACK: usize = 4 << 20;

/// What is to be searched.
pub(crate) struct Task<'a> {
    pub node: &'a Node,
    /// From the coordinates of whoever watches to the node's.
    pub symmetry: Symmetry,
    /// Numbers of the node that end the search.
    pub limit: Bounds,
    /// About how many nodes to search.
    pub budget: u64,
}

struct Shared {
    tree: Mutex<UpperTree>,
    /// The root is decided, or a limit was reached: everybody stops.
    done: AtomicBool,
    /// Nodes of all threads since the request began.
    nodes: AtomicU64,
    /// How many of them there are when everybody comes back with what is known.
    budget: u64,
}

/// Searches a node with a team, for about the budget of the task, or until one of its numbers reaches the limit or it is
/// decided; the first search runs on this thread and shows itself to `views`, the others join when the node proves to be
/// hard. The numbers of a node that is not decided by then are what is known of it.
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
    // Most positions are decided before a second thread could be of use; those that were not, earlier, are not.
    let steps = first.root_steps();
    let alone = if team.threads == 1 { u64::MAX } else { first.tuning.alone.saturating_sub(worked).max(1) };
    let begun = first.watch.nodes();
    let bounds = first.search_below(node, symmetry, limit, alone.min(budget), steps, views)?;
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
        // A thread that cannot be started is done without.
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
            // A panic is passed on to whoever asked.
            let other = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(other);
        }
        result
    });
    for search in others.iter_mut() {
        first.watch.add(search.watch.hand_over());
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
            // What the table knew may have decided the root on the way.
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

/// Tells the other threads to stop when this one panics: they would wait for it for ever.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// What came of a leaf.
struct Searched {
    bounds: Bounds,
    children: Option<Vec<Child>>,
    /// Nodes it took.
    nodes: u64,
}

/// Searches below a leaf. If it outlasts its quantum, its children come with its numbers: they are worked out here, where
/// nobody waits for the lock.
fn search_leaf(
    search: &mut Search,
    shared: &Shared,
    way: &Way,
    views: Views,
) -> Result<Searched, StopReason> {
    let (leaf, limit) = way.leaf();
    let (node, (line, symmetry), root_bounds, growth) = {
        let tree = shared.tree.lock();
        (tree.node(leaf), tree.line(way), tree.bounds(UpperTree::ROOT), tree.growth())
    };
    let (steps, quantum) = (search.tuning.pairing_steps, search.tuning.quantum * growth);
    let before = search.watch.nodes();
    let others = shared.nodes.load(Relaxed);
    let result = search.search_below(&node, symmetry, limit, quantum, steps, &mut |view| {
        let whole = [&line[..], view.line].concat();
        let nodes = others + (view.nodes - before);
        views(&View { nodes, line: &whole, bounds: root_bounds, ..*view });
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
