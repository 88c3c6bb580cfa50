//! The way in: [`Solver`], its settings and its answers.
//!
//! - `request.rs`: questions as chains of calls (`ask`, `at`)
//! - `run.rs`: one question in progress: the winner, her moves, the line of play
//! - `explore.rs`: what a search over many solvers needs: a budget, children, numbers, [`Solver::upper_tree`]

use std::io::{Read, Seek, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Once};
use std::time::Duration;

use parking_lot::Mutex;
use rex_game::{Board, Cell, Player, State, Symmetry};
use rex_theory::{Options, Reduced};

use crate::audit::Audit;
use crate::checkpoint::{self, CheckpointError};
use crate::context::Context;
use crate::dfpn::{Copies, Room, Search, View};
use crate::division::Division;
use crate::guidance::Guide;
use crate::known::{Bounds, Entry, Node, Part, Solved, Work};
use crate::limits::{Limits, StopReason, Watch};
use crate::line_end::LineEnd;
use crate::memory::{Book, BookEntry, Memory};
use crate::reasons::Log;
use crate::table::{Key, Table, TableError};
use crate::tuning::Tuning;
use crate::upper_tree::UpperTree;

mod explore;
mod request;
mod run;

pub use explore::Explored;
pub use request::{NodeRequest, Request};

use run::Run;

/// How long a search that is saved waits for a thread to give a copy of what it has, before it looks whether it still runs.
const PATIENCE: Duration = Duration::from_millis(100);

/// The settings of a solver.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which theory is used.
    pub theory: Options,
    /// How the search is steered.
    pub tuning: Tuning,
    /// Bytes in all: for the table, for the threads to work in, and for the tree they share.
    pub memory: u64,
    /// Threads to search with. Those that do not fit in memory are not started.
    pub threads: usize,
    /// Remember the solved positions that took at least this many nodes, for [`Solver::take_solved`] or its memory.
    pub remember: Option<u64>,
    /// Note every position that took at least this many nodes, solved or not, for [`Solver::take_met`].
    pub note: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theory: Options::default(),
            tuning: Tuning::default(),
            memory: 1 << 28,
            threads: 1,
            remember: None,
            note: None,
        }
    }
}

/// A snapshot of a running search.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Time since the request started.
    pub elapsed: Duration,
    /// Nodes since the request started.
    pub nodes: u64,
    /// Proof numbers of the position being searched: for a win of Black, for a win of White.
    pub bounds: [u64; 2],
    /// The moves from the position asked about to the one being searched.
    pub line: Vec<Cell>,
    /// How many of its moves are decided, and how many are still open.
    pub replies: [usize; 2],
    /// How full the table is, in thousandths, …
    pub table_permille: u32,
    /// … and the room for reasons.
    pub reasons_permille: u32,
}

/// Called a few times a second while a search runs.
pub type Listener<'a> = &'a mut dyn FnMut(&Progress);

/// The answer to a request.
///
/// ```
/// use rex_search::{LineEnd, Settings, Solver};
///
/// let state: rex_game::State = "2x2".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
/// let solution = solver.ask(&state).solve();
/// let line: Vec<String> = solution.pv.iter().map(|&cell| state.board().name(cell)).collect();
/// // Black wins by taking a corner: after that a pairing makes White connect.
/// assert_eq!((line, solution.pv_end), (vec!["a1".to_owned()], Some(LineEnd::Pairing)));
/// assert_eq!(solution.stopped, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// Who wins; `None` when a limit stopped the search.
    pub winner: Option<Player>,
    /// The winner's move, or the loser's move that took most work to refute. `None` if the game is over, if only the
    /// verdict was asked for, or if the search was stopped before it was found. (If it was stopped later, while looking
    /// for the rest of the line, the move is there.)
    pub best: Option<Cell>,
    /// The winner's easiest win against the loser's longest resistance, up to where theory decides the game.
    pub pv: Vec<Cell>,
    /// Why that line ends. `None` if no line was asked for, or a limit cut it off.
    pub pv_end: Option<LineEnd>,
    /// Nodes of this request.
    pub nodes: u64,
    /// Moves that it struck without a visit, because a reason decides them.
    pub struck: u64,
    /// Time of this request.
    pub time: Duration,
    /// Which limit stopped it, if one did.
    pub stopped: Option<StopReason>,
    /// Whether a [`Book`] knows who wins.
    pub book: bool,
}

