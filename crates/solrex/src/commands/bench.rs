//! `solrex bench`: node counts, which do not depend on the machine, and times, which do.

use std::path::PathBuf;

use anyhow::{Result, bail};
use rex_answers::svg::{self, Bar};
use rex_search::{Limits, Settings};
use serde_json::json;

use crate::arguments::solver::SearchArgs;
use crate::cli::Show;
use crate::{Ending, arguments::units, show::output, show::text, system::interrupt};

mod efficiency;
mod knockout;
mod measure;
mod paper;
mod random;
mod scaling;
mod suite;

use measure::{Measures, SolvedWithin, Summary, stopped};
use scaling::Scaling;
use suite::Suite;

/// The total of the `quick` suite that this version should produce.
const SIGNATURE: &str = include_str!("../../bench-signature.txt");

/// Measure the search on fixed positions
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// quick, 5x5 (24 replies to a1), 6x6 (all openings), 7x7 and boards (random positions of 7x7 and of
    /// boards without a net of their own; set a --time), games (200 positions of 7x7 games; set a --time), paper (5x5 and 6x6
    /// beside the paper's figures), or a POSITION
    #[arg(value_name = "SUITE", default_value = "quick")]
    target: Vec<String>,
    /// Run only these positions of the suite, such as a1,d2
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "check")]
    only: Vec<String>,
    /// Repeat this many times, each from an empty table, and report the median and spread of the times
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Toggle each technique in turn; the default suite is then 5x5
    #[arg(long, conflicts_with_all = ["svg", "check", "repeat"])]
    knockout: bool,
    /// Run with each of these numbers of threads, such as 1,2,4, and report ratios to the first
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = units::threads)]
    #[arg(conflicts_with_all = ["threads", "knockout", "check"])]
    threads_list: Vec<usize>,
    /// Solve each position from an empty table, prove it from what the search left there, and report how many of the
    /// searched positions the proof needs
    #[arg(long, conflicts_with_all = ["svg", "check", "repeat", "knockout", "threads_list"])]
    efficiency: bool,
    /// Compare the total with the recorded one; exit with 1 if it differs
    #[arg(long)]
    check: bool,
    /// Draw nodes and seconds as bars to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex bench
  solrex bench 6x6 --threads 2 --svg openings.svg
  solrex bench 5x5 --repeat 5
  solrex bench 6x6 e3 --threads-list 1,2 --repeat 3 --svg scaling.svg
  solrex bench 7x7 --threads 2 --time 60s
  solrex bench games --threads 2 --time 60s
  solrex bench --knockout 6x6 e3 --time 60s
  solrex bench --efficiency 6x6 --only a1,d2,e1

A position of a proof (--efficiency) is what a node of the search is: a filled position up to symmetry, decided by moves,
by a pairing or by symmetry, or because a worse one is won. Fill-in and images add none. The winner moves to a pairing
where she can, else as the search has found. 'forgotten' says how many of her moves had to be searched for again; those
nodes are not counted. 'struck' are moves that a reason decided without a visit: no nodes, though a proof has positions for
them, so it may have more positions than the search has nodes. The proof is shorter than the certificate that 'solrex prove' writes in less time.";

