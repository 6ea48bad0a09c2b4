//! Files that commands write: checked before any work, and never cut short.

use std::path::Path;

use anyhow::{Context, bail};
use hardlim::file;

use crate::interrupt;
use crate::plot::{Figure, Picture};

/// Refuses a place that cannot be written to; the flag is what named it.
pub(crate) fn check(flag: &str, path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        bail!("{flag} {}: it is a directory; give a file name", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{flag} {}: there is no directory {}", path.display(), folder.display());
    }
    interrupt::undisturbed(|| file::check(path)).context(flag.to_owned())
}

/// Writes a file in one piece.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    Ok(interrupt::undisturbed(|| file::write(path, bytes))?)
}

/// Writes a picture in one piece.
pub(crate) fn draw(picture: &Picture, figure: &Figure) -> anyhow::Result<()> {
    Ok(interrupt::undisturbed(|| picture.write(figure))?)
}
