//! Histograms of a leaf: Σ g, Σ h and the number of documents of every code of every feature.
//!
//! Three sums are made by one addition: a document is one 64-bit number, g in the high bits, h below it, 1 at the
//! bottom. As many documents are added so as cannot overflow a field; then the sums move to wide cells.
//!
//!     63          39 38         16 15       0
//!     |  g, signed  |      h      |  count  |

use crate::parallel::with_threads;
use crate::trees::prefetch::prefetch;
use rayon::prelude::*;
use std::cell::RefCell;

const G_SHIFT: u32 = 39;
const H_SHIFT: u32 = 16;
const H_MASK: u64 = (1 << (G_SHIFT - H_SHIFT)) - 1;
const COUNT_MASK: u64 = (1 << H_SHIFT) - 1;
/// What Σ |g|, Σ h and the count must stay below.
const G_LIMIT: u64 = 1 << (63 - G_SHIFT);
const H_LIMIT: u64 = 1 << (G_SHIFT - H_SHIFT);
const COUNT_LIMIT: u64 = 1 << H_SHIFT;

/// Features whose histograms fit into the nearest cache together: 34 KB.
const TOGETHER: usize = 17;
/// Rows that pass over one such group of features after the other. Their codes are asked for while the rows before
/// them are added, and wait in the second cache. Whatever so many rows hold cannot overflow a field.
const ROWS_AT_A_TIME: usize = 1024;
/// Additions that take longer than waking another thread.
pub const WORTH_A_THREAD: usize = 1 << 17;

/// A feature's narrow cells, and a line of the cache between them and the next feature's: where the same code of two
/// features is a multiple of 4 KB apart, a read waits for the write of another cell.
type Narrow = [u64; 256 + 8];

/// The codes and numbers of all documents.
#[derive(Clone, Copy)]
pub struct Documents<'a> {
    pub codes: &'a [u8],
    pub width: usize,
    pub quantised: &'a [i16],
}

/// The cells of some neighbouring features, from the first one's: Σ g, and (Σ h) · 2^count_bits + count.
pub struct Cells<'a> {
    pub sums: &'a mut [i64],
    pub counted: &'a mut [i64],
}

/// Groups of features, one for each thread where the work is worth it, each with its part of several histograms.
pub fn groups<'a, 'c, const N: usize>(
    n_rows: usize,
    cell_ptr: &[i64],
    features: &'a [i64],
    histograms: [Cells<'c>; N],
    n_threads: usize,
) -> Vec<(&'a [i64], [Cells<'c>; N])> {
    let n_groups = if n_rows * features.len() < WORTH_A_THREAD {
        1
    } else {
        n_threads.clamp(1, features.len())
    };
    let size = features.len().div_ceil(n_groups).max(1);
    let mut rest = histograms.map(|cells| (cells.sums, cells.counted, 0));
    let mut out = Vec::new();
    for some in features.chunks(size) {
        let first = cell_ptr[some[0] as usize] as usize;
        let end = cell_ptr[some[some.len() - 1] as usize + 1] as usize;
        rest = rest.map(|(sums, counted, at)| {
            (&mut sums[first - at..], &mut counted[first - at..], first)
        });
        let mut mine = Vec::with_capacity(N);
        rest = rest.map(|(sums, counted, _)| {
            let (my_sums, sums) = sums.split_at_mut(end - first);
            let (my_counted, counted) = counted.split_at_mut(end - first);
            mine.push(Cells {
                sums: my_sums,
                counted: my_counted,
            });
            (sums, counted, end)
        });
        let mine = mine.try_into().unwrap_or_else(|_| unreachable!());
        out.push((some, mine));
    }
    out
}

/// The histograms of some features over some rows, into both rows of `cells`: Σ g, then (Σ h) · 2^count_bits + count.
pub fn leaf_cells(
    docs: Documents,
    rows: &[i32],
    cell_ptr: &[i64],
    features: &[i64],
    count_bits: u32,
    n_threads: usize,
) -> Vec<i64> {
    let n_cells = cell_ptr[cell_ptr.len() - 1] as usize;
    let mut cells = vec![0i64; 2 * n_cells];
    let (sums, counted) = cells.split_at_mut(n_cells);
    let all = [Cells { sums, counted }];
    let groups = groups(rows.len(), cell_ptr, features, all, n_threads);
    let add = |(features, [mut cells]): (&[i64], [Cells; 1])| {
        add_group(docs, rows, cell_ptr, features, count_bits, &mut cells);
    };
    if groups.len() == 1 {
        groups.into_iter().for_each(add);
    } else {
        with_threads(n_threads, || groups.into_par_iter().for_each(add));
    }
    cells
}

thread_local! {
    /// Narrow cells, all zero between two uses.
    static NARROW: RefCell<Vec<Narrow>> = const { RefCell::new(Vec::new()) };
}

