//! `solrex db verify`: checks every entry by itself, and solves some of them again.

use anyhow::Result;
use rex_game::{Player, Random, State};
use rex_search::Limits;
use rex_store::{Place, Record, Store};
use rex_theory::fill_in::RULES;
use serde_json::json;

use crate::arguments::solver::{Kept, SearchArgs, WarmSolver};
use crate::cli::Show;
use crate::show::counter::Counter;
use crate::show::style::{self, paint};
use crate::{Ending, arguments::units, show::output, show::text, system::interrupt};

/// Check every entry, and solve some positions again
///
/// An entry can be damaged (it cannot be read, or cannot be a solved position; 'db compact' repairs or drops it), wrong
/// (it names the wrong winner or move), or stale (filled in by the rules of another version: true, but searches may not
/// find it before 'db compact'). The exit status is 1 for the first two.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  solrex db verify\n  solrex db verify --sample 1000 --nodes 1M --db solved.redb"
)]
pub struct Args {
    #[command(flatten)]
    sample: SampleArgs<100>,
}

/// Which positions are solved again, and how. `N` is how many unless it is said.
#[derive(clap::Args, Debug)]
pub struct SampleArgs<const N: u64> {
    /// How many positions to solve again
    #[arg(long, value_name = "N", default_value_t = N, value_parser = units::count)]
    sample: u64,
    /// Random seed: the same number takes the same sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    search: SearchArgs,
}

/// Give up a search after this many nodes, unless the limits say otherwise.
const NODES: u64 = 1_000_000;

/// The result of solving positions again.
#[derive(Clone, Copy, Default)]
pub struct Again {
    /// Positions that agree with their entry.
    pub right: u64,
    /// Positions that do not.
    pub wrong: u64,
    /// Positions not solved within the limits.
    pub undecided: u64,
    /// Whether the user stopped it.
    pub stopped: bool,
}

impl Again {
    /// How many positions were solved.
    pub fn solved(&self) -> u64 {
        self.right + self.wrong
    }
}

impl<const N: u64> SampleArgs<N> {
    /// Solves a sample of these positions again, and reports the wrong ones.
    pub fn solve_again(&self, entries: &[(Place, Record)], show: Show) -> Result<Again> {
        let mut random = Random(self.seed);
        let mut sample: Vec<&(Place, Record)> = Vec::new();
        for (seen, entry) in entries.iter().enumerate() {
            // Reservoir sampling: every entry so far is in the sample with the same probability.
            if (sample.len() as u64) < self.sample {
                sample.push(entry);
            } else if let Some(slot) = sample.get_mut(random.below(seen + 1)) {
                *slot = entry;
            }
        }
        let mut limits = self.search.limits()?;
        if limits.time.is_none() {
            limits.nodes.get_or_insert(NODES);
        }
        let mut warm = WarmSolver::new(self.search.settings(), Kept::default());
        let mut counter = Counter::of_few("positions solved again");
        let mut again = Again::default();
        for (number, (place, record)) in sample.into_iter().enumerate() {
            counter.show(number as u64);
            match solve_again(&mut warm, &limits, place, record)? {
                _ if interrupt::pressed() => {
                    again.stopped = true;
                    break;
                }
                Verdict::Right => again.right += 1,
                Verdict::Undecided => again.undecided += 1,
                Verdict::Wrong(why) => {
                    again.wrong += 1;
                    complain(Some(place), "wrong", &why, show)?;
                }
            }
        }
        counter.finish();
        Ok(again)
    }
}

/// What was found.
#[derive(Default)]
struct Tally {
    entries: u64,
    damaged: u64,
    stale: u64,
}

/// Checks the store.
pub fn run(args: &Args, store: &mut Store, show: Show) -> Result<Ending> {
    // Up to here a signal may simply kill the process: nothing is known yet.
    store.check()?;
    let mut found = Tally::default();
    let sound = look_through(store, &mut found, show)?;
    let again = args.sample.solve_again(&sound, show)?;
    tell(&found, &again, show)?;
    Ok(if found.damaged + again.wrong > 0 {
        Ending::CheckFailed
    } else if again.stopped {
        Ending::Stopped
    } else {
        Ending::Answered
    })
}

/// Checks every entry by itself, and returns the sound ones.
fn look_through(store: &Store, found: &mut Tally, show: Show) -> Result<Vec<(Place, Record)>> {
    let mut sound = Vec::new();
    let mut complaint = Ok(());
    let mut counter = Counter::new("positions checked");
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
            found.damaged += 1;
            if complaint.is_ok() {
                complaint = complain(entry.as_ref().map(|(place, _)| place), "damaged", &flaw, show);
            }
        } else if let Some(entry) = entry {
            found.stale += u64::from(entry.1.rules != RULES);
            sound.push(entry);
        }
    })?;
    counter.finish();
    complaint?;
    Ok(sound)
}

enum Verdict {
    Right,
    Wrong(String),
    Undecided,
}

/// Solves the position for each Last that the record has an answer for, and tries its winning moves.
fn solve_again(warm: &mut WarmSolver, limits: &Limits, place: &Place, record: &Record) -> Result<Verdict> {
    let solver = warm.of(place.board)?;
    let winner = |state: &State| solver.ask(state).limits(limits).verdict().winner;
    for last in Player::BOTH {
        let Some(claimed) = record.known.winner(last) else { continue };
        let state = place.field(last).to_state();
        let Some(real) = winner(&state) else { return Ok(Verdict::Undecided) };
        if real != claimed {
            let [claimed, last] = [claimed, last].map(text::name);
            return Ok(Verdict::Wrong(format!("{claimed} should win with {last} as Last, but does not")));
        }
        let mover = state.to_move;
        if let Some(best) = record.best[mover.index()].filter(|_| claimed == mover) {
            let Some(real) = winner(&state.play(best)) else { return Ok(Verdict::Undecided) };
            if real != mover {
                let (mover, cell) = (text::name(mover), place.board.name(best));
                return Ok(Verdict::Wrong(format!("{mover} should win with {cell}, but does not")));
            }
        }
    }
    Ok(Verdict::Right)
}

fn complain(place: Option<&Place>, kind: &str, why: &str, show: Show) -> Result<()> {
    let name = place.map_or_else(|| "a position".to_owned(), |place| format!("'{place}'"));
    let object = || json!({ "position": place.map(ToString::to_string), "kind": kind, "error": why });
    output::answer(show, object, || format!("{} {name}: {why}\n", paint(style::LOSS, format!("{kind}:"))))
}

fn tell(found: &Tally, again: &Again, show: Show) -> Result<()> {
    let Tally { entries, damaged, stale } = *found;
    let Again { right, wrong, undecided, .. } = *again;
    let object = json!({
        "entries": entries, "damaged": damaged, "stale": stale, "right": right, "wrong": wrong,
        "undecided": undecided,
    });
    let entries = text::count(entries, "position");
    let [damaged, stale, again, wrong, undecided] =
        [damaged, stale, right + wrong + undecided, wrong, undecided].map(text::thousands);
    let said = format!(
        "{entries} looked at, {damaged} damaged, {stale} stale; {again} solved again, {wrong} wrong, {undecided} not \
         within the limits\n"
    );
    output::answer(show, || object, || said)
}
