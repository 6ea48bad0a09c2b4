//! Files that commands write: checked before any work, and never cut short.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Arg, ArgMatches, ValueHint};
use hardlim::model::file::{self, Draft};

use crate::plot::{Figure, Picture};
use crate::{args, interrupt};

/// The arguments that name what a command writes. Every other argument with a path is read.
const WRITTEN: [&str; 5] = ["csv", "hull", "output", "plot", "trace"];

/// A file or folder, and the argument that names it.
struct Named {
    by: String,
    path: PathBuf,
    folder: bool,
}

/// What a command reads and writes.
pub(crate) struct Files {
    inputs: Vec<Named>,
    outputs: Vec<Named>,
}

impl Files {
    /// The paths in the arguments of a command. Patterns are expanded, and `-` may be a file, too.
    /// What does not exist, such as a built-in table, is not read.
    pub(crate) fn of(typed: &ArgMatches) -> Self {
        let mut files = Self { inputs: Vec::new(), outputs: Vec::new() };
        let all = args::command();
        let Some((name, typed)) = typed.subcommand() else { return files };
        let arguments =
            all.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
        for arg in arguments.filter(|arg| names_path(arg)) {
            let folder = arg.get_value_hint() == ValueHint::DirPath;
            let named = |path: PathBuf| Named { by: spelled(arg), path, folder };
            let values = typed.try_get_raw(arg.get_id().as_str()).ok().flatten();
            for value in values.into_iter().flatten() {
                match value.to_str() {
                    _ if WRITTEN.contains(&arg.get_id().as_str()) => {
                        files.outputs.push(named(value.into()));
                    }
                    Some("-") => files.inputs.push(named("/dev/stdin".into())),
                    Some(text) => {
                        let found = args::matching(text).into_iter();
                        files.inputs.extend(found.map(|path| named(path.into())));
                    }
                    None => files.inputs.push(named(value.into())),
                }
            }
        }
        files.inputs.retain(|input| input.path.exists());
        files
    }
}

fn names_path(arg: &Arg) -> bool {
    matches!(arg.get_value_hint(), ValueHint::FilePath | ValueHint::DirPath)
}

/// `-o`, `--trace` or `DATA`.
fn spelled(arg: &Arg) -> String {
    match (arg.get_short(), arg.get_long(), arg.get_value_names()) {
        (Some(short), _, _) => format!("-{short}"),
        (None, Some(long), _) => format!("--{long}"),
        (None, None, Some([name, ..])) => name.to_string(),
        _ => arg.get_id().as_str().to_uppercase(),
    }
}

/// Refuses, before any work, outputs that cannot be written, that are also inputs, or that two
/// flags share.
pub(crate) fn check(Files { inputs, outputs }: &Files) -> anyhow::Result<()> {
    let standard = Path::new("/dev/stdout");
    if let Some(input) = inputs.iter().find(|input| file::same(standard, &input.path)) {
        bail!("standard output: {} names the same file, {}", input.by, input.path.display());
    }
    for (k, output) in outputs.iter().enumerate() {
        let Named { by, path, folder } = output;
        let same = |other: &&Named| file::same(path, &other.path);
        if let Some(input) = inputs.iter().find(same) {
            let what = if *folder { "folder" } else { "file" };
            let (path, read) = (path.display(), input.path.display());
            bail!("{by} {path}: {} names the same {what}, {read}; write to another", input.by);
        }
        if let Some(other) = outputs[..k].iter().find(same) {
            bail!("{} and {by} {}: these name the same file", other.by, path.display());
        }
        if !folder {
            check_place(by, path)?;
        }
    }
    Ok(())
}

/// Refuses a place that cannot be written to; the flag named it.
fn check_place(flag: &str, path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("{flag} {}: it is a directory; give a file name", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{flag} {}: there is no directory {}", path.display(), folder.display());
    }
    interrupt::undisturbed(|| file::check(path)).with_context(|| flag.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_every_command_is_known_as_read_or_written() {
        let read = ["data", "design", "model", "more", "sample_weight", "target"];
        for command in args::command().get_subcommands() {
            for arg in command.get_arguments() {
                let (id, path) = (arg.get_id().as_str(), names_path(arg));
                let (read, written) = (read.contains(&id), WRITTEN.contains(&id));
                assert!(!path || read || written, "{} {id}", command.get_name());
                assert!(path || !written, "{} {id}", command.get_name());
            }
        }
    }
}
