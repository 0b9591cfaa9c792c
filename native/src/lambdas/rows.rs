//! The documents of a query in ranked order, and what a row of pairs adds to them. A pair needs exp(s_b − s_a): a number
//! of each document, exp(s − s_best), is enough, for it is the quotient of two of them.

use super::pairs::{self, Lower, Upper};
use crate::exponentials::exp_all;

/// Scores that lie further apart than this have no quotients of exponentials: each pair has its own.
const WIDE: f64 = 600.0;
/// The documents of one query in ranked order.
#[derive(Default)]
pub struct Rows {
    /// How far the score lies below the best one.
    pub below: Vec<f64>,
    /// Gain, label or chance of a stop: the larger the better.
    pub value: Vec<f64>,
    pub weight: Vec<f64>,
    pub lambda: Vec<f64>,
    pub hessian: Vec<f64>,
    /// Σ |λ_ij| over the pairs.
    pub total: f64,
    /// exp(−below), or where scores lie too far apart, room for those of one row.
    e: Vec<f64>,
    wide: bool,
}

impl Rows {
    pub fn clear(&mut self, n: usize) {
        let all = [
            &mut self.below,
            &mut self.value,
            &mut self.weight,
            &mut self.lambda,
            &mut self.hessian,
            &mut self.e,
        ];
        for numbers in all {
            numbers.clear();
            numbers.resize(n, 0.0);
        }
        self.total = 0.0;
    }

    /// To be called when `below` is written.
    pub fn exponentials(&mut self) {
        self.wide = self.below.iter().any(|&below| below > WIDE);
        if !self.wide {
            exponentials(0.0, &self.below, &mut self.e);
        }
    }
}

/// Document a against those at ranks `from..from + worth.len()`: |ΔE| is |value_a − value_b| · |worth_a − worth_b|, or
/// with `by_sign`, |worth_a − worth_b| wherever the values differ.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub a: usize,
    pub from: usize,
    pub worth_a: f64,
    pub worth: &'a [f64],
    pub by_sign: bool,
    pub how: How,
}

/// What else a pair's |ΔE| is multiplied by.
#[derive(Clone, Copy)]
pub struct How {
    /// The product of the documents' weights.
    pub weighted: bool,
    /// 1/(near + |s_a − s_b|), so that pairs with near scores count more; 0: no such factor.
    pub near: f64,
}

pub fn add_row(rows: &mut Rows, row: Row) {
    let (a, from, n) = (row.a, row.from, row.worth.len());
    let to = from + n;
    if rows.wide {
        exponentials(rows.below[a], &rows.below[from..to], &mut rows.e[from..to]);
    }
    let upper = Upper {
        below: rows.below[a],
        value: rows.value[a],
        weight: rows.weight[a],
        worth: row.worth_a,
        e: if rows.wide { 1.0 } else { 1.0 / rows.e[a] },
        near: row.how.near,
    };
    let lower = Lower {
        below: &rows.below[from..to],
        value: &rows.value[from..to],
        weight: &rows.weight[from..to],
        worth: row.worth,
        e: &rows.e[from..to],
    };
    let taken = [&mut rows.lambda[from..to], &mut rows.hessian[from..to]];
    let work = match (row.by_sign, row.how.weighted, upper.near > 0.0) {
        (false, false, false) => pairs::on_this_processor::<false, false, false>,
        (false, false, true) => pairs::on_this_processor::<false, false, true>,
        (false, true, false) => pairs::on_this_processor::<false, true, false>,
        (false, true, true) => pairs::on_this_processor::<false, true, true>,
        (true, false, false) => pairs::on_this_processor::<true, false, false>,
        (true, false, true) => pairs::on_this_processor::<true, false, true>,
        (true, true, false) => pairs::on_this_processor::<true, true, false>,
        (true, true, true) => pairs::on_this_processor::<true, true, true>,
    };
    let [sum_l, sum_h, total] = work(upper, lower, taken);
    rows.lambda[a] += sum_l;
    rows.hessian[a] += sum_h;
    rows.total += total;
}

/// exp(from − below) of some documents.
fn exponentials(from: f64, below: &[f64], out: &mut [f64]) {
    for (out, below) in out.iter_mut().zip(below) {
        *out = from - below;
    }
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has it
            return unsafe { exponentials_512(out) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it
            return unsafe { exponentials_256(out) };
        }
    }
    exp_all(out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn exponentials_512(numbers: &mut [f64]) {
    exp_all(numbers)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn exponentials_256(numbers: &mut [f64]) {
    exp_all(numbers)
}
