//! The page in `docs/` says what the tracked records say, and so do the tables and pictures beside
//! it.
//!
//! `HARDLIM_UPDATE_PAGE=1` writes them again, from records that `hardlim reproduce all --quick
//! --full … --data DIR -o docs/reproduction` has left there; [`FULL`] lists the experiments that
//! are tracked in full.

use std::fs;
use std::path::{Path, PathBuf};

use hardlim::solver::Budget;
use hardlim_lab::experiments::{
    ALL, Context, Experiment, Records, SETS, Scale, Section, csv, document,
};
use serde_json::Value;

/// The experiments that are tracked in full. The table is quick, but for the columns of
/// Convex-Lasso.
const FULL: [&str; 8] = [
    "line",
    "two-layer",
    "representation",
    "three-layer",
    "ten-layer",
    "hull",
    "arrangements",
    "gap",
];
const CONVEX: &str = "table-convex";

/// How long full runs take.
const HOURS: &str = "Full runs take, in CPU time of one core: a second (`hull`, `arrangements`), \
    15 s (`line`), 6 min (`representation`), 8 min (`gap`), 16 min \
    (`three-layer`), 18 min each (`two-layer`, `ten-layer`) and 21 min (`table-convex`), measured; \
    about 18 hours (`table`), estimated from the time of an epoch and the number of epochs.";

/// The records that are tracked for an experiment.
fn records(path: &Path, experiment: &Experiment, context: &Context<'_>) -> Records {
    let text = fs::read_to_string(path).unwrap();
    let mut known = Records::default();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        known.0.insert(line["key"].as_str().unwrap().into(), line["record"].clone());
    }
    let mut records = Records::default();
    for trial in (experiment.trials)(context) {
        let record = known.get(&trial.key).clone();
        let id = experiment.id;
        assert!(
            !record.is_null(),
            "no record of {}: run hardlim reproduce {id}{} -o docs/reproduction again",
            trial.key,
            if context.scale == Scale::Quick { " --quick --full table-convex" } else { "" }
        );
        records.0.insert(trial.key, record);
    }
    records
}

#[test]
fn the_page_says_what_the_records_say() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let update = std::env::var_os("HARDLIM_UPDATE_PAGE").is_some();
    let check = |name: &str, text: &str| {
        let path = docs.join(name);
        if update {
            fs::write(&path, text).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == text,
            "{name} is not what the records say; HARDLIM_UPDATE_PAGE=1 writes it"
        );
    };
    // The data are not read again: it is enough that their files seem to be there.
    let data = tempfile::tempdir().unwrap();
    for file in SETS.iter().flat_map(|set| set.files()) {
        let path = data.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let (mut sections, mut left_out) = (Vec::new(), Vec::new());
    for experiment in ALL {
        let Experiment { id, title, .. } = experiment;
        let scale = if FULL.contains(&id) { Scale::Full } else { Scale::Quick };
        let (data, budget) = (Some(data.path().into()), Budget::default());
        let context = Context { scale, convex: Scale::Full, seed: 0, data, budget };
        let journal = docs.join(format!("reproduction/{id}.jsonl"));
        if !journal.is_file() {
            left_out.push(format!("`{id}`"));
            continue;
        }
        let records = records(&journal, &experiment, &context);
        let report = (experiment.report)(&context, &records);
        let mut files = vec![format!("{id}.csv")];
        check(&format!("reproduction/{id}.csv"), &csv(&records));
        for (suffix, figure) in &report.figures {
            let name = format!("{id}{suffix}.svg");
            check(&format!("reproduction/{name}"), &figure.svg());
            files.push(name);
        }
        sections.push(Section { id, title, report, files });
    }
    assert!(!sections.is_empty());
    let missing = if left_out.is_empty() {
        String::new()
    } else {
        format!(" Not measured again yet: {}.", left_out.join(", "))
    };
    let full = FULL.join(",");
    let settings = format!(
        "`hardlim reproduce all --quick --full {full},{CONVEX} --seed 0`. Two to four programs \
         shared each core in these runs, so that seconds are two to three times too long, and only \
         comparable within a factor of two.{missing} Not run in full: the heuristics of `table`, \
         which have fewer epochs and splits than the paper and are not tuned. {HOURS}"
    );
    check("reproduction.md", &document(&sections, &settings, "reproduction/"));
}
