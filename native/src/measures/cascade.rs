//! Expected reciprocal rank (Chapelle et al. 2009): a reader stops at a document with probability R(y).

use super::query::{pieces, Query};
use super::spec::Spec;

pub fn err(spec: &Spec, query: &mut Query) -> Option<f64> {
    if !query.any_gain(spec) {
        return None;
    }
    let mut moments = std::mem::take(&mut query.moments);
    let ranked = query.ranked(spec.ties);
    let top = ranked.len().min(spec.k);
    let (mut going, mut sum) = (1.0, 0.0); // probability that no document so far stopped the reader
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        if a >= top {
            break;
        }
        if tied {
            mean_products(
                ranked[a..b].iter().map(|&y| 1.0 - spec.gain(y)),
                b - a,
                &mut moments,
            );
            for i in a..b.min(top) {
                sum += going * (moments[i - a] - moments[i - a + 1]) / (i + 1) as f64;
            }
            going *= moments[b - a];
        } else {
            for (i, &y) in ranked[..b.min(top)].iter().enumerate().skip(a) {
                let stop = spec.gain(y);
                sum += going * stop / (i + 1) as f64;
                going *= 1.0 - stop;
            }
        }
    }
    query.moments = moments;
    Some(sum)
}

/// For i = 0..=n, the mean over all subsets of i elements of their product: e_i/C(n, i), e_i the elementary symmetric
/// polynomial. Element j is in a subset of i of the first j with probability i/j, which gives the recursion.
fn mean_products(values: impl Iterator<Item = f64>, n: usize, out: &mut Vec<f64>) {
    out.clear();
    out.resize(n + 1, 0.0);
    out[0] = 1.0;
    for (j, value) in (1..=n).zip(values) {
        for i in (1..=j).rev() {
            out[i] = ((j - i) as f64 * out[i] + i as f64 * value * out[i - 1]) / j as f64;
        }
    }
}
