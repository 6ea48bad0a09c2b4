//! `hardlim lasso`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::{Args, ValueHint};
use hardlim::data::Targets;
use hardlim::loss::Loss as _;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::{ActiveSet, Budget, Progress};
use hardlim::train::{Options, Request};
use serde_json::json;

use crate::args::{Asked, Common, Door, Said};
use crate::npy::{self, Design};
use crate::report::{lower, upper};
use crate::{files, interrupt, progress, report};

/// Solve the Lasso program on any 0/1 matrix
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/lasso.txt"))]
pub(crate) struct Lasso {
    /// The matrix: a .npy file of 0 and 1, as bool, unsigned bytes or doubles
    #[arg(long, value_name = "D.npy", value_hint = ValueHint::FilePath)]
    design: PathBuf,
    /// The target: a .npy file of doubles, one for each row
    #[arg(long, value_name = "y.npy", value_hint = ValueHint::FilePath)]
    target: PathBuf,
    #[command(flatten)]
    asked: Asked<LassoOptions>,
    /// Sample weights: a .npy file of doubles, one for each row
    #[arg(long, value_name = "s.npy", value_hint = ValueHint::FilePath, help_heading = "Problem")]
    sample_weight: Option<PathBuf>,
    /// Write the coefficients to this .npy file
    #[arg(short, long, value_name = "w.npy", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    output: Option<PathBuf>,
}

/// The options that the Lasso shares with training.
#[derive(Debug)]
pub(crate) struct LassoOptions;

impl Door for LassoOptions {
    const COLUMNS: bool = false;
    const NAMES: &'static str = "loss intercept non_negative beta beta_ratio gap time_limit";
    const FLAGS: Said = &[("gap", "tol")];
    const HELP: Said = &[("gap", "Stop at this relative gap [default: 1e-8]")];

    fn request(options: &Options) -> Result<Request, hardlim::Error> {
        Request::problem_of(options)
    }
}

pub(crate) fn run(args: &Lasso, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.asked.request(common)?;
    let reading = progress::doing(format!("reading {}", args.design.display()));
    let design = Design::read(&args.design)?;
    let y = npy::read_vector(&args.target)?;
    let weights = args.sample_weight.as_deref().map(npy::read_vector).transpose()?;
    let load = start.elapsed();

    let packing = Instant::now();
    let patterns =
        design.pack().with_context(|| format!("cannot use {}", args.design.display()))?;
    drop(design);
    let pack = packing.elapsed();
    let solving = Instant::now();
    ensure!(
        y.len() == patterns.samples(),
        "--target {}: expected {} numbers, one for each row of {}, found {}",
        args.target.display(),
        patterns.samples(),
        args.design.display(),
        y.len(),
    );
    let rows: Vec<u32> = (0..y.len() as u32).collect();
    let targets = Targets::grouped(y.len(), &rows, &y, weights.as_deref())?;
    let (loss, constraints) = (request.loss(), request.constraints());
    loss.check_targets(&targets).with_context(|| format!("--target {}", args.target.display()))?;
    let program = LassoProgram::new(&patterns, &targets, loss, Beta::new(1.0)?)?;
    let program = program.with_constraints(constraints);
    let beta_max = program.beta_max();
    let beta = request.beta(beta_max)?;
    drop(reading);
    let bar = progress::doing("solving the program");
    let show = |progress: &Progress| bar.set_message(report::progress_line(progress));
    let watch = interrupt::from(start, None);
    let budget = Budget { progress: Some(&show), ..watch.budget(request.time_limit()) };
    let tolerance = args.asked.gap().unwrap_or(1e-8);
    let solver = ActiveSet { tolerance, budget, ..ActiveSet::default() };
    let program = program.with_beta(beta);
    let solution = solver.solve(&program);
    drop(bar);
    let gram = pack + solution.gram_time;
    let solve = solving.elapsed() - solution.gram_time;
    if let Some(path) = &args.output {
        files::write(path, &npy::write_vector(&solution.coefficients))?;
    }

    let certificate = &solution.certificate;
    let (rows, columns) = (patterns.samples(), patterns.patterns());
    let nonzeros = solution.coefficients.iter().filter(|w| **w != 0.0).count();
    let [load, gram, solve] = [load, gram, solve].map(|time| time.as_secs_f64());
    let json = || {
        let mut object = json!({
            "n": rows, "patterns": columns, "loss": loss.to_string(),
            "beta": beta.get(), "beta_max": beta_max, "objective": certificate.objective(),
            "lower_bound": certificate.lower_bound(),
            "relative_gap": certificate.relative_gap(), "nonzeros": nonzeros,
            "stop": solution.stop.name(),
            "seconds": { "load": load, "gram": gram, "solve": solve },
        });
        if !program.beta_max_is_exact() {
            object["beta_max_exact"] = json!(false);
        }
        if constraints.intercept {
            object["intercept"] = json!(solution.offset);
        }
        object
    };
    let text = || {
        format!(
            "{rows} rows, {columns} columns; {}\nCertified: {}.\n  objective  {}\n  \
             bound      {}\n  non-zeros  {nonzeros}\n\
             load {load:.3} s, Gram and packing {gram:.3} s, solve {solve:.3} s\n",
            report::strength(beta.get(), beta_max),
            certificate.claim(),
            upper(certificate.objective()),
            lower(certificate.lower_bound()),
        )
    };
    report::answer(common, json, text)?;
    Ok(ExitCode::from(u8::from(certificate.relative_gap() > tolerance)))
}
