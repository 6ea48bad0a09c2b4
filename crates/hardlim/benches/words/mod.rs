//! The words on the command line.

/// Every argument but the `--bench` that `cargo bench` adds.
pub(crate) fn words() -> impl Iterator<Item = String> {
    std::env::args().skip(1).filter(|word| word != "--bench")
}
