//! Depth-first proof-number search over canonical filled positions.
//!
//! Numbers are kept by part, so nothing changes sign on the way down: a filled dead cell can leave the
//! same player to move in a child, and the child is then treated like any other. Bounds of children come
//! back by value and stay in the caller's frame; the table only saves work. So the search ends however
//! small the table is.

use std::time::Duration;

use rex_game::{Board, Cell, CellSet, Symmetry};
use rex_theory::symmetry::notlast_wins_by_symmetry;
use rex_theory::{Field, Options, Reduced};

use crate::audit::Audit;
use crate::bounds::{Bounds, INFINITE, Part};
use crate::expand::{Children, node_of, ranked_moves};
use crate::expansions::Expansions;
use crate::guidance::{Guidance, Guide};
use crate::judge::{Judge, Judgement};
use crate::limits::{StopReason, Watch};
use crate::line_end::LineEnd;
use crate::memory::Memory;
use crate::node::{Key, Node, spread};
use crate::table::{Entry, Table, Work};

/// How the search is steered. None of it can change an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Children looked at for the minimum, unless a net knows them all: this many …
    pub widening_base: usize,
    /// … and one in this many of the live ones.
    pub widening_share: usize,
    /// The threshold of a child exceeds its best sibling by one part in this many …
    pub epsilon_share: u32,
    /// … or this many where a net guides.
    pub net_epsilon_share: u32,
    /// How many paths the exact pairing search may look at, unless a net guides.
    pub pairing_steps: u32,
    /// The same for the position that is asked about, on boards that are not square: there a mirror pairing may
    /// save the whole search (20,000 find it on 5x6, 5,000 do not).
    pub root_pairing_steps: u32,
    /// Where first guesses and the order of moves come from.
    pub guidance: Guidance,
    /// A net that puts the number of a verdict above this is believed: the pairings are not looked for. (Of the
    /// positions with a number of 724 or more, 1 in 100 is decided by a pairing.)
    pub hopeless: u32,
    /// Nodes that one thread searches before the others are started.
    pub alone: u64,
    /// Nodes a thread searches before it comes back to the shared tree: few, so that the threads part as deep in the
    /// tree as they can, where the work of both is needed. It grows with the tree. (10 / 30 / 100 / 400 / 1,500: 6x6 d3
    /// 60, 74, 86, 111, 131 thousand nodes with two threads, 67 with one; 10 takes a tenth more time a node.)
    pub quantum: u64,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            widening_base: 1,
            widening_share: 4,
            epsilon_share: 4,
            net_epsilon_share: 8,
            pairing_steps: 100,
            root_pairing_steps: 20_000,
            guidance: Guidance::Learned,
            hopeless: 200,
            alone: 1000,
            quantum: 30,
        }
    }
}

impl Tuning {
    /// As it is with this guide. A net's numbers tell more than a rank, so that all children are in view, and the search
    /// may change its mind sooner; and with it the exact pairing search costs a tenth of the time and saves no nodes.
    fn with(self, guide: &Guide) -> Tuning {
        if guide.knows_every_move() {
            Tuning { widening_share: 1, epsilon_share: self.net_epsilon_share, pairing_steps: 0, ..self }
        } else {
            self
        }
    }
}

/// A look at a running search, in the coordinates of the position it was asked about.
pub struct View<'a> {
    /// Time since the watch was started.
    pub elapsed: Duration,
    /// Nodes since the watch was started.
    pub nodes: u64,
    /// Numbers of the root.
    pub bounds: Bounds,
    /// The moves from the root to the node being looked at.
    pub line: &'a [Cell],
    /// How full the table is, in thousandths.
    pub table_permille: u32,
}

/// What a thread works in, good for any number of searches on one board.
pub struct Room {
    judge: Judge,
    expansions: Expansions,
}

impl Room {
    /// Room for boards of so many cells, with so many expansions at hand.
    pub fn new(cells: usize, expansions: usize) -> Room {
        Room { judge: Judge::for_cells(cells), expansions: Expansions::new(expansions) }
    }
}

