//! The API of `solrex serve`, asked as a browser asks it and as it should not be asked.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::server::{Server, read_all, serve, serve_bare};
use crate::common::{ENDLESS, LONG, fresh, run, search, solrex};

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let server = serve(&[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.body.starts_with("<!doctype html>"));
    for part in
        ["content-security-policy: default-src 'none'", "x-content-type-options: nosniff", "no-referrer"]
    {
        assert!(page.head.contains(part), "{part}: {}", page.head);
    }
    for (path, kind) in
        [("/main.js", "text/javascript"), ("/style.css", "text/css"), ("/icon.svg", "image/svg+xml")]
    {
        let file = server.get(path);
        assert!(file.status == 200 && file.head.contains(kind), "{path}");
    }
    // By this the page knows that there is a server.
    let about = server.get("/engine.json").json();
    assert_eq!(
        (&about["v"], &about["engine"], &about["store"]),
        (&json!(1), &json!("server"), &json!(false))
    );
    assert!(about["threads"].as_u64() > Some(0) && about["memory"].as_u64() > Some(0), "{about}");
    // It is on everything, also on what is refused.
    for path in [
        "/main.js",
        "/style.css",
        "/icon.svg",
        "/api/puzzles",
        "/api/solve?position=2x2",
        "/api/solve",
        "/nothing",
    ] {
        let head = server.get(path).head;
        assert!(
            head.contains("content-security-policy: default-src 'none'") && head.contains("nosniff"),
            "{path}: {head}"
        );
    }
    for path in ["/nothing", "/../Cargo.toml", "/api/nothing", "/puzzles.jsonl", "/%2e%2e/Cargo.toml"] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.json()["v"].as_u64()), (404, Some(1)), "{path}");
    }
}

#[test]
fn every_move_is_told_once_and_all_at_the_end() {
    let server = serve(&[]);
    let events = server.get("/api/solve?position=4x4%20d1&replies=true").events();
    let moves: Vec<&Value> = events.iter().filter(|(name, _)| name == "move").map(|(_, data)| data).collect();
    assert_eq!(moves.len(), 15);
    assert!(moves.iter().all(|data| data["value"] == "loss"), "White is lost after d1");
    let done = &events.iter().find(|(name, _)| name == "done").unwrap().1;
    assert_eq!((done["winner"].as_str(), done["moves"].as_object().unwrap().len()), (Some("black"), 15));
    let (last, replies) = events.last().unwrap();
    assert_eq!(
        (last.as_str(), replies["best"].as_str(), replies["replies"]["a1"].as_u64()),
        ("replies", Some("a1"), Some(2))
    );
}

#[test]
fn the_stream_agrees_with_the_command() {
    let server = serve(&[]);
    for (query, position) in [
        ("4x4+c2", "4x4 c2"),
        ("1b1w/3w/w2b/2b1+b", "1b1w/3w/w2b/2b1 b"),
        ("3x5", "3x5"),
        ("b1/b1+w", "b1/b1 w"),
    ] {
        let events = server.get(&format!("/api/solve?position={query}")).events();
        let (_, done) = events.last().unwrap();
        let said = &search(&["moves", "--json", position]).lines()[0];
        assert_eq!((&done["winner"], &done["moves"]), (&said["winner"], &said["moves"]), "{position}");
        for (_, told) in events.iter().filter(|(name, _)| name == "move") {
            assert_eq!(told["value"], said["moves"][told["cell"].as_str().unwrap()], "{position}");
        }
    }
}

#[test]
fn a_limit_ends_a_search_and_says_so() {
    let endless = format!("/api/solve?position={}", ENDLESS.replace(' ', "+"));
    let (_, done) = serve_bare(&["--nodes", "200"]).get(&endless).events().pop().unwrap();
    assert_eq!(done["stopped"], "nodes");
    assert!(done["moves"].as_object().unwrap().values().any(|value| value == "unknown"), "{done}");
    let (_, done) = serve_bare(&[]).get(&(endless + "&seconds=0")).events().pop().unwrap();
    assert_eq!(done["stopped"], "time");
}

