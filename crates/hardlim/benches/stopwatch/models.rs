//! Training, margins and answers of whole models.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling, TrainingSet};
use hardlim::model::Model;
use hardlim::network::{Cell, Weights, reconstruct};
use hardlim::pattern::Pattern;
use hardlim::table::{Coding, CodingOptions, ReadOptions, Table};
use hardlim::train::{Request, Watch};

use super::{median, number, timed};

/// The seconds of all threads so far, in the hundredths that Linux counts; elsewhere nothing.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name of the program, which may hold spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// 10 strengths on 5 folds, logistic loss, every network proven to a relative gap of 1e-3, beside
/// one cold fit at the weakest strength.
pub(super) fn few_inputs(tables: &[String]) -> Result<(), Box<dyn Error>> {
    println!("data: seconds and core seconds of a cold fit, the same of the folds");
    for name in tables {
        let table = Table::open(name, &ReadOptions::default())?;
        let request = Request::of("loss=logistic max_inputs=2 method=generate gap=1e-3")?;
        let (set, _) = request.read(&table)?;
        let watch = Watch::default();
        let cold = request.with("beta_ratio=0.05")?;
        let before = processor_seconds();
        let (trained, wall) = timed(|| cold.check(&set)?.train(&set, &watch));
        assert!(trained?.model.certificate().relative_gap() <= 1e-3);
        let between = processor_seconds();
        let folds = request.with("cv=5 n_ratios=10 least_ratio=0.05")?;
        let (chosen, folds_wall) = timed(|| folds.check(&set)?.choose(&set, &watch));
        assert!(chosen?.and_then(|chosen| chosen.gap).is_some_and(|gap| gap <= 1e-3));
        let (cores, folds_cores) = (between - before, processor_seconds() - between);
        println!("{name}: {wall:.3} {cores:.3}, {folds_wall:.3} {folds_cores:.3}");
    }
    Ok(())
}

/// What training on a matrix costs: the merging of rows, the sampled Lasso, the certificate.
pub(super) fn fit(words: &[String]) -> Result<(), Box<dyn Error>> {
    let table = Table::open(&words[0], &ReadOptions::default())?;
    let (patterns, repeats) = (number(words, 1, 1000.0), number(words, 2, 5.0) as usize);
    let coding = Coding::fit(&table, &CodingOptions::default())?;
    let (x, y) = (coding.features(&table)?, coding.targets(&table)?);
    let mut times = Vec::new();
    for _ in 0..repeats.max(1) {
        let (trained, seconds) = timed(|| {
            let copy = Features::new(x.rows(), x.dimension(), x.values().to_vec())?;
            let set = TrainingSet::new(coding.clone(), copy, y.clone(), None)?;
            let request = Request::of(&format!("patterns={patterns}"))?;
            request.check(&set)?.train(&set, &Watch::default())
        });
        times.push(seconds);
        println!("objective {}", trained?.model.certificate().objective());
    }
    println!("seconds {}", median(times));
    Ok(())
}

/// The file holds bytes of 0 and 1: the rows one after the other, then the patterns.
pub(super) fn margins(words: &[String]) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(&words[0])?;
    let [n, d, p] = [1, 2, 3].map(|k| number(words, k, 0.0) as usize);
    assert_eq!(bytes.len(), n * d + p * n, "a byte for each entry");
    let (x, patterns) = bytes.split_at(n * d);
    let features = Features::new(n, d, x.iter().map(|&b| f64::from(b)).collect())?;
    let pattern = |j: usize| Pattern::from_fn(n, |i| patterns[j * n + i] == 1);
    let cells = (0..p).map(|j| Cell { pattern: pattern(j), witness: None }).collect();
    let (arrangement, scaling) = (Arrangement::of(&features), Scaling::identity(d));
    let (planes, seconds) = timed(|| reconstruct(&arrangement, cells, Weights::Svm, &scaling));
    let norm = |w: &[f64]| w.iter().map(|w| w * w).sum::<f64>().sqrt();
    let margins: Vec<f64> = planes?.iter().map(|plane| 1.0 / norm(&plane.weights)).collect();
    println!("{{\"seconds\": {seconds}, \"margins\": {margins:?}}}");
    Ok(())
}

/// The rows are doubles in the byte order of the machine, one row after the other, as NumPy's
/// `tofile` writes them.
pub(super) fn predict(words: &[String]) -> Result<(), Box<dyn Error>> {
    let repeats = number(words, 2, 7.0).max(1.0) as usize;
    let model = Model::load(Path::new(&words[0]))?;
    let [part] = model.parts() else {
        return Err("one network, please: this is a model of several classes".into());
    };
    let network = part.network();
    let bytes = std::fs::read(&words[1])?;
    let values: Vec<f64> = bytes.as_chunks().0.iter().map(|&b| f64::from_ne_bytes(b)).collect();
    let features = Features::new(values.len() / network.inputs().max(1), network.inputs(), values)?;
    let before = processor_seconds();
    let times = (0..repeats).map(|_| timed(|| drop(black_box(network.output(&features)))).1);
    let seconds = median(times.collect());
    let processor = (processor_seconds() - before) / repeats as f64;
    println!("seconds {seconds} processor {processor}");
    println!("rows {} neurons {}", features.rows(), network.neurons());
    println!("sum {}", network.output(&features).iter().sum::<f64>());
    Ok(())
}
