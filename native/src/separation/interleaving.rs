//! Rankings that interleave the relevant documents, in order of their scores, with the others in order of theirs.
//!
//! Such a ranking is told by how many relevant documents stand above each other one, best first; the numbers never
//! fall. They are k − 1 in the encoding of the SVM-map paper, where "opt_j = k" puts document j just above the k-th.

use super::Documents;

#[derive(Default)]
pub struct Interleaving {
    /// Rows of the relevant documents and of the others, by descending score.
    pub relevant: Vec<u32>,
    pub others: Vec<u32>,
    /// Their scores.
    pub s: Vec<f64>,
    pub t: Vec<f64>,
    /// Sums of the first scores in `s`.
    pub sums: Vec<f64>,
    /// Relevant documents above each other one.
    pub above: Vec<u32>,
}

impl Interleaving {
    /// Parts a query's documents, ranked by `rows`, at a level. Whether there are documents of both kinds.
    pub fn part(&mut self, docs: Documents, rows: &[u32], level: i32) -> bool {
        self.relevant.clear();
        self.others.clear();
        for &row in rows {
            let relevant = docs.levels[row as usize] >= level;
            if relevant {
                self.relevant.push(row);
            } else {
                self.others.push(row);
            }
        }
        let score = |&row: &u32| docs.scores[row as usize];
        self.s.clear();
        self.s.extend(self.relevant.iter().map(score));
        self.t.clear();
        self.t.extend(self.others.iter().map(score));
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        self.sums.extend(self.s.iter().map(|s| {
            sum += s;
            sum
        }));
        !self.relevant.is_empty() && !self.others.is_empty()
    }

    /// Lets every other document j = 1, 2, ... stand where the loss it gains by sliding above the relevant documents
    /// k..R, `gained(j, k)`, less what w·ψ gives up for it is largest. If the gain falls with j, the places never
    /// fall (Theorem 2 of the paper), so the middle one parts the rest.
    pub fn slide(&mut self, gained: impl Fn(usize, usize) -> f64) {
        let (r, n) = (self.s.len(), self.t.len());
        self.above.clear();
        self.above.resize(n, 0);
        let per_pair = 2.0 / (r as f64 * n as f64);
        let (sums, t) = (&self.sums, &self.t);
        let value = |j: usize, k: usize| {
            let apart = sums[r] - sums[k - 1] - (r + 1 - k) as f64 * t[j - 1];
            gained(j, k) - per_pair * apart
        };
        settle(&mut self.above, 1, 0, r as u32, &value, r);
    }

    /// Adds `scale` · (ψ(this ranking) − ψ(true)) to the coefficients of the documents.
    pub fn add_to(&self, g: &mut [f64], scale: f64) {
        let (r, n) = (self.s.len() as f64, self.t.len() as f64);
        let per_pair = 2.0 * scale / (r * n);
        let below = |j: usize| r - self.above[j] as f64;
        each_mean(&self.others, &self.t, below, |row, m| {
            g[row] += per_pair * m
        });
        let mut first = 0; // of the others that do not stand above
        let mut over = Vec::with_capacity(self.s.len());
        for i in 0..self.s.len() {
            while first < self.above.len() && self.above[first] as usize <= i {
                first += 1;
            }
            over.push(first as f64);
        }
        each_mean(
            &self.relevant,
            &self.s,
            |i| over[i],
            |row, m| g[row] -= per_pair * m,
        );
    }

    /// Calls with i and the number of others above it, for every relevant document i = 1, 2, ...
    pub fn each_relevant(&self, mut call: impl FnMut(usize, usize)) {
        let mut first = 0;
        for i in 1..=self.s.len() {
            while first < self.above.len() && (self.above[first] as usize) < i {
                first += 1;
            }
            call(i, first);
        }
    }
}

/// Fills `above` for the others from number `first` on, where at least `low` and at most `high` relevant documents
/// stand above each.
fn settle(
    above: &mut [u32],
    first: usize,
    low: u32,
    high: u32,
    value: &impl Fn(usize, usize) -> f64,
    r: usize,
) {
    if above.is_empty() {
        return;
    }
    if low == high {
        above.fill(low);
        return;
    }
    let middle = above.len() / 2;
    let j = first + middle;
    let (mut best, mut most) = (low, f64::NEG_INFINITY);
    for a in low..=high {
        let v = if a as usize == r {
            0.0
        } else {
            value(j, a as usize + 1)
        };
        if v > most {
            (best, most) = (a, v);
        }
    }
    above[middle] = best;
    let (left, right) = above.split_at_mut(middle);
    settle(left, first, low, best, value, r);
    settle(&mut right[1..], j + 1, best, high, value, r);
}

/// The mean of a number over each run of equal scores, for every row of the run.
fn each_mean(
    rows: &[u32],
    scores: &[f64],
    number: impl Fn(usize) -> f64,
    mut call: impl FnMut(usize, f64),
) {
    let mut start = 0;
    for run in scores.chunk_by(|a, b| a == b) {
        let places = start..start + run.len();
        let mean = places.clone().map(&number).sum::<f64>() / run.len() as f64;
        rows[places]
            .iter()
            .for_each(|&row| call(row as usize, mean));
        start += run.len();
    }
}
