//! The coordinator: a tree of positions, the jobs that are out, and what to believe of an answer.
//!
//! [`Coordinator::hand_out`] walks down the tree and makes jobs, [`Coordinator::accept`] takes an answer after
//! `understand` has checked it, and `restore` grows the tree again after a restart.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use rex_game::{Cell, Player, State, Symmetry};
use rex_search::{Bounds, Child, INFINITE, Node, Part, Solved, Solver, UpperTree, Way};
use rex_store::{Place, Record, record_of, solved_nodes};
use rex_theory::Options;
use rex_theory::fill_in::RULES;
use rex_theory::symmetry::notlast_wins_by_symmetry;

use crate::ledger::{Changes, Open, OpenJob};
use crate::message::{Answer, Job, MessageError, WireNode};
use crate::worker::THREADS_TELLING_ALL;

/// How work is divided into jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Nodes per job and worker thread, once the search is large.
    pub budget: u64,
    /// The same at the start.
    pub least: u64,
    /// All jobs in progress together are about one part in this many of what has been searched. While the tree is
    /// small, a long job would probably search the wrong position.
    pub fraction: u64,
    /// A job does not end before its numbers have grown by this factor, even if another position has become more
    /// promising: a message costs as much as some hundred nodes.
    pub factor: u64,
    /// Workers report solved positions that took at least this many nodes; with many threads, proportionally more.
    pub share: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { budget: 20_000, least: 1000, fraction: 10, factor: 2, share: 10 }
    }
}

/// How many jobs to hand out for this many workers: an eighth more, and at least one more, so that few have to wait.
fn wanted(workers: usize) -> usize {
    workers + (workers / 8).max(1)
}

/// At most this many positions in the tree, about a hundred bytes each.
const MOST_POSITIONS: usize = 1 << 22;

/// Why an answer is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It makes no sense in itself.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// It answers a job that was never handed out.
    #[error("there is no job '{0}'")]
    Unknown(String),
    /// The job was answered before. That happens and does no harm.
    #[error("the job '{0}' has already been answered")]
    Late(String),
    /// It contradicts what is known.
    #[error("it contradicts what is known about '{0}'")]
    Contradiction(String),
}

/// A job that was handed out, and where it is.
struct Given {
    job: OpenJob,
    /// Its index in the tree, on a marked way.
    at: usize,
    way: Way,
}

/// The content of an answer.
struct Understood {
    bounds: Bounds,
    children: HashMap<Cell, Bounds>,
    records: Vec<(Place, Record)>,
    /// The places nobody had reported on.
    new: Vec<Place>,
}

/// The upper tree and the jobs, as a state machine without clocks, files or networks. Jobs go out, answers come in.
/// [`Coordinator::changes`] collects what must be stored before either is announced.
pub struct Coordinator {
    state: State,
    solver: Solver,
    plan: Plan,
    share: u64,
    tree: UpperTree,
    /// The result of the last search of each open position.
    latest: HashMap<Node, Bounds>,
    /// Whether the root itself may be a job. A verdict by symmetry would decide it without naming a move.
    whole: bool,
    jobs: BTreeMap<u64, Given>,
    next: u64,
    nodes: u64,
    answers: u64,
    /// Positions that answers have decided.
    decided: u64,
    changes: Changes,
    /// The solved positions among the changes, combined by place.
    unwritten: HashMap<Place, Record>,
    /// Whether to note who reported what.
    noting: bool,
    random: RandomState,
}

