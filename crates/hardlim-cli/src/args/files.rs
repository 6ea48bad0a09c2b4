//! The files that a command names: those it reads and those it writes.

use std::path::{Path, PathBuf};

use super::{Command, DataArgs};
use crate::plot::Picture;

/// A file or folder, and what named it on the command line.
#[derive(Debug)]
pub(crate) struct Named {
    /// A flag, or the placeholder of an argument.
    pub(crate) by: &'static str,
    pub(crate) path: PathBuf,
    /// Whether it is a folder.
    pub(crate) folder: bool,
}

/// What a command reads and writes.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) inputs: Vec<Named>,
    pub(crate) outputs: Vec<Named>,
}

impl Files {
    /// The files of a command.
    pub(crate) fn of(command: &Command) -> Self {
        let files = Self::default();
        match command {
            Command::Describe(args) => files.data("DATA", Some(&args.data)),
            Command::Train(args) => (files.data("DATA", Some(&args.data)))
                .writes("--trace", args.trace.as_deref())
                .writes("--plot", args.plot.as_ref().map(Picture::path))
                .writes("-o", args.output.as_deref()),
            Command::Predict(args) => (files.reads("MODEL", Some(&args.model)))
                .data("DATA", Some(&args.data))
                .writes("-o", args.output.as_deref()),
            Command::Evaluate(args) => {
                files.reads("MODEL", Some(&args.model)).data("DATA", Some(&args.data))
            }
            Command::Certify(args) => {
                files.reads("MODEL", Some(&args.model)).data("DATA", Some(&args.data))
            }
            Command::Weights(args) => (files.reads("MODEL", Some(&args.model)))
                .data("DATA", Some(&args.data))
                .writes("-o", args.output.as_deref()),
            Command::Path(args) => (files.data("DATA", Some(&args.data)))
                .writes("--csv", args.csv.as_deref())
                .writes("--plot", args.plot.as_ref().map(Picture::path)),
            Command::Lasso(args) => (files.reads("--design", Some(&args.design)))
                .reads("--target", Some(&args.target))
                .reads("--sample-weight", args.sample_weight.as_deref())
                .writes("-o", args.output.as_deref()),
            Command::Arrangements(args) => (files.data("DATA", Some(&args.data)))
                .writes("-o", args.output.as_deref())
                .writes("--hull", args.hull.as_ref().map(Picture::path)),
            Command::Interpolate(args) => {
                files.data("DATA", Some(&args.data)).writes("-o", args.output.as_deref())
            }
            Command::Halfspace(args) => files.data("DATA", Some(&args.data)),
            Command::Explain(args) => (files.reads("MODEL", Some(&args.model)))
                .data("DATA", args.table().as_ref())
                .writes("-o", args.output.as_deref()),
            Command::Importance(args) => (files.reads("MODEL", Some(&args.model)))
                .data("DATA", Some(&args.data))
                .writes("--plot", args.plot.as_ref().map(Picture::path)),
            Command::Export(args) => (files.reads("MODEL", Some(&args.model)))
                .data("--data", args.table().as_ref())
                .fills("-o", &args.output),
            Command::Plot(args) => (files.reads("MODEL", Some(&args.model)))
                .data("DATA", Some(&args.data))
                .writes("-o", Some(args.output.path())),
            Command::Report(args) => (files.reads("MODEL", Some(&args.model)))
                .data("DATA", Some(&args.data))
                .writes("-o", Some(&args.output)),
            Command::Baseline(args) => (files.data("DATA", Some(&args.data)))
                .writes("-o", args.output.as_deref())
                .writes("--trace", args.trace.as_deref())
                .writes("--plot", args.plot.as_ref().map(Picture::path)),
            Command::Reproduce(args) => {
                files.reads("--data", args.data().as_deref()).fills("-o", &args.output)
            }
            Command::Datasets | Command::Completions { .. } => files,
        }
    }

    /// Reads a file or a folder.
    fn reads(mut self, by: &'static str, path: Option<&Path>) -> Self {
        self.inputs.extend(path.map(|path| Named { by, path: path.into(), folder: path.is_dir() }));
        self
    }

    /// Reads a table. Standard input may be a file, too; a built-in table is not a file, unless a file has
    /// its name.
    fn data(self, by: &'static str, data: Option<&DataArgs>) -> Self {
        let path = |data: &str| if data == "-" { "/dev/stdin".into() } else { PathBuf::from(data) };
        let path = data.map(|data| path(&data.data)).filter(|path| path.exists());
        self.reads(by, path.as_deref())
    }

    /// Writes a file.
    fn writes(mut self, by: &'static str, path: Option<&Path>) -> Self {
        self.outputs.extend(path.map(|path| Named { by, path: path.into(), folder: false }));
        self
    }

    /// Writes files into a folder.
    fn fills(mut self, by: &'static str, path: &Path) -> Self {
        self.outputs.push(Named { by, path: path.into(), folder: true });
        self
    }
}
