//! A solver that is kept from call to call.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rex_answers::answer::{keep_answer, seconds as rounded};
use rex_answers::certificate;
use rex_answers::opponent::{self, Level};
use rex_game::Board;
use rex_search::prove::ProveError;
use rex_search::{Limits, Moment, Settings, Solver};
use rex_store::{Notice, Store, Thread};
use solrex::known::{FROM, Kept};

use crate::answer::Answer;
use crate::attention::Attention;
use crate::errors::{bad_value, stopped, unusable};
use crate::state::State;

/// Solvers that stay warm at the same time, one per board size.
const BOARDS: usize = 2;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Messages about stores, for Python to show as warnings.
static NOTICES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What is kept from call to call.
#[pyclass(frozen, module = "solrex._native")]
pub struct Engine {
    settings: Settings,
    store: Option<PathBuf>,
    book: bool,
    /// Locked only while the interpreter is, so never while a process forks.
    slot: Mutex<Slot>,
}

/// What belongs to one process. After a fork there are no threads to finish what they were doing with it, so the child
/// leaves it as it is and makes its own.
struct Slot {
    process: u32,
    tables: Option<Arc<Tables>>,
}

struct Tables {
    solving: rex_answers::tables::Tables,
    /// A proof is made of what a search leaves in the table, so here is no book.
    proving: rex_answers::tables::Tables,
}

impl Slot {
    /// Takes what there is, if it is this process's own.
    fn empty(&mut self) -> Option<Arc<Tables>> {
        let tables = self.tables.take();
        if self.process == std::process::id() {
            return tables;
        }
        std::mem::forget(tables);
        None
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        drop(self.empty());
    }
}

/// A move, who wins after it, and how many replies win against it.
type Move = (String, Option<String>, Option<usize>);

/// What is asked about a position.
#[derive(Clone, Copy)]
enum Question {
    Solve,
    Verdict,
    Values { replies: bool },
}

impl Engine {
    fn open(&self, store: Option<Store>) -> Tables {
        let kept = Kept::new(store.map(|store| Thread::start(store, notice)), self.book);
        if self.book {
            // Read it now, not in a search that a fork may interrupt.
            let _ = Board::new(5, 5).map(rex_book::shipped_for);
        }
        let bare = Kept::default();
        let solving = move |board, settings: &Settings| solrex::known::solver(board, settings, &kept);
        let proving = move |board, settings: &Settings| solrex::known::solver(board, settings, &bare);
        Tables {
            solving: rex_answers::tables::Tables::new(self.settings.clone(), BOARDS, solving),
            proving: rex_answers::tables::Tables::new(self.settings.clone(), 1, proving),
        }
    }

    /// The tables of this process. The interpreter must be locked.
    fn tables(&self, _: Python) -> PyResult<Arc<Tables>> {
        let mut slot = self.slot.lock();
        let process = std::process::id();
        if slot.process != process {
            drop(slot.empty());
            let store = self
                .store
                .as_deref()
                .and_then(|path| Store::open(path).inspect_err(|error| notice(&Notice::Without(error))).ok());
            *slot = Slot { process, tables: Some(Arc::new(self.open(store))) };
        }
        slot.tables.clone().ok_or_else(|| bad_value("the solver is closed"))
    }
}

fn notice(notice: &Notice) {
    NOTICES.lock().push(notice.to_string());
}

/// The messages since the last call.
#[pyfunction]
pub fn notices() -> Vec<String> {
    NOTICES.try_lock().map(|mut notices| std::mem::take(&mut *notices)).unwrap_or_default()
}

fn solver_of(tables: &rex_answers::tables::Tables, board: Board) -> PyResult<Arc<Solver>> {
    let made = tables.of(board);
    made.map(|(solver, _)| solver)
        .map_err(|error| PyMemoryError::new_err(format!("{error}; try a smaller memory")))
}

impl Question {
    /// Asks it, and stores an answer that took some work.
    fn put(self, solver: &Solver, state: &rex_game::State, asking: Asking) -> Answer {
        let Asking { limits, threads, attention } = asking;
        let attention = attention.map(RefCell::new);
        let request = solver.ask(state).limits(limits).threads(threads).on_progress(|progress| {
            if let Some(attention) = &attention {
                attention.borrow_mut().look("nodes", progress.nodes);
            }
        });
        let mut decided = 0;
        let (solution, reports) = match self {
            Question::Solve => (request.solve(), Vec::new()),
            Question::Verdict => (request.verdict(), Vec::new()),
            Question::Values { replies } => request
                .counting_replies(replies)
                .on_move(|_| {
                    decided += 1;
                    if let Some(attention) = &attention {
                        attention.borrow_mut().perhaps_look("moves", decided);
                    }
                })
                .moves(),
        };
        if solution.nodes >= FROM {
            keep_answer(solver, state, &solution, &reports);
        }
        match self {
            Question::Solve => Answer::of_solution(*state, solution),
            Question::Verdict => Answer::of_verdict(*state, solution),
            Question::Values { replies } => Answer::of_values(*state, solution, reports, replies),
        }
    }
}