impl Coordinator {
    /// Starts from a position that nobody has won yet, with what an earlier run stored. `solver` does fill-in and
    /// remembers facts; it does not search.
    ///
    /// # Errors
    /// If the position is decided at once: the error is the winner.
    pub fn new(state: &State, solver: Solver, plan: Plan, open: Open) -> Result<Coordinator, Player> {
        let root = solver.node_of(state)?;
        let tree = solver.upper_tree(&root, Symmetry::Identity, MOST_POSITIONS);
        let whole = notlast_wins_by_symmetry(&root.field(state.board()), &Options::default()).is_none();
        let mut coordinator = Coordinator {
            state: *state,
            solver,
            plan,
            share: plan.share,
            tree,
            latest: HashMap::new(),
            whole,
            jobs: BTreeMap::new(),
            next: open.next.max(1),
            nodes: open.nodes,
            answers: 0,
            decided: 0,
            changes: Changes::default(),
            unwritten: HashMap::new(),
            noting: false,
            random: RandomState::new(),
        };
        coordinator.restore(open);
        Ok(coordinator)
    }

    /// Also notes who was the first to report on each position.
    pub fn noting_reporters(self, noting: bool) -> Coordinator {
        Coordinator { noting, ..self }
    }

    /// The name of a position on the bus: board and stones, written so that they can be part of a subject.
    pub fn name_of(state: &State) -> String {
        state.to_string().replace(['/', ' '], "_")
    }

    /// Who wins, once that is known.
    pub fn winner(&self) -> Option<Player> {
        // The canonical position may have its colours swapped, but parts stay the same.
        Some(self.tree.bounds(UpperTree::ROOT).winner()?.player(self.state.last()))
    }

    /// Proof numbers of the root: for a win of Black, for a win of White.
    pub fn bounds(&self) -> [u64; 2] {
        let bounds = self.tree.bounds(UpperTree::ROOT);
        Player::BOTH.map(|player| bounds.get(Part::of(player, self.state.last())))
    }

    /// Nodes searched by workers, earlier runs included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions in the tree.
    pub fn tree_len(&self) -> usize {
        self.tree.size()
    }

    /// Jobs handed out and not answered.
    pub fn jobs_out(&self) -> usize {
        self.jobs.len()
    }

    /// Accepted answers, and how many of them decided their position.
    pub fn answers(&self) -> (u64, u64) {
        (self.answers, self.decided)
    }

    /// Hands out jobs for this many workers, until each has one and a few are waiting, or no leaf is free. A single
    /// worker searches the root itself.
    pub fn hand_out(&mut self, workers: usize) -> Vec<Job> {
        let wanted = wanted(workers);
        let whole = self.whole && workers < 2;
        let mut given = Vec::new();
        while self.jobs.len() < wanted && self.winner().is_none() {
            let way = if whole { Some(self.tree.way_to_root()) } else { self.tree.descend() };
            let Some(way) = way else { break };
            if whole {
                self.tree.mark(&way);
            }
            given.push(self.make_job(way, wanted));
        }
        given
    }

    /// Sets the number of threads in the cluster: the more there are, the fewer solved positions are shared.
    pub fn hear_of(&mut self, threads: usize) {
        self.share = self.plan.share.saturating_mul(1 + (threads / THREADS_TELLING_ALL) as u64);
    }

    /// Solved positions that took at least this many nodes are shared with all workers.
    pub fn share(&self) -> u64 {
        self.share
    }

    /// All jobs that are out, to be sent again to a bus that has lost them.
    pub fn jobs(&self) -> Vec<Job> {
        self.jobs.iter().map(|(&number, given)| self.job(number, &given.job)).collect()
    }

    /// Renames a job that nobody seems to be working on, to hand it out again. An answer to the old name is late.
    pub fn renew(&mut self, id: &str) -> Option<Job> {
        let number = self.number_of(id).ok()?;
        let given = self.jobs.remove(&number)?;
        self.changes.job_done(number);
        Some(self.name(given))
    }

