//! The requests of the page. `docs/api.md` shows each.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use rex_answers::BadInput;
use rex_answers::answer::versioned;
use rex_answers::explain::{self, Explanation};
use rex_answers::games::{self, Exported, Pasted};
use rex_answers::line::{self, LineRequest};
use rex_answers::notation::read_text;
use rex_answers::opponent::{self, Choosing, MOVE_TIME, MoveRequest};
use rex_answers::page_search::{PageSearch, Session, time_limit};
use rex_theory::Options;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, Sender};

use super::assets;
use super::certificates;
use super::engine::{Engine, Refused};

/// Enough for all events of a search except progress and waiting, which are left out once half of it is full.
const EVENTS: usize = 1024;

type Shared = State<Arc<Engine>>;
/// What a request gets.
pub type HttpResult = Result<Response, Failure>;

/// Everything that can be asked; `about` is what the page hears about its engine.
pub fn router(engine: Arc<Engine>, about: Value) -> Router {
    let about = versioned(about);
    Router::new()
        .route("/engine.json", get(async move || Json(about.clone())))
        .route("/api/solve", get(solve))
        .route("/api/explain", get(explain))
        .route("/api/move", post(choose))
        .route("/api/line", post(line))
        .route("/api/import", post(import))
        .route("/api/export", post(export))
        .route("/api/puzzles", get(puzzles))
        .merge(certificates::router(engine.clone()))
        .route("/api/{*rest}", get(nothing).post(nothing))
        .method_not_allowed_fallback(wrong_method)
        .fallback_service(get(assets::file).fallback(wrong_method))
        .with_state(engine)
}

/// A request that cannot be answered.
pub struct Failure(StatusCode, String);

/// A request that cannot be answered, with what is wrong with it.
pub fn error(status: StatusCode, message: impl Into<String>) -> Failure {
    Failure(status, message.into())
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.1)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, Json(versioned(json!({ "error": self.1 })))).into_response()
    }
}

impl From<BadInput> for Failure {
    fn from(what: BadInput) -> Failure {
        error(StatusCode::BAD_REQUEST, what.to_string())
    }
}

impl From<QueryRejection> for Failure {
    fn from(what: QueryRejection) -> Failure {
        error(what.status(), what.body_text())
    }
}

impl From<JsonRejection> for Failure {
    fn from(what: JsonRejection) -> Failure {
        error(what.status(), what.body_text())
    }
}

impl From<Refused> for Failure {
    fn from(what: Refused) -> Failure {
        match what {
            Refused::Full => error(StatusCode::SERVICE_UNAVAILABLE, "too many searches are waiting"),
            Refused::NoMemory(what) => error(StatusCode::INSUFFICIENT_STORAGE, what.to_string()),
        }
    }
}

/// An answer with its version.
fn reply(object: Value) -> HttpResult {
    Ok(Json(versioned(object)).into_response())
}

/// A request whose work has panicked.
pub fn broken(what: tokio::task::JoinError) -> Failure {
    error(StatusCode::INTERNAL_SERVER_ERROR, format!("a bug in the program: {what}"))
}

async fn wrong_method() -> Failure {
    error(StatusCode::METHOD_NOT_ALLOWED, "wrong method; see docs/api.md")
}

async fn nothing() -> Failure {
    error(StatusCode::NOT_FOUND, "there is nothing here")
}

#[derive(Deserialize)]
struct SolveRequest {
    position: String,
    #[serde(default)]
    replies: bool,
    /// Stop after this many seconds, if that is sooner than the server's own limit.
    seconds: Option<f64>,
}

