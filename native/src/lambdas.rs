//! λ-gradients: for every pair of a query's documents with different labels, |ΔE| of swapping the two in the current
//! ranking, times the slope of the pair's logistic loss.
//!
//! A query's documents are put in ranked order, best first (only as far as the measure looks; the others follow in
//! any order). Row a of the pairs is then a against all below it, and only rows above the measure's cut-off exist:
//! a pair with both documents below it costs nothing.

mod pairs;
mod rows;
mod swaps;

use crate::order::Ranking;
use crate::parallel::{blocks, with_threads};
use crate::sweep::worth::{Kind, Worth};
use rayon::prelude::*;
use rows::{How, Rows};
use std::cell::RefCell;

/// Documents per parallel task.
const BLOCK: i64 = 4096;

pub struct Queries<'a> {
    pub scores: &'a [f64],
    pub qptr: &'a [i64],
    pub worth: Worth<'a>,
    /// Rows of every query in the order that decides between equal scores.
    pub visit: &'a [i64],
    /// A pair weighs the product of its documents' weights, and that of its query.
    pub doc_weight: Option<&'a [f64]>,
    pub query_weight: Option<&'a [f64]>,
    /// c of the factor 1/(c + |s_i − s_j|) on ΔE, with which every query's sum S = Σ |λ_ij| is brought to
    /// log₂(1 + S); 0: neither.
    pub near: f64,
}

impl Queries<'_> {
    pub fn check(&self, n_lambdas: usize, n_hessians: usize) -> Result<(), String> {
        let (n, n_queries) = (self.scores.len(), self.qptr.len().saturating_sub(1));
        let rising = self.qptr.first() == Some(&0)
            && self.qptr.last() == Some(&(n as i64))
            && self.qptr.windows(2).all(|w| w[0] <= w[1]);
        let inside = |q: usize| {
            let rows = self.qptr[q]..self.qptr[q + 1];
            let visit = &self.visit[rows.start as usize..rows.end as usize];
            visit.iter().all(|row| rows.contains(row))
        };
        let longest = self.qptr.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0) as usize;
        let worth = &self.worth;
        let discounts = if worth.discount_by_row {
            n
        } else {
            longest.min(worth.depth)
        };
        let fits = rising
            && [self.visit.len(), worth.value.len(), n_lambdas, n_hessians] == [n; 4]
            && self.doc_weight.is_none_or(|w| w.len() == n)
            && self.query_weight.is_none_or(|w| w.len() == n_queries)
            && self.near >= 0.0
            && worth.scale.len() == n_queries
            && worth.depth > 0
            && longest < u32::MAX as usize
            && (worth.kind != Kind::Gain || worth.discount.len() >= discounts)
            && (0..n_queries).all(inside);
        fits.then_some(())
            .ok_or_else(|| "arrays of the λ-gradients do not fit each other".into())
    }
}

#[derive(Default)]
struct Scratch {
    ranking: Ranking,
    /// Scores in the order of `visit`.
    visited: Vec<f64>,
    is_ranked: Vec<bool>,
    rows: Rows,
    swaps: swaps::Scratch,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Writes λ and its derivative −∂λ/∂s for every document.
pub fn lambda_gradients(
    queries: &Queries,
    lambdas: &mut [f64],
    hessians: &mut [f64],
    n_threads: usize,
) {
    let mut parts = Vec::new();
    let (mut rest_l, mut rest_h) = (lambdas, hessians);
    for block in blocks(queries.qptr, BLOCK) {
        let size = (queries.qptr[block.end] - queries.qptr[block.start]) as usize;
        let (l, tail_l) = rest_l.split_at_mut(size);
        let (h, tail_h) = rest_h.split_at_mut(size);
        parts.push((block, l, h));
        (rest_l, rest_h) = (tail_l, tail_h);
    }
    with_threads(n_threads, || {
        parts.into_par_iter().for_each(|(block, l, h)| {
            SCRATCH.with_borrow_mut(|scratch| {
                let first = queries.qptr[block.start] as usize;
                for q in block {
                    let (from, to) = (queries.qptr[q] as usize, queries.qptr[q + 1] as usize);
                    let part = from - first..to - first;
                    scratch.query(queries, q, &mut l[part.clone()], &mut h[part]);
                }
            })
        })
    });
}

impl Scratch {
    fn query(&mut self, queries: &Queries, q: usize, lambdas: &mut [f64], hessians: &mut [f64]) {
        let from = queries.qptr[q] as usize;
        let n = lambdas.len();
        lambdas.fill(0.0);
        hessians.fill(0.0);
        let scale = queries.worth.scale[q].abs();
        let value = &queries.worth.value[from..from + n];
        if scale == 0.0 || value.iter().all(|&v| v == value[0]) {
            return;
        }
        let visit = &queries.visit[from..from + n];
        self.rank(queries.scores, visit, queries.worth.depth);
        let local = |place: u32| visit[place as usize] as usize - from;
        let rows = &mut self.rows;
        rows.clear(n);
        let best = self.visited[self.ranking.rows[0] as usize];
        for (r, &place) in self.ranking.rows.iter().enumerate() {
            rows.below[r] = best - self.visited[place as usize];
            rows.value[r] = value[local(place)];
            rows.weight[r] = queries.doc_weight.map_or(1.0, |w| w[from + local(place)]);
        }
        rows.exponentials();
        let depth = queries.worth.depth.min(n);
        let how = How {
            weighted: queries.doc_weight.is_some(),
            near: queries.near,
        };
        self.swaps
            .query(&queries.worth, from, scale, depth, rows, how);
        let mut factor = queries.query_weight.map_or(1.0, |w| w[q]);
        let total = 2.0 * rows.total;
        if queries.near > 0.0 && total > 0.0 {
            factor *= (1.0 + total).log2() / total;
        }
        for (r, &place) in self.ranking.rows.iter().enumerate() {
            lambdas[local(place)] = rows.lambda[r] * factor;
            hessians[local(place)] = rows.hessian[r] * factor;
        }
    }

    /// All places of `visit` in `ranking.rows`, the first `depth` ranks in order.
    fn rank(&mut self, scores: &[f64], visit: &[i64], depth: usize) {
        self.visited.clear();
        self.visited
            .extend(visit.iter().map(|&row| scores[row as usize]));
        self.ranking.set(&self.visited, depth);
        let ranked = &mut self.ranking.rows;
        if ranked.len() < visit.len() {
            self.is_ranked.clear();
            self.is_ranked.resize(visit.len(), false);
            ranked
                .iter()
                .for_each(|&p| self.is_ranked[p as usize] = true);
            let places = 0..visit.len() as u32;
            ranked.extend(places.filter(|&p| !self.is_ranked[p as usize]));
        }
    }
}
