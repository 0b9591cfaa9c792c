//! From split to split: single rows, and trees of many leaves.

use super::{is_chosen, is_missing, Plan, Span, CATEGORIES, LEFT, ZERO};

const RULE: u32 = 24;
const FEATURE: u32 = (1 << RULE) - 1;
/// Rows or trees that are walked together, so that one waits for memory while others go on.
const TOGETHER: usize = 8;

/// The child that a row goes to from a split.
#[inline(always)]
fn step(split: &[i32; 4], row: &[f32], plan: &Plan<'_>) -> i32 {
    let feature = (split[0] as u32 & FEATURE) as usize;
    let rule = (split[0] as u32 >> RULE) as u8;
    let x = row[feature];
    let mut left = x <= f32::from_bits(split[1] as u32);
    if x.is_nan() {
        left = rule & LEFT != 0;
    } else if rule & (CATEGORIES | ZERO) != 0 {
        if rule & CATEGORIES != 0 {
            left = is_chosen(x, plan.chosen(split[1] as usize));
        }
        if is_missing(x, rule) {
            left = rule & LEFT != 0;
        }
    }
    split[if left { 2 } else { 3 }]
}

#[inline(always)]
fn add(sum: &mut f64, value: f64, single: bool) {
    *sum += value;
    if single {
        *sum = *sum as f32 as f64;
    }
}

/// Adds trees to the sum of one row.
pub fn add_row(sum: &mut f64, row: &[f32], plan: &Plan<'_>, span: Span) {
    let mut t = span.start;
    while t < span.stop {
        let n = TOGETHER.min(span.stop - t);
        let mut splits: [&[[i32; 4]]; TOGETHER] = [&[]; TOGETHER];
        let mut at = [!0; TOGETHER];
        for i in 0..n {
            splits[i] = &plan.splits[plan.splits_of(t + i)];
            at[i] = if splits[i].is_empty() { !0 } else { 0 };
        }
        let mut walking = true;
        while walking {
            walking = false;
            for (at, splits) in at.iter_mut().zip(splits) {
                if *at >= 0 {
                    *at = step(&splits[*at as usize], row, plan);
                    walking |= *at >= 0;
                }
            }
        }
        for (i, at) in at[..n].iter().enumerate() {
            add(sum, plan.values_of(t + i)[!at as usize], span.single);
        }
        t += n;
    }
}

/// Adds one tree to the sums of rows.
pub fn add_tree(
    sums: &mut [f64],
    x: &[f32],
    n_columns: usize,
    plan: &Plan<'_>,
    t: usize,
    single: bool,
) {
    let splits = &plan.splits[plan.splits_of(t)];
    let values = plan.values_of(t);
    let rows = x.chunks(TOGETHER * n_columns);
    for (rows, sums) in rows.zip(sums.chunks_mut(TOGETHER)) {
        let mut at = [if splits.is_empty() { !0 } else { 0 }; TOGETHER];
        let mut walking = !splits.is_empty();
        while walking {
            walking = false;
            for (at, row) in at.iter_mut().zip(rows.chunks_exact(n_columns)) {
                if *at >= 0 {
                    *at = step(&splits[*at as usize], row, plan);
                    walking |= *at >= 0;
                }
            }
        }
        for (sum, at) in sums.iter_mut().zip(at) {
            add(sum, values[!at as usize], single);
        }
    }
}
