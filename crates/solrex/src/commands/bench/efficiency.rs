//! How much of a search its proof needed.
//!
//! The ideal search visits the positions of a shortest proof and nothing else. So after each search, this writes a
//! certificate from what the search has solved, and counts the positions that the proof needs.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rex_game::Player;
use rex_search::prove::{Extent, ProveError};
use rex_search::{Limits, Settings, Solver, StopReason};
use serde_json::{Value, json};

use super::suite::Suite;
use crate::cli::Show;
use crate::show::answer::{add, seconds};
use crate::show::counter::Counter;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{Status, show::output, show::text, system::interrupt};

/// A search and its proof.
struct EfficiencyRow {
    winner: Option<Player>,
    /// Nodes of the search.
    nodes: u64,
    /// The size of the proof, if there is one.
    proof: Option<ProofSize>,
    stopped: Option<StopReason>,
    solving: Duration,
}

#[derive(Clone, Copy, Default)]
struct ProofSize {
    extent: Extent,
    claims: usize,
    proving: Duration,
}

/// Solves and proves each position of a suite, each from an empty table.
pub fn run(suite: &Suite, settings: &Settings, limits: &Limits, show: Show) -> Result<Status> {
    if !show.json {
        let title = format!(
            "{:<WIDTH$} {:<8} {:>9} {:>11} {:>7} {:>9} {:>9} {:>9}",
            "position", "winner", "proof", "nodes", "ratio", "claims", "forgotten", "seconds"
        );
        output::text(&format!("{}\n", paint(style::STRONG, title)))?;
    }
    let mut status = Status::Answered;
    let (mut total, mut nodes, mut solving) = (ProofSize::default(), 0, Duration::ZERO);
    for (number, (label, state)) in suite.positions.iter().enumerate() {
        let solver = Solver::new(state.board(), settings.clone())?;
        let mut line = ProgressLine::with_bar(state.board(), number, suite.positions.len(), label);
        let solution =
            solver.ask(state).limits(limits).on_progress(|progress| line.update(progress)).verdict();
        line.finish();
        let mut row = EfficiencyRow {
            winner: solution.winner,
            nodes: solution.nodes,
            proof: None,
            stopped: solution.stopped,
            solving: solution.time,
        };
        if let Some(winner) = solution.winner {
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
                Err(ProveError::Stopped(reason)) => row.stopped = Some(reason),
                Err(error) => bail!(error),
            }
        }
        if let Some(found) = row.proof {
            total.extent.positions += found.extent.positions;
            total.extent.forgotten += found.extent.forgotten;
            total.extent.nodes += found.extent.nodes;
            total.claims += found.claims;
            total.proving += found.proving;
            nodes += row.nodes;
            solving += row.solving;
        } else {
            status = Status::Stopped;
        }
        output::answer(show, || row.json("position", label), || row.line(label))?;
        if interrupt::pressed() {
            return Ok(Status::Stopped);
        }
    }
    let total = EfficiencyRow { winner: None, nodes, proof: Some(total), stopped: None, solving };
    let line = || paint(style::STRONG, total.line("total"));
    output::answer(show, || total.json("suite", &suite.name), line)?;
    Ok(status)
}

const WIDTH: usize = 46;

impl EfficiencyRow {
    fn ratio(&self) -> Option<f64> {
        let positions = self.proof?.extent.positions;
        (self.nodes > 0).then(|| positions as f64 / self.nodes as f64)
    }

    fn line(&self, label: &str) -> String {
        let winner = self.winner.map_or("", text::name);
        let found = |number: &dyn Fn(&ProofSize) -> usize| {
            self.proof.as_ref().map_or("–".to_owned(), |proof| text::thousands(number(proof) as u64))
        };
        let ratio = self.ratio().map_or("–".to_owned(), |ratio| format!("{:.1} %", 100.0 * ratio));
        let proving = self.proof.map_or(Duration::ZERO, |proof| proof.proving);
        let line = format!(
            "{label:<WIDTH$} {winner:<8} {:>9} {:>11} {ratio:>7} {:>9} {:>9} {:>9.3}",
            found(&|proof| proof.extent.positions),
            text::thousands(self.nodes),
            found(&|proof| proof.claims),
            found(&|proof| proof.extent.forgotten),
            (self.solving + proving).as_secs_f64(),
        );
        let stopped = self.stopped.map_or(String::new(), |reason| format!("  (stopped: {})", reason.word()));
        format!("{line}{stopped}\n")
    }

    /// The JSON object for a position, or for a suite, whose positions may have different winners.
    fn json(&self, key: &str, label: &str) -> Value {
        let mut object = json!({
            key: label,
            "winner": self.winner.map(|player| player.to_string()),
            "proof": self.proof.map(|proof| proof.extent.positions),
            "nodes": self.nodes,
            "efficiency": self.ratio(),
            "claims": self.proof.map(|proof| proof.claims),
            "forgotten": self.proof.map(|proof| proof.extent.forgotten),
            "forgotten_nodes": self.proof.map(|proof| proof.extent.nodes),
            "seconds": seconds(self.solving),
            "prove_seconds": self.proof.map(|proof| seconds(proof.proving)),
        });
        add(&mut object, "stopped", self.stopped.map(|reason| reason.word()));
        object
    }
}
