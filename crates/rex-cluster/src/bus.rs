//! The two ends of what lies between a coordinator and its workers.
//!
//! A bus may lose beats and deliver anything twice or late. It never loses a job or an answer before it is acknowledged,
//! as far as it can help it.

use std::time::Duration;

use rex_game::Board;
use rex_search::Numbers;
use rex_store::{Place, Record};

use crate::message::{Answer, Beat, Job, Status};
use crate::news::News;

/// Why something could not be sent or received.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BusError {
    /// For now. It may be better in a while.
    #[error("{0}")]
    Lost(String),
    /// No coordinator has been here yet, so that there is nothing to take jobs from.
    #[error("no coordinator has used this server yet; waiting for one")]
    Unled,
    /// Another coordinator leads at this position.
    #[error("another coordinator is searching this position, with the store {0}; there can be only one")]
    Taken(String),
    /// It will not get better.
    #[error("{0}")]
    Useless(String),
}

/// What comes in at the coordinator's end, not yet read.
pub enum Incoming<R> {
    /// An answer, and what to give back when it is written down (or refused for good).
    Answer(Vec<u8>, R),
    /// A worker's beat.
    Beat(Vec<u8>),
}

/// The coordinator's end.
pub trait LeaderBus {
    /// Stands for an answer that is not acknowledged yet.
    type Receipt;

    /// Claims the position, or renews the claim, and shows how things are.
    ///
    /// # Errors
    /// [`BusError::Taken`] if another one leads there.
    fn claim(&mut self, status: &Status) -> Result<(), BusError>;

    /// What has come in; waits so long for the first of it.
    ///
    /// # Errors
    /// If the bus is out of reach.
    fn receive(&mut self, patience: Duration) -> Result<Vec<Incoming<Self::Receipt>>, BusError>;

    /// Hands out jobs. The same job given twice within some minutes counts once.
    ///
    /// # Errors
    /// If it is not certain that the bus has all of them.
    fn send(&mut self, jobs: &[Job]) -> Result<(), BusError>;

    /// Lets all workers know of solved positions, in its own time. Returns whether it has taken them over; if not, those
    /// before are still on their way.
    ///
    /// # Errors
    /// If those before have not arrived. They are tried again.
    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, BusError>;

    /// Acknowledges an answer: it will not come again.
    fn acknowledge(&mut self, receipt: Self::Receipt);

    /// Gives the claim up; what is left of the jobs goes too when the position is solved.
    fn leave(&mut self, solved: bool);
}

/// A job and its receipt.
pub type ReceivedJob<R> = Option<(Vec<u8>, R)>;

/// A worker's end.
pub trait WorkerBus {
    /// Stands for a job that is not acknowledged yet.
    type Receipt;

    /// A job, not yet read, if one comes in time, and what to give back when it is done with.
    ///
    /// # Errors
    /// If the bus is out of reach.
    fn receive_job(&mut self, patience: Duration) -> Result<ReceivedJob<Self::Receipt>, BusError>;

    /// Says that the worker is alive and, if it is at a job, that it still is.
    fn beat(&mut self, beat: &Beat, at: Option<&Self::Receipt>);

    /// Sends an answer, and then acknowledges its job, while the next job is searched.
    ///
    /// # Errors
    /// If the answer before it has not arrived, which is tried again; so can this one be.
    fn answer(&mut self, job: &Job, answer: &Answer, receipt: &Self::Receipt) -> Result<(), BusError>;

    /// Waits until the last answer has arrived, but not for ever.
    fn leave(&mut self);

    /// Lets somebody else have a job, after a while: a job that comes back goes before all others.
    fn return_job(&mut self, receipt: Self::Receipt, after: Duration);

    /// Takes a job away that is of no use to anybody.
    fn discard(&mut self, receipt: Self::Receipt);

    /// Lets the other workers know what was found out at a job. It is put together while the next one is searched. Nobody
    /// minds if it is lost.
    fn publish(&mut self, news: impl FnOnce() -> Vec<News> + Send + 'static);

    /// What others have found out on this board since this was asked last; at first, all that the coordinator has
    /// shared.
    fn hear(&mut self, board: Board) -> Heard;
}

/// What a worker hears from others.
#[derive(Default, Debug)]
pub struct Heard {
    /// What the coordinator has shared.
    pub solved: Vec<(Place, Record)>,
    /// What other workers have told, each with its name and its threads.
    pub told: Vec<(String, usize, Vec<Numbers>)>,
}
