//! How much memory there is, and what a run needs of it: what would not fit is refused before it starts, with the
//! number, instead of being ended by the system in its middle.
//!
//! Numbers are bytes. Estimates are made of what grows with the number of points; what is smaller than 32 MB is
//! not worth asking the system about.

use std::fs::read_to_string;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytemuck::allocation::try_zeroed_vec;

use crate::error::{Error, Hint, Result};

/// Less than this is not refused.
const SMALL: f64 = 32e6;
/// Nor less than this under a limit of the address space.
const TINY: f64 = 4e6;
/// What the system and the allocator take beside what is asked for, as a share.
const OVERHEAD: f64 = 1.05;
/// Address space that each thread sets aside, whether it uses it or not, for the allocator's arena,
const ARENA: u64 = 64 << 20;
/// and for matrix products twice the machine's third-level cache, or so much where that is not told: there is no way to ask in vain for it.
const CACHE: u64 = 32 << 20;
/// Threads that may make one: those of a run, those around it, and the one that waits for them.
static THREADS: AtomicUsize = AtomicUsize::new(0);
/// Edges of a neighbour graph for each neighbour asked for: some neighbours are mutual, some are not.
const EDGES_OF_NEIGHBOR: f64 = 1.4;
/// An entry of a sparse matrix: its column and its value.
pub(crate) const ENTRY: f64 = 12.0;

/// Bytes that this process can still take: the least of what the machine has free, what its control groups leave it,
/// and what its own limit does (`ulimit -v`). `None` where the system does not tell.
pub(crate) fn available() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = groups.lines().filter_map(|line| of_group(Path::new("/sys/fs/cgroup"), line));
    groups.chain(of_machine()).chain(of_process()).min()
}

/// Free memory, and what the system would give up for it; swap counts.
fn of_machine() -> Option<u64> {
    let told = read_to_string("/proc/meminfo").ok()?;
    Some(kilobytes(&told, "MemAvailable:")? + kilobytes(&told, "SwapFree:").unwrap_or(0))
}

/// What the limit of the address space leaves, if there is one.
fn of_process() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let taken = kilobytes(&read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    let workspace = (ARENA + 2 * cache()) * THREADS.load(Ordering::Relaxed) as u64;
    Some(limit.saturating_sub(taken + workspace))
}

/// The size of the machine's third-level cache.
fn cache() -> u64 {
    let told = read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size").unwrap_or_default();
    told.trim()
        .strip_suffix('K')
        .and_then(|kilobytes| kilobytes.parse().ok())
        .map_or(CACHE, |kilobytes: u64| kilobytes << 10)
}

/// What a control group and those above it leave; `line` is one of /proc/self/cgroup, `id:controllers:path`.
fn of_group(root: &Path, line: &str) -> Option<u64> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    let (root, limit, usage, cache) = match controllers {
        "" => (root.to_path_buf(), "memory.max", "memory.current", "inactive_file"),
        "memory" => {
            let files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
            (root.join("memory"), files.0, files.1, files.2)
        }
        _ => return None,
    };
    let left = |folder: &Path| {
        let number =
            |name: &str| read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        let stat = read_to_string(folder.join("memory.stat")).unwrap_or_default();
        // Files that were read count as usage, but give way.
        let cached = stat.lines().find_map(|line| line.strip_prefix(cache)?.trim().parse().ok());
        let used = number(usage)?.saturating_sub(cached.unwrap_or(0));
        Some(number(limit)?.saturating_sub(used))
    };
    let own = root.join(path.trim_start_matches('/'));
    own.ancestors().take_while(|folder| folder.starts_with(&root)).filter_map(left).min()
}

/// The number behind a name in a list such as /proc/meminfo, which counts in kilobytes.
fn kilobytes(told: &str, name: &str) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix(name))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

