//! Codes of sparse features: a document has only those that differ from their feature's usual code, that of 0.
//!
//! An entry is a cell: its feature's first one and the code. Each document's ascend.

use crate::binning::{ascending_key, Table, MISSING};
use crate::parallel::with_threads;
use rayon::prelude::*;

#[derive(Clone, Copy)]
pub struct Entries<'a> {
    /// Document d has `cells[ptr[d]..ptr[d + 1]]`.
    pub ptr: &'a [i64],
    pub cells: &'a [i32],
}

impl<'a> Entries<'a> {
    fn of(&self, row: i32) -> &'a [i32] {
        &self.cells[self.ptr[row as usize] as usize..self.ptr[row as usize + 1] as usize]
    }

    /// The code of a feature that has the cells `from..end`.
    fn code(&self, row: i32, (from, end): (i32, i32), usual: u8) -> u8 {
        let mine = self.of(row);
        match mine.get(mine.partition_point(|&cell| cell < from)) {
            Some(&cell) if cell < end => (cell - from) as u8,
            _ => usual,
        }
    }
}

/// The histograms of all features over some rows: Σ g, then (Σ h) · 2^count_bits + count. What the entries leave of
/// the whole is in the usual cells.
pub fn leaf_cells(
    entries: Entries,
    quantised: &[i16],
    rows: &[i32],
    cell_ptr: &[i64],
    usual: &[i64],
    count_bits: u32,
    n_threads: usize,
) -> Vec<i64> {
    let n_cells = cell_ptr[cell_ptr.len() - 1] as usize;
    let add = |rows: &[i32]| {
        let (mut cells, mut whole) = (vec![[0i64; 2]; n_cells], [0i64; 2]);
        for &row in rows {
            let (g, h) = (quantised[2 * row as usize], quantised[2 * row as usize + 1]);
            let number = [g as i64, ((h as i64) << count_bits) + 1];
            whole = plus(whole, number);
            for &cell in entries.of(row) {
                let cell = &mut cells[cell as usize];
                *cell = plus(*cell, number);
            }
        }
        (cells, whole)
    };
    let n_entries: usize = rows.iter().map(|&row| entries.of(row).len()).sum();
    let (mut cells, whole) = if n_threads <= 1 || n_entries < 4 * n_cells {
        add(rows)
    } else {
        let sum = |(mut cells, whole): (Vec<[i64; 2]>, _), (others, other)| {
            let both = cells.iter_mut().zip::<Vec<_>>(others);
            both.for_each(|(cell, other)| *cell = plus(*cell, other));
            (cells, plus(whole, other))
        };
        let size = rows.len().div_ceil(n_threads);
        let parts: Vec<_> = with_threads(n_threads, || rows.par_chunks(size).map(add).collect());
        parts.into_iter().reduce(sum).unwrap_or_else(|| add(&[]))
    };
    for (at, &usual) in cell_ptr.windows(2).zip(usual) {
        let of_feature = &cells[at[0] as usize..at[1] as usize];
        let seen = of_feature.iter().fold([0; 2], |sum, &cell| plus(sum, cell));
        cells[usual as usize] = [whole[0] - seen[0], whole[1] - seen[1]];
    }
    let column = |i: usize| cells.iter().map(move |cell| cell[i]);
    column(0).chain(column(1)).collect()
}

fn plus(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// Puts the rows whose code of a feature goes left before the others, each side in its order; returns how many do.
pub fn divide_rows(
    entries: Entries,
    rows: &mut [i32],
    spare: &mut [i32],
    cells: (i32, i32),
    usual: u8,
    to_left: &[u8; 256],
) -> usize {
    let (mut n_left, mut n_right) = (0, 0);
    for i in 0..rows.len() {
        let row = rows[i];
        let left = to_left[entries.code(row, cells, usual) as usize] as usize;
        rows[n_left] = row;
        spare[n_right] = row;
        n_left += left;
        n_right += 1 - left;
    }
    rows[n_left..].copy_from_slice(&spare[..n_right]);
    n_left
}

/// A split by codes: where each code of a feature goes.
pub struct SparseSplit<'a> {
    pub cells: (i32, i32),
    pub usual: u8,
    pub to_left: &'a [u8],
    pub left: i32,
    pub right: i32,
}

/// The leaf of every row.
pub fn leaves(entries: Entries, splits: &[SparseSplit], n_threads: usize) -> Vec<i32> {
    let n_rows = entries.ptr.len() - 1;
    if splits.is_empty() {
        return vec![0; n_rows];
    }
    let leaf = |row: usize| {
        let mut at = 0;
        while at >= 0 {
            let split = &splits[at as usize];
            let code = entries.code(row as i32, split.cells, split.usual);
            let to_left = split.to_left[code as usize] > 0;
            at = if to_left { split.left } else { split.right };
        }
        !at
    };
    with_threads(n_threads, || {
        (0..n_rows)
            .into_par_iter()
            .with_min_len(1024)
            .map(leaf)
            .collect()
    })
}

/// The code of each value of some columns, which have `values[ptr[k]..ptr[k + 1]]`: the number of thresholds below it;
/// one more than all if missing.
pub fn codes(values: &[f32], ptr: &[i64], cuts: &[f32], cut_ptr: &[i64]) -> Vec<u8> {
    let mut out = Vec::with_capacity(values.len());
    for (at, of) in ptr.windows(2).zip(cut_ptr.windows(2)) {
        let cuts = &cuts[of[0] as usize..of[1] as usize];
        let (table, missing) = (Table::of(cuts), cuts.len() as u8 + 1);
        let column = &values[at[0] as usize..at[1] as usize];
        out.extend(column.iter().map(|&value| {
            let code = table.code(ascending_key(value));
            if code == MISSING && value.is_nan() {
                missing
            } else {
                code
            }
        }));
    }
    out
}
