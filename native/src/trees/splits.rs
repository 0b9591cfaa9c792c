//! The best split of a leaf, from its histograms.

use crate::parallel::with_threads;
use rayon::prelude::*;

/// Of the score before the split: what is below is rounding.
const NOTHING_GAINED: f64 = 1e-10;
/// Cells that take longer to go through than another thread takes to wake.
const WORTH_A_THREAD: usize = 1 << 14;

/// What limits splits, and the order of categories; in the units of the cells.
#[derive(Clone, Copy)]
pub struct Limits {
    pub min_docs: f64,
    pub min_hessian: f64,
    pub l2: f64,
    pub mse: bool,
    pub smoothing: f64,
    pub by_frequency: bool,
    /// Where the leaf's value must stay.
    pub bounds: (f64, f64),
    pub count_bits: u32,
}

/// What is known of all features.
#[derive(Clone, Copy)]
pub struct Features<'a> {
    /// Feature f has the cells `ptr[f]..ptr[f + 1]`.
    pub ptr: &'a [i64],
    pub monotone: &'a [i8],
    pub categorical: &'a [bool],
}

impl Features<'_> {
    pub fn cells_of(&self, f: i64) -> std::ops::Range<usize> {
        self.ptr[f as usize] as usize..self.ptr[f as usize + 1] as usize
    }
}

#[derive(Clone, Copy)]
pub struct Found {
    pub gain: f64,
    pub feature: i64,
    pub code: i64,
    pub missing_left: bool,
    pub sum: i64,
    pub counted: i64,
    pub to_left: [u8; 256],
}

pub const NONE: Found = Found {
    gain: 0.0,
    feature: -1,
    code: -1,
    missing_left: false,
    sum: 0,
    counted: 0,
    to_left: [0; 256],
};

/// Σ g, Σ h and the count, as floats.
#[derive(Clone, Copy)]
struct Sums {
    g: f64,
    h: f64,
    n: f64,
}

impl Sums {
    #[inline(always)]
    fn of(sum: i64, counted: i64, count_bits: u32) -> Sums {
        Sums {
            g: sum as f64,
            h: (counted >> count_bits) as f64,
            n: (counted & ((1 << count_bits) - 1)) as f64,
        }
    }

    #[inline(always)]
    fn minus(self, other: Sums) -> Sums {
        Sums {
            g: self.g - other.g,
            h: self.h - other.h,
            n: self.n - other.n,
        }
    }
}

/// The leaf before its split.
struct Whole {
    sums: Sums,
    plain: f64,
    bounded: f64,
}

impl Limits {
    #[inline(always)]
    fn below(&self, s: Sums) -> f64 {
        if self.mse {
            s.n
        } else {
            s.h + self.l2
        }
    }

    #[inline(always)]
    fn value(&self, s: Sums) -> f64 {
        let v = s.g / (s.h + self.l2);
        if v < self.bounds.0 {
            self.bounds.0
        } else if v > self.bounds.1 {
            self.bounds.1
        } else {
            v
        }
    }

    fn whole(&self, sums: Sums) -> Whole {
        let (both, v) = (self.below(sums), self.value(sums));
        let plain = sums.g * sums.g / both;
        let bounded = if self.mse {
            plain
        } else {
            2.0 * sums.g * v - both * v * v
        };
        Whole {
            sums,
            plain,
            bounded,
        }
    }

