//! Many clients of `solrex serve` at once, some of them with hard questions and some who do not behave.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::common::server::{Events, Server, read_all, serve, serve_bare};
use crate::common::{BARE, ENDLESS, LONG, MORE_ENDLESS, fresh, run, search_bare, wait_until};
use serde_json::{Value, json};

/// Searches that would take for ever, each begun and beyond its first slice.
fn hard_searches(server: &Server, positions: &[&str]) -> Vec<Events> {
    let begun = |position: &&str| {
        let mut events = server.solve(position);
        events.until(|name, data| name == "progress" && data["nodes"].as_u64() > Some(0));
        events
    };
    positions.iter().map(begun).collect()
}

fn waits(name: &str, data: &Value) -> bool {
    name == "waiting" && data["waiting"] == true
}

#[test]
fn short_questions_are_answered_while_hard_ones_have_all_places() {
    let server = serve_bare(&["--searches", "2", "--time", "1h"]);
    let mut hard = hard_searches(&server, &[ENDLESS, MORE_ENDLESS[0]]);
    for (position, winner) in [("4x4+d1+a1", "black"), ("3x3", "white"), ("4x4+c2+a1", "white")] {
        let (name, done) = server.get(&format!("/api/solve?position={position}")).events().pop().unwrap();
        assert_eq!(
            (name.as_str(), &done["winner"], &done["stopped"]),
            ("done", &json!(winner), &Value::Null)
        );
    }
    let asked = json!({ "position": "4x4 d1 a1", "level": "perfect" }).to_string();
    assert_eq!(server.post("/api/move", &asked).json()["winner"], "black");
    for events in &mut hard {
        events.until(|name, _| name == "progress");
    }
}

/// One that takes some seconds is not finished in its first slice.
#[test]
fn a_longer_question_takes_turns_with_a_hard_one() {
    let server = serve_bare(&["--searches", "1", "--time", "1h"]);
    let mut hard = hard_searches(&server, &[ENDLESS]);
    let events = server.get(&format!("/api/solve?position={}", LONG.replace(' ', "+"))).events();
    assert!(events.iter().any(|(name, data)| waits(name, data) && data["searches"] == 2), "{events:?}");
    let moves: Vec<&str> = events
        .iter()
        .filter(|(name, _)| name == "move")
        .map(|(_, data)| data["cell"].as_str().unwrap())
        .collect();
    let said = &search_bare(&["moves", "--json", LONG]).lines()[0];
    assert_eq!(
        moves.len(),
        said["moves"].as_object().unwrap().len(),
        "each move is told, and once: {moves:?}"
    );
    let (name, done) = events.last().unwrap();
    assert_eq!((name.as_str(), &done["stopped"]), ("done", &Value::Null));
    assert_eq!((&done["winner"], &done["moves"]), (&said["winner"], &said["moves"]));
    // The other one was not forgotten.
    let before = hard[0].until(|name, _| name == "progress");
    hard[0].until(|name, data| name == "progress" && data["nodes"].as_u64() > before["nodes"].as_u64());
}

#[test]
fn hard_searches_take_turns_and_each_gets_on() {
    let server = serve_bare(&["--searches", "1", "--time", "1h"]);
    // There are tables for three sizes.
    let mut hard = hard_searches(&server, &[&[ENDLESS], &MORE_ENDLESS[..]].concat());
    for _ in 0..2 {
        for events in &mut hard {
            events.until(waits);
            events.until(|name, data| name == "waiting" && data["waiting"] == false);
            let before = events.until(|name, _| name == "progress")["nodes"].as_u64();
            events.until(|name, data| name == "progress" && data["nodes"].as_u64() > before);
        }
    }
}

/// Whoever leaves while it waits makes room.
#[test]
fn those_who_leave_while_they_wait_are_not_waited_for() {
    let server = serve_bare(&["--searches", "1", "--time", "1h"]);
    let _hard = hard_searches(&server, &[ENDLESS]);
    let waiting = |position: &str| {
        let mut events = server.solve(position);
        let said = events.until(waits);
        (events, said["searches"].as_u64().unwrap())
    };
    let crowd: Vec<Events> = (0..20).map(|_| waiting(ENDLESS).0).collect();
    assert!(waiting(MORE_ENDLESS[0]).1 > 20);
    drop(crowd);
    wait_until("the places of those who left are free", || waiting(MORE_ENDLESS[0]).1 <= 3);
}

