//! The bus over NATS JetStream.
//!
//! | what | where |
//! | --- | --- |
//! | jobs | work-queue stream `SOLREX_JOBS`, subjects `solrex.job.ROOT`; all workers share the consumer `workers` |
//! | answers | work-queue stream `SOLREX_ANSWERS`, subjects `solrex.answer.ROOT`; a consumer for each root |
//! | solved positions | key-value bucket `solrex_solved`, keys `6x6.HEX`; only coordinators may write there |
//! | claims and status | key-value bucket `solrex_leaders`, keys ROOT; they expire; only coordinators may write there |
//! | beats | plain messages on `solrex.beat` |
//! | news | plain messages on `solrex.news.6x6`, from worker to worker: numbers of what is not solved |

mod diagnosis;
mod leader;
mod letters;
mod worker;

use std::fmt::{Debug, Display};
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::kv;
use async_nats::jetstream::stream::{self, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use futures_util::StreamExt;
use tokio::runtime::Runtime;

use self::diagnosis::{Forbidden, diagnose};
pub use self::leader::NatsLeader;
pub use self::worker::NatsWorker;
use crate::bus::BusError;
use crate::message::{LeadStatus, Message};

const JOBS: &str = "SOLREX_JOBS";
const ANSWERS: &str = "SOLREX_ANSWERS";
const SOLVED: &str = "solrex_solved";
const LEADERS: &str = "solrex_leaders";
const WORKERS: &str = "workers";
const BEATS: &str = "solrex.beat";

/// A claim that is not renewed for this long expires.
const CLAIM: Duration = Duration::from_secs(10);
/// A job sent twice within this time counts once.
const TWICE: Duration = Duration::from_secs(600);
/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause between two attempts to listen.
const PAUSE: Duration = Duration::from_millis(300);

/// How to reach the server.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// Its address, or several separated by commas. It may include a user and a password.
    pub url: String,
    /// The user, if the address does not name one.
    pub user: Option<String>,
    /// The password, if the address does not include one.
    pub password: Option<String>,
    /// A file with credentials.
    pub creds: Option<PathBuf>,
    /// A file with certificates to trust. If given, the connection must be encrypted.
    pub tls_ca: Option<PathBuf>,
    /// The client's certificate and its key.
    pub tls_client: Option<(PathBuf, PathBuf)>,
    /// A job whose worker does not mention it for this long goes to another one. The coordinator's setting counts.
    pub ack_wait: Duration,
    /// On how many servers of a NATS cluster to keep everything.
    pub replicas: usize,
}

