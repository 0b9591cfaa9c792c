//! Losses of a query's ranking and their gradients by the scores: what small networks are trained with.

use crate::exponentials::exp_all;
use crate::potentials::{for_queries, LogSum, NOTHING};

#[derive(Clone, Copy)]
pub enum Loss {
    /// RankNet: the mean over pairs of ln(1 + exp(−(s_i − s_j))), i the better document, weighed by w_i w_j
    Pairs,
    /// ListNet: −Σ P_y ln P_s, both softmax
    TopOne,
    /// ListMLE: −Σ_i ln(e^{s_i} / (e^{s_i} + Σ_{y_j < y_i} e^{s_j}))
    Likelihood,
}

impl Loss {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "pairs" => Some(Self::Pairs),
            "top_one" => Some(Self::TopOne),
            "likelihood" => Some(Self::Likelihood),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub scores: &'a [f64],
    pub labels: &'a [f32],
    /// the rank of each label among the different labels of its query
    pub levels: &'a [i32],
    pub weights: Option<&'a [f64]>,
    pub qptr: &'a [i64],
}

/// The gradient of every document, and the loss of every query.
pub fn list_losses(loss: Loss, docs: Documents, n_threads: usize) -> (Vec<f64>, Vec<f64>) {
    let mut gradients = vec![0f64; docs.scores.len()];
    let losses = for_queries(
        &mut gradients,
        docs.qptr,
        n_threads,
        |rows, out, scratch: &mut Scratch| {
            let scores = &docs.scores[rows.clone()];
            let levels = &docs.levels[rows.clone()];
            match loss {
                Loss::Pairs => scratch.pairs(scores, levels, docs.weights.map(|w| &w[rows]), out),
                Loss::TopOne => scratch.top_one(scores, &docs.labels[rows], out),
                Loss::Likelihood => scratch.likelihood(scores, levels, out),
            }
        },
    );
    (gradients, losses)
}

#[derive(Default)]
struct Scratch {
    /// the documents by ascending level
    order: Vec<u32>,
    numbers: Vec<f64>,
    others: Vec<f64>,
    sums: Vec<LogSum>,
}

impl Scratch {
    fn sort(&mut self, levels: &[i32]) {
        self.order.clear();
        self.order.extend(0..levels.len() as u32);
        self.order.sort_by_key(|&i| levels[i as usize]);
    }

    fn pairs(
        &mut self,
        scores: &[f64],
        levels: &[i32],
        weights: Option<&[f64]>,
        out: &mut [f64],
    ) -> f64 {
        self.sort(levels);
        let weight = |d: u32| weights.map_or(1.0, |w| w[d as usize]);
        let (mut loss, mut mass, mut below) = (0.0, 0.0, 0);
        for at in 0..self.order.len() {
            let d = self.order[at];
            if at > 0 && levels[d as usize] != levels[self.order[at - 1] as usize] {
                below = at;
            }
            let lower = &self.order[..below];
            let behind = &mut self.others; // s_j − s_i
            behind.clear();
            behind.extend(
                lower
                    .iter()
                    .map(|&j| scores[j as usize] - scores[d as usize]),
            );
            let e = &mut self.numbers; // exp(−|s_j − s_i|)
            e.clear();
            e.extend(behind.iter().map(|x| -x.abs()));
            exp_all(e);
            let (mut pull, own) = (0.0, weight(d));
            for ((&j, &e), &x) in lower.iter().zip(e.iter()).zip(behind.iter()) {
                let w = own * weight(j);
                let rho = w * if x > 0.0 { 1.0 } else { e } / (1.0 + e);
                out[j as usize] += rho;
                pull += rho;
                loss += w * (x.max(0.0) + e.ln_1p());
                mass += w;
            }
            out[d as usize] -= pull;
        }
        if mass == 0.0 {
            return 0.0;
        }
        out.iter_mut().for_each(|g| *g /= mass);
        loss / mass
    }

    fn top_one(&mut self, scores: &[f64], labels: &[f32], out: &mut [f64]) -> f64 {
        let labels = labels.iter().map(|&y| f64::from(y));
        let lowest = labels.clone().fold(f64::INFINITY, f64::min);
        if labels.clone().all(|y| y == lowest) {
            return 0.0; // no document is to be preferred
        }
        softmax(labels, &mut self.numbers);
        let log_sum = softmax(scores.iter().copied(), &mut self.others);
        let mut loss = 0.0;
        for (i, (truth, ours)) in self.numbers.iter().zip(&self.others).enumerate() {
            out[i] = ours - truth;
            loss -= truth * (scores[i] - log_sum);
        }
        loss
    }

    fn likelihood(&mut self, scores: &[f64], levels: &[i32], out: &mut [f64]) -> f64 {
        let n_levels = levels.iter().max().map_or(0, |&l| l as usize + 1);
        let exp = |x: f64| LogSum {
            largest: x,
            sum: 1.0,
        };
        let lower = &mut self.sums; // Σ e^{s_j} over the levels below
        lower.clear();
        lower.resize(n_levels, NOTHING);
        for (&s, &l) in scores.iter().zip(levels) {
            lower[l as usize].add(exp(s));
        }
        let mut total = NOTHING;
        for sum in lower.iter_mut() {
            let here = std::mem::replace(sum, total);
            total.add(here);
        }
        self.numbers.clear(); // the logarithm of e^{s_i} + Σ_{y_j < y_i} e^{s_j}
        let mut loss = 0.0;
        for (&s, &l) in scores.iter().zip(levels) {
            let mut all = lower[l as usize];
            all.add(exp(s));
            let log = all.logarithm();
            self.numbers.push(log);
            loss += log - s;
        }
        let higher = lower; // Σ of the reciprocals of those numbers over the levels above
        higher.fill(NOTHING);
        for (&log, &l) in self.numbers.iter().zip(levels) {
            higher[l as usize].add(exp(-log));
        }
        let mut total = NOTHING;
        for sum in higher.iter_mut().rev() {
            let here = std::mem::replace(sum, total);
            total.add(here);
        }
        for (i, (&s, &l)) in scores.iter().zip(levels).enumerate() {
            let first = if l == 0 {
                0.0
            } else {
                (s - self.numbers[i]).exp() - 1.0
            };
            out[i] = first + higher[l as usize].times_exp(s);
        }
        loss
    }
}

/// exp(x) / Σ exp(x) of some numbers; the logarithm of the sum.
fn softmax(numbers: impl Iterator<Item = f64> + Clone, out: &mut Vec<f64>) -> f64 {
    let largest = numbers.clone().fold(f64::NEG_INFINITY, f64::max);
    out.clear();
    out.extend(numbers.map(|x| x - largest));
    exp_all(out);
    let sum: f64 = out.iter().sum();
    out.iter_mut().for_each(|e| *e /= sum);
    largest + sum.ln()
}
