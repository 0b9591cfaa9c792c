//! The same arithmetic on vectors of 512, 256 and fewer bits, chosen when it runs. Codes are whole numbers and sums
//! are taken row by row in the order of the trees, so that the results are the same bits.

use super::blend::{self, Numbers, Scratch};
use super::columns::{missing_code, Column, Values};
use super::{is_missing, Plan, Span, BLOCK};
use crate::vectors::Width;

/// What depends on the width.
pub trait Vectors {
    /// Numbers of one side where the code is at most `limit`, of the other where it is above.
    #[inline(always)]
    fn blend(numbers: &mut Numbers, into: usize, codes: &Column, limit: u8, sides: [usize; 2]) {
        let [left, right] = sides.map(|side| numbers[side]);
        for (i, out) in numbers[into].iter_mut().enumerate() {
            let keep = u8::from(codes[i] <= limit).wrapping_neg();
            *out = (left[i] & keep) | (right[i] & !keep);
        }
    }

    /// The number of the table's thresholds below each value, into each of the columns that follow their rules.
    #[inline(always)]
    fn places(table: &[f32], values: &Values, columns: &mut [Column], rules: &[[i32; 2]]) {
        let mut codes = [0u8; BLOCK];
        for (code, &x) in codes.iter_mut().zip(values) {
            *code = place(table, x);
        }
        write(&codes, values, columns, rules);
    }

    /// Adds each row's leaf's value to its sum.
    #[inline(always)]
    fn add_values(sums: &mut [f64; BLOCK], leaves: &Column, values: &[f64], single: bool) {
        let last = values.len() - 1;
        for (sum, &leaf) in sums.iter_mut().zip(leaves.iter()) {
            *sum += values[leaf as usize & last];
        }
        if single {
            round(sums);
        }
    }
}

#[inline(always)]
fn place(table: &[f32], x: f32) -> u8 {
    let (mut at, last) = (1, table.len() - 1);
    for _ in 0..table.len().trailing_zeros() {
        at = 2 * at + usize::from(x > table[at & last]);
    }
    (at & last) as u8
}

/// The codes, and where values are missing theirs.
#[inline(always)]
fn write(codes: &[u8; BLOCK], values: &Values, columns: &mut [Column], rules: &[[i32; 2]]) {
    for (column, &[_, rule]) in columns.iter_mut().zip(rules) {
        let missing = missing_code(rule as u8);
        for i in 0..BLOCK {
            column[i] = if is_missing(values[i], rule as u8) {
                missing
            } else {
                codes[i]
            };
        }
    }
}

#[inline(always)]
fn round(sums: &mut [f64; BLOCK]) {
    for sum in sums {
        *sum = *sum as f32 as f64;
    }
}

struct Plain;
impl Vectors for Plain {}

