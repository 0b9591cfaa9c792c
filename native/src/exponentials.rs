//! exp of many numbers at once, without branches or calls, so that every vector unit can do several together.

/// Adding it to a number of magnitude below 2^51 leaves the nearest whole number in the low mantissa bits.
const MAGIC: f64 = 6755399441055744.0; // 1.5 · 2^52
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Beyond these exp leaves the normal floating-point numbers; it stops at their ends instead.
const LOWEST: f64 = -708.0;
const HIGHEST: f64 = 709.0;
/// 1/n! for n = 0..=13: |r| ≤ ½ ln 2, so that the next term is below 2^-52.
const TERMS: [f64; 14] = [
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362880.0,
    1.0 / 3628800.0,
    1.0 / 39916800.0,
    1.0 / 479001600.0,
    1.0 / 6227020800.0,
];

/// Each x becomes exp(x) = 2^k exp(r), x = k ln 2 + r; from −708 to 709, where it stays.
#[inline(always)] // into what is compiled for this processor
pub fn exp_all(numbers: &mut [f64]) {
    for x in numbers {
        let bounded = x.clamp(LOWEST, HIGHEST);
        let rounded = bounded * std::f64::consts::LOG2_E + MAGIC;
        let k = rounded - MAGIC;
        let r = (bounded - k * LN_2_HIGH) - k * LN_2_LOW;
        let series = TERMS.iter().rev().fold(0.0, |sum, term| sum * r + term);
        let exponent = rounded
            .to_bits()
            .wrapping_sub(MAGIC.to_bits())
            .wrapping_add(1023);
        *x = series * f64::from_bits(exponent << 52);
    }
}
