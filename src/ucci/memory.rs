//! What the machine has: memory and cores.

use std::thread::available_parallelism;
use sysinfo::{MemoryRefreshKind, System};

/// The memory that this process may use at most, in MiB: the machine's or its container's.
pub fn mebibytes() -> u64 {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let container = system.cgroup_limits().map(|limits| limits.total_memory);
    let total = system.total_memory();
    container.filter(|&bytes| bytes > 0).map_or(total, |bytes| bytes.min(total)) >> 20
}

/// The memory that nobody uses now, in MiB.
pub fn free() -> usize {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let container = system.cgroup_limits().map(|limits| limits.free_memory);
    let free = system.available_memory();
    let bytes = container.map_or(free, |bytes| bytes.min(free));
    usize::try_from(bytes >> 20).unwrap_or(usize::MAX)
}

/// The hash size to use, in MiB, for one asked for: 0 chooses a sixteenth of the memory up to 1
/// GiB; more than three quarters of the memory is not given.
pub fn hash_mebibytes(asked: u64, memory: u64) -> u64 {
    match asked {
        0 => (memory / 16).clamp(16, 1024),
        // A machine that does not tell its memory is believed to have enough.
        _ if memory == 0 => asked,
        _ => asked.min((memory / 4 * 3).max(1)),
    }
}

/// The threads to use for a number asked for: 0 chooses one a core.
pub fn threads(asked: u64) -> usize {
    match asked {
        0 => available_parallelism().map_or(1, |cores| cores.get()),
        _ => usize::try_from(asked).unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert!(mebibytes() > 100);
        assert!(free() as u64 <= mebibytes());
        assert_eq!(hash_mebibytes(64, 8000), 64);
        assert_eq!(hash_mebibytes(1 << 20, 8000), 6000);
        assert_eq!(hash_mebibytes(0, 8000), 500);
        assert_eq!(hash_mebibytes(0, 1 << 20), 1024);
        assert_eq!(hash_mebibytes(300, 0), 300);
        assert_eq!(threads(3), 3);
        assert!(threads(0) >= 1);
    }
}