    /// Processes an answer. The results are in [`Coordinator::changes`]. A refused answer changes nothing, except that
    /// its job ends if there was one. `written` looks up what is stored for a place.
    ///
    /// # Errors
    /// If it is refused.
    pub fn accept(
        &mut self,
        answer: &Answer,
        written: &mut dyn FnMut(&Place) -> Option<Record>,
    ) -> Result<(), Refusal> {
        let number = self.number_of(&answer.id)?;
        let board = self.state.board();
        let found = self.understand(&self.jobs[&number], answer, written);
        let Given { job, way, at } = self.jobs.remove(&number).expect("it was just found");
        let OpenJob { node, limit, .. } = job;
        self.tree.unmark(&way);
        self.changes.job_done(number);
        let Understood { bounds, children, records, new } = found?;
        if self.noting {
            new.iter().for_each(|place| self.changes.reported(place, &answer.worker));
        }
        self.answers += 1;
        self.nodes = self.nodes.saturating_add(answer.nodes);
        self.changes.nodes(self.nodes);
        self.tree.learn(at, bounds);
        self.latest.insert(node, bounds);
        if let Some(winner) = bounds.winner() {
            let best = answer.best.as_deref().and_then(|name| board.cell_named(name));
            let best = best.filter(|&cell| node.field(board).empty().has(cell));
            self.learn_solved(Solved { node, winner, best, nodes: answer.nodes });
            self.decided += 1;
        }
        for record in records {
            self.learn(record);
        }
        if self.tree.bounds(at).winner().is_none() {
            if !self.tree.is_leaf(at) {
                self.refresh(at, &children);
            } else if bounds.reaches(limit) {
                // Other positions are more promising now. It may get another turn.
                self.changes.leaf(board, &node, bounds);
            } else {
                self.expand(at, |child| children.get(&child.cell).copied());
            }
        }
        self.tree.update(&way, at, answer.nodes);
        self.note_solved();
        Ok(())
    }

    /// The changes since the last call. They must be stored.
    pub fn changes(&mut self) -> Changes {
        self.unwritten.clear();
        std::mem::take(&mut self.changes)
    }

    /// The number of an open job.
    fn number_of(&self, id: &str) -> Result<u64, Refusal> {
        let unknown = || Refusal::Unknown(id.to_owned());
        let (number, nonce) = id.split_once('-').ok_or_else(unknown)?;
        let number: u64 = number.parse().map_err(|_| unknown())?;
        let nonce = u64::from_str_radix(nonce, 16).map_err(|_| unknown())?;
        match self.jobs.get(&number) {
            Some(given) if given.job.nonce == nonce => Ok(number),
            None if number < self.next => Err(Refusal::Late(id.to_owned())),
            _ => Err(unknown()),
        }
    }

    /// Checks an answer before any of it is used: it must not contradict itself or what is known.
    fn understand(
        &self,
        given: &Given,
        answer: &Answer,
        written: &mut dyn FnMut(&Place) -> Option<Record>,
    ) -> Result<Understood, Refusal> {
        let board = self.state.board();
        let garbage = |what: &str| Refusal::Message(MessageError::Garbage(what.to_owned()));
        // Clamp numbers that are too large.
        let bounds = |last: u64, notlast: u64| {
            let bounds = Bounds { last, notlast };
            let bounds =
                if bounds.winner().is_some() { bounds } else { Bounds::unsolved(Part::Last, last, notlast) };
            bounds.checked().ok_or_else(|| garbage("impossible numbers"))
        };
        let mut children = HashMap::new();
        for (name, last, notlast) in &answer.children {
            let cell = board.cell_named(name).ok_or_else(|| garbage("a move off the board"))?;
            children.insert(cell, bounds(*last, *notlast)?);
        }
        let mut records = Vec::new();
        for fact in &answer.solved {
            let (place, record) = fact.read()?;
            if place.board != board {
                return Err(garbage("a position of another board"));
            }
            records.push((place, record));
        }
        let bounds = bounds(answer.bounds[0], answer.bounds[1])?;
        let (mut known, mut new) = (HashMap::new(), Vec::new());
        let named = self.named(given, bounds, &children);
        let named = named.iter().map(|solved| record_of(board, solved, RULES));
        for (place, record) in named.chain(records.iter().copied()) {
            let before = match known.get(&place) {
                Some(&told) => [Some(told), None],
                None => [self.unwritten.get(&place).copied(), written(&place)],
            };
            if before == [None; 2] {
                new.push(place);
            }
            let both = before.iter().flatten().try_fold(record, |record, before| before.and(&record));
            match both {
                Some(both) => known.insert(place, both),
                None => return Err(Refusal::Contradiction(place.to_string())),
            };
        }
        Ok(Understood { bounds, children, records, new })
    }

