//! The messages between coordinator and workers: JSON objects with a version. `docs/cluster.md` shows each of them.

use std::fmt;

use rex_game::Board;
use rex_search::{Bounds, Child, Explored, INFINITE, Node};
use rex_store::{Place, Record};
use rex_theory::Reduced;
use rex_theory::fill_in::RULES;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of these messages. Other versions are refused.
pub const VERSION: u32 = 4;
/// The longest name of a worker or a job, in bytes. Messages with many names rely on it.
pub const MOST_NAME: usize = 80;
/// At most this many threads per worker are accepted.
pub const MOST_THREADS: usize = 4096;
/// A position has at most this many moves.
const MOST_MOVES: usize = 64;
/// At most this many characters of an error in a message are shown.
const MOST_COMPLAINT: usize = 200;

/// Why a message is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is not JSON, or does not have the right shape.
    #[error("it cannot be read: {0}")]
    Garbage(String),
    /// A name in it is too long, empty or unprintable.
    #[error("a name in it is empty, longer than {MOST_NAME} bytes, or cannot be printed")]
    Name,
    /// A number in it is too large.
    #[error("it is too large: {0}")]
    Large(&'static str),
    /// It comes from a different version of the program.
    #[error("it has version {v} with fill-in rules {rules}; expected {VERSION} with {RULES}")]
    Version {
        /// Its version.
        v: u32,
        /// Its rules.
        rules: u8,
    },
    /// A solved position in it is impossible.
    #[error("it has a bad solved position: {0}")]
    Fact(String),
}

/// What is sent: two numbers that every message begins with, then the message.
#[derive(Serialize, Deserialize)]
struct Envelope<M> {
    v: u32,
    rules: u8,
    #[serde(flatten)]
    message: M,
}

/// A message between coordinator and workers.
pub trait Message: Serialize + DeserializeOwned {
    /// Refuses messages that have the right shape but make no sense.
    ///
    /// # Errors
    /// If it makes no sense.
    fn check(&self) -> Result<(), MessageError> {
        Ok(())
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If it has another version or is garbage.
    fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let garbage = |error: serde_json::Error| MessageError::Garbage(shortened(&error.to_string()));
        // Read the numbers first: messages of other versions may look different.
        let Envelope { v, rules, message } = serde_json::from_slice(bytes).map_err(garbage)?;
        if (v, rules) != (VERSION, RULES) {
            return Err(MessageError::Version { v, rules });
        }
        let message: Self = serde_json::from_value(Value::Object(message)).map_err(garbage)?;
        message.check().map(|()| message)
    }

    /// The message as bytes.
    fn write(&self) -> Vec<u8> {
        let envelope = Envelope { v: VERSION, rules: RULES, message: self };
        serde_json::to_vec(&envelope).expect("messages hold nothing that JSON cannot")
    }
}

impl Message for Job {}

impl Message for Answer {
    fn check(&self) -> Result<(), MessageError> {
        check_names([&self.id[..], &self.worker])?;
        if self.children.len() > MOST_MOVES { Err(MessageError::Large("moves")) } else { Ok(()) }
    }
}

impl Message for Beat {
    fn check(&self) -> Result<(), MessageError> {
        check_names([&self.worker[..]].into_iter().chain(self.job.as_deref()))?;
        check_threads(self.threads)
    }
}

impl Message for LeadStatus {}

/// The start of an error, which may be as long as the message it complains about, in printable characters.
fn shortened(text: &str) -> String {
    let mut letters = text.chars().map(|letter| if letter.is_control() { '?' } else { letter });
    let mut short: String = letters.by_ref().take(MOST_COMPLAINT).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

/// Whether this can be the name of a worker or a job: short, and safe to print on a terminal.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MOST_NAME && !name.chars().any(char::is_control)
}

/// Refuses bad names.
pub(crate) fn check_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), MessageError> {
    if names.into_iter().all(is_name) { Ok(()) } else { Err(MessageError::Name) }
}

/// Refuses too many threads.
pub(crate) fn check_threads(threads: usize) -> Result<(), MessageError> {
    if threads <= MOST_THREADS { Ok(()) } else { Err(MessageError::Large("threads")) }
}

/// A filled canonical position and its board in a message: [`Node::bytes`] in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct WireNode {
    /// The board.
    pub board: Board,
    /// The position.
    pub node: Node,
}

impl fmt::Display for WireNode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex::encode(self.node.bytes(self.board)))
    }
}

impl From<WireNode> for String {
    fn from(node: WireNode) -> String {
        node.to_string()
    }
}

impl TryFrom<String> for WireNode {
    type Error = String;

