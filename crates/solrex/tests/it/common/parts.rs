//! Parts of a cluster, as programs of their own.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::common::nats::{Server, User};
use crate::common::{run, solrex, wait_until};

/// A part of the cluster that ends with the test.
pub struct Part {
    child: Child,
    out: PathBuf,
    err: PathBuf,
}

impl Part {
    pub fn start(server: &Server, user: User, name: &str, args: &[&str]) -> Part {
        let file = |ending: &str| server.folder().join(format!("{name}.{ending}"));
        let (out, err) = (file("out"), file("err"));
        let append = |path: &Path| std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        let child = solrex(&["cluster"])
            .args(args)
            .args(["--nats", &server.url(user), "-v"])
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out).unwrap())
            .stderr(append(&err))
            .spawn()
            .expect("the program starts");
        Part { child, out, err }
    }

    pub fn worker(server: &Server, name: &str) -> Part {
        Part::start(
            server,
            User::Worker,
            name,
            &["work", "--threads", "1", "--memory", "16M", "--name", name],
        )
    }

    /// Jobs are small, so that there are many, and a silent worker's job is soon another's.
    pub fn coordinator(server: &Server, position: &str, store: &Path, budget: &str) -> Part {
        Part::coordinator_with(server, position, store, &["--budget", budget])
    }

    /// The same with other flags.
    pub fn coordinator_with(server: &Server, position: &str, store: &Path, flags: &[&str]) -> Part {
        let store = store.to_str().unwrap();
        let fixed = ["--store", store, "--memory", "16M", "--share", "20", "--deadline", "2s", "--json"];
        let words: Vec<&str> = ["coordinate"].into_iter().chain(position.split(' ')).collect();
        let args = [&words[..], &fixed, flags].concat();
        Part::start(server, User::Coordinator, "coordinator", &args)
    }

    /// Sends it a signal, by its name without SIG.
    pub fn signal(&self, name: &str) {
        crate::common::send_signal(&self.child, name);
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Its exit status and what it said.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        wait_until(&format!("the part of {} ends", self.err.display()), || self.has_ended());
        let out = read(&self.out);
        (self.child.wait().unwrap().code(), out, self.errors())
    }

    /// Waits until it has said this on standard error.
    pub fn wait_until_it_says(&self, words: &str) {
        let err = &self.err;
        wait_until(&format!("'{words}' is in {}", err.display()), || read(err).contains(words));
    }

    pub fn errors(&self) -> String {
        read(&self.err)
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Who wins, from the solver of one machine.
pub fn winner(position: &str) -> Value {
    let words: Vec<&str> =
        ["solve", "--json", "--verdict-only"].into_iter().chain(position.split(' ')).collect();
    run(&words, b"").lines()[0]["winner"].clone()
}

/// Checks the answer of a coordinator: the keys and the winner of `solve`, and a best move that keeps it.
pub fn check_answer(position: &str, (code, out, err): (Option<i32>, String, String)) {
    assert_eq!(code, Some(0), "{err}");
    let answer: Value = serde_json::from_str(out.lines().last().expect("an answer")).expect("JSON");
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["v", "position", "to_move", "winner", "best", "pv", "nodes", "struck", "seconds", "pv_end"]
    );
    assert_eq!(answer["winner"], winner(position), "{position}");
    let best = answer["best"].as_str().expect("a move");
    assert_eq!(answer["winner"], winner(&format!("{position} {best}")), "{position} {best}");
}

/// What `status --json` says of the one coordinator there, once it is so.
pub fn status_when(server: &Server, so: impl Fn(&Value) -> bool) -> Value {
    let mut found = None;
    wait_until("the coordinator's status is as wanted", || {
        let run = run(&["cluster", "status", "--json", "--nats", &server.url(User::Worker)], b"");
        found = run.lines().pop().filter(|status| run.code == Some(0) && so(status));
        found.is_some()
    });
    found.expect("it was so")
}
