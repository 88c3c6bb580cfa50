use std::io::{Read, Write};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use rex::{Board, Cell, CellSet, Player, State};
use rex_theory::{Field, Options, Reduced};

use crate::audit::Audit;
use crate::bounds::{Bounds, Part};
use crate::dfpn::{Room, Search, Solved, Tuning, View};
use crate::limits::{Limits, StopReason, Watch};
use crate::memory::{Fact, Memory};
use crate::node::{Key, Node};
use crate::parallel;
use crate::table::{CheckpointError, Entry, Table, TableError, Work};

mod explore;

pub use explore::{Child, Explored};

/// How a solver is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which theory is used.
    pub theory: Options,
    /// How the search is steered.
    pub tuning: Tuning,
    /// Bytes for the table.
    pub memory: u64,
    /// Threads to search with.
    pub threads: usize,
    /// Remember the solved positions that took at least so many nodes, for [`Solver::take_solved`] or its memory.
    pub remember: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theory: Options::default(),
            tuning: Tuning::default(),
            memory: 1 << 28,
            threads: 1,
            remember: None,
        }
    }
}

/// A look at a running search.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Time since the request began.
    pub elapsed: Duration,
    /// Nodes since the request began.
    pub nodes: u64,
    /// Numbers of the position being searched: to show that Black wins, that White wins.
    pub bounds: [u32; 2],
    /// The moves from the position asked about to the one being looked at.
    pub line: Vec<Cell>,
    /// How full the table is, in thousandths.
    pub table_permille: u32,
}

/// Told about a running search a few times a second.
pub type Listener<'a> = &'a mut dyn FnMut(&Progress);

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Who wins; `None` when a limit stopped the search.
    pub winner: Option<Player>,
    /// The winner's move, or the loser's that took most work to refute; `None` when the game is over, when the
    /// search was stopped, or when only the verdict was asked for.
    pub best: Option<Cell>,
    /// The winner's easiest win against the loser's longest resistance, until the theory can tell.
    pub pv: Vec<Cell>,
    /// Nodes of this request.
    pub nodes: u64,
    /// Time of this request.
    pub time: Duration,
    /// Which limit stopped it.
    pub stopped: Option<StopReason>,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveReport {
    /// The move.
    pub cell: Cell,
    /// Whether it wins.
    pub value: MoveValue,
    /// For a losing move: an answer that wins for the opponent (none when the move joins the mover's sides).
    pub refutation: Option<Cell>,
    /// For a losing move that does not join, when asked for: how many answers win.
    pub replies: Option<usize>,
}

/// A solver for one board. Its table stays warm from request to request.
///
/// ```
/// use rex_search::{Limits, Settings, Solver};
///
/// let state: rex::State = "4x4 d1".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
/// let solution = solver.solve(&state, &Limits::default(), &mut |_| {});
/// assert_eq!(solution.winner, Some(rex::Player::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    board: Board,
    settings: Settings,
    table: Table,
    audit: Option<Box<dyn Audit>>,
    /// Rooms to work in, kept from request to request.
    rooms: Mutex<Vec<Box<Room>>>,
    solved: Mutex<Vec<Solved>>,
    memory: Option<Box<dyn Memory>>,
    /// Whether all that the memory knows is in the table.
    seeded: Once,
}

