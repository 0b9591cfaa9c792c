//! Histograms of a leaf: Σ g, Σ h and the number of documents of every code of every feature.
//!
//! Three sums are made by one addition: a document is one 64-bit number, g in the high bits, h below it, 1 at the
//! bottom. As many documents are added so as cannot overflow a field; then the sums move to wide cells.
//!
//!     63          39 38         16 15       0
//!     |  g, signed  |      h      |  count  |

use crate::parallel::with_threads;
use rayon::prelude::*;

const G_SHIFT: u32 = 39;
const H_SHIFT: u32 = 16;
const H_MASK: u64 = (1 << (G_SHIFT - H_SHIFT)) - 1;
const COUNT_MASK: u64 = (1 << H_SHIFT) - 1;
/// What Σ |g|, Σ h and the count must stay below.
const G_LIMIT: u64 = 1 << (63 - G_SHIFT);
const H_LIMIT: u64 = 1 << (G_SHIFT - H_SHIFT);
const COUNT_LIMIT: u64 = 1 << H_SHIFT;

/// Features whose histograms fit into the nearest cache together: 32 KB.
const TOGETHER: usize = 16;
/// Rows that pass over one such group of features after the other.
const ROWS_AT_A_TIME: usize = 4096;
/// So many rows cannot overflow a field, whatever they hold.
const SAFE_ROWS: usize = 1024;
/// Additions that take longer than waking another thread.
const WORTH_A_THREAD: usize = 1 << 16;

type Narrow = [u64; 256];

/// The codes and numbers of all documents.
#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub codes: &'a [u8],
    pub width: usize,
    pub quantised: &'a [i16],
}

/// The sums over some rows of the cells of some features: row 0 Σ g, row 1 (Σ h) · 2^count_bits + the count.
pub fn leaf_cells(
    docs: Documents,
    rows: &[i32],
    cell_ptr: &[i64],
    features: &[i64],
    count_bits: u32,
    n_threads: usize,
) -> Vec<i64> {
    let n_cells = cell_ptr[cell_ptr.len() - 1] as usize;
    let mut cells = vec![0i64; 2 * n_cells];
    let n_groups = if rows.len() * features.len() < WORTH_A_THREAD {
        1
    } else {
        n_threads.clamp(1, features.len())
    };
    let of_group = |group: usize| {
        let first = group * features.len() / n_groups;
        let end = (group + 1) * features.len() / n_groups;
        group_cells(docs, rows, &features[first..end], count_bits)
    };
    let groups: Vec<_> = if n_groups == 1 {
        vec![of_group(0)]
    } else {
        with_threads(n_threads, || {
            (0..n_groups).into_par_iter().map(of_group).collect()
        })
    };
    let (sums, counted) = cells.split_at_mut(n_cells);
    let wide = groups.iter().flatten();
    for (wide, &f) in wide.zip(features) {
        let at = cell_ptr[f as usize] as usize..cell_ptr[f as usize + 1] as usize;
        let n = at.len();
        sums[at.clone()].copy_from_slice(&wide.0[..n]);
        counted[at].copy_from_slice(&wide.1[..n]);
    }
    cells
}

type Wide = ([i64; 256], [i64; 256]);

/// The wide cells of some features.
fn group_cells(docs: Documents, rows: &[i32], features: &[i64], count_bits: u32) -> Vec<Wide> {
    let mut wide = vec![([0i64; 256], [0i64; 256]); features.len()];
    let mut narrow = vec![[0u64; 256]; features.len()];
    let mut values = [0u64; ROWS_AT_A_TIME];
    let (mut g_held, mut h_held, mut held) = (0u64, 0u64, 0u64);
    let mut start = 0;
    while start < rows.len() {
        // as many rows as fit; the first of them always do
        let (mut n, mut g_more, mut h_more) = (0, 0, 0);
        while n < ROWS_AT_A_TIME && start + n < rows.len() {
            let some = &rows[start + n..rows.len().min(start + n + SAFE_ROWS)];
            let (g, h) = gather(docs.quantised, some, &mut values[n..]);
            let overflows = g_held + g_more + g >= G_LIMIT
                || h_held + h_more + h >= H_LIMIT
                || held + (n + some.len()) as u64 >= COUNT_LIMIT;
            if overflows && n > 0 {
                break;
            }
            if overflows {
                flush(&mut narrow, &mut wide, count_bits);
                (g_held, h_held, held) = (0, 0, 0);
            }
            (g_more, h_more, n) = (g_more + g, h_more + h, n + some.len());
        }
        add_rows(
            docs,
            &rows[start..start + n],
            &values[..n],
            features,
            &mut narrow,
        );
        (g_held, h_held, held) = (g_held + g_more, h_held + h_more, held + n as u64);
        start += n;
    }
    flush(&mut narrow, &mut wide, count_bits);
    wide
}

