//! Weighted sums of columns: sixteen partial sums a row, one for each of sixteen neighbouring columns.
//!
//! Vectors take a row as it lies in memory, so that a sum costs what reading the row does; and whatever their width,
//! the sixteen partial sums are the same, and are added in the same order. Rows are taken one at a time: several
//! together read memory in several places, which processors do not foresee (a third of the speed, November 2026).

mod totals;

use crate::parallel::with_threads;
use crate::vectors::{Aligned, Width};
use rayon::prelude::*;
use totals::{Plain, Totals};

/// Partial sums of a row: sum j is of columns j, j + 16, j + 32, ....
pub const LANES: usize = 16;
/// Rows after which missing values are no longer expected, if there were some.
const BLOCK: usize = 64;
/// Rows that a thread takes at a time.
const RUN: usize = 1024;

/// What is added: a weight per column, those of 0 leaving their column out; NaN counts `missing`.
pub struct Terms {
    weights: Vec<(usize, Aligned<[f64; LANES]>)>, // by groups of sixteen columns: the first, and their weights
    missing: f64,
}

impl Terms {
    pub fn new(weights: &[f64], missing: f64) -> Terms {
        let groups = weights.chunks(LANES).enumerate();
        let used = groups.filter(|(_, group)| group.iter().any(|&w| w != 0.0));
        let padded = used.map(|(g, group)| {
            let mut lanes = Aligned([0.0; LANES]);
            lanes[..group.len()].copy_from_slice(group);
            (g * LANES, lanes)
        });
        Terms {
            weights: padded.collect(),
            missing,
        }
    }
}

/// sums += Σ_k weight_k x_k.
pub fn add_columns(
    sums: &mut [f64],
    x: &[f32],
    n_columns: usize,
    terms: &Terms,
    width: Width,
    n_threads: usize,
) {
    if n_columns == 0 {
        return;
    }
    let add = |(x, sums): (&[f32], &mut [f64])| match width {
        Width::Plain => add_rows::<Plain>(sums, x, n_columns, terms),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `widest` gives these only where the processor has them.
        Width::Bits256 => unsafe { totals::x86::add_256(sums, x, n_columns, terms) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Width::Bits512 => unsafe { totals::x86::add_512(sums, x, n_columns, terms) },
    };
    if n_threads <= 1 || sums.len() < 2 * RUN {
        return add((x, sums));
    }
    with_threads(n_threads, || {
        x.par_chunks(RUN * n_columns)
            .zip(sums.par_chunks_mut(RUN))
            .for_each(add)
    });
}

/// Rows are read in whole groups of columns. What stands behind a row's end is the next row's, and weighs nothing;
/// the last rows are copied to where something stands behind them.
#[inline(always)]
fn add_rows<T: Totals>(sums: &mut [f64], x: &[f32], n_columns: usize, terms: &Terms) {
    let behind = n_columns.next_multiple_of(LANES) - n_columns;
    let apart = behind.div_ceil(n_columns).min(sums.len());
    let (sums, last_sums) = sums.split_at_mut(sums.len() - apart);
    let mut last = x[sums.len() * n_columns..].to_vec();
    last.resize(last.len() + behind, 0.0);
    for (sums, x) in [(sums, x), (last_sums, last.as_slice())] {
        for (i, sums) in sums.chunks_mut(BLOCK).enumerate() {
            add_block::<T>(sums, &x[i * BLOCK * n_columns..], n_columns, terms);
        }
    }
}

/// First without a thought of missing values. A sum that is NaN had one, or an infinity in a column that is left out:
/// it is taken again with care, and so are those of the rows that follow in the block.
#[inline(always)]
fn add_block<T: Totals>(sums: &mut [f64], x: &[f32], n_columns: usize, terms: &Terms) {
    let mut careful = false;
    for (i, sum) in sums.iter_mut().enumerate() {
        let row = &x[i * n_columns..];
        let mut total = f64::NAN;
        if !careful {
            total = T::total::<false>(row, terms);
            careful = total.is_nan();
        }
        if careful {
            total = T::total::<true>(row, terms);
        }
        *sum += total;
    }
}
