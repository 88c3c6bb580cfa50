//! Runs a coordinator, between the bus and the ledger.
//!
//! The order makes it safe: take in answers, store what follows, and only then hand out new jobs, share facts and
//! acknowledge the answers. A coordinator killed in between finds everything again.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rex_game::{Player, State};
use rex_search::{Limits, Settings, Solution, Solver, StopReason, TableError, Work};
use rex_store::{Keeper, Notice, Place, Record, StoreError, Thread, solved_nodes};
use rex_theory::Options;
use rex_theory::fill_in::RULES;

use crate::bus::{BusError, Incoming, LeaderBus};
use crate::coordinator::{Coordinator, Plan, Refusal};
use crate::ledger::{Changes, Ledger, random_name};
use crate::message::{Answer, Beat, Job, LeadStatus, Message};
use crate::report::{Report, RunError, Trouble};

/// How long to wait for answers in each round.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often to renew the claim and publish the status.
const BETWEEN_CLAIMS: Duration = Duration::from_secs(1);
/// A worker not heard from for this long is gone.
const ABSENT: Duration = Duration::from_secs(10);
/// How many facts to send at once. The rest waits for the next round.
const SHARED_AT_ONCE: usize = 500;
/// At most this many workers are counted. Even if all their names are [`MOST_NAME`](crate::MOST_NAME) quotation marks,
/// the status then has less than 760,000 bytes; a server takes a million.
const MOST_WORKERS: usize = 4096;
/// The speed is averaged over this time.
const LATELY: Duration = Duration::from_secs(30);

/// The settings of a coordinator.
#[derive(Clone, Debug)]
pub struct Lead {
    /// The position.
    pub state: State,
    /// How work is divided into jobs.
    pub plan: Plan,
    /// Bytes for solved positions, and for finding the line of play at the end.
    pub memory: u64,
    /// A job that no worker has mentioned for this long is handed out again.
    pub silence: Duration,
    /// Note who reported what, which makes the file larger.
    pub note_reporters: bool,
    /// Set this to stop it.
    pub cancel: Arc<AtomicBool>,
}

/// The result of a run.
pub struct Outcome {
    /// Who wins. `None` if it was stopped.
    pub winner: Option<Player>,
    /// The status at the end.
    pub status: LeadStatus,
    /// Nodes of this run.
    pub nodes: u64,
    /// Time of this run.
    pub time: Duration,
}

/// Leads the search of a position until it is solved or cancelled.
///
/// # Errors
/// If the ledger or the bus is unusable. If the bus cannot be reached for a while, it waits.
pub fn lead<B: LeaderBus>(
    lead: &Lead,
    ledger: &Ledger,
    bus: &mut B,
    report: &mut dyn FnMut(Report),
) -> Result<Outcome, RunError> {
    let started = Instant::now();
    let (position, ledger_name, leader) = (lead.state.to_string(), ledger.name().to_owned(), random_name());
    let mut status =
        LeadStatus { position, ledger: ledger_name, leader, bounds: [1, 1], ..LeadStatus::default() };
    let coordinator = match begin(lead, ledger)? {
        Ok(coordinator) => coordinator,
        // Theory alone decides it.
        Err(winner) => {
            return Ok(Outcome { winner: Some(winner), status, nodes: 0, time: started.elapsed() });
        }
    };
    let mut trouble = Trouble::default();
    while !lead.cancel.load(Relaxed) && !pass_lost(bus.claim(&status), &mut trouble, report)? {}
    let before = coordinator.nodes();
    let mut desk = Desk {
        unsent: coordinator.jobs(),
        coordinator,
        ledger,
        unshared: all_solved(lead, ledger)?,
        workers: BTreeMap::new(),
        heard: HashMap::new(),
        refused: 0,
        pace: Pace::new(before),
    };
    if !desk.unsent.is_empty() {
        report(Report::Note(&format!("continuing with {} open jobs", desk.unsent.len())));
    }
    let mut due = Instant::now();
    while desk.coordinator.winner().is_none() && !lead.cancel.load(Relaxed) {
        let round = desk.round(lead, bus, report);
        let worked = pass_lost(round, &mut trouble, report)?;
        if Instant::now() >= due {
            due = Instant::now() + BETWEEN_CLAIMS;
            desk.show(&mut status, started.elapsed());
            report(Report::Status(&status));
            let claimed = pass_lost(bus.claim(&status), &mut trouble, report)?;
            if worked && claimed {
                trouble.over(report);
            }
        }
    }
    // Nothing that came in is lost, even after Ctrl-C.
    ledger.commit(&desk.coordinator.changes())?;
    desk.show(&mut status, started.elapsed());
    let winner = desk.coordinator.winner();
    bus.leave(winner.is_some());
    let nodes = desk.coordinator.nodes() - before;
    Ok(Outcome { winner, status, nodes, time: started.elapsed() })
}

