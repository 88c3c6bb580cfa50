//! Ctrl-C, SIGTERM and SIGHUP: what is known is said, and what is kept is written.
use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::common::nats::{Server, User};
use crate::common::parts::Part;
use crate::common::{
    BARE, ENDLESS, LONG, Run, SMALL, fresh, htp_setup, ignores_hangups, run, search, send_signal, solrex,
    talk, wait_until_it_listens,
};

/// The signals that ask a program to end. If these tests themselves are to outlive their terminal, so are those they
/// start, and a hangup means nothing.
fn signals() -> Vec<&'static str> {
    let mut signals = vec!["INT", "TERM"];
    if !ignores_hangups(std::process::id()) {
        signals.push("HUP");
    }
    signals
}

/// What people read: who presses Ctrl-C need not know its number.
fn cause(signal: &str) -> String {
    if signal == "INT" { "Ctrl-C".to_owned() } else { format!("SIG{signal}") }
}

/// Starts the program and sends it a signal.
fn signalled(args: &[&str], signal: &str) -> Run {
    let mut child =
        solrex(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until_it_listens(&mut child);
    send_signal(&child, signal);
    child.wait_with_output().unwrap().into()
}

#[test]
fn whatever_asks_a_search_to_end_is_told_what_it_knows() {
    let sgf = fresh("signalled.sgf");
    let sgf = sgf.as_str();
    for signal in signals() {
        let stopped = format!("Stopped by {}.", cause(signal));
        for (args, says) in [
            (&["solve", ENDLESS][..], stopped.as_str()),
            (&["solve", "--json", ENDLESS], r#""stopped":"interrupt""#),
            (&["moves", ENDLESS], " unsolved moves"),
            (&["openings", "8x8"], "? not solved (64 moves)"),
            (&["bench", ENDLESS], "unknown"),
            (&["bench", ENDLESS, "--efficiency"], "(stopped: interrupt)"),
            (&["puzzles", "8x8", "--count", "1000", "--sgf", sgf], ""),
            (&["play", ENDLESS, "--white", "solrex", "--time", "1h"], ""),
            (&["cluster", "local", ENDLESS, "--workers", "2"], stopped.as_str()),
        ] {
            let flags = if args[0] == "cluster" { &["--memory", "16M"][..] } else { &BARE };
            let args = [args, flags].concat();
            let run = signalled(&args, signal);
            assert_eq!(run.code, Some(3), "{signal} {args:?} {} {}", run.out, run.err);
            assert!(run.out.contains(says), "{signal} {args:?} {}", run.out);
            assert_eq!(run.err, "", "{signal} {args:?}");
        }
        // Puzzles that were found are written.
        assert!(Path::new(sgf).exists());
        std::fs::remove_file(sgf).unwrap();
    }
}

/// A child that has answered one line, and waits for the next.
fn waiting(args: &[&str], line: &str, answer: &str) -> Child {
    let (mut child, mut stdin, mut stdout) = talk(args);
    writeln!(stdin, "{line}").unwrap();
    stdin.flush().unwrap();
    let mut said = String::new();
    while !said.contains(answer) {
        assert_ne!(stdout.read_line(&mut said).unwrap(), 0, "{said}");
    }
    // They stay open, so that nothing but the signal can end it.
    child.stdin = Some(stdin);
    child.stdout = Some(stdout.into_inner());
    child
}

/// What was found in the second before the signal is in the store, also when nothing is being searched.
#[test]
fn whoever_waits_for_input_writes_what_is_kept_and_ends() {
    for signal in signals() {
        for (name, args, line, answer) in [
            ("solve", &["solve", "--json", "-"][..], LONG, "winner"),
            ("play", &["play", LONG, "--time", "1h"], "hint", "wins."),
            ("htp", &["htp"], &format!("{}dfpn-solve-state b", htp_setup(LONG)), "black\n"),
        ] {
            let store = fresh(&format!("signalled-{name}.redb"));
            let mut child = waiting(&[args, &["--db", &store], &BARE[..]].concat(), line, answer);
            send_signal(&child, signal);
            let mut rest = String::new();
            child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(3), "{signal} {name} {rest}");
            let stats = run(&["db", "stats", "--json", "--db", &store], b"").lines().pop().unwrap();
            assert!(stats["entries"].as_u64() > Some(0), "{signal} {name} {stats}");
        }
    }
}

#[test]
fn the_checkpoint_and_the_store_of_a_signalled_search_are_written() {
    for signal in signals() {
        let (table, store) = (fresh("signalled.table"), fresh("signalled.redb"));
        let (mut child, mut stdin, mut stdout) =
            talk(&[&["solve", "-", "--json", "--db", &store], &BARE[..]].concat());
        writeln!(stdin, "{LONG}\n{ENDLESS}").unwrap();
        // One is solved, and the other is being searched.
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        send_signal(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(3), "{signal}");
        drop(stdin);
        let stats = run(&["db", "stats", "--json", "--db", &store], b"").lines().pop().unwrap();
        assert!(stats["entries"].as_u64() > Some(0), "{signal} {stats}");
        // A checkpoint is for one board, so the one that is solved has the same.
        let soon = "8/8/2b2w2/3bw3/3wb3/2w2b2/1b4w1/w6b b";
        let args = ["solve", "-", "--json", "--verdict-only", "--checkpoint", &table];
        let (mut child, mut stdin, mut stdout) = talk(&[&args, &SMALL[..]].concat());
        writeln!(stdin, "{soon}\n{ENDLESS}").unwrap();
        stdout.read_line(&mut line).unwrap();
        send_signal(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(3), "{signal}");
        drop(stdin);
        assert!(!Path::new(&format!("{table}.new")).exists());
        let again = ["solve", soon, "--json", "--verdict-only", "--nodes", "0"];
        assert!(search(&again).lines()[0]["winner"].is_null(), "it takes a node without a checkpoint");
        let first = &search(&[&again[..], &["--checkpoint", &table]].concat()).lines()[0];
        assert!(first["winner"].is_string() && first["nodes"] == 0, "{signal} {first}");
    }
}

#[test]
fn a_proof_that_is_stopped_leaves_the_old_file_alone() {
    let path = fresh("signalled.cert");
    std::fs::write(&path, "an older proof").unwrap();
    for signal in signals() {
        let run = signalled(&[&["prove", ENDLESS, "-o", &path], &BARE[..]].concat(), signal);
        assert_eq!(run.code, Some(3), "{signal} {}", run.err);
        assert!(run.out.contains("Stopped by"), "{}", run.out);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "an older proof");
        assert!(!Path::new(&format!("{path}.new")).exists());
    }
}

