//! One query as the measures see it: its labels in ranked order, its ties, its label levels.

use super::counting::Counter;
use super::spec::{Spec, Ties, LEVELS};
use crate::order::Ranking;

/// Labels of one query, ranked, and everything of it that several measures share.
#[derive(Default)]
pub struct Query {
    ranking: Ranking,
    counter: Counter,
    input: Vec<f32>,
    docid: Vec<f32>,
    ascending: Vec<f32>,
    ties: Vec<(u32, u32)>,
    /// All labels, in row order.
    pub all: Vec<f32>,
    /// Rows whose label is not 0.
    judged: Vec<u32>,
    /// How many documents have each label, when all labels are whole and small; else empty.
    counts: Vec<u32>,
    /// Ranks (from 0) of documents with a label of at least `ranks_rel`, in the order of the rows inside ties.
    ranks: Vec<u32>,
    ranks_key: Option<(u32, Ties)>,
    /// Scratch of the measures.
    pub gains: Vec<f64>,
    pub moments: Vec<f64>,
}

/// What some measure needs of a query.
#[derive(Default, Clone, Copy)]
pub struct Needs {
    pub top: usize,
    pub docid: bool,
    pub ascending: bool,
    pub counts: bool,
}

impl Query {
    /// The documents' labels, in the order of their rows.
    pub fn set_labels(&mut self, labels: &[f32], needs: Needs) {
        self.all.clear();
        self.all.extend_from_slice(labels);
        self.find_judged();
        if needs.counts {
            self.count();
        }
    }

    /// Ranks the documents of `set_labels` by some scores.
    pub fn rank(&mut self, scores: &[f64], tiebreak: Option<&[i64]>, needs: Needs) {
        let (n, labels) = (self.all.len(), &self.all[..]);
        self.ranks_key = None;
        self.ties.clear();
        if Counter::pays(n, self.judged.len()) && !needs.docid {
            self.input.clear();
            self.input.resize(n, 0.0);
            self.counter.place(
                scores,
                (labels, &self.judged),
                needs.top,
                &mut self.input,
                &mut self.ties,
            );
        } else {
            self.ranking.set(scores, needs.top);
            gather(&mut self.input, labels, &self.ranking.rows);
            self.ties.extend_from_slice(&self.ranking.ties);
        }
        if self.ties.is_empty() {
            return;
        }
        if needs.ascending {
            self.ascending.clone_from(&self.input);
            for &(a, b) in &self.ties {
                self.ascending[a as usize..b as usize].sort_unstable_by(f32::total_cmp);
            }
        }
        if let (true, Some(tiebreak)) = (needs.docid, tiebreak) {
            self.ranking.break_ties(tiebreak);
            gather(&mut self.docid, labels, &self.ranking.rows);
        }
    }

    fn find_judged(&mut self) {
        let n = self.all.len();
        self.judged.resize(n.max(self.judged.len()), 0);
        let mut found = 0;
        for (row, &label) in self.all.iter().enumerate() {
            self.judged[found] = row as u32; // written over unless the label is not 0
            found += usize::from(label != 0.0);
        }
        self.judged.truncate(found);
    }

    fn count(&mut self) {
        self.counts.clear();
        let mut left = self.all.len() as u32;
        for level in 0..LEVELS {
            if left == 0 {
                return;
            }
            let same = self.all.iter().map(|&y| u32::from(y == level as f32)).sum();
            self.counts.push(same);
            left -= same;
        }
        if left > 0 {
            self.counts.clear();
        }
    }

    /// The labels ranked as the tie policy says; for `Expected`, in a fixed order inside ties.
    pub fn ranked(&self, ties: Ties) -> &[f32] {
        match ties {
            _ if self.ties.is_empty() => &self.input,
            Ties::Input => &self.input,
            Ties::DocId => &self.docid,
            Ties::Expected | Ties::Worst => &self.ascending,
        }
    }

    /// Ranges of ranks that share a score and must be averaged; empty when the list is as good as strict.
    pub fn ties(&self, ties: Ties) -> &[(u32, u32)] {
        if ties == Ties::Expected {
            &self.ties
        } else {
            &[]
        }
    }

    pub fn n_docs(&self) -> usize {
        self.all.len()
    }

    /// Ranks, from 0, of the relevant documents as far as the query is ranked; found once for measures that agree on
    /// what is relevant and on ties.
    pub fn relevant_ranks(&mut self, spec: &Spec) -> &[u32] {
        let key = Some((spec.rel.to_bits(), spec.ties));
        if self.ranks_key != key {
            let mut ranks = std::mem::take(&mut self.ranks);
            let ranked = self.ranked(spec.ties);
            ranks.resize(ranked.len().max(ranks.len()), 0);
            let mut found = 0;
            for (rank, &label) in ranked.iter().enumerate() {
                ranks[found] = rank as u32;
                found += usize::from(spec.is_relevant(label));
            }
            ranks.truncate(found);
            self.ranks = ranks;
            self.ranks_key = key;
        }
        &self.ranks
    }

    pub fn n_relevant(&self, spec: &Spec) -> usize {
        count(spec, &self.all)
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
                let end = top.min(gains.len() + count as usize);
                gains.resize(
                    end,
                    if count > 0 {
                        spec.gain(level as f32)
                    } else {
                        0.0
                    },
                );
            }
        }
        self.gains = gains;
    }
}

pub fn count(spec: &Spec, labels: &[f32]) -> usize {
    let found: u32 = labels.iter().map(|&y| u32::from(spec.is_relevant(y))).sum();
    found as usize
}

fn gather(into: &mut Vec<f32>, labels: &[f32], rows: &[u32]) {
    into.clear();
    into.extend(rows.iter().map(|&r| labels[r as usize]));
}

/// The pieces of a ranked list: strict stretches between the tied ranges, and the tied ranges, in order.
pub fn pieces(n: usize, ties: &[(u32, u32)]) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
    let (mut at, mut next) = (0, 0);
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
