//! Progress on standard error, if it is a terminal. With HARDLIM_PROGRESS set to `lines`, every
//! change is a line of its own.

use std::io::{self, IsTerminal as _, Write as _};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hardlim::table::TargetCoding;
use hardlim::table::names::plain;
use hardlim::train::Event;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};

use crate::report::progress_line;

/// The steps after which their time says something about the rest.
const STEPS: u64 = 3;

/// Work that is shown until it goes out of scope.
pub(crate) struct Bar(ProgressBar);

impl Deref for Bar {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Work of unknown length.
pub(crate) fn doing(words: impl Into<String>) -> Bar {
    let bar = bar(ProgressBar::new_spinner(), "{spinner} {elapsed} {prefix} {msg}");
    bar.set_message(words.into());
    bar
}

/// Work of `count` steps.
pub(crate) fn steps(count: usize) -> Bar {
    bar(ProgressBar::new(count as u64), "{spinner} {elapsed} {prefix} {pos} of {len} {msg}")
}

/// Work of `count` steps that take about the same time, so that the time that is left can be
/// estimated.
pub(crate) fn even_steps(count: usize) -> Bar {
    let template = "{spinner} {elapsed} {prefix} {pos} of {len} {msg}{left}";
    bar(ProgressBar::new(count as u64), template)
}

/// Shows the progress of a network.
pub(crate) fn listener(bar: &ProgressBar) -> impl Fn(Event<'_>) + Sync {
    |event| {
        if let Event::Progress(progress) | Event::Lists(progress) = event {
            bar.set_message(progress_line(progress));
        }
    }
}

/// A time for people.
pub(crate) fn clock(time: Duration) -> String {
    match time.as_secs() {
        s if s < 60 => format!("{s} s"),
        s if s < 3600 => format!("{} min", s.div_ceil(60)),
        s => format!("{:.1} h", s as f64 / 3600.0),
    }
}

/// Training: a strength may be chosen first, then there is a network, or one for each class.
pub(crate) struct Training {
    bar: Mutex<Bar>,
    /// The classes that have a network each.
    classes: Vec<String>,
}

impl Training {
    /// Training for a target; it may have a limit.
    pub(crate) fn new(target: &TargetCoding, limit: Option<Duration>) -> Self {
        let classes = match target {
            TargetCoding::Several { classes, .. } => classes.clone(),
            _ => Vec::new(),
        };
        let bar = doing(match limit {
            None => "training".to_owned(),
            Some(limit) => format!("training, at most {} s", limit.as_secs_f64()),
        });
        Self { bar: Mutex::new(bar), classes }
    }

    pub(crate) fn show(&self, event: Event<'_>) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Choosing { scores } => {
                *bar = even_steps(scores);
                bar.set_message("networks trained to choose the class and beta");
            }
            Event::Scored => bar.inc(1),
            Event::Class(k) => {
                if bar.length().is_some() {
                    *bar = doing("");
                }
                if let Some(name) = self.classes.get(k) {
                    bar.set_prefix(format!("class {} of {}: {name}", k + 1, self.classes.len()));
                }
            }
            Event::Progress(progress) | Event::Lists(progress) => {
                bar.set_message(progress_line(progress));
            }
        }
    }

    /// Says what is being done.
    pub(crate) fn say(&self, words: String) {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner).set_message(words);
    }
}

fn bar(bar: ProgressBar, template: &str) -> Bar {
    let lines = std::env::var_os("HARDLIM_PROGRESS").is_some_and(|how| how == "lines");
    if !lines && !io::stderr().is_terminal() {
        return Bar(ProgressBar::hidden());
    }
    if lines {
        bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(Lines), 10));
    }
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        if state.pos() >= STEPS && state.elapsed() >= Duration::from_secs(1) {
            // If the estimate is lost, the line says less.
            let _ = write!(out, ", about {} left", clock(state.eta()));
        }
    };
    let style = ProgressStyle::with_template(template).expect("a valid template");
    let bar = bar.with_style(style.with_key("left", left));
    bar.enable_steady_tick(Duration::from_millis(100));
    Bar(bar)
}

/// A place without a cursor: every change is a line of its own.
#[derive(Debug)]
struct Lines;

impl TermLike for Lines {
    fn width(&self) -> u16 {
        200
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        match text.trim() {
            "" => Ok(()),
            text => writeln!(io::stderr(), "{}", plain(text)),
        }
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