/// `nohup` lets a program outlive its terminal.
#[test]
fn a_hangup_that_is_ignored_stays_so() {
    let program = env!("CARGO_BIN_EXE_solrex");
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", program, "solve", ENDLESS, "--no-db"])
        .args(&*BARE);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    wait_until_it_listens(&mut child);
    send_signal(&child, "HUP");
    send_signal(&child, "TERM");
    let run: Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.code, Some(3));
    assert!(run.out.contains("Stopped by SIGTERM."), "{}", run.out);
}

/// When the terminal is gone nothing can be said any more; what is kept is written all the same.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_nobody_can_read_is_still_kept() {
    for args in [&["solve", "6x6 f1 a1"][..], &["moves", "5x5 a1 d1"], &["openings", "4x5", "--json"]] {
        let (table, store) = (fresh("unread.table"), fresh("unread.redb"));
        let flags = ["--checkpoint", &table, "--db", &store];
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = solrex(&[args, &flags, &SMALL].concat());
        let output = command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(Path::new(&table).exists(), "{args:?}");
    }
}

/// The job of a worker that is asked to end goes to another one, long before its deadline.
#[test]
fn a_worker_gives_its_job_back() {
    let server = Server::start("signals");
    let store = server.folder().join("given-back.redb");
    let words: Vec<&str> = ["coordinate"].into_iter().chain(ENDLESS.split(' ')).collect();
    let plan =
        ["--store", store.to_str().unwrap(), "--deadline", "1h", "--budget", "100M", "--memory", "16M"];
    let coordinator = Part::start(&server, User::Coordinator, "coordinator", &[&words[..], &plan].concat());
    let first = Part::worker(&server, "first");
    first.wait_until_it_says("] job ");
    first.signal("TERM");
    let (code, _, said) = first.end();
    assert_eq!(code, Some(3));
    let (_, job) = said.rsplit_once("] job ").unwrap();
    let second = Part::worker(&server, "second");
    second.wait_until_it_says(&job[..job.find(':').unwrap()]);
    second.signal("TERM");
    assert_eq!(second.end().0, Some(3));
    coordinator.signal("INT");
    assert_eq!(coordinator.end().0, Some(3));
}
