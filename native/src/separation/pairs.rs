//! Swapped pairs: every pair for itself is swapped where s_i − s_j < 1/slope.

use super::Documents;

/// Up to so many levels, a sum for each is faster than a tree of sums.
const FEW: usize = 8;

/// Σ over the levels below each, of growing numbers.
#[derive(Default)]
pub struct Levels {
    sums: Vec<f64>,
    few: bool,
}

impl Levels {
    pub fn clear(&mut self, n_levels: usize) {
        self.few = n_levels <= FEW;
        self.sums.clear();
        self.sums.resize(n_levels + 1, 0.0);
    }

    pub fn add(&mut self, level: usize, weight: f64) {
        if self.few {
            self.sums[level + 1..].iter_mut().for_each(|s| *s += weight);
            return;
        }
        let mut at = level + 1; // a Fenwick tree
        while at < self.sums.len() {
            self.sums[at] += weight;
            at += at & at.wrapping_neg();
        }
    }

    pub fn below(&self, level: usize) -> f64 {
        if self.few {
            return self.sums[level];
        }
        let (mut at, mut sum) = (level, 0.0);
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        sum
    }
}

/// A document in order of the scores.
#[derive(Clone, Copy)]
pub struct Placed {
    pub score: f64,
    pub weight: f64,
    pub level: usize,
    pub row: usize,
}

#[derive(Default)]
pub struct Swapped {
    placed: Vec<Placed>,
    levels: Levels,
}

impl Swapped {
    /// `rows` are the documents by descending score. Two sweeps: the documents within reach of a better one lie above
    /// a bound that falls with its score, those within reach of a worse one below a bound that rises; so sums grow.
    pub fn set(&mut self, docs: Documents, rows: &[u32], slope: f64, g: &mut [f64]) -> f64 {
        let n_levels = docs.levels.iter().max().map_or(0, |&l| l as usize + 1);
        self.placed.clear();
        self.placed.extend(rows.iter().map(|&row| {
            let row = row as usize;
            Placed {
                score: docs.scores[row],
                weight: docs.brings[row],
                level: docs.levels[row] as usize,
                row,
            }
        }));
        let mass = self.mass(n_levels);
        if mass <= 0.0 {
            return 0.0;
        }
        let (margin, per_swap, top) = (1.0 / slope, slope / mass, n_levels - 1);
        let (placed, levels) = (&self.placed, &mut self.levels);
        levels.clear(n_levels);
        let (mut within, mut total) = (placed.iter().peekable(), 0.0);
        for i in placed {
            while let Some(j) = within.next_if(|j| i.score - j.score < margin) {
                levels.add(j.level, j.weight);
            }
            let swaps = i.weight * levels.below(i.level);
            g[i.row] -= per_swap * swaps;
            total += swaps;
        }
        levels.clear(n_levels);
        let mut within = placed.iter().rev().peekable();
        for j in placed.iter().rev() {
            while let Some(i) = within.next_if(|i| i.score - j.score < margin) {
                levels.add(top - i.level, i.weight);
            }
            g[j.row] += per_swap * j.weight * levels.below(top - j.level);
        }
        total / mass
    }

    /// Σ w_i w_j over the pairs.
    fn mass(&mut self, n_levels: usize) -> f64 {
        let mut of_level = [0.0; FEW];
        let mut many = vec![0.0; if n_levels > FEW { n_levels } else { 0 }];
        let sums = if n_levels > FEW {
            &mut many[..]
        } else {
            &mut of_level[..n_levels]
        };
        self.placed.iter().for_each(|d| sums[d.level] += d.weight);
        let (mut below, mut mass) = (0.0, 0.0);
        for w in sums {
            mass += *w * below;
            below += *w;
        }
        mass
    }
}
