//! One search on many machines.
//!
//! A [`Coordinator`] keeps the top of the search tree and hands out its positions as [`Job`]s. A [`Worker`] searches
//! each one with the solver of its machine and sends back an [`Answer`]. A bus ([`bus`]) connects them: NATS JetStream
//! ([`nats`]), or a few queues in one process ([`local`]). Results go to a [`Ledger`], a file, before anything is
//! acknowledged, so every part may be killed at any time.
//!
//! [`lead`] ties coordinator, ledger and bus together. The coordinator itself knows no files, networks or clocks.
//! [`Certify`] makes a certificate of the answer from the ledger, whoever has lied.

pub mod bus;
mod certify;
mod coordinator;
mod lead;
mod ledger;
pub mod local;
mod message;
pub mod nats;
mod news;
mod report;
mod worker;

pub use bus::BusError;
pub use certify::{Certify, CertifyError, Findings, Step, Wrong};
pub use coordinator::{Coordinator, Plan, Refusal};
pub use lead::{Lead, Outcome, lead, solution};
pub use ledger::{Changes, Ledger, Open};
pub use message::{
    Answer, Beat, Fact, Job, LeadStatus, MOST_NAME, Message, MessageError, VERSION, WireNode, is_name,
};
pub use news::News;
pub use report::{Report, RunError};
pub use worker::{Worker, WorkerSettings, facts, solver_for, worth_telling};
