//! Files and folders that appear whole or not at all: they are written under a temporary name, then
//! renamed.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::Error;

/// Writes a file in one piece: a reader finds either the old file or all of the new bytes. A file
/// that is replaced keeps its permissions. A path that is not a regular file (a pipe, a terminal)
/// is written to directly.
///
/// # Errors
/// When the folder does not exist or cannot be written to, or the file is read-only.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let direct = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes))
        }
        _ => {
            let mut draft = Draft::new(path)?;
            draft.add(bytes)?;
            return draft.finish();
        }
    };
    direct.map_err(|reason| Error::Write { path: path.into(), reason })
}

/// Checks whether [`write()`] could write there. It leaves nothing behind.
///
/// # Errors
/// When the folder does not exist or cannot be written to, or the file is read-only.
pub fn check(path: &Path) -> Result<(), Error> {
    let result = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => Ok(()),
        _ => temporary(&destination(path)).map(drop),
    };
    result.map_err(|reason| Error::Write { path: path.into(), reason })
}

/// A file that is written piece by piece, and gets its name when it is finished.
#[derive(Debug)]
pub struct Draft {
    /// The path as given, and with links followed.
    path: PathBuf,
    target: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Draft {
    /// An empty draft of a file.
    ///
    /// # Errors
    /// When the folder cannot be written to, the file is read-only, or the path is not a regular
    /// file.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let failed = |reason| Error::Write { path: path.into(), reason };
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        let target = destination(path);
        let file = BufWriter::with_capacity(1 << 20, temporary(&target).map_err(failed)?);
        Ok(Self { path: path.into(), target, file })
    }

    /// The path of the file until it is finished.
    pub fn temporary_path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// Adds bytes at the end.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|reason| self.failed(reason))
    }

    /// Replaces bytes at the start.
    pub fn put_at_start(&mut self, bytes: &[u8]) -> Result<(), Error> {
        (self.file.seek(SeekFrom::Start(0)))
            .and_then(|_| self.file.write_all(bytes))
            .map_err(|reason| self.failed(reason))
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Error> {
        let Self { path, target, file } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        (file.and_then(|file| file.as_file().sync_all().map(|()| file)))
            .and_then(|file| file.persist(&target).map_err(|error| error.error))
            .map(drop)
            .map_err(|reason| Error::Write { path, reason })
    }

    fn failed(&self, reason: io::Error) -> Error {
        Error::Write { path: self.path.clone(), reason }
    }
}

/// A folder that is filled under a temporary name, and gets its own when it is finished.
#[derive(Debug)]
pub struct DraftFolder {
    path: PathBuf,
    folder: tempfile::TempDir,
}

impl DraftFolder {
    /// An empty draft of a folder that does not exist yet, or is empty.
    ///
    /// # Errors
    /// When the path already exists and is not an empty folder, or the folder around it cannot be
    /// written to.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let failed = |reason| Error::Write { path: path.into(), reason };
        // Links and `.` are followed to the folder itself, which is what gets replaced.
        let target = destination(path);
        match fs::read_dir(&target) {
            Ok(mut found) => {
                if found.next().is_some() {
                    return Err(failed(io::Error::other("the folder is not empty")));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(failed(error)),
        }
        let beside = folder(&target);
        if !beside.is_dir() {
            let reason = format!("there is no directory {}", beside.display());
            return Err(failed(io::Error::other(reason)));
        }
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o777)); // minus the user's mask
        }
        let folder = builder.prefix(".hardlim-").tempdir_in(beside);
        Ok(Self { path: target.clone(), folder: folder.map_err(|e| failed(e.kind().into()))? })
    }

    /// The path of the folder until it is finished.
    pub fn temporary_path(&self) -> &Path {
        self.folder.path()
    }

    /// Adds a file, and the folders in its name.
    pub fn add(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.path().join(name);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let failed = |reason| Error::Write { path: self.path.join(name), reason };
        folder.and_then(|()| fs::write(&path, bytes)).map_err(failed)
    }

    /// Gives the folder its name.
    pub fn finish(self) -> Result<(), Error> {
        let Self { path, folder } = self;
        match fs::remove_dir(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::rename(folder.path(), &path),
        }
        .map_err(|reason| Error::Write { path, reason })?;
        let _ = folder.keep(); // it has been renamed
        Ok(())
    }
}

/// Whether two paths lead to the same file or folder. Links are followed, and the file need not
/// exist. A device or a pipe does not count: two names of it may both be written to.
pub fn same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) if !stores(&one) || !stores(&other) => false,
        #[cfg(unix)]
        (Ok(one), Ok(other)) => {
            use std::os::unix::fs::MetadataExt as _;
            (one.dev(), one.ino()) == (other.dev(), other.ino())
        }
        _ => destination(one) == destination(other),
    }
}

/// Whether bytes that are written there stay there.
fn stores(found: &fs::Metadata) -> bool {
    found.is_file() || found.is_dir()
}

