//! Features as positions inside their own query, and sums of a number per document times such a position.

use crate::binning::{ascending_key, NEIGHBOURS};
use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;

/// Columns summed together: hides the wait between two additions to one sum.
const TOGETHER: usize = 8;

/// The position from the bottom of each value among the values of its query: how many lie below it, ties counting
/// one half, and a missing value tying with every other.
fn positions_of_query(values: impl Iterator<Item = f32>, keyed: &mut Vec<u64>, out: &mut [f32]) {
    keyed.clear();
    let middle = (out.len() as f32 - 1.0) / 2.0;
    for (i, x) in values.enumerate() {
        if x.is_nan() {
            out[i] = middle;
        } else {
            keyed.push((ascending_key(x) as u64) << 32 | i as u64);
        }
    }
    let missing = (out.len() - keyed.len()) as f32;
    keyed.sort_unstable();
    let mut below = 0;
    for ties in keyed.chunk_by(|a, b| a >> 32 == b >> 32) {
        let position = below as f32 + (ties.len() as f32 - 1.0 + missing) / 2.0;
        for &key in ties {
            out[key as u32 as usize] = position;
        }
        below += ties.len();
    }
}

/// Positions of all values of `x` (rows × columns), column after column.
pub fn mean_positions(x: &[f32], n_columns: usize, qptr: &[i64], n_threads: usize) -> Vec<f32> {
    let n_rows = x.len().checked_div(n_columns).unwrap_or(0);
    let mut out = vec![0f32; x.len()];
    if n_rows == 0 {
        return out;
    }
    let of_neighbours = |(block, out): (usize, &mut [f32])| {
        let mut keyed = Vec::new();
        for rows in qptr.windows(2).map(|p| p[0] as usize..p[1] as usize) {
            for (j, column) in out.chunks_exact_mut(n_rows).enumerate() {
                let k = block * NEIGHBOURS + j;
                let values = rows.clone().map(|row| x[row * n_columns + k]);
                positions_of_query(values, &mut keyed, &mut column[rows.clone()]);
            }
        }
    };
    with_threads(n_threads, || {
        out.par_chunks_mut(NEIGHBOURS * n_rows)
            .enumerate()
            .for_each(of_neighbours)
    });
    out
}

/// scale · Σ_d numbers(d) · column(d) for each column, in whole numbers: a query's sum is made in the order of its
/// rows and then cut to one, so that sums over queries are exact in whatever order they are made.
pub fn query_dots(
    columns: &[f32],
    numbers: &[f64],
    qptr: &[i64],
    scale: f64,
    n_threads: usize,
) -> Vec<i64> {
    let n_rows = numbers.len();
    let n_columns = columns.len().checked_div(n_rows).unwrap_or(0);
    let mut tasks = Vec::new();
    for block in blocks(qptr, 16384) {
        tasks.extend((0..n_columns).step_by(TOGETHER).map(|k| (block.clone(), k)));
    }
    let dots = |mut sums: Vec<i64>, (block, first): (std::ops::Range<usize>, usize)| {
        let width = TOGETHER.min(n_columns - first);
        for q in block {
            let (a, b) = (qptr[q] as usize, qptr[q + 1] as usize);
            let mut of_query = [0f64; TOGETHER];
            for row in a..b {
                for (j, sum) in of_query[..width].iter_mut().enumerate() {
                    *sum += numbers[row] * columns[(first + j) * n_rows + row] as f64;
                }
            }
            for (total, sum) in sums[first..first + width].iter_mut().zip(of_query) {
                *total = total.wrapping_add((sum * scale) as i64);
            }
        }
        sums
    };
    let empty = || vec![0i64; n_columns];
    if n_threads <= 1 || tasks.len() < 2 {
        return tasks.into_iter().fold(empty(), dots);
    }
    with_threads(n_threads, || {
        tasks
            .into_par_iter()
            .fold(empty, dots)
            .reduce(empty, |mut a, b| {
                a.iter_mut()
                    .zip(b)
                    .for_each(|(x, y)| *x = x.wrapping_add(y));
                a
            })
    })
}
