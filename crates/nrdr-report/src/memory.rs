//! The memory of this process.

/// The most that it has taken, in megabytes; `None` where the system does not tell.
pub fn peak_megabytes() -> Option<f64> {
    Some(status("VmHWM:")? as f64 / 1024.0 / 1024.0)
}

/// The most that it has taken, in bytes; `None` where the system does not tell.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// What it takes now, in bytes; `None` where the system does not tell.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}
