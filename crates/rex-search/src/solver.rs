use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rex::{Board, Cell, CellSet, Player, State};
use rex_theory::{Field, Options, Reduced};

use crate::audit::Audit;
use crate::bounds::Part;
use crate::dfpn::{Room, Search, Solved, Tuning};
use crate::limits::{Limits, StopReason, Watch};
use crate::node::{Key, Node};
use crate::parallel;
use crate::table::{Table, TableError, Work};

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
    /// Remember the solved positions that took at least so many nodes, for [`Solver::take_solved`].
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
    /// For a losing move, when asked for: how many answers win.
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
}

impl Solver {
    /// A solver with an empty table.
    ///
    /// # Errors
    /// If there is not enough memory for the table.
    pub fn new(board: Board, settings: Settings) -> Result<Solver, TableError> {
        let table = Table::new(settings.memory)?;
        Ok(Solver { board, settings, table, audit: None, rooms: Mutex::default(), solved: Mutex::default() })
    }

    /// Shows every step of its searches to `audit`.
    pub fn audited_by(self, audit: Box<dyn Audit>) -> Solver {
        Solver { audit: Some(audit), ..self }
    }

    /// The solved positions met since this was asked last, if [`Settings::remember`] says so. A position may come
    /// twice.
    pub fn take_solved(&self) -> Vec<Solved> {
        std::mem::take(&mut *self.solved.lock().unwrap_or_else(PoisonError::into_inner))
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
                solution.best = reports
                    .iter()
                    .filter(|r| r.replies.is_some())
                    .min_by_key(|r| r.replies)
                    .map(|r| r.cell)
                    .or(solution.best);
            }
            Ok(())
        });
        (solution, reports)
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
        assert!(state.board() == self.board, "a solver is made for one board");
        let searches = (0..self.settings.threads.max(1)).map(|_| self.search(limits)).collect();
        let mut run = Run { searches, listener, started_line: Vec::new() };
        let mut solution = Solution {
            winner: None,
            best: None,
            pv: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            stopped: None,
        };
        let outcome = run.winner(state).and_then(|winner| {
            solution.winner = Some(winner);
            then(&mut run, &mut solution)
        });
        solution.stopped = outcome.err();
        solution.nodes = run.search().watch.nodes();
        solution.time = run.search().watch.elapsed();
        for search in &mut run.searches {
            self.solved.lock().unwrap_or_else(PoisonError::into_inner).append(&mut search.solved);
        }
        let rooms = run.searches.into_iter().map(Search::into_room);
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).extend(rooms);
        solution
    }

    /// A search that works in a room left by an earlier one, if there is one.
    fn search(&self, limits: &Limits) -> Search<'_> {
        let room = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let Settings { theory, tuning, .. } = self.settings;
        let search = Search::new(self.board, theory, tuning, &self.table, Watch::new(limits), room);
        search.audited_by(self.audit.as_deref()).remembering(self.settings.remember)
    }
}

impl MoveReport {
    fn unknown(cell: Cell) -> MoveReport {
        MoveReport { cell, value: MoveValue::Unknown, refutation: None, replies: None }
    }
}

/// One request being answered.
struct Run<'a, 'l> {
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
                let (line, last, listener) = (&self.started_line, field.last, &mut self.listener);
                parallel::solve(&mut self.searches, &node, symmetry, &mut |view| {
                    let mut whole = line.clone();
                    whole.extend_from_slice(view.line);
                    let number = |player| view.bounds.get(Part::of(player, last));
                    listener(&Progress {
                        elapsed: view.elapsed,
                        nodes: view.nodes,
                        bounds: [number(Player::Black), number(Player::White)],
                        line: whole,
                        table_permille: view.table_permille,
                    });
                })?
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

    /// What the table knows of the state after a move: who wins, and the work it took.
    fn known_after(&self, state: &State, cell: Cell) -> Option<(Player, Work)> {
        let child = state.play(cell);
        if let Some(winner) = child.position.winner() {
            return Some((winner, Work::default()));
        }
        let field = Field::new(&child);
        match self.search().node_of(&field) {
            Err(winner) => Some((winner.player(field.last), Work::default())),
            Ok((node, _)) => {
                let entry = self.search().known(&node)?;
                Some((entry.bounds.winner()?.player(field.last), entry.work))
            }
        }
    }

    /// A winning move of the side to move, the one that took the least work, if there is one.
    fn winning_move(&mut self, state: &State) -> Result<Option<Cell>, StopReason> {
        let mover = state.to_move;
        let known = state
            .moves()
            .into_iter()
            .filter_map(|cell| self.known_after(state, cell).map(|(winner, work)| (winner, work, cell)))
            .filter(|&(winner, ..)| winner == mover)
            .min_by_key(|&(_, work, cell)| (work, cell));
        if let Some((.., cell)) = known {
            return Ok(Some(cell));
        }
        for cell in self.likely_moves(state) {
            if self.winner_after(state, cell)? == mover {
                return Ok(Some(cell));
            }
        }
        Ok(None)
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
        let moves = state.moves().into_iter();
        let known = moves
            .filter_map(|cell| self.known_after(state, cell).map(|(_, work)| (!joins(cell), work, cell)));
        let best = known.max_by_key(|&(open, work, cell)| (open, work, std::cmp::Reverse(cell)));
        best.map(|(.., cell)| cell)
            .or_else(|| state.moves().into_iter().find(|&cell| !joins(cell)))
            .or(state.moves().first())
    }

    fn principal_variation(&mut self, state: &State, solution: &mut Solution) -> Result<(), StopReason> {
        let Some(winner) = solution.winner else { return Ok(()) };
        let mut state = *state;
        while state.position.winner().is_none() {
            let cell = if state.to_move == winner {
                self.winning_move(&state)?
            } else {
                self.longest_resistance(&state)
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
            if with_replies {
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
