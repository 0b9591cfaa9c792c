//! From the steps of every query to the plateaus of their sum.

use super::lines::{alpha_of, Span};
use super::peaks::{stretches, Stretch};
use super::Block;

/// Breakpoints closer than this, relatively, are one point: they may be the same crossing, computed from other pairs.
const TOLERANCE: f64 = 1.0 / (1u64 << 48) as f64;

/// A range of α without a breakpoint inside, and the sum over queries there.
#[derive(Clone, Copy)]
pub struct Plateau {
    pub lo: f64,
    pub hi: f64,
    pub value: i128,
}

/// All plateaus wide enough to stand on, from left to right.
#[derive(Default)]
pub struct Curve {
    pub plateaus: Vec<Plateau>,
}

/// Whether two breakpoints are one point.
pub fn narrow(lo: f64, hi: f64) -> bool {
    let widest = lo.abs().max(hi.abs());
    lo == hi || hi - lo <= TOLERANCE * widest && widest.is_finite()
}

pub struct Merger {
    whole: Span,
    n_best: usize,
    keep_curve: bool,
    value: i128,
    /// Where the current plateau began; the last breakpoint.
    since: f64,
    best: Vec<Plateau>,
    curve: Curve,
    n_steps: u64,
}

impl Merger {
    pub fn new(whole: Span, n_best: usize, keep_curve: bool) -> Merger {
        let since = whole.lo;
        let (best, curve) = (Vec::new(), Curve::default());
        Merger {
            whole,
            n_best,
            keep_curve,
            value: 0,
            since,
            best,
            curve,
            n_steps: 0,
        }
    }

    /// Adds the next window of α, which begins at `at`.
    pub fn add(&mut self, blocks: &[Block], at: f64) {
        let start: i128 = blocks.iter().map(|s| s.start).sum();
        if at > self.whole.lo && start != self.value {
            self.step(at);
        }
        self.value = start;
        self.n_steps += blocks.iter().map(|s| s.changes.len() as u64).sum::<u64>();
        let n_best = (!self.keep_curve).then_some(self.n_best);
        for stretch in stretches(blocks, start, self.since, n_best) {
            match stretch {
                Stretch::Steps(steps) => self.steps(&steps),
                Stretch::Passed(change, last) => {
                    self.value += change;
                    self.since = alpha_of(last);
                }
            }
        }
    }

    /// Where documents exchange places and the sum is as before, no plateau ends.
    fn steps(&mut self, steps: &[(u64, i64)]) {
        for same in steps.chunk_by(|x, y| x.0 == y.0) {
            let change: i128 = same.iter().map(|step| i128::from(step.1)).sum();
            if change != 0 {
                self.step(alpha_of(same[0].0));
                self.value += change;
            }
        }
    }

    pub fn finish(mut self) -> (Vec<Plateau>, Curve, u64) {
        self.step(self.whole.hi);
        (self.best, self.curve, self.n_steps)
    }

    /// A breakpoint: ends the current plateau, if it is one.
    fn step(&mut self, alpha: f64) {
        let full = self.best.len() == self.n_best && !self.keep_curve;
        if full && self.best.last().is_some_and(|x| x.value > self.value) {
            self.since = alpha; // nearly all plateaus end here
            return;
        }
        let found = Plateau {
            lo: self.since,
            hi: alpha,
            value: self.value,
        };
        self.since = alpha;
        if narrow(found.lo, found.hi) {
            return;
        }
        if self.keep_curve {
            self.curve.plateaus.push(found);
        }
        let better = |x: &Plateau| (x.value, x.hi - x.lo) >= (found.value, found.hi - found.lo);
        if self.best.len() < self.n_best || !self.best.last().is_none_or(better) {
            let at = self.best.partition_point(better);
            self.best.insert(at, found);
            self.best.truncate(self.n_best);
        }
    }
}