impl NatsOptions {
    /// The usual options.
    pub fn new(url: &str) -> NatsOptions {
        NatsOptions {
            url: url.to_owned(),
            user: None,
            password: None,
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
    forbidden: Forbidden,
    options: NatsOptions,
}

impl Nats {
    /// Connects.
    ///
    /// # Errors
    /// [`BusError::Lost`] if no server answers yet; [`BusError::Useless`] if it refuses or a file cannot be used.
    pub fn connect(options: &NatsOptions) -> Result<Nats, BusError> {
        let useless = |error: &dyn Display| BusError::Useless(error.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| useless(&error))?;
        let forbidden = Forbidden::default();
        let hear = forbidden.clone();
        let client = runtime.block_on(async {
            let mut connect = ConnectOptions::new().name("solrex").connection_timeout(PATIENCE).no_echo();
            connect = connect.event_callback(move |event| {
                hear.hear(&event);
                std::future::ready(())
            });
            let cannot_use = |path: &Path, error: std::io::Error| {
                useless(&format!("cannot use '{}': {error}", path.display()))
            };
            if let Some(path) = &options.creds {
                connect = connect.credentials_file(path).await.map_err(|error| cannot_use(path, error))?;
            }
            let client = options.tls_client.iter().flat_map(|(cert, key)| [cert, key]);
            for path in options.tls_ca.iter().chain(client) {
                std::fs::File::open(path).map_err(|error| cannot_use(path, error))?;
            }
            if let Some(path) = &options.tls_ca {
                connect = connect.add_root_certificates(path.clone()).require_tls(true);
            }
            if let Some((cert, key)) = &options.tls_client {
                connect = connect.add_client_certificate(cert.clone(), key.clone());
            }
            let servers = servers(&options.url)?;
            let user = servers.iter().find_map(ServerAddr::username).or(options.user.as_deref());
            let password = servers.iter().find_map(ServerAddr::password).or(options.password.as_deref());
            connect = match (user, password) {
                (Some(user), Some(password)) => {
                    connect.user_and_password(user.to_owned(), password.to_owned())
                }
                (None, None) => connect,
                (Some(user), None) => return Err(useless(&format!("the user '{user}' needs a password"))),
                (None, Some(_)) => return Err(useless(&"there is a password but no user: name the user")),
            };
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
            // It spawns a task of its own.
            let _inside = runtime.enter();
            jetstream::new(client.clone())
        };
        Ok(Nats { runtime, client, jetstream, forbidden, options: options.clone() })
    }

    /// The status of every coordinator that has a claim now.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn statuses(&self) -> Result<Vec<LeadStatus>, BusError> {
        let read = in_time(async {
            let Ok(bucket) = self.jetstream.get_key_value(LEADERS).await else { return Err(BusError::Unled) };
            let mut keys = bucket.keys().await?;
            let mut statuses = Vec::new();
            while let Some(key) = keys.next().await {
                let value = bucket.get(key?).await?;
                statuses.extend(value.and_then(|value| LeadStatus::read(&value).ok()));
            }
            Ok(statuses)
        });
        match self.runtime.block_on(async { self.diagnosed(read.await).await }) {
            Err(BusError::Unled) => Ok(Vec::new()),
            result => result,
        }
    }

    /// Finds out what is really wrong if something has failed.
    async fn diagnosed<T>(&self, result: Result<T, BusError>) -> Result<T, BusError> {
        match result {
            Ok(done) => Ok(done),
            Err(error) => Err(diagnose(self, error).await),
        }
    }

    /// Fails at once while there is no connection. The connection comes back by itself.
    fn check_connection(&self) -> Result<(), BusError> {
        if self.client.connection_state() == State::Connected {
            return Ok(());
        }
        Err(lost("the connection to the server is lost"))
    }
}

fn servers(url: &str) -> Result<Vec<ServerAddr>, BusError> {
    let server =
        |url: &str| url.parse().map_err(|error| BusError::Useless(format!("bad server '{url}': {error}")));
    url.split(',').map(server).collect()
}

/// Whether one side rejects the other's certificate or is not encrypted. That will not pass.
fn is_refusal(error: &ConnectError) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    source.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData)
}

fn lost(error: impl Display) -> BusError {
    BusError::Lost(error.to_string())
}

/// What a request to the server returns if it fails. It may work the next time.
impl<K: Clone + Debug + Display + PartialEq> From<async_nats::error::Error<K>> for BusError {
    fn from(error: async_nats::error::Error<K>) -> BusError {
        lost(error)
    }
}

impl From<async_nats::Error> for BusError {
    fn from(error: async_nats::Error) -> BusError {
        lost(error)
    }
}

/// Gives up after [`PATIENCE`].
async fn in_time<T, E: Into<BusError>>(work: impl Future<Output = Result<T, E>>) -> Result<T, BusError> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(lost("no answer from the server")),
    }
}

/// Creates the streams and buckets that are missing.
async fn prepare(jetstream: &Context, options: &NatsOptions) -> Result<(), BusError> {
    let jobs = jetstream.get_or_create_stream(queue(JOBS, "solrex.job.>", options)).await?;
    jobs.create_consumer(pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: options.ack_wait,
        max_ack_pending: -1,
        ..pull::Config::default()
    })
    .await?;
    jetstream.get_or_create_stream(queue(ANSWERS, "solrex.answer.>", options)).await?;
    for (bucket, max_age) in [(SOLVED, Duration::ZERO), (LEADERS, CLAIM)] {
        if jetstream.get_key_value(bucket).await.is_err() {
            let config = kv::Config {
                bucket: bucket.to_owned(),
                history: 1,
                max_age,
                num_replicas: options.replicas,
                ..kv::Config::default()
            };
            jetstream.create_key_value(config).await?;
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
