//! Commands that search, and those that report what earlier searches found.

use std::time::Duration;

use rex_answers::opponent::{self, Choice};
use rex_game::{Cell, State};
use rex_search::{Limits, MoveValue, Numbers, Part, Progress, Solver};

use super::commands::names;
use super::conversation::{CommandResult, Conversation, one_line};
use super::gfx::{Label, Live, verdict};
use super::input::CommandLine;
use crate::show::log;
use crate::show::text;

/// The longest wait for a move, unless limits are set.
const MOVE_TIME: Duration = Duration::from_secs(10);

impl Conversation {
    /// `black` or `white`, or `unknown` when it was stopped.
    pub fn solve_state(&mut self, line: &CommandLine) -> CommandResult {
        let state = if line.arg(0).is_empty() { self.now } else { self.state(line.colour(0)?) };
        let (limits, mut live) = (self.limits(line), Live::new(self, line, &state));
        let solution = self.search(|solver| {
            let solution = solver.ask(&state).limits(&limits).on_progress(|p| live.show(p)).verdict();
            let best = || solver.look_up(&state).best.into_iter().collect::<Vec<_>>();
            live.finish(|| known_labels(solver, &state), || verdict(&state, &solution, &best()));
            solution
        })?;
        Ok(solution.winner.map_or("unknown".to_owned(), |winner| winner.to_string()))
    }

