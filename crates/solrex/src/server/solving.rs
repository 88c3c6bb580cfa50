//! A search whose verdicts are sent one by one, the easy ones first.

use std::time::Duration;

use rex_game::{Board, Cell, Player, State};
use rex_search::{MoveReport, MoveValue, Progress, Solution};
use serde_json::{Value, json};

use super::engine::{Refused, Session, Tell, Try};
use crate::arguments::solver::store;
use crate::show::answer::{self, seconds, word};
use crate::show::text::names;

/// Nodes that each move gets in turn, until it is solved. The table keeps them, so little is done twice.
const ROUNDS: [Option<u64>; 5] = [Some(64), Some(1_000), Some(16_000), Some(256_000), None];
/// Nodes for a first look at who wins.
const FIRST_LOOK: u64 = 64;
/// With more empty cells, counting the replies would take much longer than solving.
const MOST_EMPTY_TO_COUNT: usize = 25;

const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// Sends the winner if it is clear at once (`verdict`), the value of each move once it is solved (`move`), how the
/// search is doing (`progress`, `waiting`), and in the end everything (`done`). In a lost position it also counts the
/// winning replies (`replies`). All of it is kept, so that the same question needs no search the next time.
///
/// # Errors
/// If the session cannot continue.
pub fn solve(session: Session, state: &State, replies: bool, tell: Tell) -> Result<(), Refused> {
    let moves = state.moves().len();
    let mut search =
        PageSearch { session, state, decided: Vec::new(), moves, last_progress: Duration::ZERO, tell };
    search.verdict();
    let stopped = !search.rounds()?;
    let (solution, reports) = search.finish(false)?;
    search.keep(&solution, &reports);
    let lost = solution.winner == Some(!state.to_move) && solution.stopped.is_none() && moves > 0;
    let count = replies && lost && !stopped && moves <= MOST_EMPTY_TO_COUNT;
    let mut answer = search.answer(&solution, &reports, false);
    answer["counting"] = count.into();
    (search.tell)("done", answer);
    if count {
        let (solution, reports) = search.finish(true)?;
        search.keep(&solution, &reports);
        let answer = search.answer(&solution, &reports, true);
        (search.tell)("replies", answer);
    }
    Ok(())
}

struct PageSearch<'a> {
    session: Session<'a>,
    state: &'a State,
    /// The solved moves and their values.
    decided: Vec<(Cell, MoveValue)>,
    moves: usize,
    /// When progress was last sent, in time since the start.
    last_progress: Duration,
    tell: Tell<'a>,
}

