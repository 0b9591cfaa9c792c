//! Features as bins: at most 255 values each, found once, so that a weak learner only ever adds into histograms.

use crate::parallel::with_threads;
use crate::trees::prefetch::prefetch;
use rayon::prelude::*;
use std::hint::select_unpredictable;

/// The code of a missing value; values have codes below it.
pub const MISSING: u8 = 255;
/// Rows that stay in the cache while their neighbouring columns pass over them.
const ROWS_AT_A_TIME: usize = 4096;
/// Columns that share a cache line of `x` and so are read together: sixteen float32.
pub const NEIGHBOURS: usize = 16;

/// Rows between asking for one and using it.
const AHEAD: usize = 16;

/// Values whose codes are searched for together.
pub const TOGETHER: usize = 16;
/// The key of a missing value; it sorts behind all others.
const NO_KEY: u32 = u32::MAX;

/// A key that sorts as the value does; −0 and 0 share one.
#[inline]
pub fn ascending_key(x: f32) -> u32 {
    if x.is_nan() {
        return NO_KEY;
    }
    let bits = (x + 0.0).to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

/// The keys sorted, digit by digit, in time linear in their number: in the one or the other of two rooms.
fn sorted_keys<'a>(mut keys: &'a mut [u32], mut spare: &'a mut [u32]) -> &'a [u32] {
    if keys.len() < 1024 {
        keys.sort_unstable();
        return keys;
    }
    const DIGITS: [u32; 3] = [0, 11, 22];
    let digit = |key: u32, shift: u32| (key >> shift) as usize & 2047;
    let mut places = [[0u32; 2048]; 3];
    for &key in keys.iter() {
        for (place, shift) in places.iter_mut().zip(DIGITS) {
            place[digit(key, shift)] += 1;
        }
    }
    for (place, shift) in places.iter_mut().zip(DIGITS) {
        if place[digit(keys[0], shift)] as usize == keys.len() {
            continue; // all share this digit
        }
        let mut at = 0;
        for p in place.iter_mut() {
            at += std::mem::replace(p, at);
        }
        for &key in keys.iter() {
            let p = &mut place[digit(key, shift)];
            spare[*p as usize] = key;
            *p += 1;
        }
        std::mem::swap(&mut keys, &mut spare);
    }
    keys
}

fn value_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 {
        key & !(1 << 31)
    } else {
        !key
    })
}

/// A threshold t with below ≤ t < above, halfway where float32 has such a number.
fn between(below: f32, above: f32) -> f32 {
    let middle = ((below as f64 + above as f64) / 2.0) as f32;
    if middle < above {
        middle
    } else {
        below
    }
}

/// Thresholds that divide a column's present values, in ascending runs of equal ones, into at most `max_bins` bins of
/// about equal size, never inside a value. A value that fills more than its share gets a bin of its own and the rest is
/// shared out anew.
fn cuts_of(
    runs: impl Iterator<Item = (u32, usize)> + Clone,
    n_missing: usize,
    max_bins: usize,
) -> Vec<f32> {
    let mut cuts = Vec::new();
    let (distinct, mut docs_left) = runs
        .clone()
        .fold((0, 0), |(runs, docs), (_, count)| (runs + 1, docs + count));
    let (mut bins_left, mut in_bin) = (max_bins, 0);
    let mut runs = runs.peekable();
    if n_missing > 0
        && runs
            .peek()
            .is_some_and(|&(key, _)| value_of(key) > f32::MIN)
    {
        cuts.push(f32::MIN); // below every value: tells present from missing
        bins_left -= 1;
    }
    while let Some((key, count)) = runs.next() {
        in_bin += count;
        let full = distinct <= max_bins || in_bin * bins_left >= docs_left;
        if let (true, Some(&(next, _))) = (full && bins_left > 1, runs.peek()) {
            cuts.push(between(value_of(key), value_of(next)));
            docs_left -= in_bin;
            bins_left -= 1;
            in_bin = 0;
        }
    }
    cuts
}

fn runs_of(keys: &[u32]) -> impl Iterator<Item = (u32, usize)> + Clone + '_ {
    keys.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
}

