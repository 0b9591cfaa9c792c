//! Sums over all pairs of a query's documents with different labels, in time linear in the documents.
//!
//! The weight of a pair, a_i b_j exp(−(F_i − F_j)) with i the better document, is a product of a number of i and a
//! number of j, so sums over pairs are products of sums over documents. No pair is ever listed.

use crate::binning::ascending_key;
use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;

/// Above this range of scores in a query, exp(F) leaves the floating-point numbers and sums go through logarithms.
const SAFE_RANGE: f64 = 600.0;
/// Documents that take longer than waking another thread.
const WORTH_A_THREAD: usize = 1 << 14;

/// The rank of each document's label among the different labels of its query: 0 for the lowest.
pub fn label_levels(y: &[f32], qptr: &[i64], n_threads: usize) -> Vec<i32> {
    let mut levels = vec![0i32; y.len()];
    let of_query = |rows: std::ops::Range<usize>, out: &mut [i32], order: &mut Vec<u64>| {
        order.clear();
        let keyed = y[rows].iter().enumerate();
        order.extend(keyed.map(|(i, &label)| (ascending_key(label) as u64) << 32 | i as u64));
        order.sort_unstable();
        for (level, ties) in order.chunk_by(|a, b| a >> 32 == b >> 32).enumerate() {
            ties.iter()
                .for_each(|&key| out[key as u32 as usize] = level as i32);
        }
        0.0
    };
    for_queries(&mut levels, qptr, n_threads, of_query);
    levels
}

/// The documents of the training queries, as pairs need them.
#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub scores: &'a [f64],
    pub levels: &'a [i32],
    /// a: what a pair's weight takes from its better document
    pub better: &'a [f64],
    /// b: what it takes from its worse document
    pub worse: &'a [f64],
}

impl Documents<'_> {
    fn of(&self, rows: std::ops::Range<usize>) -> Documents<'_> {
        Documents {
            scores: &self.scores[rows.clone()],
            levels: &self.levels[rows.clone()],
            better: &self.better[rows.clone()],
            worse: &self.worse[rows],
        }
    }
}

/// Per document d its potential π(d) = Σ_j D(d, j) − Σ_i D(i, d), where D(i, j) = a_i b_j exp(−(F_i − F_j)) over the
/// pairs whose i has the higher label; and per query its mass Σ D.
pub fn pair_potentials(docs: Documents, qptr: &[i64], n_threads: usize) -> (Vec<f64>, Vec<f64>) {
    let mut potentials = vec![0f64; docs.scores.len()];
    let mass = for_queries(
        &mut potentials,
        qptr,
        n_threads,
        |rows, out, sums: &mut Sums| sums.potentials(docs.of(rows), out),
    );
    (potentials, mass)
}

/// Sums over the documents of one query, by level.
#[derive(Default)]
struct Sums {
    /// a exp(−F) and b exp(F) of each document
    brings: Vec<(f64, f64)>,
    below: Vec<f64>,
    above: Vec<f64>,
}

impl Sums {
    fn potentials(&mut self, docs: Documents, out: &mut [f64]) -> f64 {
        let n_levels = docs.levels.iter().max().map_or(0, |&l| l as usize + 1);
        if n_levels < 2 {
            return 0.0;
        }
        let (low, high) = docs
            .scores
            .iter()
            .fold((f64::MAX, f64::MIN), |(a, b), &f| (a.min(f), b.max(f)));
        if high - low > SAFE_RANGE {
            return potentials_by_logarithms(docs, n_levels, out);
        }
        let middle = (low + high) / 2.0;
        clear(&mut self.below, n_levels);
        clear(&mut self.above, n_levels);
        self.brings.clear();
        for (i, &l) in docs.levels.iter().enumerate() {
            let e = (docs.scores[i] - middle).exp();
            let (as_better, as_worse) = (docs.better[i] / e, docs.worse[i] * e);
            self.above[l as usize] += as_better;
            self.below[l as usize] += as_worse;
            self.brings.push((as_better, as_worse));
        }
        before(self.below.iter_mut());
        before(self.above.iter_mut().rev());
        let mut mass = 0.0;
        for ((out, &l), &(as_better, as_worse)) in out.iter_mut().zip(docs.levels).zip(&self.brings)
        {
            let better_than = as_better * self.below[l as usize];
            *out = better_than - as_worse * self.above[l as usize];
            mass += better_than;
        }
        mass
    }
}

