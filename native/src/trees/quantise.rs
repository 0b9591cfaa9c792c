//! Gradients as whole numbers.

use crate::parallel::with_threads;
use rayon::prelude::*;

const ROWS_AT_A_TIME: usize = 1 << 14;
const TO_UNIT: f64 = 1.0 / (1u64 << 32) as f64;

/// The finaliser of splitmix64: every bit of the input moves every bit of the output.
#[inline]
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// ⌊scale · number + u⌋ of both numbers of every row, u in [0, 1) a hash of the numbers and the seed.
pub fn quantise(
    gradients: &[f64],
    hessians: &[f64],
    scales: (f64, f64),
    seed: u64,
    n_threads: usize,
) -> Vec<[i16; 2]> {
    let of_row = |g: f64, h: f64| {
        let bits = g.to_bits() ^ h.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let u = mixed(bits.wrapping_add(seed));
        let (low, high) = ((u as u32) as f64, (u >> 32) as f64);
        [
            (g * scales.0 + low * TO_UNIT).floor() as i16,
            (h * scales.1 + high * TO_UNIT).floor() as i16,
        ]
    };
    let mut out = vec![[0i16; 2]; gradients.len()];
    with_threads(n_threads, || {
        out.par_chunks_mut(ROWS_AT_A_TIME)
            .zip(gradients.par_chunks(ROWS_AT_A_TIME))
            .zip(hessians.par_chunks(ROWS_AT_A_TIME))
            .for_each(|((out, g), h)| {
                for ((out, &g), &h) in out.iter_mut().zip(g).zip(h) {
                    *out = of_row(g, h);
                }
            });
    });
    out
}