/// Others are let in although more than may be connected ask and never read the answers.
#[test]
fn those_who_do_not_read_are_sent_away() {
    let server = serve(&[]);
    // Far more than fits between the two.
    let many = server.head("GET /explore.js", "").replace("Connection: close\r\n", "").repeat(1000);
    let deaf: Vec<TcpStream> = (0..540)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.set_nonblocking(true).unwrap();
            let _ = stream.write(many.as_bytes());
            stream
        })
        .collect();
    assert_eq!(server.get("/api/puzzles").status, 200);
    drop(deaf);
}

/// What cannot be read as a request is answered by the HTTP library, and still as everything else.
#[test]
fn every_error_is_an_object_that_says_what_is_wrong() {
    let server = serve(&[]);
    let address = &server.address;
    let get = |more: &str| format!("GET /api/puzzles HTTP/1.1\r\nHost: {address}\r\n{more}\r\n");
    let post =
        |more: &str| format!("POST /api/import HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}");
    let json = "Content-Type: application/json\r\n";
    let many: String = (0..200).map(|i| format!("X-{i}: {i}\r\n")).collect();
    for (request, status) in [
        ("garbage\r\n\r\n".to_owned(), 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n".to_owned(), 400),
        ("GET /api/puzzles HTTP/9.9\r\n\r\n".to_owned(), 400),
        ("G@T / HTTP/1.1\r\n\r\n".to_owned(), 400),
        ("GET /\u{7f}x HTTP/1.1\r\n\r\n".to_owned(), 400),
        (get("bad header\r\n"), 400),
        (get("X: a\u{0}b\r\n"), 400),
        (get("Content-Length: x\r\n"), 400),
        (get("Content-Length: 1\r\nContent-Length: 2\r\n"), 400),
        (get("Transfer-Encoding: x\r\n"), 400),
        (get(&many), 431),
        (get(&format!("X: {}\r\n", "a".repeat(1 << 20))), 431),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000)), 414),
        // After one that was in order, on the same connection.
        (get("") + "garbage\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), 403),
        ("GET / HTTP/1.0\r\n\r\n".to_owned(), 403),
        (server.head("CONNECT localhost:1", ""), 405),
        (server.head("OPTIONS *", ""), 405),
        (server.head("GET /api", ""), 404),
        (server.head("GET /api/", ""), 404),
        (post("Content-Length: 2\r\n\r\n{}"), 415),
        (post("Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"), 415),
        (post(&format!("{json}Transfer-Encoding: chunked\r\n\r\nx\r\n")), 400),
        (post(&format!("{json}Content-Length: 100000\r\n\r\n{}", "a".repeat(100_000))), 413),
        (server.head("GET /api/solve?position=%zz", ""), 400),
    ] {
        let shown = &request[..request.len().min(200)];
        let bytes = read_all(&mut server.send(&request));
        let text = String::from_utf8_lossy(&bytes);
        // The last answer on this connection.
        let answer = &text[text.rfind("HTTP/1.").unwrap_or_else(|| panic!("{shown}: {text}"))..];
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(head.split(' ').nth(1), Some(status.to_string().as_str()), "{shown}: {answer}");
        let body: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{shown}: {answer}"));
        assert!(body["v"] == 1 && !body["error"].as_str().unwrap().is_empty(), "{shown}: {answer}");
        for part in ["content-type: application/json", "content-security-policy: ", "nosniff"] {
            assert!(head.contains(part), "{shown}: {answer}");
        }
    }
    assert_eq!(server.get("/").status, 200);
}

