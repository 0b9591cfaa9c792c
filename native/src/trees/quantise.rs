//! Gradients as whole numbers.

use crate::on_width;
use crate::parallel::with_threads;
use crate::vectors::widest;
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
    let width = widest(512);
    let mut out = vec![[0i16; 2]; gradients.len()];
    with_threads(n_threads, || {
        out.par_chunks_mut(ROWS_AT_A_TIME)
            .zip(gradients.par_chunks(ROWS_AT_A_TIME))
            .zip(hessians.par_chunks(ROWS_AT_A_TIME))
            .for_each(|((out, g), h)| {
                on_width!(width, quantise_rows(g: &[f64], h: &[f64], scales: (f64, f64), seed: u64, out: &mut [[i16; 2]]));
            });
    });
    out
}

#[inline(always)]
fn quantise_rows(g: &[f64], h: &[f64], scales: (f64, f64), seed: u64, out: &mut [[i16; 2]]) {
    for ((out, &g), &h) in out.iter_mut().zip(g).zip(h) {
        let bits = g.to_bits() ^ h.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let u = mixed(bits.wrapping_add(seed));
        let (low, high) = ((u as u32) as f64, (u >> 32) as f64);
        *out = [
            (g * scales.0 + low * TO_UNIT).floor() as i16,
            (h * scales.1 + high * TO_UNIT).floor() as i16,
        ];
    }
}

/// The largest |g|, the smallest h and the largest h; NaN where any is NaN.
pub fn extents(gradients: &[f64], hessians: &[f64], n_threads: usize) -> [f64; 3] {
    let width = widest(512);
    let of_rows = |(g, h): (&[f64], &[f64])| {
        let mut found = NOTHING;
        let into = &mut found;
        on_width!(width, extend(g: &[f64], h: &[f64], into: &mut [f64; 3]));
        found
    };
    let wider = |a: [f64; 3], b: [f64; 3]| [max(a[0], b[0]), -max(-a[1], -b[1]), max(a[2], b[2])];
    with_threads(n_threads, || {
        gradients
            .par_chunks(ROWS_AT_A_TIME)
            .zip(hessians.par_chunks(ROWS_AT_A_TIME))
            .map(of_rows)
            .reduce(|| NOTHING, wider)
    })
}

const NOTHING: [f64; 3] = [0.0, f64::INFINITY, 0.0];

/// NaN where either is.
#[inline(always)]
fn max(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() {
        a
    } else {
        b
    }
}

#[inline(always)]
fn extend(g: &[f64], h: &[f64], found: &mut [f64; 3]) {
    const LANES: usize = 8;
    let mut lanes = [[0.0; LANES], [f64::NEG_INFINITY; LANES], [0.0; LANES]];
    let (g_whole, h_whole) = (g.chunks_exact(LANES), h.chunks_exact(LANES));
    let rest = g_whole.remainder().iter().zip(h_whole.remainder());
    for (g, h) in g_whole.zip(h_whole) {
        for i in 0..LANES {
            lanes[0][i] = max(lanes[0][i], g[i].abs());
            lanes[1][i] = max(lanes[1][i], -h[i]);
            lanes[2][i] = max(lanes[2][i], h[i]);
        }
    }
    for (g, &h) in rest {
        lanes[0][0] = max(lanes[0][0], g.abs());
        lanes[1][0] = max(lanes[1][0], -h);
        lanes[2][0] = max(lanes[2][0], h);
    }
    let [top, low, high] = lanes.map(|lanes| lanes.into_iter().reduce(max).unwrap_or(0.0));
    *found = [top, -low, high];
}
