//! `solrex prove`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rex_answers::answer::{self, seconds};
use rex_answers::certificate::Checked;
use rex_game::{Cell, Player, State};
use rex_search::StopReason;
use rex_search::prove::ProveError;
use serde_json::{Value, json};

use crate::arguments::position::PositionArg;
use crate::arguments::solver::{Kept, SearchArgs, WarmSolver};
use crate::cli::Show;
use crate::commands::check::report_failure;
use crate::commands::solve::stop_note;
use crate::show::certificate::{self, Verdict};
use crate::show::counter::Counter;
use crate::show::progress::ProgressLine;
use crate::show::style::{self, paint};
use crate::{Ending, show::output, show::text};

/// Solve a position and write a proof that anyone can check
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Where to write the certificate; compressed if the name ends in .zst. With - the text goes to standard output and
    /// messages to standard error
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Use the fewest theorems and name every move of the winner, so that 'check --play' can play it
    #[arg(long)]
    explicit: bool,
    /// Look for a shorter proof, which takes two to three times as long
    #[arg(long)]
    short: bool,
    /// Prove that this move wins
    #[arg(long = "move", value_name = "MOVE")]
    by: Option<String>,
    /// Also prove who wins after each move
    #[arg(long, conflicts_with = "by")]
    every_move: bool,
    #[command(flatten)]
    search: SearchArgs,
}

const EXAMPLES: &str = "\
Examples:
  solrex prove 4x4 d1 -o d1.cert
  solrex prove 5x5 a1 d2 -o a1d2.cert.zst
  solrex prove 6x6 --move a1 -o a1.cert.zst
  solrex prove 4x4 d1 --every-move -o replies-to-d1.cert
  solrex prove 4x4 a4 -o a4.cert --explicit && solrex check a4.cert --play
  solrex prove 5x5 a1 d2 -o - | zstd > a1d2.cert.zst

The file is written once the proof is complete and checked. Until then an existing file stays as it is.";

/// Solves a position, makes its certificate, checks that, and writes it.
pub fn run(args: &Args, show: Show) -> Result<Ending> {
    if !is_stdout(&args.output) {
        output::try_file(&args.output)?;
    }
    let mut warm = WarmSolver::new(args.search.settings(), Kept::default());
    let mut positions = 0;
    args.position.for_each(show, |state| {
        positions += 1;
        if positions > 1 {
            bail!("there is a second position; expected one, since there is one file to write");
        }
        prove(args, show, state, &mut warm)
    })
}

fn prove(args: &Args, show: Show, state: &State, warm: &mut WarmSolver) -> Result<Ending> {
    let by = args.by.as_deref().map(|name| named_move(state, name)).transpose()?;
    // The state to solve and prove: if a move is asked for, the one after it.
    let after = by.map_or(*state, |cell| state.play(cell));
    let limits = args.search.limits()?;
    let solver = warm.of(state.board())?;
    let mut solving = Duration::ZERO;
    let mut winner_of = |state: &State, line: ProgressLine| -> Result<Option<Player>> {
        let (solution, last) =
            line.watch(|shown| solver.ask(state).limits(&limits).on_progress(shown).verdict());
        solving += solution.time;
        if solution.winner.is_none() {
            tell(args, show, answer::solve(state, &solution), stop_note(&solution, last.as_ref()))?;
        }
        Ok(solution.winner)
    };
    let mut outcomes = Vec::new();
    if args.every_move {
        let moves = state.moves();
        for (i, cell) in moves.into_iter().enumerate() {
            let after = state.play(cell);
            if after.position.winner().is_some() {
                continue;
            }
            let line = ProgressLine::with_bar(state.board(), i, moves.len(), &state.board().name(cell));
            let Some(winner) = winner_of(&after, line)? else { return Ok(Ending::Stopped) };
            outcomes.push((cell, winner));
        }
    }
    let Some(winner) = winner_of(&after, ProgressLine::new(state.board()))? else {
        return Ok(Ending::Stopped);
    };
    if let Some(cell) = by.filter(|_| winner != state.to_move) {
        bail!("{} loses: {winner} wins after it", state.board().name(cell));
    }
    let started = Instant::now();
    let mut counter = Counter::new("claims found");
    let proof = solver
        .proof(&after, winner)
        .every_move(outcomes)
        .explicit(args.explicit)
        .short(args.short)
        .limits(&limits);
    let proof = proof.on_progress(|claims| counter.show(claims as u64)).prove();
    counter.finish();
    let proof = match proof {
        Ok(proof) => match by {
            Some(cell) => proof.of_the_move(state, cell),
            None => proof,
        },
        Err(ProveError::Stopped(reason)) => return stopped(args, show, state, winner, reason),
        Err(error) => bail!(error),
    };
    let bytes = certificate::bytes(proof, &args.output)?;
    let proving = started.elapsed();
    let checked = match certificate::check_made(&bytes, state, winner)? {
        Verdict::Proved(checked) => checked,
        Verdict::Stopped => return stopped(args, show, state, winner, StopReason::Interrupt),
        Verdict::Refused(error) => return report_failure(show, &args.output, &error),
    };
    if is_stdout(&args.output) {
        output::bytes(&bytes)?;
    } else {
        output::file(&args.output, &bytes)?;
    }
    let mut object = checked.json(Some(args.output.display().to_string()));
    object["solve_seconds"] = seconds(solving).into();
    object["prove_seconds"] = seconds(proving).into();
    tell(args, show, object, describe(&checked, &args.output, solving, proving))?;
    Ok(Ending::Answered)
}

/// The cell of `--move`.
fn named_move(state: &State, name: &str) -> Result<Cell> {
    let cell = state.board().cell_named(name).filter(|&cell| state.moves().has(cell));
    cell.with_context(|| format!("bad --move: '{name}'; expected an empty cell of {state}"))
}

/// Says who wins, and that the proof was stopped.
fn stopped(args: &Args, show: Show, state: &State, winner: Player, reason: StopReason) -> Result<Ending> {
    let reason = reason.word();
    let object = json!({ "position": state.to_string(), "winner": winner.to_string(), "stopped": reason });
    let said = format!("{winner} wins, but the proof was stopped ({reason}); nothing was written.\n");
    tell(args, show, object, said)?;
    Ok(Ending::Stopped)
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Prints a message where it does not get between the lines of the certificate.
fn tell(args: &Args, show: Show, object: Value, said: String) -> Result<()> {
    let what = if show.json { output::json_line(object) } else { said };
    if is_stdout(&args.output) {
        let _ = anstream::stderr().write_all(what.as_bytes());
        return Ok(());
    }
    output::text(&what)
}

fn describe(checked: &Checked, path: &Path, solving: Duration, proving: Duration) -> String {
    let mut said = format!(
        "{}time: solved in {}, proved in {}, checked in {}\n",
        certificate::describe(checked),
        text::seconds(solving),
        text::seconds(proving),
        text::seconds(checked.time),
    );
    if !is_stdout(path) {
        said += &format!("{}\n", paint(style::STRONG, format!("Written to {}.", path.display())));
    }
    said
}
