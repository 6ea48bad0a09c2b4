//! One suite over every experiment: interrupted or not, it comes to the same.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use hardlim::Error;
use hardlim::solver::Budget;
use hardlim_lab::experiments::{
    ALL, Context, Experiment, Records, Report, Scale, Verdict, compute, write,
};
use serde_json::Value;

fn context(scale: Scale, budget: Budget<'_>) -> Context<'_> {
    Context { scale, convex: scale, seed: 0, data: None, budget }
}

/// Runs at the smallest scale; stops after `trials` trials.
fn run(experiment: &Experiment, folder: &Path, trials: usize) -> Result<(Records, Report), Error> {
    let stop = AtomicBool::new(false);
    let budget = Budget { interrupt: Some(&stop), ..Budget::default() };
    let context = context(Scale::Tiny, budget);
    let mut begun = 0;
    let records = compute(experiment, &context, folder, |progress| {
        assert!(progress.done < progress.trials && !progress.key.is_empty());
        begun += 1;
        stop.store(begun > trials, Ordering::Relaxed);
    })?;
    let report = write(experiment, &context, &records, folder)?.report;
    Ok((records, report))
}

/// A record without its seconds, which stand in a place of the points of curves, too.
fn timeless(record: &Value) -> Value {
    match record {
        Value::Array(list) => list.iter().map(timeless).collect(),
        Value::Object(fields) => {
            let mut fields = fields.clone();
            fields.retain(|name, _| !name.ends_with("_seconds"));
            for (name, place) in [("curve", 1), ("accuracies", 0)] {
                for point in
                    fields.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
                {
                    point[place] = Value::Null;
                }
            }
            Value::Object(fields)
        }
        other => other.clone(),
    }
}

#[test]
fn an_interrupted_experiment_goes_on_and_comes_to_the_same() {
    for experiment in &ALL {
        let [whole, parts] = [0, 1].map(|_| tempfile::tempdir().unwrap());
        let expected = run(experiment, whole.path(), usize::MAX).unwrap().0;
        // The trial under way when it is stopped is computed again.
        let mut stops = 0;
        let found = loop {
            match run(experiment, parts.path(), 1 + 3 * stops) {
                Ok((records, _)) => break records,
                Err(error) => assert!(matches!(error, Error::Interrupted), "{error}"),
            }
            stops += 1;
        };
        assert!(stops > 0, "{}", experiment.id);
        assert_eq!(found.0.len(), expected.0.len());
        for (key, record) in &found.0 {
            assert_eq!(timeless(record), timeless(expected.get(key)), "{}: {key}", experiment.id);
        }
    }
}

#[test]
fn every_experiment_has_a_table_a_picture_and_verdicts() {
    for experiment in &ALL {
        let folder = tempfile::tempdir().unwrap();
        let report = run(experiment, folder.path(), usize::MAX).unwrap().1;
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
        let report = run(experiment, folder.path(), usize::MAX).unwrap().1;
        let held = |words: &str| {
            let mut claims = report.claims.iter().filter(|claim| claim.expected.contains(words));
            claims.all(|claim| claim.verdict == Verdict::Reproduced)
        };
        assert!(held("1e-9") && held("1e-8"), "{}: {:?}", experiment.id, report.claims);
    }
}
