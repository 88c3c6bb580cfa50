//! A coordinator at work: between the bus and the ledger.
//!
//! The order is what makes it safe: answers are taken in, what follows is written down, and only then are new jobs handed
//! out, facts shared and the answers acknowledged. Whoever is killed in between finds everything again.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rex::{Player, State};
use rex_search::table::Work;
use rex_search::{Limits, Settings, Solution, Solver, StopReason, TableError};
use rex_store::{Keeper, Notice, Place, Record, StoreError, Thread, facts};
use rex_theory::Options;
use rex_theory::fill_in::RULES;

use crate::bus::{BusError, Incoming, LeaderBus};
use crate::coordinator::{Coordinator, Plan, Refusal};
use crate::ledger::{Changes, Ledger, random_name};
use crate::message::{Answer, Beat, Job, Status};

/// How long it waits for answers before it looks around.
const PATIENCE: Duration = Duration::from_millis(100);
/// How often the claim is renewed and the state of things shown.
const BETWEEN_CLAIMS: Duration = Duration::from_secs(1);
/// A worker that was not heard for so long is gone.
const ABSENT: Duration = Duration::from_secs(10);
/// Facts that go over the bus at once; the rest waits for the next round.
const SHARED_AT_ONCE: usize = 500;

/// How a coordinator is set up.
#[derive(Clone, Debug)]
pub struct Lead {
    /// The position.
    pub state: State,
    /// How the work is cut.
    pub plan: Plan,
    /// Bytes for what is known of solved positions, and for the last look at the line of play.
    pub memory: u64,
    /// A job that nobody has spoken of for so long is handed out again.
    pub silence: Duration,
    /// Stops it.
    pub cancel: Arc<AtomicBool>,
}

/// What is told while it works.
pub enum Report<'a> {
    /// How things are, about once a second.
    Status(&'a Status),
    /// Something that a person may want to know.
    Note(&'a str),
}

/// What came of it.
pub struct Outcome {
    /// Who wins; none when it was stopped.
    pub winner: Option<Player>,
    /// How things were at the end.
    pub status: Status,
    /// Nodes of this run.
    pub nodes: u64,
    /// Time of this run.
    pub time: Duration,
}

/// Why a coordinator gave up.
#[derive(Debug, thiserror::Error)]
pub enum LeadError {
    /// The ledger cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The bus is of no use, or another one leads.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Leads the search of a position until it is solved or cancelled.
///
/// # Errors
/// If the ledger or the bus is of no use. A bus that is out of reach for a while is waited for.
pub fn lead<B: LeaderBus>(
    lead: &Lead,
    ledger: &Ledger,
    bus: &mut B,
    report: &mut dyn FnMut(Report),
) -> Result<Outcome, LeadError> {
    let started = Instant::now();
    let mut status = Status::new(&lead.state.to_string(), ledger.name(), &random_name());
    let Some(coordinator) = begin(lead, ledger)? else {
        // The rules of the theory suffice.
        return Ok(Outcome { winner: decided(lead)?, status, nodes: 0, time: started.elapsed() });
    };
    wait_for(lead, report, || bus.claim(&status))?;
    let before = coordinator.nodes();
    let mut desk = Desk {
        unsent: coordinator.jobs(),
        coordinator,
        ledger,
        unshared: all_solved(lead, ledger)?,
        workers: BTreeMap::new(),
        heard: HashMap::new(),
        refused: 0,
    };
    if !desk.unsent.is_empty() {
        report(Report::Note(&format!("going on with {} open jobs", desk.unsent.len())));
    }
    let mut due = Instant::now();
    while desk.coordinator.winner().is_none() && !lead.cancel.load(Relaxed) {
        let round = desk.round(lead, bus, report);
        pass_lost(round, report)?;
        if Instant::now() >= due {
            due = Instant::now() + BETWEEN_CLAIMS;
            desk.show(&mut status, started.elapsed(), before);
            report(Report::Status(&status));
            pass_lost(bus.claim(&status).map_err(LeadError::from), report)?;
        }
    }
    // Nothing that came in is lost, also when somebody has pressed Ctrl-C.
    ledger.commit(&desk.coordinator.changes())?;
    desk.show(&mut status, started.elapsed(), before);
    let winner = desk.coordinator.winner();
    bus.leave(winner.is_some());
    let nodes = desk.coordinator.nodes() - before;
    Ok(Outcome { winner, status, nodes, time: started.elapsed() })
}

/// The whole answer, with a move and a line of play, from what the ledger knows.
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
        solution = solver.solve(&lead.state, &limits, &mut |_| {});
    }
    solution.nodes += outcome.nodes;
    solution.time += outcome.time;
    Ok(solution)
}

/// A coordinator with all that the ledger knows; none when the position is decided at once.
fn begin(lead: &Lead, ledger: &Ledger) -> Result<Option<Coordinator>, LeadError> {
    let solver = solver(lead)?;
    ledger.each_solved(lead.state.board(), &mut |place, record| solver.learn(facts(&place, &record)))?;
    Ok(Coordinator::new(&lead.state, solver, lead.plan, ledger.resume(&lead.state)?).ok())
}

fn solver(lead: &Lead) -> Result<Solver, TableError> {
    let settings = Settings { memory: lead.memory, theory: Options::default(), ..Settings::default() };
    Solver::new(lead.state.board(), settings)
}

/// Who wins a position that is decided at once.
fn decided(lead: &Lead) -> Result<Option<Player>, TableError> {
    Ok(solver(lead)?.node_of(&lead.state).err())
}

