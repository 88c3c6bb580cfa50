//! What more threads are worth: a suite with each of several numbers of threads.

use anyhow::Result;
use rex_answers::svg::Bar;
use rex_search::{Limits, Settings};
use serde_json::json;

use super::measure::{self, Measures, Spread, Summary};
use super::suite::Suite;
use crate::cli::Show;
use crate::show::style::{self, paint};
use crate::{show::output, show::text, system::interrupt};

/// All runs of a suite with one number of threads.
pub struct Scaling {
    /// How many threads.
    pub threads: usize,
    /// The measures of each run.
    pub runs: Vec<Measures>,
}

impl Scaling {
    /// Its bar in the plot.
    pub fn bar(&self) -> Bar {
        Bar { label: format!("x{}", self.threads), ..Summary::total(&self.runs).bar() }
    }
}

/// Runs the suite `repeat` times with each number of threads, and compares each with the first. The numbers of
/// threads take turns, so that if the machine slows down it does so for all of them.
pub fn run(
    suite: &Suite,
    settings: &Settings,
    limits: &Limits,
    threads: &[usize],
    repeat: u32,
    show: Show,
) -> Result<Vec<Scaling>> {
    let mut all: Vec<Scaling> =
        threads.iter().map(|&threads| Scaling { threads, runs: Vec::new() }).collect();
    'all: for _ in 0..repeat {
        for scaling in &mut all {
            let settings = Settings { threads: scaling.threads, ..settings.clone() };
            let run = measure::run(suite, &settings, limits, &mut |_, _| {})?;
            if interrupt::pressed() {
                break 'all;
            }
            scaling.runs.push(run);
        }
    }
    // If it was stopped, complete runs still count.
    all.retain(|scaling| !scaling.runs.is_empty());
    print(suite, &all, show)?;
    Ok(all)
}

fn print(suite: &Suite, all: &[Scaling], show: Show) -> Result<()> {
    let Some(first) = all.first().map(|first| Summary::total(&first.runs)) else { return Ok(()) };
    if !show.json {
        let title = format!(
            "{:<10} {:>12} {:>8} {:>10} {:>8}    least to most",
            "threads", "nodes", "ratio", "seconds", "faster"
        );
        let name = &suite.name;
        output::text(&format!("Suite {name}; medians.\n{}\n", paint(style::STRONG, title)))?;
    }
    for scaling in all {
        let total = Summary::total(&scaling.runs);
        let Spread { median, least, most } = total.seconds;
        let stopped = measure::stopped(&scaling.runs);
        let ratio = total.nodes as f64 / first.nodes.max(1) as f64;
        let faster = first.seconds.median / median.max(1e-9);
        if show.json {
            output::json(json!({
                "suite": suite.name,
                "threads": scaling.threads,
                "nodes": total.nodes,
                "seconds": median,
                "spread": [least, most],
                "node_ratio": ratio,
                "speedup": faster,
                "stopped": stopped,
            }))?;
        } else {
            let stopped = if stopped { "  (stopped by a limit)" } else { "" };
            output::text(&format!(
                "{:<10} {:>12} {ratio:>8.2} {median:>10.3} {faster:>8.2}  {least:.3} to {most:.3}{stopped}\n",
                scaling.threads,
                text::thousands(total.nodes),
            ))?;
        }
    }
    Ok(())
}
