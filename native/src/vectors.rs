//! Which vectors the processor has, asked when it runs; and functions compiled for each of them.

use std::ops::{Deref, DerefMut};

/// What vectors read and write: it begins where a line of the cache does. Elsewhere every vector of 512 bits would lie
/// in two lines, at half the speed.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

impl<T> Deref for Aligned<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Bits256,
    #[cfg(target_arch = "x86_64")]
    Bits512,
}

/// The widest vectors this processor has, of at most so many bits.
pub fn widest(bits: usize) -> Width {
    #[cfg(target_arch = "x86_64")]
    {
        let has512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        if bits >= 512 && has512 {
            return Width::Bits512;
        }
        if bits >= 256 && is_x86_feature_detected!("avx2") {
            return Width::Bits256;
        }
    }
    let _ = bits;
    Width::Plain
}

/// `on_width!(width, body(a: A, ...))` calls `body`, which must be `#[inline(always)]`, compiled for that width.
#[macro_export]
macro_rules! on_width {
    ($width:expr, $body:ident($($arg:ident: $kind:ty),* $(,)?)) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        unsafe fn bits256($($arg: $kind),*) {
            $body($($arg),*)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
        unsafe fn bits512($($arg: $kind),*) {
            $body($($arg),*)
        }
        match $width {
            $crate::vectors::Width::Plain => $body($($arg),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `widest` gives these only where the processor has them.
            $crate::vectors::Width::Bits256 => unsafe { bits256($($arg),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            $crate::vectors::Width::Bits512 => unsafe { bits512($($arg),*) },
        }
    }};
}
