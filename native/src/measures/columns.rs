//! One measure of every column of a table, each column being a score: what single features are worth.

use super::graded::Discounts;
use super::query::Query;
use super::spec::Spec;
use super::{needs, one};
use crate::binning::NEIGHBOURS;
use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;
use std::ops::Range;

/// Documents per parallel task.
const BLOCK: i64 = 2048;

/// Judged queries whose documents have a score per column; a missing score counts as 0.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    pub x: &'a [f32],
    pub n_columns: usize,
    pub labels: &'a [f32],
    pub qptr: &'a [i64],
    pub tiebreak: Option<&'a [i64]>,
}

/// The measure of each query under each column; with `both`, then under each column with its sign turned.
/// Columns × queries.
pub fn measure_columns(spec: &Spec, queries: Columns, both: bool, n_threads: usize) -> Vec<f64> {
    let n_queries = queries.qptr.len().saturating_sub(1);
    let sizes = queries.qptr.windows(2).map(|w| (w[1] - w[0]) as usize);
    let discounts = Discounts::new(std::slice::from_ref(spec), sizes.max().unwrap_or(0));
    let n_rows = queries.n_columns * (1 + usize::from(both));
    let of_block = |block: Range<usize>| {
        let values = queries.of_block(spec, &discounts, block.clone(), both);
        (block, values)
    };
    let parts: Vec<_> = with_threads(n_threads, || {
        blocks(queries.qptr, BLOCK)
            .into_par_iter()
            .map(of_block)
            .collect()
    });
    let mut out = vec![0.0; n_rows * n_queries];
    for (block, values) in parts {
        for (of_query, q) in values.chunks_exact(n_rows.max(1)).zip(block) {
            for (row, &value) in of_query.iter().enumerate() {
                out[row * n_queries + q] = value;
            }
        }
    }
    out
}

impl Columns<'_> {
    /// Values of some queries, queries × columns.
    fn of_block(
        &self,
        spec: &Spec,
        discounts: &Discounts,
        block: Range<usize>,
        both: bool,
    ) -> Vec<f64> {
        let needs = needs(std::slice::from_ref(spec));
        let n_rows = self.n_columns * (1 + usize::from(both));
        let mut values = vec![0.0; block.len() * n_rows];
        let mut query = Query::default();
        let mut columns = vec![Vec::new(); NEIGHBOURS];
        for (q, values) in block.zip(values.chunks_exact_mut(n_rows.max(1))) {
            let (a, b) = (self.qptr[q] as usize, self.qptr[q + 1] as usize);
            let tiebreak = self.tiebreak.map(|t| &t[a..b]);
            query.set_labels(&self.labels[a..b], needs);
            for first in (0..self.n_columns).step_by(NEIGHBOURS) {
                self.gather(a..b, first, &mut columns);
                let width = NEIGHBOURS.min(self.n_columns - first);
                for (k, scores) in (first..).zip(&mut columns[..width]) {
                    query.rank(scores, tiebreak, needs);
                    values[k] = one(spec, &mut query, discounts);
                    if both {
                        scores.iter_mut().for_each(|s| *s = -*s);
                        query.rank(scores, tiebreak, needs);
                        values[self.n_columns + k] = one(spec, &mut query, discounts);
                    }
                }
            }
        }
        values
    }

    /// Neighbouring columns of a query's rows, from `first` on.
    fn gather(&self, rows: Range<usize>, first: usize, columns: &mut [Vec<f64>]) {
        columns.iter_mut().for_each(Vec::clear);
        for row in self.x[rows.start * self.n_columns..rows.end * self.n_columns]
            .chunks_exact(self.n_columns)
        {
            for (column, &value) in columns.iter_mut().zip(&row[first..]) {
                column.push(if value.is_nan() {
                    0.0
                } else {
                    f64::from(value)
                });
            }
        }
    }
}
