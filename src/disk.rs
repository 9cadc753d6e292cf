//! Files that go on where they were left, and that only one process may write at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
};

/// Opens a file to read it and to go on with it, and creates it if need be. It stays locked until
/// it is closed, so that a second process cannot write between our lines (on Windows it cannot
/// read them either).
///
/// # Errors
/// If the file cannot be opened; of the kind [`io::ErrorKind::ResourceBusy`] if another process has
/// it. Where a file system knows no locks the file is used without.
pub fn open_alone(path: &Path) -> io::Result<File> {
    // Not for appending only: on Windows such a file cannot be cut.
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing this file"))
        }
        Err(TryLockError::Error(error)) => {
            log::warn!("{} cannot be locked: {error}", path.display());
            Ok(file)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_it() {
        let path = std::env::temp_dir().join(format!("chuhe-alone-{}", std::process::id()));
        let first = open_alone(&path).unwrap();
        let refused = open_alone(&path).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        assert!(open_alone(&path).is_ok());
        std::fs::remove_file(&path).unwrap();
    }
}
