//! The coordinator's end of the bus.

use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::kv::Operation;
use async_nats::jetstream::{self, Context};
use futures_util::StreamExt;
use rex_store::{Place, Record};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::diagnosis::{is_full, make_room, mend};
use super::letters::{Letter, Underway, publish};
use super::{ANSWERS, BEATS, JOBS, LEADERS, Nats, NatsOptions, PATIENCE, PAUSE, SOLVED, in_time, prepare};
use crate::bus::{BusError, Incoming, LeaderBus};
use crate::message::{Fact, Job, LeadStatus, Message};

/// How many messages to take at once.
const AT_ONCE: usize = 256;
/// How often to check that the server can still write.
const BETWEEN_LOOKS: Duration = Duration::from_secs(10);

type Sender = UnboundedSender<Incoming<jetstream::Message>>;

/// Passes on answers for as long as somebody takes them.
async fn listen_to_answers(jetstream: Context, options: NatsOptions, root: String, sender: Sender) {
    while !sender.is_closed() {
        if let Ok(mut answers) = answers(&jetstream, &options, &root).await {
            while let Some(Ok(message)) = answers.next().await {
                let bytes = message.payload.to_vec();
                if sender.send(Incoming::Answer(bytes, message)).is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn answers(jetstream: &Context, options: &NatsOptions, root: &str) -> Result<pull::Stream, BusError> {
    // This recreates the streams of a server that has lost its files.
    in_time(prepare(jetstream, options)).await?;
    in_time(async {
        let config = pull::Config {
            durable_name: Some(root.to_owned()),
            filter_subject: format!("solrex.answer.{root}"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: options.ack_wait,
            ..pull::Config::default()
        };
        let stream = jetstream.get_stream(ANSWERS).await?;
        let consumer: Consumer<pull::Config> = stream.create_consumer(config).await?;
        let batch = consumer.stream().heartbeat(Duration::from_secs(1)).expires(PATIENCE);
        Ok::<_, BusError>(batch.messages().await?)
    })
    .await
}

async fn listen_to_beats(client: Client, sender: Sender) {
    while !sender.is_closed() {
        if let Ok(mut beats) = client.subscribe(BEATS).await {
            while let Some(beat) = beats.next().await {
                if sender.send(Incoming::Beat(beat.payload.to_vec())).is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The coordinator's end.
pub struct NatsLeader {
    nats: Nats,
    root: String,
    /// Where to send incoming messages, until listening starts: without a claim it takes no answers.
    unheard: Option<Sender>,
    incoming: UnboundedReceiver<Incoming<jetstream::Message>>,
    /// The revision of the claim.
    revision: Option<u64>,
    /// The last solved positions that were sent.
    shared: Option<Underway>,
    /// When to check the server again.
    look: Instant,
    /// Why the last send failed.
    failed: Option<BusError>,
}

impl Nats {
    /// The coordinator's end for a root.
    pub fn leader(self, root: &str) -> NatsLeader {
        let (sender, incoming) = unbounded_channel();
        NatsLeader {
            nats: self,
            root: root.to_owned(),
            unheard: Some(sender),
            incoming,
            revision: None,
            shared: None,
            look: Instant::now(),
            failed: None,
        }
    }
}

impl NatsLeader {
    /// Starts to listen, once. Answers that were on their way to an earlier process should come at once, not after
    /// their deadline, so the server must first forget whom it sent them to.
    fn listen(&mut self) {
        let Some(sender) = self.unheard.take() else { return };
        let Nats { runtime, client, jetstream, options, .. } = &self.nats;
        let (jetstream, root) = (jetstream.clone(), self.root.clone());
        let _ = runtime.block_on(in_time(async {
            let answers = jetstream.get_stream(ANSWERS).await?;
            Ok::<_, BusError>(answers.delete_consumer(&root).await?)
        }));
        runtime.spawn(listen_to_answers(jetstream, options.clone(), root, sender.clone()));
        runtime.spawn(listen_to_beats(client.clone(), sender));
    }

    /// Makes sure the server can be written to, as far as a client can: from time to time, and after a failure.
    async fn look_after(&mut self, failed: Option<&BusError>) -> Result<(), BusError> {
        let Nats { jetstream, options, .. } = &self.nats;
        if failed.is_none() && Instant::now() < self.look {
            return Ok(());
        }
        self.look = Instant::now() + BETWEEN_LOOKS;
        mend(jetstream, options).await?;
        if failed.is_some_and(is_full) { make_room(jetstream).await } else { Ok(()) }
    }

    /// Renews the claim, and checks the server.
    async fn claim_and_look(&mut self, status: &LeadStatus) -> Result<(), BusError> {
        if self.unheard.is_some() {
            in_time(prepare(&self.nats.jetstream, &self.nats.options)).await?;
        }
        let renewed = match in_time(self.renew(status)).await {
            Err(error) if !matches!(error, BusError::Lost(_)) => return Err(error),
            renewed => renewed,
        };
        let before = self.failed.take();
        self.look_after(renewed.as_ref().err().or(before.as_ref())).await?;
        renewed
    }

    /// Remembers a failure until the claim is renewed.
    fn noted<T>(&mut self, result: Result<T, BusError>) -> Result<T, BusError> {
        result.inspect_err(|error| self.failed = Some(error.clone()))
    }

    async fn renew(&mut self, status: &LeadStatus) -> Result<(), BusError> {
        let bucket = self.nats.jetstream.get_key_value(LEADERS).await?;
        let bytes = || status.write().into();
        if let Some(revision) = self.revision
            && let Ok(revision) = bucket.update(&self.root, bytes(), revision).await
        {
            self.revision = Some(revision);
            return Ok(());
        }
        // We have no claim, or not the one we know of.
        let there = bucket.entry(&self.root).await?;
        let there = there.filter(|entry| entry.operation == Operation::Put);
        self.revision = Some(match there {
            None => bucket.create(&self.root, bytes()).await?,
            Some(entry) => {
                let other = LeadStatus::read(&entry.value).ok();
                let own = other.as_ref().is_some_and(|other| other.leader == status.leader);
                // The process before us had this ledger. Only one process can have it, so that one is gone.
                let heir = other.as_ref().is_some_and(|other| other.ledger == status.ledger);
                if !own && (self.revision.is_some() || !heir) {
                    let ledger = other.map_or_else(|| "of another version".to_owned(), |other| other.ledger);
                    return Err(BusError::Taken(ledger));
                }
                bucket.update(&self.root, bytes(), entry.revision).await?
            }
        });
        Ok(())
    }
}

impl LeaderBus for NatsLeader {
    type Receipt = jetstream::Message;

    fn claim(&mut self, status: &LeadStatus) -> Result<(), BusError> {
        let runtime = self.nats.runtime.handle().clone();
        self.nats.check_connection()?;
        runtime.block_on(async {
            let claimed = self.claim_and_look(status).await;
            self.nats.diagnosed(claimed).await
        })?;
        self.listen();
        Ok(())
    }

    fn receive(&mut self, patience: Duration) -> Result<Vec<Incoming<jetstream::Message>>, BusError> {
        let incoming = &mut self.incoming;
        let first =
            self.nats.runtime.block_on(async { tokio::time::timeout(patience, incoming.recv()).await });
        let mut taken: Vec<_> = first.ok().flatten().into_iter().collect();
        while taken.len() < AT_ONCE
            && !taken.is_empty()
            && let Ok(next) = self.incoming.try_recv()
        {
            taken.push(next);
        }
        Ok(taken)
    }

    fn send(&mut self, jobs: &[Job]) -> Result<(), BusError> {
        let subject = format!("solrex.job.{}", self.root);
        let letter =
            |job: &Job| Letter { subject: subject.clone(), id: Some(job.id.clone()), bytes: job.write() };
        let letters = jobs.iter().map(letter).collect();
        let given = self.nats.runtime.block_on(publish(&self.nats.jetstream, letters));
        self.noted(given)
    }

    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, BusError> {
        if self.shared.as_ref().is_some_and(|underway| !underway.is_finished()) {
            return Ok(false);
        }
        let before = Underway::settle(&mut self.shared, &self.nats);
        self.noted(before)?;
        let letter = |(place, record): &(Place, Record)| {
            let Fact { at, is } = Fact::new(place, record);
            let subject = format!("$KV.{SOLVED}.{}.{at}", place.board);
            Letter { subject, id: None, bytes: is.into_bytes() }
        };
        if !solved.is_empty() {
            self.shared = Some(Underway::send(&self.nats, solved.iter().map(letter).collect(), None));
        }
        Ok(true)
    }

    fn acknowledge(&mut self, receipt: jetstream::Message) {
        // If it does not arrive, the answer comes again and counts as late.
        let _ = self.nats.runtime.block_on(in_time(receipt.ack()));
    }

    fn leave(&mut self, solved: bool) {
        // What does not arrive now comes from the next coordinator with this ledger.
        let _ = Underway::settle(&mut self.shared, &self.nats);
        let jetstream = &self.nats.jetstream;
        // What cannot be removed expires, or will count as late.
        let _ = self.nats.runtime.block_on(in_time(async {
            if solved {
                for (stream, subject) in [(JOBS, "job"), (ANSWERS, "answer")] {
                    let stream = jetstream.get_stream(stream).await?;
                    stream.purge().filter(format!("solrex.{subject}.{}", self.root)).await?;
                }
                let answers = jetstream.get_stream(ANSWERS).await?;
                answers.delete_consumer(&self.root).await?;
            }
            if let Some(revision) = self.revision {
                let bucket = jetstream.get_key_value(LEADERS).await?;
                bucket.delete_expect_revision(&self.root, Some(revision)).await?;
            }
            Ok::<(), BusError>(())
        }));
    }
}