/// Refuses what needs more than there is.
pub(crate) fn check(what: &'static str, needed: f64, way_out: &'static [Hint]) -> Result<()> {
    let is_tight = || needed >= TINY && of_process().is_some();
    if needed < SMALL && !is_tight() {
        return Ok(());
    }
    let (needed, available) = ((OVERHEAD * needed) as u64, available());
    if available.is_none_or(|available| needed <= available) {
        return Ok(());
    }
    Err(Error::NotEnoughMemory { what, needed, available, way_out })
}

/// Whether so much may be set aside for later: that leaves half of what there is.
pub(crate) fn is_plenty(needed: f64) -> bool {
    needed < SMALL || available().is_none_or(|available| 2.0 * needed <= available as f64)
}

/// Zeros, or an error where there is no room for them.
pub(crate) fn zeros(len: usize, what: &'static str, way_out: &'static [Hint]) -> Result<Vec<f64>> {
    // Like `vec![0.0; len]`, which touches none of them, but ends the program when it fails.
    try_zeroed_vec(len).map_err(|()| lacking(what, 8 * len, way_out))
}

/// The error of so many bytes that were asked for in vain.
pub(crate) fn lacking(what: &'static str, bytes: usize, way_out: &'static [Hint]) -> Error {
    Error::NotEnoughMemory { what, needed: bytes as u64, available: available(), way_out }
}

/// Edges of a point in a graph of so many nearest neighbours.
pub(crate) fn edges_of(neighbors: usize) -> f64 {
    EDGES_OF_NEIGHBOR * neighbors as f64
}

/// A sparse matrix with so many entries in a row, while it is made: its rows and the whole of them.
pub(crate) fn sparse(points: usize, entries: f64) -> f64 {
    2.0 * points as f64 * (ENTRY * entries + 8.0)
}

/// A dense matrix of all pairs.
pub(crate) fn dense(points: usize) -> f64 {
    8.0 * (points as f64).powi(2)
}

/// So many threads may take memory of their own.
pub(crate) fn expect_threads(threads: usize) {
    THREADS.fetch_max(threads, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_control_group_above_counts() {
        let root = std::env::temp_dir().join(format!("nrdr-groups-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let file = root.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        write("memory.max", "max\n");
        write("a/memory.max", "1000\n");
        write("a/memory.current", "700\n");
        write("a/memory.stat", "anon 1\ninactive_file 200\n");
        write("a/b/memory.max", "900\n");
        write("a/b/memory.current", "100\n");
        write("memory/c/memory.limit_in_bytes", "5000\n");
        write("memory/c/memory.usage_in_bytes", "1500\n");
        write("memory/c/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
        assert_eq!(of_group(&root, "0::/a/b"), Some(500));
        assert_eq!(of_group(&root, "0::/"), None);
        assert_eq!(of_group(&root, "5:memory:/c/d"), Some(4000));
        assert_eq!(of_group(&root, "5:cpu:/c"), None);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn lists_of_the_system_are_read() {
        let told = "MemFree: 3 kB\nMemAvailable:   21 kB\n";
        assert_eq!(kilobytes(told, "MemAvailable:"), Some(21 * 1024));
        assert_eq!(kilobytes(told, "SwapFree:"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_no_machine_has_is_refused_with_its_number() {
        let some = available().unwrap();
        let error = check("a matrix", 1e18, &[Hint::Say("use less")]).unwrap_err();
        match &error {
            Error::NotEnoughMemory { needed, available, .. } => {
                assert!(*needed >= 1_000_000_000_000_000_000);
                assert!(available.is_some_and(|now| now < 2 * some && now > some / 2));
            }
            other => panic!("{other}"),
        }
        let text = error.to_string();
        assert!(text.starts_with("a matrix needs 1050000000 GB of memory, but only "), "{text}");
        assert!(text.ends_with(" are available: use less"), "{text}");
        assert!(zeros(1 << 50, "a matrix", &[]).is_err());
        assert_eq!(zeros(3, "a matrix", &[]), Ok(vec![0.0; 3]));
    }
}
