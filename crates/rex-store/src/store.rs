//! The file of solved positions: opening and checking it, reading, and writing in batches. What a damaged file does to
//! redb is caught here, so that it is never more than an error; `salvage.rs` reads what is left.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::RwLock;
use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, Table, TableDefinition, TableError};
use rex_game::Board;
use rex_theory::fill_in::RULES;

use crate::caught::caught;
use crate::place::Place;
use crate::record::Record;
use crate::shield::Shield;

type Key = &'static [u8; Place::BYTES];
type Value = &'static [u8; Record::BYTES];

const SOLVED: TableDefinition<Key, Value> = TableDefinition::new("solved");
const NOTES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("notes");
const ABOUT: TableDefinition<&str, u32> = TableDefinition::new("about");
const FORMAT_NAME: &str = "solrex format";
/// Increased when older files can no longer be read.
const FORMAT: u32 = 1;
/// Files up to this size are checked for damage when opened, in some milliseconds; `db verify` checks larger ones.
const CHECKED_AT_ONCE: u64 = 64 << 20;
const CACHE: usize = 64 << 20;
const WRONG_PAGES: &str = "its pages are inconsistent";

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process is using it.
    #[error("the store '{path}' is in use by another process", path = .0.display())]
    InUse(PathBuf),
    /// It was written by another version of this program, and names this format.
    #[error("the store '{path}' has format {1}; expected {FORMAT}. It was not changed", path = .0.display())]
    OtherVersion(PathBuf, u32),
    /// It is not a store at all, or is damaged, for this reason.
    #[error("the file '{path}' is not a store of solved positions, or it is damaged ({1}). It was not changed", path = .0.display())]
    Damaged(PathBuf, String),
    /// It cannot be read or written, for this reason.
    #[error("cannot use the store '{path}': {1}", path = .0.display())]
    Unusable(PathBuf, String),
    /// An earlier read or write failed, and it has not been reopened since.
    #[error("the store '{path}' is closed after an error", path = .0.display())]
    Closed(PathBuf),
    /// Two facts about this position contradict each other.
    #[error("the store '{path}' contradicts the new entries: '{1}' has another value there; 'solrex db verify' shows which is wrong. Nothing was written", path = .0.display())]
    Clash(PathBuf, Place),
}

/// What [`Store::mend`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mended {
    /// Positions that were filled in again.
    pub mended: u64,
    /// Entries that had to be removed.
    pub dropped: u64,
}

/// What a long search stores under a name to continue after a restart. None removes the note.
pub type Note = Option<Vec<u8>>;

/// The file of solved positions, for one process at a time. Any of its threads may read, and one at a time may write.
pub struct Store {
    /// None if it could not be reopened after an error. The next write will try again.
    database: RwLock<Option<Database>>,
    path: PathBuf,
}

