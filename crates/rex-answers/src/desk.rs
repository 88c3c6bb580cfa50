//! Everything that can be asked, by name: for front ends that only pass on requests, as the engine in a browser does.
//!
//! A request is a JSON object that says what it asks for: `{"ask": "explain", "position": "4x4 d1"}`. It becomes a job,
//! and [`Desk::step`] works on that for a while. What a job has to say comes as events, each with a name and a JSON
//! object; `docs/embedding.md` has all of them. So nobody who asks has to wait: between two steps other jobs get theirs,
//! and a job that nobody wants any more ends where it is.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use rex_game::{Board, State};
use rex_proof::{CheckError, Claims};
use rex_search::{Book, Moment, Settings, Solver, TableError};
use rex_theory::Options;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{self, seconds, versioned};
use crate::certificate::{Check, Checked};
use crate::explain::{self, Explanation};
use crate::games::{self, Exported, Pasted};
use crate::line::{self, LineRequest};
use crate::notation::read_text;
use crate::opponent::{self, Choosing, MOVE_TIME, MoveRequest};
use crate::page_search::{PageSearch, Session, TIME, Tell, report, time_limit};
use crate::proving::{ProveRequest, Proving, Times};
use crate::reader::{ClaimRequest, ReplyRequest, Shelf};
use crate::tables::Tables;
use crate::{BadInput, certificate};

mod slices;

use slices::{Pause, Slices};

/// The most tables that are kept when no job needs them.
const TABLES: usize = 2;
/// The smallest table worth trying, if there is no memory for a larger one.
const SMALLEST: u64 = 16 << 20;
const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

/// Takes requests and works on them.
pub struct Desk {
    tables: Tables,
    /// A proof is made of what a search leaves in the table, so here is no book.
    proving: Tables,
    /// The certificate that is being read.
    shelf: Rc<Shelf>,
    jobs: Vec<(u32, Job)>,
    last: u32,
}

/// What a job has to say.
pub enum Event<'a> {
    /// A named event.
    Named(&'static str, Value),
    /// The bytes of a file.
    File(&'a [u8]),
}

/// A request.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Request {
    /// Who wins, by which move: what `solrex solve --json` prints.
    Solve(Question),
    /// The value of every move: what `solrex moves --json` prints.
    Moves(Question),
    /// The same with an event for each move.
    Stream(Question),
    Explain {
        position: String,
    },
    Move(MoveRequest),
    /// The line of play from a position.
    Line(LineRequest),
    Import(Pasted),
    Export(Exported),
    Prove(ProveRequest),
    /// Whether the file that comes with the request is a proof.
    Check {
        /// Keep it for the next two, in place of the one before.
        #[serde(default)]
        keep: bool,
    },
    /// What a claim of the certificate says.
    Claim(ClaimRequest),
    /// How it answers a move.
    Reply(ReplyRequest),
}

#[derive(Deserialize)]
struct Question {
    position: String,
    /// Count the winning replies.
    #[serde(default)]
    replies: bool,
    /// An argument that names no move is enough.
    #[serde(default)]
    verdict_only: bool,
    seconds: Option<f64>,
    nodes: Option<u64>,
}

/// A request being worked on.
enum Job {
    /// The answer is there.
    Ready(Value),
    Failed(String),
    Solve {
        state: State,
        verdict_only: bool,
        slices: Slices,
    },
    Moves {
        state: State,
        replies: bool,
        slices: Slices,
    },
    Stream {
        search: Box<PageSearch>,
        slices: Slices,
        start: Option<Value>,
    },
    Line {
        state: State,
        slices: Slices,
        /// Whether it was looked up.
        looked: bool,
    },
    Move {
        state: State,
        choosing: Choosing,
        slices: Slices,
    },
    Prove {
        proving: Box<Proving>,
        compressed: bool,
        keep: bool,
        slices: Slices,
        shelf: Rc<Shelf>,
    },
    Check {
        check: Box<Check>,
        /// Where it goes if it is kept.
        shelf: Rc<Shelf>,
        told: Moment,
        /// The file, if it was made here.
        made: Option<(Arc<[u8]>, Times)>,
    },
}

impl Desk {
    /// A desk whose tables have at most this many bytes each. For some boards it may have a book to look openings up in.
    pub fn new(memory: u64, book: fn(Board) -> Option<&'static dyn Book>) -> Desk {
        let settings = Settings { memory: memory.saturating_mul(TABLES as u64), ..Settings::default() };
        let make = move |board, settings: &Settings| {
            let solver = smaller_if_need_be(board, settings)?;
            Ok(if let Some(book) = book(board) { solver.with_book(book) } else { solver })
        };
        let proving = Tables::new(Settings { memory, ..Settings::default() }, 1, smaller_if_need_be);
        Desk {
            tables: Tables::new(settings, TABLES, make),
            proving,
            shelf: Rc::new(Shelf::new(0)),
            jobs: Vec::new(),
            last: 0,
        }
    }

