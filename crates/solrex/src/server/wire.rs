//! The stream of a connection: a client that does not read is disconnected, and no error goes out without its text.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::{StatusCode, header};
use rex_answers::answer::versioned;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::connections::PATIENCE;
use super::guard;

/// A TCP stream.
pub struct Wire {
    stream: TcpStream,
    /// Runs while the client reads nothing.
    patience: Option<Pin<Box<Sleep>>>,
    /// A response that must be sent before anything else.
    pending: Vec<u8>,
}

impl Wire {
    /// The wire to a client.
    pub fn new(stream: TcpStream) -> Wire {
        Wire { stream, patience: None, pending: Vec::new() }
    }

    /// Writes to the stream; fails if nothing could be written for too long.
    fn write(&mut self, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        ready!(self.patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE))).as_mut().poll(context));
        // The client will not read it, so there is no need to keep it.
        let _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, "the client does not read")))
    }

    fn write_pending(&mut self, context: &mut Context) -> Poll<io::Result<()>> {
        while !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            let written = self.write(context, &pending);
            let count = if let Poll::Ready(Ok(count)) = written { count } else { 0 };
            self.pending = pending[count..].to_vec();
            if ready!(written)? == 0 {
                return Poll::Ready(Err(ErrorKind::WriteZero.into()));
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context, buffer: &mut ReadBuf) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let wire = self.get_mut();
        ready!(wire.write_pending(context))?;
        let Some(answer) = with_text(bytes) else { return wire.write(context, bytes) };
        wire.pending = answer;
        // What does not go out now goes out with the flush that follows.
        if let Poll::Ready(Err(error)) = wire.write_pending(context) {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        ready!(wire.write_pending(context))?;
        Pin::new(&mut wire.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        let wire = self.get_mut();
        ready!(wire.write_pending(context))?;
        Pin::new(&mut wire.stream).poll_shutdown(context)
    }
}

/// If a request cannot be parsed, the HTTP library itself responds with headers only, and closes the connection. If these
/// bytes end with such headers, this returns them with the text that every error has. (All other responses carry a
/// policy header from `guard`, which tells them apart.)
fn with_text(bytes: &[u8]) -> Option<Vec<u8>> {
    const START: &[u8] = b"HTTP/1.1 4";
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let start = bytes.windows(START.len()).rposition(|window| window == START)?;
    let head = std::str::from_utf8(&bytes[start..]).ok()?;
    let once = head.find("\r\n\r\n") == Some(head.len() - 4);
    if !once || head.contains(header::CONTENT_SECURITY_POLICY.as_str()) {
        return None;
    }
    let line = head.lines().next()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let message = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => guard::LARGE_HEADER,
        StatusCode::URI_TOO_LONG => guard::LONG_ADDRESS,
        _ => "this is not an HTTP request",
    };
    let body = versioned(json!({ "error": message })).to_string();
    let mut answer =
        format!("{line}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in guard::ON_EVERYTHING {
        answer += &format!("{name}: {value}\r\n");
    }
    answer += &format!("connection: close\r\n\r\n{body}");
    Some([&bytes[..start], answer.as_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_error_without_a_text_gets_one() {
        let bare = "HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\ndate: now\r\n\r\n";
        let before = "HTTP/1.1 200 OK\r\ncontent-security-policy: x\r\ncontent-length: 2\r\n\r\n{}";
        for before in ["", before] {
            let whole = with_text(format!("{before}{bare}").as_bytes()).unwrap();
            let whole = String::from_utf8(whole).unwrap();
            let answer = whole.strip_prefix(before).unwrap();
            assert!(answer.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "{answer}");
            assert!(answer.ends_with("\r\n\r\n{\"v\":1,\"error\":\"the header is too large\"}"), "{answer}");
        }
        for other in [
            before,
            "HTTP/1.1 404 Not Found\r\ncontent-security-policy: x\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "5\r\n{...}\r\n0\r\n\r\n",
            "",
            "\r\n\r\n",
        ] {
            assert_eq!(with_text(other.as_bytes()), None, "{other}");
        }
    }
}
