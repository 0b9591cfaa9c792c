//! The first k lines in order, and a tournament of the others for who enters next. Only exchanges that touch the
//! first k are visited; the tournament replays O(log n) matches for each of its own changes.

use super::lines::{key_of, Field};
use super::tournament::{Soonest, Tournament};
use super::worth::{Above, Kind};
use super::{Problem, Steps};

struct Top<'a> {
    problem: &'a Problem<'a>,
    field: &'a Field,
    discount: &'a [f64],
    scale: f64,
    lines: Vec<usize>,
    above: Vec<Above>,
    worth: Vec<i64>,
}

impl Top<'_> {
    /// Values the lines at places `from..to` anew; returns whether any changed, and the change of their sum.
    fn value(&mut self, from: usize, to: usize) -> (bool, i64) {
        let (mut moved, mut change) = (false, 0i64);
        for p in from..to {
            let line = self.lines[p];
            let worth = &self.problem.worth;
            let value = worth.of(self.field, self.discount, line, self.above[p]);
            let fresh = worth.fixed(self.scale * value);
            moved |= fresh != self.worth[p];
            change = change.wrapping_add(fresh.wrapping_sub(self.worth[p]));
            self.worth[p] = fresh;
            if p + 1 < to {
                self.above[p + 1] = self.under(p);
            }
        }
        (moved, change)
    }

    fn under(&self, p: usize) -> Above {
        let (line, above) = (self.lines[p], self.above[p]);
        let found = match self.problem.worth.kind {
            Kind::Ap | Kind::Rr => self.field.value[line] as usize,
            _ => 0,
        };
        Above {
            docs: above.docs + self.field.size[line] as usize,
            relevant: above.relevant + found,
            reading: above.reading * self.problem.worth.past(self.field, line),
        }
    }
}

pub fn sweep(problem: &Problem, q: usize, field: &Field, steps: &mut Steps) {
    let (span, worth) = (problem.span, &problem.worth);
    let k = worth.depth.min(field.a.len());
    let mut top = Top {
        problem,
        field,
        discount: worth.discounts(problem.qptr[q] as usize, field.rows.len()),
        scale: worth.scale[q],
        lines: (0..k).collect(),
        above: vec![
            Above {
                reading: 1.0,
                ..Above::default()
            };
            k
        ],
        worth: vec![0; k],
    };
    steps.start = steps.start.wrapping_add(top.value(0, k).1);
    let mut others = Tournament::new(field, span, k);
    let exchange = |top: &Top, others: &Tournament, p: usize| {
        let next = if p + 1 < k {
            Some(top.lines[p + 1])
        } else {
            others.leading_line()
        };
        next.map_or(f64::INFINITY, |below| {
            field.overtakes(span, top.lines[p], below)
        })
    };
    let times: Vec<f64> = (0..k).map(|p| exchange(&top, &others, p)).collect();
    let mut soonest = Soonest::new(&times);
    let mut now = span.lo;
    loop {
        let (p, time) = soonest.min();
        if time.min(others.until()) >= span.hi {
            return;
        }
        now = now.max(time.min(others.until()));
        if others.until() <= now {
            others.advance(field, span, now);
            soonest.set(k - 1, exchange(&top, &others, k - 1));
            continue;
        }
        let change = if p + 1 < k {
            top.lines.swap(p, p + 1);
            top.value(p, p + 2)
        } else {
            let Some(line) = others.leading_line() else {
                return;
            };
            others.replace_leader(field, span, now, top.lines[p]);
            top.lines[p] = line;
            top.value(p, p + 1)
        };
        for place in p.saturating_sub(1)..(p + 2).min(k) {
            soonest.set(place, exchange(&top, &others, place));
        }
        if change.0 {
            steps.push(key_of(now), change.1);
        }
    }
}
