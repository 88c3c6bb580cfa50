//! `cluster coordinate --prove` with a real NATS server: whatever workers say, the certificate is right.

use std::path::Path;
use std::time::Duration;

use crate::common::nats::{Server, User};
use crate::common::parts::{Part, status_when, winner};
use crate::common::{ENDLESS, run};
use rex_cluster::bus::WorkerBus;
use rex_cluster::nats::{Nats, NatsOptions};
use rex_cluster::{Answer, Beat, Job, Message};
use rex_game::State;
use rex_search::{Part as Side, Settings, Solver};
use rex_store::solved_nodes;
use serde_json::Value;

/// A worker that names the wrong winner of the jobs that `lies` chooses by position and, if it asks, true winner, and answers the
/// others honestly but with little work. It says that there are three of it, so that there are jobs below the position,
/// and goes home after so many lies, or when the search is over. Returns the positions it lied about.
fn lie(
    server: &Server,
    state: &State,
    most: usize,
    lies: impl Fn(&State, &dyn Fn() -> Side) -> bool,
) -> Vec<State> {
    let mut bus = connect(server);
    let solver = Solver::new(state.board(), Settings { memory: 1 << 24, ..Settings::default() }).unwrap();
    let mut told = Vec::new();
    while told.len() < most && is_led(server) {
        for name in ["liar", "friend", "sister"] {
            bus.beat(&Beat::new(name, 1, None, 0), None);
        }
        let Ok(Some((bytes, receipt))) = bus.receive_job(Duration::from_millis(500)) else { continue };
        let job = Job::read(&bytes).unwrap();
        let at = job.node.node.field(job.node.board).to_state();
        let truth = || solver.at(&job.node.node).explore().unwrap();
        let answer = if lies(&at, &|| truth().bounds.winner().unwrap()) {
            told.push(at);
            let truth = Answer::of(&job, "liar", &truth());
            let [last, notlast] = truth.bounds;
            Answer { bounds: [notlast, last], best: None, children: Vec::new(), ..truth }
        } else {
            // A solver that knows the answer would give it.
            let idle =
                Solver::new(state.board(), Settings { memory: 1 << 20, ..Settings::default() }).unwrap();
            Answer::of(&job, "liar", &idle.at(&job.node.node).budget(5).explore().unwrap())
        };
        bus.answer(&job, &answer, &receipt).unwrap();
    }
    bus.leave();
    told
}

fn connect(server: &Server) -> impl WorkerBus {
    Nats::connect(&NatsOptions::new(&server.url(User::Worker))).unwrap().worker()
}

/// Whether there is a coordinator.
fn is_led(server: &Server) -> bool {
    run(&["cluster", "status", "--nats", &server.url(User::Worker)], b"").code == Some(0)
}

/// Checks a proved answer: the winner and the certificate of it are right. Returns what is said of the proof.
fn check_proved(position: &str, file: &Path, (code, out, err): (Option<i32>, String, String)) -> Value {
    assert_eq!(code, Some(0), "{err}");
    let answer: Value = serde_json::from_str(out.lines().last().expect("an answer")).expect("JSON");
    assert_eq!(answer["winner"], winner(position), "{position}");
    let best = answer["best"].as_str().expect("a move");
    assert_eq!(answer["winner"], winner(&format!("{position} {best}")), "{position} {best}");
    let proof = &answer["proof"];
    let checked = run(&["check", "--json", file.to_str().unwrap()], b"");
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
    let checked = &checked.lines()[0];
    for key in ["position", "winner", "claims", "bytes", "file_bytes", "rules", "file"] {
        assert_eq!(proof[key], checked[key], "{key}");
    }
    assert_eq!((&checked["winner"], &checked["position"]), (&answer["winner"], &answer["position"]));
    assert!(
        proof["nodes"].is_u64() && proof["unconfirmed"].is_u64() && proof["prove_seconds"].is_f64(),
        "{proof}"
    );
    proof.clone()
}

#[test]
fn honest_workers_lead_to_a_certificate_also_from_the_store_alone() {
    let server = Server::start("proved");
    for position in ["6x6 a1", "5x5 a1 e1"] {
        let store = server.folder().join("proved.redb");
        let file = server.folder().join("proved.cert.zst");
        let flags = ["--budget", "300", "--prove", file.to_str().unwrap()];
        let workers = ["w1", "w2"].map(|name| Part::worker(&server, name));
        let end = Part::coordinator_with(&server, position, &store, &flags).end();
        drop(workers);
        let proof = check_proved(position, &file, end);
        assert_eq!((&proof["false"], &proof["unconfirmed"]), (&Value::Array(Vec::new()), &Value::from(0)));
        assert_eq!((&proof["workers_said"], &proof["rules"]), (&winner(position), &Value::from("full")));
        // Nobody works any more. The store knows enough.
        let again = server.folder().join("again.cert");
        let explicit = position == "5x5 a1 e1";
        let flags = ["--prove", again.to_str().unwrap(), "--explicit"];
        let flags = if explicit { &flags[..] } else { &flags[..2] };
        let end = Part::coordinator_with(&server, position, &store, flags).end();
        let proof = check_proved(position, &again, end);
        assert_eq!(proof["rules"], if explicit { "explicit" } else { "full" });
        assert_eq!(proof["false"], Value::Array(Vec::new()));
    }
}

