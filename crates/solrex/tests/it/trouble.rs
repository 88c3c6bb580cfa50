//! A real NATS server in trouble: without JetStream, with full storage, with a full disk. Everybody says what is wrong, and goes on
//! when it is over.

use crate::common::nats::{Server, User};
use crate::common::parts::{Part, check_answer, status_when};
use crate::common::{ENDLESS, run};

const POSITION: &str = "5x5 a1 e1";

#[test]
fn a_server_without_jetstream_is_named_and_waited_for() {
    let mut jetstream = String::new();
    let mut server = Server::start_with("plain-nats", |_, manual| {
        let (before, block) = manual.split_once("jetstream {").unwrap();
        jetstream = format!("jetstream {{{block}");
        before.to_owned()
    });
    let store = server.folder().join("plain.redb");
    let worker = Part::worker(&server, "w");
    let coordinator = Part::coordinator(&server, POSITION, &store, "100");
    let words = "the server has no JetStream";
    worker.wait_until_it_says(words);
    coordinator.wait_until_it_says(words);
    let status = run(&["cluster", "status", "--nats", &server.url(User::Worker)], b"");
    assert_eq!(status.code, Some(2), "{}", status.err);
    assert!(status.err.contains(words), "{}", status.err);
    server.configure(|plain| plain + &jetstream);
    server.kill_and_restart();
    check_answer(POSITION, coordinator.end());
    assert!(worker.errors().contains("working again"), "{}", worker.errors());
}

/// All solved positions are shared, and the server has little room for them: the older ones go.
#[test]
fn storage_that_is_full_of_solved_positions_is_made_room_in() {
    let server = Server::start_with("full-storage", |_, manual| {
        manual.replace("sync_interval", "max_file_store: 30KB\n  sync_interval")
    });
    let store = server.folder().join("full.redb");
    let args = ["coordinate", "5x5", "a1", "e1", "--store", store.to_str().unwrap(), "--memory", "16M"];
    let args = [&args[..], &["--share", "1", "--deadline", "2s", "--json"]].concat();
    let coordinator = Part::start(&server, User::Coordinator, "coordinator", &args);
    status_when(&server, |status| status["jobs"] != 0);
    for number in 0..100 {
        let subject = format!("$KV.solrex_solved.5x5.older{number}");
        server.publish(User::Coordinator, &subject, &"x".repeat(1000));
    }
    let _worker = Part::worker(&server, "w");
    let end = coordinator.end();
    assert!(end.2.contains("storage is full"), "{}", end.2);
    check_answer(POSITION, end);
}

/// A disk that is full for a moment: the server writes to none of its streams any more until they are made anew.
#[test]
fn a_disk_that_was_full_is_no_reason_to_start_the_server_again() {
    let Some(server) = Server::start_on_small_disk("full-disk", 1024) else {
        eprintln!("not tried: this user may not mount a small disk");
        return;
    };
    let store = server.folder().join("disk.redb");
    let _worker = Part::worker(&server, "w");
    let coordinator = Part::coordinator(&server, ENDLESS, &store, "200");
    status_when(&server, |status| status["answers"] != 0);
    let nothing = server.fill_small_disk();
    coordinator.wait_until_it_says("the server could not write to");
    std::fs::remove_file(nothing).unwrap();
    coordinator.wait_until_it_says("working again");
    let answers = |status: &serde_json::Value| status["answers"].as_u64().unwrap();
    let before = answers(&status_when(&server, |_| true));
    status_when(&server, |status| answers(status) > before);
}
