//! From the steps of every query to the plateaus of their sum.

use super::lines::{alpha_of, Span};
use super::Sorted;

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

/// Sorted lists put together by halves, side by side.
fn merged(mut blocks: Vec<Sorted>) -> Vec<(u64, i64)> {
    match blocks.len() {
        0 => Vec::new(),
        1 => blocks.remove(0).changes,
        n => {
            let rest = blocks.split_off(n / 2);
            let (left, right) = rayon::join(|| merged(blocks), || merged(rest));
            merged_two(&left, &right)
        }
    }
}

fn merged_two(left: &[(u64, i64)], right: &[(u64, i64)]) -> Vec<(u64, i64)> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let from_left = left[l].0 <= right[r].0;
        out.push(if from_left { left[l] } else { right[r] });
        l += usize::from(from_left);
        r += usize::from(!from_left);
    }
    out.extend_from_slice(&left[l..]);
    out.extend_from_slice(&right[r..]);
    out
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
    pub fn add(&mut self, blocks: Vec<Sorted>, at: f64) {
        let start: i128 = blocks.iter().map(|s| s.start).sum();
        if at > self.whole.lo && start != self.value {
            self.step(at);
        }
        self.value = start;
        let steps = merged(blocks);
        self.n_steps += steps.len() as u64;
        for (at, change) in steps {
            self.step(alpha_of(at));
            self.value += i128::from(change);
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
        let widest = found.lo.abs().max(found.hi.abs());
        self.since = alpha;
        if found.lo == found.hi || found.hi - found.lo <= TOLERANCE * widest && widest.is_finite() {
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
