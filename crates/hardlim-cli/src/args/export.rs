//! What `hardlim export` asks for.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::DataArgs;

/// What a model is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// C99 without a library or floating point, with a harness, a Makefile and a Cortex-M0 start
    C,
    /// A Rust module without the standard library, `unsafe` or floating point, with a harness
    Rust,
    /// Synthesizable Verilog-2001, combinational and pipelined, with a test bench and a proof script
    Verilog,
    /// An ONNX model in double precision for servers, of any weights, with a program that checks it
    Onnx,
    /// A drawing of the network, in DOT and in SVG
    Dot,
    /// The rules of hardlim explain, in full
    Markdown,
}

impl Target {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Write a model as C, Rust, Verilog or ONNX that gives the same answer, and check that it does
#[derive(Debug, Args)]
#[command(after_help = "\
Programs and circuits are written in integers: inputs are numbers of the table, rounded to a fixed point \
that the export states, and every neuron is a sum of integers. A model whose weights are no integers yet is \
given some first, inside the cells of its neurons (as hardlim weights --choice integer does), which needs \
the training data: --data. The folder also gets the model file and a report of sizes and checks.

ONNX models, drawings and rules are written from the weights as they are. An ONNX model of integer weights \
rounds its inputs to the same grid and is exact; of others, it may differ where a sum is within rounding of a \
hyperplane. It is verified with the onnxruntime of python3, or of the Python that HARDLIM_PYTHON names.

With --verify the export is compiled, run or simulated with the tools that are there, and compared with the \
model: on every row of --data; on pairs of adjacent inputs beside every row with a neuron's hyperplane \
between them, for every neuron; and on random inputs, or on every input there is where these are few. A tool that is missing is named. Nothing is written \
where an answer differs.

Exit codes: 0 done; 2 could not run, or an answer differs.

Examples:
  hardlim train tic-tac-toe -o t.hardlim
  hardlim export t.hardlim --to c --data tic-tac-toe -o board --verify
  make -C board test
  hardlim export t.hardlim --to rust --data tic-tac-toe -o board-rs --constant-time
  hardlim export t.hardlim --to onnx --data tic-tac-toe -o served --verify")]
pub(crate) struct Export {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    /// What to write
    #[arg(long, value_name = "TARGET", value_enum)]
    pub(crate) to: Target,
    /// The folder to write, which must not be there yet, or be empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// The training data: a CSV, TSV or Parquet file (.gz too), - for standard input, or a built-in data
    /// set. Its rows become test inputs of the export
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    data: Option<String>,
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", requires = "data", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", requires = "data", help_heading = "Data")]
    features: Option<usize>,
    /// What modules, files and functions are called [default: the name of the model file]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// No branch and no memory access in the source may depend on the inputs (c, rust)
    #[arg(long)]
    pub(crate) constant_time: bool,
    /// Compile, run or simulate what was written, and compare it with the model
    #[arg(long)]
    pub(crate) verify: bool,
    /// How many random inputs to verify on; where there are no more inputs than these, every one of them
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "verify")]
    pub(crate) random: usize,
}

impl Export {
    /// The training data.
    pub(crate) fn table(&self) -> Option<DataArgs> {
        let data = self.data.clone()?;
        Some(DataArgs { data, rows: self.rows, features: self.features })
    }
}