/// One thread's search.
pub struct Search<'a> {
    /// The board.
    pub board: Board,
    /// Which theory is used.
    pub options: Options,
    /// Counts nodes, and says when to stop.
    pub watch: Watch,
    pub(crate) tuning: Tuning,
    guide: Guide,
    pub(crate) widening: Widening,
    pub(crate) table: &'a Table,
    audit: Option<&'a dyn Audit>,
    room: Box<Room>,
    /// The node count at which to come back with what is known.
    quantum_end: u64,
    /// Steps of the exact pairing search at the node where the search begins.
    first_steps: u32,
    /// Solved positions met, and the work from which on they are worth keeping.
    pub(crate) solved: Vec<Solved>,
    solved_from: Option<u64>,
    /// Positions met, solved or not, with enough work below them for others to hear of; one may come many times.
    pub(crate) met: Vec<Node>,
    met_from: Option<u64>,
    memory: Option<&'a dyn Memory>,
    /// The move that decided the node decided last, in its coordinates.
    winning: Option<Cell>,
    /// The moves on the way to the node being looked at, in root coordinates.
    line: [Cell; 64],
    depth: usize,
    root_bounds: Bounds,
    next_view: Duration,
}

/// Shown the search a few times a second.
pub type Views<'v> = &'v mut dyn FnMut(&View);

const BETWEEN_VIEWS: Duration = Duration::from_millis(100);
/// Stands where a child has not been worked out.
const NO_KEY: Key = Key { place: 0, check: 0 };
const UNKNOWN: Bounds = Bounds { last: 1, notlast: 1 };

