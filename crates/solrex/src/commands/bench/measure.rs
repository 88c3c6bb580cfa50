use std::time::Duration;

use anyhow::Result;
use rex_game::Player;
use rex_search::{Limits, Settings, Solver, StopReason};
use serde_json::{Value, json};

use super::suite::Suite;
use crate::show::answer::add;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::show::svg::Bar;
use crate::{show::text, system::interrupt};

/// One position solved once.
#[derive(Clone)]
pub struct Measure {
    /// The position's name in its suite.
    pub label: String,
    /// Who wins.
    pub winner: Option<Player>,
    /// How many nodes it took.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// What stopped it, if anything did.
    pub stopped: Option<StopReason>,
}

/// Solves each position of a suite, from an empty table. Ctrl-C ends it early.
pub fn run(
    suite: &Suite,
    settings: &Settings,
    limits: &Limits,
    done: &mut dyn FnMut(&Measure),
) -> Result<Vec<Measure>> {
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
        let mut line = ProgressLine::with_bar(state.board(), i, suite.positions.len(), label);
        let question = solver.ask(state).limits(limits).on_progress(|progress| line.update(progress));
        let solution = if suite.with_move { question.solve() } else { question.verdict() };
        line.finish();
        let measure = Measure {
            label: label.clone(),
            winner: solution.winner,
            nodes: solution.nodes,
            time: solution.time,
            stopped: solution.stopped,
        };
        done(&measure);
        measures.push(measure);
        if interrupt::pressed() {
            break;
        }
    }
    Ok(measures)
}

/// One position over all runs.
pub struct Summary {
    label: String,
    winner: Option<Player>,
    stopped: Option<StopReason>,
    /// The median.
    nodes: u64,
    seconds: Spread,
    once: bool,
}

/// The median and the extremes of several times.
#[derive(Clone, Copy)]
struct Spread {
    median: f64,
    least: f64,
    most: f64,
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
    /// Combines several measures of one position. There must be at least one.
    pub fn of(measures: &[&Measure]) -> Summary {
        let first = measures[0];
        let mut nodes: Vec<u64> = measures.iter().map(|measure| measure.nodes).collect();
        nodes.sort_unstable();
        Summary {
            label: first.label.clone(),
            winner: first.winner,
            stopped: measures.iter().find_map(|measure| measure.stopped),
            nodes: nodes[nodes.len() / 2],
            seconds: Spread::of(measures.iter().map(|measure| measure.time.as_secs_f64()).collect()),
            once: measures.len() == 1,
        }
    }

    /// The row of the table.
    pub fn line(&self) -> String {
        let winner = self.winner.map_or("unknown", text::name);
        row(&self.label, winner, self.nodes, self.seconds, self.once)
    }

    /// The JSON object.
    pub fn json(&self) -> Value {
        let mut object = json!({
            "position": self.label,
            "winner": self.winner.map(|player| player.to_string()),
            "nodes": self.nodes,
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

/// A whole suite.
pub struct Total {
    /// Nodes of the median run.
    pub nodes: u64,
    /// Seconds of the median run.
    pub seconds: f64,
    spread: Spread,
}

impl Total {
    /// The median of the runs' totals.
    pub fn of(runs: &[Vec<Measure>]) -> Total {
        let mut nodes: Vec<u64> =
            runs.iter().map(|run| run.iter().map(|measure| measure.nodes).sum()).collect();
        nodes.sort_unstable();
        let time =
            |run: &Vec<Measure>| run.iter().map(|measure| measure.time).sum::<Duration>().as_secs_f64();
        let spread = Spread::of(runs.iter().map(time).collect());
        Total {
            nodes: nodes.get(nodes.len() / 2).copied().unwrap_or_default(),
            seconds: spread.median,
            spread,
        }
    }

    /// Seconds of the fastest and the slowest run.
    pub fn range(&self) -> (f64, f64) {
        (self.spread.least, self.spread.most)
    }

    /// The last row of the table.
    pub fn line(&self, once: bool) -> String {
        let rate = self.nodes as f64 / self.seconds.max(1e-9);
        let row = row("total", "", self.nodes, self.spread, once);
        format!("{}{} nodes per second\n", paint(style::STRONG, row), text::thousands(rate as u64))
    }
}

const WIDTH: usize = 46;

/// The header of the table.
pub fn header(once: bool) -> String {
    let spread = if once { "" } else { "    least to most" };
    let title = format!("{:<WIDTH$} {:<8} {:>12} {:>10}{spread}", "position", "winner", "nodes", "seconds");
    format!("{}\n", paint(style::STRONG, title))
}

fn row(label: &str, winner: &str, nodes: u64, seconds: Spread, once: bool) -> String {
    let Spread { median, least, most } = seconds;
    let spread = if once { String::new() } else { format!("  {least:.3} to {most:.3}") };
    format!("{label:<WIDTH$} {winner:<8} {:>12} {median:>10.3}{spread}\n", text::thousands(nodes))
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
