//! The cluster with a real NATS server: right answers, with parts that die and parts that lie.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::common::nats::{Server, User};
use crate::common::parts::{Part, check_answer, status_when};
use crate::common::{ENDLESS, run, search, wait_until};
use rex_cluster::VERSION;
use rex_store::{Place, Record, Store};
use rex_theory::fill_in::RULES;
use serde_json::Value;

/// Everything that a store knows. The process that had it is gone.
fn solved(store: &Path) -> BTreeMap<[u8; Place::BYTES], (Place, Record)> {
    let mut solved = BTreeMap::new();
    if store.exists() {
        let add = &mut |entry: Option<(Place, Record)>| {
            let (place, record) = entry.expect("no entry is damaged");
            solved.insert(place.bytes(), (place, record));
        };
        Store::open(store).unwrap().each(None, add).unwrap();
    }
    solved
}

#[test]
fn several_workers_find_the_winners_that_one_solver_finds() {
    let server = Server::start("winners");
    let _workers = ["w1", "w2", "w3"].map(|name| Part::worker(&server, name));
    for (position, budget) in [("5x5 a1 e1", "20"), ("5x5 a1 b4", "20"), ("6x6 a1", "500")] {
        let store = server.folder().join("winners.redb");
        check_answer(position, Part::coordinator(&server, position, &store, budget).end());
    }
}

/// In turn and then at random; `SOLREX_KILLS=60 cargo test -p solrex --all-features --test it killed` for longer.
#[test]
fn whatever_is_killed_the_answer_is_right_and_nothing_solved_is_lost() {
    let kills: usize = std::env::var("SOLREX_KILLS").map_or(6, |text| text.parse().expect("a number"));
    let mut server = Server::start("kills");
    let store = server.folder().join("kills.redb");
    let mut workers = ["w1", "w2"].map(|name| Part::worker(&server, name));
    let position = "6x6 f1";
    let mut coordinator = Part::coordinator(&server, position, &store, "30");
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let (mut killed, mut answers) = (0, 0);
    let mut known = BTreeMap::new();
    while killed < kills || answers == 0 {
        if killed >= kills {
            wait_until("the last search ends", || coordinator.has_ended());
        } else {
            // At any moment of it.
            std::thread::sleep(Duration::from_millis(300 + random(700)));
        }
        if coordinator.has_ended() {
            check_answer(position, coordinator.end());
            answers += 1;
            // From the beginning.
            std::fs::remove_file(&store).unwrap();
            known.clear();
            coordinator = Part::coordinator(&server, position, &store, "30");
            continue;
        }
        match if killed < 3 { killed as u64 } else { random(3) } {
            0 => {
                let which = random(2) as usize;
                workers[which].kill();
                workers[which] = Part::worker(&server, ["w1", "w2"][which]);
            }
            1 => {
                coordinator.kill();
                let now = solved(&store);
                for (key, (place, record)) in &known {
                    let (_, later): &(Place, Record) =
                        now.get(key).unwrap_or_else(|| panic!("{place} is lost"));
                    assert_eq!(later.and(record).map(|both| both.known), Some(later.known), "{place}");
                }
                known = now;
                coordinator = Part::coordinator(&server, position, &store, "30");
            }
            _ => server.kill_and_restart(),
        }
        killed += 1;
    }
}