/// The thresholds of sparse columns of so many rows: column k has `values[ptr[k]..ptr[k + 1]]`, and 0 elsewhere.
pub fn sparse_bin_cuts(
    values: &[f32],
    ptr: &[i64],
    n_rows: usize,
    max_bins: usize,
    n_threads: usize,
) -> Vec<Vec<f32>> {
    let max_bins = max_bins.clamp(2, MISSING as usize);
    let zero = ascending_key(0.0);
    let of_column = |at: &[i64]| {
        let present = &values[at[0] as usize..at[1] as usize];
        let mut keys: Vec<_> = present.iter().map(|&value| ascending_key(value)).collect();
        keys.sort_unstable();
        let n_present = keys.partition_point(|&key| key != NO_KEY);
        let n_missing = keys.len() - n_present;
        let (below, rest) =
            keys[..n_present].split_at(keys[..n_present].partition_point(|&key| key < zero));
        let above = &rest[rest.partition_point(|&key| key == zero)..];
        let n_zeros = n_rows - n_missing - below.len() - above.len();
        let zeros = (n_zeros > 0).then_some((zero, n_zeros));
        let runs = runs_of(below).chain(zeros).chain(runs_of(above));
        cuts_of(runs, n_missing, max_bins)
    };
    with_threads(n_threads, || {
        ptr.par_windows(2).with_min_len(64).map(of_column).collect()
    })
}

/// The thresholds of each column of `x` (rows × columns), one list per column.
pub fn bin_cuts(x: &[f32], n_columns: usize, max_bins: usize, n_threads: usize) -> Vec<Vec<f32>> {
    let max_bins = max_bins.clamp(2, MISSING as usize);
    let n_rows = x.len().checked_div(n_columns).unwrap_or(0);
    let of_neighbours = |room: &mut Vec<u32>, first: usize| {
        let width = NEIGHBOURS.min(n_columns - first);
        for (r, row) in x.chunks_exact(n_columns).enumerate() {
            prefetch(x, (r + AHEAD) * n_columns + first);
            for (j, &value) in row[first..first + width].iter().enumerate() {
                room[j * n_rows + r] = ascending_key(value);
            }
        }
        let (columns, spare) = room.split_at_mut(NEIGHBOURS * n_rows);
        let cuts = (0..width).map(|j| {
            let keys = sorted_keys(&mut columns[j * n_rows..(j + 1) * n_rows], spare);
            let n_present = keys.partition_point(|&key| key != NO_KEY);
            cuts_of(
                runs_of(&keys[..n_present]),
                keys.len() - n_present,
                max_bins,
            )
        });
        cuts.collect::<Vec<_>>()
    };
    let firsts: Vec<_> = (0..n_columns).step_by(NEIGHBOURS).collect();
    with_threads(n_threads, || {
        let n_rooms = rayon::current_num_threads().min(firsts.len()).max(1);
        let mut of_rooms: Vec<_> = (0..n_rooms)
            .into_par_iter()
            .map(|t| {
                // One room for all columns of a block, so large that it goes back to the system afterwards
                let mut room = vec![0u32; (NEIGHBOURS + 1) * n_rows];
                let mine = firsts.iter().skip(t).step_by(n_rooms);
                mine.map(|&first| of_neighbours(&mut room, first))
                    .collect::<Vec<_>>()
                    .into_iter()
            })
            .collect();
        (0..firsts.len())
            .flat_map(|block| of_rooms[block % n_rooms].next().unwrap_or_default())
            .collect()
    })
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

    #[test]
    fn codes_count_thresholds_below() {
        let x = [0.0, 1.0, 2.0, f32::NAN, -1.0, 1.5];
        let cuts = bin_cuts(&x, 1, 255, 1);
        let ptr = [0, cuts[0].len() as i64];
        assert_eq!(cuts[0], [f32::MIN, -0.5, 0.5, 1.25, 1.75]);
        assert_eq!(bin_codes(&x, &cuts[0], &ptr, 1), [2, 3, 5, 255, 1, 4]);
    }
}
