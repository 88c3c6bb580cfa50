//! A search whose verdicts are told one by one, the easy ones first.

use std::collections::VecDeque;
use std::time::Duration;

use rex_game::{Board, Cell, Player, State};
use rex_search::{Bounds, Limits, MoveReport, MoveValue, Progress, Solution, Solver, opinions};
use serde_json::{Value, json};

use crate::BadInput;
use crate::answer::{self, keep_answer, names, seconds, versioned, word};

mod grade;

use grade::Count;

/// The longest search, unless somebody says otherwise.
pub const TIME: Duration = Duration::from_secs(300);

/// Nodes that each move gets in turn, until it is solved. The table keeps them, so little is done twice.
const ROUNDS: [Option<u64>; 5] = [Some(64), Some(1_000), Some(16_000), Some(256_000), None];
/// Nodes for a first look at who wins.
const FIRST_LOOK: u64 = 64;

const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// A time limit in seconds.
///
/// # Errors
/// If it is negative or not a number.
pub fn time_limit(seconds: Option<f64>) -> Result<Duration, BadInput> {
    let time = seconds.map_or(Ok(Duration::MAX), Duration::try_from_secs_f64);
    time.map_err(|_| BadInput::new("bad seconds; expected a number such as 60"))
}

/// Called with the name and the content of each event.
pub type Tell<'a> = &'a mut dyn FnMut(&'static str, Value);

/// One try at a question.
pub struct Try<'a> {
    /// The solver to ask.
    pub solver: &'a Solver,
    /// What ends this try.
    pub limits: Limits,
    /// Nodes of this request before this try.
    pub nodes: u64,
    /// Time of this request before this try.
    pub worked: Duration,
}

/// The search of one request: it has a solver when it is its turn, and counts what it takes.
pub trait Session {
    /// Why a question is not answered, or not now.
    type Refused;

    /// Asks a solver, with at most this many nodes. It may take several tries, each with what is in the table by then.
    ///
    /// # Errors
    /// If there is no answer. Asked again, the same question continues.
    fn ask<T: Default>(
        &mut self,
        nodes: Option<u64>,
        tell: Tell,
        question: impl FnMut(&Try, Tell) -> (Solution, T),
    ) -> Result<(Solution, T), Self::Refused>;

    /// Looks once, with at most this many nodes and for a short time; none if it is not this one's turn.
    fn look(&mut self, nodes: u64, question: impl FnOnce(&Try) -> Solution) -> Option<Solution>;

    /// The solver, if it is this one's turn.
    fn solver(&self) -> Option<&Solver>;

    /// Nodes so far.
    fn nodes(&self) -> u64;

    /// Time so far, without any waiting.
    fn worked(&self) -> Duration;

    /// Whether a limit is reached, or nobody is listening any more.
    fn is_over(&self) -> bool;
}

/// Tells how a search is doing.
pub fn report(state: &State, attempt: &Try, progress: &Progress, tell: Tell) {
    tell(
        "progress",
        json!({
            "nodes": attempt.nodes + progress.nodes,
            "seconds": seconds(attempt.worked + progress.elapsed),
            "line": names(state.board(), progress.line.iter().copied()),
        }),
    );
}

/// A search for the value of every move.
pub struct PageSearch {
    state: State,
    replies: bool,
    stage: Stage,
    /// The solved moves and their values.
    decided: Vec<(Cell, MoveValue)>,
    moves: usize,
    /// When progress was last told, in time since the start.
    last_progress: Duration,
}

enum Stage {
    /// A first look at who wins, and at what is known.
    Look,
    /// Each move in turn: this round's moves, and those left for the next.
    Round {
        number: usize,
        open: VecDeque<Cell>,
        harder: VecDeque<Cell>,
    },
    /// Everything about the moves. `stopped`: not all of them are solved.
    Finish {
        stopped: bool,
    },
    /// How many winning moves the winner has after each move: the moves that are left, and the one being counted.
    Grade {
        left: VecDeque<(Cell, MoveValue)>,
        count: Option<Count>,
    },
    /// Everything with these numbers.
    Sum,
    Over,
}

impl PageSearch {
    /// A search of this state, which grades the moves by their winning replies if `replies` is set.
    pub fn new(state: &State, replies: bool) -> PageSearch {
        PageSearch {
            state: *state,
            replies,
            stage: Stage::Look,
            decided: Vec::new(),
            moves: state.moves().len(),
            last_progress: Duration::ZERO,
        }
    }

