//! `solrex db verify`: every entry by itself, and some of them solved again.

use anyhow::Result;
use rex::{Player, State};
use rex_search::Limits;
use rex_store::{Place, Record, Store};
use serde_json::json;

use crate::answer::V;
use crate::cli::Show;
use crate::counter::Counter;
use crate::random::Random;
use crate::search_args::{SearchArgs, WarmSolver};
use crate::style::{self, paint};
use crate::{Status, interrupt, output, text, units};

/// Check every position by itself, and solve some again
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  solrex db verify\n  solrex db verify --sample 1000 --nodes 1M --db solved.redb"
)]
pub struct Args {
    /// How many positions to solve again
    #[arg(long, value_name = "N", default_value = "100", value_parser = units::count)]
    sample: u64,
    /// Chance, to take the same sample again
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    search: SearchArgs,
}

/// A search that takes longer is given up, unless the limits say otherwise.
const NODES: u64 = 1_000_000;

/// What was found.
#[derive(Default)]
struct Found {
    entries: u64,
    flawed: u64,
    right: u64,
    wrong: u64,
    undecided: u64,
}

/// Checks the store.
pub fn run(args: &Args, store: &mut Store, show: Show) -> Result<Status> {
    // Until here a signal may simply kill: nothing is known yet.
    store.check()?;
    let mut limits = args.search.limits()?;
    if limits.time.is_none() {
        limits.nodes.get_or_insert(NODES);
    }
    let mut found = Found::default();
    let sample = look_through(args, store, &mut found, show)?;
    let mut warm = WarmSolver::new(args.search.settings(), None);
    let mut counter = Counter::of_few("positions solved again");
    for (number, (place, record)) in sample.iter().enumerate() {
        counter.show(number as u64);
        match solve_again(&mut warm, &limits, place, record)? {
            _ if interrupt::pressed() => break,
            Outcome::Right => found.right += 1,
            Outcome::Undecided => found.undecided += 1,
            Outcome::Wrong(why) => {
                found.wrong += 1;
                complain(Some(place), &why, show)?;
            }
        }
    }
    counter.finish();
    tell(&found, show)?;
    Ok(if found.flawed + found.wrong > 0 {
        Status::CheckFailed
    } else if interrupt::pressed() {
        Status::Stopped
    } else {
        Status::Answered
    })
}

/// Checks every entry by itself, and draws the sample.
fn look_through(args: &Args, store: &Store, found: &mut Found, show: Show) -> Result<Vec<(Place, Record)>> {
    let mut random = Random(args.seed);
    let mut sample = Vec::new();
    let mut complaint = Ok(());
    let mut counter = Counter::new("positions looked at");
    store.each(None, &mut |entry| {
        if interrupt::pressed() {
            return;
        }
        found.entries += 1;
        counter.show(found.entries);
        let flaw = match &entry {
            None => Some("it cannot be read".to_owned()),
            Some((place, record)) => place.flaw(record).map(|flaw| flaw.to_string()),
        };
        if let Some(flaw) = flaw {
            found.flawed += 1;
            if complaint.is_ok() {
                complaint = complain(entry.as_ref().map(|(place, _)| place), &flaw, show);
            }
        } else if let Some(entry) = entry {
            // Each of those seen so far is in the sample with the same chance.
            if (sample.len() as u64) < args.sample {
                sample.push(entry);
            } else if let Some(slot) = sample.get_mut(random.below(found.entries as usize)) {
                *slot = entry;
            }
        }
    })?;
    counter.finish();
    complaint?;
    Ok(sample)
}

enum Outcome {
    Right,
    Wrong(String),
    Undecided,
}

/// Solves each game that the record has an answer for, and tries its winning moves.
fn solve_again(warm: &mut WarmSolver, limits: &Limits, place: &Place, record: &Record) -> Result<Outcome> {
    let solver = warm.of(place.board)?;
    let winner = |state: &State| solver.verdict(state, limits, &mut |_| {}).winner;
    for last in Player::BOTH {
        let Some(claimed) = record.known.winner(last) else { continue };
        let state = place.field(last).to_state();
        let Some(real) = winner(&state) else { return Ok(Outcome::Undecided) };
        if real != claimed {
            let [claimed, last] = [claimed, last].map(text::name);
            return Ok(Outcome::Wrong(format!("{claimed} should win when {last} is Last, and does not")));
        }
        let mover = state.to_move;
        if let Some(best) = record.best[mover.index()].filter(|_| claimed == mover) {
            let Some(real) = winner(&state.play(best)) else { return Ok(Outcome::Undecided) };
            if real != mover {
                let cell = place.board.name(best);
                return Ok(Outcome::Wrong(format!(
                    "{} should win with {cell}, and does not",
                    text::name(mover)
                )));
            }
        }
    }
    Ok(Outcome::Right)
}

fn complain(place: Option<&Place>, why: &str, show: Show) -> Result<()> {
    let name = place.map_or_else(|| "a position".to_owned(), |place| format!("'{place}'"));
    if show.json {
        output::json(&json!({ "v": V, "position": place.map(ToString::to_string), "error": why }))
    } else {
        output::text(&format!("{} {name}: {why}\n", paint(style::LOSS, "wrong:")))
    }
}

fn tell(found: &Found, show: Show) -> Result<()> {
    let Found { entries, flawed, right, wrong, undecided } = *found;
    if show.json {
        return output::json(&json!({
            "v": V, "entries": entries, "flawed": flawed, "right": right, "wrong": wrong, "undecided": undecided,
        }));
    }
    let entries = text::count(entries, "position");
    let [flawed, again, wrong, undecided] =
        [flawed, right + wrong + undecided, wrong, undecided].map(text::thousands);
    output::text(&format!(
        "{entries} looked at, {flawed} flawed; {again} solved again, {wrong} wrong, {undecided} not within the limits\n"
    ))
}
