//! Weighted sums of columns, every row's in the order of the columns.

use crate::on_width;
use crate::parallel::with_threads;
use crate::tiles::{self, Bring, TILE};
use crate::vectors::Width;
use rayon::prelude::*;

/// Rows summed together.
const ROWS: usize = 64;

/// What is added: columns and their weights; NaN counts `missing`.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    pub terms: &'a [(usize, f64)], // by ascending column
    pub missing: f64,
}

/// sums += Σ_k weight_k x_k, term by term.
pub fn add_columns(
    sums: &mut [f64],
    x: &[f32],
    n_columns: usize,
    terms: Terms<'_>,
    width: Width,
    n_threads: usize,
) {
    if n_columns == 0 {
        return;
    }
    let bring = tiles::for_width::<ROWS>(width);
    let add = |(x, sums): (&[f32], &mut [f64])| {
        on_width!(
            width,
            add_rows(sums: &mut [f64], x: &[f32], n_columns: usize, terms: Terms<'_>, bring: Bring<ROWS>)
        )
    };
    if n_threads <= 1 || sums.len() < 16 * ROWS {
        x.chunks(ROWS * n_columns)
            .zip(sums.chunks_mut(ROWS))
            .for_each(add);
        return;
    }
    with_threads(n_threads, || {
        x.par_chunks(ROWS * n_columns)
            .zip(sums.par_chunks_mut(ROWS))
            .with_min_len(8)
            .for_each(add)
    });
}

#[inline(always)]
fn add_rows(sums: &mut [f64], x: &[f32], n_columns: usize, terms: Terms<'_>, bring: Bring<ROWS>) {
    let mut padded = [0f64; ROWS];
    padded[..sums.len()].copy_from_slice(sums);
    let mut tile = [[0f32; ROWS]; TILE];
    for part in terms.terms.chunk_by(|a, b| a.0 / TILE == b.0 / TILE) {
        let first = part[0].0 / TILE * TILE;
        bring(&mut tile, x, n_columns, first);
        for &(k, weight) in part {
            for (sum, &x) in padded.iter_mut().zip(&tile[k - first]) {
                let value = if x.is_nan() { terms.missing } else { x as f64 };
                *sum += weight * value;
            }
        }
    }
    sums.copy_from_slice(&padded[..sums.len()]);
}
