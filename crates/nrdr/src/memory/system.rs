//! What the system tells about memory. Numbers are bytes.

use std::fs::read_to_string;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Address space that each thread sets aside, whether it uses it or not, for the allocator's arena,
const ARENA: u64 = 64 << 20;
/// and for matrix products twice the machine's third-level cache, or so much where that is not told: there is no way to ask in vain for it.
const CACHE: u64 = 32 << 20;
/// Threads that may make one: those of a run, those around it, and the one that waits for them.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Bytes that this process can still take: the least of what the machine has free, what its control groups leave it,
/// and what its own limit does (`ulimit -v`). `None` where the system does not tell.
pub(super) fn available() -> Option<u64> {
    left_by_groups().into_iter().chain(of_machine()).chain(limit_of_process()).min()
}

/// What the control groups leave, if they limit it.
pub(super) fn left_by_groups() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups.lines().filter_map(|line| of_group(Path::new("/sys/fs/cgroup"), line)).min()
}

/// What the machine has, without swap.
pub(super) fn total() -> Option<u64> {
    kilobytes(&read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// Free memory, and what the system would give up for it; swap counts.
fn of_machine() -> Option<u64> {
    let told = read_to_string("/proc/meminfo").ok()?;
    Some(kilobytes(&told, "MemAvailable:")? + kilobytes(&told, "SwapFree:").unwrap_or(0))
}

/// What the limit of the address space leaves beside what threads set aside, if there is one.
pub(super) fn limit_of_process() -> Option<u64> {
    address_space().map(|left| left.saturating_sub(set_aside(THREADS.load(Ordering::Relaxed))))
}

/// What the limit of the address space leaves, if there is one.
pub(super) fn address_space() -> Option<u64> {
    let limits = read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let taken = kilobytes(&read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some(limit.saturating_sub(taken))
}

/// Address space that so many threads set aside.
pub(super) fn set_aside(threads: usize) -> u64 {
    (ARENA + 2 * cache()) * threads as u64
}

/// What this process has taken.
pub(super) fn resident() -> Option<u64> {
    kilobytes(&read_to_string("/proc/self/status").ok()?, "VmRSS:")
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

/// So many threads may take memory of their own: tells by how many these are more than any before.
pub(super) fn expect_threads(threads: usize) -> usize {
    threads.saturating_sub(THREADS.fetch_max(threads, Ordering::Relaxed))
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
}
