//! `hardlim export`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use hardlim::Error;
use hardlim::export::{Data, Order, Target, identifier, run as write};
use hardlim::model::file::DraftFolder;
use hardlim_verify::Installed;

use super::open_model;
use crate::args::{Command, Common, DataArgs, Size, number, whole};
use crate::{interrupt, progress, report};

/// The formats of exports, by name.
fn targets() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(["c", "rust", "verilog", "onnx", "markdown"])
        .map(|name| name.parse().expect("a name of the list"))
}

/// Write a model as C, Rust, Verilog or ONNX, and check the answers
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/export.txt"))]
pub(crate) struct Export {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// What to write: C99 or a Rust module without libraries, allocation or floating point,
    /// synthesizable Verilog-2001 (combinational, pipelined, AXI stream), an ONNX model for
    /// servers, or the rules of hardlim explain in full
    #[arg(long, value_name = "TARGET", value_parser = targets())]
    to: Target,
    /// The folder to write to; it must be new or empty
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: PathBuf,
    /// The training data: a CSV, TSV or Parquet file (also .gz), - for standard input, or a
    /// built-in data set. Its rows become test inputs of the export
    #[arg(long, value_name = "DATA", value_hint = ValueHint::FilePath)]
    data: Option<String>,
    #[command(flatten)]
    size: Size,
    /// The name of modules, files and functions [default: the name of the model file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Write source code without branches or memory accesses that depend on the inputs (c, rust)
    #[arg(long)]
    constant_time: bool,
    /// Keep the output weights of the model to the last bit, up to 50 bits, instead of rounding
    /// them (c, rust, verilog)
    #[arg(long)]
    exact_outputs: bool,
    /// Round output weights to at most B bits with the sign, even if classes on the training rows
    /// change (c, rust, verilog)
    ///
    /// If B bits keep every class, the fewest that do are taken, as without this option. Otherwise
    /// the report says how many rows change and what it costs, and the model file in the folder is
    /// the rounded one.
    #[arg(long, value_name = "B", requires = "data")]
    output_bits: Option<u32>,
    /// Train again for the smallest circuit of at most this many LUTs (verilog)
    ///
    /// Networks of few bits and more and more neurons, of one, two or any inputs, are trained for
    /// the task of the model, on its data, and synthesised for an iCE40 with Yosys. The smallest
    /// circuit within the budget is written whose score in cross-validation is within one standard
    /// error of the best, and all sizes that were tried are told. It takes minutes.
    #[arg(long, value_name = "LUTS", requires = "data", value_parser = whole::<usize>)]
    budget: Option<usize>,
    /// Compile, run or simulate the export, and compare it with the model
    #[arg(long)]
    verify: bool,
    /// The number of random inputs to verify on; if there are no more inputs than that, all are
    /// used
    #[arg(long, value_name = "N", default_value_t = Order::RANDOM, requires = "verify")]
    random: usize,
    /// How long outside tools may check, simulate and synthesise Verilog; proofs and rows take what
    /// they need [default: 40]
    ///
    /// What is left out for this reason is named in the report.
    #[arg(long, value_name = "SECONDS", requires = "verify", value_parser = number)]
    #[arg(allow_negative_numbers = true)]
    time_limit: Option<f64>,
}

impl Export {
    /// The training data.
    fn table(&self) -> Option<DataArgs> {
        let data = self.data.clone()?;
        Some(DataArgs { data, size: self.size.clone() })
    }
}

pub(crate) fn run(args: &Export, common: &Common) -> anyhow::Result<ExitCode> {
    let file = args.model.file_name().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let stem = args.model.file_stem().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let python = std::env::var("HARDLIM_PYTHON").unwrap_or_else(|_| "python3".into());
    let bar = OnceLock::new();
    let order = Order {
        to: args.to,
        name: &args.name.clone().unwrap_or_else(|| identifier(&stem)),
        source: &file,
        folder: &args.output,
        constant_time: args.constant_time,
        exact_outputs: args.exact_outputs,
        output_bits: args.output_bits,
        budget: args.budget,
        verify: args.verify,
        random: args.random,
        seed: common.seed,
        spell: Command::usual_flag,
        tell: &|text| bar.get_or_init(|| progress::doing("")).set_message(text.to_owned()),
        draft: &|path| {
            interrupt::undisturbed(|| {
                let draft = DraftFolder::new(path)?;
                interrupt::remove_on_exit(draft.temporary_path());
                Ok::<_, Error>(draft)
            })
        },
    };
    order.check()?;
    let tools = Installed::new(python, args.time_limit)?;
    let model = open_model(&args.model)?;
    let table = args.table().map(|data| data.open(common)).transpose()?;
    let data = table.as_ref().map_or(Data::Nothing, Data::Table);
    let written = write(&order, &model, data, &tools);
    drop(bar);
    let (text, json) = written.with_context(|| {
        let with =
            table.as_ref().map_or(String::new(), |table| format!(" with {}", table.source()));
        format!("cannot export {}{with}", args.model.display())
    })?;
    report::answer(common, || json, || text)?;
    Ok(ExitCode::SUCCESS)
}
