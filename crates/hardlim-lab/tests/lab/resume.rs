//! One suite over every experiment: interrupted or not, it comes to the same.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use hardlim::Error;
use hardlim::solver::Budget;
use hardlim_lab::experiments::{
    ALL, Context, Experiment, Report, Scale, Table, Verdict, compute, write,
};

fn context(scale: Scale, budget: Budget<'_>) -> Context<'_> {
    Context { scale, convex: scale, seed: 0, data: None, budget }
}

/// Runs at the smallest scale; stops after `trials` trials.
fn run(experiment: &Experiment, folder: &Path, trials: usize) -> Result<Report, Error> {
    let stop = AtomicBool::new(false);
    let budget = Budget { interrupt: Some(&stop), ..Budget::default() };
    let context = context(Scale::Tiny, budget);
    let mut begun = 0;
    let records = compute(experiment, &context, folder, |progress| {
        assert!(progress.done < progress.trials && !progress.key.is_empty());
        begun += 1;
        stop.store(begun > trials, Ordering::Relaxed);
    })?;
    Ok(write(experiment, &context, &records, folder)?.report)
}

/// A table without its columns of seconds.
fn timeless(table: &Table) -> Vec<Vec<&str>> {
    let kept: Vec<usize> =
        (0..table.columns.len()).filter(|&j| !table.columns[j].ends_with("_seconds")).collect();
    let rows = [&table.columns].into_iter().chain(&table.rows);
    rows.map(|row| kept.iter().map(|&j| row[j].as_str()).collect()).collect()
}

#[test]
fn an_interrupted_experiment_goes_on_and_comes_to_the_same() {
    for experiment in &ALL {
        let [whole, parts] = [0, 1].map(|_| tempfile::tempdir().unwrap());
        let expected = run(experiment, whole.path(), usize::MAX).unwrap();
        // The trial under way when it is stopped is computed again.
        let mut stops = 0;
        let found = loop {
            match run(experiment, parts.path(), 1 + 3 * stops) {
                Ok(report) => break report,
                Err(error) => assert!(matches!(error, Error::Interrupted), "{error}"),
            }
            stops += 1;
        };
        assert!(stops > 0, "{}", experiment.id);
        assert_eq!(found.tables.len(), expected.tables.len());
        for ((_, found), (_, expected)) in found.tables.iter().zip(&expected.tables) {
            assert_eq!(timeless(found), timeless(expected), "{}", experiment.id);
        }
    }
}

#[test]
fn every_experiment_has_a_table_a_picture_and_verdicts() {
    for experiment in &ALL {
        let folder = tempfile::tempdir().unwrap();
        let report = run(experiment, folder.path(), usize::MAX).unwrap();
        let id = experiment.id;
        for extension in ["csv", "svg", "png", "md", "jsonl"] {
            let path = folder.path().join(format!("{id}.{extension}"));
            assert!(std::fs::metadata(&path).unwrap().len() > 50, "{}", path.display());
        }
        assert!(!report.claims.is_empty() && !report.setup.is_empty());
        for claim in &report.claims {
            assert!(claim.found.ends_with('.') && claim.expected.ends_with('.'), "{claim:?}");
            assert!(!claim.found.contains("NaN"), "{id}: {claim:?}");
        }
        let keys: Vec<String> = {
            let context = context(Scale::Quick, Budget::default());
            (experiment.trials)(&context).into_iter().map(|trial| trial.key).collect()
        };
        let mut distinct = keys.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), keys.len(), "{id}: equal keys");
    }
}

#[test]
fn ours_is_never_above_a_heuristic() {
    for experiment in &ALL {
        if !["line", "two-layer", "three-layer", "ten-layer"].contains(&experiment.id) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let report = run(experiment, folder.path(), usize::MAX).unwrap();
        let held = |words: &str| {
            let mut claims = report.claims.iter().filter(|claim| claim.expected.contains(words));
            claims.all(|claim| claim.verdict == Verdict::Reproduced)
        };
        assert!(held("1e-9") && held("1e-8"), "{}: {:?}", experiment.id, report.claims);
    }
}
