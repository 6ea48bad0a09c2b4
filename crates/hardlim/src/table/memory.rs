//! How much memory is available.

/// The bytes of memory that are still available, if the system tells.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// The bytes that checking a certificate may use: half of what is available, or 8 GiB if that is
/// unknown.
pub fn for_checking() -> u64 {
    available().map_or(8 << 30, |bytes| bytes / 2)
}
