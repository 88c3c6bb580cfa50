//! How to reach the server.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rex_cluster::BusError;
use rex_cluster::nats::{Nats, NatsOptions};

use crate::show::log::warn;

/// Which server, and how.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Server")]
pub struct NatsArgs {
    /// The NATS server, such as nats://HOST:4222; several are separated by commas [default: $SOLREX_NATS]
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// The user name, if the address has none [default: $SOLREX_NATS_USER]
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// A file with the user's password in its first line [default: $SOLREX_NATS_PASSWORD is the password]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// A file with NATS credentials [default: $SOLREX_NATS_CREDS]
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// A file with the certificates to trust; requires an encrypted connection
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// The client certificate to show to the server
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// Environment variables for the server and the user, because everybody on the machine can read a command line.
const SERVER: &str = "SOLREX_NATS";
const USER: &str = "SOLREX_NATS_USER";
const PASSWORD: &str = "SOLREX_NATS_PASSWORD";
const CREDS: &str = "SOLREX_NATS_CREDS";

impl NatsArgs {
    /// The options for the connection.
    pub fn options(&self) -> Result<NatsOptions> {
        let Some(url) = self.nats.clone().or_else(|| variable(SERVER)) else {
            bail!("no server given; expected --nats URL or the variable {SERVER}");
        };
        let password = match &self.password_file {
            Some(path) => Some(first_line(path)?),
            None => variable(PASSWORD),
        };
        Ok(NatsOptions {
            user: self.user.clone().or_else(|| variable(USER)),
            password,
            creds: self.creds.clone().or_else(|| variable(CREDS).map(PathBuf::from)),
            tls_ca: self.tls_ca.clone(),
            tls_client: self.tls_cert.clone().zip(self.tls_key.clone()),
            ..NatsOptions::new(&url)
        })
    }
}

/// The value of an environment variable. An empty one counts as missing.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn first_line(path: &Path) -> Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot use '{}'", path.display()))?;
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => bail!("there is no password on the first line of '{}'", path.display()),
    }
}

/// Connects as soon as the server is there. `None` if it is stopped before.
pub fn wait_for_server(options: &NatsOptions, cancel: &AtomicBool) -> Result<Option<Nats>> {
    let mut told = false;
    while !cancel.load(Relaxed) {
        match Nats::connect(options) {
            Err(BusError::Lost(reason)) => {
                if !std::mem::replace(&mut told, true) {
                    warn(&format!("{reason}; waiting for it"));
                }
                std::thread::sleep(Duration::from_millis(500));
            }
            result => return Ok(Some(result?)),
        }
    }
    Ok(None)
}
