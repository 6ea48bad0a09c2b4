//! `hardlim halfspace`.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::bail;
use hardlim::arrangement::Arrangement;
use hardlim::data::{Coding, Dataset, TargetCoding};
use hardlim::pricing::{BestHalfspace, HalfspaceSearch, SignedWeights};
use serde_json::{Value, json};

use super::open_table;
use crate::args::{Common, Halfspace};
use crate::report::columns::cut;
use crate::{interrupt, progress, report};

/// The nodes of the search for a bound if the rank is large: about a minute.
const EFFORT: u64 = 600_000;

pub(crate) fn run(args: &Halfspace, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common);
    request.check_ranges()?;
    let table = open_table(&args.data, common)?;
    let coding = Coding::fit(&table, &request.columns)?;
    if let TargetCoding::Several { column, classes } = coding.target() {
        let (name, count) = (&column.name, classes.len());
        bail!(
            "the target {name:?} has {count} classes; give a column with two values, or a number"
        );
    }
    let (data, y) = (coding.dataset(&table)?, coding.targets(&table)?);
    let z = SignedWeights::of(&data);
    let flag = interrupt::watch();
    let end = request.time_limit.map(|limit| start + Duration::from_secs_f64(limit));
    let stop = || flag.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
    let arrangement = Arrangement::of(data.features());
    let arrangement = if request.bias { arrangement } else { arrangement.without_bias() };
    let search = HalfspaceSearch {
        max_inputs: request.max_inputs,
        gap: request.gap.unwrap_or(0.0),
        effort: EFFORT,
        seed: request.seed,
        stop: &stop,
    };
    let bar = progress::spinner();
    bar.set_message("searching for a halfspace, and for a proof that none is better");
    let found = search.find(arrangement, &z.sums, z.wanted);
    bar.finish_and_clear();
    let report = Report {
        names: coding.feature_names(),
        data: &data,
        z: &z,
        found: &found?,
        max_inputs: args.max_inputs,
        seconds: start.elapsed().as_secs_f64(),
    };
    if common.json {
        let mut object = report.json();
        report::add_notes(&mut object, &report::notes(&table, &coding));
        report::print_json(&object)?;
    } else {
        let data = report::data_text(&table, &coding, &data, &y);
        report::print(&format!("{data}\n{}", report.text()))?;
    }
    if interrupt::asked() {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let missed = args.gap.is_some_and(|gap| report.gap() > gap);
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Everything there is to tell.
struct Report<'a> {
    names: Vec<String>,
    data: &'a Dataset,
    z: &'a SignedWeights,
    found: &'a BestHalfspace,
    max_inputs: Option<usize>,
    seconds: f64,
}

impl Report<'_> {
    fn gap(&self) -> f64 {
        self.found.relative_gap(self.z.wanted)
    }

    fn loss(&self) -> f64 {
        self.found.loss(self.z.wanted)
    }

    /// The samples in the halfspace.
    fn inside(&self) -> usize {
        let pattern = &self.found.best.pattern;
        self.data.row_of().iter().filter(|&&g| pattern.get(g as usize)).count()
    }

    fn json(&self) -> Value {
        let BestHalfspace { best, upper_bound } = self.found;
        json!({
            "n": self.data.samples(), "distinct": self.data.distinct(), "d": self.data.dimension(),
            "names": self.names, "weights": best.hyperplane.weights, "bias": best.hyperplane.bias,
            "max_inputs": self.max_inputs, "inside": self.inside(),
            "value": best.value, "upper_bound": upper_bound,
            "agreement": self.z.size - self.loss(), "weight": self.z.size,
            "loss": self.loss(), "lower_bound": self.found.lower_bound(self.z.wanted),
            "relative_gap": self.gap(), "optimal": self.gap() == 0.0, "seconds": self.seconds,
        })
    }

    fn text(&self) -> String {
        let plane = &self.found.best.hyperplane;
        let term = |(name, &w): (&String, &f64)| {
            let sign = if w < 0.0 { "-" } else { "+" };
            format!("{sign} {} {}", report::short(w.abs()), cut(name))
        };
        let terms: Vec<String> =
            (self.names.iter().zip(&plane.weights)).filter(|(_, w)| **w != 0.0).map(term).collect();
        let sum = if terms.is_empty() { "0".into() } else { terms.join(" ") };
        let sum = sum.strip_prefix("+ ").unwrap_or(&sum);
        let (loss, size) = (self.loss(), self.z.size);
        let class = match self.max_inputs {
            Some(1) => "halfspace of one input".into(),
            Some(most) => format!("halfspace of at most {most} inputs"),
            None => "halfspace".to_owned(),
        };
        let proof = if self.gap() == 0.0 {
            format!("optimal: no {class} has a smaller loss")
        } else {
            let bound = report::long(self.found.lower_bound(self.z.wanted));
            format!(
                "no {class} has a loss below {bound}: at most {} to gain",
                report::percent(self.gap())
            )
        };
        format!(
            "  halfspace  {sum} >= {}\n  inside     {} of {} rows, sum {}\n  agreement  {} of {} ({})\n  \
             loss       {}\n  proof      {proof}\n\n  time       {}\n",
            report::short(0.0 - plane.bias),
            self.inside(),
            self.data.samples(),
            report::long(self.found.best.value),
            report::long(size - loss),
            report::long(size),
            report::percent((size - loss) / size.max(f64::MIN_POSITIVE)),
            report::long(loss),
            report::seconds(self.seconds),
        )
    }
}
