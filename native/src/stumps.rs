//! Scores of boosted stumps.

use crate::on_width;
use crate::parallel::with_threads;
use crate::vectors::widest;
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

/// Σ_t weight_t h_t(x) for each row of `x` (rows × columns), added in the order of the stumps.
pub fn stump_scores(x: &[f32], n_columns: usize, stumps: &[Stump], n_threads: usize) -> Vec<f64> {
    let mut scores = vec![0f64; x.len().checked_div(n_columns).unwrap_or(0)];
    let mut used: Vec<usize> = stumps.iter().map(|s| s.feature).collect();
    used.sort_unstable();
    used.dedup();
    let place: Vec<usize> = stumps
        .iter()
        .map(|s| used.partition_point(|&k| k < s.feature))
        .collect();
    let width = widest(512);
    let score = |columns: &mut Vec<[f32; ROWS]>, (rows, out): (&[f32], &mut [f64])| {
        columns.resize(used.len(), [0.0; ROWS]);
        let (used, place) = (used.as_slice(), place.as_slice());
        let columns = columns.as_mut_slice();
        on_width!(
            width,
            score_rows(
                columns: &mut [[f32; ROWS]],
                rows: &[f32],
                out: &mut [f64],
                n_columns: usize,
                used: &[usize],
                stumps: &[Stump],
                place: &[usize],
            )
        )
    };
    let blocks = |x: &[f32], scores: &mut [f64]| {
        let mut columns = Vec::new();
        x.chunks(ROWS * n_columns)
            .zip(scores.chunks_mut(ROWS))
            .for_each(|block| score(&mut columns, block));
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

#[inline(always)]
fn score_rows(
    columns: &mut [[f32; ROWS]],
    rows: &[f32],
    out: &mut [f64],
    n_columns: usize,
    used: &[usize],
    stumps: &[Stump],
    place: &[usize],
) {
    for (i, row) in rows.chunks_exact(n_columns).enumerate() {
        for (column, &k) in columns.iter_mut().zip(used) {
            column[i] = row[k];
        }
    }
    let mut sums = [0f64; ROWS];
    for (s, &p) in stumps.iter().zip(place) {
        s.add_to(&mut sums, &columns[p]);
    }
    out.copy_from_slice(&sums[..out.len()]);
}
