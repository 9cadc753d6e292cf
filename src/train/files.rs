//! Files that are replaced whole.

use std::{
    fs::{self, File},
    io::{self, BufWriter},
    path::Path,
};

/// Writes a file under another name first, so that a kill leaves the old one or the new one, and
/// whoever reads it meanwhile never half of it. What is no regular file is written to directly.
///
/// # Errors
/// If the file cannot be written.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let is_special = path.metadata().is_ok_and(|data| !data.is_file());
    let mut name = path.as_os_str().to_owned();
    if !is_special {
        name.push(".tmp");
    }
    let mut out = BufWriter::new(File::create(&name)?);
    write(&mut out)?;
    let file = out.into_inner()?;
    if is_special {
        return Ok(());
    }
    file.sync_all()?;
    drop(file);
    fs::rename(name, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn an_unfinished_file_replaces_nothing() {
        let path = std::env::temp_dir().join(format!("chuhe-replace-{}", std::process::id()));
        fs::write(&path, "old").unwrap();
        let failed = replace(&path, |out| {
            out.write_all(b"ne")?;
            Err(io::ErrorKind::Interrupted.into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        replace(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let leftover = path.with_extension("tmp");
        assert!(!leftover.exists());
        fs::remove_file(&path).unwrap();
    }
}
