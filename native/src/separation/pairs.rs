//! Swapped pairs: every pair for itself is swapped where s_i − s_j < 1/slope.

use super::Documents;

/// Σ over levels of growing numbers, by a Fenwick tree.
struct Levels(Vec<f64>);

impl Levels {
    fn add(&mut self, level: usize, weight: f64) {
        let mut at = level + 1;
        while at < self.0.len() {
            self.0[at] += weight;
            at += at & at.wrapping_neg();
        }
    }

    /// Over the levels below `level`.
    fn below(&self, level: usize) -> f64 {
        let (mut at, mut sum) = (level, 0.0);
        while at > 0 {
            sum += self.0[at];
            at &= at - 1;
        }
        sum
    }
}

/// `rows` are the documents by descending score. Two sweeps: the documents within reach of a better one lie below a
/// bound that falls with its score, those within reach of a worse one above a bound that rises; so sums only grow.
pub fn swapped(docs: Documents, rows: &[u32], slope: f64, g: &mut [f64]) -> f64 {
    let n_levels = docs.levels.iter().max().map_or(0, |&l| l as usize + 1);
    let mass = mass_of_pairs(docs, n_levels);
    if mass <= 0.0 {
        return 0.0;
    }
    let margin = 1.0 / slope;
    let score = |i: usize| docs.scores[rows[i] as usize];
    let level = |i: usize| docs.levels[rows[i] as usize] as usize;
    let (per_swap, top) = (slope / mass, n_levels - 1);
    let (mut reached, mut total) = (0, 0.0);
    let mut sums = Levels(vec![0.0; n_levels + 1]);
    for i in 0..rows.len() {
        while reached < rows.len() && score(i) - score(reached) < margin {
            sums.add(level(reached), docs.brings[rows[reached] as usize]);
            reached += 1;
        }
        let row = rows[i] as usize;
        let swaps = docs.brings[row] * sums.below(level(i));
        g[row] -= per_swap * swaps;
        total += swaps;
    }
    reached = rows.len();
    let mut sums = Levels(vec![0.0; n_levels + 1]);
    for j in (0..rows.len()).rev() {
        while reached > 0 && score(reached - 1) - score(j) < margin {
            reached -= 1;
            sums.add(top - level(reached), docs.brings[rows[reached] as usize]);
        }
        let row = rows[j] as usize;
        g[row] += per_swap * docs.brings[row] * sums.below(top - level(j));
    }
    total / mass
}

/// Σ w_i w_j over the pairs.
fn mass_of_pairs(docs: Documents, n_levels: usize) -> f64 {
    let mut of_level = vec![0.0; n_levels];
    for (&l, &w) in docs.levels.iter().zip(docs.brings) {
        of_level[l as usize] += w;
    }
    let (mut below, mut mass) = (0.0, 0.0);
    for w in of_level {
        mass += w * below;
        below += w;
    }
    mass
}
