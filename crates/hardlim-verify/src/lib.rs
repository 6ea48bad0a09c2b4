//! Checks that a written export gives the answers of its model.
//!
//! What goes in is a folder and the integers of the model ([`Job`]); what comes out are findings.
//! Nothing here asks how the files were made. C is proven by reading it back, Verilog by a SAT
//! solver, wire by wire; both for every input. Compilers, simulators, emulators and synthesis run
//! where they are installed.

mod algebra;
pub mod c;
mod group;
mod inputs;
mod onnx;
mod rust;
mod tool;
pub mod verilog;

use std::path::Path;
use std::time::{Duration, Instant};

use hardlim::Error;
use hardlim::export::{Circuit, Counts, Finding, Job, Target, Tools};

/// The installed programs.
#[derive(Debug, Clone)]
pub struct Installed {
    /// The Python that runs ONNX models.
    python: String,
    /// How long outside tools may take, beyond the proofs and the rows.
    limit: Duration,
}

impl Installed {
    /// How many seconds outside tools may take by default.
    pub const TIME_LIMIT: f64 = 40.0;

    /// The installed programs, of which this Python runs ONNX models, for this many seconds.
    ///
    /// # Errors
    /// When the time is not above zero or too long.
    pub fn new(python: impl Into<String>, time_limit: Option<f64>) -> Result<Self, Error> {
        let seconds = time_limit.unwrap_or(Self::TIME_LIMIT);
        if seconds > 0.0 && seconds <= 1e9 {
            return Ok(Self { python: python.into(), limit: Duration::from_secs_f64(seconds) });
        }
        let problem = format!("`time_limit={seconds}`: it must be above zero and at most 1e9");
        Err(Error::Option { option: "time_limit", problem })
    }
}

impl Tools for Installed {
    fn check(&self, job: &Job<'_>) -> Result<(Vec<Finding>, Counts), Error> {
        let scratch = (job.order.draft)(&job.folder.with_extension("scratch"))?;
        let scratch = scratch.temporary_path();
        let Some(circuit) = job.circuit else { return onnx::check(job, &self.python, scratch) };
        let end = Instant::now() + self.limit;
        let vectors = scratch.join("vectors.bin");
        let (mut findings, counts) = inputs::compared(job, circuit, &vectors)?;
        let run = Run { job, circuit, scratch, vectors: &vectors, counts, end };
        findings.extend(match job.order.to {
            Target::C => c::check(&run)?,
            Target::Rust => rust::check(&run)?,
            _ => verilog::check(&run)?,
        });
        Ok((findings, counts))
    }

    fn size(
        &self,
        folder: &Path,
        module: &str,
        unread: &[String],
    ) -> Result<Option<(usize, usize)>, Error> {
        verilog::size(folder, module, unread)
    }
}

/// The checks of a program or a circuit.
struct Run<'a> {
    job: &'a Job<'a>,
    circuit: &'a Circuit,
    scratch: &'a Path,
    /// All inputs and what they must give ([`Circuit::record`]).
    vectors: &'a Path,
    counts: Counts,
    /// When the time for outside tools is over.
    end: Instant,
}

impl Run<'_> {
    fn name(&self) -> &str {
        self.job.order.name
    }

    fn folder(&self) -> &Path {
        self.job.folder
    }

    fn tell(&self, text: &str) {
        (self.job.order.tell)(text);
    }

    fn temporary(&self, name: &str) -> String {
        self.scratch.join(name).to_string_lossy().into_owned()
    }

    fn text(&self, end: &str) -> Result<String, Error> {
        let path = self.folder().join(format!("{}{end}", self.name()));
        std::fs::read_to_string(&path).map_err(|reason| Error::Read { path, reason })
    }

    /// The time for a check that is made anyway: what is left, and a minute in any case.
    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now()).max(Duration::from_secs(60))
    }

    /// The time for a check that can be left out: half of what is left, up to a limit; `None` if
    /// there is none.
    fn spare(&self, limit: Duration) -> Option<Duration> {
        let left = self.end.checked_duration_since(Instant::now())?;
        (left > Duration::from_secs(1)).then(|| (left / 2).min(limit))
    }
}

fn failed(problem: String) -> Error {
    Error::Export { problem }
}

/// The error of a file that cannot be written.
fn written(path: &Path) -> impl Fn(std::io::Error) -> Error {
    move |reason| Error::Write { path: path.into(), reason }
}

/// A proof about a module or a program: what is proven, and why not if it is not.
fn proof(tool: &'static str, module: &str, what: &str, open: Option<&str>) -> Finding {
    let words = match open {
        None => format!("proven: {what}"),
        Some(why) => format!("not proven: {what}: {why}"),
    };
    let numbers = serde_json::json!({ "module": module, "proven": open.is_none() });
    Finding::noted(tool, words, numbers)
}