impl Store {
    /// Opens a store, or creates it.
    ///
    /// # Errors
    /// If it is in use, damaged, of another version, or cannot be created. The file then stays unchanged.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if !path.try_exists().is_ok_and(|exists| exists) {
            create(path)?;
        }
        Store::open_existing(path)
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// Like [`Store::open`], and if there is no file.
    pub fn open_existing(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { database: RwLock::new(Some(open_database(path)?)), path: path.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What we know about a position. A damaged entry counts as missing.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn get(&self, place: &Place) -> Result<Option<Record>, StoreError> {
        let found = |database: &Database| -> Result<_, redb::Error> {
            let table = database.begin_read()?.open_table(SOLVED)?;
            Ok(table.get(&place.bytes())?.map(|value| *value.value()))
        };
        let found = self.tried(found)?;
        Ok(found.and_then(|bytes| Record::from_bytes(place, &bytes)))
    }

    /// Calls `tell` with all entries, of one board or of all, in the order of the file; with none for a damaged entry.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn each(
        &self,
        board: Option<Board>,
        tell: &mut dyn FnMut(Option<(Place, Record)>),
    ) -> Result<(), StoreError> {
        let (mut low, mut high) = ([0; Place::BYTES], [0xff; Place::BYTES]);
        if let Some(board) = board {
            let size = [board.rows() as u8, board.cols() as u8];
            low[..2].copy_from_slice(&size);
            high[..2].copy_from_slice(&size);
        }
        let read = |database: &Database| -> Result<(), redb::Error> {
            let table = database.begin_read()?.open_table(SOLVED)?;
            for entry in table.range::<&[u8; Place::BYTES]>(&low..=&high)? {
                let (key, value) = entry?;
                tell(read_entry(key.value(), value.value()));
            }
            Ok(())
        };
        self.tried(read)
    }

    /// Adds records to what is already known, in one transaction. Returns how many add something new.
    ///
    /// # Errors
    /// If the file cannot be written, or a record contradicts what is known. Nothing is written then.
    pub fn put(&self, records: impl IntoIterator<Item = (Place, Record)>) -> Result<usize, StoreError> {
        self.put_with_notes(records, &[])
    }

    /// The same with notes: writes either all of it or nothing.
    ///
    /// # Errors
    /// Like [`Store::put`].
    pub fn put_with_notes(
        &self,
        records: impl IntoIterator<Item = (Place, Record)>,
        notes: &[(Vec<u8>, Note)],
    ) -> Result<usize, StoreError> {
        let mut sorted: BTreeMap<[u8; Place::BYTES], (Place, Record)> = BTreeMap::new();
        for (place, record) in records {
            let slot = sorted.entry(place.bytes()).or_insert((place, record));
            slot.1 = slot.1.and(&record).ok_or_else(|| self.clash(place))?;
        }
        let mut new = 0;
        let mut clash = None;
        let write = |database: &Database| -> Result<(), redb::Error> {
            let transaction = database.begin_write()?;
            {
                let mut table = transaction.open_table(SOLVED)?;
                for (key, (place, record)) in &sorted {
                    let old = table.get(key)?.and_then(|value| Record::from_bytes(place, value.value()));
                    let Some(whole) = old.map_or(Some(*record), |old| old.and(record)) else {
                        clash = Some(*place);
                        break;
                    };
                    if old != Some(whole) {
                        table.insert(key, &whole.bytes(place))?;
                        new += 1;
                    }
                }
            }
            if !notes.is_empty() {
                let mut table = transaction.open_table(NOTES)?;
                for (name, note) in notes {
                    match note {
                        Some(note) => drop(table.insert(name.as_slice(), note.as_slice())?),
                        None => drop(table.remove(name.as_slice())?),
                    }
                }
            }
            if clash.is_some() || new == 0 && notes.is_empty() {
                transaction.abort()?
            } else {
                transaction.commit()?
            }
            Ok(())
        };
        self.written(write)?;
        clash.map_or(Ok(new), |place| Err(self.clash(place)))
    }

    /// Calls `tell` with all notes whose names start with `begin`, in the order of their names.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn each_note(&self, begin: &[u8], tell: &mut dyn FnMut(&[u8], &[u8])) -> Result<(), StoreError> {
        let read = |database: &Database| -> Result<(), redb::Error> {
            let table = match database.begin_read()?.open_table(NOTES) {
                Err(TableError::TableDoesNotExist(_)) => return Ok(()),
                table => table?,
            };
            for entry in table.range(begin..)? {
                let (name, note) = entry?;
                if !name.value().starts_with(begin) {
                    break;
                }
                tell(name.value(), note.value());
            }
            Ok(())
        };
        self.tried(read)
    }

    /// Removes entries, and returns how many of them existed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn remove(&self, places: &[Place]) -> Result<usize, StoreError> {
        let mut keys: Vec<_> = places.iter().map(Place::bytes).collect();
        keys.sort_unstable();
        self.changed(|table| {
            let mut removed = 0;
            for key in &keys {
                removed += usize::from(table.remove(key)?.is_some());
            }
            Ok(removed)
        })
    }

    /// Repairs what can be repaired. Flawed positions, and those filled in by other rules, are filled in again, so that
    /// searches find them. Removes entries that cannot be read or contradict the rest.
    ///
    /// # Errors
    /// If the file cannot be read or written. It is unchanged then.
    pub fn mend(&self) -> Result<Mended, StoreError> {
        self.changed(|table| {
            let mut mended = Mended::default();
            let mut old = Vec::new();
            let mut new: BTreeMap<[u8; Place::BYTES], (Place, Record)> = BTreeMap::new();
            for entry in table.iter()? {
                let (key, value) = entry?;
                let Some((place, record)) = read_entry(key.value(), value.value()) else {
                    old.push(*key.value());
                    mended.dropped += 1;
                    continue;
                };
                if record.rules == RULES && place.flaw(&record).is_none() {
                    continue;
                }
                let filled = place.filled();
                if filled.is_none_or(|(filled, _)| filled != place) {
                    old.push(*key.value());
                }
                let Some((filled, symmetry)) = filled else {
                    mended.dropped += 1;
                    continue;
                };
                let moved = record.moved(&place, &filled, symmetry);
                let slot = new.entry(filled.bytes()).or_insert((filled, moved));
                match slot.1.and(&moved) {
                    Some(both) => (slot.1, mended.mended) = (both, mended.mended + 1),
                    None => mended.dropped += 1,
                }
            }
            for key in &old {
                table.remove(key)?;
            }
            for (key, (place, record)) in &new {
                let known = table.get(key)?.and_then(|value| Record::from_bytes(place, value.value()));
                // If a repaired record contradicts an intact one, trust the intact one.
                if known.is_some_and(|known| known.and(record).is_none()) {
                    mended.dropped += 1;
                    continue;
                }
                let sound = known.filter(|known| place.flaw(known).is_none());
                let whole = sound.and_then(|sound| sound.and(record)).unwrap_or(*record);
                table.insert(key, &whole.bytes(place))?;
            }
            Ok(mended)
        })
    }

    /// Checks the whole file for damage.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn check(&mut self) -> Result<(), StoreError> {
        match self.database.get_mut() {
            Some(database) => check_pages(&self.path, database),
            None => Err(self.closed()),
        }
    }

    /// Releases unused space.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        let Some(database) = self.database.get_mut() else { return Err(self.closed()) };
        match caught(|| database.compact()) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(unusable(&self.path, &error)),
            None => Err(damaged(&self.path, &WRONG_PAGES)),
        }
    }

    /// Changes the solved positions, in one transaction.
    fn changed<T>(
        &self,
        work: impl FnOnce(&mut Table<Key, Value>) -> Result<T, redb::Error>,
    ) -> Result<T, StoreError> {
        self.written(|database| {
            let transaction = database.begin_write()?;
            let result = work(&mut transaction.open_table(SOLVED)?)?;
            transaction.commit()?;
            Ok(result)
        })
    }

    /// Writes. After an I/O error, for example a full disk, the database refuses everything until it is reopened. This
    /// reopens it, so that the next read or write may succeed.
    fn written<T>(&self, work: impl FnOnce(&Database) -> Result<T, redb::Error>) -> Result<T, StoreError> {
        if self.database.read().is_none() {
            self.reopen()?;
        }
        // Report the first error: it is the cause.
        self.tried(work).inspect_err(|_| drop(self.reopen()))
    }

    fn reopen(&self) -> Result<(), StoreError> {
        let mut database = self.database.write();
        // Only one handle can have the file open, so drop the old one first.
        *database = None;
        *database = Some(open_database(&self.path)?);
        Ok(())
    }

    fn tried<T>(&self, work: impl FnOnce(&Database) -> Result<T, redb::Error>) -> Result<T, StoreError> {
        // Another thread may be reopening it. That can take long, so do not wait for it.
        let Some(database) = self.database.try_read() else { return Err(self.closed()) };
        let Some(database) = &*database else { return Err(self.closed()) };
        match caught(|| work(database)) {
            Some(result) => result.map_err(|error| match error {
                redb::Error::PreviousIo => self.closed(),
                error => unusable(&self.path, &error),
            }),
            None => Err(damaged(&self.path, &WRONG_PAGES)),
        }
    }

    fn closed(&self) -> StoreError {
        StoreError::Closed(self.path.clone())
    }

    fn clash(&self, place: Place) -> StoreError {
        StoreError::Clash(self.path.clone(), place)
    }
}

