//! The inner loop over pairs: one document against a run of documents below it, eight at a time.
//!
//! The arithmetic is the same on every vector unit: no fused operations, and sums over a row in eight lanes that are
//! added in a fixed order. So are the results, to the last bit.

const LANES: usize = 8;
const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding it to a number of magnitude below 2^51 leaves the nearest whole number in the low mantissa bits.
const MAGIC: f64 = 6755399441055744.0; // 1.5 · 2^52
const LOWEST: f64 = -700.0;
/// 1/n!: |r| ≤ ½ ln 2, so that what is left out is below 10⁻¹¹.
const TERMS: [f64; 10] = [
    1.0 / 362880.0,
    1.0 / 40320.0,
    1.0 / 5040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    1.0 / 2.0,
    1.0,
    1.0,
];

/// The documents of one query in ranked order.
#[derive(Default)]
pub struct Rows {
    /// How far the score lies below the best one.
    pub below: Vec<f64>,
    /// Gain, label or chance of a stop: the larger the better.
    pub value: Vec<f64>,
    pub weight: Vec<f64>,
    pub lambda: Vec<f64>,
    pub hessian: Vec<f64>,
    /// Σ |λ_ij| over the pairs.
    pub total: f64,
    row_lambda: Vec<f64>,
    row_hessian: Vec<f64>,
}

impl Rows {
    pub fn clear(&mut self, n: usize) {
        let all = [
            &mut self.below,
            &mut self.value,
            &mut self.weight,
            &mut self.lambda,
            &mut self.hessian,
            &mut self.row_lambda,
            &mut self.row_hessian,
        ];
        for numbers in all {
            numbers.clear();
            numbers.resize(n, 0.0);
        }
        self.total = 0.0;
    }
}

/// Document a against those at ranks `from..from + worth.len()`: |ΔE| is |value_a − value_b| · |worth_a − worth_b|, or
/// with `by_sign`, |worth_a − worth_b| wherever the values differ.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub a: usize,
    pub from: usize,
    pub worth_a: f64,
    pub worth: &'a [f64],
    pub by_sign: bool,
    pub how: How,
}

/// What else a pair's |ΔE| is multiplied by.
#[derive(Clone, Copy)]
pub struct How {
    /// The product of the documents' weights.
    pub weighted: bool,
    /// 1/(near + |s_a − s_b|), so that pairs with near scores count more; 0: no such factor.
    pub near: f64,
}

pub fn add_row(rows: &mut Rows, row: Row) {
    let (a, from, n) = (row.a, row.from, row.worth.len());
    let to = from + n;
    let upper = Upper {
        below: rows.below[a],
        value: rows.value[a],
        weight: rows.weight[a],
        worth: row.worth_a,
    };
    let lower = Lower {
        below: &rows.below[from..to],
        value: &rows.value[from..to],
        weight: &rows.weight[from..to],
        worth: row.worth,
    };
    let (l, h) = (&mut rows.row_lambda[..n], &mut rows.row_hessian[..n]);
    let (lambda, hessian) = (&mut rows.lambda[from..to], &mut rows.hessian[from..to]);
    let near = row.how.near;
    let work = match (row.by_sign, row.how.weighted, near > 0.0) {
        (false, false, false) => on_this_processor::<false, false, false>,
        (false, false, true) => on_this_processor::<false, false, true>,
        (false, true, false) => on_this_processor::<false, true, false>,
        (false, true, true) => on_this_processor::<false, true, true>,
        (true, false, false) => on_this_processor::<true, false, false>,
        (true, false, true) => on_this_processor::<true, false, true>,
        (true, true, false) => on_this_processor::<true, true, false>,
        (true, true, true) => on_this_processor::<true, true, true>,
    };
    let [sum_l, sum_h, total] = work(upper, lower, near, [l, h, lambda, hessian]);
    rows.lambda[a] += sum_l;
    rows.hessian[a] += sum_h;
    rows.total += total;
}

