//! The connection between a coordinator and its workers: an interface for each end.
//!
//! A bus may lose heartbeats, and deliver anything twice or late. It tries not to lose unacknowledged jobs and answers.

use std::time::Duration;

use rex_game::Board;
use rex_search::Numbers;
use rex_store::{Place, Record};

use crate::message::{Answer, Beat, Job, LeadStatus};
use crate::news::News;

/// Why something could not be sent or received.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BusError {
    /// A problem that may pass.
    #[error("{0}")]
    Lost(String),
    /// No coordinator has been here yet, so there is no queue to take jobs from.
    #[error("no coordinator has used this server yet; waiting for one")]
    Unled,
    /// Another coordinator is searching this position.
    #[error("another coordinator is searching this position, with the store {0}; there can be only one")]
    Taken(String),
    /// A problem that will not pass.
    #[error("{0}")]
    Useless(String),
}

/// A message to the coordinator, not parsed yet.
pub enum Incoming<R> {
    /// An answer, and the receipt to return once it is stored (or refused for good).
    Answer(Vec<u8>, R),
    /// A worker's heartbeat.
    Beat(Vec<u8>),
}

/// The coordinator's end.
pub trait LeaderBus {
    /// Identifies an answer that is not acknowledged yet.
    type Receipt;

    /// Claims the position, or renews the claim, and publishes the status.
    ///
    /// # Errors
    /// [`BusError::Taken`] if another coordinator has it.
    fn claim(&mut self, status: &LeadStatus) -> Result<(), BusError>;

    /// The messages received. Waits at most this long for the first.
    ///
    /// # Errors
    /// If the bus cannot be reached.
    fn receive(&mut self, patience: Duration) -> Result<Vec<Incoming<Self::Receipt>>, BusError>;

    /// Hands out jobs. The same job sent twice within a few minutes counts once.
    ///
    /// # Errors
    /// If the bus may not have all of them.
    fn send(&mut self, jobs: &[Job]) -> Result<(), BusError>;

    /// Sends solved positions to all workers, in the background. False if the previous ones are still on their way.
    ///
    /// # Errors
    /// If the previous ones have not arrived. They are sent again.
    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, BusError>;

    /// Acknowledges an answer, so it will not be delivered again.
    fn acknowledge(&mut self, receipt: Self::Receipt);

    /// Gives up the claim. If the position is solved, the remaining jobs are removed too.
    fn leave(&mut self, solved: bool);
}

/// A job and its receipt.
pub type ReceivedJob<R> = Option<(Vec<u8>, R)>;

/// A worker's end.
pub trait WorkerBus {
    /// Identifies a job that is not acknowledged yet.
    type Receipt;

    /// A job, not parsed yet, if one comes in time, with the receipt to return when it is done.
    ///
    /// # Errors
    /// If the bus cannot be reached.
    fn receive_job(&mut self, patience: Duration) -> Result<ReceivedJob<Self::Receipt>, BusError>;

    /// Says that the worker is alive and, if it has a job, that it is still working on it.
    fn beat(&mut self, beat: &Beat, at: Option<&Self::Receipt>);

    /// Sends an answer and then acknowledges its job, in the background while the next job is searched.
    ///
    /// # Errors
    /// If the previous answer has not arrived. That one is sent again; the caller can try this one again too.
    fn answer(&mut self, job: &Job, answer: &Answer, receipt: &Self::Receipt) -> Result<(), BusError>;

    /// Waits until the last answer has arrived, but not forever.
    fn leave(&mut self);

    /// Returns a job for another worker, after a while: a returned job comes before all others.
    fn return_job(&mut self, receipt: Self::Receipt, after: Duration);

    /// Removes a job that nobody can use.
    fn discard(&mut self, receipt: Self::Receipt);

    /// Tells the other workers what was found, while the next job is searched. The message may be lost.
    fn publish(&mut self, news: impl FnOnce() -> Vec<News> + Send + 'static);

    /// What others have found on this board since the last call; at first, everything the coordinator has shared.
    fn hear(&mut self, board: Board) -> Heard;
}

/// What a worker has heard from others.
#[derive(Default, Debug)]
pub struct Heard {
    /// Solved positions from the coordinator.
    pub solved: Vec<(Place, Record)>,
    /// News from other workers, each with its name and number of threads.
    pub news: Vec<(String, usize, Vec<Numbers>)>,
}
