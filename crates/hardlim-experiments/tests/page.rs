//! The page in `docs/` says what the tracked records say, and so do the tables and pictures beside it.
//!
//! `HARDLIM_UPDATE_PAGE=1` writes them again, from records that
//! `hardlim reproduce all --quick --full … --data DIR -o docs/reproduction` has left there; [`FULL`] lists the
//! experiments that are tracked in full.

use std::fs;
use std::path::{Path, PathBuf};

use hardlim::solver::Budget;
use hardlim_experiments::{Context, Experiment, Records, SETS, Scale, Section, all, document};
use serde_json::Value;

/// The experiments that are tracked in full. The table is quick, but for the columns of Convex-Lasso.
const FULL: [&str; 9] = [
    "line",
    "two-layer",
    "representation",
    "three-layer",
    "ten-layer",
    "hull",
    "arrangements",
    "gap",
    "scaling",
];
const CONVEX: &str = "table-convex";

/// The experiments whose times were taken while the machine did other work.
const BUSY: [&str; 4] = ["line", "gap", "table", "scaling"];

/// How long full runs take.
const HOURS: &str = "Full runs on one core take a second (`hull`, `arrangements`), 24 s (`line`), 37 s (`scaling`) and 8 min \
    (`gap`), measured; about 20 min (`representation`) and 50 min each (`two-layer`, `three-layer`, `ten-layer`), estimated \
    from quick runs by epochs and starts and from a part of a full run; and about three days (`table`), estimated from \
    single runs, most of it for tuning the heuristics.";

/// The records that are tracked for an experiment.
fn records(path: &Path, experiment: &dyn Experiment, context: &Context<'_>) -> Records {
    let text = fs::read_to_string(path).unwrap();
    let mut known = Records::default();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        known.0.insert(line["key"].as_str().unwrap().into(), line["record"].clone());
    }
    let mut records = Records::default();
    for trial in experiment.trials(context) {
        let record = known.get(&trial.key).clone();
        let id = experiment.id();
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
    for experiment in all() {
        let (id, title) = (experiment.id(), experiment.title());
        let scale = if FULL.contains(&id) { Scale::Full } else { Scale::Quick };
        let mut context = Context::new(scale, 0, Some(data.path().into()), Budget::default());
        context.convex = Scale::Full;
        let journal = docs.join(format!("reproduction/{id}.jsonl"));
        if !journal.is_file() {
            left_out.push(format!("`{id}`"));
            continue;
        }
        let records = records(&journal, experiment.as_ref(), &context);
        let report = experiment.report(&context, &records);
        let mut files = Vec::new();
        for (suffix, table) in &report.tables {
            let name = format!("{id}{suffix}.csv");
            check(&format!("reproduction/{name}"), &String::from_utf8(table.csv()).unwrap());
            files.push(name);
        }
        for (suffix, figure) in &report.figures {
            let name = format!("{id}{suffix}.svg");
            check(&format!("reproduction/{name}"), &figure.svg());
            files.push(name);
        }
        sections.push(Section { id, title, report, files });
    }
    assert!(!sections.is_empty());
    let missing = match left_out.is_empty() {
        true => String::new(),
        false => format!(" Not measured again yet: {}.", left_out.join(", ")),
    };
    let full = FULL.join(",");
    let quick: Vec<String> = (sections.iter().filter(|section| !FULL.contains(&section.id)))
        .map(|section| format!("`{}`", section.id))
        .collect();
    let quick = quick.join(", ");
    let busy = BUSY.map(|id| format!("`{id}`")).join(", ");
    let settings = format!(
        "`hardlim reproduce all --quick --full {full} --seed 0`. Times of {busy}: on a busy machine, so that they are \
         too long.{missing} Not run in full: {quick}; they have fewer epochs, starts or splits than the paper, and each section says \
         how many. {HOURS}"
    );
    check("reproduction.md", &document(&sections, &settings, "reproduction/"));
}
