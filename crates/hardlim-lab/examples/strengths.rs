//! Convex-Lasso on all data sets, each with the paper's seven strengths: 1000 sampled patterns,
//! then the Lasso at every strength, to a gap of 1e-6 of the objective or of the loss of zero.
//! Prints a line for each set; with a second folder it leaves the matrix of spambase there, for
//! others to solve.
//!
//!     cargo run --release -p hardlim-lab --example strengths -- DATA [FOLDER]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use hardlim::data::Dataset;
use hardlim::loss::LossKind;
use hardlim::network::recipe::Recipe;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim_lab::experiments::SETS;

const BETAS: [f64; 7] = [5.0, 1.0, 0.5, 1e-1, 1e-2, 1e-3, 1e-6];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let data = arguments.next().ok_or("strengths DATA [FOLDER]: DATA has the data sets")?;
    let matrix = arguments.next();
    rayon::scope(|_| run(&data, matrix.as_deref()).map_err(|error| error.to_string()))?;
    Ok(())
}

#[allow(clippy::print_stdout)]
fn run(data: &Path, matrix: Option<&Path>) -> Result<(), Box<dyn std::error::Error>> {
    println!("set,n,d,patterns,draw_seconds,solve_seconds,worst_gap");
    for set in SETS.into_iter().filter(|set| set.available(Some(data))) {
        let (x, y) = set.rows(Some(data))?;
        let (n, d) = (x.rows(), x.dimension());
        let dataset = Dataset::new(x, &y, None)?;
        let start = Instant::now();
        let recipe = Recipe::Sample {
            draws: 1000,
            seed: 0,
            standardize: true,
            widths: Vec::new(),
            reads: None,
        };
        let dictionary = recipe.dictionary(&dataset, true, 0.0).expect("a sample has a dictionary");
        let drawn = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let one = Beta::new(BETAS[0])?;
        let program =
            LassoProgram::new(&dictionary.patterns, dataset.targets(), LossKind::Squared, one)?;
        let betas = BETAS.iter().map(|&b| Beta::new(b)).collect::<Result<Vec<_>, _>>()?;
        let zero = y.iter().map(|y| 0.5 * y * y).sum::<f64>();
        let mut worst = 0f64;
        ActiveSet { slack: 1e-6, ..ActiveSet::default() }.path(&program, betas, |solution| {
            worst = worst.max(solution.certificate.gap() / zero);
            ControlFlow::Continue(())
        });
        let solved = start.elapsed().as_secs_f64();
        let patterns = dictionary.patterns.patterns();
        println!("{},{n},{d},{patterns},{drawn:.4},{solved:.4},{worst:.1e}", set.name);
        if let Some(folder) = matrix.filter(|_| set.name == "spambase") {
            let mut bytes = Vec::with_capacity(n * patterns);
            for &g in dataset.row_of() {
                bytes.extend(
                    (0..patterns).map(|j| u8::from(dictionary.patterns.get(g as usize, j))),
                );
            }
            std::fs::write(folder.join("matrix.bin"), bytes)?;
            let y: Vec<u8> = y.iter().flat_map(|y| y.to_le_bytes()).collect();
            std::fs::write(folder.join("targets.bin"), y)?;
        }
    }
    Ok(())
}
