//! A running `solrex serve`, and clients of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::common::{BARE, GUARD, send_signal, solrex};

/// A running server, which ends with the test.
pub struct Server {
    pub child: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts it with a small table and these flags.
pub fn serve(flags: &[&str]) -> Server {
    serve_with(&["--memory", "64M", "--threads", "1"], flags)
}

/// The same without any help for its searches.
pub fn serve_bare(flags: &[&str]) -> Server {
    serve_with(&BARE, flags)
}

fn serve_with(search: &[&str], flags: &[&str]) -> Server {
    // However slow the machine is, a search may come to its end.
    let time: &[&str] = if flags.contains(&"--time") { &[] } else { &["--time", "1h"] };
    let args = [&["serve", "--port", "0", "--json"], search, time, flags].concat();
    Server::of(solrex(&args).stdout(Stdio::piped()).spawn().expect("the program starts"))
}

/// What it answered.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// The server-sent events: name and data.
    pub fn events(&self) -> Vec<(String, Value)> {
        self.body.split("\n\n").filter_map(event).collect()
    }
}

impl Server {
    /// The server that has just been started.
    pub fn of(mut child: Child) -> Server {
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = serde_json::from_str::<Value>(&line).unwrap()["url"].as_str().unwrap().to_owned();
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// Sends this request and returns the connection.
    pub fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(GUARD)).unwrap();
        // A server that refuses a large request may hang up before it has read it all.
        let _ = stream.write_all(request.as_bytes());
        stream
    }

    pub fn raw(&self, request: &str) -> Answer {
        let bytes = read_all(&mut self.send(request));
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_ascii_lowercase();
        let body =
            if head.contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
        Answer { status, head, body }
    }

    pub fn head(&self, line: &str, more: &str) -> String {
        format!("{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n", self.address)
    }

    /// Asks for the values of the moves, and listens.
    pub fn solve(&self, position: &str) -> Events {
        let request = self.head(&format!("GET /api/solve?position={}", position.replace(' ', "+")), "");
        Events { lines: BufReader::new(self.send(&request)).lines() }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw(&self.head(&format!("GET {path}"), ""))
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        let more = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        self.raw(&(self.head(&format!("POST {path}"), &more) + body))
    }
}

/// Everything until the connection is closed or breaks. A stream in which nothing happens does not count as silent: the
/// server shows now and then that it is there.
pub fn read_all(stream: &mut TcpStream) -> Vec<u8> {
    let (begun, mut all, mut bytes) = (Instant::now(), Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = stream.read(&mut bytes) {
        all.extend_from_slice(&bytes[..read]);
        assert!(begun.elapsed() < GUARD, "the answer does not end: {}", String::from_utf8_lossy(&all));
    }
    all
}

fn event(block: &str) -> Option<(String, Value)> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some((field("event:")?.to_owned(), serde_json::from_str(field("data:")?).unwrap()))
}

/// A stream of events that is read while it comes. Dropping it closes the connection.
pub struct Events {
    lines: std::io::Lines<BufReader<TcpStream>>,
}

impl Events {
    /// The next event: name and data. None when the stream is over.
    pub fn next(&mut self) -> Option<(String, Value)> {
        let (begun, mut block) = (Instant::now(), String::new());
        for line in self.lines.by_ref() {
            assert!(begun.elapsed() < GUARD, "nothing comes");
            block += &line.expect("the server says something");
            block.push('\n');
            if block.ends_with("\n\n") {
                match event(&block) {
                    Some(event) => return Some(event),
                    None => block.clear(),
                }
            }
        }
        None
    }

    /// Waits for an event that is as wanted; the search must not end before.
    pub fn until(&mut self, wanted: impl Fn(&str, &Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < GUARD, "nothing of the kind comes");
            let (name, data) = self.next().expect("the stream goes on");
            if wanted(&name, &data) {
                return data;
            }
            assert!(!["done", "failed"].contains(&name.as_str()), "{name}: {data}");
        }
    }
}

fn unchunked(mut text: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        whole += &rest[..size];
        text = rest[size..].trim_start_matches("\r\n");
    }
    whole
}

#[cfg(unix)]
impl Server {
    /// Presses Ctrl-C and waits for the end.
    pub fn stop(&mut self) -> Option<i32> {
        send_signal(&self.child, "INT");
        self.child.wait().unwrap().code()
    }
}