/// The entry in these bytes, unless it is damaged.
pub(crate) fn read_entry(key: &[u8; Place::BYTES], value: &[u8; Record::BYTES]) -> Option<(Place, Record)> {
    let place = Place::from_bytes(key)?;
    Some((place, Record::from_bytes(&place, value)?))
}

/// Opens an existing file, if it is intact.
fn open_database(path: &Path) -> Result<Database, StoreError> {
    caught(|| open_file(path)).unwrap_or_else(|| Err(damaged(path, &WRONG_PAGES)))
}

fn open_file(path: &Path) -> Result<Database, StoreError> {
    let unusable = |error: io::Error| unusable(path, &error);
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(unusable)?;
    let len = file.metadata().map_err(unusable)?.len();
    if len == 0 {
        return Err(damaged(path, &"it is empty"));
    }
    let shield = Shield::new(file).map_err(|error| cannot_open(path, error))?;
    let mut database = redb::Builder::new()
        .set_cache_size(CACHE)
        .create_with_backend(shield.clone())
        .map_err(|error| cannot_open(path, error))?;
    check_format(path, &database)?;
    if len <= CHECKED_AT_ONCE {
        check_pages(path, &mut database)?;
    }
    shield.lift().map_err(unusable)?;
    Ok(database)
}

/// Creates an empty store, under another name first, so that the file is always complete, even after a power cut.
fn create(path: &Path) -> Result<(), StoreError> {
    let failed = |error: &dyn std::fmt::Display| unusable(path, error);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = PathBuf::from(name);
    let make = || -> Result<(), redb::Error> {
        let database = Database::create(&new)?;
        let transaction = database.begin_write()?;
        transaction.open_table(ABOUT)?.insert(FORMAT_NAME, FORMAT)?;
        transaction.open_table(SOLVED)?;
        transaction.commit()?;
        Ok(())
    };
    let made = make().map_err(|error| failed(&error));
    // A hard link does not replace a file that another process has made meanwhile. Some file systems have none.
    let placed = made.and_then(|()| match std::fs::hard_link(&new, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.exists() => {
            std::fs::rename(&new, path).map_err(|error| failed(&error))
        }
        _ => Ok(()),
    });
    let _ = std::fs::remove_file(&new);
    placed
}

fn check_format(path: &Path, database: &Database) -> Result<(), StoreError> {
    let format = || -> Result<Option<u32>, redb::Error> {
        let about = match database.begin_read()?.open_table(ABOUT) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            about => about?,
        };
        Ok(about.get(FORMAT_NAME)?.map(|value| value.value()))
    };
    match format().map_err(|error| damaged(path, &error))? {
        Some(FORMAT) => Ok(()),
        Some(found) => Err(StoreError::OtherVersion(path.to_owned(), found)),
        None => Err(damaged(path, &"it was made by another program")),
    }
}

fn check_pages(path: &Path, database: &mut Database) -> Result<(), StoreError> {
    match caught(|| database.check_integrity()) {
        Some(Ok(true)) => Ok(()),
        Some(Err(error)) => Err(damaged(path, &error)),
        Some(Ok(false)) | None => Err(damaged(path, &WRONG_PAGES)),
    }
}

fn cannot_open(path: &Path, error: DatabaseError) -> StoreError {
    match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::InUse(path.to_owned()),
        error => damaged(path, &error),
    }
}

fn damaged(path: &Path, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Damaged(path.to_owned(), reason.to_string())
}

fn unusable(path: &Path, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Unusable(path.to_owned(), reason.to_string())
}
