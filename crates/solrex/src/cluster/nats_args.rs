//! The way to the server.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::Result;
use rex_cluster::BusError;
use rex_cluster::nats::{Nats, NatsOptions};

use crate::cluster::leading::warn;

/// Which server, and how.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Server")]
pub struct NatsArgs {
    /// The NATS server, as nats://HOST:4222; several with commas between them
    #[arg(long, value_name = "URL")]
    nats: String,
    /// A file with credentials for it
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// A file with the certificates to trust; the connection is then encrypted, or there is none
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// A certificate to show to the server
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl NatsArgs {
    /// The options for the library.
    pub fn options(&self) -> NatsOptions {
        NatsOptions {
            creds: self.creds.clone(),
            tls_ca: self.tls_ca.clone(),
            tls_client: self.tls_cert.clone().zip(self.tls_key.clone()),
            ..NatsOptions::new(&self.nats)
        }
    }
}

/// Connects, once somebody is there; none when it is stopped before.
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
