//! The same cells where what a pair brings factorises, a_i b_j: a sweep over the codes of each query, from the top.
//!
//! When the threshold falls below document d, h(d) turns from 0 to 1. Pairs of d with worse documents that still have
//! h = 0 become right ones, and those with better documents that have h = 1 already cease to be; likewise for R_−.

use super::agreements::{over_queries, Codes};
use crate::histograms::CELLS;

/// a and b of every document: what its pairs take from it as the better one and as the worse one.
#[derive(Clone, Copy)]
pub struct Factors<'a> {
    pub better: &'a [f64],
    pub worse: &'a [f64],
}

/// Cells of R_+ of every column, then of R_−, of pairs that bring a_i b_j.
pub fn factored_agreements(
    codes: Codes,
    levels: &[i32],
    qptr: &[i64],
    factors: Factors,
    scale: f64,
    n_threads: usize,
) -> Vec<i64> {
    let (n_rows, n_columns) = (levels.len(), codes.n_columns);
    over_queries(
        n_columns,
        qptr,
        n_threads,
        |_, rows, cells, sweep: &mut Sweep| {
            let levels = &levels[rows.clone()];
            let (a, b) = (&factors.better[rows.clone()], &factors.worse[rows.clone()]);
            if levels.iter().all(|&l| l == 0) {
                return;
            }
            let (right, wrong) = cells.split_at_mut(n_columns * CELLS);
            for k in 0..n_columns {
                sweep.start(levels, a, b);
                sweep.sort((rows.clone()).map(|row| codes.ranked(k, row, n_rows)));
                for at in 0..rows.len() {
                    let (code, d) = sweep.moves(at);
                    let (l, a, b) = (levels[d] as usize, a[d], b[d]);
                    let more = a * sweep.off_worse.before(l) - b * sweep.on_better.after(l);
                    let less = b * sweep.off_better.after(l) - a * sweep.on_worse.before(l);
                    right[k * CELLS + code] += (more * scale) as i64;
                    wrong[k * CELLS + code] += (less * scale) as i64;
                    sweep.turn(l, a, b);
                }
            }
        },
    )
}

/// The sums of a and of b over the documents of one query with h = 1 and with h = 0, by level.
#[derive(Default)]
struct Sweep {
    order: Vec<u64>,
    on_better: ByLevel,
    on_worse: ByLevel,
    off_better: ByLevel,
    off_worse: ByLevel,
}

impl Sweep {
    fn start(&mut self, levels: &[i32], a: &[f64], b: &[f64]) {
        let n_levels = levels.iter().max().map_or(0, |&l| l as usize + 1);
        self.on_better.clear(n_levels);
        self.on_worse.clear(n_levels);
        self.off_better.clear(n_levels);
        self.off_worse.clear(n_levels);
        for (d, &l) in levels.iter().enumerate() {
            self.off_better.add(l as usize, a[d]);
            self.off_worse.add(l as usize, b[d]);
        }
    }

    fn sort(&mut self, codes: impl Iterator<Item = u8>) {
        self.order.clear();
        let keys = codes
            .enumerate()
            .map(|(d, code)| u64::from(255 - code) << 32 | d as u64);
        self.order.extend(keys);
        self.order.sort_unstable();
    }

    /// The code and the number of the document that is reached next.
    fn moves(&self, at: usize) -> (usize, usize) {
        let key = self.order[at];
        (255 - (key >> 32) as usize, key as u32 as usize)
    }

    fn turn(&mut self, level: usize, a: f64, b: f64) {
        self.on_better.add(level, a);
        self.on_worse.add(level, b);
        self.off_better.add(level, -a);
        self.off_worse.add(level, -b);
    }
}

/// Sums by level, of which those of lower levels or higher ones are wanted. Few levels are added up; many are a tree.
#[derive(Default)]
struct ByLevel {
    sums: Vec<f64>,
    tree: Vec<f64>,
}

const FEW: usize = 8;

impl ByLevel {
    fn clear(&mut self, n_levels: usize) {
        self.sums.clear();
        self.sums.resize(n_levels, 0.0);
        self.tree.clear();
        if n_levels > FEW {
            self.tree.resize(2 * (n_levels + 1), 0.0);
        }
    }

    fn add(&mut self, level: usize, x: f64) {
        if self.tree.is_empty() {
            self.sums[level] += x;
            return;
        }
        let n = self.sums.len();
        let (up, down) = self.tree.split_at_mut(n + 1);
        for (tree, start) in [(up, level + 1), (down, n - level)] {
            let mut i = start;
            while i <= n {
                tree[i] += x;
                i += i & i.wrapping_neg();
            }
        }
    }

    fn before(&self, level: usize) -> f64 {
        if self.tree.is_empty() {
            return self.sums[..level].iter().sum();
        }
        prefix(&self.tree[..=self.sums.len()], level)
    }

    fn after(&self, level: usize) -> f64 {
        let n = self.sums.len();
        if self.tree.is_empty() {
            return self.sums[level + 1..].iter().sum();
        }
        prefix(&self.tree[n + 1..], n - 1 - level)
    }
}

/// The sum of the first `n` numbers of a Fenwick tree.
fn prefix(tree: &[f64], n: usize) -> f64 {
    let (mut sum, mut i) = (0.0, n);
    while i > 0 {
        sum += tree[i];
        i &= i - 1;
    }
    sum
}
