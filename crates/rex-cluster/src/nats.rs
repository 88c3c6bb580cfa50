//! The bus over NATS JetStream.
//!
//! | what | where |
//! | --- | --- |
//! | jobs | work-queue stream `SOLREX_JOBS`, subjects `solrex.job.ROOT`; all workers share the consumer `workers` |
//! | answers | work-queue stream `SOLREX_ANSWERS`, subjects `solrex.answer.ROOT`; a consumer for each root |
//! | solved positions | key-value bucket `solrex_solved`, keys `6x6.HEX` |
//! | claims and status | key-value bucket `solrex_leaders`, keys ROOT; they expire |
//! | beats | plain messages on `solrex.beat` |
//! | news | plain messages on `solrex.news.6x6`, from worker to worker |

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::kv::{self, Operation};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{self, RetentionPolicy};
use async_nats::jetstream::{self, AckKind, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use futures_util::StreamExt;
use rex::Board;
use rex_store::{Place, Record};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::bus::{BusError, Heard, Incoming, LeaderBus, Taken, WorkerBus};
use crate::message::{Answer, Beat, Fact, Job, News, Status};

const JOBS: &str = "SOLREX_JOBS";
const ANSWERS: &str = "SOLREX_ANSWERS";
const SOLVED: &str = "solrex_solved";
const LEADERS: &str = "solrex_leaders";
const WORKERS: &str = "workers";
const BEATS: &str = "solrex.beat";
const NEWS: &str = "solrex.news";

/// A claim that is not renewed for so long is given up.
const CLAIM: Duration = Duration::from_secs(10);
/// A job given twice within this time counts once.
const TWICE: Duration = Duration::from_secs(600);
/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two attempts to listen.
const PAUSE: Duration = Duration::from_millis(300);
/// Answers taken in at once.
const AT_ONCE: usize = 256;

/// How to reach the server.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// Its address, or several with commas between them; a user and a password may be in it.
    pub url: String,
    /// A file with credentials.
    pub creds: Option<PathBuf>,
    /// A file with certificates to trust; then the connection must be encrypted.
    pub tls_ca: Option<PathBuf>,
    /// The client's certificate and its key.
    pub tls_client: Option<(PathBuf, PathBuf)>,
    /// A job that its worker does not speak of for so long is given to another one. The coordinator's wish counts.
    pub ack_wait: Duration,
    /// On how many servers of a cluster everything is kept.
    pub replicas: usize,
}

impl NatsOptions {
    /// The usual options.
    pub fn new(url: &str) -> NatsOptions {
        NatsOptions {
            url: url.to_owned(),
            creds: None,
            tls_ca: None,
            tls_client: None,
            ack_wait: Duration::from_secs(30),
            replicas: 1,
        }
    }
}

/// A connection, with a thread that keeps it alive while others search.
pub struct Nats {
    runtime: Runtime,
    client: Client,
    jetstream: Context,
    options: NatsOptions,
}

impl Nats {
    /// Connects.
    ///
    /// # Errors
    /// [`BusError::Lost`] if nobody is there, which may change; [`BusError::Useless`] if the server or a file says no.
    pub fn connect(options: &NatsOptions) -> Result<Nats, BusError> {
        let useless = |error: &dyn std::fmt::Display| BusError::Useless(error.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| useless(&error))?;
        let client = runtime.block_on(async {
            let mut connect = ConnectOptions::new().name("solrex").connection_timeout(PATIENCE).no_echo();
            if let Some(path) = &options.creds {
                let cannot = |error| useless(&format!("cannot use '{}': {error}", path.display()));
                connect = connect.credentials_file(path).await.map_err(cannot)?;
            }
            for path in
                options.tls_ca.iter().chain(options.tls_client.iter().flat_map(|(cert, key)| [cert, key]))
            {
                std::fs::File::open(path)
                    .map_err(|error| useless(&format!("cannot use '{}': {error}", path.display())))?;
            }
            if let Some(path) = &options.tls_ca {
                connect = connect.add_root_certificates(path.clone()).require_tls(true);
            }
            if let Some((cert, key)) = &options.tls_client {
                connect = connect.add_client_certificate(cert.clone(), key.clone());
            }
            let servers = servers(&options.url)?;
            let named = servers.iter().find_map(|server| Some((server.username()?, server.password()?)));
            if let Some((user, password)) = named {
                connect = connect.user_and_password(user.to_owned(), password.to_owned());
            }
            // Without the password.
            let names: Vec<String> =
                servers.iter().map(|server| format!("{}:{}", server.host(), server.port())).collect();
            let names = names.join(", ");
            connect.connect(&servers[..]).await.map_err(|error| match error.kind() {
                ConnectErrorKind::Io | ConnectErrorKind::TimedOut | ConnectErrorKind::Dns
                    if !is_refusal(&error) =>
                {
                    BusError::Lost(format!("no server at {names} ({error})"))
                }
                _ => useless(&format!("cannot connect to {names}: {error}")),
            })
        })?;
        let jetstream = {
            // It starts a task of its own.
            let _inside = runtime.enter();
            jetstream::new(client.clone())
        };
        Ok(Nats { runtime, client, jetstream, options: options.clone() })
    }