impl<'a> Search<'a> {
    /// A search that shares `table`.
    pub fn new(
        board: Board,
        options: Options,
        tuning: Tuning,
        table: &'a Table,
        watch: Watch,
        room: Box<Room>,
    ) -> Search<'a> {
        let guide = Guide::new(tuning.guidance, board);
        let tuning = tuning.with(&guide);
        Search {
            board,
            options,
            watch,
            tuning,
            guide,
            widening: Widening { base: tuning.widening_base, share: tuning.widening_share },
            table,
            audit: None,
            room,
            quantum_end: u64::MAX,
            first_steps: 0,
            solved: Vec::new(),
            solved_from: None,
            met: Vec::new(),
            met_from: None,
            memory: None,
            winning: None,
            line: [Cell::new(0); 64],
            depth: 0,
            root_bounds: UNKNOWN,
            next_view: BETWEEN_VIEWS,
        }
    }

    /// Shows every step to `audit`.
    pub(crate) fn audited_by(self, audit: Option<&'a dyn Audit>) -> Search<'a> {
        Search { audit, ..self }
    }

    /// Remembers the solved positions that took at least so many nodes, and hands them over now and then.
    pub(crate) fn remembering(self, from: Option<u64>, memory: Option<&'a dyn Memory>) -> Search<'a> {
        Search { solved_from: from, memory, ..self }
    }

    /// Notes all positions that took at least so many nodes, solved or not.
    pub(crate) fn noting(self, from: Option<u64>) -> Search<'a> {
        Search { met_from: from, ..self }
    }

    /// Whether solved positions with so much work are remembered.
    pub(crate) fn remembers(&self, nodes: u64) -> bool {
        self.solved_from.is_some_and(|from| nodes >= from)
    }

    /// Searches below a node for about `quantum` nodes, or until it is decided or a number reaches `limit`.
    pub(crate) fn search_below(
        &mut self,
        node: &Node,
        symmetry: Symmetry,
        limit: Bounds,
        quantum: u64,
        pairing_steps: u32,
        views: Views,
    ) -> Result<Bounds, StopReason> {
        self.depth = 0;
        self.first_steps = pairing_steps;
        self.quantum_end = self.watch.nodes().saturating_add(quantum);
        self.visit(node, self.key(node), symmetry, None, limit, views)
    }

    /// Steps of the exact pairing search at a position that is asked about.
    pub(crate) fn root_steps(&self) -> u32 {
        if self.board.is_square() { self.tuning.pairing_steps } else { self.tuning.root_pairing_steps }
    }

    /// Whether the last quantum was used up.
    pub(crate) fn out_of_quantum(&self) -> bool {
        self.watch.nodes() >= self.quantum_end
    }

    /// Gives back the room it worked in.
    pub(crate) fn into_room(self) -> Box<Room> {
        self.room
    }

    /// The children of a node, all worked out, or who wins when one of the moves wins at once.
    pub(crate) fn children(&mut self, node: &Node) -> Result<Children, Part> {
        let mut children = Children::NONE;
        let reduced = Reduced::new(node.field(self.board));
        if !self.room.expansions.get(node, &mut children) {
            self.expand(&reduced, CellSet::EMPTY, &mut children);
        }
        for index in 0..children.len() {
            if !children.is_ready(index)
                && let Some(winner) =
                    children.make_ready(index, &reduced, &self.options, &self.guide, self.audit)
            {
                return Err(winner);
            }
        }
        Ok(children)
    }

    /// Who moves at a node.
    pub(crate) fn mover(&self, node: &Node) -> Part {
        Part::of(node.field(self.board).mover(), node.last)
    }

    /// What the table knows of a node.
    pub fn known(&self, node: &Node) -> Option<Entry> {
        self.table.get(self.key(node))
    }

    /// The moves the search would try at a filled position, in its order.
    pub fn ordered_moves(&self, reduced: &Reduced) -> impl Iterator<Item = Cell> + use<'a> {
        let ranked = ranked_moves(reduced, &self.options, &self.guide, CellSet::EMPTY);
        ranked.cells.into_iter().take(ranked.len)
    }

    /// The filled canonical node of a field; `Err` says who won when somebody is joined.
    pub fn node_of(&self, field: &Field) -> Result<(Node, Symmetry), Part> {
        node_of(field, &self.options, self.audit)
    }

    /// By what the theory alone decides a field, if it does. Where a pairing decides it as well as symmetry, it is the
    /// pairing: that is a strategy.
    pub fn decided_at_once(&mut self, field: &Field) -> Option<LineEnd> {
        let Ok((node, _)) = self.node_of(field) else { return Some(LineEnd::FillIn) };
        let reduced = Reduced::new(node.field(self.board));
        self.depth = 0;
        self.first_steps = self.root_steps();
        let Judgement::Won(_) = self.judge(&reduced, None, true) else { return None };
        let by_pairing = self.room.judge.judge(&reduced, &self.options, self.first_steps, None);
        Some(if matches!(by_pairing, Judgement::Won(_)) { LineEnd::Pairing } else { LineEnd::Symmetry })
    }

    /// Judges a node that comes from a move of this part, with this first guess.
    fn judge_unless_hopeless(&mut self, reduced: &Reduced, moved: Option<(Part, Bounds)>) -> Judgement {
        let hopeless = moved.is_some_and(|(mover, guess)| {
            self.guide.knows_every_move() && guess.get(mover.other()) > self.tuning.hopeless
        });
        self.judge(reduced, moved.map(|(mover, _)| mover), !hopeless)
    }

    fn judge(&mut self, reduced: &Reduced, moved: Option<Part>, by_pairings: bool) -> Judgement {
        let steps = if self.depth == 0 { self.first_steps } else { self.tuning.pairing_steps };
        let judgement = if notlast_wins_by_symmetry(&reduced.field, &self.options).is_some() {
            Judgement::Won(Part::Notlast)
        } else if by_pairings {
            self.room.judge.judge(reduced, &self.options, steps, moved)
        } else {
            Judgement::Open(CellSet::EMPTY)
        };
        if let (Some(audit), &Judgement::Won(winner)) = (self.audit, &judgement) {
            audit.judged(&reduced.field, winner);
        }
        judgement
    }

    /// The children of a node, not worked out.
    fn expand(&self, reduced: &Reduced, keys: CellSet, children: &mut Children) {
        let moves = ranked_moves(reduced, &self.options, &self.guide, keys);
        if let Some(audit) = self.audit {
            audit.pruned(&reduced.field, moves.cells[..moves.len].iter().copied().collect());
        }
        children.begin(&moves);
    }

    /// What the search now believes of a node.
    fn believed(&self, node: &Node, bounds: Bounds) -> Bounds {
        if let Some(audit) = self.audit {
            audit.believed(&node.field(self.board), bounds);
        }
        bounds
    }

    pub(crate) fn key(&self, node: &Node) -> Key {
        Key::new(node, self.board.len())
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
        // Another way may have led here since the parent looked.
        if let Some(entry) = known
            && entry.bounds.winner().is_some()
        {
            self.winning = None;
            return Ok(entry.bounds);
        }
        let mut children = Children::NONE;
        let mut at_hand = None;
        if !self.room.expansions.get(node, &mut children) {
            let reduced = Reduced::new(node.field(self.board));
            let mut keys = CellSet::EMPTY;
            if known.is_none() {
                self.count(views)?;
                match self.judge_unless_hopeless(&reduced, moved) {
                    Judgement::Won(winner) => {
                        self.winning = None;
                        return Ok(self.keep(node, key, Bounds::won_by(winner), before));
                    }
                    Judgement::Open(own_keys) => keys = own_keys,
                }
            }
            self.expand(&reduced, keys, &mut children);
            at_hand = Some(reduced);
        }
        let bounds = self.visit_children(node, symmetry, &mut children, at_hand, limit, views)?;
        if bounds.winner().is_none() {
            self.room.expansions.put(node, &children);
        }
        Ok(self.keep(node, key, bounds, before))
    }

    /// Visits the children of a node in turn, until it is decided or one of its numbers reaches `limit`. `at_hand` is
    /// the node's reduced form, if it has been made.
    fn visit_children(
        &mut self,
        node: &Node,
        symmetry: Symmetry,
        children: &mut Children,
        mut at_hand: Option<Reduced>,
        limit: Bounds,
        views: Views,
    ) -> Result<Bounds, StopReason> {
        let mover = self.mover(node);
        let other = mover.other();
        let mut keys = [NO_KEY; 64];
        let mut bounds = [UNKNOWN; 64];
        let count = children.len();
        for index in 0..count {
            (keys[index], bounds[index]) = self.look_up(node, mover, children, index);
        }
        loop {
            let Some(choice) = choose(self.widening, mover, &bounds[..count]) else {
                self.winning = None;
                return Ok(Bounds::won_by(other));
            };
            if !children.is_ready(choice.index) {
                let reduced = at_hand.get_or_insert_with(|| Reduced::new(node.field(self.board)));
                if children
                    .make_ready(choice.index, reduced, &self.options, &self.guide, self.audit)
                    .is_some()
                {
                    self.winning = Some(children.cell(choice.index));
                    return Ok(Bounds::won_by(mover));
                }
                (keys[choice.index], bounds[choice.index]) =
                    self.look_up(node, mover, children, choice.index);
                continue;
            }
            if choice.best == 0 {
                self.winning = Some(children.cell(choice.index));
                return Ok(Bounds::won_by(mover));
            }
            let now = Bounds::unsolved(mover, choice.best, choice.sum);
            if self.depth == 0 {
                self.root_bounds = now;
            }
            if choice.best >= limit.get(mover) || choice.sum >= limit.get(other) || self.out_of_quantum() {
                return Ok(now);
            }
            let slack = choice.second / self.tuning.epsilon_share + 1;
            let own = limit.get(mover).min(choice.second.saturating_add(slack));
            let others = limit.get(other) - choice.sum + bounds[choice.index].get(other);
            let child_limit = Bounds::of(mover, own, others);
            self.line[self.depth] = symmetry.apply_to_cell(self.board, children.cell(choice.index));
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
            )?;
            bounds[choice.index] = self.believed(&child, searched);
            self.depth -= 1;
        }
    }

    /// The key of a child and what is known of it.
    fn look_up(&self, node: &Node, mover: Part, children: &Children, index: usize) -> (Key, Bounds) {
        if children.is_gone(index) {
            (NO_KEY, Bounds::won_by(mover.other()))
        } else if children.is_ready(index) {
            let child = Node { stones: children.stones(index), last: node.last };
            let key = self.key(&child);
            (
                key,
                self.believed(
                    &child,
                    self.table.get(key).map_or_else(|| children.guess(index), |entry| entry.bounds),
                ),
            )
        } else {
            (NO_KEY, children.guess(index))
        }
    }

    /// Counts a node, and shows the search to whoever watches when it is time.
    fn count(&mut self, views: Views) -> Result<(), StopReason> {
        if let Some(elapsed) = self.watch.count()?
            && elapsed >= self.next_view
        {
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
                line: &self.line[..self.depth],
                table_permille: self.table.fill_permille(),
            });
        }
        Ok(())
    }

    /// Writes what is known of a node into the table.
    fn keep(&mut self, node: &Node, key: Key, bounds: Bounds, before: u64) -> Bounds {
        let earlier = self.table.get(key).map_or(0, |entry| entry.work.nodes());
        let nodes = (self.watch.nodes() - before).saturating_add(earlier);
        // The lot is the same on every run of one thread.
        let lot = spread(key.check ^ self.watch.nodes().rotate_left(32));
        self.table.put(key, Entry { bounds, work: Work::drawn(nodes, lot) });
        if let Some(winner) = bounds.winner()
            && self.remembers(nodes)
        {
            self.solved.push(Solved { node: *node, winner, best: self.winning, nodes });
        }
        if self.met_from.is_some_and(|from| nodes >= from) {
            self.met.push(*node);
        }
        bounds
    }
}

