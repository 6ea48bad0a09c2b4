//! The `hardlim` command line.

fn main() {}
