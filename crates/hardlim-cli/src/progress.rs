//! Progress on standard error, if it is a terminal. With HARDLIM_PROGRESS set to `lines`, every change is
//! a line of its own.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hardlim::data::{TargetCoding, TrainingSet};
use hardlim::train::Event;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use crate::report::progress_line;

/// Work of unknown length.
pub(crate) fn spinner() -> ProgressBar {
    bar(ProgressBar::new_spinner(), "{spinner} {elapsed} {prefix} {msg}")
}

/// Work of so many steps.
pub(crate) fn steps(count: usize) -> ProgressBar {
    bar(ProgressBar::new(count as u64), "{spinner} {elapsed} {pos}/{len} {msg}")
}

/// Training: a strength may be chosen first, then there is a network, or one for each class.
pub(crate) struct Training {
    bar: Mutex<ProgressBar>,
    /// The classes that have a network each.
    classes: Vec<String>,
}

impl Training {
    pub(crate) fn new(set: &TrainingSet) -> Self {
        let classes = match set.coding().target() {
            TargetCoding::Several { classes, .. } => classes.clone(),
            _ => Vec::new(),
        };
        Self { bar: Mutex::new(spinner()), classes }
    }

    pub(crate) fn show(&self, event: Event<'_>) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Choosing { scores } => {
                bar.finish_and_clear();
                *bar = steps(scores);
                bar.set_message("networks trained to choose the class and beta");
            }
            Event::Scored => bar.inc(1),
            Event::Class(k) => {
                if bar.length().is_some() {
                    bar.finish_and_clear();
                    *bar = spinner();
                }
                if let Some(name) = self.classes.get(k) {
                    bar.set_prefix(format!("class {} of {}: {name}", k + 1, self.classes.len()));
                }
            }
            Event::Progress(progress) => bar.set_message(progress_line(progress)),
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner).finish_and_clear();
    }
}

fn bar(bar: ProgressBar, template: &str) -> ProgressBar {
    let lines = std::env::var_os("HARDLIM_PROGRESS").is_some_and(|how| how == "lines");
    if !lines && !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    if lines {
        bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(Lines), 10));
    }
    let style = ProgressStyle::with_template(template).expect("a valid template");
    let bar = bar.with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
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
            text => writeln!(io::stderr(), "{text}"),
        }
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