    /// Tells the winner if it is clear at once (`verdict`), the value of each move once it is solved (`move`), how the
    /// search is doing (`progress`), and in the end everything (`done`). Then it grades the moves, one by one (`grade`), and
    /// tells everything again with the replies it has counted (`replies`). All of it is kept, so that the same question
    /// needs no search the next time.
    ///
    /// # Errors
    /// If the session cannot continue. Called again, the search continues where it was.
    pub fn go_on<S: Session>(&mut self, session: &mut S, tell: Tell) -> Result<(), S::Refused> {
        loop {
            match &mut self.stage {
                Stage::Look => {
                    self.verdict(session, tell);
                    self.opinion(tell);
                    let open = self.known_moves(session, tell);
                    self.stage = Stage::Round { number: 0, open, harder: VecDeque::new() };
                }
                Stage::Round { number, open, harder } => {
                    if open.is_empty() {
                        self.stage = match ROUNDS.get(*number + 1) {
                            Some(_) => {
                                let (number, open) = (*number + 1, std::mem::take(harder));
                                Stage::Round { number, open, harder: VecDeque::new() }
                            }
                            None => Stage::Finish { stopped: !harder.is_empty() },
                        };
                    } else if session.is_over() {
                        self.stage = Stage::Finish { stopped: true };
                    } else {
                        let (cell, nodes) = (open[0], ROUNDS[*number]);
                        let solved = self.decide(session, cell, nodes, tell)?;
                        if let Stage::Round { open, harder, .. } = &mut self.stage {
                            open.pop_front();
                            harder.extend((!solved).then_some(cell));
                        }
                    }
                }
                &mut Stage::Finish { stopped } => {
                    let (solution, reports) = self.finish(session, false, tell)?;
                    let all = solution.winner.is_some() && solution.stopped.is_none() && !stopped;
                    let count = self.replies && all && self.moves > 0;
                    let mut answer = self.answer(session, &solution, &reports, false);
                    answer["counting"] = count.into();
                    tell("done", answer);
                    let left = self.grading_order(session, solution.best, &reports);
                    self.stage = if count { Stage::Grade { left, count: None } } else { Stage::Over };
                }
                Stage::Grade { left, count } => {
                    let (mut left, mut count) = (std::mem::take(left), count.take());
                    let went = self.grade(session, &mut left, &mut count, tell);
                    self.stage = if went.is_ok() { Stage::Sum } else { Stage::Grade { left, count } };
                    went?;
                }
                Stage::Sum => {
                    let (solution, reports) = self.finish(session, true, tell)?;
                    tell("replies", self.answer(session, &solution, &reports, true));
                    self.stage = Stage::Over;
                }
                Stage::Over => return Ok(()),
            }
        }
    }

    /// Tells the winner at once if that is easy, even by an argument that names no move.
    fn verdict(&self, session: &mut impl Session, tell: Tell) {
        let seen =
            session.look(FIRST_LOOK, |look| look.solver.ask(&self.state).limits(&look.limits).verdict());
        if let Some(winner) = seen.and_then(|solution| solution.winner) {
            tell("verdict", json!({ "winner": winner.to_string() }));
        }
    }

    /// Tells what the net thinks of each move, from 0 to 1: how likely it is that it wins. It may be wrong.
    fn opinion(&self, tell: Tell) {
        let (board, last) = (self.state.board(), self.state.last());
        let opinions = opinions(&self.state);
        if opinions.is_empty() {
            return;
        }
        let share = |guess: &Bounds| {
            let (last_wins, notlast_wins) = (guess.last as f64, guess.notlast as f64);
            let own = if self.state.to_move == last { last_wins } else { notlast_wins };
            // Two digits are more than it knows.
            (100.0 * (1.0 - own / (last_wins + notlast_wins))).round() / 100.0
        };
        let shares = opinions.iter().map(|(cell, guess)| (board.name(*cell), share(guess).into()));
        tell("opinion", json!({ "moves": shares.collect::<serde_json::Map<_, _>>() }));
    }

    /// Tells the moves that are known. The others are left.
    fn known_moves(&mut self, session: &impl Session, tell: Tell) -> VecDeque<Cell> {
        let mut open = VecDeque::new();
        for cell in self.state.moves() {
            let known = session.solver().and_then(|solver| solver.known_winner(&self.state.play(cell)));
            match known {
                Some(winner) => self.tell_move(session, cell, winner, tell),
                None => open.push_back(cell),
            }
        }
        open
    }

