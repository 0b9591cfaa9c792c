//! Rows of features times weights, and their sums times a number per row; dense, and in CSR form.
//!
//! Both give the same bits for dense and sparse data: a row's products are added in eight lanes by column, to which an
//! absent entry adds nothing; sums over rows are of whole numbers.

use crate::parallel::with_threads;
use rayon::prelude::*;

const LANES: usize = 8;
const ROWS: usize = 4096;
/// Stored numbers that take longer than waking another thread.
const WORTH_A_THREAD: usize = 1 << 17;
/// Adding it to a number of magnitude below 2^51 leaves the number, rounded, in the low mantissa bits.
const MAGIC: f64 = 6755399441055744.0; // 1.5 · 2^52

/// Documents × features.
#[derive(Clone, Copy)]
pub enum Rows<'a> {
    Dense {
        x: &'a [f32],
        n_columns: usize,
    },
    Csr {
        data: &'a [f32],
        indices: &'a [i32],
        indptr: &'a [i64],
        n_columns: usize,
    },
}

impl Rows<'_> {
    fn n_columns(&self) -> usize {
        match self {
            Rows::Dense { n_columns, .. } | Rows::Csr { n_columns, .. } => *n_columns,
        }
    }

    fn n_stored(&self) -> usize {
        match self {
            Rows::Dense { x, .. } => x.len(),
            Rows::Csr { data, .. } => data.len(),
        }
    }
}

/// Sets out to Σ_k x_k w_k of every row.
pub fn row_scores(rows: Rows, w: &[f64], n_threads: usize, out: &mut [f64]) {
    let some = |(block, out): (usize, &mut [f64])| {
        let first = block * ROWS;
        for (i, score) in out.iter_mut().enumerate() {
            *score = match rows {
                Rows::Dense { x, n_columns } => {
                    dense_dot(&x[(first + i) * n_columns..][..n_columns], w)
                }
                Rows::Csr {
                    data,
                    indices,
                    indptr,
                    ..
                } => {
                    let stored = indptr[first + i] as usize..indptr[first + i + 1] as usize;
                    sparse_dot(&data[stored.clone()], &indices[stored], w)
                }
            };
        }
    };
    if n_threads <= 1 || rows.n_stored() < WORTH_A_THREAD {
        out.chunks_mut(ROWS).enumerate().for_each(some);
    } else {
        with_threads(n_threads, || {
            out.par_chunks_mut(ROWS).enumerate().for_each(some)
        });
    }
}

fn dense_dot(x: &[f32], w: &[f64]) -> f64 {
    let mut lanes = [0f64; LANES];
    let (xs, ws) = (x.chunks_exact(LANES), w.chunks_exact(LANES));
    let (x_rest, w_rest) = (xs.remainder(), ws.remainder());
    for (x, w) in xs.zip(ws) {
        for l in 0..LANES {
            lanes[l] += x[l] as f64 * w[l];
        }
    }
    for (l, (&x, &w)) in x_rest.iter().zip(w_rest).enumerate() {
        lanes[l] += x as f64 * w;
    }
    lanes.iter().sum()
}

fn sparse_dot(data: &[f32], columns: &[i32], w: &[f64]) -> f64 {
    let mut lanes = [0f64; LANES];
    for (&x, &k) in data.iter().zip(columns) {
        lanes[k as usize % LANES] += x as f64 * w[k as usize];
    }
    lanes.iter().sum()
}

/// Σ_d round(numbers_d x_dk scale_k) for every column k: whole numbers, each below 2^51, so that no order matters.
pub fn column_sums(rows: Rows, numbers: &[f64], scale: &[f64], n_threads: usize) -> Vec<i64> {
    let n_columns = rows.n_columns();
    let empty = || vec![0i64; n_columns];
    let some = |mut sums: Vec<i64>, (block, numbers): (usize, &[f64])| {
        for (i, &number) in numbers.iter().enumerate() {
            let row = block * ROWS + i;
            if number == 0.0 {
                continue;
            }
            match rows {
                Rows::Dense { x, .. } => {
                    let x = &x[row * n_columns..][..n_columns];
                    for ((sum, &x), &scale) in sums.iter_mut().zip(x).zip(scale) {
                        *sum = sum.wrapping_add(rounded(number * x as f64 * scale));
                    }
                }
                Rows::Csr {
                    data,
                    indices,
                    indptr,
                    ..
                } => {
                    let stored = indptr[row] as usize..indptr[row + 1] as usize;
                    for (&x, &k) in data[stored.clone()].iter().zip(&indices[stored]) {
                        let k = k as usize;
                        sums[k] = sums[k].wrapping_add(rounded(number * x as f64 * scale[k]));
                    }
                }
            }
        }
        sums
    };
    if n_threads <= 1 || rows.n_stored() < WORTH_A_THREAD {
        return numbers.chunks(ROWS).enumerate().fold(empty(), some);
    }
    with_threads(n_threads, || {
        let parts = numbers.par_chunks(ROWS).enumerate().fold(empty, some);
        parts.reduce(empty, |mut a, b| {
            a.iter_mut()
                .zip(b)
                .for_each(|(x, y)| *x = x.wrapping_add(y));
            a
        })
    })
}

fn rounded(x: f64) -> i64 {
    ((x + MAGIC).to_bits() as i64).wrapping_sub(MAGIC.to_bits() as i64)
}
