//! For every stump, how much weight the pairs have that it ranks the right way and the wrong way.
//!
//! h fires on codes above b. A pair (i, j) is ranked rightly by the thresholds with c_j ≤ b < c_i, so it adds what it
//! brings to the cell of c_i and takes it from the cell of c_j: the sum of the cells above b is then R_+(b).

use super::{Documents, Query, Rule};
use crate::histograms::CELLS;
use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;

/// The code of a missing value.
const MISSING: u8 = 255;

/// One byte per value, one row per column of features.
#[derive(Clone, Copy)]
pub struct Codes<'a> {
    pub codes: &'a [u8],
    pub n_columns: usize,
    /// whether h is 1 where the value is missing; else 0
    pub missing_fires: bool,
}

impl Codes<'_> {
    /// The code by which stumps rank: a missing value is above all others, or at the bottom.
    pub fn ranked(&self, column: usize, row: usize, n_rows: usize) -> u8 {
        match self.codes[column * n_rows + row] {
            MISSING if !self.missing_fires => 0,
            code => code,
        }
    }
}

/// Cells of R_+ of every column, then of R_−, in whole numbers: each term · scale is cut to one.
pub fn pair_agreements(
    codes: Codes,
    docs: Documents,
    rule: Rule,
    scale: f64,
    n_threads: usize,
) -> Vec<i64> {
    let n_columns = codes.n_columns;
    over_queries(
        n_columns,
        docs.qptr,
        n_threads,
        |q, rows, cells, query: &mut Rows| {
            query.gather(codes, docs, rows);
            let (rank, pairs) = (&query.codes, &mut query.pairs);
            let k = n_columns;
            pairs.for_rows(rule, |pairs, i, _| {
                let own = &rank[i * k..][..k];
                for (j, p) in pairs.brings.iter().enumerate() {
                    let brings = (docs.omega[q] * p * scale) as i64;
                    add_pair(own, &rank[j * k..][..k], brings, cells);
                }
            });
        },
    )
}

/// Adds one pair to the cells of every column; `own` are the codes of the better document.
fn add_pair(own: &[u8], other: &[u8], brings: i64, cells: &mut [i64]) {
    let half = cells.len() / 2;
    for (k, (&a, &b)) in own.iter().zip(other).enumerate() {
        let column = &mut cells[usize::from(a < b) * half + k * CELLS..][..CELLS];
        column[a.max(b) as usize] += brings;
        column[a.min(b) as usize] -= brings;
    }
}

/// The documents of one query by ascending level, with their codes side by side.
#[derive(Default)]
struct Rows {
    pairs: Query,
    codes: Vec<u8>,
}

impl Rows {
    fn gather(&mut self, codes: Codes, docs: Documents, rows: std::ops::Range<usize>) {
        let (start, n_rows) = (rows.start, docs.scores.len());
        self.pairs.gather(docs, rows);
        self.codes.clear();
        for &i in &self.pairs.order {
            let row = start + i as usize;
            self.codes
                .extend((0..codes.n_columns).map(|k| codes.ranked(k, row, n_rows)));
        }
    }
}

/// The cells of all queries: `of_query(its number, its rows, cells, scratch)` adds those of one. Whole numbers, so that
/// the order of queries does not matter.
pub fn over_queries<S: Default>(
    n_columns: usize,
    qptr: &[i64],
    n_threads: usize,
    of_query: impl Fn(usize, std::ops::Range<usize>, &mut [i64], &mut S) + Sync,
) -> Vec<i64> {
    let empty = || vec![0i64; 2 * n_columns * CELLS];
    let run = |mut cells: Vec<i64>, block: std::ops::Range<usize>| {
        let mut scratch = S::default();
        for q in block {
            let rows = qptr[q] as usize..qptr[q + 1] as usize;
            of_query(q, rows, &mut cells, &mut scratch);
        }
        cells
    };
    let parts = blocks(qptr, 1024);
    if n_threads <= 1 || parts.len() <= 1 {
        return parts.into_iter().fold(empty(), run);
    }
    let sum = |mut a: Vec<i64>, b: Vec<i64>| {
        a.iter_mut()
            .zip(&b)
            .for_each(|(x, y)| *x = x.wrapping_add(*y));
        a
    };
    with_threads(n_threads, || {
        parts.into_par_iter().fold(empty, run).reduce(empty, sum)
    })
}