/// The path with links followed; the file need not exist. Its folder is canonical if that exists.
fn destination(path: &Path) -> PathBuf {
    /// The number of links that Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(found) = fs::canonicalize(&path) {
            return found;
        }
        let Ok(link) = fs::read_link(&path) else { break };
        path = folder(&path).join(link);
    }
    match (fs::canonicalize(folder(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A temporary file beside `path`. It has the permissions of the file at `path`, or of a new file
/// if there is none.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let replaced = fs::metadata(path).ok();
    if let Some(replaced) = &replaced {
        if replaced.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
        }
        OpenOptions::new().write(true).open(path)?; // and we may write to it
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let new = || fs::Permissions::from_mode(0o666); // minus the user's mask
        builder.permissions(replaced.as_ref().map_or_else(new, fs::Metadata::permissions));
    }
    // The error would name the temporary file. The same problem applies to the file that is meant.
    let file = builder.prefix(".hardlim-").tempfile_in(folder(path));
    let file = file.map_err(|error| io::Error::from(error.kind()))?;
    if let Some(replaced) = replaced {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt as _, fchown};
            // The group also decides who may read. A user who may not change the owner keeps the
            // file.
            let _ = fchown(file.as_file(), Some(replaced.uid()), Some(replaced.gid()));
        }
        file.as_file().set_permissions(replaced.permissions())?;
    }
    Ok(file)
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
    fn a_draft_has_its_name_only_when_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        let mut draft = Draft::new(&path).unwrap();
        draft.add(b"....rows").unwrap();
        assert!(!path.exists());
        draft.put_at_start(b"head").unwrap();
        draft.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"headrows");
        let mut draft = Draft::new(&path).unwrap();
        draft.add(b"other").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(draft);
        assert_eq!(names(folder.path()), ["list"]);
        assert_eq!(fs::read(&path).unwrap(), b"headrows");
        assert!(Draft::new(folder.path()).is_err() && Draft::new(Path::new("/dev/null")).is_err());
    }

    #[test]
    fn a_folder_has_its_name_only_when_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("export");
        for there in [false, true] {
            if there {
                fs::create_dir(&path).unwrap();
            }
            let draft = DraftFolder::new(&path).unwrap();
            draft.add("a/b.c", b"text").unwrap();
            assert!(!path.join("a").exists());
            draft.finish().unwrap();
            assert_eq!(fs::read(path.join("a/b.c")).unwrap(), b"text");
            let full = DraftFolder::new(&path).unwrap_err().to_string();
            assert!(full.ends_with("the folder is not empty"), "{full}");
            fs::remove_dir_all(&path).unwrap();
        }
        drop(DraftFolder::new(&path).unwrap());
        assert!(names(folder.path()).is_empty());
        fs::write(&path, b"").unwrap();
        assert!(DraftFolder::new(&path).is_err());
        assert!(DraftFolder::new(&folder.path().join("absent/export")).is_err());
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
        // Like any new file, its permissions follow the mask, and it is not for its owner only.
        let plain = folder.path().join("plain");
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain));
        let null = Path::new("/dev/null");
        check(null).unwrap();
        write(null, b"gone").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        // A link to a file that does not exist yet stays a link, too.
        let (new, link) = (folder.path().join("new"), folder.path().join("early"));
        symlink("new", &link).unwrap();
        write(&link, b"text").unwrap();
        assert_eq!(fs::read(&new).unwrap(), b"text");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn one_file_is_known_under_all_its_names() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), b"").unwrap();
        fs::create_dir(at("inside")).unwrap();
        symlink("file", at("link")).unwrap();
        symlink("link", at("inside/chain")).unwrap(); // leads to inside/link, which does not exist
        fs::hard_link(at("file"), at("twin")).unwrap();
        for name in ["file", "./file", "link", "twin", "inside/../file"] {
            assert!(same(&at("file"), &at(name)) && same(&at(name), &at("file")), "{name}");
        }
        for (one, other) in [("new", "inside/../new"), ("inside/chain", "inside/link")] {
            assert!(same(&at(one), &at(other)), "{one}");
        }
        for name in ["other", "inside/file", "inside", "inside/chain"] {
            assert!(!same(&at("file"), &at(name)), "{name}");
        }
        let null = Path::new("/dev/null");
        assert!(!same(null, null) && same(&at("inside"), &at("inside/.")));
        symlink("round", at("round")).unwrap();
        assert!(!same(&at("round"), &at("file")) && same(&at("round"), &at("round")));
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions_and_a_read_only_one_its_bytes() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
        let set = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        fs::write(&path, b"old").unwrap();
        for wanted in [0o600, 0o664, 0o755] {
            set(wanted);
            write(&path, b"new").unwrap();
            assert_eq!(mode(), wanted);
            let mut draft = Draft::new(&path).unwrap();
            draft.add(b"newer").unwrap();
            draft.finish().unwrap();
            assert_eq!(mode(), wanted);
        }
        set(0o444);
        let failed = format!("cannot write {}: it is read-only", path.display());
        assert_eq!(check(&path).unwrap_err().to_string(), failed);
        assert_eq!(write(&path, b"no").unwrap_err().to_string(), failed);
        assert_eq!(Draft::new(&path).unwrap_err().to_string(), failed);
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(names(folder.path()), ["model"]);
    }
}
