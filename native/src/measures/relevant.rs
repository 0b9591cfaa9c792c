//! Measures of relevant documents found: average precision, precision, recall, reciprocal rank.

use super::query::{count, pieces, Query};
use super::spec::{Kind, Spec};

/// Σ over relevant documents of the precision at their rank, over the number of relevant documents.
pub fn average_precision(spec: &Spec, query: &mut Query) -> Option<f64> {
    let n_relevant = query.n_relevant(spec);
    if n_relevant == 0 {
        return None;
    }
    let sum = if query.ties(spec.ties).is_empty() {
        let ranks = query
            .relevant_ranks(spec)
            .iter()
            .map(|&rank| rank as usize + 1);
        let precision = |(above, rank): (usize, usize)| (above + 1) as f64 / rank as f64;
        ranks
            .take_while(|&rank| rank <= spec.k)
            .enumerate()
            .map(precision)
            .fold(0.0, |sum, p| sum + p)
    } else {
        summed_precision(spec, query)
    };
    let all = if spec.norm_cut {
        n_relevant.min(spec.k)
    } else {
        n_relevant
    };
    Some(sum / all as f64)
}

/// Ties averaged: a document of a tie of g, r of them relevant, is relevant with probability r/g, and at the i-th
/// place of the tie it then has (i − 1)(r − 1)/(g − 1) other relevant ones of the tie above it in the mean.
fn summed_precision(spec: &Spec, query: &Query) -> f64 {
    let ranked = query.ranked(spec.ties);
    let top = ranked.len().min(spec.k);
    let (mut found, mut sum) = (0usize, 0.0);
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        if a >= top {
            break;
        }
        if !tied {
            for (i, &y) in ranked[..b.min(top)].iter().enumerate().skip(a) {
                if spec.is_relevant(y) {
                    found += 1;
                    sum += found as f64 / (i + 1) as f64;
                }
            }
            continue;
        }
        let relevant = count(spec, &ranked[a..b]);
        if relevant > 0 {
            let share = relevant as f64 / (b - a) as f64;
            let step = (relevant - 1) as f64 / (b - a - 1) as f64;
            for i in a..b.min(top) {
                sum += share * (found as f64 + 1.0 + (i - a) as f64 * step) / (i + 1) as f64;
            }
        }
        found += relevant;
    }
    sum
}

/// Precision@k and Recall@k: relevant documents above the cut, over k or over all relevant ones.
pub fn found(spec: &Spec, query: &Query) -> Option<f64> {
    let n_relevant = query.n_relevant(spec);
    if n_relevant == 0 {
        return None;
    }
    let ranked = query.ranked(spec.ties);
    let top = query.n_docs().min(spec.k);
    let mut sum = 0.0;
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        if a >= top {
            break;
        }
        let end = b.min(top);
        sum += if tied {
            count(spec, &ranked[a..b]) as f64 * ((end - a) as f64 / (b - a) as f64)
        } else {
            count(spec, &ranked[a..end]) as f64
        };
    }
    Some(match spec.kind {
        Kind::Recall => sum / n_relevant as f64,
        _ if spec.short_is_zero && query.n_docs() < spec.k => 0.0,
        _ if spec.k == usize::MAX || spec.short_is_cut => sum / top as f64,
        _ => sum / spec.k as f64,
    })
}

/// 1/rank of the first relevant document, 0 when it is beyond the cut.
pub fn reciprocal_rank(spec: &Spec, query: &Query) -> Option<f64> {
    if query.n_relevant(spec) == 0 {
        return None;
    }
    let ranked = query.ranked(spec.ties);
    let top = ranked.len().min(spec.k);
    let Some(first) = ranked.iter().position(|&y| spec.is_relevant(y)) else {
        return Some(0.0);
    };
    let tie = query
        .ties(spec.ties)
        .iter()
        .find(|&&(a, b)| (a as usize) <= first && first < b as usize);
    let Some(&(a, b)) = tie else {
        return Some(if first < top {
            1.0 / (first + 1) as f64
        } else {
            0.0
        });
    };
    let (a, b) = (a as usize, b as usize);
    let (size, relevant) = (b - a, count(spec, &ranked[a..b]));
    // P(first relevant at i) = C(g − i, r − 1)/C(g, r), each from the one before
    let mut chance = relevant as f64 / size as f64;
    let mut sum = 0.0;
    for i in 1..=size - relevant + 1 {
        if a + i > top {
            break;
        }
        sum += chance / (a + i) as f64;
        chance *= (size - i - relevant + 1) as f64 / (size - i).max(1) as f64;
    }
    Some(sum)
}
