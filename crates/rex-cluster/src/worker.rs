//! A worker: takes a job, searches its position, answers, and tells the other workers what is new in its table.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rex_game::Board;
use rex_search::{Limits, Numbers, Settings, Solved, Solver, StopReason, TableError, Work};
use rex_store::{record_of, solved_nodes};
use rex_theory::Options;
use rex_theory::fill_in::RULES;

use crate::bus::{BusError, Heard, WorkerBus};
use crate::message::{Answer, Beat, Fact, Job, Message, MessageError};
use crate::news::News;
use crate::report::{Report, RunError, Trouble};

/// How often a worker sends a heartbeat.
const BETWEEN_BEATS: Duration = Duration::from_secs(1);
/// With up to this many threads elsewhere, workers tell each other everything. With twice as many, they tell only what
/// took at least two nodes, with three times as many three nodes, and so on.
pub(crate) const THREADS_TELLING_ALL: usize = 16;
/// A worker not heard from for this long is gone.
const ABSENT: Duration = Duration::from_secs(30);
/// At most this many positions per piece of news, and this many pieces per job. Those with the most work go first.
const MOST_NEWS: usize = 8000;
const MOST_PIECES: usize = 8;
/// How long to wait for a job before looking at anything else.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long to keep trying to send an answer. After that somebody else gets the job; the work stays in the table.
const INSISTENCE: Duration = Duration::from_secs(120);
/// How long before a job of another version may come again.
const ESTRANGED: Duration = Duration::from_secs(30);
/// At most this many solved positions per answer: a message must not exceed what a bus carries.
const MOST_SOLVED: usize = 4000;
/// At most this many other workers are counted.
const MOST_OTHERS: usize = 4096;

/// The settings of a worker.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name. No two workers should have the same one.
    pub name: String,
    /// How it searches.
    pub search: Settings,
    /// Set this to stop it, even in the middle of a job.
    pub cancel: Arc<AtomicBool>,
}

/// Takes jobs from a bus and answers them. Its table stays warm from job to job while the board stays the same.
pub struct Worker<'l> {
    settings: WorkerSettings,
    solver: Option<Arc<Solver>>,
    /// Other workers it has heard from, and their threads.
    others: HashMap<String, (usize, Instant)>,
    report: &'l mut dyn FnMut(Report),
}

impl<'l> Worker<'l> {
    /// A worker without a table yet. It reports what it does to `report`.
    pub fn new(settings: WorkerSettings, report: &'l mut dyn FnMut(Report)) -> Worker<'l> {
        Worker { settings, solver: None, others: HashMap::new(), report }
    }

    /// A worker that shares its table with others.
    pub fn sharing(
        solver: Arc<Solver>,
        settings: WorkerSettings,
        report: &'l mut dyn FnMut(Report),
    ) -> Worker<'l> {
        Worker { settings, solver: Some(solver), others: HashMap::new(), report }
    }

    /// Works until it is cancelled.
    ///
    /// # Errors
    /// If there is not enough memory for the table, or the bus is unusable.
    pub fn run<B: WorkerBus>(&mut self, bus: &mut B) -> Result<(), RunError> {
        let (mut trouble, mut unled) = (Trouble::default(), false);
        let mut due = Instant::now();
        while !self.settings.cancel.load(Relaxed) {
            if Instant::now() >= due {
                due = Instant::now() + BETWEEN_BEATS;
                bus.beat(&self.beat(None, 0), None);
            }
            match bus.receive_job(PATIENCE) {
                Ok(taken) => {
                    trouble.over(self.report);
                    unled = false;
                    if let Some((bytes, receipt)) = taken {
                        self.do_job(bus, &bytes, receipt)?;
                        due = Instant::now();
                    }
                }
                Err(error @ BusError::Unled) => {
                    trouble.over(self.report);
                    if !std::mem::replace(&mut unled, true) {
                        self.note(&error.to_string());
                    }
                    std::thread::sleep(PATIENCE);
                }
                Err(BusError::Lost(reason)) => {
                    trouble.found(&reason, self.report);
                    std::thread::sleep(PATIENCE);
                }
                Err(error) => return Err(error.into()),
            }
        }
        bus.leave();
        Ok(())
    }

