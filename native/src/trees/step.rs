//! One step of growing: divides a leaf, and finds the best splits of both its children.

use crate::parallel::with_threads;
use crate::trees::cells::{self, Cells, Documents};
use crate::trees::limits::Limits;
use crate::trees::rows::divide_rows;
use crate::trees::splits::{Features, Found, Search, NONE};
use rayon::prelude::*;

/// What the codes that decide a division are, and which of them go left.
pub struct Division<'a> {
    pub codes: &'a [u8],
    pub width: usize,
    pub feature: usize,
    pub to_left: &'a [u8; 256],
}

/// Divides the rows of a leaf; then, unless both are None, finds the best split of its left and of its right child
/// within their limits. `held` has the leaf's histograms and gets those of its larger child, `fresh` gets the
/// smaller child's; of equals the left one counts as smaller. Returns the number of rows that go left, too.
pub fn split_leaf(
    docs: Documents,
    division: Division,
    rows: (&mut [i32], &mut [i32]),
    cells: (Cells, Cells, bool),
    features: Features,
    chosen: &[i64],
    limits: [Option<Limits>; 2],
    n_threads: usize,
) -> (usize, Found, Found) {
    let large = rows.0.len() * chosen.len() > cells::WORTH_A_THREAD;
    let work = || {
        split(
            docs, division, rows, cells, features, chosen, limits, n_threads,
        )
    };
    if large && n_threads > 1 {
        with_threads(n_threads, work) // so that threads wake once
    } else {
        work()
    }
}

fn split(
    docs: Documents,
    division: Division,
    (rows, spare): (&mut [i32], &mut [i32]),
    (held, fresh, left_is_small): (Cells, Cells, bool),
    features: Features,
    chosen: &[i64],
    limits: [Option<Limits>; 2],
    n_threads: usize,
) -> (usize, Found, Found) {
    let n_left = divide_rows(
        division.codes,
        division.width,
        rows,
        spare,
        division.feature,
        division.to_left,
        n_threads,
    );
    let Some(Limits { count_bits, .. }) = limits[0].or(limits[1]) else {
        return (n_left, NONE, NONE);
    };
    let (left, right) = rows.split_at(n_left);
    let small = if left_is_small { left } else { right };
    let of_group = |(chosen, [large, mut small_cells]): (&[i64], [Cells; 2])| {
        cells::add_group(
            docs,
            small,
            features.ptr,
            chosen,
            count_bits,
            &mut small_cells,
        );
        let start = features.cells_of(chosen[0]).start;
        let mut searches = limits.map(|limits| limits.map(|l| Search::new(features, l)));
        for &f in chosen {
            let at = features.cells_of(f);
            let at = at.start - start..at.end - start;
            let (sums, counted) = (
                &small_cells.sums[at.clone()],
                &small_cells.counted[at.clone()],
            );
            let (rest, rest_counted) = (&mut large.sums[at.clone()], &mut large.counted[at]);
            for ((a, &b), (c, &d)) in rest
                .iter_mut()
                .zip(sums)
                .zip(rest_counted.iter_mut().zip(counted))
            {
                (*a, *c) = (*a - b, *c - d);
            }
            for (side, search) in searches.iter_mut().enumerate() {
                if let Some(search) = search {
                    if (side == 0) == left_is_small {
                        search.show(f, sums, counted);
                    } else {
                        search.show(f, rest, rest_counted);
                    }
                }
            }
        }
        searches.map(|search| search.map_or(NONE, |search| search.best))
    };
    let groups = cells::groups(small.len(), features.ptr, chosen, [held, fresh], n_threads);
    let bests: Vec<_> = if groups.len() == 1 {
        groups.into_iter().map(of_group).collect()
    } else {
        with_threads(n_threads, || groups.into_par_iter().map(of_group).collect())
    };
    let [left, right] = bests.into_iter().fold([NONE; 2], |[a, b], [c, d]| {
        [Search::better(a, c), Search::better(b, d)]
    });
    (n_left, left, right)
}
