//! Objective and bound over time: a table and a picture of training.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use hardlim::solver::Progress;
use hardlim::train::Event;

use crate::plot::{Axis, BLUE, Figure, Panel, Scale, Series, Stroke, VERMILLION, line_chart};
use crate::progress::Training;

/// The progress of training, with the times.
pub(crate) struct Trace {
    start: Instant,
    rows: Mutex<Vec<(Duration, Progress)>>,
}

impl Trace {
    pub(crate) fn new(start: Instant) -> Self {
        Self { start, rows: Mutex::default() }
    }

    /// Shows what happened, and notes the progress of a network.
    pub(crate) fn heard(&self, event: Event<'_>, bar: &Training) {
        if let Event::Progress(progress) = event {
            self.record(progress);
        }
        bar.show(event);
    }

    fn record(&self, progress: &Progress) {
        let row = (self.start.elapsed(), *progress);
        self.rows.lock().expect("nobody panics while writing").push(row);
    }

    /// One line for each round, with all digits.
    pub(crate) fn csv(&self) -> Vec<u8> {
        let mut csv =
            "seconds,round,patterns,neurons,objective,lower_bound,relative_gap\n".to_owned();
        for (time, row) in self.rows.lock().expect("nobody panics while writing").iter() {
            let Progress { round, patterns, neurons, objective, lower_bound } = row;
            let (seconds, gap) = (time.as_secs_f64(), row.relative_gap());
            csv += &format!(
                "{seconds},{round},{patterns},{neurons},{objective},{lower_bound},{gap}\n"
            );
        }
        csv.into_bytes()
    }

    /// Objective and bound, the gap between them, and the neurons, against time.
    pub(crate) fn picture(&self, title: &str) -> Figure {
        let rows = self.rows.lock().expect("nobody panics while writing");
        let line = |name: Option<&str>, color, stroke, value: &dyn Fn(&Progress) -> f64| Series {
            name: name.map(String::from),
            points: rows.iter().map(|(time, row)| (time.as_secs_f64(), value(row))).collect(),
            color,
            stroke,
        };
        let panel = |title: &str, label: &str, scale, series| Panel {
            title: title.into(),
            x: Axis { label: "seconds".into(), scale: Scale::Linear, range: Some((0.0, 0.0)) },
            y: Axis { label: label.into(), scale, range: None },
            series,
            marks: Vec::new(),
        };
        // A gap of zero has no place on a logarithmic axis, and rounding none that means anything.
        let positive = |row: &Progress| {
            Some(row.relative_gap()).filter(|gap| *gap > 4.0 * f64::EPSILON).unwrap_or(f64::NAN)
        };
        let ends = vec![
            line(Some("objective"), BLUE, Stroke::Solid, &|row| row.objective),
            line(Some("lower bound"), VERMILLION, Stroke::Dashed, &|row| row.lower_bound),
        ];
        let gaps = vec![line(None, BLUE, Stroke::Solid, &positive)];
        let neurons = vec![line(None, BLUE, Stroke::Solid, &|row| row.neurons as f64)];
        let panels = vec![
            panel("Objective and lower bound", "objective", Scale::Linear, ends),
            panel("Relative gap", "gap / objective", Scale::Log, gaps),
            panel("Neurons", "neurons", Scale::Count, neurons),
        ];
        line_chart(title, panels, 2)
    }
}
