//! What splits gain, and what limits them.

/// Of the score before the split: what is below is rounding.
const NOTHING_GAINED: f64 = 1e-10;
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

/// Σ g, Σ h and the count, as floats.
#[derive(Clone, Copy)]
pub struct Sums {
    pub g: f64,
    pub h: f64,
    pub n: f64,
}

impl Sums {
    #[inline(always)]
    pub fn of(sum: i64, counted: i64, count_bits: u32) -> Sums {
        Sums {
            g: sum as f64,
            h: (counted >> count_bits) as f64,
            n: (counted & ((1 << count_bits) - 1)) as f64,
        }
    }

    #[inline(always)]
    pub fn minus(self, other: Sums) -> Sums {
        Sums {
            g: self.g - other.g,
            h: self.h - other.h,
            n: self.n - other.n,
        }
    }
}

/// The leaf before its split.
pub struct Whole {
    pub sums: Sums,
    plain: f64,
    bounded: f64,
}

impl Limits {
    #[inline(always)]
    pub fn below(&self, s: Sums) -> f64 {
        if self.mse {
            s.n
        } else {
            s.h + self.l2
        }
    }

    #[inline(always)]
    pub fn value(&self, s: Sums) -> f64 {
        let v = s.g / (s.h + self.l2);
        if v < self.bounds.0 {
            self.bounds.0
        } else if v > self.bounds.1 {
            self.bounds.1
        } else {
            v
        }
    }

    pub fn whole(&self, sums: Sums) -> Whole {
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
    pub fn gain(&self, left: Sums, whole: &Whole) -> f64 {
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
    pub fn bounded_gain(&self, left: Sums, whole: &Whole, sign: f64) -> f64 {
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