/// What a move is worth to the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveValue {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// The search was stopped before it was decided.
    Unknown,
}

/// One move and what is known of it.
///
/// ```
/// use rex_search::{MoveValue, Settings, Solver};
///
/// let state: rex_game::State = "2x2".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
/// let (_, reports) = solver.ask(&state).moves();
/// let b1 = reports.iter().find(|report| state.board().name(report.cell) == "b1").unwrap();
/// assert_eq!(b1.value, MoveValue::Loss);
/// assert!(b1.refutation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveReport {
    /// The move.
    pub cell: Cell,
    /// Whether it wins.
    pub value: MoveValue,
    /// For a losing move: a reply that wins for the opponent. `None` if the move joins the mover's sides.
    pub refutation: Option<Cell>,
    /// For a losing move that does not join, if asked for: how many replies win.
    pub replies: Option<usize>,
}

/// A solver for one board. Its table stays warm from request to request.
///
/// ```
/// use rex_search::{Settings, Solver};
///
/// let state: rex_game::State = "4x4 d1".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
/// let solution = solver.ask(&state).solve();
/// assert_eq!(solution.winner, Some(rex_game::Player::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    board: Board,
    settings: Settings,
    division: Division,
    table: Arc<Table>,
    /// What its searches have learned.
    log: Log,
    audit: Option<Box<dyn Audit>>,
    /// Working memory of threads, kept from request to request. The last one is that of the thread that begins.
    rooms: Mutex<Vec<Box<Room>>>,
    copies: Copies,
    /// How many requests have some of it.
    requests: AtomicUsize,
    solved: Mutex<Vec<Solved>>,
    met: Mutex<Vec<Node>>,
    nodes: AtomicU64,
    memory: Option<Box<dyn Memory>>,
    book: Option<&'static dyn Book>,
    /// Whether everything in the memory is in the table.
    seeded: Once,
}

impl Solver {
    /// A solver with an empty table.
    ///
    /// # Errors
    /// If there is not enough memory for the table and one thread.
    pub fn new(board: Board, settings: Settings) -> Result<Solver, TableError> {
        let division = Division::new(settings.memory, settings.threads, board.len());
        let table = Arc::new(Table::new(division.table)?);
        let solver = Solver {
            board,
            settings,
            division,
            table,
            log: Log::new(division.log),
            audit: None,
            rooms: Mutex::default(),
            copies: Copies::default(),
            requests: AtomicUsize::new(0),
            solved: Mutex::default(),
            met: Mutex::default(),
            nodes: AtomicU64::new(0),
            memory: None,
            book: None,
            seeded: Once::new(),
        };
        // Working memory for the first thread. The others get theirs when they have work.
        let room = solver.make_room().ok_or(TableError { bytes: solver.settings.memory })?;
        solver.keep_rooms([room]);
        Ok(solver)
    }

    /// Working memory for a thread, if there is any left.
    fn make_room(&self) -> Option<Box<Room>> {
        // A failed allocation would end the process, so try it first.
        Vec::<u8>::new().try_reserve_exact(self.division.room as usize).ok()?;
        Some(self.new_room())
    }

    fn new_room(&self) -> Box<Room> {
        Box::new(Room::new(self.board, self.division.expansions, self.division.blocks))
    }

    /// Reports every step of its searches to `audit`.
    pub fn audited_by(self, audit: Box<dyn Audit>) -> Solver {
        Solver { audit: Some(audit), ..self }
    }

    /// Starts with what `memory` knows, and passes on what took at least [`Settings::remember`] nodes to solve.
    pub fn remembering(self, memory: Box<dyn Memory>) -> Solver {
        Solver { memory: Some(memory), ..self }
    }

    /// Answers from `book` what it knows.
    pub fn with_book(self, book: &'static dyn Book) -> Solver {
        Solver { book: Some(book), ..self }
    }

    /// The positions solved since the last call, if [`Settings::remember`] is set and there is no memory to take them.
    /// A position may occur twice.
    pub fn take_solved(&self) -> Vec<Solved> {
        std::mem::take(&mut *self.solved.lock())
    }

