//! The codes of a document's values, side by side; and the leaves they lead to.

use crate::binning::{Table, TOGETHER};
use crate::parallel::with_threads;
use rayon::prelude::*;

/// Rows that stay in the cache while their columns pass over them.
const ROWS_AT_A_TIME: usize = 64;

/// Writes the codes of some columns of `x`, by rows: the number of thresholds below a value; one more than all if missing.
pub fn code_rows(
    x: &[f32],
    n_columns: usize,
    cuts: &[f32],
    cut_ptr: &[i64],
    columns: &[i64],
    codes: &mut [u8],
    n_threads: usize,
) {
    let width = columns.len();
    if codes.is_empty() {
        return;
    }
    let tables: Vec<_> = columns
        .iter()
        .map(|&k| {
            let cuts = &cuts[cut_ptr[k as usize] as usize..cut_ptr[k as usize + 1] as usize];
            (k as usize, Table::of(cuts), cuts.len() as u8 + 1)
        })
        .collect();
    with_threads(n_threads, || {
        codes
            .par_chunks_mut(ROWS_AT_A_TIME * width)
            .zip(x.par_chunks(ROWS_AT_A_TIME * n_columns))
            .for_each(|(codes, x)| {
                for (f, (k, table, missing)) in tables.iter().enumerate() {
                    let mut codes = codes.chunks_mut(width * TOGETHER);
                    for x in x.chunks(n_columns * TOGETHER) {
                        let codes = codes.next().unwrap_or_default();
                        let mut values = [f32::NAN; TOGETHER];
                        for (value, x) in values.iter_mut().zip(x.chunks_exact(n_columns)) {
                            *value = x[*k];
                        }
                        let found = table.codes_of(values, *missing);
                        for (codes, code) in codes.chunks_exact_mut(width).zip(found) {
                            codes[f] = code;
                        }
                    }
                }
            });
    });
}

/// A split by codes: where each code of a feature goes.
pub struct CodeSplit<'a> {
    pub feature: usize,
    pub to_left: &'a [u8],
    pub left: i32,
    pub right: i32,
}

/// The leaf of every row.
pub fn code_leaves(
    codes: &[u8],
    width: usize,
    n_rows: usize,
    splits: &[CodeSplit],
    n_threads: usize,
) -> Vec<i32> {
    if splits.is_empty() {
        return vec![0; n_rows];
    }
    let leaf = |codes: &[u8]| {
        let mut at = 0;
        while at >= 0 {
            let split = &splits[at as usize];
            let to_left = split.to_left[codes[split.feature] as usize] > 0;
            at = if to_left { split.left } else { split.right };
        }
        !at
    };
    with_threads(n_threads, || {
        codes
            .par_chunks_exact(width)
            .with_min_len(4096)
            .map(leaf)
            .collect()
    })
}
