//! Rows by leaf: dividing a leaf's, and what all leaves' come to.

use crate::on_width;
use crate::parallel::with_threads;
use crate::trees::prefetch::prefetch;
use crate::vectors::widest;
use rayon::prelude::*;

/// Rows that take longer to divide than another thread takes to wake.
const WORTH_A_THREAD: usize = 1 << 14;
/// Rows between asking for a code and using it.
const AHEAD: usize = 32;
/// Documents whose leaves are written together.
const DOCS_AT_A_TIME: usize = 1 << 14;

/// Puts the rows whose code goes left before the others, each side in its order; returns how many go left.
pub fn divide_rows(
    codes: &[u8],
    width: usize,
    rows: &mut [i32],
    spare: &mut [i32],
    feature: usize,
    to_left: &[u8; 256],
    n_threads: usize,
) -> usize {
    let n_parts = (rows.len() / WORTH_A_THREAD).clamp(1, n_threads.max(1));
    let size = rows.len().div_ceil(n_parts).max(1);
    let divide = |rows: &mut [i32], spare: &mut [i32]| {
        let (mut n_left, mut n_right) = (0, 0);
        for i in 0..rows.len() {
            let row = rows[i];
            if let Some(&soon) = rows.get(i + AHEAD) {
                prefetch(codes, soon as usize * width + feature);
            }
            let left = to_left[codes[row as usize * width + feature] as usize] as usize;
            rows[n_left] = row;
            spare[n_right] = row;
            n_left += left;
            n_right += 1 - left;
        }
        n_left
    };
    let lefts: Vec<usize> = if n_parts == 1 {
        vec![divide(rows, spare)]
    } else {
        with_threads(n_threads, || {
            rows.par_chunks_mut(size)
                .zip(spare.par_chunks_mut(size))
                .map(|(rows, spare)| divide(rows, spare))
                .collect()
        })
    };
    let mut n_left = 0;
    for (part, &left) in lefts.iter().enumerate() {
        rows.copy_within(part * size..part * size + left, n_left);
        n_left += left;
    }
    let mut at = n_left;
    for (part, &left) in lefts.iter().enumerate() {
        let n = size.min(rows.len() - part * size) - left;
        rows[at..at + n].copy_from_slice(&spare[part * size..part * size + n]);
        at += n;
    }
    n_left
}

/// Writes the leaf of every row; returns Σ scale · gradient and Σ scale · hessian of each leaf, leaf after leaf.
/// Leaf l has `rows[begins[l]..ends[l]]`, ascending.
pub fn settle_leaves(
    rows: &[i32],
    spans: &[(usize, usize)],
    (gradients, hessians): (&[f64], &[f64]),
    scales: (f64, f64),
    leaf_of: &mut [i32],
    n_threads: usize,
) -> Vec<[i64; 2]> {
    let width = widest(512);
    let of_docs = |(block, leaf_of): (usize, &mut [i32])| {
        let first = block * DOCS_AT_A_TIME;
        let end = (first + leaf_of.len()) as i32;
        let here = first..end as usize;
        let numbers = (&gradients[here.clone()], &hessians[here]);
        let mut sums = vec![[0i64; 2]; spans.len()];
        for (leaf, (&(a, b), sum)) in spans.iter().zip(&mut sums).enumerate() {
            let rows = &rows[a..b];
            let from = rows.partition_point(|&row| row < first as i32);
            let to = from + rows[from..].partition_point(|&row| row < end);
            let rows = &rows[from..to];
            let (leaf, into) = (leaf as i32, (&mut *leaf_of, sum));
            on_width!(width, settle(
                rows: &[i32],
                first: usize,
                numbers: (&[f64], &[f64]),
                scales: (f64, f64),
                leaf: i32,
                into: (&mut [i32], &mut [i64; 2]),
            ));
        }
        sums
    };
    let nothing = || vec![[0i64; 2]; spans.len()];
    let add = |mut a: Vec<[i64; 2]>, b: Vec<[i64; 2]>| {
        for (x, y) in a.iter_mut().zip(b) {
            *x = [x[0] + y[0], x[1] + y[1]];
        }
        a
    };
    with_threads(n_threads, || {
        leaf_of
            .par_chunks_mut(DOCS_AT_A_TIME)
            .enumerate()
            .map(of_docs)
            .reduce(nothing, add)
    })
}

#[inline(always)]
fn settle(
    rows: &[i32],
    first: usize,
    (gradients, hessians): (&[f64], &[f64]),
    scales: (f64, f64),
    leaf: i32,
    (leaf_of, sum): (&mut [i32], &mut [i64; 2]),
) {
    for &row in rows {
        let at = row as usize - first;
        leaf_of[at] = leaf;
        sum[0] += (gradients[at] * scales.0).round_ties_even() as i64;
        sum[1] += (hessians[at] * scales.1).round_ties_even() as i64;
    }
}

/// scores[row] += values[leaf_of[row]], in place.
pub fn add_leaves(scores: &mut [f64], leaf_of: &[i32], values: &[f64], n_threads: usize) {
    with_threads(n_threads, || {
        scores
            .par_chunks_mut(DOCS_AT_A_TIME)
            .zip(leaf_of.par_chunks(DOCS_AT_A_TIME))
            .for_each(|(scores, leaf_of)| {
                for (score, &leaf) in scores.iter_mut().zip(leaf_of) {
                    *score += values[leaf as usize];
                }
            })
    });
}
