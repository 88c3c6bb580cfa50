//! Commands that search.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rex::{Cell, Player, State};
use rex_search::{Limits, MoveReport, MoveValue, Progress, Settings, Solver};

use rex_store::{Store, StoreError, Thread};

use super::engine::{Engine, Outcome, names, one_line, write};
use super::input::Line;
use crate::search_args::WarmSolver;
use crate::store_args::same_file;
use crate::{interrupt, opponent, store_args, text, units};

/// Between two looks at a running search.
const BETWEEN: Duration = Duration::from_millis(500);
/// Who waits for a move waits no longer, unless limits are set.
const MOVE_TIME: Duration = Duration::from_secs(10);

impl Engine {
    /// `black` or `white`, or `unknown` when it was stopped.
    pub fn solve_state(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        let limits = self.limits(line);
        let mut live = Live::new(self, line, &state);
        let solver = solver(&mut self.warm, &state)?;
        let solution = solver.verdict(&state, &limits, &mut |p| live.show(p));
        Ok(solution.winner.map_or("unknown".to_owned(), |winner| winner.to_string()))
    }

    /// All winning moves.
    pub fn find_winning(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        let limits = self.limits(line);
        let live = std::cell::RefCell::new(Live::new(self, line, &state));
        let solver = solver(&mut self.warm, &state)?;
        let mut listener = |progress: &Progress| live.borrow_mut().show(progress);
        let (_, reports) = solver
            .moves(&state, false, &limits, &mut listener, &mut |report| live.borrow_mut().decide(report));
        let cells = |value| {
            let cells = reports.iter().filter(|report| report.value == value).map(|report| report.cell);
            names(state.board(), cells.collect())
        };
        match cells(MoveValue::Unknown).as_str() {
            "" => Ok(cells(MoveValue::Win)),
            unknown => Err(format!("stopped; winning: {}; not known: {unknown}", cells(MoveValue::Win))),
        }
    }

    /// A move of the colour, which is then played. When it is lost or not solved in time, it is the best that is
    /// known.
    pub fn genmove(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        let mut limits = self.limits(line);
        if limits.nodes.is_none() {
            limits.time.get_or_insert(MOVE_TIME);
        }
        let mut live = Live::new(self, line, &state);
        let solver = solver(&mut self.warm, &state)?;
        let choice = opponent::choose(solver, &state, &limits, &mut |p| live.show(p));
        let Some(choice) = choice else { return Ok("resign".to_owned()) };
        self.go_on(state.play(choice.cell).position);
        Ok(state.board().name(choice.cell))
    }

    /// How it goes on, if that is known already.
    pub fn get_pv(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        let solution = solver(&mut self.warm, &state)?.look_up(&state);
        Ok(text::cells(state.board(), solution.pv))
    }

    /// Who wins and by which move, if that is known already.
    pub fn get_state(&mut self, line: &Line) -> Outcome {
        let state = self.state(line.colour(0)?);
        let solution = solver(&mut self.warm, &state)?.look_up(&state);
        Ok(match (solution.winner, solution.best) {
            (Some(winner), Some(best)) => format!("winner {winner} best {}", state.board().name(best)),
            (Some(winner), None) => format!("winner {winner}"),
            (None, _) => "unknown".to_owned(),
        })
    }

    /// Forgets what was found.
    pub fn clear_table(&mut self, _: &Line) -> Outcome {
        self.cool();
        Ok(String::new())
    }

    /// Keeps solved positions in this file instead of the one that is open.
    pub fn open_store(&mut self, line: &Line) -> Outcome {
        let path = Path::new(line.arg(0));
        let store = match (Store::open(path), &self.kept) {
            // It is this one.
            (Err(StoreError::InUse(_)), Some(kept)) if same_file(path, kept.store().path()) => {
                return Ok(String::new());
            }
            // Then the one that is open stays.
            (opened, _) => opened.map_err(|error| error.to_string())?,
        };
        self.kept = Some(Thread::start(store, store_args::warn));
        self.cool();
        Ok(String::new())
    }

    /// Keeps solved positions no longer.
    pub fn close_store(&mut self, _: &Line) -> Outcome {
        self.kept.take().ok_or("no store of solved positions is open")?;
        self.cool();
        Ok(String::new())
    }

    /// A solver that knows nothing but what is kept.
    fn cool(&mut self) {
        self.warm = WarmSolver::new(self.settings.clone(), self.kept.clone());
    }

