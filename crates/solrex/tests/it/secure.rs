//! Real NATS servers that do not let everybody in: certificates on both sides, and credentials signed by an operator.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::nats::{Server, User};
use crate::common::{Run, run, solrex};
use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

const POSITION: [&str; 3] = ["5x5", "a1", "e1"];

/// A worker that ends with the test.
struct Worker(Child);

impl Worker {
    fn start(server: &[&str]) -> Worker {
        let command = ["cluster", "work", "--threads", "1", "--memory", "16M"];
        let child = solrex(&[&command[..], server].concat()).stdin(Stdio::null()).spawn();
        Worker(child.expect("the program starts"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Solves a 5x5 opening with a worker and a coordinator that reach the server like this.
fn solves(folder: &Path, server: &[&str]) {
    let _worker = Worker::start(server);
    let store = folder.join("store.redb");
    let fixed = ["--budget", "100", "--memory", "16M", "--json", "--store", store.to_str().unwrap()];
    let answer = run(&[&["cluster", "coordinate"], &POSITION[..], &fixed, server].concat(), b"");
    assert_eq!(answer.code, Some(0), "{}", answer.err);
    let solved = run(&[&["solve", "--json"], &POSITION[..]].concat(), b"");
    assert_eq!(answer.lines()[0]["winner"], solved.lines()[0]["winner"]);
    // While nobody leads there is nothing to show, but the server has let us in.
    let status = status(server);
    assert!(status.err.contains("no coordinator is running there"), "{}", status.err);
}

fn status(server: &[&str]) -> Run {
    run(&[&["cluster", "status"], server].concat(), b"")
}

/// Is refused by the server, or refuses it, at once and with these words: nobody waits for what does not get better.
fn is_refused(folder: &Path, server: &[&str], words: &str) {
    let store = folder.join("refused.redb");
    let lead = ["cluster", "coordinate", "5x5", "a1", "--store", store.to_str().unwrap()];
    for command in [&["cluster", "status"][..], &["cluster", "work"], &lead] {
        let run = run(&[command, server].concat(), b"");
        assert_eq!(run.code, Some(2), "{command:?}: {}", run.err);
        assert!(run.err.contains(words), "'{words}' in {command:?}: {}", run.err);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

/// Who signs certificates, as a certificate and a key of this name in a folder; made by the `openssl` command.
struct Authority<'f> {
    folder: &'f Path,
    name: &'static str,
}

impl<'f> Authority<'f> {
    fn new(folder: &'f Path, name: &'static str) -> Authority<'f> {
        let config = "[req]\ndistinguished_name = dn\nx509_extensions = ca\n[dn]\n[ca]\nbasicConstraints = critical, CA:TRUE\n\
                      [other]\nbasicConstraints = CA:FALSE\nsubjectAltName = IP:127.0.0.1\n";
        std::fs::write(folder.join("openssl.conf"), config).unwrap();
        let authority = Authority { folder, name };
        authority.openssl(&format!(
            "req -x509 {NEW_KEY} -days 2 -subj /CN={name} -keyout {name}-key.pem -out {name}.pem"
        ));
        authority
    }

    fn certificate(&self) -> PathBuf {
        self.folder.join(format!("{}.pem", self.name))
    }

    /// A certificate for this machine, and its key.
    fn certify(&self, name: &str) -> [PathBuf; 2] {
        let by = self.name;
        self.openssl(&format!(
            "req {NEW_KEY} -subj /CN={name} -keyout {name}-key.pem -out {name}-request.pem"
        ));
        self.openssl(&format!(
            "x509 -req -in {name}-request.pem -CA {by}.pem -CAkey {by}-key.pem -CAcreateserial -days 2 \
             -extfile openssl.conf -extensions other -out {name}.pem"
        ));
        [format!("{name}.pem"), format!("{name}-key.pem")].map(|file| self.folder.join(file))
    }

    fn openssl(&self, words: &str) {
        let made = Command::new("openssl").args(words.split_whitespace()).current_dir(self.folder).output();
        let made = made.expect("this test needs the command openssl");
        assert!(made.status.success(), "openssl {words}: {}", String::from_utf8_lossy(&made.stderr));
    }
}

const NEW_KEY: &str = "-config openssl.conf -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

#[test]
fn with_certificates_both_sides_know_each_other() {
    let server = Server::start_with("tls", |folder, manual| {
        let authority = Authority::new(folder, "authority");
        let ([cert, key], ca) = (authority.certify("server"), authority.certificate());
        format!(
            "{manual}\ntls {{\n  cert_file: {cert:?}\n  key_file: {key:?}\n  ca_file: {ca:?}\n  verify: true\n}}\n"
        )
    });
    let (url, folder) = (server.url(User::Coordinator), server.folder());
    let authority = Authority { folder, name: "authority" };
    let ([cert, key], ca) = (authority.certify("client"), authority.certificate());
    let trusting = ["--nats", &url, "--tls-ca", text(&ca)];
    let known = [&trusting[..], &["--tls-cert", text(&cert), "--tls-key", text(&key)]].concat();
    solves(folder, &known);

    let stranger = Authority::new(folder, "stranger");
    let ([their_cert, their_key], other_ca) = (stranger.certify("guest"), stranger.certificate());
    let (their_cert, their_key) = (text(&their_cert), text(&their_key));
    // The server is not who it should be.
    is_refused(
        folder,
        &["--nats", &url, "--tls-ca", text(&other_ca), "--tls-cert", text(&cert), "--tls-key", text(&key)],
        "invalid peer certificate",
    );
    // Nor are we: with no certificate, or with one that somebody else has signed.
    is_refused(folder, &trusting, "fatal alert");
    is_refused(
        folder,
        &[&trusting[..], &["--tls-cert", their_cert, "--tls-key", their_key]].concat(),
        "fatal alert",
    );
    is_refused(folder, &["--nats", &url, "--tls-ca", "no-such.pem"], "cannot use 'no-such.pem'");
}

#[test]
fn a_server_without_encryption_or_with_another_password_is_refused() {
    let server = Server::start("plain");
    let ca = Authority::new(server.folder(), "authority").certificate();
    is_refused(
        server.folder(),
        &["--nats", &server.url(User::Coordinator), "--tls-ca", text(&ca)],
        "cannot connect",
    );
    let wrong = format!("nats://worker:wrong@127.0.0.1:{}", server.port());
    is_refused(server.folder(), &["--nats", &wrong], "authorization violation");
    assert!(!status(&["--nats", &wrong]).err.contains("wrong@"));
}

/// A password must not have to be in the command line, which everybody on the machine can read.
#[test]
fn the_password_can_come_from_the_environment_or_from_a_file() {
    let server = Server::start("password");
    let (user, address) = (User::Worker, server.address());
    let file = |name: &str, text: &str| {
        let path = server.folder().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let asked = |args: &[&str], variables: &[(&str, &str)]| -> Run {
        let mut command = solrex(&[&["cluster", "status"], args].concat());
        command.envs(variables.iter().copied()).output().expect("the program starts").into()
    };
    let is_let_in = |run: Run| assert!(run.err.contains("no coordinator is running there"), "{}", run.err);
    let right = file("right", &format!("{}\n", user.password()));
    let named = ["--nats", &address, "--user", user.name()];
    let everything = [
        ("SOLREX_NATS", &address[..]),
        ("SOLREX_NATS_USER", user.name()),
        ("SOLREX_NATS_PASSWORD", user.password()),
    ];
    is_let_in(asked(&[&named[..], &["--password-file", text(&right)]].concat(), &[]));
    is_let_in(asked(&[], &everything));
    is_let_in(asked(&["--nats", &server.url(user)], &[]));
    // A file is nearer than the environment, and what the address says is nearest.
    let wrong = file("wrong", "wrong\n");
    let refused = asked(&["--password-file", text(&wrong)], &everything);
    assert!(refused.err.contains("authorization violation"), "{}", refused.err);
    is_let_in(asked(&["--nats", &server.url(user)], &[("SOLREX_NATS_PASSWORD", "wrong")]));
    for (args, words) in [
        (&[][..], "no server given; expected --nats URL or the variable SOLREX_NATS"),
        (&named, "the user 'worker' needs a password"),
        (&["--nats", &address, "--password-file", text(&right)], "name the user"),
        (&["--nats", &address, "--password-file", "no-such"], "cannot use 'no-such'"),
        (
            &["--nats", &address, "--password-file", text(&file("empty", "\n"))],
            "there is no password on the first line",
        ),
    ] {
        let run = asked(args, &[]);
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains(words), "'{words}' in {}", run.err);
    }
}

/// A token in the form of NATS: claims about a key, signed by another.
fn token(issuer: &KeyPair, about: &KeyPair, name: &str, mut nats: Value) -> String {
    nats["version"] = json!(2);
    let claims = json!({
        "jti": name, "iat": 1_700_000_000, "iss": issuer.public_key(), "name": name, "sub": about.public_key(), "nats": nats,
    });
    let head = json!({"typ": "JWT", "alg": "ed25519-nkey"});
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let signed = format!("{}.{}", part(&head), part(&claims));
    let signature = BASE64URL_NOPAD.encode(&issuer.sign(signed.as_bytes()).unwrap());
    format!("{signed}.{signature}")
}

/// A credentials file for a user whom this account has signed.
fn credentials(account: &KeyPair, path: &Path) {
    let user = KeyPair::new_user();
    let claims = json!({"type": "user", "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1});
    let token = token(account, &user, "solrex", claims);
    let seed = user.seed().unwrap();
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    );
    std::fs::write(path, text).unwrap();
}

#[test]
fn with_credentials_only_users_of_the_account_come_in() {
    let [operator, account, system] =
        [KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account()];
    let limits = |storage: i32| {
        json!({"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1,
            "leaf": -1, "mem_storage": storage, "disk_storage": storage, "streams": -1, "consumer": -1})
    };
    let of_account = |storage| json!({"type": "account", "limits": limits(storage)});
    let server = Server::start_with("creds", |_, manual| {
        let (before, rest) = manual.split_once("authorization {").unwrap();
        let (_, after) = rest.split_once("\n}\n").unwrap();
        let of_operator = json!({"type": "operator", "system_account": system.public_key()});
        format!(
            "{before}{after}\noperator: {}\nresolver: MEMORY\nsystem_account: {}\n\
             resolver_preload {{\n  {}: {}\n  {}: {}\n}}\n",
            token(&operator, &operator, "operator", of_operator),
            system.public_key(),
            account.public_key(),
            token(&operator, &account, "solrex", of_account(-1)),
            system.public_key(),
            token(&operator, &system, "system", of_account(0)),
        )
    });
    let file = |name: &str| server.folder().join(name);
    let url = format!("nats://127.0.0.1:{}", server.port());
    let creds = file("user.creds");
    credentials(&account, &creds);
    solves(server.folder(), &["--nats", &url, "--creds", text(&creds)]);

    let named = solrex(&["cluster", "status", "--nats", &url]).env("SOLREX_NATS_CREDS", &creds).output();
    let named = Run::from(named.expect("the program starts"));
    assert!(named.err.contains("no coordinator is running there"), "{}", named.err);

    let stranger = file("stranger.creds");
    credentials(&KeyPair::new_account(), &stranger);
    is_refused(server.folder(), &["--nats", &url, "--creds", text(&stranger)], "authorization violation");
    is_refused(server.folder(), &["--nats", &url], "authorization violation");
    is_refused(server.folder(), &["--nats", &url, "--creds", "no-such.creds"], "cannot use 'no-such.creds'");
}
