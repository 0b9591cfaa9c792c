//! Two trees over lines whose scores move: who leads now, and until when that is certain.

use super::lines::{Field, Span};

/// The smallest of numbers that change one at a time.
pub struct Soonest {
    n: usize,
    tree: Vec<f64>,
}

impl Soonest {
    pub fn new(times: &[f64]) -> Soonest {
        let n = times.len().next_power_of_two();
        let mut tree = vec![f64::INFINITY; 2 * n];
        tree[n..n + times.len()].copy_from_slice(times);
        for node in (1..n).rev() {
            tree[node] = tree[2 * node].min(tree[2 * node + 1]);
        }
        Soonest { n, tree }
    }

    pub fn set(&mut self, at: usize, time: f64) {
        let mut node = self.n + at;
        self.tree[node] = time;
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].min(self.tree[2 * node + 1]);
        }
    }

    /// The first place that holds the smallest number, and the number.
    pub fn min(&self) -> (usize, f64) {
        let time = self.tree[1];
        let mut node = 1;
        while node < self.n {
            node = 2 * node + usize::from(self.tree[2 * node] != time);
        }
        (node - self.n, time)
    }
}

/// A kinetic tournament: the highest of the lines in it, and the α at which some match inside must be played again.
pub struct Tournament {
    n: usize,
    /// The line at each leaf.
    lines: Vec<u32>,
    /// Per node, the leaf that leads it and when that stops being certain.
    leader: Vec<u32>,
    until: Vec<f64>,
}

impl Tournament {
    /// Lines from `first` on, in their order just after `lo`.
    pub fn new(field: &Field, span: Span, first: usize) -> Tournament {
        let n = field.a.len() - first;
        let mut made = Tournament {
            n,
            lines: (first as u32..field.a.len() as u32).collect(),
            leader: (0..2 * n)
                .map(|node| node.saturating_sub(n) as u32)
                .collect(),
            until: vec![f64::INFINITY; 2 * n],
        };
        for node in (1..n).rev() {
            made.play(field, span, node, f64::NEG_INFINITY);
        }
        made
    }

    pub fn leading_line(&self) -> Option<usize> {
        (self.n > 0).then(|| self.lines[self.leader[1] as usize] as usize)
    }

    pub fn until(&self) -> f64 {
        if self.n > 0 {
            self.until[1]
        } else {
            f64::INFINITY
        }
    }

    /// Plays again whatever was certain only until `now`.
    pub fn advance(&mut self, field: &Field, span: Span, now: f64) {
        self.replay(field, span, now, 1);
    }

    fn replay(&mut self, field: &Field, span: Span, now: f64, node: usize) {
        if node < self.n && self.until[node] <= now {
            self.replay(field, span, now, 2 * node);
            self.replay(field, span, now, 2 * node + 1);
            self.play(field, span, node, now);
        }
    }

    /// Puts another line in the place of the leader.
    pub fn replace_leader(&mut self, field: &Field, span: Span, now: f64, line: usize) {
        let leaf = self.leader[1] as usize;
        self.lines[leaf] = line as u32;
        let mut node = (leaf + self.n) / 2;
        while node > 0 {
            self.play(field, span, node, now);
            node /= 2;
        }
    }

    fn play(&mut self, field: &Field, span: Span, node: usize, now: f64) {
        let (left, right) = (2 * node, 2 * node + 1);
        let (x, y) = (self.leader[left], self.leader[right]);
        let line = |leaf: u32| self.lines[leaf as usize] as usize;
        let (above, below) = if line(x) < line(y) { (x, y) } else { (y, x) };
        let time = field.overtakes(span, line(above), line(below));
        let settled = self.until[left].min(self.until[right]);
        (self.leader[node], self.until[node]) = if time <= now {
            (below, settled)
        } else {
            (above, settled.min(time))
        };
    }
}
