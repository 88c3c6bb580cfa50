//! Depth-first proof-number search over canonical filled positions.
//!
//! Numbers are kept by part, so they never change sign on the way down. Filling a dead cell can leave the same player
//! to move in a child, and that needs no special case. Bounds of children are returned by value and stay in the
//! caller's frame; the table only saves work. So the search ends however small the table is.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use rex_game::{Board, Cell, CellSet, Symmetry};
use rex_theory::{Field, Reduced};

use crate::checkpoint::{CheckpointError, Reader};
use crate::context::Context;
use crate::expansion::Expansion;
use crate::expansions::Expansions;
use crate::judge::{Judge, Judgement};
use crate::known::{Bounds, Child, Entry, Node, Part, Solved, Work};
use crate::limits::{StopReason, Watch};
use crate::line_end::LineEnd;
use crate::memory::Memory;
use crate::proof_number::{Weighing, back_up};
use crate::reasons::{Log, Reasons};
use crate::table::{Key, Table, spread};
use crate::tuning::Tuning;

mod learn;
mod stopped;

use learn::Foreknown;
use stopped::{Frame, Stopped};

/// A snapshot of a running search, in the coordinates of the position asked about.
pub(crate) struct View<'a> {
    /// Time since the watch started.
    pub elapsed: Duration,
    /// Nodes since the watch started.
    pub nodes: u64,
    /// Numbers of the root.
    pub bounds: Bounds,
    /// How many moves of the root are decided, and how many are open.
    pub replies: [usize; 2],
    /// The moves from the root to the node being searched.
    pub line: &'a [Cell],
    /// How full the table is, in thousandths, …
    pub table_permille: u32,
    /// … and the room for reasons.
    pub reasons_permille: u32,
}

/// The working memory of a thread, for any number of searches on one board.
pub(crate) struct Room {
    board: Board,
    judge: Judge,
    expansions: Expansions,
    pub reasons: Reasons,
    stopped: Stopped,
}

impl Room {
    /// Working memory for a board, with this many expansions and blocks of reasons.
    pub fn new(board: Board, expansions: usize, blocks: usize) -> Room {
        let judge = Judge::for_cells(board.len());
        Room {
            board,
            judge,
            expansions: Expansions::new(expansions),
            reasons: Reasons::new(board, blocks),
            stopped: Stopped::default(),
        }
    }

    /// Writes all of it for a checkpoint.
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.judge.save(&mut out);
        self.reasons.save(&mut out);
        self.expansions.save(self.board, &mut out);
        self.stopped.save(self.board, &mut out);
        out
    }

    /// Reads it back.
    pub fn load(&mut self, input: &mut Reader<impl Read>) -> Result<(), CheckpointError> {
        self.judge.load(self.board, input)?;
        self.reasons.load(input)?;
        self.expansions.load(self.board, input)?;
        self.stopped.load(self.board, input)
    }
}

/// A copy of a room, for whoever saves a search while it runs: the thread that has the room makes it.
#[derive(Default)]
pub(crate) struct Copies {
    wanted: AtomicBool,
    copy: Mutex<Option<Vec<u8>>>,
    given: Condvar,
}

impl Copies {
    /// Forgets a copy that came when nobody waited for it any more.
    pub fn forget(&self) {
        *self.copy.lock() = None;
    }

    /// Asks for a copy, and waits for it so long.
    pub fn ask(&self, patience: Duration) -> Option<Vec<u8>> {
        let mut copy = self.copy.lock();
        self.wanted.store(true, Relaxed);
        if copy.is_none() {
            self.given.wait_for(&mut copy, patience);
        }
        self.wanted.store(false, Relaxed);
        copy.take()
    }

    /// Gives a copy, if one is asked for.
    fn give(&self, copy: impl FnOnce() -> Vec<u8>) {
        if self.wanted.swap(false, Relaxed) {
            *self.copy.lock() = Some(copy());
            self.given.notify_all();
        }
    }
}

