//! Line by line: what a line is worth depends on the set above it, and that set on its own crossings alone. So each
//! line that can move the measure meets every other, and counts its place as it goes; lines without value are never
//! followed, and one that too many others stay above is left out without being sorted.

use super::course::Course;
use super::lines::{key_of, Field, Span};
use super::worth::{Above, Kind};
use super::{Problem, Steps};

/// Lists kept from line to line.
#[derive(Default)]
pub struct Meetings {
    pub course: Course,
    /// When this line meets others, with the other's number, where its documents have to be counted.
    met: Vec<(u64, u32)>,
}

/// Adds what every valued line is worth at first, and where that changes: in order for a line, not for the query.
pub fn scan(
    problem: &Problem,
    q: usize,
    field: &Field,
    meetings: &mut Meetings,
    steps: &mut Steps,
) {
    let single = problem.worth.kind == Kind::Gain && field.rows.len() == field.a.len();
    for &line in &field.valued {
        if single {
            follow_document(
                problem,
                q,
                field,
                line as usize,
                &mut meetings.course,
                steps,
            );
        } else {
            follow_line(problem, q, field, line as usize, meetings, steps);
        }
    }
}

/// One document, a gain, and every other line one document too: its worth is a look at the discounts.
fn follow_document(
    problem: &Problem,
    q: usize,
    field: &Field,
    line: usize,
    course: &mut Course,
    steps: &mut Steps,
) {
    let (span, worth) = (problem.span, &problem.worth);
    let discount = worth.discounts(problem.qptr[q] as usize, field.rows.len());
    let depth = worth.depth.min(discount.len());
    crossings(field, span, line, 0..line, &mut course.rises);
    if line - course.rises.len() >= depth {
        return; // so many others stay above
    }
    crossings(
        field,
        span,
        line,
        line + 1..field.a.len(),
        &mut course.falls,
    );
    let at = |place: usize| worth.fixed(worth.scale[q] * (field.value[line] * discount[place]));
    course.walk(line, depth, at, steps);
}

/// When the line meets those of a range.
#[inline]
fn crossings(
    field: &Field,
    span: Span,
    line: usize,
    others: std::ops::Range<usize>,
    out: &mut Vec<u64>,
) {
    out.clear();
    for other in others {
        let alpha = field.overtakes(span, line.min(other), line.max(other));
        if alpha < span.hi {
            out.push(key_of(alpha));
        }
    }
}

/// Any line among any others: documents above it are counted, and the relevant ones of them.
fn follow_line(
    problem: &Problem,
    q: usize,
    field: &Field,
    line: usize,
    meetings: &mut Meetings,
    steps: &mut Steps,
) {
    let (span, worth, met) = (problem.span, &problem.worth, &mut meetings.met);
    let discount = worth.discounts(problem.qptr[q] as usize, field.rows.len());
    let counts_relevant = matches!(worth.kind, Kind::Ap | Kind::Rr);
    let of = |other: usize| {
        let found = if counts_relevant {
            field.value[other] as usize
        } else {
            0
        };
        (field.size[other] as usize, found)
    };
    let mut above = Above::default();
    let mut staying = 0;
    met.clear();
    for other in 0..field.a.len() {
        let (docs, found) = of(other);
        let alpha = field.overtakes(span, line.min(other), line.max(other));
        let meets = other != line && alpha < span.hi;
        if meets {
            met.push((key_of(alpha), other as u32));
        }
        if other < line {
            above.docs += docs;
            above.relevant += found;
            staying += if meets { 0 } else { docs };
        }
    }
    if staying >= worth.depth {
        return;
    }
    met.sort_unstable_by_key(|m| m.0);
    let at = |above: Above| worth.fixed(worth.scale[q] * worth.of(field, discount, line, above));
    let mut now = at(above);
    steps.start = steps.start.wrapping_add(now);
    for &(key, other) in met.iter() {
        let (docs, found) = of(other as usize);
        let before = above.docs;
        if (other as usize) < line {
            above.docs -= docs;
            above.relevant -= found;
        } else {
            above.docs += docs;
            above.relevant += found;
        }
        if before.min(above.docs) < worth.depth {
            let fresh = at(above);
            if fresh != now {
                steps.push(key, fresh.wrapping_sub(now));
                now = fresh;
            }
        }
    }
}