fn clear(sums: &mut Vec<f64>, n: usize) {
    sums.clear();
    sums.resize(n, 0.0);
}

/// Each number becomes the sum of those before it.
fn before<'a>(sums: impl Iterator<Item = &'a mut f64>) {
    let mut total = 0.0;
    for s in sums {
        total += std::mem::replace(s, total);
    }
}

/// The logarithm of a growing sum of exponentials.
#[derive(Clone, Copy)]
pub struct LogSum {
    pub largest: f64,
    pub sum: f64,
}

pub const NOTHING: LogSum = LogSum {
    largest: f64::NEG_INFINITY,
    sum: 0.0,
};

impl LogSum {
    pub fn add(&mut self, more: LogSum) {
        if more.largest > self.largest {
            self.sum = self.sum * (self.largest - more.largest).exp() + more.sum;
            self.largest = more.largest;
        } else if more.largest > f64::NEG_INFINITY {
            self.sum += more.sum * (more.largest - self.largest).exp();
        }
    }

    pub fn logarithm(&self) -> f64 {
        self.largest + self.sum.ln()
    }

    /// exp(x) times the sum.
    pub fn times_exp(&self, x: f64) -> f64 {
        if self.sum > 0.0 {
            (x + self.largest).exp() * self.sum
        } else {
            0.0
        }
    }
}

/// The same sums where exp(F) itself would overflow; a pair's own weight does not.
fn potentials_by_logarithms(docs: Documents, n_levels: usize, out: &mut [f64]) -> f64 {
    let mut below = vec![NOTHING; n_levels];
    let mut above = vec![NOTHING; n_levels];
    for (i, &l) in docs.levels.iter().enumerate() {
        let one = |x: f64| LogSum {
            largest: x,
            sum: 1.0,
        };
        below[l as usize].add(one(docs.worse[i].ln() + docs.scores[i]));
        above[l as usize].add(one(docs.better[i].ln() - docs.scores[i]));
    }
    let (mut under, mut over) = (NOTHING, NOTHING);
    for l in 0..n_levels {
        let here = std::mem::replace(&mut below[l], under);
        under.add(here);
        let here = std::mem::replace(&mut above[n_levels - 1 - l], over);
        over.add(here);
    }
    let mut mass = 0.0;
    for (i, &l) in docs.levels.iter().enumerate() {
        let as_better = below[l as usize].times_exp(docs.better[i].ln() - docs.scores[i]);
        let as_worse = above[l as usize].times_exp(docs.worse[i].ln() + docs.scores[i]);
        out[i] = as_better - as_worse;
        mass += as_better;
    }
    mass
}

/// Calls `of_query(its rows, its part of out, scratch)` for every query; what it returns, query by query.
pub fn for_queries<T: Send, S: Default, R: Send + Clone>(
    out: &mut [T],
    qptr: &[i64],
    n_threads: usize,
    of_query: impl Fn(std::ops::Range<usize>, &mut [T], &mut S) -> R + Sync,
) -> Vec<R> {
    let run = |(block, out): (std::ops::Range<usize>, &mut [T])| {
        let first = qptr[block.start] as usize;
        let mut scratch = S::default();
        let per_query = block.map(|q| {
            let rows = qptr[q] as usize..qptr[q + 1] as usize;
            let part = rows.start - first..rows.end - first;
            of_query(rows, &mut out[part], &mut scratch)
        });
        per_query.collect::<Vec<_>>()
    };
    let n_queries = qptr.len().saturating_sub(1);
    if n_queries == 0 {
        return Vec::new();
    }
    if n_threads <= 1 || out.len() < WORTH_A_THREAD {
        return run((0..n_queries, out));
    }
    let mut parts = Vec::new();
    let mut rest = out;
    for block in blocks(qptr, 4096) {
        let size = (qptr[block.end] - qptr[block.start]) as usize;
        let (part, tail) = rest.split_at_mut(size);
        parts.push((block, part));
        rest = tail;
    }
    with_threads(n_threads, || {
        let blocks: Vec<_> = parts.into_par_iter().map(run).collect();
        blocks.concat()
    })
}
