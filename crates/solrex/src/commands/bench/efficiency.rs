//! How much of a search its proof needed.
//!
//! The ideal search visits the positions of a shortest proof and nothing else. So after each search, this writes a
//! certificate from what the search has solved, and counts the positions that the proof needs.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rex_answers::answer::{add, seconds};
use rex_search::prove::{Extent, ProveError};
use rex_search::{Limits, Settings, Solution, Solver};
use serde_json::{Value, json};

use super::measure::WIDTH;
use super::suite::Suite;
use crate::cli::Show;
use crate::show::counter::Counter;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text, system::interrupt};

/// A search and its proof.
struct EfficiencyRow {
    solution: Solution,
    /// The size of the proof, if there is one.
    proof: Option<ProofSize>,
}

#[derive(Clone, Copy, Default)]
struct ProofSize {
    extent: Extent,
    claims: usize,
    proving: Duration,
}

/// Solves and proves each position of a suite, each from an empty table.
pub fn run(suite: &Suite, settings: &Settings, limits: &Limits, show: Show) -> Result<Ending> {
    if !show.json {
        let title = format!(
            "{:<WIDTH$} {:<8} {:>9} {:>11} {:>11} {:>7} {:>9} {:>9} {:>9}",
            "position", "winner", "proof", "nodes", "struck", "ratio", "claims", "forgotten", "seconds"
        );
        output::text(&format!("{}\n", paint(style::STRONG, title)))?;
    }
    let mut status = Ending::Answered;
    let (mut total, mut proofs) = (Solution::default(), ProofSize::default());
    for (number, (label, state)) in suite.positions.iter().enumerate() {
        let solver = Solver::new(state.board(), settings.clone())?;
        let line = ProgressLine::with_bar(state.board(), number, suite.positions.len(), label);
        let (solution, _) = line.watch(|shown| solver.ask(state).limits(limits).on_progress(shown).verdict());
        let mut row = EfficiencyRow { solution, proof: None };
        if let Some(winner) = row.solution.winner {
            let started = Instant::now();
            let mut counter = Counter::new("claims found");
            let proof = solver.proof(state, winner).short(true).limits(limits);
            let proof = proof.on_progress(|claims| counter.show(claims as u64)).prove();
            counter.finish();
            match proof {
                Ok(proof) => {
                    let (extent, claims) = (proof.extent, proof.claims.len());
                    row.proof = Some(ProofSize { extent, claims, proving: started.elapsed() });
                }
                Err(ProveError::Stopped(reason)) => row.solution.stopped = Some(reason),
                Err(error) => bail!(error),
            }
        }
        if let Some(found) = row.proof {
            proofs.extent.positions += found.extent.positions;
            proofs.extent.forgotten += found.extent.forgotten;
            proofs.extent.nodes += found.extent.nodes;
            proofs.claims += found.claims;
            proofs.proving += found.proving;
            total.nodes += row.solution.nodes;
            total.struck += row.solution.struck;
            total.time += row.solution.time;
        } else {
            status = Ending::Stopped;
        }
        output::answer(show, || row.json("position", label), || row.line(label))?;
        if interrupt::pressed() {
            return Ok(Ending::Stopped);
        }
    }
    let total = EfficiencyRow { solution: total, proof: Some(proofs) };
    let line = || paint(style::STRONG, total.line("total"));
    output::answer(show, || total.json("suite", &suite.name), line)?;
    Ok(status)
}

impl EfficiencyRow {
    fn ratio(&self) -> Option<f64> {
        let positions = self.proof?.extent.positions;
        (self.solution.nodes > 0).then(|| positions as f64 / self.solution.nodes as f64)
    }

    fn line(&self, label: &str) -> String {
        let winner = self.solution.winner.map_or("", text::name);
        let found = |number: &dyn Fn(&ProofSize) -> usize| {
            self.proof.as_ref().map_or("–".to_owned(), |proof| text::thousands(number(proof) as u64))
        };
        let ratio = self.ratio().map_or("–".to_owned(), |ratio| format!("{:.1} %", 100.0 * ratio));
        let proving = self.proof.map_or(Duration::ZERO, |proof| proof.proving);
        let line = format!(
            "{label:<WIDTH$} {winner:<8} {:>9} {:>11} {:>11} {ratio:>7} {:>9} {:>9} {:>9.3}",
            found(&|proof| proof.extent.positions),
            text::thousands(self.solution.nodes),
            text::thousands(self.solution.struck),
            found(&|proof| proof.claims),
            found(&|proof| proof.extent.forgotten),
            (self.solution.time + proving).as_secs_f64(),
        );
        let stopped =
            self.solution.stopped.map_or(String::new(), |reason| format!("  (stopped: {})", reason.word()));
        format!("{line}{stopped}\n")
    }

    /// The JSON object for a position, or for a suite, whose positions may have different winners.
    fn json(&self, key: &str, label: &str) -> Value {
        let mut object = json!({
            key: label,
            "winner": self.solution.winner.map(|player| player.to_string()),
            "proof": self.proof.map(|proof| proof.extent.positions),
            "nodes": self.solution.nodes,
            "struck": self.solution.struck,
            "efficiency": self.ratio(),
            "claims": self.proof.map(|proof| proof.claims),
            "forgotten": self.proof.map(|proof| proof.extent.forgotten),
            "forgotten_nodes": self.proof.map(|proof| proof.extent.nodes),
            "seconds": seconds(self.solution.time),
            "prove_seconds": self.proof.map(|proof| seconds(proof.proving)),
        });
        add(&mut object, "stopped", self.solution.stopped.map(|reason| reason.word()));
        object
    }
}
