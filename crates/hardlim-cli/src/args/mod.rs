//! What can be typed: one struct for each command, checked before any work.

mod arrangements;
mod baseline;
mod blocks;
mod describe;
mod explain;
mod export;
mod flag;
mod halfspace;
mod help;
mod importance;
mod interpolate;
mod path;
mod report;
mod reproduce;
mod training;
mod weights;

pub(crate) use arrangements::Arrangements;
pub(crate) use baseline::Baseline;
pub(crate) use blocks::{BlockArgs, matching};
pub(crate) use describe::Describe;
pub(crate) use explain::Explain;
pub(crate) use export::Export;
pub(crate) use halfspace::Halfspace;
pub(crate) use help::command;
pub(crate) use importance::Importance;
pub(crate) use interpolate::Interpolate;
pub(crate) use path::Path;
pub(crate) use report::Report;
pub(crate) use reproduce::Reproduce;
pub(crate) use training::{CvArgs, ProblemArgs, StrengthArgs, TrainingArgs};
pub(crate) use weights::Weights;

use std::path::PathBuf;
use std::str::FromStr;

use crate::plot::Picture;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use hardlim::network::Representation;
use hardlim::table::{CodingOptions, Missing, ReadOptions, Task, builtin};
use hardlim::train::{InputCounts, Method, Request};

/// Neural networks of threshold neurons, trained to certified global optimality.
///
/// Training a two-layer threshold network with weight decay is a Lasso over the patterns its neurons
/// can answer. hardlim solves it and proves how good the result is: every model carries its
/// objective, a lower bound that no other network can beat, and the gap between the two.
#[derive(Debug, Parser)]
#[command(name = "hardlim", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What every command understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Print one JSON object on standard output, and nothing else there
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// The random seed: for sampled patterns, splits and generated data
    #[arg(long, global = true, value_name = "N", default_value_t = 0, help_heading = "Everywhere")]
    pub(crate) seed: u64,
    /// The number of threads [default: all cores]
    ///
    /// Results do not depend on it, unless a time limit ends the run.
    #[arg(long, global = true, value_name = "N", help_heading = "Everywhere",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a table would be read as, before any training
    Describe(Describe),
    /// Train a network, and prove how good it is
    Train(Box<Train>),
    /// Predict for new rows
    Predict(Predict),
    /// Score a model on labelled data
    Evaluate(Evaluate),
    /// Check a certificate again, from the model and its data alone
    Certify(Certify),
    /// Choose other weights, with the same answers and certificate
    Weights(Weights),
    /// Train for decreasing weight decays, and compare the networks
    Path(Path),
    /// Solve the Lasso program on any 0/1 matrix
    Lasso(Lasso),
    /// List every pattern that a neuron can produce on a table
    Arrangements(Arrangements),
    /// Find the network of least norm that fits every target, if any
    Interpolate(Interpolate),
    /// Find the halfspace that agrees best with a column, proven
    Halfspace(Halfspace),
    /// Show a model as rules, those that change its output most first
    Explain(Explain),
    /// Prove what is lost without each input of a model
    Importance(Importance),
    /// Write a model as C, Rust, Verilog or ONNX, and check the answers
    Export(Export),
    /// Draw a model of two features: cells, neurons and the data
    Plot(Plot),
    /// Write a page about a model, for the browser
    Report(Report),
    /// Train by gradient descent with surrogate gradients, to compare
    Baseline(Baseline),
    /// Reproduce a figure or table of the paper, or all of them
    Reproduce(Reproduce),
    /// List the built-in data sets
    Datasets,
    /// Print a completion script for a shell
    ///
    /// For example: hardlim completions bash > /etc/bash_completion.d/hardlim
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// Train a network, and prove how good it is
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 done; 1 the --gap asked for was not reached (the model is still written); 2 could not \
run; 130 after Ctrl-C (the best model so far is written).

Without --beta and --beta-ratio you get the network that predicts best: cross-validation chooses the weight \
decay and how many inputs neurons read, in about 10 seconds. With them you pose a problem and get its optimum. \
--method, --patterns, --layers, --widths and --representation pose a problem, too.

With --memory the rows are read block by block and wait in a temporary file, so there may be more of them than \
memory holds. The result does not depend on the memory: with and without this flag, networks of more than \
65,536 rows are built from the patterns of 2000 random neurons, and one row in ten is held out to choose the \
weight decay.