    /// Tries to solve a move within this many nodes.
    fn decide<S: Session>(
        &mut self,
        session: &mut S,
        cell: Cell,
        nodes: Option<u64>,
        tell: Tell,
    ) -> Result<bool, S::Refused> {
        let child = self.state.play(cell);
        let mut so_far = self.so_far();
        let asked = session.ask(nodes, tell, |attempt, tell| {
            let request = attempt.solver.ask(&child).limits(&attempt.limits);
            (request.on_progress(|progress| so_far.tell(attempt, progress, &[cell], tell)).verdict(), ())
        });
        self.last_progress = so_far.last;
        let (solution, ()) = asked?;
        match solution.winner {
            Some(winner) => self.tell_move(session, cell, winner, tell),
            // Short searches end before they report progress themselves.
            None => {
                let mut so_far = self.so_far();
                so_far.tell_at(session.nodes(), session.worked(), &[cell], tell);
                self.last_progress = so_far.last;
            }
        }
        Ok(solution.winner.is_some())
    }

    fn tell_move(&mut self, session: &impl Session, cell: Cell, winner: Player, tell: Tell) {
        let value = if winner == self.state.to_move { MoveValue::Win } else { MoveValue::Loss };
        self.decided.push((cell, value));
        let joins = self.state.play(cell).position.winner().is_some();
        let (cell, nodes) = (self.state.board().name(cell), session.nodes());
        tell("move", json!({ "cell": cell, "value": word(value), "joins": joins, "nodes": nodes }));
    }

    /// Everything about the moves, which is kept. Most of it is in the table by now.
    fn finish<S: Session>(
        &mut self,
        session: &mut S,
        replies: bool,
        tell: Tell,
    ) -> Result<(Solution, Vec<MoveReport>), S::Refused> {
        let (state, mut so_far) = (self.state, self.so_far());
        let asked = session.ask(None, tell, |attempt, tell| {
            let request = attempt.solver.ask(&state).limits(&attempt.limits).counting_replies(replies);
            request.on_progress(|progress| so_far.tell(attempt, progress, &[], tell)).moves()
        });
        self.last_progress = so_far.last;
        let (solution, mut reports) = asked?;
        if reports.is_empty() {
            let unknown =
                |cell| MoveReport { cell, value: MoveValue::Unknown, refutation: None, replies: None };
            reports = state.moves().into_iter().map(unknown).collect();
        }
        // Whatever limit was reached, what was told before stays true.
        for report in reports.iter_mut().filter(|report| report.value == MoveValue::Unknown) {
            let told = self.decided.iter().find(|(cell, _)| *cell == report.cell);
            report.value = told.map_or(MoveValue::Unknown, |(_, value)| *value);
        }
        // An answer that took no work is already kept.
        if session.nodes() > 0
            && let Some(solver) = session.solver()
        {
            keep_answer(solver, &state, &solution, &reports);
        }
        Ok((solution, reports))
    }

    fn so_far(&self) -> SoFar {
        SoFar {
            board: self.state.board(),
            decided: self.decided.len(),
            moves: self.moves,
            last: self.last_progress,
        }
    }

    fn answer(
        &self,
        session: &impl Session,
        solution: &Solution,
        reports: &[MoveReport],
        replies: bool,
    ) -> Value {
        let mut answer = versioned(answer::moves(&self.state, solution, reports, replies));
        answer["nodes"] = session.nodes().into();
        answer["seconds"] = seconds(session.worked()).into();
        answer
    }
}

/// How many moves are solved, and when that was told last.
struct SoFar {
    board: Board,
    decided: usize,
    moves: usize,
    last: Duration,
}

impl SoFar {
    /// Tells how a try is doing below these moves.
    fn tell(&mut self, attempt: &Try, progress: &Progress, moves: &[Cell], tell: Tell) {
        let (nodes, time) = (attempt.nodes + progress.nodes, attempt.worked + progress.elapsed);
        self.tell_at(nodes, time, &[moves, &progress.line].concat(), tell);
    }

    /// Tells how the search is doing, unless it has just been told.
    fn tell_at(&mut self, nodes: u64, time: Duration, line: &[Cell], tell: Tell) {
        if time < self.last + BETWEEN_PROGRESS {
            return;
        }
        self.last = time;
        let progress = json!({
            "nodes": nodes,
            "seconds": seconds(time),
            "line": names(self.board, line.iter().copied()),
            "decided": self.decided,
            "moves": self.moves,
        });
        tell("progress", progress);
    }
}