/// What earlier runs have solved: a bus that has lost its memory should know it too.
fn all_solved(lead: &Lead, ledger: &Ledger) -> Result<Vec<(Place, Record)>, StoreError> {
    let mut solved = Vec::new();
    ledger.each_solved(lead.state.board(), &mut |place, record| {
        if record.work >= Work::of(lead.plan.share) {
            solved.push((place, record));
        }
    })?;
    Ok(solved)
}

/// Tries until the bus is there.
fn wait_for(
    lead: &Lead,
    report: &mut dyn FnMut(Report),
    mut attempt: impl FnMut() -> Result<(), BusError>,
) -> Result<(), LeadError> {
    loop {
        match attempt() {
            Err(BusError::Lost(reason)) if !lead.cancel.load(Relaxed) => {
                report(Report::Note(&format!("waiting for the bus: {reason}")));
                std::thread::sleep(PATIENCE);
            }
            result => return Ok(result?),
        }
    }
}

/// A bus that is out of reach is no reason to stop.
fn pass_lost(result: Result<(), LeadError>, report: &mut dyn FnMut(Report)) -> Result<(), LeadError> {
    match result {
        Err(LeadError::Bus(BusError::Lost(reason))) => {
            report(Report::Note(&format!("waiting for the bus: {reason}")));
            std::thread::sleep(PATIENCE);
            Ok(())
        }
        result => result,
    }
}

/// What lies before a coordinator at work.
struct Desk<'a> {
    coordinator: Coordinator,
    ledger: &'a Ledger,
    /// Written down, and not yet with the bus.
    unsent: Vec<Job>,
    unshared: Vec<(Place, Record)>,
    /// Workers with their threads, and when they were heard last.
    workers: BTreeMap<String, (usize, Instant)>,
    /// When a job was given or a worker spoke of it.
    heard: HashMap<String, Instant>,
    refused: u64,
}

impl Desk<'_> {
    /// Takes in, writes down, hands out.
    fn round<B: LeaderBus>(
        &mut self,
        lead: &Lead,
        bus: &mut B,
        report: &mut dyn FnMut(Report),
    ) -> Result<(), LeadError> {
        let mut receipts = Vec::new();
        for incoming in bus.take(PATIENCE)? {
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
        let given = self.coordinator.hand_out(self.workers.len());
        self.unsent.extend(given);
        let written = self.write_down(lead);
        // Answers that contradict each other stop everything; they must not come again when it goes on.
        if written.is_ok() || matches!(written, Err(StoreError::Clash { .. })) {
            receipts.into_iter().for_each(|receipt| bus.acknowledge(receipt));
        }
        written?;
        bus.give(&self.unsent)?;
        self.heard.extend(self.unsent.drain(..).map(|job| (job.id, Instant::now())));
        let now = self.unshared.len().min(SHARED_AT_ONCE);
        if bus.share(&self.unshared[..now])? {
            self.unshared.drain(..now);
        }
        Ok(())
    }

    /// Writes down what has changed; solved positions with enough work are then shared.
    fn write_down(&mut self, lead: &Lead) -> Result<(), StoreError> {
        let changes: Changes = self.coordinator.changes();
        self.ledger.commit(&changes)?;
        let least = Work::of(lead.plan.share);
        self.unshared.extend(changes.solved.into_iter().filter(|(_, record)| record.work >= least));
        Ok(())
    }

    fn hear(&mut self, bytes: &[u8], report: &mut dyn FnMut(Report)) {
        match Beat::read(bytes) {
            Ok(beat) => {
                if let Some(heard) = beat.job.as_ref().and_then(|job| self.heard.get_mut(job)) {
                    *heard = Instant::now();
                }
                self.workers.insert(beat.worker, (beat.threads, Instant::now()));
            }
            Err(error) => report(Report::Note(&format!("a beat is refused: {error}"))),
        }
    }

    fn hear_answer(&mut self, bytes: &[u8], report: &mut dyn FnMut(Report)) -> Result<(), StoreError> {
        let read = Answer::read(bytes).map_err(Refusal::from);
        let taken = match read {
            Ok(answer) => match self.contradiction(&answer)? {
                Some(refusal) => Err(refusal),
                None => self.coordinator.take(&answer).map(|()| answer),
            },
            Err(refusal) => Err(refusal),
        };
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
                report(Report::Note(&format!("an answer is refused: {refusal}")));
            }
        }
        Ok(())
    }

    /// Whether an answer says the opposite of what is written down.
    fn contradiction(&self, answer: &Answer) -> Result<Option<Refusal>, StoreError> {
        for (place, record) in answer.solved.iter().filter_map(|fact| fact.read().ok()) {
            if self.ledger.contradicts(&place, &record)? {
                return Ok(Some(Refusal::Contradiction(place.to_string())));
            }
        }
        Ok(None)
    }

    /// Hands jobs that nobody speaks of out again, if there are workers who could.
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
                report(Report::Note(&format!("nobody is at job {id}: it is now {}", job.id)));
                self.unsent.push(job);
            }
        }
    }

    fn show(&self, status: &mut Status, elapsed: Duration, before: u64) {
        let (answers, decided) = self.coordinator.answers();
        let seconds = elapsed.as_secs_f64();
        let bounds = self.coordinator.bounds();
        status.workers = self.workers.iter().map(|(name, &(threads, _))| (name.clone(), threads)).collect();
        status.jobs = self.coordinator.jobs_out();
        status.answers = answers;
        status.refused = self.refused;
        status.nodes = self.coordinator.nodes();
        status.rate = (status.nodes - before) as f64 / seconds.max(1e-3);
        status.bounds = bounds;
        status.tree = self.coordinator.tree_len();
        status.seconds = seconds;
        // About so many positions are still to be decided; they went at this speed so far. No more is known.
        let left = f64::from(bounds[0].min(bounds[1]));
        status.estimate = (decided > 0 && left > 0.0).then(|| left * seconds / decided as f64);
    }
}
