//! The gains of all thresholds of a feature, several at a time.

use crate::trees::limits::{Limits, Sums, Whole};

/// The gain of every threshold, and the largest.
pub fn threshold_gains<const ROOM: usize>(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; ROOM],
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the processor has just been asked
            return unsafe {
                threshold_gains_512::<ROOM>(start, sums, counted, limits, whole, gains)
            };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just been asked
            return unsafe {
                threshold_gains_256::<ROOM>(start, sums, counted, limits, whole, gains)
            };
        }
    }
    threshold_gains_plain::<ROOM>(start, sums, counted, limits, whole, gains)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
unsafe fn threshold_gains_512<const ROOM: usize>(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; ROOM],
) -> f64 {
    threshold_gains_plain::<ROOM>(start, sums, counted, limits, whole, gains)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn threshold_gains_256<const ROOM: usize>(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; ROOM],
) -> f64 {
    threshold_gains_plain::<ROOM>(start, sums, counted, limits, whole, gains)
}

#[inline(always)]
fn threshold_gains_plain<const ROOM: usize>(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; ROOM],
) -> f64 {
    const LANES: usize = 8;
    let n = sums.len();
    let mut left = ([0i64; ROOM], [0i64; ROOM]);
    let (mut sum, mut count) = start;
    for b in 0..n {
        (sum, count) = (sum + sums[b], count + counted[b]);
        (left.0[b], left.1[b]) = (sum, count);
    }
    let mut top = [f64::NEG_INFINITY; LANES];
    for first in (0..n).step_by(LANES) {
        for (lane, top) in top.iter_mut().enumerate() {
            let b = (first + lane) % ROOM;
            let gain = limits.gain(Sums::of(left.0[b], left.1[b], limits.count_bits), whole);
            gains[b] = gain;
            *top = if gain > *top { gain } else { *top };
        }
    }
    let top = top.into_iter().fold(f64::NEG_INFINITY, f64::max);
    gains[n..].fill(f64::NEG_INFINITY);
    top
}