impl Solver {
    /// A solver with an empty table.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(board: Board, settings: Settings) -> Result<Solver, TableError> {
        let table = Table::new(settings.memory)?;
        Ok(Solver {
            board,
            settings,
            table,
            audit: None,
            rooms: Mutex::default(),
            solved: Mutex::default(),
            memory: None,
            seeded: Once::new(),
        })
    }

    /// Shows every step of its searches to `audit`.
    pub fn audited_by(self, audit: Box<dyn Audit>) -> Solver {
        Solver { audit: Some(audit), ..self }
    }

    /// Begins with what `memory` knows, and tells it what is solved with at least [`Settings::remember`] nodes.
    pub fn remembering(self, memory: Box<dyn Memory>) -> Solver {
        Solver { memory: Some(memory), ..self }
    }

    /// The solved positions met since this was asked last, if [`Settings::remember`] says so and there is no
    /// memory to take them. A position may come twice.
    pub fn take_solved(&self) -> Vec<Solved> {
        std::mem::take(&mut *self.solved.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes its table, so that another solver of the same board can go on from there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save_table(&self, out: &mut impl Write) -> std::io::Result<()> {
        self.table.save(self.board, out)
    }

    /// Reads a table that [`Solver::save_table`] wrote.
    ///
    /// # Errors
    /// If it is damaged or does not fit; the solver should not be used then.
    pub fn load_table(&self, input: &mut impl Read) -> Result<(), CheckpointError> {
        self.table.load(self.board, input)
    }

    /// The board it solves.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Who wins, and no more: a verdict that names no move (symmetry) is taken at once.
    pub fn verdict(&self, state: &State, limits: &Limits, listener: Listener) -> Solution {
        self.request(state, limits, listener, |_, _| Ok(()))
    }

    /// Who wins, by which move, and how it goes on.
    pub fn solve(&self, state: &State, limits: &Limits, listener: Listener) -> Solution {
        self.request(state, limits, listener, |run, solution| run.principal_variation(state, solution))
    }

    /// Who wins, if that is known without any search.
    pub fn known_winner(&self, state: &State) -> Option<Player> {
        self.quietly(|run| run.known(state)).map(|(winner, _)| winner)
    }

    /// What is known of a state without any search, from the table and the memory: who wins, and the line of play as
    /// far as each move of the winner's is known.
    pub fn look_up(&self, state: &State) -> Solution {
        self.work(state, &Limits::default(), &mut |_| {}, |run, solution| {
            solution.winner = run.known(state).map(|(winner, _)| winner);
            run.line(state, solution, None, |run, state| Ok(run.known_winning_move(state)))
        })
    }

    /// Lets the memory have what is known of a state, and a good move of it if one is named, whatever work it took.
    /// This is for what somebody has asked; of what a search meets, only that which took long is worth keeping.
    pub fn keep(&self, state: &State, best: Option<Cell>) {
        let Some(memory) = &self.memory else { return };
        let solved = self.quietly(|run| run.solved(state, best, 0));
        memory.learn(&mut solved.into_iter().collect());
    }

    /// Looks at what is known, without a search.
    fn quietly<T>(&self, look: impl FnOnce(&Run) -> T) -> T {
        let search = self.search(&Limits::default());
        let run =
            Run { solver: self, searches: vec![search], listener: &mut |_| {}, started_line: Vec::new() };
        let seen = look(&run);
        self.take_back(run.searches);
        seen
    }

    /// The value of every empty cell. `decided` is told of each move as it is decided.
    pub fn moves(
        &self,
        state: &State,
        with_replies: bool,
        limits: &Limits,
        listener: Listener,
        decided: &mut dyn FnMut(&MoveReport),
    ) -> (Solution, Vec<MoveReport>) {
        let mut reports: Vec<MoveReport> = state.moves().into_iter().map(MoveReport::unknown).collect();
        let solution = self.request(state, limits, listener, |run, solution| {
            run.principal_variation(state, solution)?;
            for report in &mut reports {
                *report = run.report(state, report.cell, with_replies)?;
                decided(report);
            }
            if with_replies && solution.winner == Some(!state.to_move) {
                let counted = reports.iter().filter(|report| report.replies.is_some());
                let fewest = counted.min_by_key(|report| report.replies).map(|report| report.cell);
                if fewest.is_some() && fewest != solution.best {
                    solution.pv.clear();
                    run.line(state, solution, fewest, Run::winning_move)?;
                }
            }
            // Several answers may win; the one that is named is the one in the line of play.
            if let ([best, answer, ..], true) = (&solution.pv[..], solution.winner == Some(!state.to_move))
                && let Some(report) = reports.iter_mut().find(|report| report.cell == *best)
            {
                report.refutation = Some(*answer);
            }
            Ok(())
        });
        (solution, reports)
    }

    /// The theory it uses.
    pub(crate) fn theory(&self) -> &Options {
        &self.settings.theory
    }

    /// Who wins a filled position, if the table knows. No search.
    pub(crate) fn known(&self, reduced: &Reduced) -> Option<Player> {
        if let Some(loser) = reduced.joined {
            return Some(!loser);
        }
        let (node, symmetry) = Node::of(&reduced.field);
        let winner = self.table.get(Key::new(&node, self.board.len()))?.bounds.winner()?.player(node.last);
        Some(if symmetry.swaps_colours() { !winner } else { winner })
    }

    fn request(
        &self,
        state: &State,
        limits: &Limits,
        listener: Listener,
        then: impl FnOnce(&mut Run, &mut Solution) -> Result<(), StopReason>,
    ) -> Solution {
        self.work(state, limits, listener, |run, solution| {
            solution.winner = Some(run.winner(state)?);
            then(run, solution)
        })
    }

    /// Answers a request by this work, and lets the memory have what was found.
    fn work(
        &self,
        state: &State,
        limits: &Limits,
        listener: Listener,
        work: impl FnOnce(&mut Run, &mut Solution) -> Result<(), StopReason>,
    ) -> Solution {
        assert!(state.board() == self.board, "a solver is made for one board");
        let mut run = self.run(limits, listener);
        let mut solution = Solution {
            winner: None,
            best: None,
            pv: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            stopped: None,
        };
        solution.stopped = work(&mut run, &mut solution).err();
        solution.nodes = run.search().watch.nodes();
        solution.time = run.search().watch.elapsed();
        run.remember_best(state, &solution);
        self.finish(run);
        solution
    }

    /// A request that can begin.
    fn run<'a, 'l>(&'a self, limits: &Limits, listener: Listener<'l>) -> Run<'a, 'l> {
        let searches = (0..self.settings.threads.max(1)).map(|_| self.search(limits)).collect();
        Run { solver: self, searches, listener, started_line: Vec::new() }
    }

    /// Takes over what a request has solved, and its rooms.
    fn finish(&self, mut run: Run) {
        for search in &mut run.searches {
            match &self.memory {
                Some(memory) => memory.learn(&mut search.solved),
                None => {
                    self.solved.lock().unwrap_or_else(PoisonError::into_inner).append(&mut search.solved);
                }
            }
        }
        self.take_back(run.searches);
    }

    /// Keeps the rooms of searches that are over.
    fn take_back(&self, searches: Vec<Search>) {
        let rooms = searches.into_iter().map(Search::into_room);
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).extend(rooms);
    }

    /// A search that works in a room left by an earlier one, if there is one.
    fn search(&self, limits: &Limits) -> Search<'_> {
        let room = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let Settings { theory, tuning, .. } = self.settings;
        let search = Search::new(self.board, theory, tuning, &self.table, Watch::new(limits), room);
        search.audited_by(self.audit.as_deref()).remembering(self.settings.remember, self.memory.as_deref())
    }

    /// What the memory knows of a node; the table then knows it too.
    fn recall(&self, node: &Node) -> Option<Fact> {
        let fact = self.memory.as_ref()?.recall(node)?;
        self.tell_table(node, fact);
        Some(fact)
    }

    /// Fills the table with all that the memory knows, once.
    fn seed(&self) {
        if let Some(memory) = &self.memory {
            self.seeded.call_once(|| memory.recall_all(&mut |node, fact| self.tell_table(node, fact)));
        }
    }

    fn tell_table(&self, node: &Node, fact: Fact) {
        let entry = Entry { bounds: Bounds::won_by(fact.winner), work: fact.work };
        self.table.put(Key::new(node, self.board.len()), entry);
    }
}

