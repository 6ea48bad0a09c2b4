//! What `hardlim importance` asks for.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use hardlim::train::{Entry, Options, Request};

use super::{Asked, DataArgs, Door, parse_picture, shared};
use crate::plot::Picture;

/// Prove what is lost without each input of a model
#[derive(Debug, Args)]
#[command(after_help = "\
For each column of the table, the training problem of the model is solved again for networks that \
do not read this column. The lower bound of that problem is a proof: every such network, of any \
width, is worse by at least that much than the model. The best such network that was found shows how \
good the bound is.

The problem is the one of the model: the same loss, weight decay and class of networks. For \
models with --max-inputs 1, 2 or 3, and for tables of few columns, the result is exact up to \
--gap. For others it is the bound that was proven.

The certificate of the model is checked first: if it does not hold, there are no numbers.

This is about the objective on the training data. It does not say how well networks without the \
column predict new rows.

Exit codes: 0 done; 1 the --gap asked for was not reached for every input, or the certificate \
does not hold; 2 could not run; 130 after Ctrl-C.

Examples:
  hardlim train titanic --beta 10 --max-inputs 2 -o titanic.hardlim
  hardlim importance titanic.hardlim titanic
  hardlim importance titanic.hardlim titanic --plot lost.svg")]
pub(crate) struct Importance {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) asked: Asked<ImportanceFlags>,
    /// Draw a bar for each input; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture)]
    pub(crate) plot: Option<Picture>,
}

/// The options that importance shares with training.
#[derive(Debug)]
pub(crate) struct ImportanceFlags;

impl Door for ImportanceFlags {
    fn flag(entry: &Entry) -> Option<String> {
        shared(entry, &["gap", "time_limit"])
    }

    fn help(option: &str) -> Option<&'static str> {
        match option {
            "gap" => Some(
                "Solve for each input to this relative gap; if it is given and not reached, the exit \
                 code is 1 [default: 1e-3]",
            ),
            _ => Some("Stop after this many seconds, and say what is proven then"),
        }
    }
}

impl Importance {
    /// What is asked for.
    pub(crate) fn request(&self) -> Result<Request, hardlim::Error> {
        let mut options = Options::default();
        self.asked.add_to(&mut options)?;
        Request::new(&options)
    }
}