    /// Does one job.
    fn do_job<B: WorkerBus>(
        &mut self,
        bus: &mut B,
        bytes: &[u8],
        receipt: B::Receipt,
    ) -> Result<(), RunError> {
        let job = match Job::read(bytes) {
            Ok(job) => job,
            Err(error) => {
                self.note(&format!("refused a job: {error}"));
                if matches!(error, MessageError::Version { .. }) {
                    // Somebody else may understand it.
                    bus.return_job(receipt, ESTRANGED);
                } else {
                    bus.discard(receipt);
                }
                return Ok(());
            }
        };
        self.note(&format!("job {}: {} with {} nodes per thread", job.id, job.node, job.budget));
        let board = job.node.board;
        let solver = self.solver_of(board)?;
        let (name, threads) = (&self.settings.name, self.threads());
        let others = &mut self.others;
        let mut learn = |bus: &mut B| {
            let Heard { solved, news } = bus.hear(board);
            solver.learn(solved.iter().flat_map(|(place, record)| solved_nodes(place, record)));
            for (worker, threads, met) in news {
                solver.learn_met(met);
                if others.len() < MOST_OTHERS || others.contains_key(&worker) {
                    others.insert(worker, (threads, Instant::now()));
                }
            }
        };
        learn(bus);
        let started = Instant::now();
        let mut due = Duration::ZERO;
        let limits = Limits { cancel: Some(self.settings.cancel.clone()), ..Limits::default() };
        let budget = job.budget.saturating_mul(threads as u64);
        let explored = solver
            .at(&job.node.node)
            .until(job.limit())
            .budget(budget)
            .limits(&limits)
            .on_progress(|progress| {
                learn(bus);
                if progress.elapsed >= due {
                    due = progress.elapsed + BETWEEN_BEATS;
                    bus.beat(&Beat::new(name, threads, Some(&job.id), progress.nodes), Some(&receipt));
                }
            })
            .explore();
        let explored = match explored {
            Ok(explored) => explored,
            Err(StopReason::Interrupt | StopReason::Time | StopReason::Nodes | StopReason::Board) => {
                bus.return_job(receipt, Duration::ZERO);
                return Ok(());
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        let mut solved = solver.take_solved();
        solved.sort_by_key(|solved| std::cmp::Reverse(solved.nodes));
        solved.truncate(solved.partition_point(|solved| solved.nodes >= job.share).min(MOST_SOLVED));
        let answer = Answer { seconds, solved: facts(board, &solved), ..Answer::of(&job, name, &explored) };
        self.send(bus, &job, &answer, &receipt)?;
        self.tell(bus, &solver);
        Ok(())
    }

    /// Tells the other workers what is new in the table; the more of them, the less. Alone it only says it is there.
    fn tell<B: WorkerBus>(&mut self, bus: &mut B, solver: &Arc<Solver>) {
        self.others.retain(|_, (_, heard)| heard.elapsed() < ABSENT);
        let threads = self.others.values().map(|&(threads, _)| threads);
        let elsewhere = threads.fold(0, usize::saturating_add);
        let met = solver.take_met();
        let (solver, name, threads) = (solver.clone(), self.settings.name.clone(), self.threads());
        bus.publish(move || {
            let mut met = if elsewhere == 0 { Vec::new() } else { solver.numbers(met) };
            let least = worth_telling(elsewhere);
            // Solved positions come from the coordinator: no worker has to trust another one.
            met.retain(|numbers| numbers.entry.work >= least && numbers.entry.bounds.winner().is_none());
            met.sort_by_key(|numbers| std::cmp::Reverse(numbers.entry.work));
            let news = |piece: &[Numbers]| News::new(&name, threads, solver.board(), piece);
            if met.is_empty() {
                return vec![news(&[])];
            }
            met.chunks(MOST_NEWS).take(MOST_PIECES).map(news).collect()
        });
    }

    /// Sends an answer, trying as often as necessary.
    fn send<B: WorkerBus>(
        &mut self,
        bus: &mut B,
        job: &Job,
        answer: &Answer,
        receipt: &B::Receipt,
    ) -> Result<(), RunError> {
        let until = Instant::now() + INSISTENCE;
        let mut trouble = Trouble::default();
        loop {
            match bus.answer(job, answer, receipt) {
                Ok(()) => {
                    trouble.over(self.report);
                    return Ok(());
                }
                Err(BusError::Lost(reason)) => {
                    trouble
                        .found(&format!("cannot send the answer to job {}: {reason}", job.id), self.report);
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
        Beat::new(&self.settings.name, self.threads(), job, nodes)
    }

    fn note(&mut self, what: &str) {
        (self.report)(Report::Note(what));
    }

    fn threads(&self) -> usize {
        self.settings.search.threads.max(1)
    }

    /// The solver for this board. The table of another board is freed before a new one is made.
    fn solver_of(&mut self, board: Board) -> Result<Arc<Solver>, TableError> {
        let solver = match self.solver.take().filter(|solver| solver.board() == board) {
            Some(solver) => solver,
            None => solver_for(board, &Settings { note: Some(1), ..self.settings.search.clone() })?,
        };
        Ok(self.solver.insert(solver).clone())
    }
}

/// The least work that makes a position worth telling to workers with this many threads in all.
pub fn worth_telling(threads: usize) -> Work {
    Work::of((threads / THREADS_TELLING_ALL) as u64)
}

/// A solver with the settings that workers need.
///
/// # Errors
/// If there is not enough memory for its table.
pub fn solver_for(board: Board, search: &Settings) -> Result<Arc<Solver>, TableError> {
    let settings = Settings {
        // Facts are exchanged, so everyone must fill in by the same rules.
        theory: Options::default(),
        // All of them: each job says from how many nodes on it wants to hear of them.
        remember: Some(1),
        ..search.clone()
    };
    Ok(Arc::new(Solver::new(board, settings)?))
}

/// Solved positions as facts.
pub fn facts(board: Board, solved: &[Solved]) -> Vec<Fact> {
    let entries = solved.iter().map(|solved| record_of(board, solved, RULES));
    entries.map(|(place, record)| Fact::new(&place, &record)).collect()
}
