//! Pairs whose hinge is rounded off: a pair of margin m = slope (s_i − s_j) is swapped by the share
//!
//!     c(m) = (1 + width − m)/(2 width), but at least 0 and at most 1,
//!
//! the slope of a hinge that turns between 1 − width and 1 + width instead of at 1. Few pairs are listed, in lanes;
//! of many, sums over the documents within reach say the same.

use super::pairs::{Levels, Placed};
use super::Documents;
use crate::order::Ranking;
use crate::potentials::for_queries;

/// Up to so many pairs a document, listing them is faster than sorting.
const LISTED: usize = 64;
const LANES: usize = 8;

/// Sets g, zeros as yet, to the coefficient of every document in ψ(swapped) − ψ(true); per query Δ, the mean share, and
/// how much more the hinge itself is than Δ + Σ g s.
pub fn smoothed_pairs(
    shape: Shape,
    docs: Documents,
    qptr: &[i64],
    n_threads: usize,
    g: &mut [f64],
) -> Vec<(f64, f64)> {
    let one_query = |rows, g: &mut [f64], scratch: &mut Scratch| {
        let docs = docs.of(rows);
        let (mass, n_pairs) = scratch.group(docs);
        if mass <= 0.0 {
            return (0.0, 0.0);
        }
        let (swapped, hinge) = if n_pairs <= LISTED * g.len() {
            scratch.list(shape, docs, g)
        } else {
            scratch.sweep(shape, docs, g)
        };
        g.iter_mut().for_each(|g| *g *= shape.slope / mass);
        let smooth: f64 = g.iter().zip(docs.scores).map(|(g, s)| g * s).sum();
        let delta = swapped / mass;
        (delta, (hinge / mass - (delta + smooth)).max(0.0))
    };
    for_queries(g, qptr, n_threads, one_query)
}

#[derive(Clone, Copy)]
pub struct Shape {
    pub slope: f64,
    pub width: f64,
}

#[derive(Default)]
struct Scratch {
    /// Documents by level, the lowest first.
    rows: Vec<u32>,
    /// Where each level begins, and the end.
    starts: Vec<usize>,
    next: Vec<usize>,
    reach: Vec<f64>,
    weight: Vec<f64>,
    pulled: Vec<f64>,
    ranking: Ranking,
    placed: Vec<Placed>,
    sums: [Levels; 2],
}

impl Scratch {
    /// Groups a query's documents by level; Σ w_i w_j over its pairs, and their number.
    fn group(&mut self, docs: Documents) -> (f64, usize) {
        let n_levels = docs.levels.iter().max().map_or(0, |&l| l as usize + 1);
        self.starts.clear();
        self.starts.resize(n_levels + 1, 0);
        docs.levels
            .iter()
            .for_each(|&l| self.starts[l as usize + 1] += 1);
        for l in 0..n_levels {
            self.starts[l + 1] += self.starts[l];
        }
        self.next.clone_from(&self.starts);
        self.rows.resize(docs.levels.len(), 0);
        for (row, &level) in docs.levels.iter().enumerate() {
            self.rows[self.next[level as usize]] = row as u32;
            self.next[level as usize] += 1;
        }
        self.weight.clear();
        let brings = self.rows.iter().map(|&r| docs.brings[r as usize]);
        self.weight.extend(brings);
        let (mut below, mut mass, mut n_pairs) = (0.0, 0.0, 0);
        for level in self.starts.windows(2) {
            let own: f64 = self.weight[level[0]..level[1]].iter().sum();
            mass += own * below;
            n_pairs += level[0] * (level[1] - level[0]);
            below += own;
        }
        (mass, n_pairs)
    }

    /// Every pair: Σ of the shares, and of the hinges.
    fn list(&mut self, shape: Shape, docs: Documents, g: &mut [f64]) -> (f64, f64) {
        let per_width = 0.5 / shape.width;
        let scaled = shape.slope * per_width;
        self.reach.clear();
        let scores = self.rows.iter().map(|&r| docs.scores[r as usize]);
        self.reach.extend(scores.map(|s| scaled * s));
        self.pulled.clear();
        self.pulled.resize(self.rows.len(), 0.0);
        let (mut swapped, mut hinge) = (0.0, 0.0);
        for level in self.starts.windows(2).skip(1) {
            for i in level[0]..level[1] {
                let (own, from) = (self.weight[i], 0.5 + per_width - self.reach[i]);
                let worse = (&self.reach[..level[0]], &self.weight[..level[0]]);
                let (c, h) = beside(from, own, worse, &mut self.pulled[..level[0]]);
                g[self.rows[i] as usize] -= own * c;
                swapped += own * c;
                hinge += own * h;
            }
        }
        for (at, &row) in self.rows.iter().enumerate() {
            g[row as usize] += self.weight[at] * self.pulled[at];
        }
        (swapped, hinge * 2.0 * shape.width)
    }