/// Runs a suite.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    let limits = args.search.limits()?;
    let target = args.target.join(" ");
    let mut suite =
        if args.knockout && target == "quick" { Suite::named("5x5")? } else { Suite::named(&target)? };
    suite.keep(&args.only)?;
    let settings = args.search.bench_settings(suite.memory);
    if args.efficiency {
        return efficiency::run(&suite, &settings, &limits, show);
    }
    if args.check && suite.name != "quick" {
        bail!("--check is for the suite 'quick', not for '{}'", suite.name);
    }
    if args.knockout {
        return knockout::run(&suite, &settings, &limits, show);
    }
    if target == "paper" {
        return paper::run(&settings, &limits, show);
    }
    if !args.threads_list.is_empty() {
        return run_scaling(args, &suite, &settings, &limits, show);
    }
    let once = args.repeat == 1;
    if !show.json {
        output::text(&measure::header(once))?;
    }
    let mut runs = Vec::new();
    for _ in 0..args.repeat {
        let mut shown = Ok(());
        let run = measure::run(&suite, &settings, &limits, &mut |label, solution| {
            if once && shown.is_ok() {
                shown = print(&Summary::of(label, &[solution]), show);
            }
        })?;
        shown?;
        if interrupt::pressed() {
            break;
        }
        runs.push(run);
    }
    // If it was stopped, complete runs still count.
    if runs.is_empty() {
        return Ok(Ending::Stopped);
    }
    let summaries = by_position(&runs);
    if !once {
        for summary in &summaries {
            print(summary, show)?;
        }
    }
    let total = Summary::total(&runs);
    let solved = SolvedWithin::of(&summaries);
    let object = json!({
        "suite": suite.name,
        "nodes": total.nodes,
        "struck": total.struck,
        "seconds": total.seconds.median,
        "threads": settings.threads,
        "memory": settings.memory,
        "solved": solved.json(),
    });
    output::answer(show, || object, || total.last_line() + &solved.line())?;
    if let Some(path) = &args.svg {
        output::file(path, svg::bars(&format!("solrex bench {}", suite.name), &[bars(&summaries)]))?;
    }
    if interrupt::pressed() || stopped(&runs) {
        return Ok(Ending::Stopped);
    }
    if args.check { check(total.nodes, show) } else { Ok(Ending::Answered) }
}

/// Runs the suite with several numbers of threads.
fn run_scaling(
    args: &Args,
    suite: &Suite,
    settings: &Settings,
    limits: &Limits,
    show: Show,
) -> Result<Ending> {
    let threads = &args.threads_list;
    let scalings = scaling::run(suite, settings, limits, threads, args.repeat, show)?;
    if interrupt::pressed() {
        return Ok(Ending::Stopped);
    }
    if let Some(path) = &args.svg {
        // First each position with the first number of threads, then the totals by number of threads.
        let positions = scalings.first().map(|first| bars(&by_position(&first.runs))).unwrap_or_default();
        let totals = scalings.iter().map(Scaling::bar).collect();
        let title = format!("solrex bench {}; below: by threads", suite.name);
        output::file(path, svg::bars(&title, &[positions, totals]))?;
    }
    Ok(if scalings.iter().any(|scaling| stopped(&scaling.runs)) { Ending::Stopped } else { Ending::Answered })
}

/// Bars with short labels: numbers if the positions' names are long.
fn bars(summaries: &[Summary]) -> Vec<Bar> {
    let mut bars: Vec<Bar> = summaries.iter().map(Summary::bar).collect();
    if bars.iter().any(|bar| bar.label.len() > 8) {
        for (bar, number) in bars.iter_mut().zip(1..) {
            bar.label = format!("{number}");
        }
    }
    bars
}

fn print(summary: &Summary, show: Show) -> Result<()> {
    output::answer(show, || summary.json(), || summary.line())
}

/// Regroups runs by position.
fn by_position(runs: &[Measures]) -> Vec<Summary> {
    let positions = runs.first().map_or(&[][..], Vec::as_slice).iter().enumerate();
    let of = |i: usize| runs.iter().map(|run| &run[i].1).collect::<Vec<_>>();
    positions.map(|(i, (label, _))| Summary::of(label, &of(i))).collect()
}

fn check(nodes: u64, show: Show) -> Result<Ending> {
    let wanted: u64 = SIGNATURE.trim().parse()?;
    let same = nodes == wanted;
    if !show.json {
        let (nodes, wanted) = (text::thousands(nodes), text::thousands(wanted));
        output::text(&if same {
            format!("The signature is {wanted}, as recorded.\n")
        } else {
            format!(
                "The signature is {nodes}, but crates/solrex/bench-signature.txt says {wanted}.\n\
                 If the search was meant to change, put {} there.\n",
                nodes.replace(',', "")
            )
        })?;
    }
    Ok(if same { Ending::Answered } else { Ending::CheckFailed })
}
