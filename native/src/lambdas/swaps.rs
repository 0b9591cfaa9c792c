//! ΔE of swapping two documents, for each kind of measure, as rows for the inner loop.
//!
//! Of most measures it is a product |value_a − value_b| · |X_a − X_b| with one number X per rank:
//!
//!     Σ gain × discount    X = discount
//!     average precision    X = T where the upper document is relevant, T + 1/rank where the lower one is;
//!                          T(r) = found(r)/r − Σ_{s ≤ r} relevant(s)/s
//!     reciprocal rank      a above the first relevant document f:  X_a = 1/a, X_b = 1/f
//!                          a = f: X_a = 1/f, X_b = 1/min(b, rank of the second)
//!
//! Where it is none, a whole row of ΔE is worked out before the loop: expected reciprocal rank and numbers of pairs.

use super::rows::{add_row, How, Row, Rows};
use crate::sweep::worth::{Kind, Worth};

#[derive(Default)]
pub struct Scratch {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    levels: Levels,
}

impl Scratch {
    pub fn query(
        &mut self,
        worth: &Worth,
        from: usize,
        scale: f64,
        depth: usize,
        rows: &mut Rows,
        how: How,
    ) {
        match worth.kind {
            Kind::Gain => {
                let discount = worth.discounts(from, rows.value.len());
                self.gains(discount, scale, depth, rows, how)
            }
            Kind::Ap => self.average_precision(scale, depth, rows, how),
            Kind::Rr => self.reciprocal_rank(scale, depth, rows, how),
            Kind::Err => self.cascade(scale, depth, rows, how),
            Kind::Pairs => self.pairs(scale, rows, how),
        }
    }

    fn gains(&mut self, discount: &[f64], scale: f64, depth: usize, rows: &mut Rows, how: How) {
        let n = rows.value.len();
        clear(&mut self.x, n);
        for (x, &d) in self.x[..depth].iter_mut().zip(discount) {
            *x = d * scale;
        }
        for a in 0..depth {
            product(rows, a, self.x[a], &self.x[a + 1..], how);
        }
    }

    fn average_precision(&mut self, scale: f64, depth: usize, rows: &mut Rows, how: How) {
        let n = rows.value.len();
        clear(&mut self.x, n);
        clear(&mut self.y, n);
        let (mut found, mut summed) = (0.0, 0.0);
        for r in 0..n {
            let inverse = if r < depth { 1.0 / (r + 1) as f64 } else { 0.0 };
            found += rows.value[r];
            summed += rows.value[r] * inverse;
            self.x[r] = (found * inverse - summed) * scale;
            self.y[r] = self.x[r] + inverse * scale;
        }
        for a in 0..depth {
            let table = if rows.value[a] > 0.0 {
                &self.x
            } else {
                &self.y
            };
            product(rows, a, table[a], &table[a + 1..], how);
        }
    }

    fn reciprocal_rank(&mut self, scale: f64, depth: usize, rows: &mut Rows, how: How) {
        let n = rows.value.len();
        let worth = |r: usize| {
            if r < depth {
                scale / (r + 1) as f64
            } else {
                0.0
            }
        };
        let mut relevant = (0..n).filter(|&r| rows.value[r] > 0.0);
        let Some(first) = relevant.next() else {
            return;
        };
        let second = relevant.next().unwrap_or(n);
        clear(&mut self.x, n);
        self.x[first..].fill(worth(first));
        for a in 0..first.min(depth) {
            let below = Row {
                a,
                from: first,
                worth_a: worth(a),
                worth: &self.x[first..],
                by_sign: false,
                how,
            };
            add_row(rows, below);
        }
        if first < depth {
            for b in first + 1..n {
                self.x[b] = worth(b.min(second));
            }
            product(rows, first, worth(first), &self.x[first + 1..], how);
        }
    }