    /// Shows the parameters, or sets one.
    pub fn parameters(&mut self, line: &Line) -> Outcome {
        if line.arg(0).is_empty() {
            return Ok(format!(
                "\n[bool] use_guifx {}\n[string] timelimit {}\n[string] nodelimit {}\n[string] tt_size {}\n[string] threads {}",
                u8::from(self.live),
                self.time.unwrap_or_default().as_secs_f64(),
                self.nodes.unwrap_or(0),
                self.settings.memory,
                self.settings.threads,
            ));
        }
        let value = line.arg(1);
        match line.arg(0) {
            "use_guifx" => {
                self.live = match value {
                    "1" | "true" => true,
                    "0" | "false" => false,
                    _ => return Err(format!("'{value}' is no truth value; expected 0 or 1")),
                }
            }
            // No time and no nodes mean no limit.
            "timelimit" => self.time = Some(units::duration(value)?).filter(|time| !time.is_zero()),
            "nodelimit" => self.nodes = Some(units::count(value)?).filter(|&nodes| nodes > 0),
            "tt_size" => {
                let settings = Settings { memory: units::bytes(value)?, ..self.settings.clone() };
                // What there is no memory for is said now, and not by every search.
                Solver::new(self.position.board(), settings.clone())
                    .map_err(|_| format!("no memory for a table of {} bytes", settings.memory))?;
                self.settings = settings;
            }
            "threads" => self.settings.threads = units::threads(value)?,
            name => return Err(format!("unknown parameter: {name}")),
        }
        if matches!(line.arg(0), "tt_size" | "threads") {
            self.cool();
        }
        Ok(String::new())
    }

    fn limits(&self, line: &Line) -> Limits {
        Limits { nodes: self.nodes, time: self.time, cancel: Some(line.cancel.clone()) }
    }
}

fn solver<'a>(warm: &'a mut WarmSolver, state: &State) -> Result<&'a Solver, String> {
    warm.of(state.board()).map_err(|error| one_line(&error))
}

/// Tells how a search goes.
struct Live {
    state: State,
    on: bool,
    cancel: Arc<AtomicBool>,
    shown: Option<Duration>,
    /// The moves that are decided, and whether they win.
    decided: Vec<(Cell, bool)>,
}

impl Live {
    fn new(engine: &Engine, line: &Line, state: &State) -> Live {
        let cancel = line.cancel.clone();
        Live { state: *state, on: engine.live, cancel, shown: None, decided: Vec::new() }
    }

    fn decide(&mut self, report: &MoveReport) {
        self.decided.push((report.cell, report.value == MoveValue::Win));
    }

    /// Shows it now and then. If nobody reads it any more, or Ctrl-C was pressed, the search is over.
    fn show(&mut self, progress: &Progress) {
        if interrupt::pressed() {
            self.cancel.store(true, Relaxed);
        }
        let due = self.shown.is_none_or(|shown| progress.elapsed >= shown + BETWEEN);
        if !self.on || !due {
            return;
        }
        self.shown = Some(progress.elapsed);
        if write(&block(&self.state, progress, &self.decided)).is_err() {
            self.cancel.store(true, Relaxed);
        }
    }
}

/// The line that is looked at, the decided moves, and figures, as HexGui reads them.
fn block(state: &State, progress: &Progress, decided: &[(Cell, bool)]) -> String {
    let board = state.board();
    let mut text = "gogui-gfx:\ndfpn\nVAR".to_owned();
    let mut player = state.to_move;
    for &cell in &progress.line {
        let letter = if player == Player::Black { 'B' } else { 'W' };
        let _ = write!(text, " {letter} {}", board.name(cell));
        player = !player;
    }
    text += "\nLABEL";
    for &(cell, wins) in decided {
        let _ = write!(text, " {} {}", board.name(cell), if wins { 'W' } else { 'L' });
    }
    let [black, white] = progress.bounds;
    let nodes = text::count(progress.nodes, "node");
    let _ =
        write!(text, "\nTEXT {nodes}, {}, black {black} white {white}\n\n", text::seconds(progress.elapsed));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_line_the_labels_and_the_figures() {
        let state: State = "4x4 d1".parse().unwrap();
        let cell = |name| state.board().cell_named(name).unwrap();
        let progress = Progress {
            elapsed: Duration::from_millis(1500),
            nodes: 12_345,
            bounds: [3, 40],
            line: vec![cell("a1"), cell("c1")],
            table_permille: 0,
        };
        assert_eq!(
            block(&state, &progress, &[(cell("b2"), true), (cell("c2"), false)]),
            "gogui-gfx:\ndfpn\nVAR W a1 B c1\nLABEL b2 W c2 L\nTEXT 12,345 nodes, 1.50 s, black 3 white 40\n\n"
        );
    }
}