#[test]
fn what_is_no_question_gets_no_answer() {
    let server = serve(&[]);
    for path in [
        "/api/solve",
        "/api/solve?position=",
        "/api/solve?position=9x9",
        "/api/solve?position=4x4+a1+a1",
        "/api/solve?position=4/4/4/5+b",
        "/api/solve?position=@/etc/passwd",
        "/api/solve?position=-",
        "/api/solve?position=4x4&replies=maybe",
        "/api/solve?position=4x4&seconds=-1",
        "/api/solve?position=4x4&seconds=NaN",
        "/api/explain",
        "/api/explain?position=%ff",
        "/api/explain?position=4x4+z9",
        "/api/solve?position=%00",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        assert!(!answer.json()["error"].as_str().unwrap().is_empty(), "{path}");
    }
    for (path, body) in [
        ("/api/import", ""),
        ("/api/import", "{"),
        ("/api/import", "[]"),
        ("/api/import", "{\"text\":7}"),
        ("/api/import", "{\"text\":\"\"}"),
        ("/api/import", "{\"text\":\"(;GM[1]SZ[4])\"}"),
        ("/api/import", "{\"text\":\"@/etc/passwd\"}"),
        ("/api/import", "{\"text\":\"https://evil.example/#4\"}"),
        ("/api/import", "{\"text\":\"(((((((\"}"),
        ("/api/export", "{\"position\":\"4x4\",\"moves\":\"e9\"}"),
        ("/api/export", "{\"position\":\"4x4\",\"at\":-1}"),
        ("/api/export", "{\"position\":\"4x4\",\"at\":9}"),
        ("/api/move", "{\"position\":\"4x4\"}"),
        ("/api/move", "{\"position\":\"4x4\",\"level\":\"godlike\"}"),
        ("/api/move", "{\"position\":\"nothing\",\"level\":\"novice\"}"),
    ] {
        let answer = server.post(path, body);
        assert!((400..=422).contains(&answer.status), "{path} {body}: {}", answer.status);
        assert!(!answer.json()["error"].as_str().unwrap().is_empty(), "{path} {body}");
    }
    for line in [
        "POST /api/solve",
        "GET /api/move",
        "PUT /api/nothing",
        "DELETE /",
        "OPTIONS /api/move",
        "TRACE /main.js",
    ] {
        let answer = server.raw(&server.head(line, "Content-Length: 0\r\n"));
        assert_eq!((answer.status, answer.json()["v"].as_u64()), (405, Some(1)), "{line}: {}", answer.body);
    }
}

#[test]
fn requests_from_elsewhere_are_refused() {
    let server = serve(&["--host", "rex.example"]);
    let address = &server.address;
    let asked = |host: &str, more: &str| {
        server
            .raw(&format!("GET /api/puzzles HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"))
            .status
    };
    assert_eq!(asked(address, ""), 200);
    assert_eq!(asked("rex.example", ""), 200);
    assert_eq!(asked(address, &format!("Origin: http://{address}\r\n")), 200);
    for host in ["evil.example", "127.0.0.1", "localhost", "127.0.0.1.evil.example"] {
        assert_eq!(asked(host, ""), 403, "{host}");
    }
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "file://"] {
        assert_eq!(asked(address, &format!("Origin: {origin}\r\n")), 403, "{origin}");
    }
    // A page on another port of this machine is of the same site, and sends no Origin with a picture's address.
    for (site, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)] {
        assert_eq!(asked(address, &format!("Sec-Fetch-Site: {site}\r\n")), status, "{site}");
    }
    // A link from elsewhere leads to the page.
    assert_eq!(server.raw(&server.head("GET /", "Sec-Fetch-Site: cross-site\r\n")).status, 200);
}

