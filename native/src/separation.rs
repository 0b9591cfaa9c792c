//! Separation oracles of structural SVMs: for each query the ranking y that maximises
//!
//!     Δ(y) + w·ψ(y) − w·ψ(the true ranking),     ψ(y) = 1/P Σ over pairs (i better than j) of ±(φ(i) − φ(j))
//!
//! given the scores s = w·φ. What comes out is Δ(y), and per document its coefficient g in ψ(y) − ψ(true), so that the
//! maximum is Δ + Σ_d g_d s_d. Documents with equal scores share their mean coefficient, which is as good a maximum
//! and does not depend on their order.

mod interleaving;
mod pairs;
mod rankings;
mod smoothed;

use crate::order::Ranking;
use crate::potentials::for_queries;
use rankings::Tables;
pub use smoothed::{smoothed_pairs, Shape};

/// What a wrong ranking costs.
#[derive(Clone, Copy, PartialEq)]
pub enum Loss {
    /// 1 − average precision
    Ap,
    /// 1 − the area under the ROC curve
    Auc,
    /// 1 − nDCG, the sum of the losses of all thresholds between relevant and other documents
    Ndcg,
    /// the share of swapped pairs, ψ counting a pair once where Auc counts ±1
    Pairs,
    /// 1 − reciprocal rank
    Rr,
}

impl Loss {
    pub fn named(name: &str) -> Option<Loss> {
        Some(match name {
            "ap" => Loss::Ap,
            "auc" => Loss::Auc,
            "ndcg" => Loss::Ndcg,
            "pairs" => Loss::Pairs,
            "rr" => Loss::Rr,
            _ => return None,
        })
    }
}

/// Documents of some queries. Above level 0 they are relevant.
#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub scores: &'a [f64],
    pub levels: &'a [i32],
    /// what a document brings: its weight in pairs, its gain in nDCG; AP and RR take no notice
    pub brings: &'a [f64],
}

impl Documents<'_> {
    fn of(&self, rows: std::ops::Range<usize>) -> Documents<'_> {
        Documents {
            scores: &self.scores[rows.clone()],
            levels: &self.levels[rows.clone()],
            brings: &self.brings[rows],
        }
    }
}

/// Sets g, zeros as yet, to the coefficient of every document in the most violated ranking; its Δ per query.
pub fn most_violated(
    loss: Loss,
    docs: Documents,
    qptr: &[i64],
    n_threads: usize,
    g: &mut [f64],
) -> Vec<f64> {
    let longest = qptr.windows(2).map(|p| p[1] - p[0]).max().unwrap_or(0);
    let tables = Tables::of(loss, longest as usize);
    let one_query = |rows, g: &mut [f64], scratch: &mut Scratch| {
        let docs = docs.of(rows);
        scratch.ranking.set(docs.scores, docs.scores.len());
        match loss {
            Loss::Pairs => scratch.pairs.set(docs, &scratch.ranking.rows, 1.0, g),
            Loss::Auc => scratch.pairs.set(docs, &scratch.ranking.rows, 2.0, g),
            Loss::Ndcg => rankings::ndcg(docs, scratch, &tables, g),
            Loss::Ap | Loss::Rr => rankings::binary(loss, docs, scratch, &tables, g),
        }
    };
    for_queries(g, qptr, n_threads, one_query)
}

#[derive(Default)]
struct Scratch {
    ranking: Ranking,
    lists: interleaving::Interleaving,
    pairs: pairs::Swapped,
}
