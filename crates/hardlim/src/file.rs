//! Files that are whole or not there: written under a temporary name, then renamed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Error;

/// Writes a file in one piece: whoever reads under this name finds what was there before, or all of
/// the new bytes. What is no regular file (a pipe, a terminal) is written to as it is.
///
/// # Errors
/// When the folder is not there or cannot be written to.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let result = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes))
        }
        _ => replace(path, bytes),
    };
    result.map_err(|reason| Error::Write { path: path.into(), reason })
}

/// Says whether [`write()`] would find a place to write to, and leaves nothing behind.
///
/// # Errors
/// When the folder is not there or cannot be written to.
pub fn check(path: &Path) -> Result<(), Error> {
    let result = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(()),
        _ => temporary(&destination(path)).map(drop),
    };
    result.map_err(|reason| Error::Write { path: path.into(), reason })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = destination(path);
    let mut file = temporary(&path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Behind a link, the file it leads to.
fn destination(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.into())
}

/// A file beside the one that is meant, with the permissions of a new file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less what the user masks
    }
    // The error would name the temporary file; what went wrong is the same for ours.
    builder.prefix(".hardlim-").tempfile_in(folder).map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names.into_iter().map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        for text in ["one", "another"] {
            check(&path).unwrap();
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["model"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().join("absent/model"), folder.path().to_owned()] {
            let (one, other) = (check(&path).unwrap_err(), write(&path, b"").unwrap_err());
            assert_eq!(one.to_string(), other.to_string());
            assert!(one.to_string().starts_with(&format!("cannot write {}: ", path.display())));
        }
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_devices() {
        use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write(&file, b"old").unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        // As any new file: what is readable follows from the mask, and is not the owner's alone.
        let plain = folder.path().join("plain");
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain));
        let null = Path::new("/dev/null");
        check(null).unwrap();
        write(null, b"gone").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
    }
}
