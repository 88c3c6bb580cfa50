//! A worker's end of the bus.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::context::{ConsumerInfoError, ConsumerInfoErrorKind};
use async_nats::jetstream::{self, AckKind, Context};
use futures_util::StreamExt;
use parking_lot::Mutex;
use rex_game::Board;
use tokio::task::JoinHandle;

use super::letters::{Letter, Underway};
use super::{BEATS, JOBS, Nats, PATIENCE, PAUSE, SOLVED, WORKERS, in_time, lost};
use crate::bus::{BusError, Heard, ReceivedJob, WorkerBus};
use crate::message::{Answer, Beat, Fact, Job, Message};
use crate::news::News;

const NEWS: &str = "solrex.news";

/// A worker's end.
pub struct NatsWorker {
    nats: Nats,
    consumer: Option<Consumer<pull::Config>>,
    /// The tasks that listen for results on a board.
    watch: Option<(Board, [JoinHandle<()>; 2])>,
    news: Arc<Mutex<Heard>>,
    /// The last answer that was sent.
    answer: Option<Underway>,
}

impl Nats {
    /// A worker's end.
    pub fn worker(self) -> NatsWorker {
        NatsWorker { nats: self, consumer: None, watch: None, news: Arc::default(), answer: None }
    }
}

impl NatsWorker {
    async fn next_job(&mut self, patience: Duration) -> Result<Option<jetstream::Message>, BusError> {
        let consumer = match &mut self.consumer {
            Some(consumer) => consumer,
            none => {
                let stream = in_time(self.nats.jetstream.get_stream_no_info(JOBS)).await?;
                let found = in_time(async { stream.get_consumer(WORKERS).await.map_err(unless_unled) }).await;
                none.insert(found?)
            }
        };
        let mut batch = consumer.batch().max_messages(1).expires(patience).messages().await?;
        // Wait longer than the server does: a job that comes too late would be lost until its deadline.
        match tokio::time::timeout(patience + PATIENCE, batch.next()).await {
            Ok(Some(message)) => Ok(Some(message?)),
            Ok(None) => Ok(None),
            Err(_) => Err(lost("no answer from the server")),
        }
    }
}

impl WorkerBus for NatsWorker {
    type Receipt = jetstream::Message;

    fn receive_job(&mut self, patience: Duration) -> Result<ReceivedJob<jetstream::Message>, BusError> {
        if self.answer.as_ref().is_some_and(|underway| underway.is_finished()) {
            Underway::settle(&mut self.answer, &self.nats)?;
        }
        self.nats.forbidden.check()?;
        let runtime = self.nats.runtime.handle().clone();
        let taken = runtime.block_on(async {
            let taken = self.next_job(patience).await;
            self.nats.diagnosed(taken).await
        });
        if taken.is_err() {
            // The server may have forgotten it.
            self.consumer = None;
        }
        Ok(taken?.map(|message| (message.payload.to_vec(), message)))
    }

    fn beat(&mut self, beat: &Beat, at: Option<&jetstream::Message>) {
        // A lost heartbeat does no harm.
        let _ = self.nats.runtime.block_on(in_time(async {
            if let Some(message) = at {
                message.ack_with(AckKind::Progress).await?;
            }
            Ok::<_, BusError>(self.nats.client.publish(BEATS, beat.write().into()).await?)
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
        // If the answer is lost, somebody else gets the job.
        let _ = Underway::settle(&mut self.answer, &self.nats);
    }

    fn return_job(&mut self, receipt: jetstream::Message, after: Duration) {
        let _ = self.nats.runtime.block_on(in_time(async {
            receipt.ack_with(AckKind::Nak(Some(after))).await?;
            Ok::<_, BusError>(self.nats.client.flush().await?)
        }));
    }

    fn discard(&mut self, receipt: jetstream::Message) {
        let _ = self.nats.runtime.block_on(in_time(receipt.ack_with(AckKind::Term)));
    }

    fn publish(&mut self, news: impl FnOnce() -> Vec<News> + Send + 'static) {
        let (client, runtime) = (self.nats.client.clone(), self.nats.runtime.handle().clone());
        self.nats.runtime.spawn_blocking(move || {
            for news in news() {
                let sent = client.publish(news_of(&news.board), news.write().into());
                let _ = runtime.block_on(in_time(sent));
            }
        });
    }

    fn hear(&mut self, board: Board) -> Heard {
        if self.watch.as_ref().is_none_or(|(watched, _)| *watched != board) {
            if let Some((_, tasks)) = self.watch.take() {
                tasks.iter().for_each(JoinHandle::abort);
            }
            // A list of its own, so that nothing of the other board is left, and nothing of this one gets lost.
            self.news = Arc::default();
            let watch = watch_solved(self.nats.jetstream.clone(), board, self.news.clone());
            let listen = listen_to_news(self.nats.client.clone(), board, self.news.clone());
            let runtime = &self.nats.runtime;
            self.watch = Some((board, [runtime.spawn(watch), runtime.spawn(listen)]));
        }
        std::mem::take(&mut *self.news.lock())
    }
}

/// A missing stream or consumer is no problem: a coordinator creates them.
fn unless_unled(error: async_nats::Error) -> BusError {
    use ConsumerInfoErrorKind::{NotFound, StreamNotFound};
    match error.downcast_ref::<ConsumerInfoError>().map(ConsumerInfoError::kind) {
        Some(NotFound | StreamNotFound) => BusError::Unled,
        _ => lost(error),
    }
}

fn news_of(board: &str) -> String {
    format!("{NEWS}.{board}")
}

/// Collects the news of other workers on a board.
async fn listen_to_news(client: Client, board: Board, heard: Arc<Mutex<Heard>>) {
    loop {
        if let Ok(mut news) = client.subscribe(news_of(&board.to_string())).await {
            while let Some(message) = news.next().await {
                // Ignore what cannot be read.
                let Ok(news) = News::read(&message.payload) else { continue };
                if let (Ok(met), true) = (news.met(), news.board == board.to_string()) {
                    let mut heard = heard.lock();
                    heard.news.push((news.worker, news.threads, met));
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Collects solved positions of a board: first all there are, then new ones as they come.
async fn watch_solved(jetstream: Context, board: Board, heard: Arc<Mutex<Heard>>) {
    loop {
        if let Ok(bucket) = jetstream.get_key_value(SOLVED).await
            && let Ok(mut watch) = bucket.watch_with_history(format!("{board}.>")).await
        {
            while let Some(Ok(entry)) = watch.next().await {
                let at = entry.key.split('.').next_back().unwrap_or_default().to_owned();
                let is = String::from_utf8_lossy(&entry.value).into_owned();
                // Ignore what cannot be a solved position: there is nobody to complain to.
                if let Ok(fact) = (Fact { at, is }).read() {
                    heard.lock().solved.push(fact);
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}
