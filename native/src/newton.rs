//! A step of Newton's method for rounded hinges of pairs, see `separation::smoothed`; of how the gradient turns, a
//! sample of the pairs says enough.

use crate::plane_weights::solved;

/// Pairs in reach that are enough, per feature.
const ENOUGH: usize = 64;

/// Differences of features, better less worse, in random order.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    pub differences: &'a [f32],
    /// what each pair counts for
    pub shares: &'a [f64],
}

/// The step x of (I + C H) x = gradient, where H = slope²/(2 width) times the mean of d dᵀ over the pairs whose margin
/// is within `width` of 1, and 0 of the others.
pub fn newton_step(
    sample: Sample,
    w: &[f64],
    (slope, width): (f64, f64),
    capacity: f64,
    gradient: &[f64],
) -> Vec<f64> {
    let k = w.len();
    let mut h = vec![0f64; k * k];
    let (mut looked_at, mut n_used) = (0.0, 0);
    let rows = sample.differences.chunks_exact(k.max(1));
    for (d, &share) in rows.zip(sample.shares) {
        looked_at += share;
        let margin: f64 = d.iter().zip(w).map(|(&d, w)| d as f64 * w).sum();
        if (1.0 - slope * margin).abs() >= width {
            continue;
        }
        for (i, row) in h.chunks_exact_mut(k).enumerate() {
            let factor = share * d[i] as f64;
            let row = &mut row[..=i];
            row.iter_mut()
                .zip(d)
                .for_each(|(h, &d)| *h += factor * d as f64);
        }
        n_used += 1;
        if n_used == ENOUGH * k {
            break;
        }
    }
    let per_pair = if looked_at > 0.0 {
        capacity * slope * slope / (2.0 * width * looked_at)
    } else {
        0.0
    };
    let all: Vec<usize> = (0..k).collect();
    let entry = |i: usize, j: usize| per_pair * h[i * k + j] + if i == j { 1.0 } else { 0.0 };
    solved(&all, entry, |i| gradient[i], 0.0)
}