    /// The coordinator's end at a root.
    ///
    /// # Errors
    /// If the streams cannot be made.
    pub fn leader(self, root: &str) -> Result<NatsLeader, BusError> {
        let (sender, incoming) = unbounded_channel();
        self.runtime.block_on(in_time(async { prepare(&self.jetstream, &self.options).await }))?;
        Ok(NatsLeader {
            nats: self,
            root: root.to_owned(),
            unheard: Some(sender),
            incoming,
            revision: None,
            shared: None,
        })
    }

    /// A worker's end.
    pub fn worker(self) -> NatsWorker {
        NatsWorker { nats: self, consumer: None, watch: None, news: Arc::default(), answer: None }
    }

    /// How all coordinators are getting on that have a claim now.
    ///
    /// # Errors
    /// If the server does not tell.
    pub fn statuses(&self) -> Result<Vec<Status>, BusError> {
        self.runtime.block_on(in_time(async {
            // No bucket: nobody has ever led here.
            let Ok(bucket) = self.jetstream.get_key_value(LEADERS).await else { return Ok(Vec::new()) };
            let mut keys = bucket.keys().await.map_err(lost)?;
            let mut statuses = Vec::new();
            while let Some(key) = keys.next().await {
                let value = bucket.get(key.map_err(lost)?).await.map_err(lost)?;
                statuses.extend(value.and_then(|value| Status::read(&value).ok()));
            }
            Ok(statuses)
        }))
    }
}

fn servers(url: &str) -> Result<Vec<ServerAddr>, BusError> {
    let server =
        |url: &str| url.parse().map_err(|error| BusError::Useless(format!("bad server '{url}': {error}")));
    url.split(',').map(server).collect()
}

/// Whether one of the two does not like the other's certificate, or is not encrypted: that does not get better.
fn is_refusal(error: &ConnectError) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData)
}

fn lost(error: impl std::fmt::Display) -> BusError {
    BusError::Lost(error.to_string())
}

/// Does not wait for ever.
async fn in_time<T>(work: impl Future<Output = Result<T, BusError>>) -> Result<T, BusError> {
    tokio::time::timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(lost("no answer from the server")))
}

/// Makes the streams and buckets that are missing.
async fn prepare(jetstream: &Context, options: &NatsOptions) -> Result<(), BusError> {
    let jobs = jetstream.get_or_create_stream(queue(JOBS, "solrex.job.>", options)).await.map_err(lost)?;
    jobs.create_consumer(pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: options.ack_wait,
        max_ack_pending: -1,
        ..pull::Config::default()
    })
    .await
    .map_err(lost)?;
    jetstream.get_or_create_stream(queue(ANSWERS, "solrex.answer.>", options)).await.map_err(lost)?;
    for (bucket, max_age) in [(SOLVED, Duration::ZERO), (LEADERS, CLAIM)] {
        if jetstream.get_key_value(bucket).await.is_err() {
            let config = kv::Config {
                bucket: bucket.to_owned(),
                history: 1,
                max_age,
                num_replicas: options.replicas,
                ..kv::Config::default()
            };
            jetstream.create_key_value(config).await.map_err(lost)?;
        }
    }
    Ok(())
}

fn queue(name: &str, subjects: &str, options: &NatsOptions) -> stream::Config {
    stream::Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        duplicate_window: TWICE,
        num_replicas: options.replicas,
        ..stream::Config::default()
    }
}

type Sender = UnboundedSender<Incoming<jetstream::Message>>;

