//! Files: written under a temporary name, then renamed, so that a file of its name is whole.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context;

/// Writes a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(".hardlim-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