    /// The winners that an answer names: at the position of its job, or else at those its moves lead to.
    fn named(&self, given: &Given, bounds: Bounds, children: &HashMap<Cell, Bounds>) -> Vec<Solved> {
        let solved = |node: Node, winner: Part| Solved { node, winner, best: None, nodes: 0 };
        if let Some(winner) = bounds.winner() {
            return vec![solved(given.job.node, winner)];
        }
        if children.values().all(|bounds| bounds.winner().is_none()) {
            return Vec::new();
        }
        let below: Vec<(Cell, Node)> = if self.tree.is_leaf(given.at) {
            let below = self.solver.children(&given.job.node).unwrap_or_default();
            below.into_iter().map(|child| (child.cell, child.node)).collect()
        } else {
            self.tree.moves(given.at).map(|(cell, below)| (cell, self.tree.node(below))).collect()
        };
        let winner = |(cell, node)| Some(solved(node, children.get(&cell)?.winner()?));
        below.into_iter().filter_map(winner).collect()
    }

    /// A job on a marked way. It is the highest position on the way that no other searcher is below, not the leaf: a
    /// worker can choose among the positions below by itself.
    fn make_job(&mut self, way: Way, wanted: usize) -> Job {
        let (at, limit) = self.tree.highest_alone(&way);
        let full = self.plan.budget.saturating_mul(self.tree.growth());
        let (least, fraction) = if at == UpperTree::ROOT {
            // Nobody else is searching.
            (self.plan.least.saturating_mul(5), 2)
        } else {
            // Many small jobs at once would be more than one coordinator can handle.
            (self.plan.least.saturating_mul(1 + wanted as u64 / 8), self.plan.fraction)
        };
        let budget = (self.nodes / (wanted as u64 * fraction)).max(least).min(full);
        let node = self.tree.node(at);
        // What the worker already knows must not reach the limit, or it would return at once with nothing done.
        let now = self.latest.get(&node).copied().unwrap_or(self.tree.bounds(at));
        let raised =
            |limit: u64, now: u64| limit.max(now.saturating_mul(self.plan.factor).max(now + 1)).min(INFINITE);
        let limit =
            Bounds { last: raised(limit.last, now.last), notlast: raised(limit.notlast, now.notlast) }
                .rounded_up();
        self.name(Given { job: OpenJob { nonce: 0, node, limit, budget }, at, way })
    }

    /// Records a job under a new name.
    fn name(&mut self, mut given: Given) -> Job {
        let number = self.next;
        self.next += 1;
        given.job.nonce = self.random.hash_one(number);
        let job = self.job(number, &given.job);
        self.changes.job_given(self.state.board(), number, &given.job);
        self.jobs.insert(number, given);
        job
    }

    fn job(&self, number: u64, &OpenJob { nonce, node, limit, budget }: &OpenJob) -> Job {
        Job {
            id: format!("{number}-{nonce:x}"),
            root: Self::name_of(&self.state),
            node: WireNode { board: self.state.board(), node },
            limit: [limit.last, limit.notlast],
            budget,
            share: self.share,
        }
    }