/// The full answer, with a move and a line of play, from what is in the ledger.
///
/// # Errors
/// If there is not enough memory.
pub fn solution(
    lead: &Lead,
    ledger: Ledger,
    outcome: &Outcome,
    threads: usize,
    trouble: fn(&Notice),
) -> Result<Solution, TableError> {
    let mut solution = Solution { stopped: Some(StopReason::Interrupt), ..Solution::default() };
    if outcome.winner.is_some() {
        let board = lead.state.board();
        let settings =
            Settings { memory: lead.memory, threads, remember: Some(lead.plan.share), ..Settings::default() };
        let thread = Thread::start(ledger.into_store(), trouble);
        let keeper = Keeper::new(&thread, board, RULES);
        let solver = Solver::new(board, settings)?.remembering(Box::new(keeper));
        let limits = Limits { cancel: Some(lead.cancel.clone()), ..Limits::default() };
        solution = solver.ask(&lead.state).limits(&limits).solve();
    }
    solution.nodes = solution.nodes.saturating_add(outcome.nodes);
    solution.time += outcome.time;
    Ok(solution)
}

/// A coordinator with everything in the ledger, or the winner if the position is decided at once.
fn begin(lead: &Lead, ledger: &Ledger) -> Result<Result<Coordinator, Player>, RunError> {
    let board = lead.state.board();
    let settings = Settings { memory: lead.memory, theory: Options::default(), ..Settings::default() };
    let solver = Solver::new(board, settings)?;
    ledger.each_solved(board, &mut |place, record| solver.learn(solved_nodes(&place, &record)))?;
    let coordinator = Coordinator::new(&lead.state, solver, lead.plan, ledger.resume(&lead.state)?);
    Ok(coordinator.map(|coordinator| coordinator.noting_reporters(lead.note_reporters)))
}

/// What earlier runs have solved, for a bus that has lost its memory.
fn all_solved(lead: &Lead, ledger: &Ledger) -> Result<Vec<(Place, Record)>, StoreError> {
    let mut solved = Vec::new();
    ledger.each_solved(lead.state.board(), &mut |place, record| {
        if record.work >= Work::of(lead.plan.share) {
            solved.push((place, record));
        }
    })?;
    Ok(solved)
}

/// Does not stop for a bus that cannot be reached. Returns whether it was reached.
fn pass_lost(
    result: Result<(), impl Into<RunError>>,
    trouble: &mut Trouble,
    report: &mut dyn FnMut(Report),
) -> Result<bool, RunError> {
    match result.map_err(Into::into) {
        Err(RunError::Bus(BusError::Lost(reason))) => {
            trouble.found(&reason, report);
            std::thread::sleep(PATIENCE);
            Ok(false)
        }
        result => result.map(|()| true),
    }
}

/// The speed of the search.
struct Pace {
    /// Node totals over time, the oldest first.
    seen: VecDeque<(Duration, u64)>,
}

impl Pace {
    fn new(nodes: u64) -> Pace {
        Pace { seen: VecDeque::from([(Duration::ZERO, nodes)]) }
    }

    /// Recent nodes per second, given the present total.
    fn rate(&mut self, now: Duration, nodes: u64) -> f64 {
        self.seen.push_back((now, nodes));
        // Keep the last total before that time, so that the average covers all of it.
        while self.seen[1].0 + LATELY <= now && self.seen.len() > 2 {
            self.seen.pop_front();
        }
        let (then, before) = self.seen[0];
        nodes.saturating_sub(before) as f64 / now.saturating_sub(then).as_secs_f64().max(1e-3)
    }
}

/// A running coordinator and its open business.
struct Desk<'a> {
    coordinator: Coordinator,
    ledger: &'a Ledger,
    /// Stored, but not sent to the bus yet.
    unsent: Vec<Job>,
    unshared: Vec<(Place, Record)>,
    /// Workers with their threads, and when each was last heard from.
    workers: BTreeMap<String, (usize, Instant)>,
    /// When each job was handed out or last mentioned by a worker.
    heard: HashMap<String, Instant>,
    refused: u64,
    pace: Pace,
}

