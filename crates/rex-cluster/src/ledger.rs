//! What a coordinator stores: solved positions, and in the notes beside them the tree and the open jobs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use rex_game::{Board, State};
use rex_search::{Bounds, Child, Node};
use rex_store::{Note, Place, Record, Store, StoreError, solved_nodes};

use crate::coordinator::Coordinator;

/// Names of notes begin with these.
const LEAF: u8 = b'l';
const GROWN: u8 = b'g';
const JOB: u8 = b'j';
const REPORTER: u8 = b'b';
const NODES: &[u8] = b"nodes";
const NEXT: &[u8] = b"next";
const ROOT: &[u8] = b"root";
const NAME: &[u8] = b"name";
const FORMAT_NAME: &[u8] = b"version";
/// The version of these notes. Those of other versions are refused.
const FORMAT: u8 = 2;

/// Changes to store.
#[derive(Default, Debug)]
pub struct Changes {
    /// Solved positions.
    pub solved: Vec<(Place, Record)>,
    notes: BTreeMap<Vec<u8>, Note>,
}

impl Changes {
    /// Solved positions, and nothing else.
    pub fn of(solved: Vec<(Place, Record)>) -> Changes {
        Changes { solved, notes: BTreeMap::new() }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.solved.is_empty() && self.notes.is_empty()
    }

    /// A job was handed out.
    pub(crate) fn job_given(&mut self, board: Board, number: u64, job: &OpenJob) {
        let mut note =
            [job.nonce.to_be_bytes(), job.budget.to_be_bytes(), job.limit.code().to_be_bytes()].concat();
        note.extend(job.node.bytes(board));
        self.notes.insert(job_name(number), Some(note));
        self.notes.insert(NEXT.to_vec(), Some((number + 1).to_be_bytes().to_vec()));
    }

    /// A job is finished.
    pub(crate) fn job_done(&mut self, number: u64) {
        self.notes.insert(job_name(number), None);
    }

    /// The total number of nodes searched.
    pub(crate) fn nodes(&mut self, nodes: u64) {
        self.notes.insert(NODES.to_vec(), Some(nodes.to_be_bytes().to_vec()));
    }

    /// A worker was the first to report on a position.
    pub(crate) fn reported(&mut self, place: &Place, worker: &str) {
        self.notes.insert(reporter_name(place), Some(worker.as_bytes().to_vec()));
    }

    /// A leaf was given children.
    pub(crate) fn grown(&mut self, board: Board, node: &Node, children: &[Child]) {
        self.notes.insert(node_name(GROWN, board, node), Some(Vec::new()));
        self.notes.insert(node_name(LEAF, board, node), None);
        for child in children.iter().filter(|child| child.bounds.winner().is_none()) {
            let note = Some(child.bounds.code().to_be_bytes().to_vec());
            self.notes.entry(node_name(LEAF, board, &child.node)).or_insert(note);
        }
    }

    /// A leaf has new numbers, or a position has become a leaf again.
    pub(crate) fn leaf(&mut self, board: Board, node: &Node, bounds: Bounds) {
        self.notes.insert(node_name(GROWN, board, node), None);
        self.notes.insert(node_name(LEAF, board, node), Some(bounds.code().to_be_bytes().to_vec()));
    }
}

/// Where an earlier run stopped.
#[derive(Default, Debug)]
pub struct Open {
    pub(crate) leaves: HashMap<Node, Bounds>,
    pub(crate) grown: HashSet<Node>,
    pub(crate) jobs: BTreeMap<u64, OpenJob>,
    pub(crate) next: u64,
    pub(crate) nodes: u64,
}

/// A job that was handed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenJob {
    /// The random part of its name.
    pub nonce: u64,
    pub node: Node,
    pub limit: Bounds,
    pub budget: u64,
}

/// The file of a coordinator: an ordinary store of solved positions, with notes.
pub struct Ledger {
    store: Store,
    /// A random name that stays with the file.
    name: String,
}

impl Ledger {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// If another process has it, or it cannot be used.
    pub fn open(path: &Path) -> Result<Ledger, StoreError> {
        Ledger::of(Store::open(path)?)
    }