impl PageSearch<'_> {
    /// Sends the winner at once if that is easy, even by an argument that names no move.
    fn verdict(&mut self) {
        let state = self.state;
        let seen =
            self.session.look(FIRST_LOOK, |look| look.solver.ask(state).limits(&look.limits).verdict());
        if let Some(winner) = seen.and_then(|solution| solution.winner) {
            (self.tell)("verdict", json!({ "winner": winner.to_string() }));
        }
    }

    /// Solves every move, known ones first, then the easy ones; false if a limit was reached.
    fn rounds(&mut self) -> Result<bool, Refused> {
        let mut open = Vec::new();
        for cell in self.state.moves() {
            let known = self.session.solver().and_then(|solver| solver.known_winner(&self.state.play(cell)));
            match known {
                Some(winner) => self.tell_move(cell, winner),
                None => open.push(cell),
            }
        }
        for round in ROUNDS {
            let mut harder = Vec::new();
            for cell in open {
                if self.session.is_over() {
                    return Ok(false);
                }
                if !self.decide(cell, round)? {
                    harder.push(cell);
                }
            }
            open = harder;
        }
        Ok(open.is_empty())
    }

    /// Tries to solve a move within this many nodes.
    fn decide(&mut self, cell: Cell, nodes: Option<u64>) -> Result<bool, Refused> {
        let (child, so_far) = (self.state.play(cell), self.so_far());
        let (solution, ()) = self.session.ask(nodes, self.tell, |attempt, tell| {
            let request = attempt.solver.ask(&child).limits(&attempt.limits);
            (request.on_progress(|progress| so_far.tell(attempt, progress, &[cell], tell)).verdict(), ())
        })?;
        match solution.winner {
            Some(winner) => self.tell_move(cell, winner),
            None => self.tell_progress(cell),
        }
        Ok(solution.winner.is_some())
    }

    fn tell_move(&mut self, cell: Cell, winner: Player) {
        let value = if winner == self.state.to_move { MoveValue::Win } else { MoveValue::Loss };
        self.decided.push((cell, value));
        let joins = self.state.play(cell).position.winner().is_some();
        let cell = self.state.board().name(cell);
        let nodes = self.session.nodes();
        (self.tell)("move", json!({ "cell": cell, "value": word(value), "joins": joins, "nodes": nodes }));
    }

    /// Short searches end before they report progress themselves.
    fn tell_progress(&mut self, cell: Cell) {
        let worked = self.session.worked();
        if worked >= self.last_progress + BETWEEN_PROGRESS {
            self.last_progress = worked;
            let progress = self.so_far().progress(self.session.nodes(), worked, &[cell]);
            (self.tell)("progress", progress);
        }
    }

    /// Everything about the moves. Most of it is in the table by now.
    fn finish(&mut self, replies: bool) -> Result<(Solution, Vec<MoveReport>), Refused> {
        let (state, so_far) = (self.state, self.so_far());
        let (solution, mut reports) = self.session.ask(None, self.tell, |attempt, tell| {
            let request = attempt.solver.ask(state).limits(&attempt.limits).counting_replies(replies);
            request.on_progress(|progress| so_far.tell(attempt, progress, &[], tell)).moves()
        })?;
        if reports.is_empty() {
            let unknown =
                |cell| MoveReport { cell, value: MoveValue::Unknown, refutation: None, replies: None };
            reports = state.moves().into_iter().map(unknown).collect();
        }
        // Whatever limit was reached, what was sent before stays true.
        for report in reports.iter_mut().filter(|report| report.value == MoveValue::Unknown) {
            let told = self.decided.iter().find(|(cell, _)| *cell == report.cell);
            report.value = told.map_or(MoveValue::Unknown, |(_, value)| *value);
        }
        Ok((solution, reports))
    }

    fn so_far(&self) -> SoFar {
        SoFar { board: self.state.board(), decided: self.decided.len(), moves: self.moves }
    }

    fn answer(&self, solution: &Solution, reports: &[MoveReport], replies: bool) -> Value {
        let mut answer = answer::versioned(answer::moves(self.state, solution, reports, replies));
        answer["nodes"] = self.session.nodes().into();
        answer["seconds"] = seconds(self.session.worked()).into();
        answer
    }

    /// Keeps an answer, however little work it took; one that took none is already kept.
    fn keep(&self, solution: &Solution, reports: &[MoveReport]) {
        if self.session.nodes() > 0
            && let Some(solver) = self.session.solver()
        {
            store::keep_answer(solver, self.state, solution, reports);
        }
    }
}

/// How many moves are solved.
#[derive(Clone, Copy)]
struct SoFar {
    board: Board,
    decided: usize,
    moves: usize,
}

impl SoFar {
    /// Tells how a try is doing below these moves.
    fn tell(self, attempt: &Try, progress: &Progress, moves: &[Cell], tell: Tell) {
        let (nodes, time) = (attempt.nodes + progress.nodes, attempt.worked + progress.elapsed);
        tell("progress", self.progress(nodes, time, &[moves, &progress.line].concat()));
    }

    fn progress(self, nodes: u64, time: Duration, line: &[Cell]) -> Value {
        json!({
            "nodes": nodes,
            "seconds": seconds(time),
            "line": names(self.board, line.iter().copied()),
            "decided": self.decided,
            "moves": self.moves,
        })
    }
}
