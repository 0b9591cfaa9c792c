//! Asking for memory before it is needed.

/// Asks for the cache line of an element; nothing happens where there is none.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if at < slice.len() {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T1};
        // SAFETY: the element is inside the slice, and a prefetch reads nothing
        unsafe { _mm_prefetch::<_MM_HINT_T1>(slice.as_ptr().add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}