#[test]
fn requests_that_are_too_large_are_refused() {
    let server = serve(&[]);
    let body = format!("{{\"text\":\"{}\"}}", "a".repeat(100_000));
    assert_eq!(server.post("/api/import", &body).status, 413);
    assert_eq!(server.get(&format!("/api/solve?position={}", "b".repeat(20_000))).status, 414);
    let more = format!("X-Large: {}\r\n", "a".repeat(20_000));
    assert_eq!(server.raw(&server.head("GET /", &more)).status, 431);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn certificates_are_checked_read_and_played_against() {
    let server = serve(&[]);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proofs/7x7/d3.cert");
    let text = std::fs::read_to_string(file).expect("a published certificate");
    let check = |text: &str| {
        let events = server.post("/api/check", text).events();
        let (name, answer) = events.last().expect("an event").clone();
        assert_eq!(name, "answer");
        answer
    };
    let answer = check(&text);
    assert_eq!(
        (&answer["winner"], &answer["claims"], &answer["root"]),
        (&json!("white"), &json!(1), &json!(1))
    );
    let certificate = &answer["certificate"];
    let ask = |path: &str, more: Value| {
        let mut body = json!({ "certificate": certificate });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post(path, &body.to_string())
    };
    let claim = ask("/api/claim", json!({})).json();
    assert_eq!((&claim["rule"], &claim["key"]), (&json!("pairs"), &json!("c5")));
    assert_eq!(claim["pairs"].as_array().map(Vec::len), Some(9));
    // White is to move: the key, if it is hers to give, or anything. Then a pair is answered by its mate.
    let place = |reply: &Value| json!({ "claim": reply["claim"], "view": reply["view"], "position": reply["position"] });
    let first = ask("/api/reply", place(&claim)).json();
    let mut next = place(&first);
    next["move"] = json!("c1");
    assert_eq!(ask("/api/reply", next).json()["move"], "d1");

    let damaged = check(&text.replace("c1-d1", "c1-e2"));
    assert!(damaged["error"].is_string() && damaged["certificate"].is_null(), "{damaged}");
    assert!(check("nonsense\n")["error"].is_string());
    for (path, body, status) in [
        ("/api/claim", json!({ "certificate": "00", "claim": 1 }), 400),
        ("/api/claim", json!({ "certificate": certificate, "claim": 9 }), 400),
        ("/api/claim", json!({}), 422),
        (
            "/api/reply",
            json!({ "certificate": certificate, "claim": 1, "view": "identity", "position": "2x2" }),
            400,
        ),
    ] {
        let answer = server.post(path, &body.to_string());
        assert_eq!(answer.status, status, "{path} {body}: {}", answer.body);
        assert!(answer.json()["error"].is_string());
    }
    let large = server.post("/api/check", &"a".repeat(9 << 20));
    assert_eq!(large.status, 413);
    assert_eq!(server.get("/api/check").status, 405);
    assert_eq!(check(&text)["claims"], 1);
}

#[test]
fn certificates_are_made_kept_and_handed_out() {
    let server = serve(&[]);
    let prove = |body: Value| {
        let events = server.post("/api/prove", &body.to_string()).events();
        let file = events.iter().find(|(name, _)| name == "file").map(|(_, data)| data["hex"].clone());
        let (name, answer) = events.last().expect("an event").clone();
        assert_eq!(name, "answer", "{answer}");
        (file, answer)
    };
    let (file, answer) = prove(json!({ "position": "4x4 d1", "explicit": true }));
    let file = file.and_then(|hex| hex.as_str().map(str::to_owned)).expect("a file");
    let digits = file.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    let bytes: Vec<u8> = digits.map(|pair| u8::from_str_radix(pair, 16).expect("a byte")).collect();
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.starts_with("rex-certificate 1\nboard 4x4\nrules explicit\n"), "{text}");
    assert_eq!((&answer["winner"], &answer["rules"]), (&json!("black"), &json!("explicit")));
    assert!(answer["solve_seconds"].is_number() && answer["prove_seconds"].is_number(), "{answer}");
    // It is kept, and it is the same for whoever checks the file.
    let claim = json!({ "certificate": answer["certificate"] }).to_string();
    assert_eq!(server.post("/api/claim", &claim).json()["position"], "3b/4/4/4 w");
    let checked = server.post("/api/check", &text).events().last().expect("an event").1.clone();
    assert_eq!(checked["certificate"], answer["certificate"]);
    // A limit ends it.
    let (file, stopped) = prove(json!({ "position": ENDLESS, "seconds": 0.2 }));
    assert_eq!((file, &stopped["winner"], &stopped["stopped"]), (None, &Value::Null, &json!("time")));
    for (body, status) in
        [("{}", 422), ("{\"position\":\"9x9\"}", 400), ("{\"position\":\"4x4\",\"seconds\":-1}", 400)]
    {
        assert_eq!(server.post("/api/prove", body).status, status, "{body}");
    }
}