    fn try_from(text: String) -> Result<WireNode, String> {
        let read = unhex(&text).and_then(|bytes| Node::from_bytes(&bytes));
        let open = read.filter(|(board, node)| Reduced::new(node.field(*board)).joined.is_none());
        open.map(|(board, node)| WireNode { board, node })
            .ok_or_else(|| format!("'{}' is not a position", shortened(&text)))
    }
}

/// A position to search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Its name: a sequence number and a random number.
    pub id: String,
    /// The root of the whole search.
    pub root: String,
    /// The position to search.
    pub node: WireNode,
    /// Numbers at which to return, for Last and for Notlast: beyond them another position is more promising.
    pub limit: [u64; 2],
    /// Nodes to search per thread.
    pub budget: u64,
    /// The coordinator wants solved positions that took at least this many nodes.
    pub share: u64,
}

impl Job {
    /// The limit as bounds.
    pub fn limit(&self) -> Bounds {
        let [last, notlast] = self.limit.map(|number| number.min(INFINITE));
        Bounds { last, notlast }
    }
}

/// A solved position, without a side to move: its key and value in the store, in hexadecimal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The position.
    pub at: String,
    /// What is known of it.
    pub is: String,
}

impl Fact {
    /// A record as a fact.
    pub fn new(place: &Place, record: &Record) -> Fact {
        Fact { at: hex::encode(place.bytes()), is: hex::encode(record.bytes(place)) }
    }

    /// Reads the record.
    ///
    /// # Errors
    /// If it is damaged, or cannot be true of a filled position.
    pub fn read(&self) -> Result<(Place, Record), MessageError> {
        let damaged = || MessageError::Fact(shortened(&format!("'{}' is '{}'", self.at, self.is)));
        let place = unhex(&self.at).and_then(|bytes| Place::from_bytes(&bytes)).ok_or_else(damaged)?;
        let record = unhex(&self.is).and_then(|bytes| Record::from_bytes(&place, &bytes));
        let record = record.ok_or_else(damaged)?;
        if record.rules != RULES {
            return Err(MessageError::Fact(format!("it was made with fill-in rules {}", record.rules)));
        }
        match place.flaw(&record) {
            None => Ok((place, record)),
            Some(flaw) => Err(MessageError::Fact(flaw.to_string())),
        }
    }
}

pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    hex::decode(text).ok()?.try_into().ok()
}

/// The result of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The name of the job.
    pub id: String,
    /// Who searched it.
    pub worker: String,
    /// Nodes it took.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// The numbers of the position, for Last and for Notlast to win. 0: this part has won.
    pub bounds: [u64; 2],
    /// A winning move of the side to move.
    pub best: Option<String>,
    /// The moves worth trying, and the numbers of the positions they lead to.
    pub children: Vec<(String, u64, u64)>,
    /// Positions solved on the way.
    pub solved: Vec<Fact>,
}

impl Answer {
    /// An answer that is empty except for the names.
    pub fn to(job: &Job, worker: &str) -> Answer {
        Answer {
            id: job.id.clone(),
            worker: worker.to_owned(),
            nodes: 0,
            seconds: 0.0,
            bounds: [1, 1],
            best: None,
            children: Vec::new(),
            solved: Vec::new(),
        }
    }

    /// The result of a search of a job's position, without what it solved on the way.
    pub fn of(job: &Job, worker: &str, found: &Explored) -> Answer {
        let name = |cell| job.node.board.name(cell);
        let child = |child: &Child| (name(child.cell), child.bounds.last, child.bounds.notlast);
        Answer {
            nodes: found.nodes,
            bounds: [found.bounds.last, found.bounds.notlast],
            best: found.best.map(name),
            children: found.children.iter().map(child).collect(),
            ..Answer::to(job, worker)
        }
    }
}

/// A heartbeat: the worker is alive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beat {
    /// Its name.
    pub worker: String,
    /// How many threads it has.
    pub threads: usize,
    /// The job it is working on.
    pub job: Option<String>,
    /// Nodes of this job so far.
    pub nodes: u64,
}

impl Beat {
    /// A heartbeat.
    pub fn new(worker: &str, threads: usize, job: Option<&str>, nodes: u64) -> Beat {
        let (worker, job) = (worker.to_owned(), job.map(ToOwned::to_owned));
        Beat { worker, threads, job, nodes }
    }
}