    /// By how much a division betters the score; −∞ where it is not allowed or nothing is gained.
    #[inline(always)]
    fn gain(&self, left: Sums, whole: &Whole) -> f64 {
        let right = whole.sums.minus(left);
        let (a, b) = (self.below(left), self.below(right));
        let after = (left.g * left.g * b + right.g * right.g * a) / (a * b);
        let gain = after - whole.plain;
        let allowed = (left.n >= self.min_docs)
            & (right.n >= self.min_docs)
            & (left.h >= self.min_hessian)
            & (right.h >= self.min_hessian)
            & (a > 0.0)
            & (b > 0.0)
            & (gain > NOTHING_GAINED * whole.plain);
        if allowed {
            gain
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The same where values must stay within bounds, or rise or fall from left to right.
    fn bounded_gain(&self, left: Sums, whole: &Whole, sign: f64) -> f64 {
        let right = whole.sums.minus(left);
        let (a, b) = (self.below(left), self.below(right));
        let (vl, vr) = (self.value(left), self.value(right));
        let after = if self.mse {
            (left.g * left.g * b + right.g * right.g * a) / (a * b)
        } else {
            (2.0 * left.g * vl - a * vl * vl) + (2.0 * right.g * vr - b * vr * vr)
        };
        let gain = after - whole.bounded;
        let allowed = left.n >= self.min_docs
            && right.n >= self.min_docs
            && left.h >= self.min_hessian
            && right.h >= self.min_hessian
            && a > 0.0
            && b > 0.0
            && sign * vl <= sign * vr
            && gain > NOTHING_GAINED * whole.bounded;
        if allowed {
            gain
        } else {
            f64::NEG_INFINITY
        }
    }
}

/// The best split of a leaf among the features it was shown. Of equally good ones the first feature's is taken, then
/// the one that sends missing values right, then the lowest code.
pub struct Search<'a> {
    features: Features<'a>,
    limits: Limits,
    whole: Option<Whole>,
    pub best: Found,
}

impl<'a> Search<'a> {
    pub fn new(features: Features<'a>, limits: Limits) -> Search<'a> {
        let whole = None;
        Search {
            features,
            limits,
            whole,
            best: NONE,
        }
    }

    /// The better of two; the first of equals.
    pub fn better(a: Found, b: Found) -> Found {
        if b.gain > a.gain {
            b
        } else {
            a
        }
    }

    /// Tries all splits of a feature: Σ g of its cells, and their (Σ h) · 2^count_bits + count.
    pub fn show(&mut self, f: i64, sums: &[i64], counted: &[i64]) {
        let limits = self.limits;
        let whole = self.whole.get_or_insert_with(|| {
            let counted = counted.iter().sum();
            limits.whole(Sums::of(sums.iter().sum(), counted, limits.count_bits))
        });
        let missing = sums.len() - 1;
        let has_missing = counted[missing] != 0;
        for missing_left in [false, true] {
            if missing_left && !has_missing {
                break;
            }
            let start = if missing_left {
                (sums[missing], counted[missing])
            } else {
                (0, 0)
            };
            let offer = Offer {
                f,
                start,
                missing,
                missing_left: has_missing.then_some(missing_left),
                limits: &limits,
                whole,
                sign: self.features.monotone[f as usize] as f64,
            };
            if self.features.categorical[f as usize] {
                let mut order = order_of_categories(sums, counted, &limits);
                offer.of_order(&order, sums, counted, &mut self.best);
                order.reverse();
                offer.of_order(&order, sums, counted, &mut self.best);
            } else {
                let (sums, counted) = (&sums[..missing - 1], &counted[..missing - 1]);
                offer.of_thresholds(sums, counted, &mut self.best);
            }
        }
    }
}

/// The best split of a leaf, of some features.
pub fn best_split(
    (sums, counted): (&[i64], &[i64]),
    features: Features,
    chosen: &[i64],
    limits: Limits,
    n_threads: usize,
) -> Found {
    let best_of = |chosen: &[i64]| {
        let mut search = Search::new(features, limits);
        for &f in chosen {
            let at = features.cells_of(f);
            search.show(f, &sums[at.clone()], &counted[at]);
        }
        search.best
    };
    if n_threads <= 1 || sums.len() < WORTH_A_THREAD {
        return best_of(chosen);
    }
    let size = chosen.len().div_ceil(n_threads).max(1);
    let bests: Vec<_> = with_threads(n_threads, || chosen.par_chunks(size).map(best_of).collect());
    bests.into_iter().fold(NONE, Search::better)
}

/// The categories seen in the leaf, in the order in which they are divided.
fn order_of_categories(sums: &[i64], counted: &[i64], limits: &Limits) -> Vec<usize> {
    let mut seen: Vec<_> = (0..sums.len() - 2).filter(|&c| counted[c] != 0).collect();
    if !limits.by_frequency {
        let key = |c: usize| {
            let s = Sums::of(sums[c], counted[c], limits.count_bits);
            s.g / ((s.h + limits.smoothing) + 1.0)
        };
        seen.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
    }
    seen
}

/// Ways to divide a feature's codes.
struct Offer<'a> {
    f: i64,
    start: (i64, i64),
    /// The code of missing values, and whether they go left; None where the leaf has none.
    missing: usize,
    missing_left: Option<bool>,
    limits: &'a Limits,
    whole: &'a Whole,
    sign: f64,
}

impl Offer<'_> {
    /// Codes 0..=b against the others, for every b.
    fn of_thresholds(&self, sums: &[i64], counted: &[i64], best: &mut Found) {
        let mut gains = [f64::NEG_INFINITY; 256];
        let (limits, whole) = (self.limits, self.whole);
        let top = if self.sign != 0.0 || limits.bounds != (f64::NEG_INFINITY, f64::INFINITY) {
            let (mut sum, mut count) = self.start;
            for ((gain, &s), &c) in gains.iter_mut().zip(sums).zip(counted) {
                (sum, count) = (sum + s, count + c);
                let left = Sums::of(sum, count, limits.count_bits);
                *gain = limits.bounded_gain(left, whole, self.sign);
            }
            gains.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        } else {
            threshold_gains(self.start, sums, counted, limits, whole, &mut gains)
        };
        if top > best.gain {
            let b = gains.iter().position(|&gain| gain == top).unwrap_or(0);
            let mut to_left = [0; 256];
            to_left[..=b].fill(1);
            self.take(
                top,
                b,
                sums[..=b].iter().sum(),
                counted[..=b].iter().sum(),
                to_left,
                best,
            );
        }
    }

