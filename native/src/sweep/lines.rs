//! Documents as lines in α: their order just after `lo`, where two of them cross, and which can ever be among the
//! first k.

use super::worth::Kind;
use super::Problem;
use crate::order::descending_key;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The range of α, and what a score is at α: a + αb, or (1 − α)a + αb when convex.
#[derive(Clone, Copy)]
pub struct Span {
    pub lo: f64,
    pub hi: f64,
    pub convex: bool,
}

fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let part = sum - x;
    (sum, (x - (sum - part)) + (y - part))
}

fn two_product(x: f64, y: f64) -> (f64, f64) {
    let product = x * y;
    (product, x.mul_add(y, -product))
}

impl Span {
    /// How far a score at α may be off, with room to spare.
    fn margin(&self, a: f64, b: f64, alpha: f64) -> f64 {
        let moved = if alpha.is_infinite() { b } else { alpha * b };
        1e-12 * (a.abs() + moved.abs())
    }

    /// The score at α to twice the precision of a float: its nearest float and the rest.
    pub fn score(&self, a: f64, b: f64, alpha: f64) -> (f64, f64) {
        if alpha == 0.0 {
            return (a, 0.0);
        }
        if alpha.is_infinite() {
            return (b * alpha.signum(), a); // the order there: by b, then by a
        }
        let (right, right_rest) = two_product(alpha, b);
        let (left, left_rest) = if self.convex {
            let (share, share_rest) = two_sum(1.0, -alpha);
            let (product, rest) = two_product(share, a);
            (product, rest + share_rest * a)
        } else {
            (a, 0.0)
        };
        let (sum, rest) = two_sum(left, right);
        two_sum(sum, rest + (left_rest + right_rest))
    }

    /// Where the line below, which must rise faster, overtakes the one above. Differences of floats are rounded once
    /// and nothing cancels afterwards: the relative error is below 2⁻⁵⁰ however close the lines are.
    #[inline]
    pub fn crossing(&self, above: (f64, f64), below: (f64, f64)) -> f64 {
        let (da, db) = (above.0 - below.0, below.1 - above.1);
        if self.convex {
            da / (da + db)
        } else {
            da / db
        }
    }
}

/// A whole number that ascends as α does: what crossings are sorted by.
#[inline]
pub fn key_of(alpha: f64) -> u64 {
    !descending_key(alpha)
}

/// The α of a key.
#[inline]
pub fn alpha_of(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key ^ 1 << 63 } else { !key })
}

/// The lines of one query in their order just after `lo`. Documents with equal a and b are one line when ties are
/// averaged; else they keep the order of the tie policy for ever.
#[derive(Default)]
pub struct Field {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// Documents on the line, and where they begin in `rows`.
    pub size: Vec<u32>,
    pub first: Vec<u32>,
    /// Rows of the query, line by line.
    pub rows: Vec<u32>,
    /// What the line is worth: mean gain, relevant documents.
    pub value: Vec<f64>,
    /// Lines that can move the measure.
    pub valued: Vec<u32>,
    /// For ERR, line by line from `first[line] + line`: the mean chance of reading on past 0, 1, ... of its documents.
    pub reading: Vec<f64>,
    keyed: Vec<(u64, u64, u32)>,
    ends: BinaryHeap<u64>,
}

impl Field {
    pub fn set(&mut self, problem: &Problem, from: usize, to: usize) {
        let (a, b) = (&problem.a[from..to], &problem.b[from..to]);
        self.sort(problem, from, a, b);
        self.join(problem, a, b);
        // where nearly all are among the first k anyway, looking for the others does not pay
        if 2 * problem.worth.depth.min(self.a.len()) < self.a.len()
            && problem.worth.kind != Kind::Pairs
        {
            self.keep_reachable(problem.span, problem.worth.depth);
        }
        problem.worth.value_lines(from, self);
        if problem.worth.kind == Kind::Rr {
            self.value_leaders_only(problem.span);
        }
    }