/// The first job is the position itself. Its answer ends the search.
#[test]
fn a_false_answer_becomes_a_true_certificate_that_says_what_was_false() {
    for (position, name) in [("6x6 a1", "lost"), ("6x6 a1 b1", "won")] {
        let server = Server::start(&format!("false-{name}"));
        let (store, file) = (server.folder().join("false.redb"), server.folder().join("false.cert"));
        let coordinator =
            Part::coordinator_with(&server, position, &store, &["--prove", file.to_str().unwrap()]);
        status_when(&server, |status| status["jobs"] != 0);
        let state: State = position.parse().unwrap();
        let told = lie(&server, &state, 1, |_, _| true);
        assert_eq!(told.len(), 1);
        let (code, out, err) = coordinator.end();
        let proof = check_proved(position, &file, (code, out, err.clone()));
        assert_ne!(proof["workers_said"], proof["winner"]);
        let wrong = &proof["false"][0];
        assert_eq!(
            (wrong["reporter"].as_str(), wrong["position"].as_str()),
            (Some("liar"), Some(&*told[0].to_string()))
        );
        // In the form of the store the colours may be swapped.
        let said: &str = wrong["said"].as_str().unwrap();
        assert_ne!(winner(&told[0].to_string()), said);
        assert!(err.contains("it is false that") && err.contains("liar reported it"), "{err}");
        // The server tells workers the truth, and the store knows it, too.
        let mut bus = connect(&server);
        let heard = std::iter::repeat_with(|| bus.hear(state.board()).solved)
            .inspect(|heard| std::thread::sleep(Duration::from_millis(if heard.is_empty() { 50 } else { 0 })))
            .take(200)
            .flatten()
            .find_map(|(place, record)| {
                let at = solved_nodes(&place, &record)
                    .find(|solved| solved.node.field(place.board).to_state() == told[0])?;
                Some(at.winner.player(at.node.last).to_string())
            });
        assert_eq!(heard.map(Value::from), Some(winner(&told[0].to_string())));
        let (code, out, err) =
            Part::coordinator_with(&server, position, &store, &["--prove", file.to_str().unwrap()]).end();
        let proof = check_proved(position, &file, (code, out, err));
        assert_eq!((&proof["workers_said"], &proof["false"]), (&proof["winner"], &Value::Array(Vec::new())));
    }
}

/// Lies about positions two moves on, in favour of who wins anyway: the search goes on, honest workers learn them, and draw
/// conclusions from them.
#[test]
fn lies_that_honest_workers_believe_change_no_certificate() {
    let position = "6x6 e2 a1 f6";
    let server = Server::start("believed");
    let (store, file) = (server.folder().join("believed.redb"), server.folder().join("believed.cert.zst"));
    let flags = ["--budget", "50", "--prove", file.to_str().unwrap()];
    let coordinator = Part::coordinator_with(&server, position, &store, &flags);
    status_when(&server, |status| status["jobs"] != 0);
    let state: State = position.parse().unwrap();
    let right: rex_game::Player = winner(position).as_str().unwrap().parse().unwrap();
    let right = Side::of(right, state.last());
    let deep = |at: &State, truth: &dyn Fn() -> Side| {
        at.moves().len() + 2 <= state.moves().len() && truth() != right
    };
    let told = lie(&server, &state, 2, deep);
    assert!(!told.is_empty());
    let _workers = ["w1", "w2"].map(|name| Part::worker(&server, name));
    let proof = check_proved(position, &file, coordinator.end());
    for wrong in proof["false"].as_array().unwrap() {
        // Who was deceived may have reported it, too.
        let (at, said) = (wrong["position"].as_str().unwrap(), &wrong["said"]);
        assert_ne!(winner(at), *said, "{at}");
        if told.iter().any(|told| told.to_string() == at) {
            assert_eq!(wrong["reporter"], "liar", "{at}");
        }
    }
}

#[test]
fn a_proof_that_is_stopped_says_so_and_writes_nothing() {
    let server = Server::start("stopped");
    let (store, file) = (server.folder().join("stopped.redb"), server.folder().join("stopped.cert"));
    let position = ENDLESS;
    let coordinator = Part::coordinator_with(&server, position, &store, &["--prove", file.to_str().unwrap()]);
    status_when(&server, |status| status["jobs"] != 0);
    // Whoever it is, to prove that takes longer than this test.
    let mut bus = connect(&server);
    let (bytes, receipt) = loop {
        if let Ok(Some(job)) = bus.receive_job(Duration::from_millis(500)) {
            break job;
        }
    };
    let job = Job::read(&bytes).unwrap();
    let answer = Answer { bounds: [0, rex_search::INFINITE], ..Answer::to(&job, "hasty") };
    bus.answer(&job, &answer, &receipt).unwrap();
    bus.leave();
    coordinator.wait_until_it_says("job 1-");
    coordinator.wait_until_it_says("for the proof");
    coordinator.signal("INT");
    let (code, out, err) = coordinator.end();
    assert_eq!(code, Some(3), "{err}");
    let answer: Value = serde_json::from_str(out.trim()).unwrap();
    assert_eq!((&answer["stopped"], answer["winner"].is_string()), (&Value::from("interrupt"), true));
    assert!(!file.exists());
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_anything_else() {
    let start = ["cluster", "coordinate", "5x5", "a1", "--nats", "nats://127.0.0.1:1"];
    for (flags, says) in [
        (&["--prove", "/nowhere/at/all.cert"][..], "cannot write '/nowhere/at/all.cert'"),
        (&["--prove", "-"], "bad --prove: '-'; expected the name of a file"),
        (&["--explicit"], "--prove <FILE>"),
    ] {
        let run = run(&[&start[..], flags].concat(), b"");
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains(says), "{}", run.err);
    }
}