Examples:
  hardlim train flowers.csv -o flowers.hardlim
  hardlim train titanic --beta 10 -o titanic.hardlim
  hardlim train flowers.csv --target species --beta-ratio 0.02 --holdout 0.2
  hardlim train flowers.csv --target species --cv 5 --one-se -o flowers.hardlim
  hardlim train wide.csv --method complete --weights svm --beta 0.1
  hardlim train titanic --method enumerate --loss logistic --beta 10
  hardlim train line --method enumerate --layers 3 --widths 2
  hardlim train checkerboard --rows 400 --method generate --layers 3 --widths 2
  hardlim train teacher3 --layers 10 --representation gaussian --weights pi --beta 0.001
  hardlim train titanic --representation staircase --loss logistic
  hardlim train 'days-*.parquet' --memory 1GiB -o days.hardlim")]
pub(crate) struct Train {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
    #[command(flatten)]
    columns: ColumnArgs,
    #[command(flatten)]
    problem: ProblemArgs,
    #[command(flatten)]
    strength: StrengthArgs,
    #[command(flatten)]
    cross_validation: CvArgs,
    /// auto: complete if it applies, enumerate if there are few patterns, sample with --patterns,
    /// otherwise generate. generate: search all patterns for useful ones, and bound what the others could
    /// gain. enumerate: the Lasso over all patterns, for data with few rows or columns. sample: the Lasso
    /// over the patterns of random weights. complete: an exact closed form, if every dichotomy of the rows
    /// is possible
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = "Search")]
    method: Method,
    /// The number of layers, including the output. More than 2: parallel subnetworks with the given
    /// --widths; without --widths, a --representation that is chosen for the data
    #[arg(long, value_name = "L", value_parser = whole::<usize>, help_heading = "Search")]
    layers: Option<usize>,
    /// The widths of the layers below the last hidden layer, the first layer first, separated by commas:
    /// two numbers fewer than layers. They are the widths of each subnetwork (enumerate, sample; generate
    /// with one width of at most 4). With --representation gaussian, they are the widths of the random
    /// layers, and one number is for all [default there: 1000]
    #[arg(long, value_name = "M1,M2", value_delimiter = ',', help_heading = "Search",
          value_parser = whole::<usize>)]
    widths: Vec<usize>,
    /// Fix the first layers so that every dichotomy of the rows is possible above them. The result is the
    /// optimum over networks of any width and depth. gaussian: layers of random neurons (see --layers),
    /// whose rank is checked. staircase: thresholds along one direction, one for each change of the target
    /// in that order; the weights above are -1, 0 and 1. Both fit the training rows as closely as the
    /// weight decay allows, so check with --holdout
    #[arg(long, value_name = "HOW", help_heading = "Search")]
    representation: Option<Representation>,
    /// Subnetworks are trees: neurons share no neuron of the layer below
    #[arg(long, help_heading = "Search")]
    tree: bool,
    /// Which weights to use for each pattern; all give the same objective: sampled (as found), svm (widest
    /// margin), center (middle of the cell), sparse (few inputs), integer (small integers) or pi
    /// (pseudo-inverse). hardlim weights changes them later [default: sampled; svm with complete and with
    /// two-layer enumerate; pi with staircase]
    #[arg(long, value_name = "CHOICE", help_heading = "Search")]
    weights: Option<hardlim::network::Weights>,
    /// Limit every neuron to at most K inputs, 1, 2 or 3: rules that are easy to read
    ///
    /// The result is certified over all networks of such neurons.
    #[arg(long, value_name = "K", value_parser = whole::<usize>, help_heading = "Search")]
    max_inputs: Option<usize>,
    /// Train R networks, each with its own random neurons, and average them: better on new rows than one
    /// [default: up to 12 for the best predictions, otherwise 1]
    #[arg(long, value_name = "R", value_parser = whole::<usize>, help_heading = "Search")]
    average: Option<usize>,
    /// How many inputs random neurons read: mixed is one, two, four, eight, sixteen or all of them; or a
    /// list such as 1,2,5, of which every neuron takes one number [default: what predicts best; all with
    /// --method sample]
    #[arg(long, value_name = "mixed|LIST", help_heading = "Search")]
    inputs: Option<InputCounts>,
    /// A neuron that reads K inputs pays K^P times the penalty, so neurons read fewer inputs; try 0.25. Every
    /// level of a category that it reads counts as an input. For the best predictions, --method sample and
    /// --max-inputs 1
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = number, help_heading = "Search",
          allow_negative_numbers = true)]
    input_cost: f64,
    /// Round numbers to steps of at most B bits before training, from 1 to 16, and choose integer weights of at
    /// most B bits with the sign: small circuits that lose nothing
    ///
    /// Each column gets a step that is a power of two, and the range in which so many steps tell its rows apart
    /// best; values beyond it become its ends. The model file has the steps, so predictions, certificates and
    /// exports all see the rounded numbers. A neuron of the first layer whose cell has no integer weights of B
    /// bits becomes the nearest one that has, and the report says what that costs. Weights have 2 bits at
    /// least. With --weights other than integer, only the numbers are rounded.
    #[arg(long, value_name = "B", value_parser = whole::<u32>, help_heading = "Search")]
    bits: Option<u32>,
    /// With --bits, the most bits of integer weights with the sign, from 2 to 32 [default: B]
    ///
    /// More than B bits cost nothing in a circuit if neurons read few bits, because these become tables.
    #[arg(long, value_name = "W", value_parser = whole::<u32>, help_heading = "Search")]
    weight_bits: Option<u32>,
    /// Keep at most N neurons in all. For the best predictions; with --max-inputs, too
    ///
    /// They are chosen in several ways, those that answer most like the full network or those that fit the rows
    /// best, and cross-validation decides between them. With --max-inputs they are exchanged for any others that
    /// are better, if there are not too many to search.
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = "Search")]
    neurons: Option<usize>,
    /// With --neurons, train output weights of at most B bits with the sign, from 2 to 16; for two classes
    ///
    /// With 2 bits, the weights are -1 and 1 times a common factor, and the network counts votes.
    #[arg(long, value_name = "B", value_parser = whole::<u32>, help_heading = "Search")]
    output_bits: Option<u32>,
    #[command(flatten)]
    pub(crate) training: TrainingArgs,
    /// Write objective and bound of each round to this CSV file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    pub(crate) trace: Option<PathBuf>,
    /// Draw objective and bound over time; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    pub(crate) plot: Option<Picture>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

