//! One query as the measures see it: its labels in ranked order, its ties, its label levels.

use super::spec::{Spec, Ties, LEVELS};
use crate::order::Ranking;

/// Labels of one query, ranked, and everything of it that several measures share.
#[derive(Default)]
pub struct Query {
    ranking: Ranking,
    input: Vec<f32>,
    docid: Vec<f32>,
    ascending: Vec<f32>,
    /// All labels, in row order.
    pub all: Vec<f32>,
    /// How many documents have each label, when all labels are whole and small; else empty.
    counts: Vec<u32>,
    /// Scratch of the measures.
    pub gains: Vec<f64>,
    pub moments: Vec<f64>,
}

/// Which of the ranked lists some measure needs.
#[derive(Default, Clone, Copy)]
pub struct Needs {
    pub top: usize,
    pub docid: bool,
    pub ascending: bool,
    pub counts: bool,
}

impl Query {
    pub fn set(&mut self, scores: &[f64], labels: &[f32], tiebreak: Option<&[i64]>, needs: Needs) {
        self.all.clear();
        self.all.extend_from_slice(labels);
        self.ranking.set(scores, needs.top);
        gather(&mut self.input, labels, &self.ranking.rows);
        if needs.counts {
            self.count(labels);
        }
        if self.ranking.ties.is_empty() {
            return;
        }
        if needs.ascending {
            self.ascending.clone_from(&self.input);
            for &(a, b) in &self.ranking.ties {
                self.ascending[a as usize..b as usize].sort_unstable_by(f32::total_cmp);
            }
        }
        if let (true, Some(tiebreak)) = (needs.docid, tiebreak) {
            self.ranking.break_ties(tiebreak);
            gather(&mut self.docid, labels, &self.ranking.rows);
        }
    }

    fn count(&mut self, labels: &[f32]) {
        self.counts.clear();
        self.counts.resize(LEVELS, 0);
        for &label in labels {
            let level = label as usize;
            if level >= LEVELS || level as f32 != label {
                self.counts.clear();
                return;
            }
            self.counts[level] += 1;
        }
    }

    /// The labels ranked as the tie policy says; for `Expected`, in any fixed order inside ties.
    pub fn ranked(&self, ties: Ties) -> &[f32] {
        match ties {
            _ if self.ranking.ties.is_empty() => &self.input,
            Ties::Input => &self.input,
            Ties::DocId => &self.docid,
            Ties::Expected | Ties::Worst => &self.ascending,
        }
    }

    /// Ranges of ranks that share a score and must be averaged; empty when the list is as good as strict.
    pub fn ties(&self, ties: Ties) -> &[(u32, u32)] {
        if ties == Ties::Expected {
            &self.ranking.ties
        } else {
            &[]
        }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn n_relevant(&self, spec: &Spec) -> usize {
        self.all.iter().filter(|&&y| spec.is_relevant(y)).count()
    }

    /// Whether any document has a gain.
    pub fn any_gain(&self, spec: &Spec) -> bool {
        self.all.iter().any(|&y| spec.gain(y) > 0.0)
    }

    /// The `top` largest gains, largest first, into `self.gains`.
    pub fn ideal_gains(&mut self, spec: &Spec, top: usize) {
        let mut gains = std::mem::take(&mut self.gains);
        gains.clear();
        if self.counts.is_empty() {
            gains.extend(self.all.iter().map(|&y| spec.gain(y)));
            gains.sort_unstable_by(|a, b| b.total_cmp(a));
            gains.truncate(top);
        } else {
            for (level, &count) in self.counts.iter().enumerate().rev() {
                let left = top - gains.len();
                let gain = if count > 0 {
                    spec.gain(level as f32)
                } else {
                    0.0
                };
                gains.extend(std::iter::repeat_n(gain, left.min(count as usize)));
            }
        }
        self.gains = gains;
    }
}

fn gather(into: &mut Vec<f32>, labels: &[f32], rows: &[u32]) {
    into.clear();
    into.extend(rows.iter().map(|&r| labels[r as usize]));
}

/// The pieces of a ranked list: strict stretches between the tied ranges, and the tied ranges, in order.
pub fn pieces(n: usize, ties: &[(u32, u32)]) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
    let mut at = 0;
    let mut next = 0;
    std::iter::from_fn(move || {
        if at >= n {
            return None;
        }
        let (a, b) = ties
            .get(next)
            .map_or((n, n), |&(a, b)| (a as usize, b as usize));
        let piece = if at < a { (at, a, false) } else { (a, b, true) };
        if piece.2 {
            next += 1;
        }
        at = piece.1;
        Some(piece)
    })
}