/// Adds trees to the sums of at most BLOCK rows.
pub fn add_block(
    width: Width,
    scratch: &mut Scratch,
    x: &[f32],
    n_columns: usize,
    sums: &mut [f64],
    plan: &Plan<'_>,
    span: Span,
) {
    match width {
        Width::Plain => blend::add_block::<Plain>(scratch, x, n_columns, sums, plan, span),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `widest` gives these only where the processor has them.
        Width::Bits256 => unsafe { x86::add_256(scratch, x, n_columns, sums, plan, span) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Width::Bits512 => unsafe { x86::add_512(scratch, x, n_columns, sums, plan, span) },
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::{LEFT, ZERO};
    use super::*;
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub unsafe fn add_256(
        scratch: &mut Scratch,
        x: &[f32],
        n_columns: usize,
        sums: &mut [f64],
        plan: &Plan<'_>,
        span: Span,
    ) {
        blend::add_block::<Avx2>(scratch, x, n_columns, sums, plan, span);
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub unsafe fn add_512(
        scratch: &mut Scratch,
        x: &[f32],
        n_columns: usize,
        sums: &mut [f64],
        plan: &Plan<'_>,
        span: Span,
    ) {
        blend::add_block::<Avx512>(scratch, x, n_columns, sums, plan, span);
    }

    struct Avx2;

    impl Vectors for Avx2 {
        #[inline(always)]
        fn blend(numbers: &mut Numbers, into: usize, codes: &Column, limit: u8, sides: [usize; 2]) {
            // SAFETY: columns are BLOCK bytes, a multiple of 32.
            unsafe {
                let limit = _mm256_set1_epi8(limit as i8);
                let [left, right] = sides.map(|side| numbers[side].as_ptr());
                let out = numbers[into].as_mut_ptr();
                for i in (0..BLOCK).step_by(32) {
                    let code = _mm256_loadu_si256(codes.as_ptr().add(i).cast());
                    let at_most = _mm256_cmpeq_epi8(_mm256_min_epu8(code, limit), code);
                    let l = _mm256_loadu_si256(left.add(i).cast());
                    let r = _mm256_loadu_si256(right.add(i).cast());
                    _mm256_storeu_si256(out.add(i).cast(), _mm256_blendv_epi8(r, l, at_most));
                }
            }
        }

        #[inline(always)]
        fn places(table: &[f32], values: &Values, columns: &mut [Column], rules: &[[i32; 2]]) {
            let mut places = [0i32; BLOCK];
            let levels = table.len().trailing_zeros();
            // SAFETY: `at` doubles `levels` times from 1, so that what is read is inside the table of 2^levels.
            unsafe {
                for i in (0..BLOCK).step_by(8) {
                    let x = _mm256_loadu_ps(values.as_ptr().add(i));
                    let mut at = _mm256_set1_epi32(1);
                    for _ in 0..levels {
                        let t = _mm256_i32gather_ps::<4>(table.as_ptr(), at);
                        let above = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(x, t));
                        at = _mm256_sub_epi32(_mm256_add_epi32(at, at), above);
                    }
                    _mm256_storeu_si256(places.as_mut_ptr().add(i).cast(), at);
                }
            }
            let last = table.len() - 1;
            let mut codes = [0u8; BLOCK];
            for (code, place) in codes.iter_mut().zip(places) {
                *code = (place as usize & last) as u8;
            }
            write(&codes, values, columns, rules);
        }
    }

    struct Avx512;

    impl Vectors for Avx512 {
        #[inline(always)]
        fn blend(numbers: &mut Numbers, into: usize, codes: &Column, limit: u8, sides: [usize; 2]) {
            // SAFETY: columns are BLOCK bytes, a multiple of 64.
            unsafe {
                let limit = _mm512_set1_epi8(limit as i8);
                let [left, right] = sides.map(|side| numbers[side].as_ptr());
                let out = numbers[into].as_mut_ptr();
                for i in (0..BLOCK).step_by(64) {
                    let code = _mm512_loadu_si512(codes.as_ptr().add(i).cast());
                    let above = _mm512_cmpgt_epu8_mask(code, limit);
                    let l = _mm512_loadu_si512(left.add(i).cast());
                    let r = _mm512_loadu_si512(right.add(i).cast());
                    _mm512_storeu_si512(out.add(i).cast(), _mm512_mask_blend_epi8(above, l, r));
                }
            }
        }

        #[inline(always)]
        fn places(table: &[f32], values: &Values, columns: &mut [Column], rules: &[[i32; 2]]) {
            // SAFETY: the searches read whole registers of a table that has as many entries.
            unsafe {
                match table.len() {
                    256 => search::<16>(table, values, columns, rules, 8),
                    128 => search::<8>(table, values, columns, rules, 7),
                    64 => search::<4>(table, values, columns, rules, 6),
                    32 => search::<2>(table, values, columns, rules, 5),
                    n => {
                        let mut padded = [f32::INFINITY; 16];
                        padded[..n].copy_from_slice(table);
                        search::<1>(&padded, values, columns, rules, n.trailing_zeros())
                    }
                }
            }
        }

        #[inline(always)]
        fn add_values(sums: &mut [f64; BLOCK], leaves: &Column, values: &[f64], single: bool) {
            // SAFETY: a table of values has as many as its length says, and sums and leaves are BLOCK long.
            unsafe {
                match values.len() {
                    16 => look_up::<2>(sums, leaves, values, single),
                    32 => look_up::<4>(sums, leaves, values, single),
                    64 => look_up::<8>(sums, leaves, values, single),
                    _ => Plain::add_values(sums, leaves, values, single),
                }
            }
        }
    }

    /// Places in a table of R registers, which stay in registers: a step down is a permutation of them.
    #[inline(always)]
    unsafe fn search<const R: usize>(
        table: &[f32],
        values: &Values,
        columns: &mut [Column],
        rules: &[[i32; 2]],
        levels: u32,
    ) {
        debug_assert!(table.len() == 16 * R);
        let mut r = [_mm512_setzero_ps(); R];
        for (k, register) in r.iter_mut().enumerate() {
            *register = _mm512_loadu_ps(table.as_ptr().add(16 * k));
        }
        let one = _mm512_set1_epi32(1);
        let last = _mm512_set1_epi32((1 << levels) - 1);
        for i in (0..BLOCK).step_by(16) {
            let x = _mm512_loadu_ps(values.as_ptr().add(i));
            let mut at = one;
            for level in 0..levels {
                let t = entry(&r, at, level);
                let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, t);
                at = _mm512_add_epi32(at, at);
                at = _mm512_mask_add_epi32(at, above, at, one);
            }
            at = _mm512_and_si512(at, last);
            let gap = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x, x);
            for (column, &[_, rule]) in columns.iter_mut().zip(rules) {
                let mut missing = gap;
                if rule as u8 & ZERO != 0 {
                    let tiny = _mm512_set1_ps(super::super::TINY);
                    missing |= _mm512_cmp_ps_mask::<_CMP_LE_OQ>(_mm512_abs_ps(x), tiny);
                }
                let code = if rule as u8 & LEFT != 0 { 0 } else { 255 };
                let codes = _mm512_mask_mov_epi32(at, missing, _mm512_set1_epi32(code));
                _mm_storeu_si128(
                    column.as_mut_ptr().add(i).cast(),
                    _mm512_cvtepi32_epi8(codes),
                );
            }
        }
    }

    /// The entries of a table at places of one level of it, `at` being in 2^level..2^(level + 1).
    #[inline(always)]
    unsafe fn entry<const R: usize>(r: &[__m512; R], at: __m512i, level: u32) -> __m512 {
        if level < 4 {
            return _mm512_permutexvar_ps(at, r[0]);
        }
        if level == 4 {
            return _mm512_permutexvar_ps(at, r[1 % R]);
        }
        let pair = |k: usize| _mm512_permutex2var_ps(r[2 * k % R], at, r[(2 * k + 1) % R]);
        if level == 5 {
            return pair(1);
        }
        let high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
        let two = |k: usize| _mm512_mask_blend_ps(high, pair(k), pair(k + 1));
        if level == 6 {
            return two(2);
        }
        let higher = _mm512_test_epi32_mask(at, _mm512_set1_epi32(64));
        _mm512_mask_blend_ps(higher, two(4), two(6))
    }

    /// Adds values of a table of R registers.
    #[inline(always)]
    unsafe fn look_up<const R: usize>(
        sums: &mut [f64; BLOCK],
        leaves: &Column,
        values: &[f64],
        single: bool,
    ) {
        debug_assert!(values.len() == 8 * R);
        let mut r = [_mm512_setzero_pd(); R];
        for (k, register) in r.iter_mut().enumerate() {
            *register = _mm512_loadu_pd(values.as_ptr().add(8 * k));
        }
        for i in (0..BLOCK).step_by(8) {
            let at = _mm512_cvtepu8_epi64(_mm_loadl_epi64(leaves.as_ptr().add(i).cast()));
            let pair = |k: usize| _mm512_permutex2var_pd(r[2 * k % R], at, r[(2 * k + 1) % R]);
            let mut found = pair(0);
            if R > 2 {
                let high = _mm512_test_epi64_mask(at, _mm512_set1_epi64(16));
                found = _mm512_mask_blend_pd(high, found, pair(1));
                if R > 4 {
                    let upper = _mm512_mask_blend_pd(high, pair(2), pair(3));
                    let higher = _mm512_test_epi64_mask(at, _mm512_set1_epi64(32));
                    found = _mm512_mask_blend_pd(higher, found, upper);
                }
            }
            let place = sums.as_mut_ptr().add(i);
            let mut sum = _mm512_add_pd(_mm512_loadu_pd(place), found);
            if single {
                sum = _mm512_cvtps_pd(_mm512_cvtpd_ps(sum));
            }
            _mm512_storeu_pd(place, sum);
        }
    }
}
