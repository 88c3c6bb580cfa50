//! A bus within one process: queues under a lock.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use rex_game::Board;
use rex_store::{Place, Record};

use crate::bus::{BusError, Heard, Incoming, LeaderBus, ReceivedJob, WorkerBus};
use crate::message::{Answer, Beat, Job, LeadStatus, Message};
use crate::news::News;

/// The queues, from which both ends are made.
#[derive(Clone, Default)]
pub struct Hub {
    queues: Arc<Mutex<Queues>>,
    changed: Arc<Condvar>,
}

#[derive(Default)]
struct Queues {
    jobs: VecDeque<Vec<u8>>,
    incoming: VecDeque<Incoming<()>>,
    solved: Vec<(Place, Record)>,
    /// The coordinator has left, so workers need not wait for a job.
    left: bool,
}

impl Hub {
    /// The coordinator's end.
    pub fn leader(&self) -> LocalLeader {
        LocalLeader { hub: self.clone() }
    }

    /// A worker's end.
    pub fn worker(&self) -> LocalWorker {
        LocalWorker { hub: self.clone(), seen: 0 }
    }

    fn change(&self, change: impl FnOnce(&mut Queues)) {
        change(&mut self.queues.lock());
        self.changed.notify_all();
    }

    /// Waits until there is something to take, but at most this long.
    fn wait<T>(&self, patience: Duration, mut take: impl FnMut(&mut Queues) -> Option<T>) -> Option<T> {
        let until = Instant::now() + patience;
        let mut queues = self.queues.lock();
        loop {
            let taken = take(&mut queues);
            let left = until.saturating_duration_since(Instant::now());
            if taken.is_some() || left.is_zero() {
                return taken;
            }
            self.changed.wait_for(&mut queues, left);
        }
    }
}

/// The coordinator's end.
pub struct LocalLeader {
    hub: Hub,
}

impl LeaderBus for LocalLeader {
    type Receipt = ();

    fn claim(&mut self, _status: &LeadStatus) -> Result<(), BusError> {
        self.hub.queues.lock().left = false;
        Ok(())
    }

    fn receive(&mut self, patience: Duration) -> Result<Vec<Incoming<()>>, BusError> {
        let all =
            |queues: &mut Queues| (!queues.incoming.is_empty()).then(|| queues.incoming.drain(..).collect());
        Ok(self.hub.wait(patience, all).unwrap_or_default())
    }

    fn send(&mut self, jobs: &[Job]) -> Result<(), BusError> {
        self.hub.change(|queues| queues.jobs.extend(jobs.iter().map(Job::write)));
        Ok(())
    }

    fn share(&mut self, solved: &[(Place, Record)]) -> Result<bool, BusError> {
        self.hub.queues.lock().solved.extend_from_slice(solved);
        Ok(true)
    }

    fn acknowledge(&mut self, (): ()) {}

    fn leave(&mut self, _solved: bool) {
        self.hub.change(|queues| queues.left = true);
    }
}

/// A worker's end.
pub struct LocalWorker {
    hub: Hub,
    /// How many of the solved positions it has been told.
    seen: usize,
}

impl WorkerBus for LocalWorker {
    /// The job itself, in case it is returned.
    type Receipt = Vec<u8>;

    fn receive_job(&mut self, patience: Duration) -> Result<ReceivedJob<Vec<u8>>, BusError> {
        let next =
            |queues: &mut Queues| if queues.left { Some(None) } else { queues.jobs.pop_front().map(Some) };
        Ok(self.hub.wait(patience, next).flatten().map(|job| (job.clone(), job)))
    }

    fn beat(&mut self, beat: &Beat, _at: Option<&Vec<u8>>) {
        self.hub.change(|queues| queues.incoming.push_back(Incoming::Beat(beat.write())));
    }

    fn answer(&mut self, _job: &Job, answer: &Answer, _receipt: &Vec<u8>) -> Result<(), BusError> {
        self.hub.change(|queues| queues.incoming.push_back(Incoming::Answer(answer.write(), ())));
        Ok(())
    }

    fn leave(&mut self) {}

    fn return_job(&mut self, job: Vec<u8>, _after: Duration) {
        self.hub.change(|queues| queues.jobs.push_back(job));
    }

    fn discard(&mut self, _job: Vec<u8>) {}

    /// Workers in one process share their table.
    fn publish(&mut self, _news: impl FnOnce() -> Vec<News> + Send + 'static) {}

    fn hear(&mut self, board: Board) -> Heard {
        let queues = self.hub.queues.lock();
        let new = queues.solved[self.seen..].iter().filter(|(place, _)| place.board == board).copied();
        let solved = new.collect();
        self.seen = queues.solved.len();
        Heard { solved, news: Vec::new() }
    }
}
