//! Measures of ranked lists: each query is ranked once and every measure asked for is read off that ranking.
//!
//! Tied documents are averaged over all their orders in closed form (`expected`), put in the worst order, or left
//! in a given one; see the twin in `kernels/reference_measures.py` for the same in few lines.

pub mod cascade;
pub mod columns;
pub mod counting;
pub mod graded;
pub mod pairs;
pub mod query;
pub mod relevant;
pub mod spec;

use crate::parallel::{blocks, with_threads};
use graded::Discounts;
use query::{Needs, Query};
use rayon::prelude::*;
use spec::{Kind, Spec, Ties};

/// Documents per parallel task.
const BLOCK: i64 = 16_384;

/// Values of all measures on all queries, measures × queries.
pub fn measure_queries(
    specs: &[Spec],
    scores: &[f64],
    labels: &[f32],
    qptr: &[i64],
    tiebreak: Option<&[i64]>,
    n_threads: usize,
) -> Vec<f64> {
    let n_queries = qptr.len().saturating_sub(1);
    let longest = qptr.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0) as usize;
    let discounts = Discounts::new(specs, longest);
    let needs = needs(specs);
    let ranges = blocks(qptr, BLOCK);
    let mut by_query = vec![0.0; n_queries * specs.len()];
    let mut parts = Vec::with_capacity(ranges.len());
    let mut rest = by_query.as_mut_slice();
    for range in ranges {
        let (part, tail) = rest.split_at_mut(range.len() * specs.len());
        parts.push((range, part));
        rest = tail;
    }
    let work = |(range, part): (std::ops::Range<usize>, &mut [f64])| {
        let mut query = Query::default();
        for (q, values) in range.zip(part.chunks_exact_mut(specs.len())) {
            let (a, b) = (qptr[q] as usize, qptr[q + 1] as usize);
            query.set_labels(&labels[a..b], needs);
            query.rank(&scores[a..b], tiebreak.map(|t| &t[a..b]), needs);
            for (spec, value) in specs.iter().zip(values) {
                *value = one(spec, &mut query, &discounts);
            }
        }
    };
    if specs.is_empty() {
        return by_query;
    }
    if n_threads <= 1 || parts.len() <= 1 {
        parts.into_iter().for_each(work);
    } else {
        with_threads(n_threads, || parts.into_par_iter().for_each(work));
    }
    transposed(&by_query, specs.len())
}

fn needs(specs: &[Spec]) -> Needs {
    Needs {
        top: specs.iter().map(Spec::depth).max().unwrap_or(0),
        docid: specs.iter().any(|s| s.ties == Ties::DocId),
        ascending: specs
            .iter()
            .any(|s| matches!(s.ties, Ties::Expected | Ties::Worst)),
        counts: specs
            .iter()
            .any(|s| matches!(s.kind, Kind::Ndcg | Kind::MeanNdcg)),
    }
}

fn one(spec: &Spec, query: &mut Query, discounts: &Discounts) -> f64 {
    let value = match spec.kind {
        Kind::Dcg => graded::dcg_of(spec, query, discounts),
        Kind::Ndcg => graded::ndcg(spec, query, discounts),
        Kind::MeanNdcg => graded::mean_ndcg(spec, query, discounts),
        Kind::Ap => relevant::average_precision(spec, query),
        Kind::Precision | Kind::Recall => relevant::found(spec, query),
        Kind::Rr => relevant::reciprocal_rank(spec, query),
        Kind::Err => cascade::err(spec, query),
        Kind::Kendall => pairs::kendall(spec, query),
        Kind::Auc => pairs::auc(spec, query),
        Kind::Overlap => pairs::overlap(spec, query),
    };
    value.unwrap_or(spec.empty)
}

fn transposed(by_query: &[f64], n_specs: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(by_query.len());
    for s in 0..n_specs {
        out.extend(by_query.iter().skip(s).step_by(n_specs));
    }
    out
}