#[derive(Clone, Copy)]
struct Upper {
    below: f64,
    value: f64,
    weight: f64,
    worth: f64,
}

#[derive(Clone, Copy)]
struct Lower<'a> {
    below: &'a [f64],
    value: &'a [f64],
    weight: &'a [f64],
    worth: &'a [f64],
}

fn on_this_processor<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    near: f64,
    out: [&mut [f64]; 4],
) -> [f64; 3] {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has it
            return unsafe { pairs_512::<BY_SIGN, WEIGHTED, NEAR>(a, b, near, out) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it
            return unsafe { pairs_256::<BY_SIGN, WEIGHTED, NEAR>(a, b, near, out) };
        }
    }
    pairs::<BY_SIGN, WEIGHTED, NEAR>(a, b, near, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn pairs_512<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    near: f64,
    out: [&mut [f64]; 4],
) -> [f64; 3] {
    pairs::<BY_SIGN, WEIGHTED, NEAR>(a, b, near, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pairs_256<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    near: f64,
    out: [&mut [f64]; 4],
) -> [f64; 3] {
    pairs::<BY_SIGN, WEIGHTED, NEAR>(a, b, near, out)
}

/// Takes from every lower document what each pair gives the upper one; returns the sums of that, of the slopes, and of
/// the sizes of what was given.
#[inline(always)]
fn pairs<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    near: f64,
    [l, h, lambda, hessian]: [&mut [f64]; 4],
) -> [f64; 3] {
    let n = l.len();
    let (below, value) = (&b.below[..n], &b.value[..n]);
    let (weight, worth) = (&b.weight[..n], &b.worth[..n]);
    let (h, lambda, hessian) = (&mut h[..n], &mut lambda[..n], &mut hessian[..n]);
    for i in 0..n {
        let better = a.value - value[i];
        let differ = if better == 0.0 { 0.0 } else { 1.0 };
        let size = if BY_SIGN { differ } else { better.abs() };
        let weight = if WEIGHTED { a.weight * weight[i] } else { 1.0 };
        let delta = size * (a.worth - worth[i]).abs() * weight;
        let apart = below[i] - a.below;
        let e = exp_of(-apart);
        let one_more = 1.0 + e;
        let over = if NEAR { near + apart } else { 1.0 };
        let inverse = 1.0 / (one_more * one_more * over);
        let rho = if better > 0.0 { e } else { -1.0 };
        l[i] = delta * rho * one_more * inverse;
        h[i] = delta * e * inverse;
    }
    for i in 0..n {
        lambda[i] -= l[i];
        hessian[i] += h[i];
    }
    let sums = [sum(l), sum(h)];
    l.iter_mut().for_each(|l| *l = l.abs());
    [sums[0], sums[1], sum(l)]
}

/// In eight lanes, which are added in order.
#[inline(always)]
fn sum(numbers: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = numbers.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane += x;
    }
    lanes.iter().sum()
}

/// exp(x) for x ≤ 0 (and rounding above it), to about eleven digits.
#[inline(always)]
fn exp_of(x: f64) -> f64 {
    let bounded = x.max(LOWEST);
    let rounded = bounded * LOG2_E + MAGIC;
    let k = rounded - MAGIC;
    let r = (bounded - k * LN_2_HIGH) - k * LN_2_LOW;
    let mut series = TERMS[0];
    for term in &TERMS[1..] {
        series = series * r + term;
    }
    let exponent = rounded
        .to_bits()
        .wrapping_sub(MAGIC.to_bits())
        .wrapping_add(1023);
    series * f64::from_bits(exponent << 52)
}

#[cfg(test)]
mod tests {
    use super::exp_of;

    #[test]
    fn exp_is_right() {
        for i in 0..100_000 {
            let x = -f64::from(i) * 0.0071;
            let wanted = x.max(-700.0).exp();
            assert!((exp_of(x) - wanted).abs() <= 2e-11 * wanted, "{x}");
        }
    }
}
