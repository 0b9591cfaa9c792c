//! Sums that do not depend on order: numbers are rounded to multiples of 2^−bits and added as integers.

use crate::parallel::with_threads;
use rayon::prelude::*;

/// Adding it to a number of magnitude below 2^51 leaves the number, rounded to nearest even, in the low mantissa
/// bits: a conversion to integers that every vector unit has.
const MAGIC: f64 = 6755399441055744.0; // 1.5 · 2^52

/// Σ_i round(table[r, i] · weights[i] · 2^bits) for every row r of `table`; products must be at most 1 in magnitude
/// and `bits` at most 50.
pub fn fixed_dots(table: &[f64], weights: &[f64], bits: u32, n_threads: usize) -> Vec<i64> {
    let scale = f64::powi(2.0, bits as i32);
    let row = |r: &[f64]| {
        r.iter().zip(weights).fold(0i64, |sum, (&t, &w)| {
            let rounded = (t * w * scale + MAGIC).to_bits() as i64;
            sum.wrapping_add(rounded - MAGIC.to_bits() as i64)
        })
    };
    if weights.is_empty() {
        return Vec::new();
    }
    if table.len() < 1 << 16 {
        return table.chunks(weights.len()).map(row).collect();
    }
    with_threads(n_threads, || {
        table.par_chunks(weights.len()).map(row).collect()
    })
}