    /// Writes all that it knows, so that another solver of the same board can go on from there: its table, and the reasons
    /// and children that a thread keeps. A search may be running.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, out: &mut impl Write) -> std::io::Result<()> {
        self.copies.forget();
        let room = loop {
            if self.requests.load(Relaxed) > 0 {
                if let Some(copy) = self.copies.ask(PATIENCE) {
                    break copy;
                }
            } else if let Some(room) = self.rooms.lock().last() {
                break room.save();
            }
        };
        checkpoint::save(self.board, &self.table, &room, out)
    }

    /// Reads what [`Solver::save`] wrote. This solver must be new.
    ///
    /// # Errors
    /// If it is damaged or does not fit. Do not use the solver after that.
    pub fn load(&self, input: &mut (impl Read + Seek)) -> Result<(), CheckpointError> {
        let mut room = self.new_room();
        checkpoint::load(self.board, &self.table, &mut room, input)?;
        let mut rooms = self.rooms.lock();
        rooms.clear();
        // The other threads begin with the same reasons.
        while rooms.len() + 1 < self.division.threads {
            let Some(mut other) = self.make_room() else { break };
            other.reasons = room.reasons.clone();
            rooms.push(other);
        }
        rooms.push(room);
        Ok(())
    }

    /// Nodes of all finished requests, stopped ones included.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The board it solves.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Who wins, if that is known without search.
    pub fn known_winner(&self, state: &State) -> Option<Player> {
        self.quietly(|run| run.look_up(state)).map(|(winner, _)| winner)
    }

    /// What is known of a state without search, from the table and the memory: who wins, and the line of play as far as
    /// every winning move is known.
    pub fn look_up(&self, state: &State) -> Solution {
        self.answer(state, &Limits::default(), &mut |_| {}, |run, solution| {
            solution.winner = run.look_up(state).map(|(winner, _)| winner);
            run.line(state, solution, None, |run, state| Ok(run.known_winning_move(state)))
        })
    }

    /// Stores what is known of a state in the memory, with this best move if one is given, however little work it took.
    /// This is for states that a user asked about. Of what a search comes across, only the expensive positions are
    /// worth storing.
    pub fn keep(&self, state: &State, best: Option<Cell>) {
        let Some(memory) = &self.memory else { return };
        let solved = self.quietly(|run| run.solved(state, best, 0));
        memory.learn(&mut solved.into_iter().collect());
    }

    /// Reads what is known, without search.
    fn quietly<T>(&self, look: impl FnOnce(&Run) -> T) -> T {
        let mut nobody = |_: &Progress| {};
        let run = self.run(&Limits::default(), &mut nobody);
        let seen = look(&run);
        self.take_back(run.searches);
        seen
    }

    /// What its searches have learned.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The theory it uses.
    pub(crate) fn theory(&self) -> &Options {
        &self.settings.theory
    }

    /// Who wins a filled position, if the table knows.
    pub(crate) fn table_winner(&self, reduced: &Reduced) -> Option<Player> {
        if let Some(loser) = reduced.joined {
            return Some(!loser);
        }
        let (node, symmetry) = Node::of(&reduced.field);
        let winner = self.table.get(Key::new(&node, self.board.len()))?.bounds.winner()?.player(node.last);
        Some(if symmetry.swaps_colours() { !winner } else { winner })
    }

    /// Answers a request by doing this work, and passes what it solved to the memory.
    fn answer(
        &self,
        state: &State,
        limits: &Limits,
        listener: Listener,
        work: impl FnOnce(&mut Run, &mut Solution) -> Result<(), StopReason>,
    ) -> Solution {
        if state.board() != self.board {
            return Solution { stopped: Some(StopReason::Board), ..Solution::default() };
        }
        let mut run = self.run(limits, listener);
        let mut solution = Solution::default();
        solution.stopped = work(&mut run, &mut solution).err();
        solution.nodes = run.search().watch.nodes();
        solution.struck = run.search().watch.struck();
        solution.time = run.search().watch.elapsed();
        solution.book = solution.winner.is_some() && self.in_book(state).is_some();
        run.remember_best(state, &solution);
        self.finish(run);
        solution
    }

    /// Sets up a request.
    fn run<'a, 'l>(&'a self, limits: &Limits, listener: Listener<'l>) -> Run<'a, 'l> {
        self.requests.fetch_add(1, Relaxed);
        let search = self.search(Watch::new(limits), self.kept_room().unwrap_or_else(|| self.new_room()));
        Run {
            solver: self,
            searches: vec![search],
            threads: self.division.threads,
            listener,
            started_line: Vec::new(),
        }
    }

    /// The threads that may work on a request.
    fn team(&self, threads: usize) -> Team<'_> {
        Team { solver: self, threads }
    }

    /// Takes what a request has solved, and its working memory.
    fn finish(&self, mut run: Run) {
        self.nodes.fetch_add(run.search().watch.nodes(), Relaxed);
        for search in &mut run.searches {
            self.met.lock().append(&mut search.met);
            match &self.memory {
                Some(memory) => memory.learn(&mut search.solved),
                None => {
                    self.solved.lock().append(&mut search.solved);
                }
            }
        }
        self.take_back(run.searches);
    }

    /// Keeps the working memory of finished searches.
    fn take_back(&self, searches: Vec<Search>) {
        self.keep_rooms(searches.into_iter().rev().map(Search::into_room));
        self.requests.fetch_sub(1, Relaxed);
    }

    fn keep_rooms(&self, rooms: impl IntoIterator<Item = Box<Room>>) {
        self.rooms.lock().extend(rooms);
    }

    /// Working memory left by an earlier search, if there is any.
    fn kept_room(&self) -> Option<Box<Room>> {
        self.rooms.lock().pop()
    }

    /// The context of its searches.
    fn context(&self) -> Context<'_> {
        let Settings { theory, tuning, .. } = self.settings;
        let guide = Guide::new(tuning.guidance, self.board);
        Context { board: self.board, options: theory, guide, audit: self.audit.as_deref() }
    }

    fn search(&self, watch: Watch, room: Box<Room>) -> Search<'_> {
        let context = self.context();
        let tuning = self.settings.tuning.with(&context.guide, context.board);
        Search::new(context, tuning, &self.table, &self.log, watch, room, &self.copies)
            .remembering(self.settings.remember, self.memory.as_deref())
            .noting(self.settings.note)
    }

    /// What the book knows of a state.
    fn in_book(&self, state: &State) -> Option<BookEntry> {
        self.book?.find(state)
    }

    /// What the memory knows of a node. It goes into the table too.
    fn recall(&self, node: &Node) -> Option<Solved> {
        let solved = self.memory.as_ref()?.recall(node)?;
        self.tell_table(&solved);
        Some(solved)
    }

    /// Puts everything the memory knows into the table, once.
    fn seed(&self) {
        if let Some(memory) = &self.memory {
            self.seeded.call_once(|| {
                memory.recall_all(&mut |solved| {
                    self.tell_table(&solved);
                });
            });
        }
    }

    /// Puts a solved position into the table. Returns whether that did not know the winner.
    fn tell_table(&self, solved: &Solved) -> bool {
        let key = Key::new(&solved.node, self.board.len());
        let is_new = self.table.get(key).is_none_or(|entry| entry.bounds.winner().is_none());
        let entry = Entry { bounds: Bounds::won_by(solved.winner), work: Work::of(solved.nodes) };
        self.table.put(key, entry);
        is_new
    }
}