/// How a question is put.
struct Asking<'a, 'b> {
    limits: &'a Limits,
    threads: usize,
    attention: Option<&'a mut Attention<'b>>,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(
        memory: Option<u64>,
        threads: Option<usize>,
        store: Option<PathBuf>,
        book: bool,
    ) -> PyResult<Engine> {
        let settings = Settings {
            memory: memory.unwrap_or_else(solrex::default_memory),
            threads: threads.unwrap_or_else(solrex::cores),
            ..Settings::default()
        };
        let opened = store.as_deref().map(Store::open).transpose().map_err(unusable)?;
        let slot = Mutex::new(Slot { process: std::process::id(), tables: None });
        let engine = Engine { settings, store, book, slot };
        let tables = engine.open(opened);
        engine.slot.lock().tables = Some(Arc::new(tables));
        Ok(engine)
    }

    /// Forgets everything, and writes what is to be stored. Searches that still run finish first.
    fn close(&self, py: Python) {
        let tables = self.slot.lock().empty();
        // The thread that writes the store is waited for.
        py.detach(|| drop(tables));
    }

    #[getter]
    fn threads(&self) -> usize {
        self.settings.threads
    }

    #[getter]
    fn memory(&self) -> u64 {
        self.settings.memory
    }

    /// Answers a question: "solve", "verdict", "values" or "replies".
    #[pyo3(signature = (question, state, seconds, nodes, threads, tell))]
    fn ask(
        &self,
        py: Python,
        question: &str,
        state: &State,
        seconds: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let (question, state) = (read(question)?, state.0);
        let tables = self.tables(py)?;
        let mut attention = Attention::new(tell.as_ref());
        let limits = attention.limits(seconds, nodes);
        let answer = py.detach(|| {
            let solver = solver_of(&tables.solving, state.board())?;
            let threads = threads.unwrap_or(usize::MAX);
            let asking = Asking { limits: &limits, threads, attention: Some(&mut attention) };
            PyResult::Ok(question.put(&solver, &state, asking))
        })?;
        match attention.raised() {
            None => Ok(answer),
            Some(error) => {
                let text = answer.summary();
                Err(stopped(py, Some(error), text, Py::new(py, answer)?.into_any()))
            }
        }
    }

    /// Answers the same question about many positions, on several threads at once.
    #[pyo3(signature = (question, states, seconds, nodes, threads, tell))]
    fn ask_many(
        &self,
        py: Python,
        question: &str,
        states: Vec<PyRef<State>>,
        seconds: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Py<Answer>>> {
        let question = read(question)?;
        let states: Vec<rex_game::State> = states.iter().map(|state| state.0).collect();
        let tables = self.tables(py)?;
        let threads = threads.unwrap_or(self.settings.threads).min(states.len()).max(1);
        let mut attention = Attention::new(tell.as_ref());
        let limits = attention.limits(seconds, nodes);
        let cancel = attention.flag().clone();
        let answers: Vec<OnceLock<Answer>> = states.iter().map(|_| OnceLock::new()).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let failed = Mutex::new(None);
        let work = || {
            while !cancel.load(Relaxed) {
                let number = next.fetch_add(1, Relaxed);
                let Some(state) = states.get(number) else { break };
                match solver_of(&tables.solving, state.board()) {
                    Ok(solver) => {
                        let asking = Asking { limits: &limits, threads: 1, attention: None };
                        let _ = answers[number].set(question.put(&solver, state, asking));
                        done.fetch_add(1, Relaxed);
                    }
                    Err(error) => {
                        *failed.lock() = Some(error);
                        break;
                    }
                }
            }
        };
        py.detach(|| {
            std::thread::scope(|scope| {
                let (sender, finished) = channel::<()>();
                for _ in 0..threads {
                    let (work, sender) = (&work, sender.clone());
                    scope.spawn(move || {
                        work();
                        drop(sender);
                    });
                }
                drop(sender);
                while finished.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                    attention.look("positions", done.load(Relaxed) as u64);
                }
            });
        });
        if let Some(error) = failed.into_inner() {
            return Err(error);
        }
        let answered = answers.into_iter().filter_map(OnceLock::into_inner);
        let answers: Vec<Py<Answer>> = answered.map(|answer| Py::new(py, answer)).collect::<PyResult<_>>()?;
        match attention.raised() {
            None => Ok(answers),
            Some(error) => {
                let text = format!("{} of {} positions were done", answers.len(), states.len());
                let known = answers.into_pyobject(py)?.into_any().unbind();
                Err(stopped(py, Some(error), text, known))
            }
        }
    }

