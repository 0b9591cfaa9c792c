//! Decimal text to float32, correctly rounded.
//!
//! Eight bytes are read as one word: the first byte that is no digit shows as the lowest set bit of a mask, the digits
//! before it are shifted into place and summed in three multiplications (no loop, no branch on the length).
//! Up to 15 digits make an exact f64; times the nearest f64 to a power of ten it is at most two units in the last place
//! from the number written. Rounding that to f32 is wrong only if a value halfway between two f32 lies as near, so those
//! few go to the exact parser, as does everything unusual.

const ZEROS: u64 = 0x3030_3030_3030_3030;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The nearest f64 to each power of ten.
const TENTHS: [f64; 16] = [
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14,
    1e-15,
];

/// `mantissa / 10^places` and whether rounding it to f32 is safe; `mantissa < 10^15`.
#[inline(always)]
pub fn scaled(mantissa: u64, places: usize) -> (f64, bool) {
    let value = mantissa as i64 as f64 * TENTHS[places & 15];
    // The 29 bits that f32 has not, and their middle, give or take four units.
    let beyond = value.to_bits() & 0x1FFF_FFFF;
    (value, beyond.wrapping_sub(0x0FFF_FFFC) > 8)
}

/// What a common feature says: id, value, and the length of its token; length 0 for any other text.
#[derive(Clone, Copy)]
pub struct Feature(u64, pub usize);

impl Feature {
    pub const UNCOMMON: Self = Self(0, 0);

    #[inline(always)]
    pub fn new(id: u64, value: f32, length: usize) -> Self {
        Self(id << 32 | u64::from(value.to_bits()), length)
    }

