//! The thresholds of features: a column's values in order, divided into bins of about equal size.

use crate::binning::{ascending_key, MISSING, NEIGHBOURS, NO_KEY};
use crate::parallel::with_threads;
use crate::trees::prefetch::prefetch;
use rayon::prelude::*;

/// Rows between asking for one and using it.
const AHEAD: usize = 16;

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
