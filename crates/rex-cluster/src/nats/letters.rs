//! Messages for the server to keep, and those on their way to it.

use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context};
use tokio::task::JoinHandle;

use super::{Nats, in_time, lost};
use crate::bus::BusError;

/// A message for the server to keep.
#[derive(Clone)]
pub(super) struct Letter {
    pub subject: String,
    /// The same ID twice counts once.
    pub id: Option<String>,
    pub bytes: Vec<u8>,
}

/// Sends messages one after the other, then waits until the server has all of them.
pub(super) async fn publish(jetstream: &Context, letters: Vec<Letter>) -> Result<(), BusError> {
    in_time(async {
        let mut sent = Vec::new();
        for Letter { subject, id, bytes } in letters {
            let message = PublishMessage::build().payload(bytes.into());
            let message = id.into_iter().fold(message, PublishMessage::message_id);
            sent.push(jetstream.send_publish(subject, message).await?);
        }
        for acknowledgement in sent {
            acknowledgement.await?;
        }
        Ok::<(), BusError>(())
    })
    .await
}

/// Messages on their way while the sender does something else: the server may take milliseconds to write them.
pub(super) struct Underway {
    letters: Vec<Letter>,
    /// The job to acknowledge when they have arrived.
    job: Option<jetstream::Message>,
    task: JoinHandle<Result<(), BusError>>,
}

impl Underway {
    pub fn send(nats: &Nats, letters: Vec<Letter>, job: Option<jetstream::Message>) -> Underway {
        let task = nats.runtime.spawn(deliver(nats.jetstream.clone(), letters.clone(), job.clone()));
        Underway { letters, job, task }
    }

    /// Whether they have arrived or failed.
    pub fn is_finished(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits until they have arrived. If that fails they are sent again, and remain on their way.
    pub fn settle(underway: &mut Option<Underway>, nats: &Nats) -> Result<(), BusError> {
        let Some(Underway { letters, job, task }) = underway.take() else { return Ok(()) };
        let result = nats.runtime.block_on(task).unwrap_or_else(|error| Err(lost(error)));
        if result.is_err() {
            *underway = Some(Underway::send(nats, letters, job));
        }
        result
    }
}

async fn deliver(
    jetstream: Context,
    letters: Vec<Letter>,
    job: Option<jetstream::Message>,
) -> Result<(), BusError> {
    publish(&jetstream, letters).await?;
    if let Some(job) = job {
        // If this does not arrive, somebody repeats the job, and that answer is late.
        let _ = in_time(job.ack()).await;
    }
    Ok(())
}