    fn sort(&mut self, problem: &Problem, from: usize, a: &[f64], b: &[f64]) {
        let span = problem.span;
        self.keyed.clear();
        for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
            let (score, rest) = span.score(a, b, span.lo);
            // at 0 the scores are exact, and the faster line is above from there on
            let second = if span.lo == 0.0 { b } else { rest };
            let keys = (descending_key(score), descending_key(second));
            self.keyed.push((keys.0, keys.1, i as u32));
        }
        let descending = |x: f64, y: f64| y.partial_cmp(&x).unwrap_or(Ordering::Equal);
        let tiebreak = problem.tiebreak.map(|t| &t[from..from + a.len()]);
        self.keyed.sort_unstable_by(|x, y| {
            x.0.cmp(&y.0).then_with(|| x.1.cmp(&y.1)).then_with(|| {
                let (i, j) = (x.2 as usize, y.2 as usize);
                descending(b[i], b[j])
                    .then_with(|| descending(a[i], a[j]))
                    .then_with(|| tiebreak.map_or(Ordering::Equal, |t| t[i].cmp(&t[j])))
                    .then(i.cmp(&j))
            })
        });
    }

    fn join(&mut self, problem: &Problem, a: &[f64], b: &[f64]) {
        for list in [&mut self.a, &mut self.b] {
            list.clear();
        }
        for list in [&mut self.size, &mut self.first, &mut self.rows] {
            list.clear();
        }
        for (at, &(_, _, row)) in self.keyed.iter().enumerate() {
            let line = (a[row as usize], b[row as usize]);
            let same = problem.tiebreak.is_none()
                && self.a.last() == Some(&line.0)
                && self.b.last() == Some(&line.1);
            if same {
                *self.size.last_mut().unwrap_or(&mut 0) += 1;
            } else {
                self.a.push(line.0);
                self.b.push(line.1);
                self.size.push(1);
                self.first.push(at as u32);
            }
            self.rows.push(row);
        }
    }

    /// Drops the lines that have k others above them at both ends, and so everywhere: a line once overtaken stays
    /// below. Ends are compared with a margin for their rounding, in favour of keeping.
    fn keep_reachable(&mut self, span: Span, k: usize) {
        let mut kept = 0;
        self.ends.clear(); // keys of the k highest ends so far; the largest key is the lowest of them
        for i in 0..self.a.len() {
            let (a, b) = (self.a[i], self.b[i]);
            let end = span.score(a, b, span.hi).0;
            let margin = span.margin(a, b, span.hi);
            let (low, high) = (descending_key(end - margin), descending_key(end + margin));
            match self.ends.peek() {
                Some(&kth) if self.ends.len() == k => {
                    if high > kth {
                        continue;
                    }
                    if low < kth {
                        self.ends.pop();
                        self.ends.push(low);
                    }
                }
                _ => self.ends.push(low),
            }
            self.a[kept] = a;
            self.b[kept] = b;
            self.size[kept] = self.size[i];
            self.first[kept] = self.first[i];
            kept += 1;
        }
        for list in [&mut self.a, &mut self.b] {
            list.truncate(kept);
        }
        for list in [&mut self.size, &mut self.first] {
            list.truncate(kept);
        }
    }

    /// Of the valued lines, keeps those that can ever be the highest of them; the others have one above them
    /// everywhere. They keep their documents, but no value.
    pub fn value_leaders_only(&mut self, span: Span) {
        let mut best = f64::NEG_INFINITY;
        let (a, b, value) = (&self.a, &self.b, &mut self.value);
        self.valued.retain(|&line| {
            let (a, b) = (a[line as usize], b[line as usize]);
            let end = span.score(a, b, span.hi).0;
            let margin = span.margin(a, b, span.hi);
            let leads = end + margin >= best;
            best = best.max(end - margin);
            if !leads {
                value[line as usize] = 0.0;
            }
            leads
        });
    }

    /// When line `below` overtakes line `above`, which it has not done yet; infinity for never. Lines are numbered in
    /// their order just after `lo`, and a line overtakes another at most once, so a pair whose numbers are out of
    /// order has crossed already.
    #[inline]
    pub fn overtakes(&self, span: Span, above: usize, below: usize) -> f64 {
        if above > below || self.b[below] <= self.b[above] {
            return f64::INFINITY;
        }
        let above = (self.a[above], self.b[above]);
        span.crossing(above, (self.a[below], self.b[below]))
            .max(span.lo)
    }
}
