//! Sixteen neighbouring columns of some rows, brought from rows to columns.

use crate::vectors::Width;

/// Columns of a tile.
pub const TILE: usize = 16;

/// tile[j][i] is row i's column `first + j`; beyond the rows and columns there are, anything.
pub type Tile<const ROWS: usize> = [[f32; ROWS]; TILE];

/// Fills a tile from at most ROWS rows.
pub type Bring<const ROWS: usize> = fn(&mut Tile<ROWS>, &[f32], usize, usize);

/// The way that is fastest on this width.
pub fn for_width<const ROWS: usize>(width: Width) -> Bring<ROWS> {
    match width {
        #[cfg(target_arch = "x86_64")]
        Width::Bits512 => |tile, x, n_columns, first| {
            // SAFETY: `widest` gives this width only where the processor has it.
            unsafe { x86::bring(tile, x, n_columns, first) }
        },
        _ => bring,
    }
}

/// Asks memory for rows that are needed soon, in the order they lie in, which bringing columns does not keep.
#[inline]
pub fn ask_for(x: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    for line in x.chunks(16) {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T1};
        // SAFETY: a hint; it reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = x;
}

/// Calls `work` with the rows and sums of every block, the next block's rows being on their way by then.
pub fn by_block(
    x: &[f32],
    sums: &mut [f64],
    n_columns: usize,
    rows: usize,
    mut work: impl FnMut(&[f32], &mut [f64]),
) {
    let size = rows * n_columns;
    ask_for(&x[..size.min(x.len())]);
    for (i, (block, sums)) in x.chunks(size).zip(sums.chunks_mut(rows)).enumerate() {
        let next = ((i + 1) * size).min(x.len());
        ask_for(&x[next..(next + size).min(x.len())]);
        work(block, sums);
    }
}

fn bring<const ROWS: usize>(tile: &mut Tile<ROWS>, x: &[f32], n_columns: usize, first: usize) {
    let last = n_columns.min(first + TILE);
    for (i, row) in x.chunks_exact(n_columns).take(ROWS).enumerate() {
        for (column, &value) in tile.iter_mut().zip(&row[first..last]) {
            column[i] = value;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Tile, TILE};
    use std::arch::x86_64::*;

    /// Sixteen rows at a time: four rounds of shuffles swap ever larger parts of registers.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn bring<const ROWS: usize>(
        tile: &mut Tile<ROWS>,
        x: &[f32],
        n_columns: usize,
        first: usize,
    ) {
        let there = n_columns.saturating_sub(first).min(TILE);
        let mask = ((1u32 << there) - 1) as __mmask16;
        let n_rows = (x.len() / n_columns).min(ROWS);
        let zero = _mm512_setzero_ps();
        for i in (0..n_rows).step_by(TILE) {
            let mut r = [zero; TILE];
            for (k, row) in r.iter_mut().enumerate().take(n_rows - i) {
                let at = x.as_ptr().add((i + k) * n_columns + first);
                *row = _mm512_maskz_loadu_ps(mask, at);
            }
            let mut s = [zero; TILE];
            for k in 0..8 {
                s[2 * k] = _mm512_unpacklo_ps(r[2 * k], r[2 * k + 1]);
                s[2 * k + 1] = _mm512_unpackhi_ps(r[2 * k], r[2 * k + 1]);
            }
            // r[4g + j]: in each quarter q, column 4q + j of rows 4g..4g + 4
            for g in 0..4 {
                let pair = |low: usize, high: bool| {
                    let a = _mm512_castps_pd(s[4 * g + low]);
                    let b = _mm512_castps_pd(s[4 * g + low + 2]);
                    _mm512_castpd_ps(if high {
                        _mm512_unpackhi_pd(a, b)
                    } else {
                        _mm512_unpacklo_pd(a, b)
                    })
                };
                r[4 * g] = pair(0, false);
                r[4 * g + 1] = pair(0, true);
                r[4 * g + 2] = pair(1, false);
                r[4 * g + 3] = pair(1, true);
            }
            for j in 0..4 {
                let (a, b, c, d) = (r[j], r[4 + j], r[8 + j], r[12 + j]);
                let ab = _mm512_shuffle_f32x4::<0x88>(a, b); // quarters 0 and 2 of a, then of b
                let cd = _mm512_shuffle_f32x4::<0x88>(c, d);
                let ab_odd = _mm512_shuffle_f32x4::<0xdd>(a, b);
                let cd_odd = _mm512_shuffle_f32x4::<0xdd>(c, d);
                s[j] = _mm512_shuffle_f32x4::<0x88>(ab, cd);
                s[8 + j] = _mm512_shuffle_f32x4::<0xdd>(ab, cd);
                s[4 + j] = _mm512_shuffle_f32x4::<0x88>(ab_odd, cd_odd);
                s[12 + j] = _mm512_shuffle_f32x4::<0xdd>(ab_odd, cd_odd);
            }
            for (column, values) in tile.iter_mut().zip(s) {
                let (part, _) = column[i..].as_chunks_mut::<TILE>();
                _mm512_storeu_ps(part[0].as_mut_ptr(), values);
            }
        }
    }
}
