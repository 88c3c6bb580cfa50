//! What standard error shows while a search runs.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use rex_answers::answer;
use rex_game::Board;
use rex_search::{Listener, Progress};

use crate::show::log;
use crate::show::text::{cells, count, seconds, thousands};

/// Short searches show nothing.
const QUIET: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(200);
const BETWEEN_LOGS: Duration = Duration::from_secs(10);

/// A line or two that are written again and again, when standard error is a terminal and the work takes long.
pub struct LiveLine {
    terminal: bool,
    /// When it was last written.
    shown: Option<Duration>,
    /// How many lines there are below the first.
    below: usize,
}

impl LiveLine {
    /// Nothing is shown yet.
    pub fn new() -> LiveLine {
        LiveLine { terminal: std::io::stderr().is_terminal(), shown: None, below: 0 }
    }

    /// Shows this after this much time, if something is due.
    pub fn show(&mut self, elapsed: Duration, line: impl FnOnce() -> String) {
        let due = self.shown.map_or(QUIET, |shown| shown + BETWEEN);
        if self.terminal && elapsed >= due {
            self.shown = Some(elapsed);
            let columns = terminal_size::terminal_size_of(std::io::stderr())
                .map_or(80, |(terminal_size::Width(columns), _)| usize::from(columns));
            let cut = |line: &str| line.chars().take(columns.saturating_sub(1)).collect::<String>();
            let lines: Vec<String> = line().lines().map(cut).collect();
            self.below = self.below.max(lines.len().saturating_sub(1));
            self.write(&lines);
        }
    }

    /// Writes over the lines.
    fn write(&self, lines: &[String]) {
        let mut text = String::new();
        for number in 0..=self.below {
            // Erase what is there.
            let line = lines.get(number).map_or("", |line| line);
            text += &format!("{}\r\x1b[2K{line}", if number > 0 { "\n" } else { "" });
        }
        // Back to the first line and column.
        if self.below > 0 {
            text += &format!("\x1b[{}A", self.below);
        }
        let mut err = std::io::stderr().lock();
        let _ = write!(err, "{text}\r").and_then(|()| err.flush());
    }

    /// Removes it.
    pub fn erase(&self) {
        if self.shown.is_some() {
            self.write(&[]);
        }
    }
}

/// Shows the state of a search, and remembers it.
pub struct ProgressLine {
    board: Board,
    /// Text in front of the search's own state.
    title: String,
    line: LiveLine,
    /// When it was last reported with `-v`.
    logged: Option<Duration>,
    trend: Trend,
    last: Option<Progress>,
}

impl ProgressLine {
    /// Nothing is shown yet.
    pub fn new(board: Board) -> ProgressLine {
        ProgressLine {
            board,
            title: String::new(),
            line: LiveLine::new(),
            logged: None,
            trend: Trend::default(),
            last: None,
        }
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
        let trend = self.trend.of(progress);
        let text = format!("{}{}", self.title, describe(self.board, progress, trend));
        if self.is_due(progress.elapsed) {
            log::event(|| answer::progress(self.board, progress, trend), || text.replace('\n', "  "));
        }
        self.line.show(progress.elapsed, || text);
    }

    /// Shows a state after this much time, if one is due.
    #[cfg(feature = "cluster")]
    pub fn show(&mut self, elapsed: Duration, state: &str) {
        if self.is_due(elapsed) {
            log::note(state);
        }
        self.line.show(elapsed, || state.to_owned());
    }

    /// Whether it is time for another report with `-v`.
    fn is_due(&mut self, elapsed: Duration) -> bool {
        let due = log::is_on() && elapsed >= self.logged.unwrap_or_default() + BETWEEN_LOGS;
        if due {
            self.logged = Some(elapsed);
        }
        due
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.line.erase();
    }
}

/// How the numbers of a long search change.
#[derive(Default)]
struct Trend {
    /// Some of the numbers there were, with their times: the first, and then each time a tenth later.
    past: Vec<(Duration, [u64; 2])>,
}

impl Trend {
    /// By which share the numbers have changed in about the last tenth of the time, if that is long enough.
    fn of(&mut self, progress: &Progress) -> Option<[f64; 2]> {
        let Progress { elapsed, bounds, .. } = *progress;
        if self.past.last().is_none_or(|(then, _)| elapsed >= (*then + BETWEEN_LOGS).max(then.mul_f64(1.1))) {
            self.past.push((elapsed, bounds));
        }
        let long_ago = |then: Duration| (then + BETWEEN_LOGS).max(then.mul_f64(1.1)) <= elapsed;
        let (then, before) = self.past.iter().rev().find(|(then, _)| long_ago(*then))?;
        (!then.is_zero())
            .then(|| [0, 1].map(|player| bounds[player] as f64 / before[player].max(1) as f64 - 1.0))
    }
}

/// ```text
/// 12.3 s  1,234,567 nodes  98,765/s  table 3%  reasons 40%  e3 d4 c2
/// black 12 +3%  white 40 -1%  3 of 24 decided
/// ```
pub fn describe(board: Board, progress: &Progress, trend: Option<[f64; 2]>) -> String {
    let rate = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(1e-3);
    let percent = |permille: u32| permille.div_ceil(10);
    let number = |player: usize| {
        let change = trend.map_or_else(String::new, |trend| format!(" {:+.0}%", 100.0 * trend[player]));
        thousands(progress.bounds[player]) + &change
    };
    let [decided, open] = progress.replies;
    let replies = if open > 0 { format!("  {decided} of {} decided", decided + open) } else { String::new() };
    format!(
        "{}  {}  {}/s  table {}%  reasons {}%  {}\nblack {}  white {}{replies}",
        seconds(progress.elapsed),
        count(progress.nodes, "node"),
        thousands(rate as u64),
        percent(progress.table_permille),
        percent(progress.reasons_permille),
        cells(board, progress.line.iter().copied()),
        number(0),
        number(1),
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

    fn progress(seconds: u64, bounds: [u64; 2]) -> Progress {
        let board = Board::new(6, 6).unwrap();
        Progress {
            elapsed: Duration::from_secs(seconds),
            nodes: 100_000 * seconds,
            bounds,
            line: ["e3", "d4"].iter().filter_map(|name| board.cell_named(name)).collect(),
            replies: [3, 21],
            table_permille: 25,
            reasons_permille: 391,
        }
    }

    #[test]
    fn two_lines_say_what_one_wants_to_know() {
        let board = Board::new(6, 6).unwrap();
        assert_eq!(
            describe(board, &progress(12, [12, 40]), None),
            "12.0 s  1,200,000 nodes  100,000/s  table 3%  reasons 40%  e3 d4\n\
             black 12  white 40  3 of 24 decided"
        );
        let most = describe(board, &progress(1_000_000, [1 << 46; 2]), Some([0.123, -0.05]));
        assert!(most.lines().all(|line| line.len() <= 80), "{most}");
        assert_eq!(bar(9, 18), "[######......]");
    }

    #[test]
    fn the_trend_is_that_of_the_last_tenth() {
        let mut trend = Trend::default();
        let mut latest = None;
        for second in 1..=1000 {
            latest = trend.of(&progress(second, [1000 + second, 5000 - second]));
            assert_eq!(latest.is_some(), second > 10, "{second}");
        }
        let [black, white] = latest.unwrap();
        assert!((0.04..0.11).contains(&black) && (-0.05..-0.02).contains(&white), "{black} {white}");
    }
}
