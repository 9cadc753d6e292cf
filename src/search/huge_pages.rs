//! Large tables: zeroed, never on the stack, and on huge pages where the system has them, since
//! most looks into such a table miss the processor's address cache otherwise.

use bytemuck::{Zeroable, zeroed_box};

/// A zeroed table on the heap.
pub fn boxed<T: Zeroable>() -> Box<T> {
    let table = zeroed_box::<T>();
    prefer_huge_pages(std::slice::from_ref(&*table));
    table
}

/// Asks the system to back this memory by huge pages. To be called before the memory is first
/// written to; without effect where that cannot be had.
pub fn prefer_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let start = memory.as_ptr().addr().next_multiple_of(PAGE);
        let end = memory.as_ptr().addr() + size_of_val(memory);
        if let Some(length) = end.checked_sub(start).filter(|&length| length >= PAGE) {
            let start = memory.as_ptr().cast_mut().cast::<libc::c_void>().with_addr(start);
            // SAFETY: the range lies inside memory that is ours, and the advice changes nothing of
            // its contents.
            unsafe { libc::madvise(start, length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_any_size_are_zero() {
        assert!(boxed::<[[u16; 1000]; 3000]>().iter().flatten().all(|&x| x == 0));
        assert_eq!(*boxed::<[u8; 3]>(), [0; 3]);
        prefer_huge_pages::<u8>(&[]);
    }
}
