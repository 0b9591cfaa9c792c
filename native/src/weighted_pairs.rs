//! Sums over the pairs of a query whose weights do not factorise: every pair is visited, none is kept.
//!
//! w is the weight of a pair, made of its two documents' weights. A pair brings ω_q w^p exp(−w^e (F_i − F_j)), where i
//! is the better document, p the power and e is 1 when the weight stands inside the exponent, else 0.

pub mod agreements;
pub mod sweep;

use crate::exponentials::exp_all;
use crate::potentials::for_queries;

/// How the weight of a pair is made of its documents' weights.
#[derive(Clone, Copy)]
pub enum PairWeight {
    Mean,
    Product,
    Min,
    Max,
}

impl PairWeight {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "mean" => Some(Self::Mean),
            "product" => Some(Self::Product),
            "min" => Some(Self::Min),
            "max" => Some(Self::Max),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Rule {
    pub pair: PairWeight,
    pub power: i32,
    pub inside: bool,
}

/// The documents of the training queries, and a factor of all pairs of each query.
#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub scores: &'a [f64],
    pub levels: &'a [i32],
    pub weights: &'a [f64],
    pub omega: &'a [f64],
    pub qptr: &'a [i64],
}

/// Per document d its potential Σ_j P(d, j) − Σ_i P(i, d), P being what a pair brings; and per query Σ D, D being the
/// same without w^p where the weight stands inside the exponent.
pub fn weighted_pair_potentials(
    docs: Documents,
    rule: Rule,
    n_threads: usize,
) -> (Vec<f64>, Vec<f64>) {
    let mut potentials = vec![0f64; docs.scores.len()];
    let qptr = docs.qptr;
    let mass = for_queries(
        &mut potentials,
        qptr,
        n_threads,
        |rows, out, pairs: &mut Query| {
            if rows.is_empty() {
                return 0.0;
            }
            let q = qptr.partition_point(|&start| start <= rows.start as i64) - 1;
            let omega = docs.omega[q];
            pairs.gather(docs, rows);
            let mut mass = 0.0;
            pairs.for_rows(rule, |pairs, i, total| {
                let d = pairs.order[i] as usize;
                mass += omega * total;
                out[d] += omega * sum(&pairs.brings);
                for (&j, p) in pairs.order.iter().zip(&pairs.brings) {
                    out[j as usize] -= omega * p;
                }
            });
            mass
        },
    );
    (potentials, mass)
}

/// The documents of one query by ascending level, and what the pairs of one of them bring.
#[derive(Default)]
pub struct Query {
    pub order: Vec<u32>,
    scores: Vec<f64>,
    weights: Vec<f64>,
    /// the number of documents of lower levels
    below: Vec<u32>,
    /// what the pairs of one document with those below it bring
    pub brings: Vec<f64>,
    pair_weights: Vec<f64>,
}

impl Query {
    pub fn gather(&mut self, docs: Documents, rows: std::ops::Range<usize>) {
        let levels = &docs.levels[rows.clone()];
        self.order.clear();
        self.order.extend(0..rows.len() as u32);
        self.order.sort_by_key(|&i| levels[i as usize]);
        let at = |i: &u32| rows.start + *i as usize;
        self.scores.clear();
        self.scores
            .extend(self.order.iter().map(|i| docs.scores[at(i)]));
        self.weights.clear();
        self.weights
            .extend(self.order.iter().map(|i| docs.weights[at(i)]));
        self.below.clear();
        for (i, &d) in self.order.iter().enumerate() {
            let same = i > 0 && levels[d as usize] == levels[self.order[i - 1] as usize];
            self.below
                .push(if same { self.below[i - 1] } else { i as u32 });
        }
    }

    /// Calls `take(self, i, Σ D)` for each document i in the order of levels that has some below it, with `brings`
    /// filled for those.
    pub fn for_rows(&mut self, rule: Rule, mut take: impl FnMut(&Self, usize, f64)) {
        for i in 0..self.order.len() {
            if self.below[i] == 0 {
                continue;
            }
            let total = match rule.pair {
                PairWeight::Mean => self.fill(rule, i, |a, b| 0.5 * (a + b)),
                PairWeight::Product => self.fill(rule, i, |a, b| a * b),
                PairWeight::Min => self.fill(rule, i, f64::min),
                PairWeight::Max => self.fill(rule, i, f64::max),
            };
            take(self, i, total);
        }
    }

    /// Fills `brings` for document i; returns Σ D over those pairs.
    fn fill(&mut self, rule: Rule, i: usize, weight: impl Fn(f64, f64) -> f64) -> f64 {
        let (below, score, own) = (self.below[i] as usize, self.scores[i], self.weights[i]);
        self.pair_weights.clear();
        self.pair_weights
            .extend(self.weights[..below].iter().map(|&v| weight(own, v)));
        self.brings.clear();
        self.brings
            .extend(self.scores[..below].iter().map(|&other| other - score));
        if rule.inside {
            for (x, w) in self.brings.iter_mut().zip(&self.pair_weights) {
                *x *= w;
            }
        }
        exp_all(&mut self.brings);
        let unweighted = if rule.inside { sum(&self.brings) } else { 0.0 };
        for (x, w) in self.brings.iter_mut().zip(&self.pair_weights) {
            *x *= if rule.power == 1 {
                *w
            } else {
                w.powi(rule.power)
            };
        }
        if rule.inside {
            unweighted
        } else {
            sum(&self.brings)
        }
    }
}

/// A sum in eight lanes, so that it need not wait for each addition.
fn sum(numbers: &[f64]) -> f64 {
    let (chunks, rest) = numbers.as_chunks::<8>();
    let mut lanes = [0f64; 8];
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().sum::<f64>()
}