#[test]
fn games_come_in_and_go_out() {
    let server = serve(&[]);
    let sgf = json!({ "text": "(;GM[11]SZ[4];B[d1](;W[a1])(;W[c1];B[a1]))" }).to_string();
    let game = server.post("/api/import", &sgf).json();
    assert_eq!(game, json!({ "position": "4/4/4/4 b", "moves": "d1(a1)(c1a1)", "at": 2 }));
    let texts = server.post("/api/export", &game.to_string()).json();
    assert_eq!(texts["hexworld"], "https://hexworld.org/board/#4c1,d1a1");
    let picture = texts["svg"].as_str().unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("Black to move"), "{picture}");
    let drawn = json!({ "text": texts["diagram"] }).to_string();
    assert_eq!(server.post("/api/import", &drawn).json()["position"], "w2b/4/4/4 b");
}

const LEVELS: [&str; 5] = ["novice", "casual", "skilled", "expert", "perfect"];

#[test]
fn the_program_plays_and_knows_when_it_is_over() {
    let server = serve(&[]);
    let asked = |position: &str, level: &str| {
        server
            .post("/api/move", &json!({ "position": position, "level": level, "seed": 5 }).to_string())
            .json()
    };
    let answer = asked("4x4 d1 a1", "perfect");
    assert!(["a2", "c1"].contains(&answer["move"].as_str().unwrap()) && answer["winner"] == "black");
    for level in LEVELS {
        let (once, again) = (asked("4x4 d1", level), asked("4x4 d1", level));
        assert!(once["move"].is_string() && once["move"] == again["move"], "{level}");
        assert!(asked("b1/b1 w", level)["move"].is_null(), "{level}");
    }
    let refused = asked("4x4", "easy")["error"].to_string();
    assert!(LEVELS.iter().all(|level| refused.contains(level)), "{refused}");
}