/// One thread's search.
pub(crate) struct Search<'a> {
    pub context: Context<'a>,
    /// Counts nodes, and says when to stop.
    pub watch: Watch,
    pub tuning: Tuning,
    pub weighing: Weighing,
    table: &'a Table,
    /// What all threads have learned.
    log: &'a Log,
    room: Box<Room>,
    copies: &'a Copies,
    /// At this node count the search returns with what it knows.
    quantum_end: u64,
    /// Solved positions, and the least work that makes one worth keeping.
    pub solved: Vec<Solved>,
    solved_from: Option<u64>,
    /// Positions with enough work below them to be worth sharing, solved or not. One may occur many times.
    pub met: Vec<Node>,
    met_from: Option<u64>,
    memory: Option<&'a dyn Memory>,
    /// The move that decided the most recently decided node, in that node's coordinates.
    winning: Option<Cell>,
    /// The moves to the node being searched, in root coordinates.
    line: [Cell; 64],
    depth: usize,
    root_bounds: Bounds,
    root_replies: [usize; 2],
    next_view: Duration,
}

/// What a visit has found out about its node.
struct AtHand {
    foreknown: Foreknown,
    /// Its reduced form, if that has been computed.
    reduced: Option<Reduced>,
    /// The numbers of its children, if the search was stopped below them.
    bounds: Option<[Bounds; 64]>,
}

/// How many of these children of the mover are decided, and how many are open.
pub(crate) fn replies(mover: Part, children: &[Bounds]) -> [usize; 2] {
    let open = children.iter().filter(|bounds| bounds.get(mover.other()) != 0).count();
    [children.len() - open, open]
}

/// Called with a snapshot a few times a second.
pub(crate) type Views<'v> = &'v mut dyn FnMut(&View);

const BETWEEN_VIEWS: Duration = Duration::from_millis(100);
/// A search that begins with so many empty cells takes seconds, unless a long look finds a pairing.
const MANY_EMPTY: usize = 40;
/// The key of a child that is not worked out yet.
const NO_KEY: Key = Key { address: 0, check: 0 };

