//! Questions to a solver, as a chain of calls: `solver.ask(&state).limits(&limits).on_progress(show).solve()`.

use rex_game::State;

use super::{Explored, MoveReport, MoveValue, Progress, Run, Solution, Solver};
use crate::known::{Bounds, Node};
use crate::limits::{Limits, StopReason};

/// A question about a state, from [`Solver::ask`]. The last call of the chain runs the search: [`verdict`],
/// [`winning_move`], [`solve`] or [`moves`]. Without [`limits`] it runs until it has the answer.
///
/// ```
/// use rex_game::Player;
/// use rex_search::{Limits, Settings, Solver, StopReason};
///
/// let state: rex_game::State = "6x6 a1".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
///
/// let hasty = Limits { nodes: Some(100), ..Limits::default() };
/// let stopped = solver.ask(&state).limits(&hasty).solve();
/// assert_eq!((stopped.winner, stopped.stopped), (None, Some(StopReason::Nodes)));
///
/// let solution = solver.ask(&state).on_progress(|p| eprintln!("{} nodes", p.nodes)).solve();
/// assert_eq!(solution.winner, Some(Player::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`verdict`]: Request::verdict
/// [`winning_move`]: Request::winning_move
/// [`solve`]: Request::solve
/// [`moves`]: Request::moves
/// [`limits`]: Request::limits
#[must_use = "nothing is searched until it ends with verdict(), solve() or moves()"]
pub struct Request<'a> {
    solver: &'a Solver,
    state: State,
    limits: Limits,
    on_progress: Box<dyn FnMut(&Progress) + 'a>,
    on_move: Box<dyn FnMut(&MoveReport) + 'a>,
    replies: bool,
    threads: usize,
}

/// A question about a filled position of a larger search, from [`Solver::at`]: for spreading one search over many
/// solvers. Without [`budget`] and [`until`] it runs until the winner is known.
///
/// ```
/// use rex_search::{Settings, Solver};
///
/// let state: rex_game::State = "5x5 a1 e1".parse()?;
/// let solver = Solver::new(state.board(), Settings::default())?;
/// let node = solver.node_of(&state).expect("nobody has won yet");
///
/// let little = solver.at(&node).budget(10).explore().expect("nothing stops it");
/// assert_eq!(little.bounds.winner(), None);
/// assert!(!little.children.is_empty());
///
/// let all = solver.at(&node).explore().expect("nothing stops it");
/// assert!(all.bounds.winner().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`budget`]: NodeRequest::budget
/// [`until`]: NodeRequest::until
#[must_use = "nothing is searched until it ends with explore()"]
pub struct NodeRequest<'a> {
    solver: &'a Solver,
    node: Node,
    until: Bounds,
    budget: u64,
    limits: Limits,
    on_progress: Box<dyn FnMut(&Progress) + 'a>,
}

impl Solver {
    /// Starts a question about a state of this solver's board.
    ///
    /// ```
    /// # use rex_search::{Settings, Solver};
    /// let state: rex_game::State = "4x4 d1 a1".parse()?;
    /// let solver = Solver::new(state.board(), Settings::default())?;
    /// let solution = solver.ask(&state).solve();
    /// assert_eq!(solution.winner, Some(rex_game::Player::Black));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A state of another board is not searched: its answer has [`StopReason::Board`].
    pub fn ask<'a>(&'a self, state: &State) -> Request<'a> {
        Request {
            solver: self,
            state: *state,
            limits: Limits::default(),
            on_progress: Box::new(|_| {}),
            on_move: Box::new(|_| {}),
            replies: false,
            threads: usize::MAX,
        }
    }

    /// Starts a question about a filled position, see [`Solver::node_of`].
    pub fn at<'a>(&'a self, node: &Node) -> NodeRequest<'a> {
        NodeRequest {
            solver: self,
            node: *node,
            until: Bounds::NO_LIMIT,
            budget: u64::MAX,
            limits: Limits::default(),
            on_progress: Box::new(|_| {}),
        }
    }
}

