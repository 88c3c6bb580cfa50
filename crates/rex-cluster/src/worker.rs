use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rex::Board;
use rex_search::{Limits, Settings, Solver, StopReason, TableError};
use rex_store::{entry, facts};
use rex_theory::Options;
use rex_theory::fill_in::RULES;

use crate::bus::{BusError, WorkerBus};
use crate::message::{Answer, Beat, Fact, Job, MessageError};

/// How often a worker says that it is alive, and hears the news.
const BETWEEN_BEATS: Duration = Duration::from_secs(1);
/// How long it waits for a job before it looks around.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long it tries to get rid of an answer. After that the job is somebody else's, and the table keeps the work.
const INSISTENCE: Duration = Duration::from_secs(120);
/// When a job of another version may come again.
const ESTRANGED: Duration = Duration::from_secs(30);
/// The most solved positions that go with an answer; a message must not grow beyond what a bus carries.
const MOST_SOLVED: usize = 4000;

/// How a worker is set up.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name; no two workers should have the same.
    pub name: String,
    /// How it searches.
    pub search: Settings,
    /// Stops it, in the middle of a job too.
    pub cancel: Arc<AtomicBool>,
}

/// Takes jobs from a bus and answers them. Its table stays warm from job to job, as long as they are of one board.
pub struct Worker<'l> {
    settings: WorkerSettings,
    solver: Option<Solver>,
    log: &'l mut dyn FnMut(&str),
}

impl<'l> Worker<'l> {
    /// A worker without a table yet. What it does is told to `log`.
    pub fn new(settings: WorkerSettings, log: &'l mut dyn FnMut(&str)) -> Worker<'l> {
        Worker { settings, solver: None, log }
    }

    /// Works until it is cancelled.
    ///
    /// # Errors
    /// If there is no memory for the table, or the bus is of no use.
    pub fn run<B: WorkerBus>(&mut self, bus: &mut B) -> Result<(), WorkerError> {
        let mut lost = false;
        let mut due = Instant::now();
        while !self.settings.cancel.load(Relaxed) {
            if Instant::now() >= due {
                due = Instant::now() + BETWEEN_BEATS;
                bus.beat(&self.beat(None, 0), None);
            }
            match bus.take_job(PATIENCE) {
                Ok(taken) => {
                    lost = false;
                    if let Some((bytes, receipt)) = taken {
                        self.work(bus, &bytes, receipt)?;
                        due = Instant::now();
                    }
                }
                Err(BusError::Lost(reason)) => {
                    if !std::mem::replace(&mut lost, true) {
                        (self.log)(&format!("waiting for the bus: {reason}"));
                    }
                    std::thread::sleep(PATIENCE);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Does one job.
    fn work<B: WorkerBus>(
        &mut self,
        bus: &mut B,
        bytes: &[u8],
        receipt: B::Receipt,
    ) -> Result<(), WorkerError> {
        let job = match Job::read(bytes) {
            Ok(job) => job,
            Err(error) => {
                (self.log)(&format!("a job is refused: {error}"));
                if matches!(error, MessageError::Version { .. }) {
                    // Somebody else may understand it.
                    bus.give_back(receipt, ESTRANGED);
                } else {
                    bus.discard(receipt);
                }
                return Ok(());
            }
        };
        (self.log)(&format!("job {}: {} with {} nodes a thread", job.id, job.node, job.budget));
        let board = job.node.board;
        self.make_solver(board, job.share)?;
        let Some(solver) = &self.solver else { unreachable!("it was just made") };
        let (name, threads) = (&self.settings.name, self.settings.search.threads.max(1));
        let learn = |bus: &mut B| {
            solver.learn(bus.news(board).iter().flat_map(|(place, record)| facts(place, record)));
        };
        learn(bus);
        let started = Instant::now();
        let mut due = Duration::ZERO;
        let limits = Limits { cancel: Some(self.settings.cancel.clone()), ..Limits::default() };
        let budget = job.budget.saturating_mul(threads as u64);
        let explored = solver.explore(&job.node.node, job.limit(), budget, &limits, &mut |progress| {
            if progress.elapsed >= due {
                due = progress.elapsed + BETWEEN_BEATS;
                bus.beat(&Beat::new(name, threads, Some(&job.id), progress.nodes), Some(&receipt));
                learn(bus);
            }
        });
        let explored = match explored {
            Ok(explored) => explored,
            Err(StopReason::Interrupt | StopReason::Time | StopReason::Nodes) => {
                bus.give_back(receipt, Duration::ZERO);
                return Ok(());
            }
        };
        let mut solved = solver.take_solved();
        solved.retain(|solved| solved.nodes >= job.share);
        solved.sort_by_key(|solved| std::cmp::Reverse(solved.nodes));
        solved.truncate(MOST_SOLVED);
        let fact = |solved| {
            let (place, record) = entry(board, solved, RULES);
            Fact::new(&place, &record)
        };
        let answer = Answer {
            seconds: started.elapsed().as_secs_f64(),
            solved: solved.iter().map(fact).collect(),
            ..Answer::of(&job, name, &explored)
        };
        self.send(bus, &job, &answer, &receipt)
    }

    /// Sends an answer, as often as it takes.
    fn send<B: WorkerBus>(
        &mut self,
        bus: &mut B,
        job: &Job,
        answer: &Answer,
        receipt: &B::Receipt,
    ) -> Result<(), WorkerError> {
        let until = Instant::now() + INSISTENCE;
        loop {
            match bus.answer(job, answer, receipt) {
                Ok(()) => return Ok(()),
                Err(BusError::Lost(reason)) => {
                    (self.log)(&format!("the answer to {} cannot be sent yet: {reason}", job.id));
                    if Instant::now() >= until || self.settings.cancel.load(Relaxed) {
                        return Ok(());
                    }
                    bus.beat(&self.beat(Some(&job.id), answer.nodes), Some(receipt));
                    std::thread::sleep(PATIENCE);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn beat(&self, job: Option<&str>, nodes: u64) -> Beat {
        Beat::new(&self.settings.name, self.settings.search.threads.max(1), job, nodes)
    }

    /// Sees to it that there is a solver for this board.
    fn make_solver(&mut self, board: Board, share: u64) -> Result<(), TableError> {
        if self.solver.as_ref().is_none_or(|solver| solver.board() != board) {
            // The old table goes before the new one comes.
            self.solver = None;
            // Facts are exchanged, so all fill in by the same rules.
            let theory = Options::default();
            let settings = Settings { theory, remember: Some(share), ..self.settings.search.clone() };
            self.solver = Some(Solver::new(board, settings)?);
        }
        Ok(())
    }
}

/// Why a worker gave up.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The bus is of no use.
    #[error(transparent)]
    Bus(#[from] BusError),
}
