//! Limits on connections: how many there are, and how slow a client may be.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::wire::Wire;

/// The most open connections; further clients wait.
const MOST: usize = 512;
/// A request, also the next one on an open connection, must arrive within this time, and so must a sign of reading.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long connections may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// Serves clients until `until` is over, and then finishes what was asked before.
pub async fn serve(listener: TcpListener, router: Router, until: impl Future<Output = ()>) {
    let (ending, slots) = (GracefulShutdown::new(), Arc::new(Semaphore::new(MOST)));
    let mut until = pin!(until);
    loop {
        let (stream, slot) = tokio::select! {
            next = next(&listener, &slots) => next,
            () = &mut until => break,
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .serve_connection(TokioIo::new(Wire::new(stream)), TowerToHyperService::new(router.clone()));
        let connection = ending.watch(connection);
        tokio::spawn(async move {
            // The client closed the connection; there is nobody to tell.
            let _ = connection.await;
            drop(slot);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, ending.shutdown()).await;
}

async fn next(listener: &TcpListener, slots: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    let slot = slots.clone().acquire_owned().await.expect("nobody closes it");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, slot),
            // The client has gone, or the system is out of file handles.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}
