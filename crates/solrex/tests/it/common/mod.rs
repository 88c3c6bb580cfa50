//! Runs the built program.

#[cfg(feature = "cluster")]
pub mod nats;
#[cfg(feature = "cluster")]
pub mod parts;
#[cfg(feature = "serve")]
pub mod server;

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use rex_game::{Player, State};
pub use rex_oracle::testing::{ENDLESS, GUARD, LONG, LONG_NODES, MORE_ENDLESS, wait_until};
use rex_theory::Options;
use serde_json::Value;

/// The program, without the environment's wishes for colour and servers, without the user's store of solved positions,
/// and without the book of openings.
pub fn solrex(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solrex"));
    command.args(args);
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "SOLREX_NATS",
        "SOLREX_NATS_USER",
        "SOLREX_NATS_PASSWORD",
        "SOLREX_NATS_CREDS",
    ] {
        command.env_remove(name);
    }
    command.env("SOLREX_DB", "none");
    // Most tests are about the search.
    command.env("SOLREX_BOOK", "none");
    command
}

/// What a run came to.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// Each line of the output as JSON.
    pub fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
    }
}

/// Flags that make a search small and the same on each run.
pub const SMALL: [&str; 4] = ["--memory", "16M", "--threads", "1"];

/// Flags with which [`ENDLESS`] and [`LONG`] are as hard as they are said to be, in a small search.
pub static BARE: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let on = Options::TABLE.iter().filter(|option| option.default);
    let off = on.map(|option| &*format!("--no-{}", option.name).leak());
    SMALL.into_iter().chain(["--guidance", "none"]).chain(off).collect()
});

/// Runs a command that searches.
pub fn search(args: &[&str]) -> Run {
    run(&[args, &SMALL].concat(), b"")
}

/// Runs a command that searches without any help.
pub fn search_bare(args: &[&str]) -> Run {
    run(&[args, &BARE].concat(), b"")
}

/// Commands of HTP that put up a position and leave its side to move.
pub fn htp_setup(position: &str) -> String {
    let state: State = position.parse().expect("a position");
    let board = state.board();
    let mut commands = format!("boardsize {} {}\n", board.cols(), board.rows());
    for (player, letter) in Player::BOTH.into_iter().zip(["b", "w"]) {
        for cell in state.position.stones(player) {
            commands += &format!("play {letter} {}\n", board.name(cell));
        }
    }
    commands
}

/// Starts a command that is talked with while it runs.
pub fn talk(args: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child =
        solrex(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let stdin = child.stdin.take().expect("it has a standard input");
    let stdout = child.stdout.take().expect("it has a standard output");
    (child, stdin, BufReader::new(stdout))
}

/// Runs with this on standard input.
pub fn run(args: &[&str], input: &[u8]) -> Run {
    run_command(solrex(args), input)
}

/// Runs a command with this on standard input.
pub fn run_command(mut command: Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has a standard input");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early does not read it all.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output.into()
}

const SIGHUP: u64 = 1 << 0;
const SIGINT: u64 = 1 << 1;
const SIGTERM: u64 = 1 << 14;

/// The signals that a process listens to, and those that it ignores. Known on Linux alone.
fn signals_of(process: u32) -> Option<[u64; 2]> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mask = |name| {
        let mask = status.lines().find_map(|line| line.strip_prefix(name))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    Some([mask("SigCgt:")?, mask("SigIgn:")?])
}

/// Whether a process outlives its terminal, as under `nohup`.
pub fn ignores_hangups(process: u32) -> bool {
    signals_of(process).is_some_and(|[_, ignored]| ignored & SIGHUP != 0)
}

/// Waits until a program listens to the signals that ask it to end. What comes earlier would simply kill it.
pub fn wait_until_it_listens(child: &mut Child) {
    let wanted = SIGHUP | SIGINT | SIGTERM;
    wait_until("it listens to signals", || {
        if child.try_wait().expect("it can be waited for").is_some() {
            return true;
        }
        let Some([caught, ignored]) = signals_of(child.id()) else {
            // There is only hope.
            std::thread::sleep(Duration::from_secs(2));
            return true;
        };
        (caught | ignored) & wanted == wanted
    });
}

/// Sends a signal such as `TERM`.
pub fn send_signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.expect("there is a command kill").success());
}

/// A path that no other test uses, with nothing there.
pub fn fresh(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    let _ = std::fs::remove_dir_all(&path);
    path.to_str().expect("a path of UTF-8").to_owned()
}
