//! The exact line search: how the value of a measure moves as the scores a + αb (or (1 − α)a + αb) move with α.
//!
//! Every document is a line in α, and the measure changes only where lines of one query cross. Per query the
//! crossings that matter are visited: `unordered`, over the whole line, of documents that count, as they lie in memory;
//! `places`, line by line, those of documents that count; `kinetic`, exchanges that touch the first k; `pairs`, pairs
//! with different labels. `course` is one document's way through the ranks. All values are fixed-point integers, so
//! that sums are exact and no rounding can move the optimum; `merge` adds the queries and keeps the best plateaus,
//! and `peaks` tells it which steps it need not put in order.

pub mod course;
pub mod kinetic;
pub mod lines;
pub mod merge;
pub mod pairs;
pub mod peaks;
pub mod places;
pub mod tournament;
pub mod unordered;
pub mod worth;

use crate::parallel::{blocks, with_threads};
use lines::{Field, Span};
use merge::{Curve, Merger, Plateau};
use pairs::Scratch;
use places::Meetings;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use worth::{Kind, Worth};

/// Documents per parallel task.
const BLOCK: i64 = 1024;
/// A query is swept line by line while so few of its lines can move the measure.
const FEW_VALUED: usize = 24;

/// Two rankers on judged queries, and what a ranking is worth.
pub struct Problem<'a> {
    pub a: &'a [f64],
    pub b: &'a [f64],
    pub qptr: &'a [i64],
    pub tiebreak: Option<&'a [i64]>,
    pub worth: Worth<'a>,
    pub span: Span,
}

impl Problem<'_> {
    /// Whether the arrays fit each other, so that no index below can be out of range.
    pub fn check(&self) -> Result<(), String> {
        let (n, worth) = (self.a.len(), &self.worth);
        let rising = self.qptr.first() == Some(&0)
            && self.qptr.last() == Some(&(n as i64))
            && self.qptr.windows(2).all(|w| w[0] <= w[1]);
        let n_queries = self.qptr.len().saturating_sub(1);
        let longest = self.qptr.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0) as usize;
        let discounts = if worth.discount_by_row {
            n
        } else {
            longest.min(worth.depth)
        };
        let fits = rising
            && self.b.len() == n
            && worth.value.len() == n
            && self.tiebreak.is_none_or(|t| t.len() == n)
            && worth.scale.len() == n_queries
            && worth.offset.len() == n_queries
            && worth.depth > 0
            && longest < u32::MAX as usize
            && (worth.kind != Kind::Gain || worth.discount.len() >= discounts);
        if fits {
            Ok(())
        } else {
            Err("arrays of the line search do not fit each other".into())
        }
    }
}

/// Value of some queries just after `lo`, and its changes, in any order; changes of 0 mark points where lines met and
/// the value came back.
#[derive(Default)]
pub struct Steps {
    pub start: i64,
    /// `key_of` α, and the change there.
    pub changes: Vec<(u64, i64)>,
}

impl Steps {
    pub fn push(&mut self, at: u64, change: i64) {
        self.changes.push((at, change));
    }

    /// For the steps of one query: in order of α, one for each α where the value does change.
    fn in_order(mut self) -> Steps {
        self.changes.sort_unstable_by_key(|step| step.0);
        self.changes.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = kept.1.wrapping_add(later.1);
            }
            same
        });
        self.changes.retain(|step| step.1 != 0);
        self
    }
}

/// The steps of a block of queries: value just after `lo`, and changes in any order.
pub struct Block {
    pub start: i128,
    pub changes: Vec<(u64, i64)>,
}

/// Lists kept from query to query.
#[derive(Default)]
struct Lists {
    field: Field,
    scratch: Scratch,
    meetings: Meetings,
}

/// Adds the steps of one query.
fn sweep_query(problem: &Problem, q: usize, lists: &mut Lists, steps: &mut Steps) {
    let offset = problem.worth.fixed(problem.worth.offset[q]);
    steps.start = steps.start.wrapping_add(offset);
    if problem.worth.scale[q] == 0.0 {
        return;
    }
    if unordered::suits(problem, q) {
        unordered::scan(problem, q, &mut lists.meetings.course, steps);
        return;
    }
    let (from, to) = (problem.qptr[q] as usize, problem.qptr[q + 1] as usize);
    let field = &mut lists.field;
    field.set(problem, from, to);
    if problem.worth.by_pairs_only() {
        pairs::count(problem, q, field, &mut lists.scratch, steps);
    } else if !problem.worth.needs_order()
        && (problem.worth.depth >= field.a.len() || field.valued.len() <= FEW_VALUED)
    {
        places::scan(problem, q, field, &mut lists.meetings, steps);
    } else {
        kinetic::sweep(problem, q, field, steps);
    }
}

/// Steps of every block of queries; or None as soon as there are more than `limit` in all.
fn sweep_all(problem: &Problem, limit: usize) -> Option<Vec<Block>> {
    let count = AtomicUsize::new(0);
    let parts: Vec<Block> = blocks(problem.qptr, BLOCK)
        .into_par_iter()
        .map(|range| {
            let (mut lists, mut start) = (Lists::default(), 0i128);
            let mut steps = Steps::default();
            for q in range {
                if count.load(Ordering::Relaxed) > limit {
                    break;
                }
                let before = steps.changes.len();
                sweep_query(problem, q, &mut lists, &mut steps);
                start += i128::from(std::mem::take(&mut steps.start));
                count.fetch_add(steps.changes.len() - before, Ordering::Relaxed);
            }
            Block {
                start,
                changes: steps.changes,
            }
        })
        .collect();
    (count.into_inner() <= limit).then_some(parts)
}

/// The step function of every query by itself.
pub fn step_functions(problem: &Problem, n_threads: usize) -> Vec<Steps> {
    with_threads(n_threads, || {
        blocks(problem.qptr, BLOCK)
            .into_par_iter()
            .flat_map_iter(|range| {
                let mut lists = Lists::default();
                range.map(move |q| {
                    let mut steps = Steps::default();
                    sweep_query(problem, q, &mut lists, &mut steps);
                    steps.in_order()
                })
            })
            .collect()
    })
}

/// The best plateaus of the sum over queries, best first, and the whole curve if asked for.
///
/// Without the curve, and with a finite range, at most `held` steps are held at a time: the range of α is gone over
/// in windows, halved until their steps fit and doubled where there are few.
pub fn line_search(
    problem: &mut Problem,
    n_best: usize,
    keep_curve: bool,
    held: usize,
    n_threads: usize,
) -> (Vec<Plateau>, Curve, u64) {
    let whole = problem.span;
    let mut merger = Merger::new(whole, n_best, keep_curve);
    let mut width = whole.hi - whole.lo;
    let smallest = width / f64::from(1 << 20);
    let mut at = whole.lo;
    with_threads(n_threads, || {
        while at < whole.hi {
            let end = if width.is_finite() && at + width < whole.hi {
                at + width
            } else {
                whole.hi
            };
            problem.span = Span {
                lo: at,
                hi: end,
                ..whole
            };
            let limit = if keep_curve || width <= smallest || width.is_infinite() {
                usize::MAX
            } else {
                held
            };
            match sweep_all(problem, limit) {
                Some(steps) => {
                    let n_steps: usize = steps.iter().map(|s| s.changes.len()).sum();
                    merger.add(&steps, at);
                    at = end;
                    if n_steps < limit / 3 {
                        width *= 2.0;
                    }
                }
                None => width = (end - at) / 2.0,
            }
        }
        problem.span = whole;
        merger.finish()
    })
}
