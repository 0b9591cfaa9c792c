//! The features of a block as bytes.

use super::widths::Vectors;
use super::{is_chosen, is_missing, Plan, BLOCK, LEFT};

pub type Column = [u8; BLOCK];

/// Features brought from rows to columns at a time.
pub const TILE: usize = 16;

/// One feature of a block.
pub type Values = [f32; BLOCK];

pub type Tile = [Values; TILE];

/// Fills the columns of a block of rows.
#[inline(always)]
pub fn fill<V: Vectors>(
    columns: &mut [Column],
    tile: &mut Tile,
    x: &[f32],
    n_columns: usize,
    plan: &Plan<'_>,
) {
    let n_tables = plan.table_feature.len();
    for first in (0..n_tables).step_by(TILE) {
        let tables = first..(first + TILE).min(n_tables);
        bring(tile, x, n_columns, &plan.table_feature[tables.clone()]);
        for (values, k) in tile.iter().zip(tables) {
            let of_table = plan.columns_of(k);
            V::places(
                plan.table(k),
                values,
                &mut columns[of_table.clone()],
                &plan.columns[of_table],
            );
        }
    }
    let by_category = plan.column_ptr[n_tables] as usize..plan.columns.len();
    for (column, [set, rule]) in columns[by_category.clone()]
        .iter_mut()
        .zip(&plan.columns[by_category])
    {
        let set = *set as usize - n_tables;
        let feature = plan.category_feature[set] as usize;
        let chosen = plan.chosen(set);
        for (code, row) in column.iter_mut().zip(x.chunks_exact(n_columns)) {
            let x = row[feature];
            *code = if is_missing(x, *rule as u8) {
                missing_code(*rule as u8)
            } else {
                u8::from(!is_chosen(x, chosen))
            };
        }
    }
}

/// What a missing value's code is.
#[inline(always)]
pub fn missing_code(rule: u8) -> u8 {
    if rule & LEFT != 0 {
        0
    } else {
        255
    }
}

/// Some features of the rows as columns; beyond the last row, anything.
#[inline(always)]
fn bring(tile: &mut Tile, x: &[f32], n_columns: usize, features: &[i64]) {
    for (i, row) in x.chunks_exact(n_columns).enumerate() {
        for (values, &k) in tile.iter_mut().zip(features) {
            values[i] = row[k as usize];
        }
    }
}
