//! Certificates that the page opens or asks for: made and checked here, kept for a while, and read claim by claim.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Extension, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use rex_answers::answer::versioned;
use rex_answers::certificate::{self, Check};
use rex_answers::notation::read_text;
use rex_answers::page_search::{TIME, time_limit};
use rex_answers::proving::{ProveRequest, Proving};
use rex_answers::reader::{ClaimRequest, ReplyRequest, Shelf};
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, Sender};

use super::api::{Failure, HttpResult, broken};
use super::engine::{Engine, Refused, Turnwise};
use super::guard::Upload;

/// Memory for certificates that somebody reads. The newest one is kept in any case.
const SHELF: u64 = 256 << 20;
/// How long a check goes on before it says how far it is, and looks whether anybody still listens.
const SLICE: Duration = Duration::from_millis(100);
const EVENTS: usize = 64;

struct Reading {
    engine: Arc<Engine>,
    shelf: Shelf,
}

type Shared = State<Arc<Reading>>;

/// What can be asked about certificates.
pub fn router(engine: Arc<Engine>) -> Router<Arc<Engine>> {
    Router::new()
        .route("/api/check", post(check))
        .route("/api/prove", post(prove))
        .route("/api/claim", post(claim))
        .route("/api/reply", post(reply))
        .with_state(Arc::new(Reading { engine, shelf: Shelf::new(SHELF) }))
}

/// Checks a file; how far it is, and what comes of it, as server-sent events. Ends when nobody listens any more.
async fn check(State(reading): Shared, Extension(upload): Extension<Upload>, file: Bytes) -> Response {
    let (sender, mut events) = mpsc::channel(EVENTS);
    tokio::spawn(async move {
        let listener = sender.clone();
        let work = tokio::task::spawn_blocking(move || {
            let _upload = upload;
            reading.check(&file, &listener)
        });
        let (name, value) = match work.await {
            Ok(said) => said,
            Err(panic) => ("failed", json!({ "error": broken(panic).to_string() })),
        };
        // Fails only if nobody is listening any more.
        let _ = sender.send(event(name, &value)).await;
    });
    let stream = futures_util::stream::poll_fn(move |context| {
        events.poll_recv(context).map(|event| event.map(Ok::<Event, Infallible>))
    });
    Sse::new(stream).keep_alive(KeepAlive::default()).into_response()
}

/// Makes a certificate; how far it is, the file, and what it proves, as server-sent events. Ends when nobody listens any more.
async fn prove(State(reading): Shared, request: Result<Json<ProveRequest>, JsonRejection>) -> HttpResult {
    let Json(request) = request?;
    let state = read_text(&request.position)?;
    let time = time_limit(request.seconds)?;
    let cancel = reading.engine.cancel();
    let (sender, mut events) = mpsc::channel(EVENTS);
    let stop = cancel.stop.clone();
    tokio::spawn(async move {
        let engine = reading.engine.clone();
        // Made before the slot: whoever waits for a place must not take those for short looks.
        let places = async {
            let place = engine.proof().await;
            (place, engine.glance().await)
        };
        let (place, slot) = tokio::select! {
            places = places => places,
            () = sender.closed() => return,
        };
        let listener = sender.clone();
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            let session = reading.engine.proof_session(slot, stop, state.board(), time);
            session.and_then(|session| reading.prove(&state, &request, session, &listener))
        });
        let failure = match work.await {
            Ok(Ok(said)) => {
                for (name, value) in said {
                    // Fails only if nobody is listening any more.
                    let _ = sender.send(event(name, &value)).await;
                }
                return;
            }
            Ok(Err(refused)) => Failure::from(refused),
            Err(panic) => broken(panic),
        };
        let _ = sender.send(event("failed", &json!({ "error": failure.to_string() }))).await;
    });
    let stream = futures_util::stream::poll_fn(move |context| {
        // It belongs to the stream: when the page is closed, both are dropped and the search ends.
        let _with_the_stream = &cancel;
        events.poll_recv(context).map(|event| event.map(Ok::<Event, Infallible>))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()).into_response())
}

fn event(name: &str, value: &Value) -> Event {
    Event::default().event(name).data(value.to_string())
}

impl Reading {
    /// The last events of a request for a certificate.
    fn prove(
        &self,
        state: &rex_game::State,
        request: &ProveRequest,
        mut session: Turnwise,
        listener: &Sender<Event>,
    ) -> Result<Vec<(&'static str, Value)>, Refused> {
        // If the page does not read them, it misses some.
        let mut tell = |name: &'static str, value: Value| drop(listener.try_send(event(name, &value)));
        let outcome = Proving::new(state, request.explicit).go_on(&mut session, &mut tell)?;
        // The turn is over: what follows takes little, and no table.
        drop(session);
        let (file, times) = match outcome.file(request.compressed) {
            Ok(made) => made,
            Err(said) => return Ok(vec![said]),
        };
        let (name, mut said) = self.check(&file, listener);
        if said.get("error").is_some() {
            return Ok(vec![(name, said)]);
        }
        times.add_to(&mut said);
        Ok(vec![("file", json!({ "hex": hex::encode(file) })), (name, said)])
    }

    fn check(&self, file: &[u8], listener: &Sender<Event>) -> (&'static str, Value) {
        let begun = Instant::now();
        let failed = |why: &str| ("failed", json!({ "error": why }));
        let mut check = match Check::new(file.into(), true) {
            Ok(check) => check,
            Err(error) => return ("answer", versioned(certificate::failure(None, &error))),
        };
        loop {
            match check.go_on(SLICE) {
                Ok(Some((checked, claims))) => return ("answer", self.shelf.answer(&checked, claims)),
                Ok(None) if self.engine.stopping() => return failed("The server is stopping."),
                Ok(None) if begun.elapsed() > TIME => {
                    return failed("This takes too long for the page. “solrex check” has no limit.");
                }
                Ok(None) if listener.is_closed() => return failed("Nobody is listening."),
                // If the page does not read them, it misses some.
                Ok(None) => drop(listener.try_send(event("progress", &check.progress()))),
                Err(error) => return ("answer", versioned(certificate::failure(None, &error))),
            }
        }
    }
}

async fn claim(State(reading): Shared, request: Result<Json<ClaimRequest>, JsonRejection>) -> HttpResult {
    let Json(request) = request?;
    Ok(Json(reading.shelf.claim(&request).map_err(Failure::from)?).into_response())
}

async fn reply(State(reading): Shared, request: Result<Json<ReplyRequest>, JsonRejection>) -> HttpResult {
    let Json(request) = request?;
    Ok(Json(reading.shelf.reply(&request).map_err(Failure::from)?).into_response())
}
