//! The suites of the lab.

mod page;
mod resume;
