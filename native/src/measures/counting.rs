//! The ranks of a few documents without sorting the rest: a document's rank is the number of documents above it.
//!
//! Documents with label 0 all look alike to a measure, so only the others need a rank. Counting compares the upper
//! halves of the scores, eight at a time; only documents that share one are compared in full.

const LANES: usize = 32; // what the loop is unrolled to

#[derive(Default)]
pub struct Counter {
    halves: Vec<i32>,
    counts: Vec<(u32, u32)>,
}

/// The upper half of a score as an integer that rises with it; −0.0 and 0.0 share one.
#[inline(always)]
fn half(score: f64) -> i32 {
    let upper = ((score + 0.0).to_bits() >> 32) as i32;
    upper ^ (((upper >> 31) as u32) >> 1) as i32
}

impl Counter {
    /// Whether counting beats sorting for a query of `n` documents, `few` of them to be ranked.
    pub fn pays(n: usize, few: usize) -> bool {
        few * (n + 40) < 24 * n * (usize::BITS - n.leading_zeros()) as usize
    }

    /// Puts each label in `rows` at its rank in `ranked`, which holds zeros; equal scores by row. Records the tied
    /// ranges that hold one of them in `ties`.
    pub fn place(
        &mut self,
        scores: &[f64],
        labels: &[f32],
        rows: &[u32],
        ranked: &mut [f32],
        ties: &mut Vec<(u32, u32)>,
    ) {
        self.count(scores, rows);
        for (&row, &(above, same)) in rows.iter().zip(&self.counts) {
            let rank = if same == 1 {
                above
            } else {
                let (above, before, same) = in_full(scores, row as usize);
                if same > 1 {
                    ties.push((above, above + same));
                }
                above + before
            };
            ranked[rank as usize] = labels[row as usize];
        }
        ties.sort_unstable();
        ties.dedup();
    }

    fn count(&mut self, scores: &[f64], rows: &[u32]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just been asked whether it has AVX2.
            return unsafe { self.count_avx2(scores, rows) };
        }
        self.count_plain(scores, rows);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn count_avx2(&mut self, scores: &[f64], rows: &[u32]) {
        self.count_plain(scores, rows);
    }

    #[inline(always)]
    fn count_plain(&mut self, scores: &[f64], rows: &[u32]) {
        self.halves.clear();
        self.halves.extend(scores.iter().map(|&s| half(s)));
        let padded = scores.len().next_multiple_of(LANES);
        self.halves.resize(padded, i32::MIN); // below every number
        self.counts.clear();
        for &row in rows {
            let key = self.halves[row as usize];
            let (mut above, mut same) = (0u32, 0u32);
            for &other in &self.halves {
                above += u32::from(other > key);
                same += u32::from(other == key);
            }
            self.counts.push((above, same));
        }
    }
}

/// How many documents score more than `row`, how many earlier rows score the same, and how many rows do in all.
fn in_full(scores: &[f64], row: usize) -> (u32, u32, u32) {
    let score = scores[row];
    let count = |docs: &[f64], f: fn(f64, f64) -> bool| {
        docs.iter().map(|&s| u32::from(f(s, score))).sum::<u32>()
    };
    let before = count(&scores[..row], |a, b| a == b);
    let after = count(&scores[row + 1..], |a, b| a == b);
    (count(scores, |a, b| a > b), before, before + 1 + after)
}