    /// The first few categories of an order against the others.
    fn of_order(&self, order: &[usize], sums: &[i64], counted: &[i64], best: &mut Found) {
        let (mut sum, mut count) = (0, 0);
        for (i, &code) in order.iter().enumerate() {
            (sum, count) = (sum + sums[code], count + counted[code]);
            let left = Sums::of(
                self.start.0 + sum,
                self.start.1 + count,
                self.limits.count_bits,
            );
            let bounded = self.limits.bounds != (f64::NEG_INFINITY, f64::INFINITY);
            let gain = if bounded {
                self.limits.bounded_gain(left, self.whole, 0.0)
            } else {
                self.limits.gain(left, self.whole)
            };
            if gain > best.gain {
                let mut to_left = [0; 256];
                order[..=i].iter().for_each(|&code| to_left[code] = 1);
                self.take(gain, i, sum, count, to_left, best);
            }
        }
    }

    fn take(
        &self,
        gain: f64,
        code: usize,
        sum: i64,
        counted: i64,
        mut to_left: [u8; 256],
        best: &mut Found,
    ) {
        let counted = self.start.1 + counted;
        let n_left = (counted & ((1 << self.limits.count_bits) - 1)) as f64;
        // missing values that were not seen go where most documents go
        let most = 2.0 * n_left >= self.whole.sums.n;
        let missing_left = self.missing_left.unwrap_or(most);
        to_left[self.missing] = missing_left as u8;
        *best = Found {
            gain,
            feature: self.f,
            code: code as i64,
            missing_left,
            sum: self.start.0 + sum,
            counted,
            to_left,
        };
    }
}

/// The gain of every threshold, and the largest.
fn threshold_gains(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; 256],
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the processor has just been asked
            return unsafe { threshold_gains_512(start, sums, counted, limits, whole, gains) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just been asked
            return unsafe { threshold_gains_256(start, sums, counted, limits, whole, gains) };
        }
    }
    threshold_gains_plain(start, sums, counted, limits, whole, gains)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
unsafe fn threshold_gains_512(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; 256],
) -> f64 {
    threshold_gains_plain(start, sums, counted, limits, whole, gains)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn threshold_gains_256(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; 256],
) -> f64 {
    threshold_gains_plain(start, sums, counted, limits, whole, gains)
}

#[inline(always)]
fn threshold_gains_plain(
    start: (i64, i64),
    sums: &[i64],
    counted: &[i64],
    limits: &Limits,
    whole: &Whole,
    gains: &mut [f64; 256],
) -> f64 {
    const LANES: usize = 8;
    let n = sums.len();
    let mut left = ([0i64; 256], [0i64; 256]);
    let (mut sum, mut count) = start;
    for b in 0..n {
        (sum, count) = (sum + sums[b], count + counted[b]);
        (left.0[b], left.1[b]) = (sum, count);
    }
    let mut top = [f64::NEG_INFINITY; LANES];
    for first in (0..n).step_by(LANES) {
        for (lane, top) in top.iter_mut().enumerate() {
            let b = (first + lane) % 256;
            let gain = limits.gain(Sums::of(left.0[b], left.1[b], limits.count_bits), whole);
            gains[b] = gain;
            *top = if gain > *top { gain } else { *top };
        }
    }
    let top = top.into_iter().fold(f64::NEG_INFINITY, f64::max);
    gains[n..].fill(f64::NEG_INFINITY);
    top
}
