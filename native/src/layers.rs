//! A layer of a small network on many rows, and the gradient of its weights: products of matrices whose sums are made
//! in one order, whatever the number of rows or threads.

use crate::parallel::with_threads;
use rayon::prelude::*;

/// Rows that are done together.
const ROWS: usize = 512;

/// bias + x · weights for every row of x; weights are columns of x × units.
pub fn layer<T: Copy + Into<f64> + Sync>(
    x: &[T],
    n_columns: usize,
    weights: &[f64],
    bias: &[f64],
    n_threads: usize,
) -> Vec<f64> {
    let n_units = bias.len();
    let n_rows = x.len().checked_div(n_columns).unwrap_or(0);
    let mut out = vec![0f64; n_rows * n_units];
    let work = |(x, out): (&[T], &mut [f64])| {
        for (row, out) in x.chunks_exact(n_columns).zip(out.chunks_exact_mut(n_units)) {
            out.copy_from_slice(bias);
            for (&x, weights) in row.iter().zip(weights.chunks_exact(n_units)) {
                add(out, x.into(), weights);
            }
        }
    };
    if n_units == 0 || n_rows == 0 {
        return out;
    }
    let parts = x
        .par_chunks(ROWS * n_columns)
        .zip(out.par_chunks_mut(ROWS * n_units));
    if n_threads <= 1 || n_rows <= ROWS {
        work((x, &mut out));
    } else {
        with_threads(n_threads, || parts.for_each(work));
    }
    out
}

/// xᵀ · upper: what the weights' gradient is, when `upper` is that of the layer's outcome.
pub fn layer_gradient<T: Copy + Into<f64> + Sync>(
    x: &[T],
    n_columns: usize,
    upper: &[f64],
    n_units: usize,
    n_threads: usize,
) -> Vec<f64> {
    let of_rows = |(x, upper): (&[T], &[f64])| {
        let mut sum = vec![0f64; n_columns * n_units];
        for (row, upper) in x.chunks_exact(n_columns).zip(upper.chunks_exact(n_units)) {
            for (&x, sum) in row.iter().zip(sum.chunks_exact_mut(n_units)) {
                add(sum, x.into(), upper);
            }
        }
        sum
    };
    let mut total = vec![0f64; n_columns * n_units];
    if total.is_empty() {
        return total;
    }
    let parts = (x.par_chunks(ROWS * n_columns)).zip(upper.par_chunks(ROWS * n_units));
    let sums: Vec<_> = with_threads(n_threads, || parts.map(of_rows).collect());
    for sum in sums {
        add(&mut total, 1.0, &sum);
    }
    total
}

/// to += factor · numbers
#[inline]
fn add(to: &mut [f64], factor: f64, numbers: &[f64]) {
    for (to, x) in to.iter_mut().zip(numbers) {
        *to += factor * x;
    }
}