impl Train {
    /// What is asked for.
    pub(crate) fn request(&self, common: &Common) -> Request {
        let request = self.training.request(common);
        let request = self.cross_validation.request(self.strength.request(request));
        Request {
            columns: CodingOptions { bits: self.bits, ..self.columns.coding_options() },
            method: self.method,
            layers: self.layers,
            widths: self.widths.clone(),
            tree: self.tree,
            representation: self.representation,
            weights: self.weights,
            max_inputs: self.max_inputs,
            average: self.average,
            inputs: self.inputs.clone(),
            input_cost: self.input_cost,
            neurons: self.neurons,
            output_bits: self.output_bits,
            weight_bits: self.weight_bits,
            ..self.problem.request(request)
        }
    }
}

/// Predict for new rows
#[derive(Debug, Args)]
#[command(
    after_help = "The result is CSV. Two classes: the columns prediction and output. Several classes: \
                  prediction, output=CLASS for each class and, with the logistic loss, probability=CLASS. \
                  A number: prediction only.\n\n\
                  Text is read and written in parts, so memory does not grow with the number of rows, and \
                  standard input may be a stream. A Parquet file from standard input, and the object of --json, \
                  are held in memory as a whole."
)]
pub(crate) struct Predict {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Write the predictions to this CSV file instead of standard output
    #[arg(short, long, value_name = "OUT.csv", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// Score a model on labelled data
#[derive(Debug, Args)]
#[command(
    after_help = "Scores on the training rows say little about new rows: if the data are those the model was \
                        trained on, the report says so. It also counts labels that training has not seen."
)]
pub(crate) struct Evaluate {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
}

/// Check a certificate again, from the model and its data alone
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the certificate holds; 1 it does not, or the data are not \
                        those the model was trained on; 2 could not run.")]
pub(crate) struct Certify {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) blocks: BlockArgs,
}

/// Draw a model of two features: cells, neurons and the data
#[derive(Debug, Args)]
#[command(after_help = "\
The lines show where neurons of the first layer switch. Between them the output is constant; the colour \
shows its value, or the class if there are several.

Example: hardlim train points.csv -o points.hardlim && hardlim plot points.hardlim points.csv -o points.svg")]
pub(crate) struct Plot {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The picture; the name ends in .svg or .png
    #[arg(short, long, value_name = "FIGURE", value_hint = ValueHint::FilePath,
          value_parser = parse_picture)]
    pub(crate) output: Picture,
}

