//! Orders of documents inside queries.

use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;

/// A key that sorts ascending where the score sorts descending; −0.0 and 0.0 share one.
#[inline]
pub fn descending_key(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    let flip = ((bits as i64 >> 63) as u64) | 1 << 63; // all bits of negatives, the sign of the others
    !(bits ^ flip)
}

/// One query's documents by descending score, with the runs of equal scores.
///
/// A sort key is the score's key with its lowest bits replaced by the row, so that one integer per document is
/// sorted; the few neighbours whose shortened keys agree are put right by their full scores afterwards.
#[derive(Default)]
pub struct Ranking {
    packed: Vec<u64>,
    /// Rows of the query, best first; equal scores by ascending row. Holds at least the ranks asked for.
    pub rows: Vec<u32>,
    /// Ranges of `rows` with equal scores, two documents or more.
    pub ties: Vec<(u32, u32)>,
}

impl Ranking {
    /// Ranks one query. With `top` below the query's size, ranks beyond it may be missing, but never a part of a tie.
    pub fn set(&mut self, scores: &[f64], top: usize) {
        let n = scores.len();
        let bits = usize::BITS - n.leading_zeros();
        let low = (1u64 << bits) - 1;
        self.packed.clear();
        self.packed.extend(
            scores
                .iter()
                .enumerate()
                .map(|(i, &s)| (descending_key(s) & !low) | i as u64),
        );
        if top < n / 4 {
            let (_, &mut last, _) = self.packed.select_nth_unstable(top);
            self.packed.retain(|p| p & !low <= last & !low);
        }
        self.packed.sort_unstable();
        self.rows.clear();
        self.rows
            .extend(self.packed.iter().map(|p| (p & low) as u32));
        self.ties.clear();
        let agree = |pair: &[u64]| (pair[0] ^ pair[1]) & !low == 0;
        if self.packed.windows(2).any(agree) {
            self.settle(scores, low);
        }
    }

    /// Orders runs of equal shortened keys by full score and row, and records the ties.
    fn settle(&mut self, scores: &[f64], low: u64) {
        let mut start = 0;
        while start < self.rows.len() {
            let key = self.packed[start] & !low;
            let mut end = start + 1;
            while end < self.rows.len() && self.packed[end] & !low == key {
                end += 1;
            }
            let run = &mut self.rows[start..end];
            if run
                .windows(2)
                .any(|w| scores[w[0] as usize] != scores[w[1] as usize])
            {
                run.sort_unstable_by_key(|&r| (descending_key(scores[r as usize]), r));
            }
            let mut first = start;
            for i in start + 1..=end {
                if i == end || scores[self.rows[i] as usize] != scores[self.rows[first] as usize] {
                    if i - first > 1 {
                        self.ties.push((first as u32, i as u32));
                    }
                    first = i;
                }
            }
            start = end;
        }
    }

    /// Puts tied documents in ascending order of `tiebreak`, then row.
    pub fn break_ties(&mut self, tiebreak: &[i64]) {
        for &(a, b) in &self.ties {
            self.rows[a as usize..b as usize].sort_unstable_by_key(|&r| (tiebreak[r as usize], r));
        }
    }
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
            let mut ranking = Ranking::default();
            for q in range {
                let (a, b) = (qptr[q] as usize, qptr[q + 1] as usize);
                ranking.set(&scores[a..b], b - a);
                if let Some(t) = tiebreak {
                    ranking.break_ties(&t[a..b]);
                }
                for (slot, &i) in part[a - first..b - first].iter_mut().zip(&ranking.rows) {
                    *slot = (a + i as usize) as i64;
                }
            }
        })
    });
    out
}

/// The first `k` rows of each query; the others are left unsorted.
pub fn top_queries(scores: &[f64], qptr: &[i64], k: usize, n_threads: usize) -> Vec<i64> {
    let first_of = |range: std::ops::Range<usize>| {
        let (mut ranking, mut rows) = (Ranking::default(), Vec::new());
        for q in range {
            let (a, b) = (qptr[q] as usize, qptr[q + 1] as usize);
            ranking.set(&scores[a..b], k.min(b - a));
            let first = ranking.rows.iter().take(k);
            rows.extend(first.map(|&i| (a + i as usize) as i64));
        }
        rows
    };
    let ranges = blocks(qptr, 4096);
    if n_threads <= 1 || ranges.len() <= 1 {
        return ranges.into_iter().flat_map(first_of).collect();
    }
    with_threads(n_threads, || {
        ranges.into_par_iter().flat_map_iter(first_of).collect()
    })
}
