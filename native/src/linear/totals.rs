//! The sum of one row, on vectors of 512, 256 and fewer bits.

use super::{Terms, LANES};

pub trait Totals {
    /// The sum of a row of whole groups of columns; unless `CAREFUL`, NaN counts as itself, and so does what weighs 0.
    #[inline(always)]
    fn total<const CAREFUL: bool>(row: &[f32], terms: &Terms) -> f64 {
        let mut lanes = [0f64; LANES];
        for (first, weights) in &terms.weights {
            let values = &row[*first..first + LANES];
            for ((lane, &value), &weight) in lanes.iter_mut().zip(values).zip(weights.iter()) {
                let mut value = value as f64;
                if CAREFUL {
                    value = if value.is_nan() { terms.missing } else { value };
                    value = if weight == 0.0 { 0.0 } else { value };
                }
                *lane += weight * value;
            }
        }
        let eight: [f64; 8] = std::array::from_fn(|j| lanes[j] + lanes[j + 8]);
        let four: [f64; 4] = std::array::from_fn(|j| eight[j] + eight[j + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    }
}

pub struct Plain;
impl Totals for Plain {}

#[cfg(target_arch = "x86_64")]
pub mod x86 {
    use super::super::{add_rows, Terms, LANES};
    use super::Totals;
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub unsafe fn add_256(sums: &mut [f64], x: &[f32], n_columns: usize, terms: &Terms) {
        add_rows::<Avx2>(sums, x, n_columns, terms);
    }

    #[target_feature(enable = "avx2,avx512f")]
    pub unsafe fn add_512(sums: &mut [f64], x: &[f32], n_columns: usize, terms: &Terms) {
        add_rows::<Avx512>(sums, x, n_columns, terms);
    }

    struct Avx2;

    impl Totals for Avx2 {
        #[inline(always)]
        fn total<const CAREFUL: bool>(row: &[f32], terms: &Terms) -> f64 {
            // SAFETY: used where the processor has these vectors; what is read is LANES long.
            unsafe {
                let mut lanes = [_mm256_setzero_pd(); 4];
                let missing = _mm256_set1_pd(terms.missing);
                for (first, weights) in &terms.weights {
                    let values = row[*first..first + LANES].as_ptr();
                    for (i, lane) in lanes.iter_mut().enumerate() {
                        let weight = _mm256_loadu_pd(weights.as_ptr().add(4 * i));
                        let mut x = _mm256_cvtps_pd(_mm_loadu_ps(values.add(4 * i)));
                        if CAREFUL {
                            let gap = _mm256_cmp_pd::<_CMP_UNORD_Q>(x, x);
                            x = _mm256_blendv_pd(x, missing, gap);
                            let zero = _mm256_setzero_pd();
                            x = _mm256_and_pd(x, _mm256_cmp_pd::<_CMP_NEQ_UQ>(weight, zero));
                        }
                        *lane = _mm256_add_pd(*lane, _mm256_mul_pd(weight, x));
                    }
                }
                let [a, b, c, d] = lanes;
                folded(_mm256_add_pd(_mm256_add_pd(a, c), _mm256_add_pd(b, d)))
            }
        }
    }

    struct Avx512;

    impl Totals for Avx512 {
        #[inline(always)]
        fn total<const CAREFUL: bool>(row: &[f32], terms: &Terms) -> f64 {
            // SAFETY: as above.
            unsafe {
                let mut lanes = [_mm512_setzero_pd(); 2];
                let missing = _mm512_set1_pd(terms.missing);
                for (first, weights) in &terms.weights {
                    let values = row[*first..first + LANES].as_ptr();
                    for (i, lane) in lanes.iter_mut().enumerate() {
                        let weight = _mm512_loadu_pd(weights.as_ptr().add(8 * i));
                        let mut x = _mm512_cvtps_pd(_mm256_loadu_ps(values.add(8 * i)));
                        if CAREFUL {
                            let gap = _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(x, x);
                            x = _mm512_mask_mov_pd(x, gap, missing);
                            let zero = _mm512_setzero_pd();
                            let counts = _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(weight, zero);
                            x = _mm512_maskz_mov_pd(counts, x);
                        }
                        *lane = _mm512_add_pd(*lane, _mm512_mul_pd(weight, x));
                    }
                }
                let eight = _mm512_add_pd(lanes[0], lanes[1]);
                let upper = _mm512_extractf64x4_pd::<1>(eight);
                folded(_mm256_add_pd(_mm512_castpd512_pd256(eight), upper))
            }
        }
    }

    /// Four partial sums as one.
    #[inline(always)]
    unsafe fn folded(four: __m256d) -> f64 {
        let upper = _mm256_extractf128_pd::<1>(four);
        let two = _mm_add_pd(_mm256_castpd256_pd128(four), upper);
        _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
    }
}
