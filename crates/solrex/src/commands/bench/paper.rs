//! Our figures next to the paper's, which come from a quad-core i7-860 at 2.8 GHz.

use anyhow::Result;
use rex_search::{Limits, Settings};
use serde_json::json;

use super::measure::{self, Summary};
use super::suite::Suite;
use crate::cli::Show;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text};

/// A suite from the paper, and how long it took there.
struct Figure {
    what: &'static str,
    /// The matching suite of ours.
    suite: &'static str,
    /// Seconds, and on how many threads if the paper says so.
    paper: &'static [(f64, Option<usize>)],
}

const FIGURES: &[Figure] = &[
    Figure { what: "5x5, 24 replies to a1", suite: "5x5", paper: &[(13.2, None)] },
    Figure { what: "6x6 e3", suite: "6x6 e3", paper: &[(13_646.0, Some(4))] },
    Figure { what: "6x6, 18 openings", suite: "6x6", paper: &[(25_900.0, Some(4)), (134_635.0, Some(1))] },
];

/// Runs the paper's suites.
pub fn run(settings: &Settings, limits: &Limits, show: Show) -> Result<Ending> {
    if !show.json {
        let threads = text::count(settings.threads as u64, "thread");
        let title = format!("{:<24} {:>12} {:>10} {:>12} {:>9}", "", "nodes", "seconds", "paper", "faster");
        output::text(&format!("Ours with {threads}.\n{}\n", paint(style::STRONG, title)))?;
    }
    for Figure { what, suite, paper } in FIGURES {
        let runs = [measure::run(&Suite::named(suite)?, settings, limits, &mut |_, _| {})?];
        if measure::stopped(&runs) {
            return Ok(Ending::Stopped);
        }
        let total = Summary::total(&runs);
        let ours = total.seconds.median;
        for (i, (seconds, threads)) in paper.iter().enumerate() {
            let faster = seconds / ours.max(1e-9);
            if show.json {
                output::json(json!({
                    "suite": suite,
                    "nodes": total.nodes,
                    "seconds": ours,
                    "threads": settings.threads,
                    "paper_seconds": seconds,
                    "paper_threads": threads,
                }))?;
                continue;
            }
            let (what, nodes, ours) = match i {
                0 => (*what, text::thousands(total.nodes), format!("{ours:.2}")),
                _ => Default::default(),
            };
            let paper =
                if seconds.fract() > 0.0 { seconds.to_string() } else { text::thousands(*seconds as u64) };
            output::text(&format!(
                "{what:<24} {nodes:>12} {ours:>10} {paper:>12} {:>9}  paper: {}\n",
                format!("{}x", text::thousands(faster as u64)),
                threads
                    .map_or("threads not said".to_owned(), |threads| text::count(threads as u64, "thread")),
            ))?;
        }
    }
    Ok(Ending::Answered)
}
