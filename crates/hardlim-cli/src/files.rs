//! Files that commands write: checked before any work, and never cut short.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hardlim::model::file::{self, Draft};

use crate::args::{Files, Named};
use crate::interrupt;
use crate::plot::{Figure, Picture};

/// Refuses, before any work, outputs that cannot be written, that are also inputs, or that two
/// flags share.
pub(crate) fn check(files: &Files) -> anyhow::Result<()> {
    let Files { inputs, outputs } = files;
    for (k, output) in outputs.iter().enumerate() {
        let Named { by, path, .. } = output;
        let same = |other: &&Named| file::same(path, &other.path);
        if let Some(input) = inputs.iter().find(same) {
            let what = if output.folder { "folder" } else { "file" };
            bail!("{by} {}: {} names the same {what}; write to another", path.display(), input.by);
        }
        if let Some(other) = outputs[..k].iter().find(same) {
            bail!("{} and {by} {}: these name the same file", other.by, path.display());
        }
        if !output.folder {
            check_place(by, path)?;
        }
    }
    Ok(())
}

/// Refuses a place that cannot be written to; the flag named it.
fn check_place(flag: &'static str, path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{flag} {}: it is a directory; give a file name", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{flag} {}: there is no directory {}", path.display(), folder.display());
    }
    interrupt::undisturbed(|| file::check(path)).context(flag)
}

/// Writes a file in one piece.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    Ok(interrupt::undisturbed(|| file::write(path, bytes))?)
}

/// Writes a picture in one piece.
pub(crate) fn draw(picture: &Picture, figure: &Figure) -> anyhow::Result<()> {
    Ok(interrupt::undisturbed(|| picture.write(figure))?)
}

/// Where answers go, piece by piece.
pub(crate) enum Output {
    Standard,
    /// A file that has its name only once it is finished.
    Draft(Draft),
    /// Not a regular file: a pipe, a terminal.
    Device(File, PathBuf),
}

impl Output {
    /// The file of that name.
    pub(crate) fn file(path: &Path) -> anyhow::Result<Self> {
        if path.exists() && !path.is_file() {
            let file = OpenOptions::new().write(true).open(path);
            let file = file.with_context(|| format!("cannot write {}", path.display()))?;
            return Ok(Self::Device(file, path.into()));
        }
        let draft = Draft::new(path)?;
        interrupt::remove_on_exit(draft.temporary_path());
        Ok(Self::Draft(draft))
    }

    /// Adds bytes at the end. If the reader of standard output has gone away, the program
    /// ends.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Standard => match io::stdout().write_all(bytes) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
                result => result.context("cannot write to standard output"),
            },
            Self::Draft(draft) => Ok(draft.add(bytes)?),
            Self::Device(file, path) => {
                file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }

    /// Gives a file its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Draft(draft) => Ok(interrupt::undisturbed(|| draft.finish())?),
            Self::Standard | Self::Device(..) => Ok(()),
        }
    }
}