impl Desk<'_> {
    /// One round: take in answers, store, hand out jobs.
    fn round<B: LeaderBus>(
        &mut self,
        lead: &Lead,
        bus: &mut B,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), RunError> {
        let mut receipts = Vec::new();
        for incoming in bus.receive(PATIENCE)? {
            match incoming {
                Incoming::Beat(bytes) => self.hear(&bytes, report),
                Incoming::Answer(bytes, receipt) => {
                    receipts.push(receipt);
                    self.hear_answer(&bytes, report)?;
                }
            }
        }
        self.workers.retain(|_, (_, heard)| heard.elapsed() < ABSENT);
        self.renew_silent(lead, report);
        let threads = self.workers.values().map(|&(threads, _)| threads);
        self.coordinator.hear_of(threads.fold(0, usize::saturating_add));
        let given = self.coordinator.hand_out(self.workers.len());
        self.unsent.extend(given);
        let written = self.write_down();
        // Answers that contradict each other stop the run. They must not be delivered again when it is resumed.
        if written.is_ok() || matches!(written, Err(StoreError::Clash { .. })) {
            receipts.into_iter().for_each(|receipt| bus.acknowledge(receipt));
        }
        written?;
        bus.send(&self.unsent)?;
        self.heard.extend(self.unsent.drain(..).map(|job| (job.id, Instant::now())));
        let now = self.unshared.len().min(SHARED_AT_ONCE);
        if bus.share(&self.unshared[..now])? {
            self.unshared.drain(..now);
        }
        Ok(())
    }

    /// Stores what has changed. Solved positions with enough work are queued to be shared.
    fn write_down(&mut self) -> Result<(), StoreError> {
        let changes: Changes = self.coordinator.changes();
        self.ledger.commit(&changes)?;
        let least = Work::of(self.coordinator.share());
        self.unshared.extend(changes.solved.into_iter().filter(|(_, record)| record.work >= least));
        Ok(())
    }

    fn hear(&mut self, bytes: &[u8], report: &mut dyn FnMut(Report)) {
        match Beat::read(bytes) {
            Ok(beat) => {
                if let Some(heard) = beat.job.as_ref().and_then(|job| self.heard.get_mut(job)) {
                    *heard = Instant::now();
                }
                if self.workers.len() < MOST_WORKERS || self.workers.contains_key(&beat.worker) {
                    self.workers.insert(beat.worker, (beat.threads, Instant::now()));
                }
            }
            Err(error) => report(Report::Note(&format!("refused a heartbeat: {error}"))),
        }
    }

    fn hear_answer(&mut self, bytes: &[u8], report: &mut dyn FnMut(Report)) -> Result<(), StoreError> {
        let mut unreadable = None;
        let mut written = |place: &Place| {
            self.ledger.record_at(place).unwrap_or_else(|error| {
                unreadable = Some(error);
                None
            })
        };
        let read = Answer::read(bytes).map_err(Refusal::from);
        let taken = read.and_then(|answer| self.coordinator.accept(&answer, &mut written).map(|()| answer));
        if let Some(error) = unreadable {
            return Err(error);
        }
        match taken {
            Ok(answer) => {
                self.heard.remove(&answer.id);
                report(Report::Note(&format!(
                    "job {} from {}: {} nodes in {:.3} s, {:?}, {} solved",
                    answer.id,
                    answer.worker,
                    answer.nodes,
                    answer.seconds,
                    answer.bounds,
                    answer.solved.len()
                )));
            }
            Err(Refusal::Late(id)) => report(Report::Note(&format!("a late answer to job {id}"))),
            Err(refusal) => {
                self.refused += 1;
                report(Report::Note(&format!("refused an answer: {refusal}")));
            }
        }
        Ok(())
    }

    /// Hands out again the jobs that nobody mentions, if there are workers to take them.
    fn renew_silent(&mut self, lead: &Lead, report: &mut dyn FnMut(Report)) {
        if self.workers.is_empty() {
            return;
        }
        let silent: Vec<String> = self
            .heard
            .iter()
            .filter(|(_, heard)| heard.elapsed() >= lead.silence)
            .map(|(id, _)| id.clone())
            .collect();
        for id in silent {
            self.heard.remove(&id);
            if let Some(job) = self.coordinator.renew(&id) {
                report(Report::Note(&format!("nobody is working on job {id}: it is now {}", job.id)));
                self.unsent.push(job);
            }
        }
    }

    fn show(&mut self, status: &mut LeadStatus, elapsed: Duration) {
        let (answers, decided) = self.coordinator.answers();
        let seconds = elapsed.as_secs_f64();
        let bounds = self.coordinator.bounds();
        status.workers = self.workers.iter().map(|(name, &(threads, _))| (name.clone(), threads)).collect();
        status.jobs = self.coordinator.jobs_out();
        status.answers = answers;
        status.refused = self.refused;
        status.nodes = self.coordinator.nodes();
        status.rate = self.pace.rate(elapsed, status.nodes);
        status.bounds = bounds;
        status.tree = self.coordinator.tree_len();
        status.seconds = seconds;
        // The proof numbers say roughly how many positions are left. There is no better estimate.
        let left = bounds[0].min(bounds[1]) as f64;
        status.estimate = (decided > 0 && left > 0.0).then(|| left * seconds / decided as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_half_minute() {
        let mut pace = Pace::new(1000);
        let mut at = |seconds: u64, nodes: u64| pace.rate(Duration::from_secs(seconds), nodes);
        assert_eq!(at(10, 2000), 100.0);
        assert_eq!(at(20, 2000), 50.0);
        // Nothing for half a minute: what came before no longer counts.
        assert_eq!(at(50, 2000), 0.0);
        assert_eq!(at(60, 5000), 75.0);
        assert_eq!((61..=200).map(|second| at(second, 5000)).last(), Some(0.0));
    }
}
