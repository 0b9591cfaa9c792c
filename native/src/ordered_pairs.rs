//! How many pairs of documents with different labels a ranking has in the right order.

use crate::order::Ranking;
use crate::parallel::{blocks, with_threads};
use rayon::prelude::*;

/// For each query, the pairs whose document of the higher level has the strictly higher score.
pub fn ordered_pairs(scores: &[f64], levels: &[i32], qptr: &[i64], n_threads: usize) -> Vec<i64> {
    let of_block = |block: std::ops::Range<usize>| {
        let (mut ranking, mut tree) = (Ranking::default(), Vec::new());
        let counts = block.map(|q| {
            let rows = qptr[q] as usize..qptr[q + 1] as usize;
            of_query(
                &scores[rows.clone()],
                &levels[rows],
                &mut ranking,
                &mut tree,
            )
        });
        counts.collect::<Vec<_>>()
    };
    let parts = blocks(qptr, 4096);
    if n_threads <= 1 || parts.len() <= 1 {
        return parts.into_iter().flat_map(of_block).collect();
    }
    with_threads(n_threads, || {
        let counts: Vec<_> = parts.into_par_iter().map(of_block).collect();
        counts.concat()
    })
}

/// From the worst-ranked document up: those of lower levels already seen, in a Fenwick tree over levels.
fn of_query(scores: &[f64], levels: &[i32], ranking: &mut Ranking, tree: &mut Vec<i64>) -> i64 {
    let n_levels = levels.iter().max().map_or(0, |&l| l as usize + 1);
    if n_levels < 2 {
        return 0;
    }
    tree.clear();
    tree.resize(n_levels + 1, 0);
    ranking.set(scores, scores.len());
    let mut count = 0;
    let mut end = ranking.rows.len();
    let mut ties = ranking.ties.iter().rev().peekable();
    while end > 0 {
        let start = match ties.next_if(|&&(_, last)| last as usize == end) {
            Some(&(first, _)) => first as usize,
            None => end - 1,
        };
        let tied = || {
            ranking.rows[start..end]
                .iter()
                .map(|&d| levels[d as usize] as usize)
        };
        for level in tied() {
            let mut i = level;
            while i > 0 {
                count += tree[i];
                i &= i - 1;
            }
        }
        for level in tied() {
            let mut i = level + 1;
            while i < tree.len() {
                tree[i] += 1;
                i += i & i.wrapping_neg();
            }
        }
        end = start;
    }
    count
}
