//! Scores of sums of trees.
//!
//! Rows are scored in blocks. Every feature of a block becomes one byte per row, its place among the forest's
//! thresholds; a tree is evaluated from its last split to its first, each blending the leaf numbers of its two sides
//! by one comparison of bytes, so that the first split's are the tree's. There are no branches and no gathers but in
//! the search for places. Single rows, and trees of more leaves than a byte can number, walk from split to split.

mod blend;
mod columns;
mod walk;
mod widths;

use crate::parallel::share;
use crate::tiles;
use crate::vectors::Width;

/// Rows scored together.
pub const BLOCK: usize = 128;
/// Up to so many rows, walking is faster.
const WALKED: usize = 9;
/// Leaves of a tree that is scored by codes.
const SMALL: usize = 256;

pub const LEFT: u8 = 1;
pub const ZERO: u8 = 2;
pub const CATEGORIES: u8 = 4;
const TINY: f32 = 1e-35;

/// As `rankwright.models.forest_plan.ForestPlan` describes.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    pub splits: &'a [[i32; 4]],
    pub split_ptr: &'a [i64],
    pub codes: &'a [i64],
    pub values: &'a [f64],
    pub value_ptr: &'a [i64],
    pub tables: &'a [f32],
    pub table_ptr: &'a [i64],
    pub table_feature: &'a [i64],
    pub columns: &'a [[i32; 2]],
    pub column_ptr: &'a [i64],
    pub categories: &'a [i32],
    pub category_ptr: &'a [i64],
    pub category_feature: &'a [i64],
}

impl<'a> Plan<'a> {
    fn splits_of(&self, t: usize) -> std::ops::Range<usize> {
        self.split_ptr[t] as usize..self.split_ptr[t + 1] as usize
    }

    fn values_of(&self, t: usize) -> &'a [f64] {
        &self.values[self.value_ptr[t] as usize..self.value_ptr[t + 1] as usize]
    }

    fn table(&self, k: usize) -> &'a [f32] {
        &self.tables[self.table_ptr[k] as usize..self.table_ptr[k + 1] as usize]
    }

    fn columns_of(&self, k: usize) -> std::ops::Range<usize> {
        self.column_ptr[k] as usize..self.column_ptr[k + 1] as usize
    }

    fn chosen(&self, set: usize) -> &'a [i32] {
        &self.categories[self.category_ptr[set] as usize..self.category_ptr[set + 1] as usize]
    }

    fn is_small(&self, t: usize) -> bool {
        self.value_ptr[t + 1] - self.value_ptr[t] <= SMALL as i64
    }
}

/// Whether x counts as missing to a split or column of this rule.
#[inline(always)]
fn is_missing(x: f32, rule: u8) -> bool {
    x.is_nan() | ((rule & ZERO != 0) & (x.abs() <= TINY))
}

/// Whether trunc(x) is one of the numbers, which are ascending.
fn is_chosen(x: f32, chosen: &[i32]) -> bool {
    let whole = x as i32; // saturates, and no category is that large
    chosen.binary_search(&whole).is_ok()
}

/// What is summed: trees `start..stop`, with every sum rounded to float32 where `single`.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: usize,
    pub stop: usize,
    pub single: bool,
}

/// Adds the values of trees to the sums of rows, tree by tree.
pub fn add_trees(
    sums: &mut [f64],
    x: &[f32],
    n_columns: usize,
    plan: &Plan<'_>,
    span: Span,
    width: Width,
    n_threads: usize,
) {
    if sums.len() <= WALKED || n_columns == 0 {
        for (i, sum) in sums.iter_mut().enumerate() {
            walk::add_row(sum, &x[i * n_columns..][..n_columns], plan, span);
        }
        return;
    }
    let last = plan.table_feature.last(); // they ascend
    assert!(last.is_none_or(|&k| (k as usize) < n_columns));
    let score = |scratch: &mut blend::Scratch, (x, sums): (&[f32], &mut [f64])| {
        tiles::by_block(x, sums, n_columns, BLOCK, |x, sums| {
            widths::add_block(width, scratch, x, n_columns, sums, plan, span)
        })
    };
    if n_threads <= 1 || sums.len() <= BLOCK {
        return score(&mut blend::Scratch::new(plan, width), (x, sums));
    }
    let run = if sums.len() < 16 * BLOCK {
        BLOCK
    } else {
        4 * BLOCK
    };
    let runs = x.chunks(run * n_columns).zip(sums.chunks_mut(run));
    share(
        n_threads.min(runs.len()),
        runs,
        || blend::Scratch::new(plan, width),
        score,
    );
}
