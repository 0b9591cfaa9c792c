//! `number::feature_at` with 16-byte instructions, where the processor has them; the results are the same.
//!
//! One load shows, as bit masks, which bytes are digits, dots and ends of the token. A table of shuffles, by the number's
//! length and the place of its dot, moves its digits to the right end of a register, without the dot:
//!
//! ```text
//! 1 2 . 9 5 0 8 2 8 _ 1 3 7 : 0 .   →   0 0 0 0 0 0 0 0 1 2 9 5 0 8 2 8
//! ```
//!
//! and three multiply-adds sum them in pairs, fours and eights.

use super::number::{ends_token, scaled, value_of, Feature};
use std::arch::x86_64::*;

/// Whether `feature_at` may be called here.
pub fn available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

#[repr(align(16))]
struct Shuffle([u8; 16]);

/// By length and place of the dot (the length itself: no dot), where each digit comes from; 0x80 gives 0.
static SHUFFLES: [[Shuffle; 16]; 16] = shuffles();

const fn shuffles() -> [[Shuffle; 16]; 16] {
    const NOTHING: Shuffle = Shuffle([0x80; 16]);
    const ROW: [Shuffle; 16] = [NOTHING; 16];
    let mut all = [ROW; 16];
    let mut length = 0;
    while length < 16 {
        let mut dot = 0;
        while dot <= length {
            let mut from = length;
            let mut to = 16;
            while from > 0 {
                from -= 1;
                if from != dot {
                    to -= 1;
                    all[length][dot].0[to] = from as u8;
                }
            }
            dot += 1;
        }
        length += 1;
    }
    all
}

/// See `number::feature_at`. Inlined, it takes on the instructions of its caller.
///
/// # Safety
/// `available()` must be true, and the caller compiled for what it checks.
#[inline(always)]
pub unsafe fn feature_at(text: &[u8], at: usize) -> Feature {
    let window: Option<&[u8; 32]> = text.get(at..at + 32).and_then(|w| w.try_into().ok());
    let Some(window) = window else {
        return Feature::UNCOMMON;
    };
    let bytes = _mm_loadu_si128(window.as_ptr().cast());
    let from_zero = _mm_sub_epi8(bytes, _mm_set1_epi8(b'0' as i8));
    let is_digit = _mm_cmpeq_epi8(_mm_min_epu8(from_zero, _mm_set1_epi8(9)), from_zero);
    let others = !(_mm_movemask_epi8(is_digit) as u32);
    let is_stop = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(b'#' as i8)), bytes);
    let length = (_mm_movemask_epi8(is_stop) as u32 | 1 << 16).trailing_zeros() as usize;
    let dots = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'.' as i8))) as u32;

    let n = (others & 0xFF).trailing_zeros() as usize;
    if length >= 16 || n.wrapping_sub(1) >= 6 || window[n] != b':' {
        return Feature::UNCOMMON;
    }
    let head = _mm_cvtsi128_si64(bytes) as u64;
    let negative = usize::from(window[n + 1] == b'-');
    let start = n + 1 + negative;
    let end = window[length];
    if length <= start || (end != b' ' && !ends_token(end)) {
        return Feature::UNCOMMON;
    }
    let size = length - start;
    let inside = (1u32 << size) - 1;
    let odd = (others >> start) & inside;
    let dot = (odd | 1 << size).trailing_zeros() as usize;
    let fraction = size - dot - usize::from(odd != 0);
    if odd != (dots >> start) & inside || odd & odd.wrapping_sub(1) != 0 || dot + fraction == 0 {
        return Feature::UNCOMMON;
    }
    // `start` is at most 8: the load stays inside the window.
    let number = _mm_loadu_si128(window.as_ptr().add(start).cast());
    let from_zero = _mm_sub_epi8(number, _mm_set1_epi8(b'0' as i8));
    let shuffle = _mm_load_si128(SHUFFLES[size & 15][dot & 15].0.as_ptr().cast());
    let placed = _mm_shuffle_epi8(from_zero, shuffle);
    let pairs = _mm_maddubs_epi16(placed, _mm_set1_epi16(0x010A));
    let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x0001_0064));
    let packed = _mm_packus_epi32(fours, fours);
    let eights = _mm_cvtsi128_si64(_mm_madd_epi16(packed, _mm_set1_epi32(0x0001_2710))) as u64;
    let mantissa = (eights & 0xFFFF_FFFF) * 100_000_000 + (eights >> 32);
    let (value, safe) = scaled(mantissa, fraction);
    if !safe {
        return Feature::UNCOMMON;
    }
    let sign = (negative as u32) << 31;
    let value = f32::from_bits((value as f32).to_bits() ^ sign);
    Feature::new(value_of(head, n), value, length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letor::number;

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    unsafe fn wide_feature_at(text: &[u8]) -> Feature {
        feature_at(text, 0)
    }

    #[test]
    fn equals_the_portable_one() {
        if !available() {
            return;
        }
        let mut seed = 7u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let letters = b"0123456789012345678901234567890123456789..--::e+  \t\n#!";
        let mut read = 0;
        for _ in 0..300_000 {
            let mut text = [b' '; 48];
            let id = next(1000).to_string();
            text[..id.len()].copy_from_slice(id.as_bytes());
            text[id.len()] = b':';
            for byte in &mut text[id.len() + 1..id.len() + 2 + next(12)] {
                *byte = letters[next(letters.len())];
            }
            // SAFETY: available() holds.
            let wide = unsafe { wide_feature_at(&text) };
            let end = number::token_end(&text, id.len() + 1);
            let exact = std::str::from_utf8(&text[id.len() + 1..end]);
            let value = exact.ok().and_then(|token| token.parse::<f32>().ok());
            read += usize::from(wide.1 > 0);
            for common in [wide, number::feature_at(&text, 0)] {
                if common.1 > 0 {
                    assert_eq!(
                        (common.id().to_string(), common.1),
                        (id.clone(), end),
                        "{text:?}"
                    );
                    let bits = value.map(f32::to_bits);
                    assert_eq!(Some(common.value().to_bits()), bits, "{text:?}");
                }
            }
        }
        assert!(read > 50_000, "{read}");
    }
}
