//! Orders of documents inside queries.

use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;

/// A key that sorts ascending where the score sorts descending; −0.0 and 0.0 share one.
#[inline]
pub fn descending_key(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    let ascending = if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    };
    !ascending
}

/// Sorts `rows` (indices into the query's slices) by descending score, then `tiebreak`, then row.
pub fn order_one(scores: &[f64], tiebreak: Option<&[i64]>, keyed: &mut Vec<(u64, i64, u32)>) {
    keyed.clear();
    keyed.extend(scores.iter().enumerate().map(|(i, &s)| {
        let tie = tiebreak.map_or(0, |t| t[i]);
        (descending_key(s), tie, i as u32)
    }));
    keyed.sort_unstable();
}

pub fn order_queries(
    scores: &[f64],
    qptr: &[i64],
    tiebreak: Option<&[i64]>,
    n_threads: usize,
) -> Vec<i64> {
    let mut out = vec![0i64; scores.len()];
    let ranges = blocks(qptr, 4096);
    let mut parts = Vec::with_capacity(ranges.len());
    let mut rest = out.as_mut_slice();
    for range in &ranges {
        let size = (qptr[range.end] - qptr[range.start]) as usize;
        let (part, tail) = rest.split_at_mut(size);
        parts.push((range.clone(), part));
        rest = tail;
    }
    with_threads(n_threads, || {
        parts.into_par_iter().for_each(|(range, part)| {
            let first = qptr[range.start] as usize;
            let mut keyed = Vec::new();
            for q in range {
                let (a, b) = (qptr[q] as usize, qptr[q + 1] as usize);
                order_one(&scores[a..b], tiebreak.map(|t| &t[a..b]), &mut keyed);
                for (slot, &(_, _, i)) in part[a - first..b - first].iter_mut().zip(&keyed) {
                    *slot = (a + i as usize) as i64;
                }
            }
        })
    });
    out
}
