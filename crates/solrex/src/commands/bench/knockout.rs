//! What each technique is worth: the suite without it compared with the suite with it.

use anyhow::Result;
use rex_search::{Guidance, Limits, Settings, Tuning};
use rex_theory::Options;
use serde_json::json;

use super::measure::{self, Summary};
use super::suite::Suite;
use crate::cli::Show;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text, system::interrupt};

/// The paper's time ratios without each technique: on the 5x5 suite, and on the hardest 6x6 opening.
const PAPER: &[(&str, &str, &str)] = &[
    ("dead", "1.07", ""),
    ("dead-cutset", "0.97", "1.37"),
    ("captured", "2.02", ""),
    ("mutual-fillin", "1.00", "1.44"),
    ("decomposition", "1.06", "1.95"),
    (RESISTANCE, "1.62", ""),
    (INFERIOR, "2.30", ""),
    ("hsearch", "89.83", ""),
    ("augmented", "0.99", "1.10"),
    ("colour-symmetry", "1.01", "1.13"),
];

/// All of domination at once, as the paper counts it.
const INFERIOR: &str = "inferior pruning";
/// The order of moves.
const RESISTANCE: &str = "resistance, learned";
const LEARNED: &str = "learned guidance";

/// Runs the suite once unchanged and once for each technique.
pub fn run(suite: &Suite, settings: &Settings, limits: &Limits, show: Show) -> Result<Ending> {
    let mut status = Ending::Answered;
    let mut total = |settings: &Settings| -> Result<(Summary, bool)> {
        let runs = [measure::run(suite, settings, limits, &mut |_, _| {})?];
        let stopped = measure::stopped(&runs);
        if stopped {
            status = Ending::Stopped;
        }
        Ok((Summary::total(&runs), stopped))
    };
    let (base, base_stopped) = total(settings)?;
    if !show.json {
        output::text(&header(&suite.name, &base))?;
    }
    for (name, changed, was_on) in variants(settings) {
        if interrupt::pressed() || base_stopped {
            break;
        }
        let (changed, stopped) = total(&changed)?;
        // Always the run without the technique, divided by the run with it.
        let (without, with) = if was_on { (&changed, &base) } else { (&base, &changed) };
        let nodes = without.nodes as f64 / with.nodes.max(1) as f64;
        let seconds = without.seconds.median / with.seconds.median.max(1e-9);
        let paper = PAPER.iter().find(|(paper, ..)| *paper == name).map(|&(_, small, large)| (small, large));
        if show.json {
            output::json(json!({
                "suite": suite.name,
                "technique": name,
                "default": was_on,
                "nodes": changed.nodes,
                "seconds": changed.seconds.median,
                "node_ratio": nodes,
                "time_ratio": seconds,
                "stopped": stopped,
            }))?;
        } else {
            let (small, large) = paper.unwrap_or_default();
            let name = if was_on { name.to_owned() } else { format!("{name} (is off)") };
            let more = if stopped { ">" } else { "" };
            let line = format!(
                "{name:<26} {:>12} {:>9} {:>9.3} {:>9} {small:>9} {large:>7}",
                text::thousands(changed.nodes),
                format!("{more}{nodes:.2}"),
                changed.seconds.median,
                format!("{more}{seconds:.2}"),
            );
            output::text(&format!("{}\n", line.trim_end()))?;
        }
    }
    Ok(status)
}

/// Each switch toggled, and all of domination off. The flag says whether the technique was on.
fn variants(base: &Settings) -> Vec<(&'static str, Settings, bool)> {
    let mut variants = Vec::new();
    for info in Options::TABLE {
        let on = (info.get)(&base.theory);
        let mut changed = base.clone();
        (info.set)(&mut changed.theory, !on);
        variants.push((info.name, changed, on));
    }
    let mut without = base.clone();
    let theory = &mut without.theory;
    (theory.victim, theory.vulnerable, theory.capturer, theory.mutual_creator) = (false, false, false, false);
    variants.push((INFERIOR, without, true));
    for (name, guidance) in [(LEARNED, Guidance::Resistance), (RESISTANCE, Guidance::BoardOrder)] {
        let tuning = Tuning { guidance, ..base.tuning };
        variants.push((name, Settings { tuning, ..base.clone() }, true));
    }
    variants
}

fn header(suite: &str, base: &Summary) -> String {
    let title = format!(
        "{:<26} {:>12} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "without", "nodes", "ratio", "seconds", "ratio", "paper 5x5", "6x6 e3"
    );
    format!(
        "Suite {suite}; ratios are of the run without a technique to the run with it.\n{}\n{:<26} {:>12} {:>9} {:>9.3} {:>9}\n",
        paint(style::STRONG, title),
        "(nothing)",
        text::thousands(base.nodes),
        "1.00",
        base.seconds.median,
        "1.00",
    )
}
