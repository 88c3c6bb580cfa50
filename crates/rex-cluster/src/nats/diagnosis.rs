//! What is wrong with a server, in words, and what the client can do about it.

use std::sync::Arc;

use async_nats::jetstream::context::AccountErrorKind;
use async_nats::jetstream::response::Response;
use async_nats::jetstream::{Context, ErrorCode};
use async_nats::{Event, ServerError};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::{ANSWERS, JOBS, LEADERS, Nats, NatsOptions, PATIENCE, SOLVED, in_time, lost, prepare};
use crate::bus::BusError;

/// What the server has refused since the last check.
#[derive(Clone, Default)]
pub(super) struct Forbidden(Arc<Mutex<Option<String>>>);

impl Forbidden {
    /// Listens to the events of a connection.
    pub fn hear(&self, event: &Event) {
        if let Event::ServerError(ServerError::Other(what)) = event
            && what.to_lowercase().contains("permissions violation")
        {
            *self.0.lock() = Some(what.clone());
        }
    }

    /// Fails if the server has refused something: trying again would not help.
    pub fn check(&self) -> Result<(), BusError> {
        match self.0.lock().take() {
            None => Ok(()),
            Some(what) => Err(BusError::Useless(format!(
                "the server forbids it: {what}; docs/cluster.md shows the permissions that coordinators and workers need"
            ))),
        }
    }
}

/// Finds out what is really wrong when something has failed: a server without JetStream looks like many other problems.
pub(super) async fn diagnose(nats: &Nats, error: BusError) -> BusError {
    if !matches!(error, BusError::Lost(_) | BusError::Unled) {
        return error;
    }
    if let Err(error) = nats.forbidden.check().and_then(|()| nats.check_connection()) {
        return error;
    }
    let Ok(Err(account)) = tokio::time::timeout(PATIENCE, nats.jetstream.query_account()).await else {
        return error;
    };
    match account.kind() {
        AccountErrorKind::JetStreamUnavailable => lost(NO_JETSTREAM),
        AccountErrorKind::JetStream(error) if WITHOUT.contains(&error.error_code()) => lost(NO_JETSTREAM),
        AccountErrorKind::TimedOut => lost("no answer from the server"),
        _ => error,
    }
}

const NO_JETSTREAM: &str = "the server has no JetStream: its configuration needs a 'jetstream' block, or its disk was full and it \
                            must be restarted (docs/cluster.md)";
/// JetStream is switched off for the server, or for the account.
const WITHOUT: [ErrorCode; 2] =
    [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT];

/// Whether the server says that its storage is full, by its error codes.
pub(super) fn is_full(error: &BusError) -> bool {
    let codes = [
        ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
        ErrorCode::INSUFFICIENT_RESOURCES,
        ErrorCode::STORAGE_RESOURCES_EXCEEDED,
    ];
    let BusError::Lost(reason) = error else { return false };
    codes.iter().any(|code| reason.contains(&format!("error code {}", code.0)))
}

/// Makes room on a server whose storage is full, by removing the older half of the solved positions: they are still in
/// the ledger, and known to the workers that heard of them. Returns that as the error, to say why nothing moved.
pub(super) async fn make_room(jetstream: &Context) -> Result<(), BusError> {
    in_time(async {
        let name = bucket_stream(SOLVED);
        let mut solved = jetstream.get_stream(&name).await?;
        let there = solved.info().await?.state.messages;
        if there == 0 {
            return Err(lost("the server's storage is full, but not with solved positions"));
        }
        solved.purge().keep(there / 2).await?;
        Err(lost("the server's storage is full; removing the older half of its solved positions"))
    })
    .await
}

/// Checks that the server can write to all of its streams, and recreates those that are gone or broken. If the disk was
/// full for a moment, the server refuses everything for such a stream until it is restarted or the stream is new.
pub(super) async fn mend(jetstream: &Context, options: &NatsOptions) -> Result<(), BusError> {
    let streams = [
        (JOBS.to_owned(), "solrex.job.".to_owned()),
        (ANSWERS.to_owned(), "solrex.answer.".to_owned()),
        (bucket_stream(SOLVED), format!("$KV.{SOLVED}.")),
        (bucket_stream(LEADERS), format!("$KV.{LEADERS}.")),
    ];
    for (name, subject) in streams {
        // Removes nothing, since nothing has this name, but only succeeds on a stream that can be written to.
        let nothing = json!({ "filter": format!("{subject}nothing") });
        let answer: Response<Value> =
            in_time(jetstream.request(format!("STREAM.PURGE.{name}"), &nothing)).await?;
        let Response::Err { error } = answer else { continue };
        if error.error_code() == ErrorCode::STREAM_NOT_FOUND {
            in_time(prepare(jetstream, options)).await?;
        } else if error.code() == SERVER_FAILED {
            in_time(jetstream.delete_stream(&name)).await?;
            in_time(prepare(jetstream, options)).await?;
            return Err(lost(format!("the server could not write to {name} ({error}); creating it again")));
        }
    }
    Ok(())
}

/// The code of an error on the server's side.
const SERVER_FAILED: usize = 500;

/// The stream behind a bucket.
fn bucket_stream(bucket: &str) -> String {
    format!("KV_{bucket}")
}
