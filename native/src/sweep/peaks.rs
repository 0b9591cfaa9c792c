//! Which steps have to be put in order. Steps are counted into ranges of α; in a range the sum rises at most by all
//! its rises, so one whose start and rises stay below plateaus that are already known holds nothing of interest.

use super::lines::alpha_of;
use super::merge::narrow;
use super::Block;
use rayon::prelude::*;

/// Fewer steps than this are all put in order.
const FEW: usize = 1024;
/// Ranges on either side of 0: an octave of |α| has `1 << BITS`, and those far from the middle octave are the last.
const SIDE: i64 = 512;
const BITS: u32 = 5;
const SHIFT: u32 = 52 - BITS;
/// Blocks of steps counted together.
const TOGETHER: usize = 64;

/// The steps with their α in one range.
#[derive(Clone, Copy)]
struct Range {
    change: i128,
    rises: i128,
    first: u64,
    last: u64,
}

const EMPTY: Range = Range {
    change: 0,
    rises: 0,
    first: u64::MAX,
    last: 0,
};

impl Range {
    fn join(&mut self, other: &Range) {
        self.change += other.change;
        self.rises += other.rises;
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }
}

/// What the sum does along α: steps one by one where it may be best, and one for all in between.
pub enum Stretch {
    Steps(Vec<(u64, i64)>),
    /// The change of the sum, and the last step.
    Passed(i128, u64),
}

/// The sum along α, from `start` after the last step `since`; all of it, or what the `n_best` plateaus need.
pub fn stretches(blocks: &[Block], start: i128, since: f64, n_best: Option<usize>) -> Vec<Stretch> {
    let n_steps: usize = blocks.iter().map(|s| s.changes.len()).sum();
    let n_best = match n_best {
        Some(n_best) if n_steps >= FEW => n_best,
        _ => return vec![Stretch::Steps(in_order(blocks, |_| true))],
    };
    let least = smallest_octave(blocks, n_steps);
    let ranges = counted(blocks, least);
    let wanted = promising(&ranges, start, since, n_best);
    let steps = in_order(blocks, |key| wanted[range_of(key, least)]);
    split(&ranges, &wanted, &steps, least)
}

fn in_order<'a>(blocks: &'a [Block], wanted: impl Fn(u64) -> bool + Sync) -> Vec<(u64, i64)> {
    let wanted = &wanted;
    let of_block = |block: &'a Block| block.changes.iter().copied().filter(|step| wanted(step.0));
    let mut steps: Vec<(u64, i64)> = blocks.par_iter().flat_map_iter(of_block).collect();
    steps.par_sort_unstable_by_key(|step| step.0);
    steps
}

/// The middle of |α| is in the middle of the ranges.
fn smallest_octave(blocks: &[Block], n_steps: usize) -> i64 {
    let all = blocks.iter().flat_map(|s| &s.changes);
    let mut drawn: Vec<i64> = all
        .step_by(n_steps / 128)
        .map(|step| size_of(step.0))
        .collect();
    let middle = drawn.len() / 2;
    *drawn.select_nth_unstable(middle).1 - SIDE / 2
}

/// The highest bits of |α|, which ascend as |α| does.
#[inline]
fn size_of(key: u64) -> i64 {
    let size = if key >> 63 == 1 { key } else { !key } & !(1 << 63);
    (size >> SHIFT) as i64
}

#[inline]
fn range_of(key: u64, least: i64) -> usize {
    let size = (size_of(key) - least).clamp(0, SIDE - 1);
    (if key >> 63 == 1 {
        SIDE + size
    } else {
        SIDE - 1 - size
    }) as usize
}

fn counted(blocks: &[Block], least: i64) -> Vec<Range> {
    let none = || vec![EMPTY; 2 * SIDE as usize];
    blocks
        .par_chunks(TOGETHER)
        .fold(none, |mut ranges, blocks| {
            for &(key, change) in blocks.iter().flat_map(|s| &s.changes) {
                ranges[range_of(key, least)].join(&Range {
                    change: change.into(),
                    rises: change.max(0).into(),
                    first: key,
                    last: key,
                });
            }
            ranges
        })
        .reduce(none, |mut left, right| {
            left.iter_mut().zip(&right).for_each(|(l, r)| l.join(r));
            left
        })
}

/// The ranges that may hold one of the best plateaus: those between two ranges are known without looking inside.
fn promising(ranges: &[Range], start: i128, since: f64, n_best: usize) -> Vec<bool> {
    let (mut value, mut since) = (start, since);
    let (mut known, mut most) = (Vec::new(), Vec::with_capacity(ranges.len()));
    for range in ranges {
        most.push(value + range.rises);
        if range.first != u64::MAX {
            if !narrow(since, alpha_of(range.first)) {
                known.push(value);
            }
            since = alpha_of(range.last);
            value += range.change;
        }
    }
    known.sort_unstable_by(|x, y| y.cmp(x));
    let least = known.get(n_best - 1).copied().unwrap_or(i128::MIN);
    most.iter().map(|&most| most >= least).collect()
}

/// Puts together the steps that are in order, range by range, and what was passed over.
fn split(ranges: &[Range], wanted: &[bool], steps: &[(u64, i64)], least: i64) -> Vec<Stretch> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut passed: Option<(i128, u64)> = None;
    for (i, range) in ranges
        .iter()
        .enumerate()
        .filter(|(_, r)| r.first != u64::MAX)
    {
        if !wanted[i] {
            let before = passed.map_or(0, |p| p.0);
            passed = Some((before + range.change, range.last));
            continue;
        }
        out.extend(
            passed
                .take()
                .map(|(change, last)| Stretch::Passed(change, last)),
        );
        let to = from + steps[from..].partition_point(|step| range_of(step.0, least) <= i);
        out.push(Stretch::Steps(steps[from..to].to_vec()));
        from = to;
    }
    out.extend(passed.map(|(change, last)| Stretch::Passed(change, last)));
    out
}
