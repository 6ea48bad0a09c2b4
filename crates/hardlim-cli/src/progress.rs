//! A line on standard error while work goes on, when somebody is there to watch it.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Work of unknown length.
pub(crate) fn spinner() -> ProgressBar {
    bar(ProgressBar::new_spinner(), "{spinner} {elapsed} {prefix} {msg}")
}

/// Work of so many steps.
pub(crate) fn steps(count: usize) -> ProgressBar {
    bar(ProgressBar::new(count as u64), "{spinner} {elapsed} {pos}/{len} {msg}")
}

fn bar(bar: ProgressBar, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("a valid template");
    let bar = bar.with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