/// The packed numbers of some rows, and their Σ |g| and Σ h.
fn gather(quantised: &[i16], rows: &[i32], values: &mut [u64]) -> (u64, u64) {
    let (mut g_sum, mut h_sum) = (0, 0);
    for (value, &row) in values.iter_mut().zip(rows) {
        let at = 2 * row as usize;
        let (g, h) = (quantised[at] as i64, quantised[at + 1] as u64);
        *value = ((g << G_SHIFT) as u64).wrapping_add((h << H_SHIFT) + 1);
        g_sum += g.unsigned_abs();
        h_sum += h;
    }
    (g_sum, h_sum)
}

/// Moves sums to wide cells.
fn flush(narrow: &mut [Narrow], wide: &mut [Wide], count_bits: u32) {
    for (narrow, (sums, counted)) in narrow.iter_mut().zip(wide) {
        for ((v, sum), counted) in narrow.iter_mut().zip(sums).zip(counted) {
            *sum += (*v as i64) >> G_SHIFT;
            *counted += ((((*v >> H_SHIFT) & H_MASK) << count_bits) + (*v & COUNT_MASK)) as i64;
            *v = 0;
        }
    }
}

/// Adds some rows to the narrow cells of all features, a few features at a time.
fn add_rows(
    docs: Documents,
    rows: &[i32],
    values: &[u64],
    features: &[i64],
    narrow: &mut [Narrow],
) {
    let n_blocks = features.len().div_ceil(TOGETHER);
    let adjacent = features.windows(2).all(|w| w[1] == w[0] + 1);
    for block in 0..n_blocks {
        let first = block * features.len() / n_blocks;
        let end = (block + 1) * features.len() / n_blocks;
        let (features, narrow) = (&features[first..end], &mut narrow[first..end]);
        if !adjacent {
            add_scattered(docs, rows, values, features, narrow);
            continue;
        }
        let at = features[0] as usize;
        macro_rules! by_width {
            ($($n:literal)*) => {
                match features.len() {
                    $($n => add_adjacent::<$n>(docs, at, rows, values, narrow),)*
                    _ => unreachable!(),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    }
}

/// Adds rows to features that stand side by side.
fn add_adjacent<const N: usize>(
    docs: Documents,
    first: usize,
    rows: &[i32],
    values: &[u64],
    narrow: &mut [Narrow],
) {
    let narrow: &mut [Narrow; N] = narrow.try_into().expect("as many histograms as features");
    for (&row, &value) in rows.iter().zip(values) {
        let at = row as usize * docs.width + first;
        let codes: &[u8; N] = docs.codes[at..at + N].try_into().expect("N codes");
        for (narrow, &code) in narrow.iter_mut().zip(codes) {
            let cell = &mut narrow[code as usize];
            *cell = cell.wrapping_add(value);
        }
    }
}

/// Adds rows to features that were drawn.
fn add_scattered(
    docs: Documents,
    rows: &[i32],
    values: &[u64],
    features: &[i64],
    narrow: &mut [Narrow],
) {
    for (&row, &value) in rows.iter().zip(values) {
        let codes = &docs.codes[row as usize * docs.width..][..docs.width];
        for (narrow, &f) in narrow.iter_mut().zip(features) {
            let cell = &mut narrow[codes[f as usize] as usize];
            *cell = cell.wrapping_add(value);
        }
    }
}
