//! Features as bins: at most 255 values each, found once, so that a weak learner only ever adds into histograms.

use crate::parallel::with_threads;
use rayon::prelude::*;
use std::hint::select_unpredictable;

/// The code of a missing value; values have codes below it.
pub const MISSING: u8 = 255;
/// Rows that stay in the cache while their neighbouring columns pass over them.
const ROWS_AT_A_TIME: usize = 4096;
/// Columns that share a cache line of `x` and so are read together: sixteen float32.
pub const NEIGHBOURS: usize = 16;

/// Values whose codes are searched for together.
pub const TOGETHER: usize = 16;
/// The key of a missing value; it sorts behind all others.
pub const NO_KEY: u32 = u32::MAX;

/// A key that sorts as the value does; −0 and 0 share one.
#[inline]
pub fn ascending_key(x: f32) -> u32 {
    if x.is_nan() {
        return NO_KEY;
    }
    let bits = (x + 0.0).to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

/// A column's thresholds as keys, filled up to 2^steps − 1 of them.
pub struct Table {
    keys: [u32; 256],
    half: usize,
}

impl Table {
    pub fn of(cuts: &[f32]) -> Table {
        let mut keys = [NO_KEY; 256];
        for (key, &cut) in keys.iter_mut().zip(cuts) {
            *key = ascending_key(cut);
        }
        let half = (cuts.len() + 1).next_power_of_two() / 2;
        Table { keys, half }
    }

    /// The codes of several values, `missing` for a missing one: their searches go on side by side.
    #[inline]
    pub fn codes_of(&self, values: [f32; TOGETHER], missing: u8) -> [u8; TOGETHER] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has just been asked
            return unsafe { self.codes_of_512(values, missing) };
        }
        self.codes_of_plain(values, missing)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq")]
    unsafe fn codes_of_512(&self, values: [f32; TOGETHER], missing: u8) -> [u8; TOGETHER] {
        self.codes_of_plain(values, missing)
    }

    #[inline(always)]
    fn codes_of_plain(&self, values: [f32; TOGETHER], missing: u8) -> [u8; TOGETHER] {
        let keys = values.map(ascending_key);
        let mut below = [0u32; TOGETHER];
        let mut half = self.half as u32;
        while half > 0 {
            for (below, &key) in below.iter_mut().zip(&keys) {
                let threshold = self.keys[(*below + half - 1) as usize % 256];
                *below += if threshold < key { half } else { 0 };
            }
            half /= 2;
        }
        std::array::from_fn(|j| {
            if keys[j] == NO_KEY {
                missing
            } else {
                below[j] as u8
            }
        })
    }

    /// How many thresholds lie below the value of a key.
    #[inline]
    pub fn code(&self, key: u32) -> u8 {
        let (mut below, mut half) = (0, self.half);
        while half > 0 {
            let threshold = self.keys[(below + half - 1) % 256];
            below = select_unpredictable(threshold < key, below + half, below);
            half /= 2;
        }
        if key == NO_KEY {
            MISSING
        } else {
            below as u8
        }
    }
}

/// The code of every value: the number of its column's thresholds below it. Column after column.
/// `cut_ptr` holds the offsets of the columns' thresholds in `cuts`.
pub fn bin_codes(x: &[f32], cuts: &[f32], cut_ptr: &[i64], n_threads: usize) -> Vec<u8> {
    let n_columns = cut_ptr.len() - 1;
    let tables: Vec<_> = cut_ptr
        .windows(2)
        .map(|p| Table::of(&cuts[p[0] as usize..p[1] as usize]))
        .collect();
    let n_rows = x.len().checked_div(n_columns).unwrap_or(0);
    let mut codes = vec![0u8; x.len()];
    if n_rows == 0 {
        return codes;
    }
    with_threads(n_threads, || {
        codes
            .par_chunks_mut(NEIGHBOURS * n_rows)
            .enumerate()
            .for_each(|(block, out)| {
                let first = NEIGHBOURS * block;
                let width = out.len() / n_rows;
                for rows in (0..n_rows).step_by(ROWS_AT_A_TIME) {
                    let end = n_rows.min(rows + ROWS_AT_A_TIME);
                    for k in 0..width {
                        let table = &tables[first + k];
                        for row in rows..end {
                            let value = x[row * n_columns + first + k];
                            out[k * n_rows + row] = table.code(ascending_key(value));
                        }
                    }
                }
            })
    });
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::bin_cuts;

    #[test]
    fn codes_count_thresholds_below() {
        let x = [0.0, 1.0, 2.0, f32::NAN, -1.0, 1.5];
        let cuts = bin_cuts(&x, 1, 255, 1);
        let ptr = [0, cuts[0].len() as i64];
        assert_eq!(cuts[0], [f32::MIN, -0.5, 0.5, 1.25, 1.75]);
        assert_eq!(bin_codes(&x, &cuts[0], &ptr, 1), [2, 3, 5, 255, 1, 4]);
    }
}
