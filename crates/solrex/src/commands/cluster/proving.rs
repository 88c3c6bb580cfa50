//! `solrex cluster coordinate --prove`: an answer with a certificate, from workers that nobody has to trust.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rex_answers::answer::{self, seconds};
use rex_answers::certificate::Checked;
use rex_cluster::bus::LeaderBus;
use rex_cluster::{BusError, Certify, CertifyError, Findings, Lead, Ledger, Outcome, RunError, Step, Wrong};
use rex_game::{Player, State};
use rex_search::prove::Proof;
use rex_search::{Limits, Solution, StopReason};
use rex_store::{Place, Record, StoreError};
use serde_json::{Value, json};

use crate::arguments::solver::cores;
use crate::cli::Show;
use crate::commands::check::report_failure;
use crate::commands::cluster::leading;
use crate::commands::solve;
use crate::show::certificate::{self, Verdict};
use crate::show::progress::{ProgressLine, describe};
use crate::show::style::{self, paint};
use crate::{Ending, show::log, show::output, show::text};

/// Whether to prove the answer.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Proof")]
pub struct ProofArgs {
    /// Write a certificate of the answer, made and checked here, so that no worker has to be trusted; compressed if the name
    /// ends in .zst
    #[arg(long, value_name = "FILE")]
    prove: Option<PathBuf>,
    /// Use the fewest theorems in it and name every move of the winner, so that 'check --play' can play it
    #[arg(long, requires = "prove")]
    pub explicit: bool,
}

impl ProofArgs {
    /// Where to write the certificate.
    pub fn file(&self) -> Option<&Path> {
        self.prove.as_deref()
    }

    /// Fails now if it could not be written later.
    pub fn try_file(&self) -> Result<()> {
        match self.file() {
            Some(file) if file == Path::new("-") => bail!("bad --prove: '-'; expected the name of a file"),
            Some(file) => output::try_file(file),
            None => Ok(()),
        }
    }

    /// Fails if there are more positions than files to write.
    pub fn allow(&self, positions: usize) -> Result<()> {
        if self.prove.is_some() && positions > 1 {
            bail!("there is a second position; expected one, since there is one file to write");
        }
        Ok(())
    }
}

/// Leads the search, proves the answer, checks the certificate, writes it, and prints the answer.
pub fn answer<B: LeaderBus>(
    lead: &Lead,
    ledger: &Ledger,
    bus: &mut B,
    file: &Path,
    explicit: bool,
    show: Show,
) -> Result<Ending> {
    let started = Instant::now();
    let outcome = match leading::follow(lead, ledger, bus) {
        // Somebody has lied. The proof will show who.
        Err(RunError::Store(StoreError::Clash(_, place))) => {
            log::warn(&format!(
                "answers of workers contradict each other at '{place}'; the rest of the search is done here"
            ));
            bus.leave(true);
            None
        }
        outcome => Some(outcome?),
    };
    let said = outcome.as_ref().and_then(|outcome| outcome.winner);
    if let Some(outcome) = outcome.as_ref().filter(|outcome| outcome.winner.is_none()) {
        return not_solved(lead, outcome, show);
    }
    let began = Instant::now();
    let (proof, findings) = match certify(lead, ledger, explicit) {
        Ok(certified) => certified,
        Err(CertifyError::Stopped(reason)) => return stopped(lead, said, reason, show),
        Err(error) => bail!(error),
    };
    let bytes = certificate::bytes(proof, file)?;
    let proving = began.elapsed();
    let checked = match certificate::check_made(&bytes, &lead.state, findings.winner)? {
        Verdict::Proved(checked) => checked,
        Verdict::Stopped => return stopped(lead, said, StopReason::Interrupt, show),
        Verdict::Refused(error) => return report_failure(show, file, &error),
    };
    output::file(file, &bytes)?;
    if !findings.corrected.is_empty()
        && let Err(error) = share(bus, &findings.corrected)
    {
        log::warn(&format!("the server still tells workers what is false: {error}"));
    }
    let limits = Limits { cancel: Some(lead.cancel.clone()), ..Limits::default() };
    let mut solution = findings.solution(&lead.state, &limits);
    let searched = outcome.map_or(0, |outcome| outcome.nodes).saturating_add(findings.nodes);
    solution.nodes = solution.nodes.saturating_add(searched);
    solution.time = started.elapsed();
    let proved = Proved { state: lead.state, solution, said, findings, checked, proving, file };
    output::answer(show, || proved.json(), || proved.text())?;
    Ok(Ending::Answered)
}

