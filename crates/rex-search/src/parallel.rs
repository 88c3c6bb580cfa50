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

use rex_game::{Cell, Symmetry};

use crate::bounds::Bounds;
use crate::company::Company;
use crate::dfpn::{Search, View, Views};
use crate::expand::Children;
use crate::limits::StopReason;
use crate::node::Node;
use crate::solver::Team;

mod tree;

pub(crate) use tree::TREE_NODE;
use tree::{Job, Tree, TreeNode};

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
    /// Other searches with the same table.
    pub company: Option<&'a Company>,
}

struct Shared<'a> {
    tree: Mutex<Tree<'a>>,
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
pub(crate) fn explore<'a>(
    searches: &mut Vec<Search<'a>>,
    team: Team<'a>,
    task: &Task,
    views: Views,
) -> Result<Bounds, StopReason> {
    let &Task { node, symmetry, limit, budget, company } = task;
    let first = &mut searches[0];
    let known = first.known(node);
    if let Some(entry) = known
        && entry.bounds.winner().is_some()
    {
        return Ok(entry.bounds);
    }
    let worked = known.map_or(0, |entry| entry.work.nodes());
    // Most positions are decided before a second thread could be of use; those that were not, earlier, are not.
    let steps = first.root_steps();
    let alone = if team.threads == 1 && company.is_none() {
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
    team.recruit(searches);
    let (first, others) = searches.split_first_mut().expect("there is at least one search");
    let mut root = TreeNode::leaf(node, first.key(node), first.mover(node), Cell::new(0), symmetry);
    root.work = worked + (before - begun);
    let shared = Shared {
        tree: Mutex::new(Tree::new(root, first, limit, team.tree, company.map(Company::join))),
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(before),
        budget: begun.saturating_add(budget),
    };
    let result = std::thread::scope(|scope| {
        // A thread that cannot be started is done without.
        let handles: Vec<_> = others
            .iter_mut()
            .zip(1..)
            .map_while(|(search, thread)| {
                let shared = &shared;
                std::thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || work(search, shared, thread, &mut |_| {}))
                    .ok()
            })
            .collect();
        let mut result = work(first, &shared, 0, views);
        for handle in handles {
            // A panic is passed on to whoever asked.
            let other = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
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
    if bounds.winner().is_some() {
        return Ok(bounds);
    }
    // A thread that comes back after the limit was reached may bring the numbers down again: those that reached it count.
    result.map(|()| tree.reached.unwrap_or(bounds))
}

/// One thread: takes jobs until the root is decided or a limit is reached.
fn work(search: &mut Search, shared: &Shared, thread: usize, views: Views) -> Result<(), StopReason> {
    let _alarm = Alarm(&shared.done);
    while !shared.done.load(Relaxed) {
        let job = {
            let mut tree = shared.lock();
            let job = tree.take_job(thread);
            // What the table knew may have decided the root on the way.
            if tree.limit_reached() {
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
                let total = shared.nodes.load(Relaxed);
                if tree.limit_reached() || total >= shared.budget {
                    shared.done.store(true, Relaxed);
                } else if search.watch.over(total) {
                    shared.done.store(true, Relaxed);
                    return Err(StopReason::Nodes);
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

/// Tells the other threads to stop when this one panics: they would wait for it for ever.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
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

impl<'a> Shared<'a> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Tree<'a>> {
        // A poisoned lock means a panic elsewhere, which is passed on when the thread is joined.
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
