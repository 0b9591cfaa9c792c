//! The losses of whole rankings: AP, nDCG, RR.

use super::interleaving::Interleaving;
use super::{Documents, Loss, Scratch};

/// Numbers of ranks that all queries share.
pub struct Tables {
    /// H_n = 1 + 1/2 + ... + 1/n
    harmonic: Vec<f64>,
    /// 1/log2(1 + rank), and its sums over the first ranks
    discount: Vec<f64>,
    discounts: Vec<f64>,
}

impl Tables {
    pub fn of(loss: Loss, longest: usize) -> Tables {
        let ranks = |wanted: bool| 1..=if wanted { longest } else { 0 };
        let running = |terms: &mut dyn Iterator<Item = f64>| {
            let mut sum = 0.0;
            let sums = terms.map(|x| {
                sum += x;
                sum
            });
            std::iter::once(0.0).chain(sums).collect::<Vec<_>>()
        };
        let discount = |n: usize| 1.0 / (1.0 + n as f64).log2();
        Tables {
            harmonic: running(&mut ranks(loss == Loss::Ap).map(|n| 1.0 / n as f64)),
            discount: std::iter::once(0.0)
                .chain(ranks(loss == Loss::Ndcg).map(discount))
                .collect(),
            discounts: running(&mut ranks(loss == Loss::Ndcg).map(discount)),
        }
    }
}

/// AP and RR, where documents above level 0 are relevant.
pub fn binary(
    loss: Loss,
    docs: Documents,
    scratch: &mut Scratch,
    tables: &Tables,
    g: &mut [f64],
) -> f64 {
    let lists = &mut scratch.lists;
    if !lists.part(docs, &scratch.ranking.rows, 1) {
        return 0.0;
    }
    let delta = if loss == Loss::Ap {
        ap(lists, &tables.harmonic)
    } else {
        rr(lists)
    };
    lists.add_to(g, 1.0);
    delta
}

/// 1/R Σ_{i=k..R} [ i/(i + j − 1) − i/(i + j) ] is what AP loses when document j goes above k..R.
fn ap(lists: &mut Interleaving, harmonic: &[f64]) -> f64 {
    let r = lists.s.len();
    let all = r as f64;
    lists.slide(|j, k| {
        let between = harmonic[r + j - 1] - harmonic[k + j - 2];
        let d = j as f64;
        (between + d / (r + j) as f64 - d / (k + j - 1) as f64) / all
    });
    let mut precisions = 0.0;
    lists.each_relevant(|i, over| precisions += i as f64 / (i + over) as f64);
    1.0 - precisions / all
}

/// Only the first relevant document's place costs something: where it stands below a others, each further relevant
/// document stands below those others that it scores less than, and below a at least.
fn rr(lists: &mut Interleaving) -> f64 {
    let (r, n) = (lists.s.len(), lists.t.len());
    let per_pair = 2.0 / (r as f64 * n as f64);
    let over = |i: usize, t: &[f64], s: &[f64]| t.partition_point(|&t| t > s[i]);
    let (mut moved, mut value) = (1, 0.0); // the first `moved` relevant documents have exactly a others above
    let (mut best, mut most) = (0, 0.0);
    for a in 1..=n {
        while moved < r && over(moved, &lists.t, &lists.s) < a {
            moved += 1;
        }
        let apart = lists.sums[moved] - moved as f64 * lists.t[a - 1];
        value += 1.0 / a as f64 - 1.0 / (a + 1) as f64 - per_pair * apart;
        if value > most {
            (best, most) = (a, value);
        }
    }
    let mut above = Vec::with_capacity(n);
    let mut standing = 0; // relevant documents above other document j
    for j in 0..n {
        if j >= best {
            standing = standing.max(1);
            while standing < r && over(standing, &lists.t, &lists.s).max(best) <= j {
                standing += 1;
            }
        }
        above.push(standing as u32);
    }
    lists.above = above;
    1.0 - 1.0 / (best + 1) as f64
}

/// nDCG is the mean over thresholds of the nDCG of binary labels, each threshold counting as much as its gain is of
/// the ideal DCG; each threshold's ranking is the most violated one for itself.
pub fn ndcg(docs: Documents, scratch: &mut Scratch, tables: &Tables, g: &mut [f64]) -> f64 {
    let n_levels = docs.levels.iter().max().map_or(0, |&l| l as usize + 1);
    let mut gains = vec![0.0; n_levels];
    let mut counts = vec![0usize; n_levels + 1];
    for (&l, &gain) in docs.levels.iter().zip(docs.brings) {
        gains[l as usize] = gain;
        counts[l as usize] += 1;
    }
    for l in (0..n_levels).rev() {
        counts[l] += counts[l + 1];
    }
    let more = |l: usize| {
        if l == 0 {
            gains[0]
        } else {
            gains[l] - gains[l - 1]
        }
    };
    let ideal = (0..n_levels)
        .map(|l| more(l) * tables.discounts[counts[l]])
        .sum::<f64>();
    if ideal <= 0.0 {
        return 0.0;
    }
    let mut delta = 0.0;
    for l in 1..n_levels {
        let lists = &mut scratch.lists;
        if !lists.part(docs, &scratch.ranking.rows, l as i32) {
            continue;
        }
        let (r, best) = (lists.s.len(), tables.discounts[lists.s.len()]);
        lists.slide(|j, k| (tables.discount[k + j - 1] - tables.discount[r + j]) / best);
        let share = more(l) * best / ideal;
        let mut dcg = 0.0;
        lists.each_relevant(|i, over| dcg += tables.discount[i + over]);
        lists.add_to(g, share);
        delta += share * (1.0 - dcg / best);
    }
    delta
}
