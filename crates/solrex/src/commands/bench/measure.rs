use anyhow::Result;
use rex_answers::answer::add;
use rex_answers::svg::Bar;
use rex_game::Player;
use rex_search::{Limits, Settings, Solution, Solver, StopReason};
use serde_json::{Value, json};

use super::suite::Suite;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{show::text, system::interrupt};

/// The positions of a suite, each solved once, with their names.
pub type Measures = Vec<(String, Solution)>;

/// Whether a limit stopped one of the searches.
pub fn stopped(runs: &[Measures]) -> bool {
    runs.iter().flatten().any(|(_, solution)| solution.stopped.is_some())
}

/// Solves each position of a suite, from an empty table. Ctrl-C ends it early.
pub fn run(
    suite: &Suite,
    settings: &Settings,
    limits: &Limits,
    done: &mut dyn FnMut(&str, &Solution),
) -> Result<Measures> {
    let mut kept: Option<Solver> = None;
    let mut measures = Vec::new();
    for (i, (label, state)) in suite.positions.iter().enumerate() {
        if suite.fresh {
            kept = None;
        }
        let solver = match &mut kept {
            Some(solver) => solver,
            none => none.insert(Solver::new(state.board(), settings.clone())?),
        };
        let line = ProgressLine::with_bar(state.board(), i, suite.positions.len(), label);
        let (solution, _) = line.watch(|shown| {
            let question = solver.ask(state).limits(limits).on_progress(shown);
            if suite.with_move { question.solve() } else { question.verdict() }
        });
        done(label, &solution);
        measures.push((label.clone(), solution));
        if interrupt::pressed() {
            break;
        }
    }
    Ok(measures)
}

/// One position, or a whole suite, over all runs.
pub struct Summary {
    label: String,
    winner: Option<Player>,
    stopped: Option<StopReason>,
    /// The median.
    pub nodes: u64,
    /// In the run with that many nodes.
    pub struck: u64,
    pub seconds: Spread,
    once: bool,
}

/// The median and the extremes of several times.
#[derive(Clone, Copy)]
pub struct Spread {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let at = |i: usize| values.get(i).copied().unwrap_or_default();
        let last = values.len().saturating_sub(1);
        Spread { median: (at(last / 2) + at(last.div_ceil(2))) / 2.0, least: at(0), most: at(last) }
    }
}

impl Summary {
    /// Combines several solutions of one position. There must be at least one.
    pub fn of(label: &str, solutions: &[&Solution]) -> Summary {
        let mut work: Vec<_> = solutions.iter().map(|solution| (solution.nodes, solution.struck)).collect();
        work.sort_unstable();
        let (nodes, struck) = work[work.len() / 2];
        Summary {
            label: label.to_owned(),
            winner: solutions[0].winner,
            stopped: solutions.iter().find_map(|solution| solution.stopped),
            nodes,
            struck,
            seconds: Spread::of(solutions.iter().map(|solution| solution.time.as_secs_f64()).collect()),
            once: solutions.len() == 1,
        }
    }

    /// The whole suite, as if each run were one search. There must be at least one.
    pub fn total(runs: &[Measures]) -> Summary {
        let whole = |run: &Measures| Solution {
            nodes: run.iter().map(|(_, solution)| solution.nodes).sum(),
            struck: run.iter().map(|(_, solution)| solution.struck).sum(),
            time: run.iter().map(|(_, solution)| solution.time).sum(),
            ..Solution::default()
        };
        let runs: Vec<Solution> = runs.iter().map(whole).collect();
        Summary::of("total", &runs.iter().collect::<Vec<_>>())
    }

    /// The row of the table.
    pub fn line(&self) -> String {
        self.row(self.winner.map_or("unknown", text::name))
    }

    /// The last row of the table.
    pub fn last_line(&self) -> String {
        let rate = self.nodes as f64 / self.seconds.median.max(1e-9);
        format!("{}{} nodes per second\n", paint(style::STRONG, self.row("")), text::thousands(rate as u64))
    }

    fn row(&self, winner: &str) -> String {
        let Spread { median, least, most } = self.seconds;
        let spread = if self.once { String::new() } else { format!("  {least:.3} to {most:.3}") };
        let (label, [nodes, struck]) = (&self.label, [self.nodes, self.struck].map(text::thousands));
        format!("{label:<WIDTH$} {winner:<8} {nodes:>12} {struck:>12} {median:>10.3}{spread}\n")
    }

    /// The JSON object.
    pub fn json(&self) -> Value {
        let mut object = json!({
            "position": self.label,
            "winner": self.winner.map(|player| player.to_string()),
            "nodes": self.nodes,
            "struck": self.struck,
            "seconds": self.seconds.median,
        });
        add(&mut object, "spread", (!self.once).then(|| json!([self.seconds.least, self.seconds.most])));
        add(&mut object, "stopped", self.stopped.map(|reason| reason.word()));
        object
    }

    /// The bar of the plot.
    pub fn bar(&self) -> Bar {
        Bar { label: self.label.clone(), nodes: self.nodes, seconds: self.seconds.median }
    }
}

/// How many positions of a suite were solved within how many seconds.
pub struct SolvedWithin {
    positions: usize,
    within: [(u32, usize); 3],
}

impl SolvedWithin {
    /// By the median of each position.
    pub fn of(summaries: &[Summary]) -> SolvedWithin {
        let solved = |summary: &&Summary| summary.winner.is_some() && summary.stopped.is_none();
        let times: Vec<f64> = summaries.iter().filter(solved).map(|summary| summary.seconds.median).collect();
        let within =
            [1, 10, 60].map(|limit| (limit, times.iter().filter(|&&time| time <= f64::from(limit)).count()));
        SolvedWithin { positions: summaries.len(), within }
    }

    /// The line below the table: nothing if all were solved within a second.
    pub fn line(&self) -> String {
        let [(_, at_once), ..] = self.within;
        if at_once == self.positions {
            return String::new();
        }
        let counts = self.within.map(|(limit, count)| format!("{count} within {limit} s"));
        format!("solved of {}: {}\n", self.positions, counts.join(", "))
    }

    /// The counts by seconds.
    pub fn json(&self) -> Value {
        self.within.iter().map(|(limit, count)| (limit.to_string(), json!(count))).collect()
    }
}

/// The width of the first column of a table.
pub const WIDTH: usize = 46;

/// The header of the table.
pub fn header(once: bool) -> String {
    let spread = if once { "" } else { "    least to most" };
    let [position, winner, nodes, struck, seconds] = ["position", "winner", "nodes", "struck", "seconds"];
    let title = format!("{position:<WIDTH$} {winner:<8} {nodes:>12} {struck:>12} {seconds:>10}{spread}");
    format!("{}\n", paint(style::STRONG, title))
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn the_median_is_in_the_middle() {
        for (values, wanted) in
            [(vec![3.0], 3.0), (vec![1.0, 9.0, 2.0], 2.0), (vec![4.0, 1.0, 2.0, 3.0], 2.5)]
        {
            assert_eq!(Spread::of(values).median, wanted);
        }
        let spread = Spread::of(vec![5.0, 1.0, 2.0]);
        assert_eq!((spread.least, spread.most), (1.0, 5.0));
    }
}