impl MoveReport {
    fn unknown(cell: Cell) -> MoveReport {
        MoveReport { cell, value: MoveValue::Unknown, refutation: None, replies: None }
    }
}

/// What a view tells whoever asked, after these moves.
fn progress(view: &View, line: &[Cell], last: Player) -> Progress {
    let number = |player| view.bounds.get(Part::of(player, last));
    Progress {
        elapsed: view.elapsed,
        nodes: view.nodes,
        bounds: [number(Player::Black), number(Player::White)],
        line: [line, view.line].concat(),
        table_permille: view.table_permille,
    }
}

/// One request being answered.
struct Run<'a, 'l> {
    solver: &'a Solver,
    /// One for each thread; the first counts for all.
    searches: Vec<Search<'a>>,
    listener: Listener<'l>,
    /// The moves made before the search began, for progress.
    started_line: Vec<Cell>,
}

impl<'a> Run<'a, '_> {
    fn search(&self) -> &Search<'a> {
        &self.searches[0]
    }

    fn options(&self) -> &Options {
        &self.search().options
    }

    /// Decides a state.
    fn winner(&mut self, state: &State) -> Result<Player, StopReason> {
        if let Some(winner) = state.position.winner() {
            return Ok(winner);
        }
        self.search().watch.look()?;
        let field = Field::new(state);
        let part = match self.search().node_of(&field) {
            Err(winner) => winner,
            Ok((node, symmetry)) => {
                if let Some((winner, _)) = self.decided(&node) {
                    return Ok(winner.player(field.last));
                }
                self.solver.seed();
                let (line, listener) = (&self.started_line, &mut self.listener);
                let mut views = |view: &View| listener(&progress(view, line, field.last));
                parallel::solve(&mut self.searches, &node, symmetry, &mut views)?
            }
        };
        Ok(part.player(field.last))
    }

    /// Decides the state after a move.
    fn winner_after(&mut self, state: &State, cell: Cell) -> Result<Player, StopReason> {
        self.started_line.push(cell);
        let winner = self.winner(&state.play(cell));
        self.started_line.pop();
        winner
    }

    /// What the table or the memory knows of a state: who wins, and the work it took.
    fn known(&self, state: &State) -> Option<(Player, Work)> {
        if let Some(winner) = state.position.winner() {
            return Some((winner, Work::default()));
        }
        let field = Field::new(state);
        match self.search().node_of(&field) {
            Err(winner) => Some((winner.player(field.last), Work::default())),
            Ok((node, _)) => {
                let (winner, work) = self.decided(&node)?;
                Some((winner.player(field.last), work))
            }
        }
    }

    /// Who wins a node, if the table or the memory knows, and the work it took.
    fn decided(&self, node: &Node) -> Option<(Part, Work)> {
        let in_table = self.search().known(node).and_then(|entry| Some((entry.bounds.winner()?, entry.work)));
        in_table.or_else(|| self.solver.recall(node).map(|fact| (fact.winner, fact.work)))
    }

    /// The good move of a state that the memory has, if the side to move is still the same when the state is filled
    /// in.
    fn remembered_move(&self, state: &State) -> Option<Cell> {
        self.solver.memory.as_ref()?;
        let (node, symmetry) = self.search().node_of(&Field::new(state)).ok()?;
        let cell = symmetry.apply_to_cell(state.board(), self.solver.recall(&node)?.best?);
        (self.keeps_mover(&node, state) && state.moves().has(cell)).then_some(cell)
    }

    /// Whether nobody's move was handed over when a state was filled in to this node.
    fn keeps_mover(&self, node: &Node, state: &State) -> bool {
        let filled = self.search().mover(node);
        filled == Part::of(state.to_move, state.last())
    }

    /// Lets the memory have the move that was found at the position asked about.
    fn remember_best(&mut self, state: &State, solution: &Solution) {
        if solution.best.is_none() || self.solver.memory.is_none() {
            return;
        }
        // A verdict by symmetry costs nothing; the move may have cost much.
        if let Some(solved) = self.solved(state, solution.best, solution.nodes)
            && solved.best.is_some()
            && self.search().remembers(solved.nodes)
        {
            self.searches[0].solved.push(solved);
        }
    }

    /// What is known of a state, with this good move if it is one of the filled state too, and at least so much work.
    fn solved(&self, state: &State, best: Option<Cell>, nodes: u64) -> Option<Solved> {
        let (node, symmetry) = self.search().node_of(&Field::new(state)).ok()?;
        let (winner, work) = self.decided(&node)?;
        let open = node.field(state.board()).empty();
        let best = best.map(|cell| symmetry.apply_to_cell(state.board(), cell));
        let best = best.filter(|&cell| open.has(cell) && self.keeps_mover(&node, state));
        Some(Solved { node, winner, best, nodes: work.nodes().max(nodes) })
    }

    /// A winning move of the side to move, the one that took the least work, if there is one.
    fn winning_move(&mut self, state: &State) -> Result<Option<Cell>, StopReason> {
        let mover = state.to_move;
        if let Some(cell) = self.remembered_move(state)
            && self.winner_after(state, cell)? == mover
        {
            return Ok(Some(cell));
        }
        if let Some(cell) = self.known_winning_move(state) {
            return Ok(Some(cell));
        }
        for cell in self.likely_moves(state) {
            if self.winner_after(state, cell)? == mover {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// A winning move that is known without a search: the one that the memory names, or the one that took the least
    /// work.
    fn known_winning_move(&self, state: &State) -> Option<Cell> {
        let win = |cell: &Cell| self.known(&state.play(*cell)).filter(|(winner, _)| *winner == state.to_move);
        self.remembered_move(state).filter(|cell| win(cell).is_some()).or_else(|| {
            let known = state.moves().into_iter().filter_map(|cell| Some((win(&cell)?.1, cell)));
            known.min().map(|(_, cell)| cell)
        })
    }

    /// All moves, those that the search would try first.
    fn likely_moves(&mut self, state: &State) -> Vec<Cell> {
        let mut reduced = Reduced::new(Field::new(state));
        rex_theory::fill_in::fill_in(&mut reduced, self.options(), state.board().cells(), &mut ());
        let mut moves: Vec<Cell> = Vec::new();
        // A dead cell is as good as any move.
        moves.extend(reduced.field.settled() & state.moves());
        if reduced.joined.is_none() && moves.is_empty() {
            moves.extend(self.search().ordered_moves(&reduced));
        }
        let listed: CellSet = moves.iter().copied().collect();
        moves.extend(state.moves() - listed);
        moves
    }

    /// The move of a lost state that took most work to refute.
    fn longest_resistance(&mut self, state: &State) -> Option<Cell> {
        let joins = |cell: Cell| state.play(cell).position.winner().is_some();
        if let Some(cell) = self.remembered_move(state)
            && !joins(cell)
        {
            return Some(cell);
        }
        let moves = state.moves().into_iter();
        let known = moves
            .filter_map(|cell| self.known(&state.play(cell)).map(|(_, work)| (!joins(cell), work, cell)));
        let best = known.max_by_key(|&(open, work, cell)| (open, work, std::cmp::Reverse(cell)));
        best.map(|(.., cell)| cell)
            .or_else(|| state.moves().into_iter().find(|&cell| !joins(cell)))
            .or(state.moves().first())
    }

    fn principal_variation(&mut self, state: &State, solution: &mut Solution) -> Result<(), StopReason> {
        // What the memory answers is answered at once: then the line ends where nothing more is known.
        let recalled = self.search().watch.nodes() == 0 && self.is_remembered(state);
        self.line(state, solution, None, |run, at| {
            if recalled && !run.started_line.is_empty() {
                Ok(run.known_winning_move(at))
            } else {
                run.winning_move(at)
            }
        })
    }

    /// Whether the memory knows a state.
    fn is_remembered(&self, state: &State) -> bool {
        self.solver.memory.is_some()
            && self
                .search()
                .node_of(&Field::new(state))
                .is_ok_and(|(node, _)| self.solver.recall(&node).is_some())
    }

    /// How it goes on: the winner's moves as `winning` finds them, against the longest resistance. It begins with
    /// `first` where that is given.
    fn line(
        &mut self,
        state: &State,
        solution: &mut Solution,
        mut first: Option<Cell>,
        winning: impl Fn(&mut Self, &State) -> Result<Option<Cell>, StopReason>,
    ) -> Result<(), StopReason> {
        let Some(winner) = solution.winner else { return Ok(()) };
        let mut state = *state;
        while state.position.winner().is_none() {
            let cell = match first.take() {
                Some(cell) => Some(cell),
                None if state.to_move == winner => winning(self, &state)?,
                None => self.longest_resistance(&state),
            };
            let Some(cell) = cell else { break };
            if solution.pv.is_empty() {
                solution.best = Some(cell);
            }
            solution.pv.push(cell);
            self.started_line.push(cell);
            state = state.play(cell);
            if self.searches[0].decided_at_once(&Field::new(&state)) {
                break;
            }
        }
        self.started_line.clear();
        Ok(())
    }

    fn report(&mut self, state: &State, cell: Cell, with_replies: bool) -> Result<MoveReport, StopReason> {
        let mut report = MoveReport::unknown(cell);
        report.value =
            if self.winner_after(state, cell)? == state.to_move { MoveValue::Win } else { MoveValue::Loss };
        if report.value == MoveValue::Loss {
            let child = state.play(cell);
            self.started_line.push(cell);
            report.refutation = self.winning_move(&child)?;
            if with_replies && child.position.winner().is_none() {
                let mut wins = 0;
                for reply in child.moves() {
                    wins += usize::from(self.winner_after(&child, reply)? == child.to_move);
                }
                report.replies = Some(wins);
            }
            self.started_line.pop();
        }
        Ok(report)
    }
}