    #[inline(always)]
    pub fn id(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    pub fn value(self) -> f32 {
        f32::from_bits(self.0 as u32)
    }
}
const TENS: [u64; 9] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// Eight bytes from `at`, zeros past the end.
#[inline(always)]
pub fn word(text: &[u8], at: usize) -> u64 {
    match text.get(at..at + 8) {
        Some(bytes) => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
        None => last_word(text, at),
    }
}

#[cold]
fn last_word(text: &[u8], at: usize) -> u64 {
    let mut bytes = [0u8; 8];
    let rest = text.get(at..).unwrap_or_default();
    bytes[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(bytes)
}

/// How many of the eight bytes are digits before the first that is not.
#[inline(always)]
pub fn digits(word: u64) -> usize {
    let from_zero = word ^ ZEROS;
    // A digit is 0..=9 here, and adding 0x76 leaves its high bit clear; carries only reach bytes after a non-digit.
    let others = (from_zero.wrapping_add(0x7676_7676_7676_7676) | from_zero) & HIGH;
    (others.trailing_zeros() / 8) as usize
}

/// The number written by the first `n` bytes, all digits, `n <= 8`; 0 for none.
#[inline(always)]
pub fn value_of(word: u64, n: usize) -> u64 {
    if n == 0 {
        return 0;
    }
    let t = (word ^ ZEROS) << (64 - 8 * n);
    let pairs = (t.wrapping_mul(2561) >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(6_553_601) >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(42_949_672_960_001) >> 32
}

/// Bytes that end a token; the end of the text does too.
#[inline(always)]
pub fn ends_token(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'#')
}

/// Where the token that begins at `at` ends.
pub fn token_end(text: &[u8], at: usize) -> usize {
    let length = text[at..].iter().position(|&b| ends_token(b));
    length.map_or(text.len(), |n| at + n)
}

/// Marks (high bits) the bytes below `$`: blanks, line ends, `#`, and some that are in no number.
#[inline(always)]
fn ends(word: u64) -> u64 {
    word.wrapping_sub(0x2424_2424_2424_2424) & !word & HIGH
}

/// The common feature, `12:-3.0625` followed by what ends a token, within 16 bytes. Any other text, right or wrong, is
/// uncommon. Only the length is waited for by the next token; nothing branches on what digits say.
#[inline(always)]
pub fn feature_at(text: &[u8], at: usize) -> Feature {
    let window: Option<&[u8; 32]> = text.get(at..at + 32).and_then(|w| w.try_into().ok());
    let Some(window) = window else {
        return Feature::UNCOMMON;
    };
    let from = |k: usize| u64::from_le_bytes(window[k..k + 8].try_into().unwrap_or_default());
    let head = from(0);
    let stops = u128::from(ends(head)) | u128::from(ends(from(8))) << 64;
    let length = (stops.trailing_zeros() / 8) as usize;
    let n = digits(head);
    if length >= 16 || n.wrapping_sub(1) >= 6 || (head >> (8 * n)) as u8 != b':' {
        return Feature::UNCOMMON;
    }
    let signed = from(n + 1);
    let negative = usize::from(signed as u8 == b'-');
    let whole = signed >> (8 * negative);
    let w = digits(whole);
    let dotted = (whole >> ((8 * w) & 63)) as u8 == b'.';
    let rest = length.wrapping_sub(n + 1 + negative + w);
    let f = if dotted { rest.wrapping_sub(1) } else { 0 };
    let fraction = from((n + negative + w + 2) & 15);
    let complete = (rest == 0) | (dotted & (digits(fraction) == f));
    if w.wrapping_sub(1) >= 7 || f > 8 || !complete || !ends_token(window[length]) {
        return Feature::UNCOMMON;
    }
    let (value, safe) = scaled(value_of(whole, w) * TENS[f] + value_of(fraction, f), f);
    if !safe {
        return Feature::UNCOMMON;
    }
    let sign = (negative as u32) << 31;
    let value = f32::from_bits((value as f32).to_bits() ^ sign);
    Feature::new(value_of(head, n), value, length)
}

/// The number whose text begins at `at` and where its token ends; infinite when it does not fit a float32,
/// None when the token is no number. "nan" is a number here: a missing value.
#[inline(always)]
pub fn float_at(text: &[u8], at: usize) -> (Option<f32>, usize) {
    let negative = text.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let whole = word(text, start);
    let n = digits(whole);
    if n.wrapping_sub(1) >= 7 {
        return uncommon(text, at);
    }
    let mut mantissa = value_of(whole, n);
    let mut end = start + n;
    let mut places = 0;
    if (whole >> (8 * n)) as u8 == b'.' {
        let fraction = word(text, end + 1);
        places = digits(fraction);
        mantissa = mantissa * TENS[places] + value_of(fraction, places);
        end += 1 + places;
    }
    let (value, safe) = scaled(mantissa, places);
    if !safe {
        return uncommon(text, at);
    }
    match text.get(end) {
        Some(&byte) if !ends_token(byte) => uncommon(text, at),
        _ => (
            Some(if negative { -value } else { value } as f32),
            end.min(text.len()),
        ),
    }
}

#[cold]
#[inline(never)]
fn uncommon(text: &[u8], at: usize) -> (Option<f32>, usize) {
    let end = token_end(text, at);
    let token = std::str::from_utf8(&text[at..end]).ok();
    let value = token.and_then(|t| t.parse::<f32>().ok());
    (value.map(|v| if v.is_nan() { f32::NAN } else { v }), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<u32> {
        float_at(text.as_bytes(), 0).0.map(f32::to_bits)
    }

    #[test]
    fn every_form_rounds_as_the_exact_parser_does() {
        for text in [
            "0",
            "-0",
            "7",
            "0.5",
            "12.950828",
            "-12.950828",
            "37.33056511",
            "1.00000006",
            "16777217",
            "1.",
            ".5",
            "+3",
            "1e-5",
            "8388608.5",
            "8388609.5",
            "0.000000059604645",
            "1234567.12345678",
            "999999.99999999",
        ] {
            let exact = text.parse::<f32>().ok().map(f32::to_bits);
            assert_eq!(parsed(text), exact, "{text}");
            assert_eq!(parsed(&format!("{text} 2:1")), exact, "{text}");
        }
    }

    #[test]
    fn rounding_twice_is_not_rounding_once() {
        // 1 + 2^-24 is halfway between two float32 values; a little more must round up, though its f64 is halfway.
        let text = "1.000000059604644775390626";
        assert_eq!(text.parse::<f64>().map(|v| v as f32), Ok(1.0));
        assert_eq!(float_at(text.as_bytes(), 0).0, Some(1.000_000_1));
    }

    #[test]
    fn what_is_no_number() {
        for text in [
            "", "-", ".", "e5", "1e", "1:2", "0x1p3", "1_0", "--1", "\0", "1.2.3",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