#[test]
fn lies_are_refused_and_the_answer_is_right() {
    let server = Server::start("liars");
    let position = "5x5 a1 e1";
    let store = server.folder().join("liars.redb");
    let coordinator = Part::coordinator(&server, position, &store, "20");
    let root = "b3w_5_5_5_5_b";
    assert_eq!(status_when(&server, |status| status["jobs"] != 0)["position"], "b3w/5/5/5/5 b");
    let answer = |v: u32, id: &str| {
        format!(
            r#"{{"v":{v},"rules":{RULES},"id":"{id}","worker":"liar","nodes":1,"seconds":1.0,"bounds":[0,9007199254740992],"best":null,"children":[],"solved":[]}}"#
        )
    };
    let subject = format!("solrex.answer.{root}");
    server.publish(User::Worker, &subject, "garbage");
    server.publish(User::Worker, &subject, &answer(VERSION - 1, "1-1"));
    server.publish(User::Worker, &subject, &answer(VERSION, "1-1"));
    server.publish(User::Worker, &subject, &answer(VERSION, "1000000-1"));
    server.publish(User::Worker, "solrex.beat", "garbage");
    let status = status_when(&server, |status| status["refused"] == 4);
    assert_eq!((&status["answers"], &status["workers"]), (&Value::from(0), &Value::Array(Vec::new())));
    let _worker = Part::worker(&server, "honest");
    let (code, out, err) = coordinator.end();
    let version = format!("has version {}", VERSION - 1);
    for part in ["cannot be read", &version, "there is no job '1-1'", "'1000000-1'", "refused a heartbeat"] {
        assert!(err.contains(part), "{part} in {err}");
    }
    check_answer(position, (code, out, err));
}

/// A worker that meets a job of another version does not touch it, and says so.
#[test]
fn a_worker_refuses_jobs_of_another_version() {
    let server = Server::start("versions");
    let position = "5x5 a1 e1";
    let store = server.folder().join("versions.redb");
    let coordinator = Part::coordinator(&server, position, &store, "100");
    status_when(&server, |status| status["jobs"] != 0);
    let other = format!(r#"{{"v":{},"rules":{RULES},"id":"1-1"}}"#, VERSION - 1);
    server.publish(User::Coordinator, "solrex.job.x", &other);
    server.publish(User::Coordinator, "solrex.job.x", "garbage");
    let worker = Part::worker(&server, "careful");
    check_answer(position, coordinator.end());
    worker.wait_until_it_says(&format!("has version {}", VERSION - 1));
    worker.wait_until_it_says("cannot be read");
}

#[test]
fn there_can_be_only_one_coordinator() {
    let server = Server::start("two");
    let file = |name: &str| server.folder().join(name);
    let mut first = Part::coordinator(&server, ENDLESS, &file("first.redb"), "100");
    status_when(&server, |status| status["jobs"] != 0);
    // With `--json` it says so on standard output.
    let refused = |store: &str| {
        let (code, out, err) = Part::coordinator(&server, ENDLESS, &file(store), "100").end();
        assert_eq!(code, Some(2), "{out}{err}");
        out
    };
    let searching = refused("second.redb");
    assert!(searching.contains("another coordinator is searching this position"), "{searching}");
    let in_use = refused("first.redb");
    assert!(in_use.contains("in use by another process"), "{in_use}");
    // Another position is another matter, and an heir takes over at once.
    assert!(!first.has_ended());
    let leader = status_when(&server, |_| true)["leader"].clone();
    first.kill();
    let mut heir = Part::coordinator(&server, ENDLESS, &file("first.redb"), "100");
    status_when(&server, |status| status["leader"] != leader && status["jobs"] != 0);
    assert!(!heir.has_ended());
}

#[test]
fn the_local_cluster_answers_as_solve_does() {
    for (position, workers) in [("5x5 a1 b4", "3"), ("4x4", "2"), ("b1/b1 w", "1"), ("6x6 a1", "2")] {
        let words: Vec<&str> = ["cluster", "local"].into_iter().chain(position.split(' ')).collect();
        let flags = ["--workers", workers, "--budget", "100", "--share", "20", "--memory", "64M", "--json"];
        let words = if position.contains('/') { vec!["cluster", "local", position] } else { words };
        let run = run(&[&words[..], &flags].concat(), b"");
        assert_eq!(run.code, Some(0), "{}", run.err);
        let [answer] = &run.lines()[..] else { panic!("{}", run.out) };
        let solve: Vec<&str> = ["solve", "--json"].into_iter().chain(words[2..].iter().copied()).collect();
        let solved = &search(&solve).lines()[0];
        assert_eq!((&answer["winner"], &answer["position"]), (&solved["winner"], &solved["position"]));
        let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(answer), keys(solved));
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let run = run(&["cluster", "status", "--nats", "nats://127.0.0.1:1"], b"");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("no server at 127.0.0.1:1"), "{}", run.err);
}