/// Solve the Lasso program on any 0/1 matrix
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 done; 1 the gap asked for was not reached; 2 could not run; \
                  130 after Ctrl-C.\n\n\
                        Example: hardlim lasso --design D.npy --target y.npy --beta 3 -o w.npy"
)]
pub(crate) struct Lasso {
    /// The matrix: a .npy file of 0 and 1, as bool, unsigned bytes or doubles
    #[arg(long, value_name = "D.npy", value_hint = ValueHint::FilePath)]
    pub(crate) design: PathBuf,
    /// The target: a .npy file of doubles, one for each row
    #[arg(long, value_name = "y.npy", value_hint = ValueHint::FilePath)]
    pub(crate) target: PathBuf,
    #[command(flatten)]
    problem: ProblemArgs,
    #[command(flatten)]
    strength: StrengthArgs,
    /// Sample weights: a .npy file of doubles, one for each row
    #[arg(long, value_name = "s.npy", value_hint = ValueHint::FilePath, help_heading = "Problem")]
    pub(crate) sample_weight: Option<PathBuf>,
    /// Stop at this relative gap
    #[arg(long, value_name = "TOL", default_value_t = 1e-8, value_parser = number,
          allow_negative_numbers = true, help_heading = "Search")]
    pub(crate) tol: f64,
    /// Stop after this many seconds and keep the best coefficients so far
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true,
          help_heading = "Search")]
    time_limit: Option<f64>,
    /// Write the coefficients to this .npy file
    #[arg(short, long, value_name = "w.npy", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,
}

impl Lasso {
    /// What is asked for.
    pub(crate) fn request(&self) -> Request {
        let request =
            Request { gap: Some(self.tol), time_limit: self.time_limit, ..Request::default() };
        self.strength.request(self.problem.request(request))
    }
}

/// Where the table comes from.
#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    /// A CSV, TSV or Parquet file (also .gz), - for standard input, or a built-in data set
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) data: String,
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", help_heading = "Data")]
    features: Option<usize>,
}

impl DataArgs {
    /// The flag given that only generated data sets use.
    pub(crate) fn size_flag(&self) -> Option<&'static str> {
        self.rows.map(|_| "--rows").or(self.features.map(|_| "--features"))
    }

    /// The size of a generated data set, as flags behind the name of the data.
    pub(crate) fn size_flags(&self) -> String {
        let flag = |name: &str, value: Option<usize>| value.map(|v| format!(" {name} {v}"));
        let flags = [flag("--rows", self.rows), flag("--features", self.features)];
        flags.into_iter().flatten().collect()
    }

    /// The number of features asked for.
    pub(crate) fn features(&self) -> Option<usize> {
        self.features
    }

    pub(crate) fn read_options(&self, common: &Common) -> ReadOptions {
        let standard = builtin::TableSize::default();
        let size = builtin::TableSize {
            rows: self.rows.unwrap_or(standard.rows),
            features: self.features.unwrap_or(standard.features),
            seed: common.seed,
        };
        ReadOptions { size, ..ReadOptions::default() }
    }
}

/// What the columns are.
#[derive(Debug, Args)]
pub(crate) struct ColumnArgs {
    /// The target column, by name or number [default: the last]
    ///
    /// By default it is the last column that is not ignored or the weight.
    #[arg(long, value_name = "COL", help_heading = "Data")]
    target: Option<String>,
    /// classify or regress; auto looks at the target
    ///
    /// auto: classify if the target is text (at most 20 values) or has two values, otherwise regress.
    /// classify: whole numbers are classes, too. With three classes or more, one network is trained for
    /// each class against the rest, and the largest output decides.
    #[arg(long, value_name = "TASK", default_value = "auto", help_heading = "Data")]
    task: Task,
    /// The column of sample weights
    #[arg(long, value_name = "COL", help_heading = "Data")]
    weight_column: Option<String>,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    ignore: Vec<String>,
    /// Columns to keep although they look like identifiers, are constant or copies of others, or are dates
    /// that do not help; separated by commas. Without it such columns are left out, and the report says so
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    keep: Vec<String>,
    /// Columns of labels, even if the labels are numbers; separated by commas. The 30 most frequent labels
    /// have an input each, all others share one
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    categorical: Vec<String>,
    /// Missing values: mean fills in the column's mean and adds an input that tells where (for labels,
    /// missing is a label of its own), error refuses them
    #[arg(long, value_name = "HOW", default_value = "mean", help_heading = "Data")]
    missing: Missing,
    /// balanced: all classes get the same total weight, whatever their number of rows
    #[arg(long, value_name = "HOW", help_heading = "Data", value_parser = ["balanced"])]
    class_weight: Option<String>,
}

impl ColumnArgs {
    pub(crate) fn coding_options(&self) -> CodingOptions {
        CodingOptions {
            target: self.target.clone(),
            task: self.task,
            missing: self.missing,
            ignore: self.ignore.clone(),
            keep: self.keep.clone(),
            keep_all: false,
            categorical: self.categorical.clone(),
            weight_column: self.weight_column.clone(),
            bits: None,
            balanced: self.class_weight.is_some(),
        }
    }
}

fn parse_picture(text: &str) -> Result<Picture, String> {
    Picture::new(text).ok_or_else(|| "the name must end in .svg or .png".into())
}

/// Any number; the library checks its range.
fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number".into())
}

/// Any whole number that fits.
fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "expected a whole number".into())
}