impl<'a> Request<'a> {
    /// Sets what can stop the search early.
    pub fn limits(self, limits: &Limits) -> Request<'a> {
        Request { limits: limits.clone(), ..self }
    }

    /// Searches with at most this many of the solver's threads: with one, if requests run side by side.
    pub fn threads(self, threads: usize) -> Request<'a> {
        Request { threads: threads.max(1), ..self }
    }

    /// Calls `listener` a few times a second while the search runs.
    pub fn on_progress(self, listener: impl FnMut(&Progress) + 'a) -> Request<'a> {
        Request { on_progress: Box::new(listener), ..self }
    }

    /// With [`Request::moves`]: calls `decided` for each move as soon as it is known whether it wins.
    pub fn on_move(self, decided: impl FnMut(&MoveReport) + 'a) -> Request<'a> {
        Request { on_move: Box::new(decided), ..self }
    }

    /// With [`Request::moves`]: also counts how many replies refute each losing move. The best move of a lost state is
    /// then the one with the fewest.
    ///
    /// ```
    /// # use rex_search::{Settings, Solver};
    /// let state: rex_game::State = "3x3".parse()?;
    /// let solver = Solver::new(state.board(), Settings::default())?;
    /// let (solution, reports) = solver.ask(&state).counting_replies(true).moves();
    /// let fewest = reports.iter().filter_map(|report| report.replies).min();
    /// let best = reports.iter().find(|report| Some(report.cell) == solution.best).unwrap();
    /// assert_eq!(best.replies, fewest);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counting_replies(self, replies: bool) -> Request<'a> {
        Request { replies, ..self }
    }

    /// Who wins, and nothing more. A proof by symmetry, which names no move, is enough.
    ///
    /// ```
    /// # use rex_search::{Settings, Solver};
    /// // Whoever opens wins on a board of even size, by an argument that names no move.
    /// let state: rex_game::State = "8x8".parse()?;
    /// let solver = Solver::new(state.board(), Settings::default())?;
    /// let solution = solver.ask(&state).verdict();
    /// assert_eq!((solution.winner, solution.best), (Some(rex_game::Player::Black), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verdict(mut self) -> Solution {
        self.answer(|_, _| Ok(()))
    }

    /// Who wins and, if that is the side to move, by which move; no line of play.
    ///
    /// ```
    /// # use rex_search::{Settings, Solver};
    /// let state: rex_game::State = "4x4 d1 a1".parse()?;
    /// let solver = Solver::new(state.board(), Settings::default())?;
    /// let solution = solver.ask(&state).winning_move();
    /// assert!(solution.best.is_some() && solution.pv.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_move(mut self) -> Solution {
        let state = self.state;
        self.answer(|run, solution| {
            if solution.winner == Some(state.to_move) && state.position.winner().is_none() {
                solution.best = run.winning_move(&state)?;
            }
            Ok(())
        })
    }

    /// Who wins, by which move, and the line of play.
    ///
    /// ```
    /// # use rex_search::{Settings, Solver};
    /// let state: rex_game::State = "4x4 d1 a1".parse()?;
    /// let solver = Solver::new(state.board(), Settings::default())?;
    /// let solution = solver.ask(&state).solve();
    /// assert_eq!(solution.pv.first().copied(), solution.best);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(mut self) -> Solution {
        let state = self.state;
        self.answer(|run, solution| run.principal_variation(&state, solution))
    }

    /// Like [`Request::solve`], plus the value of every empty cell.
    ///
    /// ```
    /// # use rex_search::{MoveValue, Settings, Solver};
    /// let state: rex_game::State = "4x4 d1 a1".parse()?;
    /// let solver = Solver::new(state.board(), Settings::default())?;
    /// let (_, reports) = solver.ask(&state).moves();
    /// let wins = reports.iter().filter(|report| report.value == MoveValue::Win);
    /// let names: Vec<String> = wins.map(|report| state.board().name(report.cell)).collect();
    /// assert_eq!(names, ["c1", "a2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(mut self) -> (Solution, Vec<MoveReport>) {
        let (state, replies) = (self.state, self.replies);
        let mut decided = std::mem::replace(&mut self.on_move, Box::new(|_| {}));
        let mut reports: Vec<MoveReport> = state.moves().into_iter().map(MoveReport::unknown).collect();
        let solution = self.answer(|run, solution| {
            run.principal_variation(&state, solution)?;
            for report in &mut reports {
                let found = run.report(&state, report, replies);
                if report.value != MoveValue::Unknown {
                    decided(report);
                }
                found?;
            }
            let lost = solution.winner == Some(!state.to_move);
            if replies && lost {
                let counted = reports.iter().filter(|report| report.replies.is_some());
                let fewest = counted.min_by_key(|report| report.replies).map(|report| report.cell);
                if fewest.is_some() && fewest != solution.best {
                    solution.pv.clear();
                    run.line(&state, solution, fewest, Run::winning_move)?;
                }
            }
            // Several replies may win. Name the one in the line of play.
            if let ([best, reply, ..], true) = (&solution.pv[..], lost)
                && let Some(report) = reports.iter_mut().find(|report| report.cell == *best)
            {
                report.refutation = Some(*reply);
            }
            Ok(())
        });
        if solution.stopped.is_some() {
            // Report what is already known of the others, too.
            self.solver.quietly(|run| {
                for report in reports.iter_mut().filter(|report| report.value == MoveValue::Unknown) {
                    run.report_known(&state, report);
                    if report.value != MoveValue::Unknown {
                        decided(report);
                    }
                }
            });
        }
        (solution, reports)
    }

    /// Finds the winner, then does the rest.
    fn answer(&mut self, then: impl FnOnce(&mut Run, &mut Solution) -> Result<(), StopReason>) -> Solution {
        let (state, threads) = (self.state, self.threads);
        self.solver.answer(&state, &self.limits, &mut self.on_progress, |run, solution| {
            run.threads = run.threads.min(threads);
            solution.winner = Some(run.winner(&state)?);
            then(run, solution)
        })
    }
}

impl<'a> NodeRequest<'a> {
    /// Stops as soon as one of the position's proof numbers reaches this limit.
    pub fn until(self, until: Bounds) -> NodeRequest<'a> {
        NodeRequest { until, ..self }
    }

    /// Stops after about this many nodes.
    pub fn budget(self, budget: u64) -> NodeRequest<'a> {
        NodeRequest { budget, ..self }
    }

    /// Sets what can stop the search early, without an answer. The node limit is ignored because it would lose the
    /// numbers found so far; use [`NodeRequest::budget`].
    pub fn limits(self, limits: &Limits) -> NodeRequest<'a> {
        NodeRequest { limits: limits.clone(), ..self }
    }

    /// Calls `listener` a few times a second while the search runs.
    pub fn on_progress(self, listener: impl FnMut(&Progress) + 'a) -> NodeRequest<'a> {
        NodeRequest { on_progress: Box::new(listener), ..self }
    }

    /// Runs the search, and returns how far it got.
    ///
    /// # Errors
    /// If the time limit or the cancel flag stops it.
    pub fn explore(mut self) -> Result<Explored, StopReason> {
        self.solver.explore(&self.node, self.until, self.budget, &self.limits, &mut self.on_progress)
    }
}