/// To an address that is not this machine's own, browsers do not say from which site a picture is asked for.
#[test]
fn a_picture_on_a_foreign_page_starts_no_search() {
    let server = serve(&["--listen", "0.0.0.0", "--remote", "--host", "rex.example"]);
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    let asked = |path: &str, host: &str, more: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
        server.raw(&head).status
    };
    let number = format!("192.0.2.1:{port}");
    for path in ["/api/solve?position=3x3", "/api/explain?position=3x3"] {
        for host in [number.as_str(), "rex.example"] {
            for foreign in [
                "",
                "Accept: text/event-stream\r\n",
                "Referer: http://evil.example/\r\n",
                &format!("Referer: http://evil.example/{host}/\r\n"),
                &format!("Referer: http://{host}.evil.example/\r\n"),
                "Origin: http://evil.example\r\n",
                "Sec-Fetch-Site: cross-site\r\n",
                &format!("Sec-Fetch-Site: cross-site\r\nReferer: http://{host}/\r\n"),
                &format!("Origin: null\r\nReferer: http://{host}/\r\n"),
            ] {
                assert_eq!(asked(path, host, foreign), 403, "{path} {host} {foreign}");
            }
            for own in [
                &format!("Referer: http://{host}/\r\n"),
                &format!("Referer: http://{host}\r\n"),
                &format!("Origin: http://{host}\r\n"),
                "Sec-Fetch-Site: same-origin\r\n",
                "Sec-Fetch-Site: none\r\n",
            ] {
                assert_eq!(asked(path, host, own), 200, "{path} {host} {own}");
            }
        }
        // To this machine's own address they say it.
        for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
            assert_eq!(asked(path, &host, ""), 200, "{path} {host}");
        }
    }
    // The page and what costs nothing can be asked for by anybody, and the page is told to name itself to this server.
    assert_eq!(asked("/api/puzzles", &number, ""), 200);
    assert!(server.get("/").head.contains("referrer-policy: no-referrer, same-origin"));
}

/// A server that keeps its results in this file, with what it says when something goes wrong.
#[cfg(target_os = "linux")]
fn serve_with_store(store: &str) -> (Server, impl Iterator<Item = String>) {
    let args = ["serve", "--port", "0", "--json", "--db", store, "--no-book"];
    // The signal that comes with a file that would grow too large ends the program if nobody ignores it.
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_solrex")])
        .args(args)
        .args(&*BARE);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    (Server::of(child), said)
}

/// From now on no file of this server can be written beyond so many bytes. To the program that is a disk that is full.
#[cfg(target_os = "linux")]
fn let_files_grow_to(server: &Server, bytes: &str) {
    let (id, limit) = (server.child.id().to_string(), format!("--fsize={bytes}:"));
    assert!(Command::new("prlimit").args(["--pid", &id, &limit]).status().unwrap().success());
}

#[cfg(target_os = "linux")]
fn asked(server: &Server, position: &str) -> Value {
    server.get(&format!("/api/solve?position={}", position.replace(' ', "+"))).events().pop().unwrap().1
}

#[cfg(target_os = "linux")]
#[test]
fn results_are_kept_when_the_disk_is_no_longer_full() {
    let store = fresh("serve-full.redb");
    let (mut server, mut said) = serve_with_store(&store);
    let_files_grow_to(&server, "1024");
    let first = asked(&server, LONG);
    let line = said.next().unwrap();
    assert!(line.ends_with("will try again, keeping new results in memory"), "{line}");
    // Meanwhile everything is answered, and this waits too.
    let second = asked(&server, "4x4 d1 a1");
    let_files_grow_to(&server, "unlimited");
    let line = said.next().unwrap();
    assert!(line.ends_with("can be written again; nothing was lost"), "{line}");
    // From then on it is as before.
    let third = asked(&server, "3x5 b2");
    assert_eq!(server.stop(), Some(0));
    assert_eq!(said.next(), None);
    let server = serve_bare(&["--db", &store]);
    for (position, before) in [(LONG, first), ("4x4 d1 a1", second), ("3x5 b2", third)] {
        let now = asked(&server, position);
        assert!(before["nodes"].as_u64() > Some(0), "{before}");
        assert_eq!((&now["nodes"], &now["moves"]), (&json!(0), &before["moves"]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_full_disk_has_no_room_for_is_said_at_the_end_and_the_store_is_in_order() {
    let store = fresh("serve-stays-full.redb");
    let (mut server, mut said) = serve_with_store(&store);
    let done = asked(&server, "4x4 d1 a1");
    assert!(done["nodes"].as_u64() > Some(0), "{done}");
    assert_eq!(server.stop(), Some(0));
    assert_eq!(said.next(), None);
    let (mut server, mut said) = serve_with_store(&store);
    let_files_grow_to(&server, "1024");
    asked(&server, LONG);
    assert!(said.next().unwrap().contains("will try again"));
    assert_eq!(server.stop(), Some(0));
    let line = said.next().unwrap();
    assert!(line.ends_with("positions were not written"), "{line}");
    // What was there before still is.
    assert_eq!(asked(&serve_bare(&["--db", &store]), "4x4 d1 a1")["nodes"], 0);
    let verified = run(&["db", "verify", "--db", &store, "--memory", "16M"], b"");
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}