/// The status of a coordinator. It is also its claim to the position: nobody else may lead there while it is fresh.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeadStatus {
    /// The position.
    pub position: String,
    /// The name of the ledger it writes to.
    pub ledger: String,
    /// The name of the process.
    pub leader: String,
    /// Workers heard from recently, with their threads.
    pub workers: Vec<(String, usize)>,
    /// Jobs handed out and not answered.
    pub jobs: usize,
    /// Jobs answered.
    pub answers: u64,
    /// Answers that were refused.
    pub refused: u64,
    /// Nodes of all workers, earlier runs included.
    pub nodes: u64,
    /// Nodes per second over the last half minute.
    pub rate: f64,
    /// Proof numbers of the position: for a win of Black, for a win of White.
    pub bounds: [u64; 2],
    /// Positions in the tree.
    pub tree: usize,
    /// Seconds since this coordinator started.
    pub seconds: f64,
    /// A rough estimate of the seconds left.
    pub estimate: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back() {
        let field = rex_theory::Field::new(&"4x4 d1 a1".parse().unwrap());
        let wire = WireNode { board: field.board, node: Node::of(&field).0 };
        assert_eq!(WireNode::try_from(wire.to_string()), Ok(wire));
    }

    #[test]
    fn what_is_no_canonical_position_is_refused() {
        let text = |rows: u8, cols: u8, black: u64, white: u64, last: u8| {
            format!("{rows:02x}{cols:02x}{black:016x}{white:016x}{last:02x}")
        };
        let good = text(4, 4, 1, 2, 0);
        assert_eq!(WireNode::try_from(good.clone()).unwrap().to_string(), good);
        for bad in [
            String::new(),
            good[2..].to_owned(),
            format!("{good}00"),
            good.replacen('4', "z", 1),
            // No such player, no such board, a stone off the board, not the canonical image, and joined.
            text(4, 4, 1, 2, 2),
            text(9, 9, 1, 2, 0),
            text(4, 4, 0x10000, 2, 0),
            text(4, 4, 1, 2, 1),
            text(4, 4, 0x1111, 0, 0),
        ] {
            assert!(WireNode::try_from(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn other_versions_and_garbage_are_told_apart() {
        let beat = Beat::new("w", 2, None, 0);
        assert_eq!(Beat::read(&beat.write()), Ok(beat.clone()));
        let text = String::from_utf8(beat.write()).unwrap();
        let old = text.replacen(r#"{"v":4,"#, r#"{"v":3,"#, 1);
        assert_eq!(Beat::read(old.as_bytes()), Err(MessageError::Version { v: 3, rules: RULES }));
        let other = text.replacen(r#""worker""#, r#""more":1,"worker""#, 1);
        assert!(matches!(Beat::read(other.as_bytes()), Err(MessageError::Garbage(_))), "{other}");
        for garbage in ["", "{}", "[]", r#"{"v":4}"#, r#"{"v":4,"rules":2,"worker":3}"#, "\u{fffd}"] {
            assert!(Beat::read(garbage.as_bytes()).is_err(), "{garbage}");
        }
    }

    #[test]
    fn names_and_numbers_of_threads_are_bounded() {
        let long = "x".repeat(MOST_NAME + 1);
        for name in ["", "a\u{1b}[2J", &long] {
            assert_eq!(Beat::read(&Beat::new(name, 2, None, 0).write()), Err(MessageError::Name), "{name:?}");
            assert_eq!(Beat::read(&Beat::new("w", 2, Some(name), 0).write()), Err(MessageError::Name));
        }
        let longest = Beat::new(&long[1..], MOST_THREADS, Some(&long[1..]), u64::MAX);
        assert_eq!(Beat::read(&longest.write()), Ok(longest));
        let many = Beat::new("w", MOST_THREADS + 1, None, 0);
        assert_eq!(Beat::read(&many.write()), Err(MessageError::Large("threads")));
    }

    #[test]
    fn a_complaint_is_short_whatever_is_in_the_message() {
        let text = "x\u{1b}".repeat(1 << 19);
        for message in
            [format!("{{\"v\":4,\"rules\":2,\"worker\":3,\"{text}\":4}}"), format!("{{\"{text}\":1}}")]
        {
            let complaint = Beat::read(message.as_bytes()).unwrap_err().to_string();
            assert!(complaint.len() < 1000 && !complaint.contains('\u{1b}'), "{complaint}");
        }
        let fact = Fact { at: text.clone(), is: text };
        assert!(fact.read().unwrap_err().to_string().len() < 1000);
    }

    #[test]
    fn a_fact_with_a_flipped_digit_is_refused() {
        let place = Place { board: "4x4".parse().unwrap(), stones: [rex_game::CellSet::EMPTY; 2] };
        let known = rex_store::Known::NOTLAST;
        let work = rex_search::Work::of(7);
        let record = Record { known, best: [None; 2], work, rules: RULES };
        let fact = Fact::new(&place, &record);
        assert_eq!(fact.read(), Ok((place, record)));
        for at in 0..fact.is.len() {
            let mut is = fact.is.clone().into_bytes();
            is[at] = if is[at] == b'0' { b'1' } else { b'0' };
            let bad = Fact { is: String::from_utf8(is).unwrap(), ..fact.clone() };
            assert!(bad.read().is_err(), "digit {at}");
        }
    }
}
