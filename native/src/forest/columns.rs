//! The features of a block as bytes.

use super::widths::Vectors;
use super::{is_chosen, is_missing, Plan, BLOCK, LEFT};
use crate::tiles::{self, Bring, TILE};
use crate::vectors::Aligned;

pub type Column = Aligned<[u8; BLOCK]>;

/// One feature of a block.
pub type Values = [f32; BLOCK];

pub type Tile = tiles::Tile<BLOCK>;

/// Fills the columns of a block of rows.
#[inline(always)]
pub fn fill<V: Vectors>(
    columns: &mut [Column],
    tile: &mut Tile,
    x: &[f32],
    n_columns: usize,
    plan: &Plan<'_>,
    bring: Bring<BLOCK>,
) {
    let n_tables = plan.table_feature.len();
    let mut brought = usize::MAX;
    for (k, &feature) in plan.table_feature.iter().enumerate() {
        let first = feature as usize / TILE * TILE;
        if first != brought {
            bring(tile, x, n_columns, first);
            brought = first;
        }
        let of_table = plan.columns_of(k);
        V::places(
            plan.table(k),
            &tile[feature as usize - first],
            &mut columns[of_table.clone()],
            &plan.columns[of_table],
        );
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