/// Tells the workers, and waits until the server has it.
fn share<B: LeaderBus>(bus: &mut B, solved: &[(Place, Record)]) -> Result<(), BusError> {
    let until = Instant::now() + PATIENCE;
    // Nothing more to share goes through once the rest has arrived.
    for solved in [solved, &[]] {
        loop {
            match bus.share(solved) {
                Ok(true) => break,
                Ok(false) | Err(BusError::Lost(_)) if Instant::now() < until => std::thread::sleep(PAUSE),
                Ok(false) => return Err(BusError::Lost("it does not answer".to_owned())),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// How long to try to tell the workers, and how often.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(50);

/// Makes the certificate, and shows progress.
fn certify(lead: &Lead, ledger: &Ledger, explicit: bool) -> Result<(Proof, Findings), CertifyError> {
    let started = Instant::now();
    let board = lead.state.board();
    let mut line = ProgressLine::new(board);
    let request = Certify { lead, ledger, explicit, threads: cores(), alone: Certify::ALONE };
    let certified = request.run(&mut |step| match step {
        Step::Claims(claims) => {
            line.show(started.elapsed(), &format!("{} found", text::count(claims as u64, "claim")));
        }
        Step::Search(progress) => {
            let search = describe(board, progress, None);
            line.show(started.elapsed(), &format!("for the proof: {search}"));
        }
        Step::Doubt(state) => {
            log::note(&format!("no proof that {} wins '{state}' was found soon", state.to_move));
        }
        Step::Wrong(wrong) => {
            line.finish();
            log::warn(&sentence(wrong));
        }
    });
    line.finish();
    certified
}

/// `it is false that white wins 'b3w/5/5/5/5 b'; two-4711 reported it`.
fn sentence(Wrong { state, said, reporter }: &Wrong) -> String {
    let reporter = reporter.as_deref().map(|name| format!("; {name} reported it")).unwrap_or_default();
    format!("it is false that {said} wins '{state}'{reporter}")
}

/// Says that the search itself was stopped.
fn not_solved(lead: &Lead, outcome: &Outcome, show: Show) -> Result<Ending> {
    let (nodes, time) = (outcome.nodes, outcome.time);
    let solution = Solution { nodes, time, stopped: Some(StopReason::Interrupt), ..Solution::default() };
    let said = || solve::describe(&lead.state, &solution, false, None);
    output::answer(show, || answer::solve(&lead.state, &solution), said)?;
    Ok(Ending::Stopped)
}

/// Says what the cluster said, and that the proof was stopped.
fn stopped(lead: &Lead, said: Option<Player>, reason: StopReason, show: Show) -> Result<Ending> {
    let reason = reason.word();
    let winner = said.map(|winner| winner.to_string());
    let object = json!({ "position": lead.state.to_string(), "winner": winner, "stopped": reason });
    let line = || {
        let said = winner.as_ref().map(|winner| format!("The workers say that {winner} wins, but the"));
        let said = said.unwrap_or_else(|| "The".to_owned());
        format!(
            "{said} proof was stopped ({reason}); nothing was written. To continue, start it again with the same store.\n"
        )
    };
    output::answer(show, || object, line)?;
    Ok(Ending::Stopped)
}

/// A proved answer.
struct Proved<'a> {
    state: State,
    solution: Solution,
    /// Who wins according to the workers, if they came to an end.
    said: Option<Player>,
    findings: Findings,
    checked: Checked,
    proving: Duration,
    file: &'a Path,
}

impl Proved<'_> {
    fn json(&self) -> Value {
        let Findings { unconfirmed, nodes, .. } = &self.findings;
        let wrong = |Wrong { state, said, reporter }: &Wrong| json!({ "position": state.to_string(), "said": said.to_string(), "reporter": reporter });
        let mut proof = self.checked.json(Some(self.file.display().to_string()));
        proof["prove_seconds"] = seconds(self.proving).into();
        proof["nodes"] = (*nodes).into();
        proof["workers_said"] = json!(self.said.map(|player| player.to_string()));
        proof["false"] = self.findings.wrong.iter().map(wrong).collect();
        proof["unconfirmed"] = (*unconfirmed).into();
        let mut object = answer::solve(&self.state, &self.solution);
        object["proof"] = proof;
        object
    }

    fn text(&self) -> String {
        let Findings { winner, wrong, unconfirmed, nodes, .. } = &self.findings;
        let mut said = solve::describe(&self.state, &self.solution, false, None);
        if let Some(other) = self.said.filter(|said| said != winner) {
            said += &format!("The workers had said that {other} wins, and that was wrong.\n");
        }
        if !wrong.is_empty() {
            let of = text::count(wrong.len() as u64, "false statement");
            said += &format!("{of} found in the store and removed:\n");
            for wrong in wrong.iter().take(MOST_LISTED) {
                said += &format!("  {}\n", sentence(wrong));
            }
            if wrong.len() > MOST_LISTED {
                said += "  …\n";
            }
        }
        if *unconfirmed > 0 {
            let of = text::count(*unconfirmed as u64, "statement");
            said += &format!("{of} in the store could not be confirmed, and was not needed.\n");
        }
        said += &format!(
            "\n{}time: proved in {}, with {} searched again here, and checked in {}\n{}\n",
            certificate::describe(&self.checked),
            text::seconds(self.proving),
            text::count(*nodes, "node"),
            text::seconds(self.checked.time),
            paint(style::STRONG, format!("Written to {}.", self.file.display())),
        );
        said
    }
}

/// How many false statements are listed for people.
const MOST_LISTED: usize = 20;
