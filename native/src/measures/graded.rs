//! Measures that sum gains times discounts: DCG, nDCG, MeanNDCG.

use super::query::{pieces, Query};
use super::spec::{Kind, Spec};

/// Discounts by rank, the first document's first.
pub struct Discounts {
    log2: Vec<f64>,
    letor: Vec<f64>,
}

impl Discounts {
    pub fn new(specs: &[Spec], longest: usize) -> Discounts {
        let ranks = |letor: bool| {
            let wanted = |s: &&Spec| {
                matches!(s.kind, Kind::Dcg | Kind::Ndcg | Kind::MeanNdcg)
                    && s.letor_discount == letor
            };
            let n = specs.iter().filter(wanted).map(|s| s.k.min(longest)).max();
            1..=n.unwrap_or(0)
        };
        Discounts {
            log2: ranks(false)
                .map(|r| 1.0 / (r as f64 + 1.0).log2())
                .collect(),
            letor: ranks(true)
                .map(|r| 1.0 / (r as f64).max(2.0).log2())
                .collect(),
        }
    }

    fn of(&self, spec: &Spec) -> &[f64] {
        if spec.letor_discount {
            &self.letor
        } else {
            &self.log2
        }
    }
}

/// Σ gain × discount over the first ranks that have a discount; tied documents all get their mean gain.
fn dcg(spec: &Spec, query: &Query, discount: &[f64]) -> f64 {
    let ranked = query.ranked(spec.ties);
    let top = ranked.len().min(discount.len());
    let mut sum = 0.0;
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        if a >= top {
            break;
        }
        let discount = &discount[a..b.min(top)];
        if tied {
            let total: f64 = ranked[a..b].iter().map(|&y| spec.gain(y)).sum();
            let mean = total / (b - a) as f64;
            sum = discount.iter().fold(sum, |sum, d| sum + mean * d);
        } else {
            for (&y, d) in ranked[a..b].iter().zip(discount) {
                sum += spec.gain(y) * d;
            }
        }
    }
    sum
}

pub fn dcg_of(spec: &Spec, query: &Query, discounts: &Discounts) -> Option<f64> {
    if !query.any_gain(spec) {
        return None;
    }
    let discount = discounts.of(spec);
    Some(dcg(spec, query, &discount[..discount.len().min(spec.k)]))
}

pub fn ndcg(spec: &Spec, query: &mut Query, discounts: &Discounts) -> Option<f64> {
    let top = spec.k.min(query.n_docs());
    query.ideal_gains(spec, top);
    if query.gains.first().is_none_or(|&best| best <= 0.0) {
        return None;
    }
    if spec.short_is_zero && query.n_docs() < spec.k {
        return Some(0.0);
    }
    let discount = &discounts.of(spec)[..top];
    let ideal: f64 = query
        .gains
        .iter()
        .zip(discount)
        .fold(0.0, |sum, (g, d)| sum + g * d);
    Some(dcg(spec, query, discount) / ideal)
}

/// The mean of nDCG@1, ..., nDCG@n is again a sum of gains times discounts, with
/// discount(i) · (1/n) Σ_{k ≥ i} 1/IDCG@k in place of discount(i).
pub fn mean_ndcg(spec: &Spec, query: &mut Query, discounts: &Discounts) -> Option<f64> {
    let top = spec.k.min(query.n_docs());
    query.ideal_gains(spec, top);
    if query.gains.first().is_none_or(|&best| best <= 0.0) {
        return None;
    }
    let mut weights = std::mem::take(&mut query.gains);
    let discount = discounts.of(spec);
    let mut ideal = 0.0;
    for (gain, d) in weights.iter_mut().zip(discount) {
        ideal += *gain * d;
        *gain = 1.0 / ideal;
    }
    let mut later = 0.0;
    for (weight, d) in weights.iter_mut().zip(discount).rev() {
        later += *weight;
        *weight = later * d;
    }
    let sum = dcg(spec, query, &weights);
    query.gains = weights;
    Some(sum / top as f64)
}
