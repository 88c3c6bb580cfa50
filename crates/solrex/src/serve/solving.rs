//! A search whose verdicts are told one by one, the easy ones first.

use std::time::{Duration, Instant};

use rex::{Cell, Player, State};
use rex_search::{Limits, MoveReport, MoveValue, Progress, Solution, Solver};
use serde_json::{Value, json};

use crate::answer::{MovesAnswer, seconds, word};
use crate::store_args;

/// Nodes that each move gets in turn, until it is decided. What was searched in one round is in the table for the
/// next, so that little is done twice.
const ROUNDS: [Option<u64>; 5] = [Some(64), Some(1_000), Some(16_000), Some(256_000), None];
/// With more empty cells it would take much longer to count the answers than to solve.
const MOST_EMPTY_TO_COUNT: usize = 25;

const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// Told the name of each event and what it says.
pub type Tell<'a> = &'a mut dyn FnMut(&'static str, Value);

/// Tells the winner if that is seen at once (`verdict`), the value of each move as it is decided (`move`), how the
/// search goes on (`progress`), and in the end everything (`done`). In a lost position it goes on to count winning
/// answers (`replies`). All of it is kept, so that the same question needs no search the next time.
pub fn solve(solver: &Solver, state: &State, replies: bool, limits: &Limits, tell: Tell) {
    let mut search = Search {
        solver,
        state,
        limits,
        started: Instant::now(),
        nodes: 0,
        decided: 0,
        moves: state.moves().len(),
        told: Duration::ZERO,
        tell,
    };
    search.verdict();
    let stopped = !search.rounds();
    let (solution, reports) = search.finish(false);
    search.keep(&solution, &reports);
    let lost = solution.winner == Some(!state.to_move) && solution.stopped.is_none() && !reports.is_empty();
    let count = replies && lost && !stopped && state.moves().len() <= MOST_EMPTY_TO_COUNT;
    let mut answer = json!(MovesAnswer::new(state, &solution, &reports, false));
    answer["nodes"] = search.nodes.into();
    answer["seconds"] = seconds(search.started.elapsed()).into();
    answer["counting"] = count.into();
    (search.tell)("done", answer);
    if count {
        let (solution, reports) = search.finish(true);
        search.keep(&solution, &reports);
        let mut answer = json!(MovesAnswer::new(state, &solution, &reports, true));
        answer["nodes"] = search.nodes.into();
        answer["seconds"] = seconds(search.started.elapsed()).into();
        (search.tell)("replies", answer);
    }
}

struct Search<'a> {
    solver: &'a Solver,
    state: &'a State,
    limits: &'a Limits,
    started: Instant,
    /// Of all parts that are over.
    nodes: u64,
    decided: usize,
    moves: usize,
    /// When progress was told last, in time since the start.
    told: Duration,
    tell: Tell<'a>,
}

impl Search<'_> {
    /// What is left of the limits, with at most so many nodes.
    fn left(&self, nodes: Option<u64>) -> Limits {
        let total = self.limits.nodes.map(|all| all.saturating_sub(self.nodes));
        Limits {
            nodes: [nodes, total].into_iter().flatten().min(),
            time: self.limits.time.map(|time| time.saturating_sub(self.started.elapsed())),
            cancel: self.limits.cancel.clone(),
        }
    }

    fn spent(&self) -> bool {
        let cancelled = self
            .limits
            .cancel
            .as_ref()
            .is_some_and(|cancel| cancel.load(std::sync::atomic::Ordering::Relaxed));
        let left = self.left(None);
        cancelled || left.time == Some(Duration::ZERO) || left.nodes == Some(0)
    }

    /// Tells the winner at once where that is easy, also by an argument that names no move.
    fn verdict(&mut self) {
        let solution = self.solver.verdict(self.state, &self.left(ROUNDS[0]), &mut |_| {});
        self.nodes += solution.nodes;
        if let Some(winner) = solution.winner {
            (self.tell)("verdict", json!({ "winner": winner.to_string() }));
        }
    }

    /// Decides every move, those that are known first and then the easy ones; false if a limit came before.
    fn rounds(&mut self) -> bool {
        let mut open = Vec::new();
        for cell in self.state.moves() {
            match self.solver.known_winner(&self.state.play(cell)) {
                Some(winner) => self.tell_move(cell, winner),
                None => open.push(cell),
            }
        }
        for round in ROUNDS {
            let mut harder = Vec::new();
            for cell in open {
                if self.spent() {
                    return false;
                }
                if !self.decide(cell, round) {
                    harder.push(cell);
                }
            }
            open = harder;
        }
        open.is_empty()
    }

    /// Tries to decide a move within so many nodes.
    fn decide(&mut self, cell: Cell, nodes: Option<u64>) -> bool {
        let limits = self.left(nodes);
        let child = self.state.play(cell);
        let (before, started, decided, moves) = (self.nodes, self.started, self.decided, self.moves);
        let (board, tell) = (self.state.board(), &mut self.tell);
        let solution = self.solver.verdict(&child, &limits, &mut |progress: &Progress| {
            let line = std::iter::once(&cell).chain(&progress.line).map(|&cell| board.name(cell));
            tell("progress", shown(before + progress.nodes, started, line.collect(), decided, moves));
        });
        self.nodes += solution.nodes;
        match solution.winner {
            Some(winner) => self.tell_move(cell, winner),
            None => self.tell_progress(cell),
        }
        solution.winner.is_some()
    }

    fn tell_move(&mut self, cell: Cell, winner: Player) {
        self.decided += 1;
        let value = if winner == self.state.to_move { MoveValue::Win } else { MoveValue::Loss };
        let joins = self.state.play(cell).position.winner().is_some();
        let cell = self.state.board().name(cell);
        (self.tell)(
            "move",
            json!({ "cell": cell, "value": word(value), "joins": joins, "nodes": self.nodes }),
        );
    }

    /// Short searches end before they say anything themselves.
    fn tell_progress(&mut self, cell: Cell) {
        if self.started.elapsed() >= self.told + BETWEEN_PROGRESS {
            self.told = self.started.elapsed();
            let line = vec![self.state.board().name(cell)];
            (self.tell)("progress", shown(self.nodes, self.started, line, self.decided, self.moves));
        }
    }

    /// Everything about the moves. Most of it is in the table by now.
    fn finish(&mut self, replies: bool) -> (Solution, Vec<MoveReport>) {
        let limits = self.left(None);
        let (before, started, decided, moves) = (self.nodes, self.started, self.decided, self.moves);
        let (board, tell) = (self.state.board(), &mut self.tell);
        let mut listener = |progress: &Progress| {
            let line = progress.line.iter().map(|&cell| board.name(cell)).collect();
            tell("progress", shown(before + progress.nodes, started, line, decided, moves));
        };
        let found = self.solver.moves(self.state, replies, &limits, &mut listener, &mut |_| {});
        self.nodes += found.0.nodes;
        found
    }

    /// Keeps an answer, however little work it took; what needed none is kept already.
    fn keep(&self, solution: &Solution, reports: &[MoveReport]) {
        if self.nodes > 0 {
            store_args::keep_answer(self.solver, self.state, solution, reports);
        }
    }
}

fn shown(nodes: u64, started: Instant, line: Vec<String>, decided: usize, moves: usize) -> Value {
    json!({
        "nodes": nodes,
        "seconds": seconds(started.elapsed()),
        "line": line,
        "decided": decided,
        "moves": moves,
    })
}
