//! The line on standard error while a search runs.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use rex_game::Board;
use rex_search::{Listener, Progress};

use crate::show::log;
use crate::show::text::{cells, count, seconds, thousands};

/// Short searches show nothing.
const QUIET: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(200);
const BETWEEN_LOGS: Duration = Duration::from_secs(10);

/// A line that is written again and again, when standard error is a terminal and the work takes long.
pub struct LiveLine {
    terminal: bool,
    /// When it was last written.
    shown: Option<Duration>,
}

impl LiveLine {
    /// Nothing is shown yet.
    pub fn new() -> LiveLine {
        LiveLine { terminal: std::io::stderr().is_terminal(), shown: None }
    }

    /// Shows this after this much time, if something is due.
    pub fn show(&mut self, elapsed: Duration, line: impl FnOnce() -> String) {
        let due = self.shown.map_or(QUIET, |shown| shown + BETWEEN);
        if self.terminal && elapsed >= due {
            self.shown = Some(elapsed);
            let columns = terminal_size::terminal_size_of(std::io::stderr())
                .map_or(80, |(terminal_size::Width(columns), _)| usize::from(columns));
            write(&line().chars().take(columns.saturating_sub(1)).collect::<String>());
        }
    }

    /// Removes it.
    pub fn erase(&self) {
        if self.shown.is_some() {
            write("");
        }
    }
}

/// Writes over the line.
fn write(line: &str) {
    let mut err = std::io::stderr().lock();
    // Back to the first column, and erase what is there.
    let _ = write!(err, "\r\x1b[2K{line}").and_then(|()| err.flush());
}

/// Shows the state of a search, and remembers it.
pub struct ProgressLine {
    board: Board,
    /// Text in front of the search's own state.
    title: String,
    line: LiveLine,
    /// When it was last reported with `-v`.
    logged: Option<Duration>,
    last: Option<Progress>,
}

impl ProgressLine {
    /// Nothing is shown yet.
    pub fn new(board: Board) -> ProgressLine {
        ProgressLine { board, title: String::new(), line: LiveLine::new(), logged: None, last: None }
    }

    /// The same with a bar: `done` of `all` and what is being done now.
    pub fn with_bar(board: Board, done: usize, all: usize, now: &str) -> ProgressLine {
        let mut line = ProgressLine::new(board);
        line.title = format!("{} {done}/{all} {now} ", bar(done, all));
        line
    }

    /// Shows the state of a search while it runs, and returns its result and its last state.
    pub fn watch<T>(mut self, search: impl FnOnce(Listener) -> T) -> (T, Option<Progress>) {
        let found = search(&mut |progress| self.update(progress));
        self.finish();
        (found, self.last)
    }

    /// Updates the state of the search.
    fn update(&mut self, progress: &Progress) {
        self.last = Some(progress.clone());
        self.show(progress.elapsed, &describe(self.board, progress));
    }

    /// Shows a state after this much time, if one is due.
    pub fn show(&mut self, elapsed: Duration, state: &str) {
        if log::is_on() && elapsed >= self.logged.unwrap_or_default() + BETWEEN_LOGS {
            self.logged = Some(elapsed);
            log::note(&format!("{}{state}", self.title));
        }
        self.line.show(elapsed, || format!("{}{state}", self.title));
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.line.erase();
    }
}

/// `12.3 s  1,234,567 nodes  98,765/s  black 12 white 40  table 3%  e3 d4 c2`.
pub fn describe(board: Board, progress: &Progress) -> String {
    let rate = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(1e-3);
    let [black, white] = progress.bounds;
    format!(
        "{}  {}  {}/s  black {} white {}  table {}%  {}",
        seconds(progress.elapsed),
        count(progress.nodes, "node"),
        thousands(rate as u64),
        thousands(u64::from(black)),
        thousands(u64::from(white)),
        progress.table_permille.div_ceil(10),
        cells(board, progress.line.iter().copied()),
    )
}

fn bar(done: usize, all: usize) -> String {
    const WIDTH: usize = 12;
    let full = done * WIDTH / all.max(1);
    format!("[{}{}]", "#".repeat(full), ".".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_tells_time_nodes_speed_bounds_table_and_moves() {
        let board = Board::new(6, 6).unwrap();
        let progress = Progress {
            elapsed: Duration::from_millis(12_300),
            nodes: 1_230_000,
            bounds: [12, 40],
            line: ["e3", "d4"].iter().filter_map(|name| board.cell_named(name)).collect(),
            table_permille: 25,
        };
        assert_eq!(
            describe(board, &progress),
            "12.3 s  1,230,000 nodes  100,000/s  black 12 white 40  table 3%  e3 d4"
        );
        assert_eq!(bar(9, 18), "[######......]");
    }
}
