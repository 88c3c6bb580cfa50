//! A file that is written beside the one it replaces, and takes its name once it is complete.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Writes a file. If that fails, the old one stays as it is.
pub fn write(path: &Path, content: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let mut beside = Beside::new(path)?;
    content(&mut beside.file)?;
    beside.finish()
}

/// A file that is not complete yet. If it never is, nothing is left of it.
struct Beside {
    /// The file that it will replace; links are followed, so that they stay.
    target: PathBuf,
    new: PathBuf,
    /// Locked: no other process writes it meanwhile.
    file: File,
}

impl Beside {
    /// An empty file beside this one.
    fn new(path: &Path) -> Result<Beside> {
        let target = followed(path)?;
        if let Some(old) = old(&target)? {
            if !old.is_file() {
                return Err(Error::new(ErrorKind::InvalidInput, "it is not an ordinary file"));
            }
            // What must not be written is not replaced either.
            OpenOptions::new().write(true).open(&target)?;
        }
        let new = new_name(&target);
        let file = locked(&new)?;
        let beside = Beside { target, new, file };
        beside.file.set_len(0)?;
        Ok(beside)
    }

    /// Gives it its name.
    fn finish(self) -> Result<()> {
        if let Some(old) = old(&self.target)? {
            self.file.set_permissions(old.permissions())?;
        }
        self.file.sync_all()?;
        std::fs::rename(&self.new, &self.target)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // Half a file is of no use. If it was renamed, or another process has its own under this name, it is not ours.
        if matches!(is_named(&self.file, &self.new), Ok(true)) {
            let _ = std::fs::remove_file(&self.new);
        }
    }
}

/// Checks whether a file could be written later: better to fail before the work than after it.
pub fn try_writing(path: &Path) -> Result<()> {
    match Beside::new(path) {
        // It can, once the other process is done.
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
        tried => tried.map(drop),
    }
}

/// What a name stands for, if there is anything.
fn old(path: &Path) -> Result<Option<Metadata>> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// The file that a name stands for at the end of all links, whether it is there or not.
fn followed(path: &Path) -> Result<PathBuf> {
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        match std::fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            // No link, or nothing at all.
            Err(_) => return Ok(path),
        }
    }
    Err(Error::new(ErrorKind::InvalidInput, "too many links"))
}

fn new_name(path: &Path) -> PathBuf {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    new.into()
}

/// The file under its new name, for this process alone.
fn locked(new: &Path) -> Result<File> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(new)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Error::new(ErrorKind::WouldBlock, "another process is writing it"));
            }
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => return Ok(file),
            // If the other process has finished meanwhile, this file has another name, and is no longer ours to write.
            Ok(()) if is_named(&file, new)? => return Ok(file),
            Ok(()) => {}
        }
    }
}

/// Whether a name stands for this very file.
fn is_named(file: &File, name: &Path) -> Result<bool> {
    let ours = file.metadata()?;
    Ok(old(name)?.is_some_and(|named| is_same(&ours, &named)))
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// There an open file cannot get another name.
#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;
    use std::path::PathBuf;

    use super::*;

    /// An empty folder for a test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("solrex-beside-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn write(path: &Path, content: &str) -> Result<()> {
        super::write(path, |file| file.write_all(content.as_bytes()))
    }

    #[test]
    fn it_takes_the_name_when_it_is_whole_and_leaves_nothing_otherwise() {
        let folder = folder("whole");
        let path = folder.join("file");
        write(&path, "old").unwrap();
        let mut half = Beside::new(&path).unwrap();
        half.file.write_all(b"ne").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        drop(half);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        // The remains of a killed process do no harm.
        std::fs::write(new_name(&path), "left over and longer").unwrap();
        write(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn one_file_under_two_names_is_one_file() {
        let folder = folder("names");
        let [path, link, away] = ["file", "link", "away"].map(|name| folder.join(name));
        std::os::unix::fs::symlink("file", &link).unwrap();
        std::os::unix::fs::symlink(&folder, &away).unwrap();
        // First through a link to a file that is not there yet.
        write(&link, "one").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        let held = Beside::new(&path).unwrap();
        for other in [&path, &link, &away.join("file"), &away.join("link")] {
            assert_eq!(Beside::new(other).err().unwrap().kind(), ErrorKind::WouldBlock, "{other:?}");
            try_writing(other).unwrap();
        }
        held.finish().unwrap();
        write(&away.join("link"), "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert!(link.is_symlink() && away.is_symlink());
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Who had the name open while another process gave that file its place must not write it: it is the finished one,
    /// and a third process may have the name by now.
    #[test]
    fn a_file_is_known_by_what_it_is_and_not_by_its_name() {
        let folder = folder("renamed");
        let path = folder.join("file");
        let mut first = Beside::new(&path).unwrap();
        first.file.write_all(b"finished").unwrap();
        let late = OpenOptions::new().write(true).open(new_name(&path)).unwrap();
        assert!(is_named(&late, &new_name(&path)).unwrap());
        first.finish().unwrap();
        let third = Beside::new(&path).unwrap();
        assert!(!is_named(&late, &new_name(&path)).unwrap());
        assert!(is_named(&late, &path).unwrap() && is_named(&third.file, &new_name(&path)).unwrap());
        std::fs::hard_link(&path, folder.join("hard")).unwrap();
        assert!(is_named(&late, &folder.join("hard")).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        for path in ["/dev/null", "/"] {
            assert_eq!(Beside::new(Path::new(path)).err().unwrap().to_string(), "it is not an ordinary file");
        }
    }
}