/// Passes answers on, as long as somebody takes them.
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
    // A server that has lost its files gets its streams back here.
    in_time(prepare(jetstream, options)).await?;
    in_time(async {
        let config = pull::Config {
            durable_name: Some(root.to_owned()),
            filter_subject: format!("solrex.answer.{root}"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: options.ack_wait,
            ..pull::Config::default()
        };
        let stream = jetstream.get_stream(ANSWERS).await.map_err(lost)?;
        let consumer: Consumer<pull::Config> = stream.create_consumer(config).await.map_err(lost)?;
        let batch = consumer.stream().heartbeat(Duration::from_secs(1)).expires(PATIENCE);
        batch.messages().await.map_err(lost)
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
    /// Where what comes in is to be sent to, until somebody listens: who has no claim takes no answers.
    unheard: Option<Sender>,
    incoming: UnboundedReceiver<Incoming<jetstream::Message>>,
    /// Of the claim.
    revision: Option<u64>,
    /// The last solved positions.
    shared: Option<Underway>,
}

impl NatsLeader {
    /// Begins to listen, once. What was on its way to an earlier process comes at once and not after its deadline: for that
    /// the server must forget whom it has sent it to.
    fn listen(&mut self) {
        let Some(sender) = self.unheard.take() else { return };
        let Nats { runtime, client, jetstream, options } = &self.nats;
        let (jetstream, root) = (jetstream.clone(), self.root.clone());
        let _ = runtime.block_on(in_time(async {
            let answers = jetstream.get_stream(ANSWERS).await.map_err(lost)?;
            answers.delete_consumer(&root).await.map_err(lost)
        }));
        runtime.spawn(listen_to_answers(jetstream, options.clone(), root, sender.clone()));
        runtime.spawn(listen_to_beats(client.clone(), sender));
    }

    async fn renew(&mut self, status: &Status) -> Result<(), BusError> {
        let bucket = self.nats.jetstream.get_key_value(LEADERS).await.map_err(lost)?;
        let bytes = || status.write().into();
        if let Some(revision) = self.revision
            && let Ok(revision) = bucket.update(&self.root, bytes(), revision).await
        {
            self.revision = Some(revision);
            return Ok(());
        }
        // There is no claim of ours, or not the one we know of.
        let there = bucket.entry(&self.root).await.map_err(lost)?;
        let there = there.filter(|entry| entry.operation == Operation::Put);
        self.revision = Some(match there {
            None => bucket.create(&self.root, bytes()).await.map_err(lost)?,
            Some(entry) => {
                let other = Status::read(&entry.value).ok();
                let own = other.as_ref().is_some_and(|other| other.leader == status.leader);
                // The process before us had this ledger, which nobody can have twice: it is gone.
                let heir = other.as_ref().is_some_and(|other| other.ledger == status.ledger);
                if !own && (self.revision.is_some() || !heir) {
                    let ledger = other.map_or_else(|| "of another version".to_owned(), |other| other.ledger);
                    return Err(BusError::Taken(ledger));
                }
                bucket.update(&self.root, bytes(), entry.revision).await.map_err(lost)?
            }
        });
        Ok(())
    }
}

impl LeaderBus for NatsLeader {
    type Receipt = jetstream::Message;

    fn claim(&mut self, status: &Status) -> Result<(), BusError> {
        let runtime = self.nats.runtime.handle().clone();
        runtime.block_on(in_time(self.renew(status)))?;
        self.listen();
        Ok(())
    }

    fn take(&mut self, patience: Duration) -> Result<Vec<Incoming<jetstream::Message>>, BusError> {
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

    fn give(&mut self, jobs: &[Job]) -> Result<(), BusError> {
        let subject = format!("solrex.job.{}", self.root);
        let letter =
            |job: &Job| Letter { subject: subject.clone(), id: Some(job.id.clone()), bytes: job.write() };
        self.nats.runtime.block_on(publish(&self.nats.jetstream, jobs.iter().map(letter).collect()))
    }

    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, BusError> {
        if self.shared.as_ref().is_some_and(|underway| !underway.task.is_finished()) {
            return Ok(false);
        }
        Underway::settle(&mut self.shared, &self.nats)?;
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
        // If it does not arrive, the answer comes again, and is late.
        let _ = self.nats.runtime.block_on(in_time(async { receipt.ack().await.map_err(lost) }));
    }

    fn leave(&mut self, solved: bool) {
        // What the bus does not get now it gets from the next coordinator with this ledger.
        let _ = Underway::settle(&mut self.shared, &self.nats);
        let jetstream = &self.nats.jetstream;
        // What cannot be taken away expires, or is noticed to be late.
        let _ = self.nats.runtime.block_on(in_time(async {
            if solved {
                for (stream, subject) in [(JOBS, "job"), (ANSWERS, "answer")] {
                    let stream = jetstream.get_stream(stream).await.map_err(lost)?;
                    stream.purge().filter(format!("solrex.{subject}.{}", self.root)).await.map_err(lost)?;
                }
                let answers = jetstream.get_stream(ANSWERS).await.map_err(lost)?;
                answers.delete_consumer(&self.root).await.map_err(lost)?;
            }
            if let Some(revision) = self.revision {
                let bucket = jetstream.get_key_value(LEADERS).await.map_err(lost)?;
                bucket.delete_expect_revision(&self.root, Some(revision)).await.map_err(lost)?;
            }
            Ok(())
        }));
    }
}

/// A message that the server is to keep.
#[derive(Clone)]
struct Letter {
    subject: String,
    /// The same one twice counts once.
    id: Option<String>,
    bytes: Vec<u8>,
}

/// Sends messages one after the other, and then waits until the server has all of them.
async fn publish(jetstream: &Context, letters: Vec<Letter>) -> Result<(), BusError> {
    in_time(async {
        let mut sent = Vec::new();
        for Letter { subject, id, bytes } in letters {
            let message = PublishMessage::build().payload(bytes.into());
            let message = id.into_iter().fold(message, PublishMessage::message_id);
            sent.push(jetstream.send_publish(subject, message).await.map_err(lost)?);
        }
        for acknowledgement in sent {
            acknowledgement.await.map_err(lost)?;
        }
        Ok(())
    })
    .await
}

/// Messages on their way, while whoever sent them does something else: the server may take some milliseconds to write them
/// to its disk.
struct Underway {
    letters: Vec<Letter>,
    /// The job that is done when they have arrived.
    job: Option<jetstream::Message>,
    task: JoinHandle<Result<(), BusError>>,
}

impl Underway {
    fn send(nats: &Nats, letters: Vec<Letter>, job: Option<jetstream::Message>) -> Underway {
        let task = nats.runtime.spawn(deliver(nats.jetstream.clone(), letters.clone(), job.clone()));
        Underway { letters, job, task }
    }

    /// Waits until they have arrived. Those that have not are sent again, and remain under way.
    fn settle(underway: &mut Option<Underway>, nats: &Nats) -> Result<(), BusError> {
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
        // If this does not arrive, somebody does the job again, and is late.
        let _ = in_time(async { job.ack().await.map_err(lost) }).await;
    }
    Ok(())
}

/// A worker's end.
pub struct NatsWorker {
    nats: Nats,
    consumer: Option<Consumer<pull::Config>>,
    /// Listens to what is solved on a board.
    watch: Option<(Board, [JoinHandle<()>; 2])>,
    news: Arc<Mutex<Heard>>,
    /// The last answer.
    answer: Option<Underway>,
}

impl NatsWorker {
    async fn next_job(&mut self, patience: Duration) -> Result<Option<jetstream::Message>, BusError> {
        let consumer = match &mut self.consumer {
            Some(consumer) => consumer,
            none => {
                let stream =
                    in_time(async { self.nats.jetstream.get_stream_no_info(JOBS).await.map_err(lost) });
                let stream = stream.await?;
                let found = in_time(async { stream.get_consumer(WORKERS).await.map_err(lost) }).await;
                none.insert(found.map_err(|error| lost(format!("no coordinator has been here ({error})")))?)
            }
        };
        let mut batch = consumer.batch().max_messages(1).expires(patience).messages().await.map_err(lost)?;
        // Longer than the server waits: a job that comes late would be lost until its deadline.
        match tokio::time::timeout(patience + PATIENCE, batch.next()).await {
            Ok(Some(message)) => message.map(Some).map_err(lost),
            Ok(None) => Ok(None),
            Err(_) => Err(lost("no answer from the server")),
        }
    }
}

impl WorkerBus for NatsWorker {
    type Receipt = jetstream::Message;

    fn take_job(&mut self, patience: Duration) -> Result<Taken<jetstream::Message>, BusError> {
        if self.answer.as_ref().is_some_and(|underway| underway.task.is_finished()) {
            Underway::settle(&mut self.answer, &self.nats)?;
        }
        let runtime = self.nats.runtime.handle().clone();
        let taken = runtime.block_on(self.next_job(patience));
        if taken.is_err() {
            // The server may have forgotten it.
            self.consumer = None;
        }
        Ok(taken?.map(|message| (message.payload.to_vec(), message)))
    }

    fn beat(&mut self, beat: &Beat, at: Option<&jetstream::Message>) {
        // Nobody minds if a beat is lost.
        let _ = self.nats.runtime.block_on(in_time(async {
            if let Some(message) = at {
                message.ack_with(AckKind::Progress).await.map_err(lost)?;
            }
            self.nats.client.publish(BEATS, beat.write().into()).await.map_err(lost)
        }));
    }

    fn answer(&mut self, job: &Job, answer: &Answer, receipt: &jetstream::Message) -> Result<(), BusError> {
        Underway::settle(&mut self.answer, &self.nats)?;
        let subject = format!("solrex.answer.{}", job.root);
        let id = Some(format!("{}/{}", answer.id, answer.worker));
        let letter = Letter { subject, id, bytes: answer.write() };
        self.answer = Some(Underway::send(&self.nats, vec![letter], Some(receipt.clone())));
        Ok(())
    }

    fn leave(&mut self) {
        // Whose answer is lost has a table that keeps the work, and somebody else gets the job.
        let _ = Underway::settle(&mut self.answer, &self.nats);
    }

    fn give_back(&mut self, receipt: jetstream::Message, after: Duration) {
        let _ = self.nats.runtime.block_on(in_time(async {
            receipt.ack_with(AckKind::Nak(Some(after))).await.map_err(lost)?;
            self.nats.client.flush().await.map_err(lost)
        }));
    }

    fn discard(&mut self, receipt: jetstream::Message) {
        let _ = self
            .nats
            .runtime
            .block_on(in_time(async { receipt.ack_with(AckKind::Term).await.map_err(lost) }));
    }

    fn tell(&mut self, news: &News) {
        let _ = self.nats.runtime.block_on(in_time(async {
            self.nats.client.publish(news_of(&news.board), news.write().into()).await.map_err(lost)
        }));
    }

    fn news(&mut self, board: Board) -> Heard {
        let watched = self.watch.as_ref().map(|(board, _)| *board);
        if watched != Some(board) {
            if let Some((_, tasks)) = self.watch.take() {
                tasks.iter().for_each(JoinHandle::abort);
            }
            let watch = watch_solved(self.nats.jetstream.clone(), board, self.news.clone());
            let listen = listen_to_news(self.nats.client.clone(), board, self.news.clone());
            let runtime = &self.nats.runtime;
            self.watch = Some((board, [runtime.spawn(watch), runtime.spawn(listen)]));
        }
        let mut heard = std::mem::take(&mut *self.news.lock().unwrap_or_else(PoisonError::into_inner));
        if watched != Some(board) {
            // Left over from another board.
            heard = Heard::default();
        }
        heard
    }
}

fn news_of(board: &str) -> String {
    format!("{NEWS}.{board}")
}

/// Collects what the other workers tell of a board.
async fn listen_to_news(client: Client, board: Board, heard: Arc<Mutex<Heard>>) {
    loop {
        if let Ok(mut news) = client.subscribe(news_of(&board.to_string())).await {
            while let Some(message) = news.next().await {
                // What cannot be read is passed over.
                let Ok(news) = News::read(&message.payload) else { continue };
                if let (Ok(met), true) = (news.met(), news.board == board.to_string()) {
                    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                    heard.told.push((news.worker, news.threads, met));
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Collects what is solved on a board: all there is, and then whatever comes.
async fn watch_solved(jetstream: Context, board: Board, heard: Arc<Mutex<Heard>>) {
    loop {
        if let Ok(bucket) = jetstream.get_key_value(SOLVED).await
            && let Ok(mut watch) = bucket.watch_with_history(format!("{board}.>")).await
        {
            while let Some(Ok(entry)) = watch.next().await {
                let at = entry.key.split('.').next_back().unwrap_or_default().to_owned();
                let is = String::from_utf8_lossy(&entry.value).into_owned();
                // What is no fact is passed over: nobody is there to complain to.
                if let Ok(fact) = (Fact { at, is }).read() {
                    heard.lock().unwrap_or_else(PoisonError::into_inner).solved.push(fact);
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}
