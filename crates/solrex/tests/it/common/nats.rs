//! A NATS server of a test's own, on a free port of this machine, with the settings that the manual recommends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::wait_until;

/// As whom somebody connects.
#[derive(Clone, Copy)]
pub enum User {
    Coordinator,
    Worker,
}

impl User {
    pub fn name(self) -> &'static str {
        match self {
            User::Coordinator => "coordinator",
            User::Worker => "worker",
        }
    }

    pub fn password(self) -> &'static str {
        match self {
            User::Coordinator => "of-the-coordinator",
            User::Worker => "of-the-worker",
        }
    }
}

/// Ends with the test.
pub struct Server {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Server {
    /// Starts one with an empty folder.
    pub fn start(name: &str) -> Server {
        Server::start_with(name, |_, manual| manual)
    }

    /// The same with another configuration, made from the folder and the usual one.
    pub fn start_with(name: &str, configure: impl FnOnce(&Path, String) -> String) -> Server {
        let (folder, port) = prepare(name, configure);
        let child = spawn(&folder);
        let server = Server { child, folder, port };
        server.wait();
        server
    }

    /// The same with a disk of its own, of so many kilobytes; none where users may not mount one.
    pub fn start_on_small_disk(name: &str, kilobytes: u32) -> Option<Server> {
        let unshare = ["--user", "--map-root-user", "--mount"];
        let mount = "mkdir -p \"$1\" && mount -t tmpfs -o \"size=$2k\" tmpfs \"$1\"";
        let run = |folder: &Path, then: &str| {
            let mut command = Command::new("unshare");
            command.args(unshare).args(["sh", "-c", &format!("{mount} && {then}"), "sh"]);
            command
                .arg(folder.join("store"))
                .arg(kilobytes.to_string())
                .arg(program())
                .arg(folder.join("nats.conf"));
            command
        };
        let (folder, port) =
            prepare(name, |_, manual| manual.replace("sync_interval", "max_file_store: 1G\n  sync_interval"));
        if !run(&folder, "exec true").output().is_ok_and(|tried| tried.status.success()) {
            return None;
        }
        let child = start(run(&folder, "exec \"$3\" -c \"$4\""), &folder);
        let server = Server { child, folder, port };
        server.wait();
        Some(server)
    }

    /// Fills the small disk with nothing, and says where that is.
    pub fn fill_small_disk(&self) -> PathBuf {
        // As the server sees it.
        let seen = format!("/proc/{}/root{}", self.child.id(), self.folder.join("store/nothing").display());
        let path = PathBuf::from(seen);
        let mut file = std::fs::File::create(&path).unwrap();
        while file.write_all(&[0; 512]).is_ok() {}
        path
    }

    /// `kill -9`, and a new one with the same files.
    pub fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = spawn(&self.folder);
        self.wait();
    }

    /// Changes the configuration; a restart is needed.
    pub fn configure(&self, change: impl FnOnce(String) -> String) {
        let path = self.folder.join("nats.conf");
        std::fs::write(&path, change(std::fs::read_to_string(&path).unwrap())).unwrap();
    }

    /// With user and password.
    pub fn url(&self, user: User) -> String {
        format!("nats://{}:{}@127.0.0.1:{}", user.name(), user.password(), self.port)
    }

    /// Without.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Where it listens on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its folder, also for other files of the test.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Sends a message as any program could, without this project's code.
    pub fn publish(&self, user: User, subject: &str, payload: &str) {
        self.try_to_publish(user, subject, payload).unwrap();
    }

    /// The same where the server may not let it through; then it says why.
    pub fn try_to_publish(&self, user: User, subject: &str, payload: &str) -> Result<(), String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        let connect = format!(
            "CONNECT {{\"user\":\"{}\",\"pass\":\"{}\",\"verbose\":false,\"pedantic\":false}}\r\n",
            user.name(),
            user.password()
        );
        let message = format!("PUB {subject} {}\r\n{payload}\r\nPING\r\n", payload.len());
        stream.write_all((connect + &message).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while !line.starts_with("PONG") {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the server hung up");
            if line.starts_with("-ERR") {
                return Err(line);
            }
        }
        Ok(())
    }

    fn wait(&self) {
        wait_until(&format!("the server starts; see {}", self.folder.display()), || {
            let connected = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
            connected.is_ok_and(|mut stream| {
                let mut first = [0; 4];
                stream.read_exact(&mut first).is_ok() && &first == b"INFO"
            })
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with a configuration, and the port in it.
fn prepare(name: &str, configure: impl FnOnce(&Path, String) -> String) -> (PathBuf, u16) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nats-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    std::fs::write(folder.join("nats.conf"), configure(&folder, config(&folder, port))).unwrap();
    (folder, port)
}

/// The manual's own configuration, with another port and folder.
fn config(folder: &Path, port: u16) -> String {
    let manual = format!("{}/../../docs/cluster.md", env!("CARGO_MANIFEST_DIR"));
    let manual = std::fs::read_to_string(manual).unwrap();
    let block = manual.split("```conf\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("the manual shows a configuration");
    let (listen, store) = ("\"0.0.0.0:4222\"", "\"/var/lib/nats\"");
    assert!(block.contains(listen) && block.contains(store) && block.contains("sync_interval: always"));
    let store_here = format!("{:?}", folder.join("store"));
    block.replace(listen, &format!("\"127.0.0.1:{port}\"")).replace(store, &store_here)
}

fn program() -> PathBuf {
    let usual = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../nats/bin/nats-server");
    let program = std::env::var_os("NATS_SERVER").map_or(usual, PathBuf::from);
    assert!(program.exists(), "no NATS server at {}; scripts/nats-server installs it", program.display());
    program
}

fn spawn(folder: &Path) -> Child {
    let mut command = Command::new(program());
    command.arg("-c").arg(folder.join("nats.conf"));
    start(command, folder)
}

fn start(mut command: Command, folder: &Path) -> Child {
    command
        .env("COORDINATOR_PASSWORD", User::Coordinator.password())
        .env("WORKER_PASSWORD", User::Worker.password())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(folder.join("server.log")).unwrap())
        .spawn()
        .expect("the server starts")
}
