//! `hardlim lasso`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use hardlim::data::Targets;
use hardlim::loss::Loss as _;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::{ActiveSet, Budget, Progress, StopReason};
use hardlim::train::Watch;
use serde_json::json;

use crate::args::{Common, Lasso};
use crate::npy::{self, Design};
use crate::{files, interrupt, progress, report};

pub(crate) fn run(args: &Lasso, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request();
    request.check_options()?;
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
    let beta = request.strength()?.beta(beta_max)?;
    drop(reading);
    let bar = progress::spinner();
    bar.set_message("solving the program");
    let show = |progress: &Progress| bar.set_message(report::progress_line(progress));
    let watch = Watch { start, interrupt: Some(interrupt::watch()), ..Watch::default() };
    let budget = Budget { progress: Some(&show), ..watch.budget(request.limit()) };
    let solver = ActiveSet { tolerance: args.tol, budget, ..ActiveSet::default() };
    let program = program.with_beta(beta);
    let solution = solver.solve(&program);
    bar.finish_and_clear();
    let gram = pack + solution.gram_time;
    let solve = solving.elapsed() - solution.gram_time;
    if let Some(path) = &args.output {
        files::write(path, &npy::write_vector(&solution.coefficients))?;
    }

    let certificate = &solution.certificate;
    let nonzeros = solution.coefficients.iter().filter(|w| **w != 0.0).count();
    if common.json {
        let mut object = json!({
            "n": patterns.samples(), "patterns": patterns.patterns(), "loss": loss.to_string(),
            "beta": beta.get(), "beta_max": beta_max, "objective": certificate.objective(),
            "lower_bound": certificate.lower_bound(),
            "relative_gap": certificate.relative_gap(), "nonzeros": nonzeros,
            "stop": solution.stop.name(),
            "seconds": {
                "load": load.as_secs_f64(),
                "gram": gram.as_secs_f64(),
                "solve": solve.as_secs_f64(),
            },
        });
        if !program.beta_max_is_exact() {
            object["beta_max_exact"] = json!(false);
        }
        if constraints.intercept {
            object["intercept"] = json!(solution.offset);
        }
        report::print_json(&object)?;
    } else {
        report::print(&report::lasso_text(&program, &solution))?;
        report::print(&format!(
            "load {:.3} s, Gram and packing {:.3} s, solve {:.3} s\n",
            load.as_secs_f64(),
            gram.as_secs_f64(),
            solve.as_secs_f64()
        ))?;
    }
    Ok(match solution.stop {
        StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        _ if certificate.relative_gap() > args.tol => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}
