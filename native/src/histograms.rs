//! Sums of a number per document over the documents of each bin, and back from bins to documents.

use crate::parallel::with_threads;
use rayon::prelude::*;

/// A histogram has one cell per code.
pub const CELLS: usize = 256;
/// Rows whose codes and numbers stay in the cache while all columns pass over them.
const ROWS_AT_A_TIME: usize = 4096;
/// Additions that take longer than waking another thread.
const WORTH_A_THREAD: usize = 1 << 20;

/// Adds `number[row]` to cell `code[row]` of each of a few neighbouring columns' histograms, beginning at column
/// `first` and row `start`. One loop over several columns hides the wait between two additions to one cell.
fn add_together<const COLUMNS: usize>(
    codes: &[u8],
    n_rows: usize,
    (first, start): (usize, usize),
    numbers: &[i64],
    cells: &mut [[i64; CELLS]],
) {
    let n = numbers.len();
    let columns: [&[u8]; COLUMNS] =
        std::array::from_fn(|j| &codes[(first + j) * n_rows + start..][..n]);
    let cells = &mut cells[first..first + COLUMNS];
    for (i, &p) in numbers.iter().enumerate() {
        for (column, cells) in columns.iter().zip(cells.iter_mut()) {
            cells[column[i] as usize] += p;
        }
    }
}

/// Adds some rows of all columns into `cells`, one histogram per column.
fn add_rows(
    codes: &[u8],
    numbers: &[f64],
    scale: f64,
    rows: std::ops::Range<usize>,
    cells: &mut [[i64; CELLS]],
) {
    let (n_rows, n_columns) = (numbers.len(), cells.len());
    let mut fixed = [0i64; ROWS_AT_A_TIME];
    for start in rows.clone().step_by(ROWS_AT_A_TIME) {
        let end = rows.end.min(start + ROWS_AT_A_TIME);
        let fixed = &mut fixed[..end - start];
        for (f, x) in fixed.iter_mut().zip(&numbers[start..end]) {
            *f = (x * scale) as i64;
        }
        let n_groups = n_columns.div_ceil(8);
        for group in 0..n_groups {
            let first = group * n_columns / n_groups;
            let at = (first, start);
            match (group + 1) * n_columns / n_groups - first {
                1 => add_together::<1>(codes, n_rows, at, fixed, cells),
                2 => add_together::<2>(codes, n_rows, at, fixed, cells),
                3 => add_together::<3>(codes, n_rows, at, fixed, cells),
                4 => add_together::<4>(codes, n_rows, at, fixed, cells),
                5 => add_together::<5>(codes, n_rows, at, fixed, cells),
                6 => add_together::<6>(codes, n_rows, at, fixed, cells),
                7 => add_together::<7>(codes, n_rows, at, fixed, cells),
                _ => add_together::<8>(codes, n_rows, at, fixed, cells),
            }
        }
    }
}

/// For each column of codes, the sum of `numbers` · `scale` over the rows of each code, in whole numbers: each
/// term is cut to one first, so the sums are exact in whatever order they are made.
pub fn bin_histograms(
    codes: &[u8],
    numbers: &[f64],
    scale: f64,
    n_columns: usize,
    n_threads: usize,
) -> Vec<[i64; CELLS]> {
    let n_rows = numbers.len();
    let empty = || vec![[0i64; CELLS]; n_columns];
    let sum = |mut a: Vec<[i64; CELLS]>, b: Vec<[i64; CELLS]>| {
        for (x, y) in a.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
            *x = x.wrapping_add(*y);
        }
        a
    };
    let n_parts = if n_rows * n_columns < WORTH_A_THREAD || n_threads <= 1 {
        1
    } else {
        n_threads * (n_rows / (4 * ROWS_AT_A_TIME)).clamp(1, 4)
    };
    let part = |p: usize| p * n_rows / n_parts..(p + 1) * n_rows / n_parts;
    let add = |mut cells: Vec<[i64; CELLS]>, p: usize| {
        add_rows(codes, numbers, scale, part(p), &mut cells);
        cells
    };
    if n_parts == 1 {
        return add(empty(), 0);
    }
    with_threads(n_threads, || {
        (0..n_parts)
            .into_par_iter()
            .fold(empty, add)
            .reduce(empty, sum)
    })
}

/// numbers[row] += table[code[row]], in place.
pub fn add_by_code(numbers: &mut [f64], codes: &[u8], table: &[f64; CELLS], n_threads: usize) {
    let add = |(numbers, codes): (&mut [f64], &[u8])| {
        for (x, &c) in numbers.iter_mut().zip(codes) {
            *x += table[c as usize];
        }
    };
    if n_threads <= 1 || numbers.len() < 16 * ROWS_AT_A_TIME {
        return add((numbers, codes));
    }
    with_threads(n_threads, || {
        let size = 4 * ROWS_AT_A_TIME;
        numbers
            .par_chunks_mut(size)
            .zip(codes.par_chunks(size))
            .for_each(add)
    });
}