    /// Gives a leaf its children. Numbers from a search beat first guesses, and known results beat both.
    fn expand(&mut self, at: usize, told: impl Fn(&Child) -> Option<Bounds>) {
        let node = self.tree.node(at);
        let mut children = match self.solver.children(&node) {
            Ok(children) => children,
            // A move wins at once.
            Err(winner) => {
                self.tree.learn(at, Bounds::won_by(winner));
                return self.learn_solved(Solved { node, winner, best: None, nodes: 1 });
            }
        };
        for child in &mut children {
            if child.bounds.winner().is_none()
                && let Some(bounds) = told(child)
            {
                child.bounds = bounds;
                if let Some(winner) = bounds.winner() {
                    self.learn_solved(Solved { node: child.node, winner, best: None, nodes: 1 });
                }
            }
        }
        self.changes.grown(self.state.board(), &node, &children);
        self.tree.grow(at, &children);
    }

    /// Updates the children of a position with the numbers that a search found for them.
    fn refresh(&mut self, at: usize, told: &HashMap<Cell, Bounds>) {
        let told: Vec<(usize, Bounds)> =
            self.tree.moves(at).filter_map(|(cell, below)| Some((below, *told.get(&cell)?))).collect();
        for (below, bounds) in told {
            let node = self.tree.node(below);
            if self.tree.bounds(below).winner().is_some() {
                continue;
            }
            if let Some(winner) = bounds.winner() {
                self.tree.learn(below, bounds);
                self.learn_solved(Solved { node, winner, best: None, nodes: 1 });
            } else if self.tree.cut(below, bounds) {
                self.changes.leaf(self.state.board(), &node, bounds);
            }
        }
    }

    fn learn_solved(&mut self, solved: Solved) {
        self.learn(record_of(self.state.board(), &solved, RULES));
    }

    /// Accepts a record: it goes to the tree, the solver's table and the ledger.
    fn learn(&mut self, (place, record): (Place, Record)) {
        for solved in solved_nodes(&place, &record) {
            self.latest.remove(&solved.node);
            self.solver.learn([solved]);
        }
        // Other positions in the tree pick it up when a searcher comes by.
        self.tree.refresh(UpperTree::ROOT);
        let known = self.unwritten.entry(place).or_insert(record);
        if let Some(both) = known.and(&record) {
            *known = both;
        }
        self.changes.solved.push((place, record));
    }

    /// Records what the tree has decided.
    fn note_solved(&mut self) {
        for solved in self.tree.take_solved() {
            self.learn_solved(solved);
        }
    }

    /// Grows the tree to where an earlier run left it, and takes up its jobs again.
    fn restore(&mut self, open: Open) {
        let wanted: HashSet<Node> = open.jobs.values().map(|job| job.node).collect();
        let mut ways: HashMap<Node, Way> = HashMap::new();
        // A position can be reached by many paths, but is grown once.
        let mut seen = HashSet::new();
        let mut grown = Vec::new();
        let mut waiting = vec![self.tree.way_to_root()];
        while let Some(way) = waiting.pop() {
            let (at, _) = way.leaf();
            let node = self.tree.node(at);
            self.tree.refresh(at);
            if self.tree.bounds(at).winner().is_some() {
                continue;
            }
            if wanted.contains(&node) {
                ways.entry(node).or_insert_with(|| way.clone());
            }
            if at == UpperTree::ROOT || open.grown.contains(&node) && seen.insert(node) {
                self.expand(at, |child| open.leaves.get(&child.node).copied());
                grown.push(at);
                waiting.extend(self.tree.moves(at).map(|(_, below)| self.tree.way_on(&way, below)));
            }
        }
        // Children were grown after their parents.
        for at in grown.into_iter().rev() {
            self.tree.recompute(at);
        }
        for (number, job) in open.jobs {
            match ways.get(&job.node).cloned() {
                Some(way) if self.tree.bounds(way.leaf().0).winner().is_none() => {
                    self.tree.mark(&way);
                    let at = way.leaf().0;
                    self.jobs.insert(number, Given { job, at, way });
                }
                _ => self.changes.job_done(number),
            }
        }
        self.note_solved();
    }
}
