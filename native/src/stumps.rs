//! Scores of boosted stumps.

use crate::parallel::with_threads;
use crate::tiles;
use crate::vectors::{Aligned, Width};
use rayon::prelude::*;

/// h(x) = 1[x_k > threshold], or `if_missing` where x_k is missing; counted `weight` times.
#[derive(Clone, Copy)]
pub struct Stump {
    pub feature: usize,
    pub threshold: f32,
    pub weight: f64,
    pub if_missing: bool,
}

impl Stump {
    /// Adds weight · h to each sum. The two comparisons differ for NaN alone.
    #[inline(always)]
    #[allow(clippy::neg_cmp_op_on_partial_ord)]
    fn add_to(&self, sums: &mut [f64; ROWS], column: &[f32; ROWS]) {
        let weight = self.weight.to_bits();
        let masked = |fires: bool| f64::from_bits(weight & (fires as u64).wrapping_neg());
        if self.if_missing {
            for (sum, value) in sums.iter_mut().zip(column) {
                *sum += masked(!(*value <= self.threshold));
            }
        } else {
            for (sum, value) in sums.iter_mut().zip(column) {
                *sum += masked(*value > self.threshold);
            }
        }
    }
}

/// Rows scored together, feature by feature, so that a stump is a comparison of neighbours in memory.
const ROWS: usize = 64;

/// Features of some rows, one after the other.
type Columns = [Aligned<[f32; ROWS]>];

/// Adds the stumps to the sums of rows; the second are the places of their features among the columns.
type AddStumps = fn(&mut [f64; ROWS], &Columns, &[Stump], &[usize]);

/// Σ_t weight_t h_t(x) for each row of `x` (rows × columns), added in the order of the stumps.
pub fn stump_scores(
    x: &[f32],
    n_columns: usize,
    stumps: &[Stump],
    width: Width,
    n_threads: usize,
) -> Vec<f64> {
    let mut scores = vec![0f64; x.len().checked_div(n_columns).unwrap_or(0)];
    let mut used: Vec<usize> = stumps.iter().map(|s| s.feature).collect();
    used.sort_unstable();
    used.dedup();
    assert!(used.last().is_none_or(|&k| k < n_columns));
    let place: Vec<usize> = stumps
        .iter()
        .map(|s| used.partition_point(|&k| k < s.feature))
        .collect();
    let add_stumps = add_stumps_for(width);
    let blocks = |x: &[f32], scores: &mut [f64]| {
        let mut columns = vec![Aligned([0f32; ROWS]); used.len()];
        for (b, out) in scores.chunks_mut(ROWS).enumerate() {
            let rest = &x[b * ROWS * n_columns..];
            // SAFETY: `used` are below n_columns.
            unsafe { bring(&mut columns, rest, n_columns, out.len(), &used) };
            let mut sums = [0f64; ROWS];
            add_stumps(&mut sums, &columns, stumps, &place);
            out.copy_from_slice(&sums[..out.len()]);
        }
    };
    if n_threads <= 1 || scores.len() < 1024 {
        blocks(x, &mut scores);
        return scores;
    }
    with_threads(n_threads, || {
        x.par_chunks(16 * ROWS * n_columns)
            .zip(scores.par_chunks_mut(16 * ROWS))
            .for_each(|(x, scores)| blocks(x, scores))
    });
    scores
}

/// Columns of the first rows, eight rows at a time; those of the next block are asked for in the order they lie in.
///
/// # Safety
/// There must be so many rows, and features below `n_columns`.
unsafe fn bring(columns: &mut Columns, x: &[f32], n_columns: usize, n_rows: usize, used: &[usize]) {
    const STEP: usize = 8;
    let row = |i: usize| x[i.min(n_rows - 1) * n_columns..][..n_columns].as_ptr();
    for i in (0..n_rows).step_by(STEP) {
        let ahead = ((i + ROWS) * n_columns).min(x.len());
        tiles::ask_for(&x[ahead..(ahead + STEP * n_columns).min(x.len())]);
        let rows: [*const f32; STEP] = std::array::from_fn(|r| row(i + r));
        for (column, &k) in columns.iter_mut().zip(used) {
            let values = rows.map(|row| *row.add(k));
            column
                .as_mut_ptr()
                .add(i)
                .cast::<[f32; STEP]>()
                .write(values);
        }
    }
}

fn add_stumps_for(width: Width) -> AddStumps {
    match width {
        Width::Plain => add_stumps,
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `widest` gives these widths only where the processor has them.
        Width::Bits256 => {
            |sums, columns, stumps, place| unsafe { x86::add_256(sums, columns, stumps, place) }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Width::Bits512 => {
            |sums, columns, stumps, place| unsafe { x86::add_512(sums, columns, stumps, place) }
        }
    }
}

#[inline(always)]
fn add_stumps(sums: &mut [f64; ROWS], columns: &Columns, stumps: &[Stump], place: &[usize]) {
    for (s, &p) in stumps.iter().zip(place) {
        s.add_to(sums, &columns[p]);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Columns, Stump, ROWS};
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub unsafe fn add_256(s: &mut [f64; ROWS], c: &Columns, stumps: &[Stump], place: &[usize]) {
        super::add_stumps(s, c, stumps, place);
    }

    /// All sums stay in registers.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn add_512(
        sums: &mut [f64; ROWS],
        columns: &Columns,
        stumps: &[Stump],
        place: &[usize],
    ) {
        let mut r = [_mm512_setzero_pd(); ROWS / 8];
        for (stump, &p) in stumps.iter().zip(place) {
            let column = columns[p].as_ptr();
            let threshold = _mm512_set1_ps(stump.threshold);
            let weight = _mm512_set1_pd(stump.weight);
            for i in 0..ROWS / 16 {
                let x = _mm512_loadu_ps(column.add(16 * i));
                let fires = if stump.if_missing {
                    _mm512_cmp_ps_mask::<_CMP_NLE_UQ>(x, threshold)
                } else {
                    _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, threshold)
                };
                let (low, high) = (fires as __mmask8, (fires >> 8) as __mmask8);
                r[2 * i] = _mm512_mask_add_pd(r[2 * i], low, r[2 * i], weight);
                r[2 * i + 1] = _mm512_mask_add_pd(r[2 * i + 1], high, r[2 * i + 1], weight);
            }
        }
        for (i, sum) in r.into_iter().enumerate() {
            _mm512_storeu_pd(sums.as_mut_ptr().add(8 * i), sum);
        }
    }
}
