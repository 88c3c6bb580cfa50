//! `solrex prove`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rex::{Cell, State};
use rex_search::Progress;
use rex_search::prove::{Proof, ProveError};

use crate::answer::{SolveAnswer, seconds};
use crate::certificate::{self, Checked};
use crate::cli::Show;
use crate::counter::Counter;
use crate::position_arg::PositionArg;
use crate::progress::ProgressLine;
use crate::search_args::{SearchArgs, WarmSolver};
use crate::solve::stop_note;
use crate::style::{self, paint};
use crate::{Status, interrupt, output, text};

/// Solve a position and write a proof that others can check
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Where to write the certificate; compressed when the name ends in .zst
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Only joins, moves, pairings and images: the fewest theorems, and a strategy that can be played
    #[arg(long)]
    explicit: bool,
    /// Prove that this move wins, so that the certificate names it
    #[arg(long = "move", value_name = "MOVE")]
    by: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex prove 4x4 d1 -o d1.cert
  solrex prove 5x5 a1 d2 -o a1d2.cert.zst
  solrex prove 6x6 --move a1 -o a1.cert.zst
  solrex prove 4x4 a4 -o a4.cert --explicit && solrex check a4.cert --play";

/// Solves a position, writes its certificate, and checks what was written.
pub fn run(args: &Args, show: Show) -> Result<Status> {
    let mut warm = WarmSolver::new(args.search.settings(), None);
    let mut positions = 0;
    args.position.for_each(show, |state| {
        positions += 1;
        if positions > 1 {
            bail!("a second position; expected one, since there is one file to write");
        }
        prove(args, show, state, &mut warm)
    })
}

fn prove(args: &Args, show: Show, state: &State, warm: &mut WarmSolver) -> Result<Status> {
    let by = args.by.as_deref().map(|name| named_move(state, name)).transpose()?;
    // What is solved and proved: the position after the move, if one is asked for.
    let after = by.map_or(*state, |cell| state.play(cell));
    let limits = args.search.limits()?;
    let solver = warm.of(state.board())?;
    let mut line = ProgressLine::new(state.board());
    let solution = interrupt::while_busy(|| {
        solver.verdict(&after, &limits, &mut |progress: &Progress| line.update(progress))
    });
    let last = line.finish();
    let Some(winner) = solution.winner else {
        if show.json {
            output::json(&SolveAnswer::new(&after, &solution))?;
        } else {
            output::text(&stop_note(&solution, last.as_ref()))?;
        }
        return Ok(Status::Stopped);
    };
    if let Some(cell) = by.filter(|_| winner != state.to_move) {
        bail!("{} loses: {winner} wins after it", state.board().name(cell));
    }
    let started = Instant::now();
    let mut counter = Counter::new("claims found");
    let proof = interrupt::while_busy(|| {
        let mut listener = |claims: usize| counter.show(claims as u64);
        rex_search::prove::prove(solver, &after, winner, args.explicit, &limits, &mut listener)
    });
    counter.finish();
    let proof = match proof {
        Ok(proof) => match by {
            Some(cell) => proof.of_the_move(state, cell),
            None => proof,
        },
        Err(ProveError::Stopped(reason)) => {
            let note = format!("{winner} wins, but the proof was stopped ({})", reason.word());
            if show.json {
                output::json(&serde_json::json!({
                    "v": crate::answer::V,
                    "position": state.to_string(),
                    "winner": winner.to_string(),
                    "stopped": reason.word(),
                }))?;
            } else {
                output::text(&format!("{note}; nothing was written.\n"))?;
            }
            return Ok(Status::Stopped);
        }
        Err(error) => bail!(error),
    };
    write(proof, &args.output).with_context(|| format!("cannot write '{}'", args.output.display()))?;
    let proving = started.elapsed();
    let mut counter = Counter::new("claims checked");
    let mut claims = 0;
    let checked = certificate::check(&args.output, &mut |_, _| {
        claims += 1;
        counter.show(claims);
    })?;
    counter.finish();
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => {
            return crate::check::report_failure(show, &args.output, &error);
        }
    };
    if checked.report.state != *state || checked.report.winner != winner {
        bail!("'{}' proves something else", args.output.display());
    }
    if show.json {
        let mut map = checked.json(&args.output);
        map.insert("solve_seconds".to_owned(), seconds(solution.time).into());
        map.insert("prove_seconds".to_owned(), seconds(proving).into());
        output::json(&map)?;
    } else {
        output::text(&describe(&checked, &args.output, solution.time, proving))?;
    }
    Ok(Status::Answered)
}

/// The cell of `--move`.
fn named_move(state: &State, name: &str) -> Result<Cell> {
    let cell = state.board().cell_named(name).filter(|&cell| state.moves().has(cell));
    cell.with_context(|| format!("bad --move: '{name}'; expected an empty cell of {state}"))
}

fn write(proof: Proof, path: &Path) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    if path.extension().is_some_and(|extension| extension == "zst") {
        const LEVEL: i32 = 9;
        let mut text = Vec::new();
        proof.write(&mut text)?;
        let mut encoder = zstd::Encoder::new(&mut file, LEVEL)?;
        // Without the size it takes 12 MB of memory, which on small files is most of the time.
        encoder.set_pledged_src_size(Some(text.len() as u64))?;
        encoder.write_all(&text)?;
        encoder.finish()?;
    } else {
        proof.write(&mut file)?;
    }
    Ok(file.flush()?)
}

fn describe(
    checked: &Checked,
    path: &Path,
    solving: std::time::Duration,
    proving: std::time::Duration,
) -> String {
    format!(
        "{}time: solved in {}, proved in {}, checked in {}\n{}\n",
        checked.describe(),
        text::seconds(solving),
        text::seconds(proving),
        text::seconds(checked.time),
        paint(style::STRONG, format!("Written to {}.", path.display())),
    )
}
