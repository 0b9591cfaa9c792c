//! Measures of pairs and of sets: Kendall's distance, area under the ROC curve, overlap of the tops.

use super::query::{count, pieces, Query};
use super::spec::Spec;

/// Share of discordant pairs among pairs with different labels; a pair tied in score counts ½ when averaged.
pub fn kendall(spec: &Spec, query: &mut Query) -> Option<f64> {
    let mut levels = std::mem::take(&mut query.gains);
    let mut tree = std::mem::take(&mut query.moments);
    levels.clear();
    levels.extend(query.all.iter().map(|&y| f64::from(y)));
    levels.sort_unstable_by(f64::total_cmp);
    let n = levels.len();
    let same: usize = levels
        .chunk_by(|a, b| a == b)
        .map(|c| c.len() * (c.len() - 1) / 2)
        .sum();
    let different = (n * n.saturating_sub(1) / 2 - same) as f64;
    levels.dedup();
    let value = (different > 0.0).then(|| discordant(spec, query, &levels, &mut tree) / different);
    query.gains = levels;
    query.moments = tree;
    value
}

/// For each document, the documents ranked above it whose label is lower: a prefix count in a Fenwick tree.
fn discordant(spec: &Spec, query: &Query, levels: &[f64], tree: &mut Vec<f64>) -> f64 {
    let ranked = query.ranked(spec.ties);
    tree.clear();
    tree.resize(levels.len() + 1, 0.0);
    let level = |y: f32| levels.partition_point(|&l| l < f64::from(y));
    let mut sum = 0.0;
    let seen = |y: f32, tree: &mut [f64]| {
        let at = level(y);
        let (mut below, mut i) = (0.0, at);
        while i > 0 {
            below += tree[i];
            i &= i - 1;
        }
        let mut i = at + 1;
        while i < tree.len() {
            tree[i] += 1.0;
            i += i & i.wrapping_neg();
        }
        below
    };
    let mut tied_pairs = 0.0;
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        // labels ascend inside an averaged tie, so that all its pairs come out discordant; half of them are taken back
        sum += ranked[a..b].iter().map(|&y| seen(y, tree)).sum::<f64>();
        if tied {
            let same: usize = ranked[a..b]
                .chunk_by(|x, y| x == y)
                .map(|c| c.len() * (c.len() - 1) / 2)
                .sum();
            tied_pairs += ((b - a) * (b - a - 1) / 2 - same) as f64;
        }
    }
    sum - tied_pairs / 2.0
}

/// Share of (relevant, other) pairs in the right order; a pair tied in score counts ½ when averaged.
pub fn auc(spec: &Spec, query: &mut Query) -> Option<f64> {
    let relevant = query.n_relevant(spec);
    let others = query.n_docs() - relevant;
    if relevant == 0 || others == 0 {
        return None;
    }
    if query.ties(spec.ties).is_empty() {
        let ranks = query.relevant_ranks(spec);
        let wrong: usize = ranks
            .iter()
            .enumerate()
            .map(|(above, &rank)| rank as usize - above)
            .sum();
        return Some((relevant * others - wrong) as f64 / (relevant as f64 * others as f64));
    }
    let ranked = query.ranked(spec.ties);
    let (mut above, mut right) = (0.0, 0.0);
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        let step = if tied { b - a } else { 1 };
        for same in ranked[a..b].chunks(step) {
            let r = count(spec, same) as f64;
            right += (above + 0.5 * r) * (same.len() as f64 - r);
            above += r;
        }
    }
    Some(right / (relevant as f64 * others as f64))
}

/// |top k by score ∩ top k by label| / k, averaged over the orders of equal labels: a document counts with the share
/// of those orders that put it among the top k.
pub fn overlap(spec: &Spec, query: &mut Query) -> Option<f64> {
    if query.all.iter().all(|y| *y == query.all[0]) {
        return None;
    }
    let top = query.n_docs().min(spec.k);
    let mut sorted = std::mem::take(&mut query.gains);
    sorted.clear();
    sorted.extend(query.all.iter().map(|&y| f64::from(y)));
    let edge = *sorted
        .select_nth_unstable_by(top - 1, |a, b| b.total_cmp(a))
        .1;
    let higher = sorted.iter().filter(|&&y| y > edge).count();
    let equal = sorted.iter().filter(|&&y| y == edge).count();
    query.gains = sorted;
    let share = (top - higher) as f64 / equal as f64;
    let member = |y: f32| match f64::from(y) {
        y if y > edge => 1.0,
        y if y == edge => share,
        _ => 0.0,
    };
    let ranked = query.ranked(spec.ties);
    let mut sum = 0.0;
    for (a, b, tied) in pieces(ranked.len(), query.ties(spec.ties)) {
        if a >= top {
            break;
        }
        let end = b.min(top);
        let held = |docs: &[f32]| docs.iter().map(|&y| member(y)).sum::<f64>();
        sum += if tied {
            held(&ranked[a..b]) * ((end - a) as f64 / (b - a) as f64)
        } else {
            held(&ranked[a..end])
        };
    }
    Some(sum / if spec.k == usize::MAX { top } else { spec.k } as f64)
}