/// Writes the histograms of some features over some rows.
pub fn add_group(
    docs: Documents,
    rows: &[i32],
    cell_ptr: &[i64],
    features: &[i64],
    count_bits: u32,
    cells: &mut Cells,
) {
    let first = cell_ptr[features[0] as usize] as usize;
    let cell_of =
        |f: i64| cell_ptr[f as usize] as usize - first..cell_ptr[f as usize + 1] as usize - first;
    NARROW.with_borrow_mut(|narrow| {
        if narrow.len() < features.len() {
            narrow.resize(features.len(), [0; 264]);
        }
        let narrow = &mut narrow[..features.len()];
        let mut fresh = true;
        let mut flush = |narrow: &mut [Narrow]| {
            for (narrow, &f) in narrow.iter_mut().zip(features) {
                let at = cell_of(f);
                let (sums, counted) = (&mut cells.sums[at.clone()], &mut cells.counted[at]);
                if fresh {
                    sums.fill(0);
                    counted.fill(0);
                }
                widen(narrow, sums, counted, count_bits);
            }
            fresh = false;
        };
        let mut values = [0u64; ROWS_AT_A_TIME];
        let (mut g_held, mut h_held, mut held) = (0u64, 0u64, 0u64);
        let mut chunks = rows.chunks(ROWS_AT_A_TIME).peekable();
        while let Some(rows) = chunks.next() {
            let values = &mut values[..rows.len()];
            let (g, h) = gather(docs.quantised, rows, values);
            let n = rows.len() as u64;
            if g_held + g >= G_LIMIT || h_held + h >= H_LIMIT || held + n >= COUNT_LIMIT {
                flush(narrow);
                (g_held, h_held, held) = (0, 0, 0);
            }
            (g_held, h_held, held) = (g_held + g, h_held + h, held + n);
            let next = chunks.peek().copied().unwrap_or_default();
            add_rows(docs, rows, values, next, features, narrow);
        }
        flush(narrow);
    });
}

/// The packed numbers of some rows, and their Σ |g| and Σ h.
fn gather(quantised: &[i16], rows: &[i32], values: &mut [u64]) -> (u64, u64) {
    let (mut g_sum, mut h_sum) = (0, 0);
    for (value, &row) in values.iter_mut().zip(rows) {
        let at = 2 * row as usize;
        let (g, h) = (quantised[at] as i64, quantised[at + 1] as u64);
        *value = ((g << G_SHIFT) as u64).wrapping_add((h << H_SHIFT) + 1);
        g_sum += g.unsigned_abs();
        h_sum += h;
    }
    (g_sum, h_sum)
}

/// Moves the sums of a feature to its wide cells.
fn widen(narrow: &mut Narrow, sums: &mut [i64], counted: &mut [i64], count_bits: u32) {
    for ((v, sum), counted) in narrow.iter_mut().zip(sums).zip(counted) {
        *sum += (*v as i64) >> G_SHIFT;
        *counted += ((((*v >> H_SHIFT) & H_MASK) << count_bits) + (*v & COUNT_MASK)) as i64;
        *v = 0;
    }
}

/// Adds some rows to the narrow cells of all features, a few features at a time; asks for the codes of the next rows.
fn add_rows(
    docs: Documents,
    rows: &[i32],
    values: &[u64],
    next: &[i32],
    features: &[i64],
    narrow: &mut [Narrow],
) {
    let n_blocks = features.len().div_ceil(TOGETHER);
    let part = |block: usize, n: usize| block * n / n_blocks..(block + 1) * n / n_blocks;
    let adjacent = features.windows(2).all(|w| w[1] == w[0] + 1);
    let bytes = (features[0] as usize, features[features.len() - 1] as usize);
    for block in 0..n_blocks {
        let ahead = Ahead {
            rows: next[part(block, next.len())].iter(),
            every: n_blocks,
            wait: 0,
            bytes,
        };
        let at = part(block, features.len());
        let (features, narrow) = (&features[at.clone()], &mut narrow[at]);
        if !adjacent {
            add_scattered(docs, rows, values, ahead, features, narrow);
            continue;
        }
        let at = features[0] as usize;
        macro_rules! by_width {
            ($($n:literal)*) => {
                match features.len() {
                    $($n => add_adjacent::<$n>(docs, rows, values, ahead, at, narrow),)*
                    _ => unreachable!(),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
    }
}

/// Rows whose codes will be wanted soon: one is asked for at every so many steps.
struct Ahead<'a> {
    rows: std::slice::Iter<'a, i32>,
    every: usize,
    wait: usize,
    /// The first and the last of a row's codes that will be wanted.
    bytes: (usize, usize),
}

impl Ahead<'_> {
    #[inline(always)]
    fn step(&mut self, docs: &Documents) {
        if self.wait > 0 {
            self.wait -= 1;
        } else if let Some(&row) = self.rows.next() {
            self.wait = self.every - 1;
            let at = row as usize * docs.width;
            for byte in (self.bytes.0..self.bytes.1).step_by(64) {
                prefetch(docs.codes, at + byte);
            }
            prefetch(docs.codes, at + self.bytes.1);
        }
    }
}

/// Adds rows to features that stand side by side.
fn add_adjacent<const N: usize>(
    docs: Documents,
    rows: &[i32],
    values: &[u64],
    mut ahead: Ahead,
    first: usize,
    narrow: &mut [Narrow],
) {
    let narrow: &mut [Narrow; N] = narrow.try_into().expect("as many histograms as features");
    for (&row, &value) in rows.iter().zip(values) {
        ahead.step(&docs);
        let at = row as usize * docs.width + first;
        let codes: &[u8; N] = docs.codes[at..at + N].try_into().expect("N codes");
        for (narrow, &code) in narrow.iter_mut().zip(codes) {
            let cell = &mut narrow[code as usize];
            *cell = cell.wrapping_add(value);
        }
    }
}

/// Adds rows to features that were drawn.
fn add_scattered(
    docs: Documents,
    rows: &[i32],
    values: &[u64],
    mut ahead: Ahead,
    features: &[i64],
    narrow: &mut [Narrow],
) {
    for (&row, &value) in rows.iter().zip(values) {
        ahead.step(&docs);
        let codes = &docs.codes[row as usize * docs.width..][..docs.width];
        for (narrow, &f) in narrow.iter_mut().zip(features) {
            let cell = &mut narrow[codes[f as usize] as usize];
            *cell = cell.wrapping_add(value);
        }
    }
}