/// A position that a search has solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The filled position.
    pub node: Node,
    /// Who wins.
    pub winner: Part,
    /// A good move of the side to move, if one is known, in the node's coordinates.
    pub best: Option<Cell>,
    /// Nodes searched below it, roughly.
    pub nodes: u64,
}

/// A child to look at, with the least number of the mover's, the next, and the sum of the other player's.
pub(crate) struct Choice {
    pub index: usize,
    pub best: u32,
    pub second: u32,
    pub sum: u32,
}

/// How many of the live children are in view: some, and one in so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widening {
    base: usize,
    share: usize,
}

#[cfg(test)]
impl Widening {
    /// All live children are in view.
    pub(crate) const EVERYTHING: Widening = Widening { base: 0, share: 1 };
}

/// The child to look at next: the one with the least number among the first live ones, where "first"
/// grows with the number of live children. Nothing is live: the mover has lost.
pub(crate) fn choose(widening: Widening, mover: Part, bounds: &[Bounds]) -> Option<Choice> {
    let other = mover.other();
    let live = bounds.iter().filter(|bounds| bounds.get(other) != 0).count();
    let wide = widening.base + live.div_ceil(widening.share);
    let mut choice = Choice { index: 0, best: INFINITE, second: INFINITE, sum: 0 };
    let mut seen = 0;
    for (index, bounds) in bounds.iter().enumerate() {
        let (own, theirs) = (bounds.get(mover), bounds.get(other));
        if theirs == 0 {
            continue;
        }
        if own == 0 {
            return Some(Choice { index, best: 0, second: 0, sum: 0 });
        }
        choice.sum = choice.sum.saturating_add(theirs).min(INFINITE - 1);
        seen += 1;
        if seen > wide {
            continue;
        }
        if own < choice.best {
            choice.second = choice.best;
            choice.best = own;
            choice.index = index;
        } else if own < choice.second {
            choice.second = own;
        }
    }
    (seen > 0).then_some(choice)
}
