//! The exact line search: how the value of a measure moves as the scores a + αb (or (1 − α)a + αb) move with α.
//!
//! Every document is a line in α, and the measure changes only where lines of one query cross. Per query the
//! crossings that matter are visited in order (`scan`: pairs with a document that counts; `kinetic`: exchanges that
//! touch the first k); all values are fixed-point integers, so that sums are exact and no rounding can move the
//! optimum; `merge` adds the queries and keeps the best plateaus.

pub mod kinetic;
pub mod lines;
pub mod merge;
pub mod scan;
pub mod tournament;
pub mod worth;

use crate::parallel::{blocks, with_threads};
use lines::{Field, Span};
use merge::{Curve, Merger, Plateau};
use rayon::prelude::*;
use scan::Scratch;
use std::sync::atomic::{AtomicUsize, Ordering};
use worth::{Kind, Worth};

/// Documents per parallel task.
const BLOCK: i64 = 4096;
/// A query is swept by pairs while there are at most so many pairs per document of the list.
const PAIRS_PER_LINE: usize = 24;

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

/// Value of one query just after `lo`, and its changes in order of α; changes of 0 mark points where lines met
/// and the value came back.
#[derive(Default)]
pub struct Steps {
    pub start: i64,
    /// `key_of` each α.
    pub at: Vec<u64>,
    pub change: Vec<i64>,
}

impl Steps {
    pub fn push(&mut self, at: u64, change: i64) {
        match (self.at.last(), self.change.last_mut()) {
            (Some(&last), Some(sum)) if last == at => *sum = sum.wrapping_add(change),
            _ => {
                self.at.push(at);
                self.change.push(change);
            }
        }
    }
}

fn sweep_query(problem: &Problem, q: usize, field: &mut Field, scratch: &mut Scratch) -> Steps {
    let mut steps = Steps {
        start: problem.worth.fixed(problem.worth.offset[q]),
        ..Steps::default()
    };
    if problem.worth.scale[q] == 0.0 {
        return steps;
    }
    let (from, to) = (problem.qptr[q] as usize, problem.qptr[q + 1] as usize);
    field.set(problem, from, to);
    let n_lines = field.a.len();
    let pairs = field.valued.len() * n_lines;
    if problem.worth.by_pairs_only()
        || !problem.worth.needs_order()
            && (problem.worth.depth >= n_lines || pairs <= PAIRS_PER_LINE * n_lines)
    {
        scan::scan(problem, q, field, scratch, &mut steps);
    } else {
        kinetic::sweep(problem, q, field, &mut steps);
    }
    steps
}

/// Steps of every query, or None as soon as there are more than `limit` in all.
fn sweep_all(problem: &Problem, limit: usize) -> Option<Vec<Steps>> {
    let count = AtomicUsize::new(0);
    let parts: Vec<Vec<Steps>> = blocks(problem.qptr, BLOCK)
        .into_par_iter()
        .map(|range| {
            let (mut field, mut scratch) = (Field::default(), Scratch::default());
            let mut part = Vec::with_capacity(range.len());
            for q in range {
                if count.load(Ordering::Relaxed) > limit {
                    break;
                }
                let steps = sweep_query(problem, q, &mut field, &mut scratch);
                count.fetch_add(steps.at.len(), Ordering::Relaxed);
                part.push(steps);
            }
            part
        })
        .collect();
    (count.into_inner() <= limit).then(|| parts.into_iter().flatten().collect())
}

/// The step function of every query by itself.
pub fn step_functions(problem: &Problem, n_threads: usize) -> Vec<Steps> {
    with_threads(n_threads, || {
        sweep_all(problem, usize::MAX).unwrap_or_default()
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
                    let n_steps: usize = steps.iter().map(|s| s.at.len()).sum();
                    merger.add(steps, at);
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
