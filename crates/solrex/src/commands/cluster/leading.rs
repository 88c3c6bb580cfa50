//! What is common to the commands that lead a search.

use std::time::Duration;

use anyhow::Result;
use rex_answers::answer;
use rex_cluster::bus::LeaderBus;
use rex_cluster::{Lead, LeadStatus, Ledger, Outcome, Plan, Report, RunError};
use rex_game::State;

use crate::cli::Show;
use crate::show::progress::ProgressLine;
use crate::{
    Ending, arguments::units, commands::solve, show::log, show::output, show::text, system::interrupt,
};

/// How work is divided into jobs.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Jobs")]
pub struct PlanArgs {
    /// At most this many nodes per job, for each thread of its worker
    #[arg(long, value_name = "N", value_parser = units::count, default_value = "20k")]
    budget: u64,
    /// Tell all workers about solved positions that took at least this many nodes, with 16 threads twice as many, with 32
    /// three times …
    #[arg(long, value_name = "N", value_parser = units::count, default_value = "10")]
    share: u64,
}

impl PlanArgs {
    fn plan(self) -> Plan {
        Plan { budget: self.budget.max(1), share: self.share.max(1), ..Plan::default() }
    }
}

/// The settings of a coordinator for a state.
pub fn lead(state: &State, plan: PlanArgs, memory: u64, silence: Duration) -> Result<Lead> {
    let (cancel, note_reporters) = (interrupt::watch()?, false);
    Ok(Lead { state: *state, plan: plan.plan(), memory, silence, note_reporters, cancel })
}

/// Leads the search and shows progress.
pub fn follow<B: LeaderBus>(lead: &Lead, ledger: &Ledger, bus: &mut B) -> Result<Outcome, RunError> {
    let mut line = ProgressLine::new(lead.state.board());
    let outcome = rex_cluster::lead(lead, ledger, bus, &mut |report| match report {
        Report::Status(status) => {
            line.show(Duration::from_secs_f64(status.seconds), &describe(status));
        }
        Report::Note(note) => log::note(note),
        Report::Warning(warning) => log::warn(warning),
    });
    line.finish();
    outcome
}

/// Leads the search, shows progress, and prints the answer. `then` may add to the outcome.
pub fn answer<B: LeaderBus>(
    lead: &Lead,
    ledger: Ledger,
    bus: &mut B,
    threads: usize,
    show: Show,
    then: impl FnOnce(&mut Outcome),
) -> Result<Ending> {
    let mut outcome = follow(lead, &ledger, bus)?;
    then(&mut outcome);
    let solution =
        rex_cluster::solution(lead, ledger, &outcome, threads, |notice| log::warn(&notice.to_string()))?;
    let said = || solve::describe(&lead.state, &solution, false, None);
    output::answer(show, || answer::solve(&lead.state, &solution), said)?;
    Ok(solve::ending(&solution))
}

/// `1,234,567 nodes  98,765/s  black 12 white 40  4 workers  5 jobs  about 3.0 min left`.
pub fn describe(status: &LeadStatus) -> String {
    let [black, white] = status.bounds.map(text::thousands);
    let mut line = format!(
        "{}  {}/s  black {black} white {white}  {}  {}",
        text::count(status.nodes, "node"),
        text::thousands(status.rate as u64),
        text::count(status.workers.len() as u64, "worker"),
        text::count(status.jobs as u64, "job"),
    );
    if let Some(seconds) = status.estimate {
        // It comes over the network, so it may be anything.
        let left = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        line += &format!("  about {} left", text::seconds(left));
    }
    line
}