    /// Uses an open store.
    ///
    /// # Errors
    /// If it cannot be written, or has notes of another version.
    pub fn of(store: Store) -> Result<Ledger, StoreError> {
        let (mut name, mut format) = (String::new(), 1);
        store.each_note(NAME, &mut |_, note| name = String::from_utf8_lossy(note).into_owned())?;
        store.each_note(FORMAT_NAME, &mut |_, note| format = note.first().copied().unwrap_or_default())?;
        if name.is_empty() {
            name = random_name();
            let begin = [(NAME, name.as_bytes()), (FORMAT_NAME, &[FORMAT])];
            store.put_with_notes([], &begin.map(|(name, note)| (name.to_vec(), Some(note.to_vec()))))?;
        } else if format != FORMAT {
            let versions = format!("its ledger has version {format}; expected {FORMAT}. It was not changed");
            return Err(StoreError::Unusable(store.path().to_owned(), versions));
        }
        Ok(Ledger { store, name })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The store.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Calls `tell` with all solved positions of a board.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn each_solved(&self, board: Board, tell: &mut dyn FnMut(Place, Record)) -> Result<(), StoreError> {
        self.store.each(Some(board), &mut |entry| {
            if let Some((place, record)) = entry {
                tell(place, record);
            }
        })
    }

    /// Where an earlier run on this position stopped. Deletes notes on other positions and of other versions.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn resume(&self, state: &State) -> Result<Open, StoreError> {
        let mut open = Open::default();
        let mut root = Vec::new();
        let mut names = Vec::new();
        self.store.each_note(b"", &mut |name, note| {
            let useful = read_note(&mut open, &mut root, name, note).is_some();
            names.push((name.to_vec(), useful));
        })?;
        let asked = Coordinator::name_of(state).into_bytes();
        let same = root == asked;
        names.retain(|(name, useful)| name != NAME && name != FORMAT_NAME && !(same && *useful));
        if !same || !names.is_empty() {
            let mut notes: Vec<(Vec<u8>, Note)> = names.into_iter().map(|(name, _)| (name, None)).collect();
            notes.push((ROOT.to_vec(), Some(asked)));
            self.store.put_with_notes([], &notes)?;
        }
        Ok(if same { open } else { Open::default() })
    }

    /// What is stored for a position.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn record_at(&self, place: &Place) -> Result<Option<Record>, StoreError> {
        self.store.get(place)
    }

    /// Who was the first to report on a position, if that was noted.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn reporter_of(&self, place: &Place) -> Result<Option<String>, StoreError> {
        let (name, mut worker) = (reporter_name(place), None);
        self.store
            .each_note(&name, &mut |_, note| worker = Some(String::from_utf8_lossy(note).into_owned()))?;
        Ok(worker)
    }

    /// Stores what is certain, and removes these places and what contradicts it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn correct(&self, wrong: &[Place], certain: &[(Place, Record)]) -> Result<(), StoreError> {
        let mut wrong = wrong.to_vec();
        for (place, record) in certain {
            if self.store.get(place)?.is_some_and(|known| known.and(record).is_none()) {
                wrong.push(*place);
            }
        }
        if !wrong.is_empty() {
            self.store.remove(&wrong)?;
        }
        self.store.put(certain.iter().copied())?;
        Ok(())
    }

    /// Stores changes, all of them or none.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn commit(&self, changes: &Changes) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut notes: Vec<(Vec<u8>, Note)> = changes.notes.clone().into_iter().collect();
        // What is solved is no longer open.
        for (place, record) in &changes.solved {
            for solved in solved_nodes(place, record) {
                notes.push((node_name(LEAF, place.board, &solved.node), None));
                notes.push((node_name(GROWN, place.board, &solved.node), None));
            }
        }
        self.store.put_with_notes(changes.solved.iter().copied(), &notes)?;
        Ok(())
    }
}

/// A name that nobody else has, in all likelihood.
pub(crate) fn random_name() -> String {
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// Reads a note; none if it means nothing to this version of the program.
fn read_note(open: &mut Open, root: &mut Vec<u8>, name: &[u8], note: &[u8]) -> Option<()> {
    let number = |bytes: &[u8]| bytes.try_into().map(u64::from_be_bytes).ok();
    let bounds = |bytes: &[u8]| number(bytes).map(Bounds::from_code);
    match (name, name.split_first()?) {
        (NAME | FORMAT_NAME, _) => {}
        (NODES, _) => open.nodes = number(note)?,
        (NEXT, _) => open.next = number(note)?,
        (ROOT, _) => *root = note.to_vec(),
        (_, (&REPORTER, place)) => drop(Place::from_bytes(place.try_into().ok()?)?),
        (_, (&GROWN, node)) => open.grown.extend([node_from(node)?]),
        (_, (&LEAF, node)) => open.leaves.extend([(node_from(node)?, bounds(note)?.checked()?)]),
        (_, (&JOB, job)) => {
            let (numbers, node) = note.split_at_checked(24)?;
            let (nonce, rest) = numbers.split_at(8);
            let (budget, limit) = rest.split_at(8);
            let (nonce, budget, limit) = (number(nonce)?, number(budget)?, bounds(limit)?);
            open.jobs.insert(number(job)?, OpenJob { nonce, node: node_from(node)?, limit, budget });
        }
        _ => return None,
    }
    Some(())
}

fn node_from(bytes: &[u8]) -> Option<Node> {
    Node::from_bytes(bytes.try_into().ok()?).map(|(_, node)| node)
}

fn node_name(kind: u8, board: Board, node: &Node) -> Vec<u8> {
    [&[kind][..], &node.bytes(board)].concat()
}

fn reporter_name(place: &Place) -> Vec<u8> {
    [&[REPORTER][..], &place.bytes()].concat()
}

fn job_name(number: u64) -> Vec<u8> {
    [&[JOB][..], &number.to_be_bytes()].concat()
}