    /// Takes a request, with the file that belongs to it if there is one. Returns the number of the job.
    pub fn begin(&mut self, request: &[u8], file: Vec<u8>) -> u32 {
        let request = serde_json::from_slice(request).map_err(BadInput::new);
        let job = request.and_then(|request| self.job(request, file));
        let job = job.unwrap_or_else(|error| Job::Failed(error.to_string()));
        self.last = self.last.wrapping_add(1);
        self.jobs.push((self.last, job));
        self.last
    }

    /// Works on a job for about this long, or without a limit until it is finished. Returns whether it is, or has been
    /// before.
    pub fn step(&mut self, number: u32, slice: Option<Duration>, tell: &mut dyn FnMut(Event)) -> bool {
        let Some((_, job)) = self.jobs.iter_mut().find(|(other, _)| *other == number) else { return true };
        let finished = job.step(slice, tell).is_ok();
        if finished {
            self.end(number);
        }
        finished
    }

    /// Forgets a job. What it found stays in the table.
    pub fn end(&mut self, number: u32) {
        self.jobs.retain(|(other, _)| *other != number);
    }

    fn job(&self, request: Request, file: Vec<u8>) -> Result<Job, BadInput> {
        Ok(match request {
            Request::Solve(question) => {
                let state = read_text(&question.position)?;
                let verdict_only = question.verdict_only;
                Job::Solve { state, verdict_only, slices: self.slices(state.board(), &question)? }
            }
            Request::Moves(question) => {
                let state = read_text(&question.position)?;
                let replies = question.replies;
                Job::Moves { state, replies, slices: self.slices(state.board(), &question)? }
            }
            Request::Stream(question) => {
                let state = read_text(&question.position)?;
                Job::Stream {
                    start: Some(versioned(json!({ "position": state.to_string() }))),
                    search: Box::new(PageSearch::new(&state, question.replies)),
                    slices: Slices::new(
                        self.solver(state.board())?,
                        TIME.min(time_limit(question.seconds)?),
                        question.nodes,
                    ),
                }
            }
            Request::Explain { position } => {
                let state = read_text(&position)?;
                Job::Ready(versioned(explain::object(&Explanation::new(&state, &Options::all()))))
            }
            Request::Move(request) => {
                let state = read_text(&request.position)?;
                let mut choosing = Choosing::new(&state, request.level, request.seed);
                match choosing.without_search() {
                    Some(choice) => Job::Ready(opponent::answer(&state, choice)),
                    None => {
                        let slices = Slices::new(self.solver(state.board())?, MOVE_TIME, None);
                        Job::Move { state, choosing, slices }
                    }
                }
            }
            Request::Line(request) => {
                let state = request.state()?;
                if let Some(answer) = line::without_moves(&state) {
                    return Ok(Job::Ready(answer));
                }
                let slices = Slices::new(self.solver(state.board())?, MOVE_TIME, None);
                Job::Line { state, slices, looked: false }
            }
            Request::Import(pasted) => Job::Ready(games::imported(&pasted)?),
            Request::Export(game) => Job::Ready(versioned(games::export(&game)?)),
            Request::Prove(request) => {
                let state = read_text(&request.position)?;
                let time = time_limit(request.seconds)?;
                let (solver, _) = self.proving.of(state.board()).map_err(BadInput::new)?;
                let (slices, shelf) = (Slices::new(solver, time, None), self.shelf.clone());
                let proving = Box::new(Proving::new(&state, request.explicit));
                Job::Prove { proving, compressed: request.compressed, keep: request.keep, slices, shelf }
            }
            Request::Check { keep } => {
                if keep {
                    self.shelf.clear();
                }
                match Check::new(file.into(), keep) {
                    Ok(check) => {
                        let (check, shelf) = (Box::new(check), self.shelf.clone());
                        Job::Check { check, shelf, told: Moment::now(), made: None }
                    }
                    Err(error) => Job::Ready(not_a_proof(error)),
                }
            }
            Request::Claim(request) => Job::Ready(self.shelf.claim(&request)?),
            Request::Reply(request) => Job::Ready(self.shelf.reply(&request)?),
        })
    }

    fn slices(&self, board: Board, question: &Question) -> Result<Slices, BadInput> {
        Ok(Slices::new(self.solver(board)?, time_limit(question.seconds)?, question.nodes))
    }

    fn solver(&self, board: Board) -> Result<Arc<Solver>, BadInput> {
        self.tables.of(board).map(|(solver, _)| solver).map_err(BadInput::new)
    }
}

/// A solver with the largest table there is memory for. Searches are exact with any.
fn smaller_if_need_be(board: Board, settings: &Settings) -> Result<Solver, TableError> {
    let mut settings = settings.clone();
    loop {
        match Solver::new(board, settings.clone()) {
            Err(_) if settings.memory / 2 >= SMALLEST => settings.memory /= 2,
            made => return made,
        }
    }
}