    /// ERR: a swap changes both documents' terms, and for all between them the chance to be reached.
    fn cascade(&mut self, scale: f64, depth: usize, rows: &mut Rows, how: How) {
        let n = rows.value.len();
        let (x, reached, summed) = (&mut self.x, &mut self.y, &mut self.z);
        clear(x, n);
        clear(reached, n); // the chance that a reader comes to rank r, over r
        clear(summed, n); // Σ over ranks up to r of their terms
        let (mut going, mut sum) = (scale, 0.0);
        for r in 0..n {
            reached[r] = if r < depth {
                going / (r + 1) as f64
            } else {
                0.0
            };
            going *= 1.0 - rows.value[r];
            sum += reached[r] * rows.value[r];
            summed[r] = sum;
        }
        for a in 0..depth {
            let stop_a = rows.value[a];
            let one_less = 1.0 / (1.0 - stop_a);
            for b in a + 1..n {
                let stop_b = rows.value[b];
                let factor = (1.0 - stop_b) * one_less;
                let between = summed[b] - reached[b] * stop_b - summed[a];
                x[b] = reached[a] * (stop_b - stop_a)
                    + between * (factor - 1.0)
                    + reached[b] * (stop_a * factor - stop_b);
            }
            by_sign(rows, a, &x[a + 1..], how);
        }
    }

    /// Kendall's τ and AUC: the swap turns the pair itself, and both documents' pairs with all between them.
    /// With W_l(r) = Σ_{s ≤ r} sign(value_s − l): ΔE = W_{l(b)}(b) − W_{l(b)}(a) − W_{l(a)}(b) + W_{l(a)}(a).
    fn pairs(&mut self, scale: f64, rows: &mut Rows, how: How) {
        let n = rows.value.len();
        clear(&mut self.x, n);
        clear(&mut self.y, n);
        self.levels.set(&rows.value);
        let levels = &mut self.levels;
        for b in 0..n {
            levels.pass(b);
            self.y[b] = levels.sum_of(b); // W_{l(b)}(b)
        }
        levels.restart();
        for a in 0..n {
            levels.pass(a);
            let mut sum_a = 0.0; // W_{l(a)}(b) − W_{l(a)}(a)
            for b in a + 1..n {
                sum_a += sign(rows.value[b] - rows.value[a]);
                self.x[b] = (self.y[b] - levels.sum_of(b) - sum_a) * scale;
            }
            by_sign(rows, a, &self.x[a + 1..], how);
        }
    }
}

/// For each different value l, Σ over the documents passed of sign(value − l).
#[derive(Default)]
struct Levels {
    sorted: Vec<f64>,
    level: Vec<usize>,
    sums: Vec<f64>,
}

impl Levels {
    fn set(&mut self, values: &[f64]) {
        self.sorted.clear();
        self.sorted.extend_from_slice(values);
        self.sorted.sort_unstable_by(f64::total_cmp);
        self.sorted.dedup();
        let sorted = &self.sorted;
        self.level.clear();
        self.level
            .extend(values.iter().map(|&v| sorted.partition_point(|&l| l < v)));
        self.restart();
    }

    fn restart(&mut self) {
        clear(&mut self.sums, self.sorted.len());
    }

    fn pass(&mut self, r: usize) {
        let here = self.level[r];
        self.sums[..here].iter_mut().for_each(|s| *s += 1.0);
        self.sums[here + 1..].iter_mut().for_each(|s| *s -= 1.0);
    }

    fn sum_of(&self, r: usize) -> f64 {
        self.sums[self.level[r]]
    }
}

fn product(rows: &mut Rows, a: usize, worth_a: f64, worth: &[f64], how: How) {
    let row = Row {
        a,
        from: a + 1,
        worth_a,
        worth,
        by_sign: false,
        how,
    };
    add_row(rows, row);
}

fn by_sign(rows: &mut Rows, a: usize, change: &[f64], how: How) {
    let row = Row {
        a,
        from: a + 1,
        worth_a: 0.0,
        worth: change,
        by_sign: true,
        how,
    };
    add_row(rows, row);
}

fn clear(numbers: &mut Vec<f64>, n: usize) {
    numbers.clear();
    numbers.resize(n, 0.0);
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