#[test]
fn the_puzzles_are_those_of_the_page() {
    let answer = serve(&[]).get("/api/puzzles").json();
    let lines: Vec<Value> = include_str!("../../../../web/puzzles.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((&answer["v"], answer["puzzles"].as_array()), (&json!(1), Some(&lines)));
}

#[test]
fn fifty_clients_at_once_are_all_answered() {
    let server = serve(&["--searches", "2"]);
    std::thread::scope(|scope| {
        let ask = |i: usize| {
            let size = ["4x4+d1", "3x4", "4x4+c2+a1", "3x3"][i % 4];
            server.get(&format!("/api/solve?position={size}")).events().pop().unwrap()
        };
        let clients: Vec<_> = (0..50).map(|i| scope.spawn(move || ask(i))).collect();
        for client in clients {
            let (name, done) = client.join().unwrap();
            assert_eq!(name, "done");
            assert!(done["winner"].is_string() && done["stopped"].is_null());
        }
    });
}

#[test]
fn a_search_ends_when_its_client_leaves() {
    let server = serve_bare(&["--searches", "1", "--time", "1h"]);
    // One that would take for ever has the only place; another one waits behind it.
    let mut hard = server.solve(ENDLESS);
    hard.until(|name, _| name == "start");
    drop(hard);
    let events = server.get("/api/solve?position=4x4+d1+a1").events();
    assert_eq!(events.last().unwrap().0, "done");
}

/// What needs no search does not wait for one.
#[test]
fn a_position_is_explained_while_a_search_has_the_only_place() {
    let server = serve_bare(&["--searches", "1", "--time", "1h"]);
    let mut hard = server.solve(ENDLESS);
    let before = hard.until(|name, _| name == "progress");
    assert_eq!(server.get("/api/explain?position=8x8+c3").status, 200);
    // The search has been going on all the time.
    hard.until(|name, data| name == "progress" && data["nodes"].as_u64() > before["nodes"].as_u64());
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_it_while_it_searches() {
    let mut server = serve_bare(&["--time", "1h"]);
    let mut hard = server.solve(ENDLESS);
    hard.until(|name, _| name == "progress");
    assert_eq!(server.stop(), Some(0));
}

/// What was asked is answered without a search by the next server, with its best move and the counted answers.
#[cfg(unix)]
#[test]
fn nothing_that_was_asked_is_lost_when_it_stops() {
    let store = fresh("serve.redb");
    let flags = ["--db", &store];
    let paths = ["4x4 d1 a1", "4x4 c2 b3", "3x5 b2", "3x4", LONG]
        .map(|position| format!("/api/solve?replies=true&position={}", position.replace(' ', "+")));
    // Everything with the counted replies, and the nodes until all moves were solved: grading may search again.
    let asked = |server: &Server| {
        paths.each_ref().map(|path| {
            let mut events = server.get(path).events();
            let done = events.iter().find(|(name, _)| name == "done").unwrap().1["nodes"].clone();
            let mut last = events.pop().unwrap().1;
            last["nodes"] = done;
            last
        })
    };
    let mut server = serve_bare(&flags);
    let first = asked(&server);
    assert_eq!(server.stop(), Some(0));
    let mut server = serve_bare(&flags);
    for (before, now) in first.iter().zip(asked(&server)) {
        assert!(before["nodes"].as_u64() > Some(0), "{before}");
        assert_eq!(now["nodes"], 0, "{before}\n{now}");
        for name in ["position", "winner", "best", "moves", "replies"] {
            assert_eq!(before[name], now[name], "{name} of {before}");
        }
        // From there on it may go another way: the store has what took work, and not every move that wins.
        assert_eq!(before["pv"][0], now["pv"][0], "{before}");
        // Several answers may win.
        let refuted = |answer: &Value| answer["refutations"].as_object().unwrap().len();
        assert_eq!(refuted(before), refuted(&now), "{before}");
    }
    assert_eq!(server.stop(), Some(0));
    let verified = run(&["db", "verify", "--db", &store, "--memory", "16M"], b"");
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
}

/// Even what was found in the second before Ctrl-C, in the middle of a search, is in the store.
#[cfg(unix)]
#[test]
fn a_search_that_was_stopped_leaves_what_it_found() {
    let store = fresh("serve-stopped.redb");
    let mut server = serve_bare(&["--db", &store, "--time", "1h"]);
    let (mut hard, mut long) = (server.solve(ENDLESS), server.solve(LONG));
    hard.until(|name, _| name == "progress");
    long.until(|name, _| name == "move");
    assert_eq!(server.stop(), Some(0));
    let stats = run(&["db", "stats", "--json", "--db", &store], b"").lines().pop().unwrap();
    assert!(stats["entries"].as_u64() > Some(0), "{stats}");
    assert_eq!(stats["damaged"], 0);
}

#[cfg(unix)]
#[test]
fn a_second_server_goes_on_without_the_store() {
    let store = fresh("serve-shared.redb");
    let first = serve(&["--db", &store]);
    let args = ["serve", "--port", "0", "--json", "--memory", "64M", "--threads", "1", "--db", &store];
    let mut child = solrex(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let second = Server::of(child);
    assert!(line.ends_with("is in use by another process; continuing without it\n"), "{line}");
    for server in [&first, &second] {
        let (name, done) = server.get("/api/solve?position=4x4+d1").events().pop().unwrap();
        assert_eq!((name.as_str(), &done["winner"]), ("done", &json!("black")));
    }
}

/// Whoever sends a request a little at a time, or nothing at all, is not waited for.
#[test]
fn those_who_never_finish_are_sent_away() {
    let server = serve(&[]);
    let head = server.head("POST /api/import", "Content-Type: application/json\r\nContent-Length: 9\r\n");
    let starts = ["", "G", "GET / HTTP/1.1\r\nHost: ", &head[..head.len() - 2], &(head.clone() + "{")];
    let slow: Vec<TcpStream> = starts.iter().cycle().take(50).map(|start| server.send(start)).collect();
    // The others are answered in the meantime.
    assert_eq!(server.get("/api/puzzles").status, 200);
    for mut stream in slow {
        let said = String::from_utf8(read_all(&mut stream)).unwrap();
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 408"), "{said}");
    }
}

#[test]
fn it_listens_to_this_machine_unless_told_otherwise() {
    let refused = run(&["serve", "--listen", "0.0.0.0", "--port", "0"], b"");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--remote"), "{}", refused.err);
    let server = serve(&[]);
    let port = server.address.rsplit_once(':').unwrap().1;
    let taken = run(&["serve", "--port", port], b"");
    assert_eq!(taken.code, Some(2));
    assert!(taken.err.contains("cannot listen"), "{}", taken.err);
}
