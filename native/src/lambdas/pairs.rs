//! The inner loop over pairs: one document against a run of documents below it, eight at a time.
//!
//! The arithmetic is the same on every vector unit: no fused operations, and sums over a row in eight lanes that are
//! added in a fixed order. So are the results, to the last bit.

const LANES: usize = 8;

#[derive(Clone, Copy)]
pub struct Upper {
    pub below: f64,
    pub value: f64,
    pub weight: f64,
    pub worth: f64,
    /// What exp(−below) of a lower document is multiplied by for exp(s_b − s_a).
    pub e: f64,
    pub near: f64,
}

#[derive(Clone, Copy)]
pub struct Lower<'a> {
    pub below: &'a [f64],
    pub value: &'a [f64],
    pub weight: &'a [f64],
    pub worth: &'a [f64],
    pub e: &'a [f64],
}

/// Takes from every lower document what each pair gives the upper one; returns the sums of that, of the slopes, and of
/// the sizes of what was given.
pub fn on_this_processor<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    taken: [&mut [f64]; 2],
) -> [f64; 3] {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has it
            return unsafe { pairs_512::<BY_SIGN, WEIGHTED, NEAR>(a, b, taken) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has it
            return unsafe { pairs_256::<BY_SIGN, WEIGHTED, NEAR>(a, b, taken) };
        }
    }
    pairs::<BY_SIGN, WEIGHTED, NEAR>(a, b, taken)
}

#[inline(always)]
fn pairs<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    [lambda, hessian]: [&mut [f64]; 2],
) -> [f64; 3] {
    let n = lambda.len();
    let (mut l, mut h) = ([0.0; LANES], [0.0; LANES]);
    let mut sums = [[0.0; LANES]; 3];
    for first in (0..n).step_by(LANES) {
        let some = LANES.min(n - first);
        for (lane, i) in (first..first + some).enumerate() {
            let better = a.value - b.value[i];
            let differ = if better == 0.0 { 0.0 } else { 1.0 };
            let size = if BY_SIGN { differ } else { better.abs() };
            let weight = if WEIGHTED {
                a.weight * b.weight[i]
            } else {
                1.0
            };
            let delta = size * (a.worth - b.worth[i]).abs() * weight;
            let e = b.e[i] * a.e;
            let one_more = 1.0 + e;
            let over = if NEAR {
                a.near + (b.below[i] - a.below)
            } else {
                1.0
            };
            let share = delta / (one_more * one_more * over);
            let rho = if better > 0.0 { e } else { -1.0 };
            l[lane] = share * (rho * one_more);
            h[lane] = share * e;
        }
        for (lane, i) in (first..first + some).enumerate() {
            lambda[i] -= l[lane];
            hessian[i] += h[lane];
        }
        sums[0]
            .iter_mut()
            .zip(&l[..some])
            .for_each(|(sum, l)| *sum += l);
        sums[1]
            .iter_mut()
            .zip(&h[..some])
            .for_each(|(sum, h)| *sum += h);
        sums[2]
            .iter_mut()
            .zip(&l[..some])
            .for_each(|(sum, l)| *sum += l.abs());
    }
    sums.map(in_order)
}

fn in_order(lanes: [f64; LANES]) -> f64 {
    lanes.iter().fold(0.0, |sum, lane| sum + lane)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn pairs_256<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    taken: [&mut [f64]; 2],
) -> [f64; 3] {
    pairs::<BY_SIGN, WEIGHTED, NEAR>(a, b, taken)
}