    /// The same by sums: over the documents j within reach of i, Σ w_j (b − m_ij), for b = 1 + width less for
    /// b = 1 − width, is 2 width times the shares; for b = 1 it is the hinge.
    fn sweep(&mut self, shape: Shape, docs: Documents, g: &mut [f64]) -> (f64, f64) {
        self.ranking.set(docs.scores, docs.scores.len());
        let top = docs.scores[self.ranking.rows[0] as usize];
        self.placed.clear();
        self.placed.extend(self.ranking.rows.iter().map(|&row| {
            let row = row as usize;
            Placed {
                score: shape.slope * (docs.scores[row] - top), // margins are their differences
                weight: docs.brings[row],
                level: docs.levels[row] as usize,
                row,
            }
        }));
        let (n_levels, per_width) = (self.starts.len() - 1, 0.5 / shape.width);
        let (placed, sums) = (&self.placed, &mut self.sums);
        let (mut swapped, mut hinge) = (0.0, 0.0);
        for (b, share) in [
            (1.0 + shape.width, per_width),
            (1.0, 0.0),
            (1.0 - shape.width, -per_width),
        ] {
            sums.iter_mut().for_each(|s| s.clear(n_levels));
            let mut within = placed.iter().peekable();
            for i in placed {
                while let Some(j) = within.next_if(|j| i.score - j.score < b) {
                    sums[0].add(j.level, j.weight);
                    sums[1].add(j.level, j.weight * j.score);
                }
                let (n, s) = (sums[0].below(i.level), sums[1].below(i.level));
                let reached = i.weight * ((b - i.score) * n + s);
                g[i.row] -= share * reached;
                swapped += share * reached;
                hinge += if share == 0.0 { reached } else { 0.0 };
            }
            if share == 0.0 {
                continue;
            }
            sums.iter_mut().for_each(|s| s.clear(n_levels));
            let mut within = placed.iter().rev().peekable();
            for j in placed.iter().rev() {
                while let Some(i) = within.next_if(|i| i.score - j.score < b) {
                    sums[0].add(n_levels - 1 - i.level, i.weight);
                    sums[1].add(n_levels - 1 - i.level, i.weight * i.score);
                }
                let above = n_levels - 1 - j.level;
                let (n, s) = (sums[0].below(above), sums[1].below(above));
                g[j.row] += share * j.weight * ((b + j.score) * n - s);
            }
        }
        (swapped, hinge)
    }
}

/// One better document beside all worse ones: Σ w_j c_ij and Σ w_j (hinge)/(2 width); c_ij w_i is added to what pulls j.
fn beside(from: f64, own: f64, worse: (&[f64], &[f64]), pulled: &mut [f64]) -> (f64, f64) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has just been asked
            return unsafe { beside_512(from, own, worse, pulled) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just been asked
            return unsafe { beside_256(from, own, worse, pulled) };
        }
    }
    beside_plain(from, own, worse, pulled)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn beside_512(
    from: f64,
    own: f64,
    worse: (&[f64], &[f64]),
    pulled: &mut [f64],
) -> (f64, f64) {
    beside_plain(from, own, worse, pulled)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn beside_256(
    from: f64,
    own: f64,
    worse: (&[f64], &[f64]),
    pulled: &mut [f64],
) -> (f64, f64) {
    beside_plain(from, own, worse, pulled)
}

#[inline(always)]
fn beside_plain(from: f64, own: f64, worse: (&[f64], &[f64]), pulled: &mut [f64]) -> (f64, f64) {
    let (mut swapped, mut hinge) = ([0f64; LANES], [0f64; LANES]);
    let mut one = |l: usize, reach: f64, weight: f64, pulled: &mut f64| {
        let u = from + reach;
        let c = if u < 1.0 { u } else { 1.0 };
        let c = if c > 0.0 { c } else { 0.0 };
        let beyond = if u > 0.5 { u - 0.5 } else { 0.0 };
        swapped[l] += weight * c;
        hinge[l] += weight * beyond;
        *pulled += own * c;
    };
    let (reach, weight) = worse;
    let whole = reach.len() / LANES * LANES;
    let blocks = reach[..whole]
        .chunks_exact(LANES)
        .zip(weight[..whole].chunks_exact(LANES));
    for ((reach, weight), pulled) in blocks.zip(pulled[..whole].chunks_exact_mut(LANES)) {
        for l in 0..LANES {
            one(l, reach[l], weight[l], &mut pulled[l]);
        }
    }
    for (l, at) in (whole..reach.len()).enumerate() {
        one(l, reach[at], weight[at], &mut pulled[at]);
    }
    (swapped.iter().sum(), hinge.iter().sum())
}