    /// All winning moves.
    pub fn find_winning(&mut self, line: &CommandLine) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let limits = self.limits(line);
        let live = std::cell::RefCell::new(Live::new(self, line, &state));
        let (solution, reports) = self.search(|solver| {
            let mut listener = |progress: &Progress| live.borrow_mut().show(progress);
            solver
                .ask(&state)
                .limits(&limits)
                .on_progress(&mut listener)
                .on_move(|report| live.borrow_mut().decide(report))
                .moves()
        })?;
        let of = |value| {
            let cells = reports.iter().filter(move |report| report.value == value);
            cells.map(|report| report.cell).collect::<Vec<Cell>>()
        };
        let label = |value| of(value).into_iter().map(move |cell| (cell, value == MoveValue::Win));
        live.borrow().finish(
            || label(MoveValue::Win).chain(label(MoveValue::Loss)).collect(),
            || match of(MoveValue::Unknown).len() {
                0 => verdict(&state, &solution, &of(MoveValue::Win)),
                open => {
                    let open = text::count(open as u64, "move");
                    format!("{}; {open} not solved", verdict(&state, &solution, &of(MoveValue::Win)))
                }
            },
        );
        let cells = |value| names(state.board(), of(value).into_iter().collect());
        match cells(MoveValue::Unknown).as_str() {
            "" => Ok(cells(MoveValue::Win)),
            unknown => Err(format!("stopped; winning: {}; unknown: {unknown}", cells(MoveValue::Win))),
        }
    }

    /// Plays a move of this colour: if it is lost or not solved in time, the best that is known.
    pub fn genmove(&mut self, line: &CommandLine) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let Some(choice) = self.choose(line, &state)? else { return Ok("resign".to_owned()) };
        self.go_on(state.play(choice.cell));
        Ok(state.board().name(choice.cell))
    }

    /// The same move, without playing it.
    pub fn reg_genmove(&mut self, line: &CommandLine) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let choice = self.choose(line, &state)?;
        Ok(choice.map_or("resign".to_owned(), |choice| state.board().name(choice.cell)))
    }

    fn choose(&mut self, line: &CommandLine, state: &State) -> Result<Option<Choice>, String> {
        let mut limits = self.limits(line);
        if limits.nodes.is_none() {
            limits.time.get_or_insert(MOVE_TIME);
        }
        let mut live = Live::new(self, line, state);
        self.search(|solver| {
            let choice = opponent::choose(solver, state, &limits, &mut |p| live.show(p));
            if choice.is_none() {
                live.finish(Vec::new, || verdict(state, &solver.look_up(state), &[]));
            }
            choice
        })
    }

    /// The line of play, as far as it is already known.
    pub fn get_pv(&mut self, line: &CommandLine) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let solution = self.solver()?.look_up(&state);
        Ok(text::cells(state.board(), solution.pv))
    }

    /// Who wins and with which move, if that is already known.
    pub fn get_state(&mut self, line: &CommandLine) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let solution = self.solver()?.look_up(&state);
        Ok(match (solution.winner, solution.best) {
            (Some(winner), Some(best)) => format!("winner {winner} best {}", state.board().name(best)),
            (Some(winner), None) => format!("winner {winner}"),
            (None, _) => "unknown".to_owned(),
        })
    }

    /// For each move that is known: `W`, `L`, or the proof numbers for the opponent and for the mover after it.
    pub fn get_bounds(&mut self, line: &CommandLine) -> CommandResult {
        self.of_each_move(line, |solver, state, child| match solver.known_winner(child) {
            Some(winner) => Some(if winner == state.to_move { "W" } else { "L" }.to_owned()),
            None => {
                let bounds = numbers(solver, child)?.entry.bounds;
                let number = |player| bounds.get(Part::of(player, child.last()));
                Some(format!("{}:{}", number(child.to_move), number(state.to_move)))
            }
        })
    }

    /// For each move that is known: about how many nodes were searched after it.
    pub fn get_work(&mut self, line: &CommandLine) -> CommandResult {
        self.of_each_move(line, |solver, _, child| {
            Some(numbers(solver, child)?.entry.work.nodes().to_string())
        })
    }

    /// Each move with what is known about the position after it.
    fn of_each_move(
        &mut self,
        line: &CommandLine,
        say: impl Fn(&Solver, &State, &State) -> Option<String>,
    ) -> CommandResult {
        let state = self.state(line.colour(0)?);
        let solver = self.solver()?;
        let pairs = state.moves().into_iter().filter_map(|cell| {
            Some(format!("{} {}", state.board().name(cell), say(solver, &state, &state.play(cell))?))
        });
        Ok(pairs.collect::<Vec<_>>().join(" "))
    }

    fn limits(&self, line: &CommandLine) -> Limits {
        Limits { nodes: self.nodes, time: self.time, cancel: Some(line.cancel.clone()) }
    }

    /// The solver for the board. It begins with the checkpoint if that is the board's.
    pub fn solver(&mut self) -> Result<&Solver, String> {
        let (board, checkpoint) = (self.now.board(), &self.checkpoint);
        let is_kept = board == self.checkpoint_board && !self.forgotten;
        let load = |solver: &Solver| if is_kept { checkpoint.load(solver) } else { Ok(()) };
        self.warm.made(board, load).map_err(|error| one_line(&error))
    }

    /// Does work that searches, and writes the table where there is a checkpoint for the board.
    fn search<T>(&mut self, work: impl FnOnce(&Solver) -> T) -> Result<T, String> {
        let is_kept = self.board() == self.checkpoint_board && self.checkpoint.is_given();
        let checkpoint = self.checkpoint.clone();
        let solver = self.solver()?;
        if !is_kept {
            return Ok(work(solver));
        }
        let before = solver.nodes();
        let result = checkpoint.beside(solver, || work(solver));
        let written = (solver.nodes() > before).then(|| checkpoint.finish(solver));
        match written {
            Some(Ok(())) => self.forgotten = false,
            // The answer is there in any case.
            Some(Err(error)) => log::warn(&format!("{error:#}")),
            None => {}
        }
        Ok(result)
    }
}

/// What the table has of a position.
fn numbers(solver: &Solver, state: &State) -> Option<Numbers> {
    solver.numbers(vec![solver.node_of(state).ok()?]).pop()
}

/// The moves whose value is known without a search.
fn known_labels(solver: &Solver, state: &State) -> Vec<Label> {
    let known = |cell| Some((cell, solver.known_winner(&state.play(cell))? == state.to_move));
    state.moves().into_iter().filter_map(known).collect()
}