/// `pairs`, operation by operation; the compiler by itself shuffles lanes about.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn pairs_512<const BY_SIGN: bool, const WEIGHTED: bool, const NEAR: bool>(
    a: Upper,
    b: Lower,
    [lambda, hessian]: [&mut [f64]; 2],
) -> [f64; 3] {
    use std::arch::x86_64::*;
    let n = lambda.len();
    let fits = [b.below, b.value, b.weight, b.worth, b.e, hessian]
        .iter()
        .all(|x| x.len() == n);
    assert!(fits, "a row's numbers are as many as its documents");
    let all = |x: f64| _mm512_set1_pd(x);
    let (value_a, weight_a, worth_a) = (all(a.value), all(a.weight), all(a.worth));
    let (e_a, near, below_a) = (all(a.e), all(a.near), all(a.below));
    let (zero, one) = (_mm512_setzero_pd(), all(1.0));
    let mut sums = [zero; 3];
    for first in (0..n).step_by(LANES) {
        let some: __mmask8 = if n - first < LANES {
            (1 << (n - first)) - 1
        } else {
            !0
        };
        // SAFETY: only lanes of documents first..n are read, and every array has n
        let of = |x: &[f64]| unsafe { _mm512_maskz_loadu_pd(some, x.as_ptr().add(first)) };
        let better = _mm512_sub_pd(value_a, of(b.value));
        let size = if BY_SIGN {
            _mm512_maskz_mov_pd(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(better, zero), one)
        } else {
            _mm512_abs_pd(better)
        };
        let swapped = _mm512_abs_pd(_mm512_sub_pd(worth_a, of(b.worth)));
        let mut delta = _mm512_mul_pd(size, swapped);
        if WEIGHTED {
            delta = _mm512_mul_pd(delta, _mm512_mul_pd(weight_a, of(b.weight)));
        }
        let e = _mm512_mul_pd(of(b.e), e_a);
        let one_more = _mm512_add_pd(one, e);
        let mut under = _mm512_mul_pd(one_more, one_more);
        if NEAR {
            let apart = _mm512_sub_pd(of(b.below), below_a);
            under = _mm512_mul_pd(under, _mm512_add_pd(near, apart));
        }
        let share = _mm512_maskz_div_pd(some, delta, under);
        let rises = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(better, zero);
        let rho = _mm512_mask_blend_pd(rises, all(-1.0), e);
        let l = _mm512_mul_pd(share, _mm512_mul_pd(rho, one_more));
        let h = _mm512_mul_pd(share, e);
        let (lower_l, lower_h) = (_mm512_sub_pd(of(lambda), l), _mm512_add_pd(of(hessian), h));
        // SAFETY: as above
        unsafe {
            _mm512_mask_storeu_pd(lambda.as_mut_ptr().add(first), some, lower_l);
            _mm512_mask_storeu_pd(hessian.as_mut_ptr().add(first), some, lower_h);
        }
        sums = [
            _mm512_add_pd(sums[0], l),
            _mm512_add_pd(sums[1], h),
            _mm512_add_pd(sums[2], _mm512_abs_pd(l)),
        ];
    }
    sums.map(|sum| {
        let mut lanes = [0.0; LANES];
        // SAFETY: there is room for eight
        unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), sum) };
        in_order(lanes)
    })
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    type Pairs = fn(Upper, Lower, [&mut [f64]; 2]) -> [f64; 3];

    fn bits_of(pairs: Pairs, numbers: &[Vec<f64>], near: f64) -> Vec<u64> {
        let upper = Upper {
            below: 0.5,
            value: 1.0,
            weight: 0.7,
            worth: 0.9,
            e: 1.6,
            near,
        };
        let lower = Lower {
            below: &numbers[0],
            value: &numbers[1],
            weight: &numbers[2],
            worth: &numbers[3],
            e: &numbers[4],
        };
        let (mut lambda, mut hessian) = (numbers[5].clone(), numbers[2].clone());
        let sums = pairs(upper, lower, [&mut lambda, &mut hessian]);
        lambda
            .iter()
            .chain(&hessian)
            .chain(&sums)
            .map(|x| x.to_bits())
            .collect()
    }

    #[test]
    fn every_vector_unit_has_the_same_bits() {
        if !std::arch::is_x86_feature_detected!("avx512f") {
            return;
        }
        let mut seed = 7u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        for n in 1..40 {
            let mut numbers: Vec<Vec<f64>> =
                (0..6).map(|_| (0..n).map(|_| random()).collect()).collect();
            numbers[0].iter_mut().for_each(|below| *below += 0.5);
            numbers[1]
                .iter_mut()
                .for_each(|value| *value = (*value * 3.0).floor());
            let of = |plain: Pairs, wide: Pairs, near: f64| {
                assert_eq!(
                    bits_of(plain, &numbers, near),
                    bits_of(wide, &numbers, near),
                    "{n}"
                );
            };
            // SAFETY: the processor has it
            of(
                pairs::<false, true, true>,
                |a, b, t| unsafe { pairs_512::<false, true, true>(a, b, t) },
                0.01,
            );
            of(
                pairs::<true, false, false>,
                |a, b, t| unsafe { pairs_512::<true, false, false>(a, b, t) },
                0.0,
            );
        }
    }
}