impl Job {
    fn step(&mut self, slice: Option<Duration>, out: &mut dyn FnMut(Event)) -> Result<(), Pause> {
        let mut tell = |name, value| out(Event::Named(name, value));
        match self {
            Job::Ready(answer) => tell("answer", answer.take()),
            Job::Failed(error) => tell("failed", json!({ "error": error })),
            Job::Solve { state, verdict_only, slices } => {
                slices.begin(slice);
                let (solution, ()) = slices.ask(None, &mut tell, |attempt, tell| {
                    let request = attempt.solver.ask(state).limits(&attempt.limits);
                    let request = request.on_progress(|progress| report(state, attempt, progress, tell));
                    (if *verdict_only { request.verdict() } else { request.solve() }, ())
                })?;
                let existence = *verdict_only && explain::is_existence_argument(state, &Options::default());
                tell("answer", timed(slices, answer::verdict(state, &solution, existence)));
            }
            Job::Moves { state, replies, slices } => {
                slices.begin(slice);
                let (solution, reports) = slices.ask(None, &mut tell, |attempt, tell| {
                    let request = attempt.solver.ask(state).limits(&attempt.limits);
                    let request = request.on_progress(|progress| report(state, attempt, progress, tell));
                    request.counting_replies(*replies).moves()
                })?;
                tell("answer", timed(slices, answer::moves(state, &solution, &reports, *replies)));
            }
            Job::Stream { search, slices, start } => {
                if let Some(start) = start.take() {
                    tell("start", start);
                }
                slices.begin(slice);
                search.go_on(slices, &mut tell)?;
            }
            Job::Line { state, slices, looked } => {
                if !std::mem::replace(looked, true) {
                    if let Some(known) = line::known(&slices.solver, state) {
                        tell("answer", line::answer(state, &known));
                        return Ok(());
                    }
                    // That may have taken the whole slice.
                    if slice.is_some() {
                        return Err(Pause);
                    }
                }
                slices.begin(slice);
                let (solution, ()) = slices.ask(None, &mut |_, _| {}, |attempt, _| {
                    (attempt.solver.ask(state).limits(&attempt.limits).solve(), ())
                })?;
                tell("answer", line::answer(state, &solution));
            }
            Job::Move { state, choosing, slices } => {
                slices.begin(slice);
                let choice = choosing.go_on(|question| {
                    slices.ask(question.nodes, &mut |_, _| {}, |attempt, _| {
                        question.put(|state| attempt.solver.ask(state).limits(&attempt.limits))
                    })
                })?;
                tell("answer", opponent::answer(state, choice));
            }
            Job::Prove { proving, compressed, keep, slices, shelf } => {
                slices.begin(slice);
                let (file, times): (Arc<[u8]>, Times) =
                    match proving.go_on(slices, &mut tell)?.file(*compressed) {
                        Ok((file, times)) => (file.into(), times),
                        Err((name, value)) => {
                            tell(name, value);
                            return Ok(());
                        }
                    };
                if *keep {
                    shelf.clear();
                }
                match Check::new(file.clone(), *keep) {
                    Ok(check) => {
                        let (check, shelf, made) = (Box::new(check), shelf.clone(), Some((file, times)));
                        *self = Job::Check { check, shelf, told: Moment::now(), made };
                    }
                    Err(error) => {
                        tell("answer", not_a_proof(error));
                        return Ok(());
                    }
                }
                // The check comes in slices, too.
                return match slice {
                    Some(_) => Err(Pause),
                    None => self.step(slice, out),
                };
            }
            Job::Check { check, shelf, told, made } => match (finish(check, slice, told, &mut tell)?, made) {
                (Ok((checked, claims)), Some((file, times))) => {
                    let mut answer = shelf.answer(&checked, claims);
                    times.add_to(&mut answer);
                    out(Event::File(file));
                    out(Event::Named("answer", answer));
                }
                (Ok((checked, claims)), None) => tell("answer", shelf.answer(&checked, claims)),
                (Err(error), _) => tell("answer", not_a_proof(error)),
            },
        }
        Ok(())
    }
}

/// An answer with the time of all its slices.
fn timed(slices: &Slices, mut object: Value) -> Value {
    object["seconds"] = seconds(slices.worked()).into();
    versioned(object)
}

/// Goes on with a check for about this long, or until it is finished, and tells how far it is.
fn finish(
    check: &mut Check,
    slice: Option<Duration>,
    told: &mut Moment,
    tell: Tell,
) -> Result<Result<(Checked, Option<Claims>), CheckError>, Pause> {
    loop {
        match check.go_on(slice.unwrap_or(BETWEEN_PROGRESS)).transpose() {
            Some(finished) => return Ok(finished),
            None if told.elapsed() >= BETWEEN_PROGRESS => {
                *told = Moment::now();
                tell("progress", check.progress());
            }
            None => {}
        }
        if slice.is_some() {
            return Err(Pause);
        }
    }
}

fn not_a_proof(error: CheckError) -> Value {
    versioned(certificate::failure(None, &error))
}

#[cfg(test)]
mod tests;
