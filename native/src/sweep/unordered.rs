//! Over the whole line, documents need no order to begin with: at −∞ the one with the smaller b is above, or the
//! larger a where b is the same, and two documents cross where their b differ. So every document that can move a sum
//! of gains meets all others just as they lie in memory.

use super::course::Course;
use super::lines::{key_of, Span};
use super::worth::Kind;
use super::{Problem, Steps};
use crate::on_width;
use crate::vectors::widest;

/// A query is gone over like this while so few of its documents have a gain.
const FEW: usize = 64;

/// Whether this is the way for a query.
pub fn suits(problem: &Problem, q: usize) -> bool {
    let Span { lo, hi, .. } = problem.span;
    let rows = problem.qptr[q] as usize..problem.qptr[q + 1] as usize;
    let valued = || {
        problem.worth.value[rows]
            .iter()
            .filter(|&&v| v != 0.0)
            .count()
    };
    problem.worth.kind == Kind::Gain
        && lo == f64::NEG_INFINITY
        && hi == f64::INFINITY
        && valued() <= FEW
}

/// Adds what every document with a gain is worth at first, and where that changes.
pub fn scan(problem: &Problem, q: usize, course: &mut Course, steps: &mut Steps) {
    let (from, to) = (problem.qptr[q] as usize, problem.qptr[q + 1] as usize);
    let worth = &problem.worth;
    let discount = worth.discounts(from, to - from);
    let depth = worth.depth.min(discount.len());
    for row in from..to {
        let value = worth.value[row];
        if value == 0.0 {
            continue;
        }
        let (place, tied) = meet(problem, from..to, row, course);
        let at = |place: usize| {
            let mean = match tied {
                1 => discount[place],
                _ => discount[place..depth.min(place + tied)].iter().sum::<f64>() / tied as f64,
            };
            worth.fixed(worth.scale[q] * (value * mean))
        };
        course.walk(place, depth, at, steps);
    }
}

/// When the document of a row meets the others; its place at −∞, and how many share its line and so its places.
fn meet(
    problem: &Problem,
    rows: std::ops::Range<usize>,
    row: usize,
    course: &mut Course,
) -> (usize, usize) {
    let (a, b) = (&problem.a[rows.clone()], &problem.b[rows.clone()]);
    let own = (problem.a[row], problem.b[row]);
    for list in [&mut course.met, &mut course.rises, &mut course.falls] {
        list.resize(a.len(), 0);
    }
    let (keys, width) = (&mut course.met[..], widest(512));
    on_width!(width, crossings(a: &[f64], b: &[f64], own: (f64, f64), keys: &mut [u64]));
    let (mut rose, mut fell, mut above, mut same) = (0, 0, 0, 0);
    for ((&key, &a), &b) in course.met.iter().zip(a).zip(b) {
        course.rises[rose] = key;
        course.falls[fell] = key;
        rose += usize::from(b < own.1);
        fell += usize::from(b > own.1);
        above += usize::from(b == own.1 && a > own.0);
        same += usize::from(b == own.1 && a == own.0);
    }
    course.rises.truncate(rose);
    course.falls.truncate(fell);
    let place = rose + above;
    match problem.tiebreak {
        Some(order) if same > 1 => {
            let first = |other: usize| (order[other], other) < (order[row], row);
            let equal = |other: usize| (problem.a[other], problem.b[other]) == own;
            (
                place + rows.filter(|&other| equal(other) && first(other)).count(),
                1,
            )
        }
        Some(_) => (place, 1),
        None => (place, same),
    }
}

/// Where a line meets each of the others, parallel ones aside.
#[inline(always)]
fn crossings(a: &[f64], b: &[f64], own: (f64, f64), keys: &mut [u64]) {
    for ((key, &a), &b) in keys.iter_mut().zip(a).zip(b) {
        *key = key_of((own.0 - a) / (b - own.1));
    }
}
