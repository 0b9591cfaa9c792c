//! The best split of a leaf, from its histograms.

use crate::parallel::with_threads;
use crate::trees::limits::{Limits, Sums, Whole};
use crate::trees::thresholds::threshold_gains;
use rayon::prelude::*;

/// Cells that take longer to go through than another thread takes to wake.
const WORTH_A_THREAD: usize = 1 << 14;

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

/// The best split of a leaf among the features it was shown. Of equally good ones the first feature's is taken, then
/// the one that sends missing values right, then the lowest code.
pub struct Search<'a> {
    features: Features<'a>,
    limits: Limits,
    /// The cells' Σ h and count together, and the leaf.
    whole: Option<(i64, Whole)>,
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
        let (all, whole) = self.whole.get_or_insert_with(|| {
            let all = counted.iter().sum();
            let whole = Sums::of(sums.iter().sum(), all, limits.count_bits);
            (all, limits.whole(whole))
        });
        if counted.contains(all) {
            return; // all documents share a code, as they mostly do where features are sparse
        }
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
        match sums.len() {
            0..=16 => self.of_few_thresholds::<16>(sums, counted, best),
            17..=64 => self.of_few_thresholds::<64>(sums, counted, best),
            _ => self.of_few_thresholds::<256>(sums, counted, best),
        }
    }

    /// The same, where there are so many at most; what is worked out on the way is no longer than that.
    fn of_few_thresholds<const ROOM: usize>(
        &self,
        sums: &[i64],
        counted: &[i64],
        best: &mut Found,
    ) {
        let mut gains = [f64::NEG_INFINITY; ROOM];
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
            threshold_gains::<ROOM>(self.start, sums, counted, limits, whole, &mut gains)
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
