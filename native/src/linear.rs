//! Weighted sums of columns, every row's in the order of the columns.

use crate::parallel::with_threads;
use crate::tiles::{self, Bring, Tile, TILE};
use crate::vectors::Width;
use rayon::prelude::*;

/// Rows summed together.
const ROWS: usize = 64;
/// Rows that a thread takes at a time.
const RUN: usize = 1024;

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
    let (bring, add_tile) = (tiles::for_width::<ROWS>(width), add_tile_for(width));
    let add = |(x, sums): (&[f32], &mut [f64])| {
        tiles::by_block(x, sums, n_columns, ROWS, |x, sums| {
            add_rows(sums, x, n_columns, terms, bring, add_tile)
        })
    };
    if n_threads <= 1 || sums.len() < 2 * RUN {
        return add((x, sums));
    }
    with_threads(n_threads, || {
        x.par_chunks(RUN * n_columns)
            .zip(sums.par_chunks_mut(RUN))
            .for_each(add)
    });
}

/// Adds the terms of one tile, whose first column is `first`, to the sums of its rows.
type AddTile = fn(&mut [f64; ROWS], &Tile<ROWS>, usize, Terms<'_>);

fn add_rows(
    sums: &mut [f64],
    x: &[f32],
    n_columns: usize,
    terms: Terms<'_>,
    bring: Bring<ROWS>,
    add_tile: AddTile,
) {
    let mut padded = [0f64; ROWS];
    padded[..sums.len()].copy_from_slice(sums);
    let mut tile = [[0f32; ROWS]; TILE];
    for part in terms.terms.chunk_by(|a, b| a.0 / TILE == b.0 / TILE) {
        let first = part[0].0 / TILE * TILE;
        bring(&mut tile, x, n_columns, first);
        let part = Terms {
            terms: part,
            missing: terms.missing,
        };
        add_tile(&mut padded, &tile, first, part);
    }
    sums.copy_from_slice(&padded[..sums.len()]);
}

fn add_tile(sums: &mut [f64; ROWS], tile: &Tile<ROWS>, first: usize, terms: Terms<'_>) {
    for &(k, weight) in terms.terms {
        for (sum, &x) in sums.iter_mut().zip(&tile[k - first]) {
            let value = if x.is_nan() { terms.missing } else { x as f64 };
            *sum += weight * value;
        }
    }
}

fn add_tile_for(width: Width) -> AddTile {
    match width {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `widest` gives this width only where the processor has it.
        Width::Bits512 => {
            |sums, tile, first, terms| unsafe { x86::add_tile(sums, tile, first, terms) }
        }
        _ => add_tile,
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Terms, Tile, ROWS};
    use std::arch::x86_64::*;

    /// Sixteen rows at a time, their sums in registers; products are rounded before they are added, as everywhere.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn add_tile(
        sums: &mut [f64; ROWS],
        tile: &Tile<ROWS>,
        first: usize,
        terms: Terms<'_>,
    ) {
        let missing = _mm512_set1_pd(terms.missing);
        for i in (0..ROWS).step_by(16) {
            let place = sums.as_mut_ptr().add(i);
            let mut low = _mm512_loadu_pd(place);
            let mut high = _mm512_loadu_pd(place.add(8));
            for &(k, weight) in terms.terms {
                let x = _mm512_loadu_ps(tile[k - first].as_ptr().add(i));
                let gap = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x, x);
                let upper = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(x));
                let a = _mm512_cvtps_pd(_mm512_castps512_ps256(x));
                let b = _mm512_cvtps_pd(_mm256_castpd_ps(upper));
                let a = _mm512_mask_mov_pd(a, gap as __mmask8, missing);
                let b = _mm512_mask_mov_pd(b, (gap >> 8) as __mmask8, missing);
                let weight = _mm512_set1_pd(weight);
                low = _mm512_add_pd(low, _mm512_mul_pd(weight, a));
                high = _mm512_add_pd(high, _mm512_mul_pd(weight, b));
            }
            _mm512_storeu_pd(place, low);
            _mm512_storeu_pd(place.add(8), high);
        }
    }
}
