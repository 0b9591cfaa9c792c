//! One block of rows through all trees.

use super::columns::{self, Column, Tile};
use super::widths::Vectors;
use super::{walk, Plan, Span, BLOCK, SMALL};
use crate::tiles::{self, Bring};
use crate::vectors::{Aligned, Width};

/// Numbers of leaves, row by row: first those of each leaf, which are constant, then those of each split.
pub type Numbers = [Column; 2 * SMALL];

/// What a thread needs beside the rows.
pub struct Scratch {
    columns: Vec<Column>,
    numbers: Box<Numbers>,
    tile: Box<Aligned<Tile>>,
    bring: Bring<BLOCK>,
}

impl Scratch {
    pub fn new(plan: &Plan<'_>, width: Width) -> Scratch {
        let mut numbers = Box::new([Aligned([0; BLOCK]); 2 * SMALL]);
        for (leaf, column) in numbers.iter_mut().take(SMALL).enumerate() {
            *column = Aligned([leaf as u8; BLOCK]);
        }
        Scratch {
            columns: vec![Aligned([0; BLOCK]); plan.columns.len()],
            numbers,
            tile: Box::new(Aligned([[0.0; BLOCK]; tiles::TILE])),
            bring: tiles::for_width(width),
        }
    }
}

/// Adds trees to the sums of at most BLOCK rows.
#[inline(always)]
pub fn add_block<V: Vectors>(
    scratch: &mut Scratch,
    x: &[f32],
    n_columns: usize,
    sums: &mut [f64],
    plan: &Plan<'_>,
    span: Span,
) {
    columns::fill::<V>(
        &mut scratch.columns,
        &mut scratch.tile,
        x,
        n_columns,
        plan,
        scratch.bring,
    );
    let mut padded = Aligned([0f64; BLOCK]);
    padded[..sums.len()].copy_from_slice(sums);
    for t in span.start..span.stop {
        if plan.is_small(t) {
            let splits = &plan.codes[plan.splits_of(t)];
            let leaves = blended::<V>(splits, &scratch.columns, &mut scratch.numbers);
            V::add_values(&mut padded, leaves, plan.values_of(t), span.single);
        } else {
            walk::add_tree(
                &mut padded[..sums.len()],
                x,
                n_columns,
                plan,
                t,
                span.single,
            );
        }
    }
    sums.copy_from_slice(&padded[..sums.len()]);
}

/// The leaf of every row in one tree.
#[inline(always)]
fn blended<'a, V: Vectors>(
    splits: &[i64],
    columns: &[Column],
    numbers: &'a mut Numbers,
) -> &'a Column {
    for (s, &split) in splits.iter().enumerate().rev() {
        let of = |child: i64| child as usize % (2 * SMALL);
        let column = &columns[(split >> 32) as usize];
        let sides = [of(split >> 12), of(split)];
        V::blend(
            numbers,
            SMALL + s % SMALL,
            column,
            (split >> 24) as u8,
            sides,
        );
    }
    &numbers[if splits.is_empty() { 0 } else { SMALL }]
}