/// The value of every move, as server-sent events.
async fn solve(State(engine): Shared, request: Result<Query<SolveRequest>, QueryRejection>) -> HttpResult {
    let Query(request) = request?;
    let state = read_text(&request.position)?;
    let time = time_limit(request.seconds)?;
    let cancel = engine.cancel();
    let (sender, mut events) = mpsc::channel(EVENTS);
    let stop = cancel.stop.clone();
    tokio::spawn(async move {
        let slot = tokio::select! {
            slot = engine.glance() => slot,
            // The page has been closed.
            () = sender.closed() => return,
        };
        let listener = sender.clone();
        let work = tokio::task::spawn_blocking(move || {
            let mut tell = |name, value| say(&listener, name, value);
            tell("start", versioned(json!({ "position": state.to_string() })));
            let session = engine.session(slot, stop, state.board(), time);
            let mut search = PageSearch::new(&state, request.replies);
            session.and_then(|mut session| search.go_on(&mut session, &mut tell))
        });
        let failure = match work.await {
            Ok(Ok(())) => return,
            Ok(Err(refused)) => Failure::from(refused),
            Err(panic) => broken(panic),
        };
        say(&sender, "failed", json!({ "error": failure.1 }));
    });
    let stream = futures_util::stream::poll_fn(move |context| {
        // It belongs to the stream: when the page is closed, both are dropped and the search ends.
        let _with_the_stream = &cancel;
        events.poll_recv(context).map(|event| event.map(Ok::<Event, Infallible>))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()).into_response())
}

fn say(sender: &Sender<Event>, name: &'static str, value: Value) {
    if matches!(name, "progress" | "waiting") && sender.capacity() < EVENTS / 2 {
        return;
    }
    // Nobody is listening any more; the flag stops the search.
    let _ = sender.try_send(Event::default().event(name).data(value.to_string()));
}

#[derive(Deserialize)]
struct ExplainRequest {
    position: String,
}

async fn explain(
    State(engine): Shared,
    request: Result<Query<ExplainRequest>, QueryRejection>,
) -> HttpResult {
    let state = read_text(&request?.position)?;
    let slot = engine.glance().await;
    let work = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        explain::object(&Explanation::new(&state, &Options::all()))
    });
    reply(work.await.map_err(broken)?)
}

/// A move for somebody who plays against the program.
async fn choose(State(engine): Shared, request: Result<Json<MoveRequest>, JsonRejection>) -> HttpResult {
    let Json(request) = request?;
    let state = read_text(&request.position)?;
    let answer = |choice| Ok(Json(opponent::answer(&state, choice)).into_response());
    let mut choosing = Choosing::new(&state, request.level, request.seed);
    if let Some(choice) = choosing.without_search() {
        return answer(choice);
    }
    // Dropped with this request, when its page is closed.
    let cancel = engine.cancel();
    let (slot, stop, shared) = (engine.glance().await, cancel.stop.clone(), engine.clone());
    let work = tokio::task::spawn_blocking(move || {
        let mut session = shared.session(slot, stop, state.board(), MOVE_TIME)?;
        choosing.go_on(|question| {
            session.ask(question.nodes, &mut |_, _| {}, |attempt, _| {
                question.put(|state| attempt.solver.ask(state).limits(&attempt.limits))
            })
        })
    });
    let choice = work.await.map_err(broken)?.map_err(Failure::from)?;
    if engine.stopping() {
        return Err(error(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping"));
    }
    answer(choice)
}

/// The line of play from a position. What is known comes at once.
async fn line(State(engine): Shared, request: Result<Json<LineRequest>, JsonRejection>) -> HttpResult {
    let state = request?.0.state()?;
    // Dropped with this request, when its page wants something else.
    let cancel = engine.cancel();
    let (slot, stop, shared) = (engine.glance().await, cancel.stop.clone(), engine.clone());
    let work = tokio::task::spawn_blocking(move || {
        if let Some(answer) = line::without_moves(&state) {
            return Ok(answer);
        }
        let mut session = shared.session(slot, stop, state.board(), MOVE_TIME)?;
        if let Some(known) = session.solver().and_then(|solver| line::known(solver, &state)) {
            return Ok(line::answer(&state, &known));
        }
        let asked = session.ask(None, &mut |_, _| {}, |attempt, _| {
            (attempt.solver.ask(&state).limits(&attempt.limits).solve(), ())
        });
        asked.map(|(solution, ())| line::answer(&state, &solution))
    });
    Ok(Json(work.await.map_err(broken)?.map_err(Failure::from)?).into_response())
}

async fn import(request: Result<Json<Pasted>, JsonRejection>) -> HttpResult {
    let Json(pasted) = request?;
    Ok(Json(games::imported(&pasted)?).into_response())
}

async fn export(request: Result<Json<Exported>, JsonRejection>) -> HttpResult {
    let Json(game) = request?;
    reply(games::export(&game)?)
}

/// The built-in puzzles.
async fn puzzles() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], assets::PUZZLES.clone()).into_response()
}