impl<'a> Search<'a> {
    /// A search on a shared `table`. The tuning must be the one for its guide.
    pub fn new(
        context: Context<'a>,
        tuning: Tuning,
        table: &'a Table,
        log: &'a Log,
        watch: Watch,
        room: Box<Room>,
        copies: &'a Copies,
    ) -> Search<'a> {
        Search {
            context,
            // A search that may not take that long shows one halfway.
            next_view: watch.time_limit().map_or(BETWEEN_VIEWS, |limit| BETWEEN_VIEWS.min(limit / 2)),
            watch,
            tuning,
            weighing: tuning.weighing(),
            table,
            log,
            room,
            copies,
            quantum_end: u64::MAX,
            solved: Vec::new(),
            solved_from: None,
            met: Vec::new(),
            met_from: None,
            memory: None,
            winning: None,
            line: [Cell::new(0); 64],
            depth: 0,
            root_bounds: Bounds::UNKNOWN,
            root_replies: [0; 2],
        }
    }

    /// Remembers solved positions that took at least this many nodes, and passes them to the memory from time to time.
    pub fn remembering(self, from: Option<u64>, memory: Option<&'a dyn Memory>) -> Search<'a> {
        Search { solved_from: from, memory, ..self }
    }

    /// Notes every position that took at least this many nodes, solved or not.
    pub fn noting(self, from: Option<u64>) -> Search<'a> {
        Search { met_from: from, ..self }
    }

    /// Remembers those of these solved positions that took enough work.
    pub fn remember(&mut self, solved: impl IntoIterator<Item = Solved>) {
        if let Some(from) = self.solved_from {
            self.solved.extend(solved.into_iter().filter(|solved| solved.nodes >= from));
        }
    }

    /// Searches below a node for about `quantum` nodes, or until it is decided or one of its numbers reaches `limit`.
    pub fn search_below(
        &mut self,
        node: &Node,
        symmetry: Symmetry,
        limit: Bounds,
        quantum: u64,
        views: Views,
    ) -> Result<Bounds, StopReason> {
        self.depth = 0;
        self.quantum_end = self.watch.nodes().saturating_add(quantum);
        self.visit(node, self.key(node), symmetry, None, limit, views)
    }

    /// Whether the quantum is used up.
    pub fn out_of_quantum(&self) -> bool {
        self.watch.nodes() >= self.quantum_end
    }

    /// Returns the working memory.
    pub fn into_room(self) -> Box<Room> {
        self.room
    }

    /// The moves worth trying at a node, with the table's numbers for each, or a first guess if it has none. `Err`: a
    /// move wins at once, and this is the winner.
    pub fn children(&mut self, node: &Node) -> Result<Vec<Child>, Part> {
        let mut expansion = Expansion::NONE;
        let field = node.field(self.context.board);
        let reduced = Reduced::new(field);
        let foreknown = self.foresee(&field);
        let struck = foreknown.struck;
        if self.room.expansions.get(node, &mut expansion) {
            expansion.strike(struck);
        } else {
            self.expand(&reduced, CellSet::EMPTY, struck, &mut expansion);
        }
        for index in 0..expansion.len() {
            if !expansion.is_ready(index)
                && !expansion.is_gone(index)
                && let Some(winner) = expansion.make_ready(index, &reduced, &self.context)
            {
                return Err(winner);
            }
        }
        let mover = self.mover(node);
        let children = expansion.open(node.last).map(|child| {
            let guess = || foreknown.hasten(child.bounds, mover, child.cell);
            let bounds = self.entry(&child.node).map_or_else(guess, |entry| entry.bounds);
            Child { bounds, ..child }
        });
        Ok(children.collect())
    }

    /// Who moves at a node.
    pub fn mover(&self, node: &Node) -> Part {
        node.mover(self.context.board)
    }

    /// What the table knows of a node.
    pub fn entry(&self, node: &Node) -> Option<Entry> {
        self.table.get(self.key(node))
    }

    /// The moves the search would try at a filled position, in its order.
    pub fn ordered_moves(&self, reduced: &Reduced) -> impl Iterator<Item = Cell> + use<'a> {
        let ranked = self.context.ranked_moves(reduced, CellSet::EMPTY);
        ranked.cells.into_iter().take(ranked.len)
    }

    /// How theory alone decides a field, if it does. If both a pairing and symmetry decide it, the answer is the
    /// pairing: that is a strategy.
    pub fn decided_at_once(&mut self, field: &Field) -> Option<LineEnd> {
        let Ok((node, _)) = self.context.node_of(field) else { return Some(LineEnd::FillIn) };
        if self.context.mirrored(field).is_some() {
            return Some(LineEnd::Pairing);
        }
        let reduced = Reduced::new(node.field(self.context.board));
        self.depth = 0;
        let judgement = self.judge(&reduced, None, None);
        // By H-search, and then by a longer search.
        let paired = [0, self.tuning.pairing_steps].into_iter().find_map(|steps| {
            self.room.judge.by_pairings(&reduced, &self.context.options, steps, None).winner()
        });
        if let (Some(audit), Some(winner)) = (self.context.audit, paired) {
            audit.judged(&reduced.field, winner);
        }
        match judgement {
            Judgement::Paired(..) => Some(LineEnd::Pairing),
            _ if paired.is_some() => Some(LineEnd::Pairing),
            Judgement::Symmetric(_) => Some(LineEnd::Symmetry),
            Judgement::Open(_) => None,
        }
    }

    /// Judges a node reached by a move of this part, with this first guess. A pairing would show that the mover loses. If
    /// the guess makes that hopeless, none is looked for.
    fn judge_as_guessed(&mut self, reduced: &Reduced, moved: Option<(Part, Bounds)>) -> Judgement {
        let Tuning { hopeless, pairing_steps, long_look, .. } = self.tuning;
        let number = moved
            .filter(|_| self.context.guide.knows_every_move())
            .map(|(mover, guess)| guess.get(mover.other()));
        let steps = match number {
            Some(number) if number > hopeless => None,
            None if self.watch.nodes() == 1 && reduced.field.empty().len() >= MANY_EMPTY => Some(long_look),
            _ => Some(pairing_steps),
        };
        self.judge(reduced, moved.map(|(mover, _)| mover), steps)
    }

    fn judge(&mut self, reduced: &Reduced, moved: Option<Part>, steps: Option<u32>) -> Judgement {
        let judgement = self.room.judge.judge(reduced, &self.context.options, steps, moved);
        if let (Some(audit), Some(winner)) = (self.context.audit, judgement.winner()) {
            audit.judged(&reduced.field, winner);
        }
        judgement
    }

    /// Lists the children of a node, without working them out.
    fn expand(&mut self, reduced: &Reduced, forbidden: CellSet, struck: CellSet, children: &mut Expansion) {
        let moves = self.context.moves(reduced, forbidden);
        if let Some(audit) = self.context.audit {
            audit.pruned(&reduced.field, moves);
        }
        self.watch.strike((moves & struck).len() as u64);
        children.begin(&self.context.guide.rank(reduced, moves - struck));
    }

    /// Reports to the auditor what the search now believes of a node.
    fn believed(&self, node: &Node, bounds: Bounds) -> Bounds {
        if let Some(audit) = self.context.audit {
            audit.believed(&node.field(self.context.board), bounds);
        }
        bounds
    }

    pub fn key(&self, node: &Node) -> Key {
        Key::new(node, self.context.board.len())
    }

    /// Searches below a node until it is decided or one of its numbers reaches `limit`.
    fn visit(
        &mut self,
        node: &Node,
        key: Key,
        symmetry: Symmetry,
        moved: Option<(Part, Bounds)>,
        limit: Bounds,
        views: Views,
    ) -> Result<Bounds, StopReason> {
        let before = self.watch.nodes();
        let known = self.table.get(key);
        // It may have been decided by another path since the parent looked.
        if let Some(entry) = known
            && entry.bounds.winner().is_some()
        {
            self.winning = None;
            return Ok(entry.bounds);
        }
        let field = node.field(self.context.board);
        if let Some(frame) = self.room.stopped.at(node) {
            let Frame { mut children, foreknown, bounds, .. } = frame;
            let at_hand = AtHand { foreknown, reduced: None, bounds: Some(bounds) };
            let bounds = self.visit_children(node, symmetry, &mut children, at_hand, limit, views)?;
            return Ok(self.visited(node, key, &field, &children, bounds, before));
        }
        let foreknown = self.foresee(&field);
        let struck = foreknown.struck;
        if let Some(winner) = foreknown.winner {
            if known.is_none() {
                self.count(views)?;
            }
            self.winning = None;
            return Ok(self.keep(node, key, Bounds::won_by(winner), before));
        }
        let mut children = Expansion::NONE;
        let mut at_hand = AtHand { foreknown, reduced: None, bounds: None };
        if !self.room.expansions.get(node, &mut children) {
            let reduced = Reduced::new(field);
            let mut forbidden = CellSet::EMPTY;
            if known.is_none() {
                self.count(views)?;
                let judgement = self.judge_as_guessed(&reduced, moved);
                if let Judgement::Paired(winner, pairing) = &judgement {
                    self.learn_pairing(&field, *winner, pairing);
                }
                match judgement {
                    Judgement::Symmetric(winner) | Judgement::Paired(winner, _) => {
                        self.winning = None;
                        return Ok(self.keep(node, key, Bounds::won_by(winner), before));
                    }
                    Judgement::Open(own_keys) => forbidden = own_keys,
                }
            }
            self.expand(&reduced, forbidden, struck, &mut children);
            at_hand.reduced = Some(reduced);
        } else {
            self.watch.strike(children.strike(struck));
        }
        let bounds = self.visit_children(node, symmetry, &mut children, at_hand, limit, views)?;
        Ok(self.visited(node, key, &field, &children, bounds, before))
    }

    /// Keeps what a visit of a node's children has found out.
    fn visited(
        &mut self,
        node: &Node,
        key: Key,
        field: &Field,
        children: &Expansion,
        bounds: Bounds,
        before: u64,
    ) -> Bounds {
        match bounds.winner() {
            None => self.room.expansions.put(node, children),
            Some(winner) => self.learn_field(field, winner, self.watch.nodes() - before),
        }
        self.keep(node, key, bounds, before)
    }

    /// Visits the children of a node until it is decided or one of its numbers reaches `limit`.
    fn visit_children(
        &mut self,
        node: &Node,
        symmetry: Symmetry,
        children: &mut Expansion,
        mut at_hand: AtHand,
        limit: Bounds,
        views: Views,
    ) -> Result<Bounds, StopReason> {
        let mover = self.mover(node);
        let mut keys = [NO_KEY; 64];
        let mut bounds = [Bounds::UNKNOWN; 64];
        let count = children.len();
        for index in 0..count {
            (keys[index], bounds[index]) = self.look_up(node, &at_hand.foreknown, children, index);
        }
        if let Some(before) = at_hand.bounds {
            bounds = before;
        }
        loop {
            let Some(choice) = self.weighing.choose(mover, &bounds[..count]) else {
                self.winning = None;
                return Ok(back_up(mover, None));
            };
            if !children.is_ready(choice.index) {
                let reduced =
                    at_hand.reduced.get_or_insert_with(|| Reduced::new(node.field(self.context.board)));
                if children.make_ready(choice.index, reduced, &self.context).is_some() {
                    self.winning = Some(children.cell(choice.index));
                    return Ok(Bounds::won_by(mover));
                }
                (keys[choice.index], bounds[choice.index]) =
                    self.look_up(node, &at_hand.foreknown, children, choice.index);
                continue;
            }
            if choice.best == 0 {
                self.winning = Some(children.cell(choice.index));
                return Ok(Bounds::won_by(mover));
            }
            let now = back_up(mover, Some(&choice));
            if self.depth == 0 {
                self.root_bounds = now;
                self.root_replies = replies(mover, &bounds[..count]);
            }
            if now.reaches(limit) || self.out_of_quantum() {
                return Ok(now);
            }
            let child_limit =
                self.weighing.child_limit(mover, &choice, choice.index, bounds[choice.index], limit);
            self.line[self.depth] = symmetry.apply_to_cell(self.context.board, children.cell(choice.index));
            self.depth += 1;
            let child = Node { stones: children.stones(choice.index), last: node.last };
            let onward = symmetry.then(children.symmetry(choice.index));
            let searched = self.visit(
                &child,
                keys[choice.index],
                onward,
                Some((mover, bounds[choice.index])),
                child_limit,
                &mut *views,
            );
            let searched = searched.inspect_err(|_| {
                let foreknown = at_hand.foreknown.clone();
                self.room.stopped.add(Frame { node: *node, children: *children, bounds, foreknown });
            })?;
            bounds[choice.index] = self.believed(&child, searched);
            let open_answers = at_hand.foreknown.open_answers(children.cell(choice.index));
            children.visited(choice.index, open_answers);
            self.depth -= 1;
        }
    }

    /// The key of a child and what is known of it.
    fn look_up(
        &self,
        node: &Node,
        foreknown: &Foreknown,
        children: &Expansion,
        index: usize,
    ) -> (Key, Bounds) {
        let (mover, cell) = (self.mover(node), children.cell(index));
        let guess = || foreknown.hasten(children.guess(index), mover, cell);
        if children.is_gone(index) {
            (NO_KEY, Bounds::won_by(mover.other()))
        } else if children.is_ready(index) {
            let child = Node { stones: children.stones(index), last: node.last };
            let key = self.key(&child);
            let bounds = match (self.table.get(key), children.open_answers(index)) {
                (None, _) => guess(),
                (Some(entry), None) => entry.bounds,
                (Some(entry), Some(open)) => foreknown.renew(entry.bounds, mover, cell, open),
            };
            (key, self.believed(&child, bounds))
        } else {
            (NO_KEY, guess())
        }
    }

    /// Counts a node, and every so often shows a snapshot of the search.
    fn count(&mut self, views: Views) -> Result<(), StopReason> {
        let Some(elapsed) = self.watch.count()? else { return Ok(()) };
        self.copies.give(|| self.room.save());
        if elapsed >= self.next_view {
            self.next_view = elapsed + BETWEEN_VIEWS;
            if let Some(memory) = self.memory
                && !self.solved.is_empty()
            {
                memory.learn(&mut self.solved);
            }
            views(&View {
                elapsed,
                nodes: self.watch.nodes(),
                bounds: self.root_bounds,
                replies: self.root_replies,
                line: &self.line[..self.depth],
                table_permille: self.table.fill_permille(),
                reasons_permille: self.room.reasons.fill_permille(),
            });
        }
        Ok(())
    }

    /// Writes the numbers of a node to the table.
    fn keep(&mut self, node: &Node, key: Key, bounds: Bounds, before: u64) -> Bounds {
        let earlier = self.table.get(key).map_or(0, |entry| entry.work.nodes());
        let nodes = (self.watch.nodes() - before).saturating_add(earlier);
        // With one thread the draw is the same on every run.
        let lot = spread(key.check ^ self.watch.nodes().rotate_left(32));
        self.table.put(key, Entry { bounds, work: Work::drawn(nodes, lot) });
        if let Some(winner) = bounds.winner()
            && self.solved_from.is_some_and(|from| nodes >= from)
        {
            self.solved.push(Solved { node: *node, winner, best: self.winning, nodes });
        }
        if self.met_from.is_some_and(|from| nodes >= from) {
            self.met.push(*node);
        }
        bounds
    }
}