/// The threads that may work on a request, and their memory.
#[derive(Clone, Copy)]
pub(crate) struct Team<'a> {
    solver: &'a Solver,
    /// At most this many.
    pub threads: usize,
}

impl<'a> Team<'a> {
    /// A tree for them to share.
    pub fn tree(&self, root: &Node, symmetry: Symmetry) -> UpperTree {
        self.solver.upper_tree(root, symmetry, self.solver.division.tree)
    }

    /// Adds searches for the other threads, as many as fit in memory.
    pub fn recruit(&self, searches: &mut Vec<Search<'a>>) {
        while searches.len() < self.threads {
            let room = self.solver.kept_room().or_else(|| self.solver.make_room());
            let Some(room) = room else { break };
            searches.push(self.solver.search(searches[0].watch.for_another_thread(), room));
        }
    }
}

impl MoveReport {
    fn unknown(cell: Cell) -> MoveReport {
        MoveReport { cell, value: MoveValue::Unknown, refutation: None, replies: None }
    }
}

/// A snapshot as progress for the caller, after these moves.
fn progress(view: &View, line: &[Cell], last: Player) -> Progress {
    let number = |player| view.bounds.get(Part::of(player, last));
    Progress {
        elapsed: view.elapsed,
        nodes: view.nodes,
        bounds: [number(Player::Black), number(Player::White)],
        line: [line, view.line].concat(),
        replies: view.replies,
        table_permille: view.table_permille,
        reasons_permille: view.reasons_permille,
    }
}