    /// The move of a level, who wins after it, and how many replies win against it if it loses.
    #[pyo3(signature = (state, level, seed, seconds, nodes))]
    fn choose(
        &self,
        py: Python,
        state: &State,
        level: &str,
        seed: u64,
        seconds: Option<f64>,
        nodes: Option<u64>,
    ) -> PyResult<Option<Move>> {
        let names = || Level::ALL.map(Level::name).join(", ");
        let level = Level::ALL.into_iter().find(|known| known.name() == level);
        let level =
            level.ok_or_else(|| bad_value(format!("there is no such level; expected {}", names())))?;
        let state = state.0;
        let tables = self.tables(py)?;
        let mut attention = Attention::new(None);
        let limits = attention.limits(seconds, nodes);
        let choice = py.detach(|| {
            let solver = solver_of(&tables.solving, state.board())?;
            let listener = &mut |progress: &rex_search::Progress| attention.look("nodes", progress.nodes);
            PyResult::Ok(opponent::choose_as(level, seed, &solver, &state, &limits, listener))
        })?;
        if let Some(error) = attention.raised() {
            return Err(error);
        }
        Ok(choice.map(|choice| {
            let winner = choice.winner.map(|player| player.to_string());
            (state.board().name(choice.cell), winner, choice.replies)
        }))
    }

    /// Makes a certificate and checks it. Returns its file, and what it proves as JSON.
    #[pyo3(signature = (state, explicit, compressed, seconds, nodes, threads, tell))]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        explicit: bool,
        compressed: bool,
        seconds: Option<f64>,
        nodes: Option<u64>,
        threads: Option<usize>,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let state = state.0;
        let tables = self.tables(py)?;
        let mut attention = Attention::new(tell.as_ref());
        let limits = attention.limits(seconds, nodes);
        let started = Moment::now();
        let (solver, answer) = py.detach(|| {
            let solver = solver_of(&tables.proving, state.board())?;
            let threads = threads.unwrap_or(usize::MAX);
            let asking = Asking { limits: &limits, threads, attention: Some(&mut attention) };
            let answer = Question::Verdict.put(&solver, &state, asking);
            PyResult::Ok((solver, answer))
        })?;
        let Some(winner) = answer.winning_player() else {
            let text = answer.summary();
            return Err(stopped(py, attention.raised(), text, Py::new(py, answer)?.into_any()));
        };
        let solved = started.elapsed();
        let left = attention.limits(seconds.map(|all| (all - solved.as_secs_f64()).max(0.0)), None);
        let proof = py.detach(|| {
            let request = solver.proof(&state, winner).explicit(explicit).limits(&left);
            request.on_progress(|claims| attention.perhaps_look("claims", claims as u64)).prove()
        });
        let proof = match proof {
            Ok(proof) => proof,
            Err(ProveError::Stopped(_)) => {
                let text = format!("{winner} wins, but the proof was stopped");
                return Err(stopped(py, attention.raised(), text, Py::new(py, answer)?.into_any()));
            }
            Err(error) => return Err(pyo3::exceptions::PyRuntimeError::new_err(error.to_string())),
        };
        let file: Arc<[u8]> = py.detach(|| certificate::file(proof, compressed)).map_err(unusable)?.into();
        let proved = started.elapsed() - solved;
        let checked = crate::check::checked(py, file.clone(), &mut attention);
        let checked = match (checked, attention.raised()) {
            (_, Some(error)) => return Err(error),
            (checked, None) => checked?,
        };
        if checked.report.state != state || checked.report.winner != winner {
            return Err(pyo3::exceptions::PyRuntimeError::new_err("the certificate proves something else"));
        }
        let mut object = checked.json(None);
        object["solve_seconds"] = rounded(solved).into();
        object["prove_seconds"] = rounded(proved).into();
        Ok((PyBytes::new(py, &file), rex_answers::answer::versioned(object).to_string()))
    }
}

fn read(question: &str) -> PyResult<Question> {
    match question {
        "solve" => Ok(Question::Solve),
        "verdict" => Ok(Question::Verdict),
        "values" => Ok(Question::Values { replies: false }),
        "replies" => Ok(Question::Values { replies: true }),
        _ => Err(bad_value("expected solve, verdict, values or replies")),
    }
}
