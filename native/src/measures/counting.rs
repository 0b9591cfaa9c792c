//! The ranks of a few documents without sorting the rest: a document's rank is the number of documents above it.
//!
//! Documents with label 0 all look alike to a measure, so only the others need a rank; and of those, where only the
//! first ranks count, only the documents that may be among them. Counting compares 32-bit keys, eight at a time. Where
//! every score is a single-precision number, as a feature's values are, a key is the score; else it is the score's
//! upper half, and only documents that share one are compared in full.

const LANES: usize = 32; // what the loop is unrolled to
/// Documents to rank from which it pays to find first who may be among the first ranks.
const MANY: usize = 16;

#[derive(Default)]
pub struct Counter {
    keys: Vec<i32>,
    spare: Vec<i32>,
    /// Size of the tie that begins at each rank, and the ranks where one begins, as bits.
    tied: Vec<u32>,
    begins: Vec<u64>,
}

/// How many documents score more than one, how many earlier rows score the same, and how many rows do in all.
#[derive(Clone, Copy)]
struct Count {
    above: u32,
    before: u32,
    same: u32,
}

/// The bits of a single-precision number, or the upper half of another's, as an integer that rises with it.
#[inline(always)]
fn rising(bits: u32) -> i32 {
    let signed = bits as i32;
    signed ^ (((signed >> 31) as u32) >> 1) as i32
}

impl Counter {
    /// Whether counting beats sorting for a query of `n` documents, `few` of them to be ranked.
    pub fn pays(n: usize, few: usize) -> bool {
        few * (n + 40) < 24 * n * (usize::BITS - n.leading_zeros()) as usize
    }

    /// Puts each label in `rows` at its rank in `ranked`, which holds zeros; equal scores by row. Records the tied
    /// ranges that hold one of them in `ties`. Ranks from `top` on may be left out, but never a part of a tie.
    pub fn place(
        &mut self,
        scores: &[f64],
        judged: (&[f32], &[u32]),
        top: usize,
        ranked: &mut [f32],
        ties: &mut Vec<(u32, u32)>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just been asked whether it has AVX2.
            return unsafe { self.place_avx2(scores, judged, top, ranked, ties) };
        }
        self.place_plain(scores, judged, top, ranked, ties);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn place_avx2(
        &mut self,
        scores: &[f64],
        judged: (&[f32], &[u32]),
        top: usize,
        ranked: &mut [f32],
        ties: &mut Vec<(u32, u32)>,
    ) {
        self.place_plain(scores, judged, top, ranked, ties);
    }

    #[inline(always)]
    fn place_plain(
        &mut self,
        scores: &[f64],
        (labels, rows): (&[f32], &[u32]),
        top: usize,
        ranked: &mut [f32],
        ties: &mut Vec<(u32, u32)>,
    ) {
        let exact = self.find_keys(scores);
        let least = if rows.len() >= MANY {
            self.least_of(scores.len(), top)
        } else {
            i32::MIN
        };
        for &row in rows {
            let key = self.keys[row as usize];
            if key < least {
                continue;
            }
            let (above, same) = above_and_same(&self.keys, key);
            let mut count = Count {
                above,
                before: 0,
                same,
            };
            if same > 1 && exact {
                count.before = above_and_same(&self.keys[..row as usize], key).1;
            } else if same > 1 {
                count = in_full(scores, row as usize);
            }
            if count.same > 1 {
                self.record_tie(scores.len(), count);
            }
            ranked[(count.above + count.before) as usize] = labels[row as usize];
        }
        self.collect_ties(ties);
    }

    /// A key below which no document is among the first `top` of n.
    #[inline(always)]
    fn least_of(&mut self, n: usize, top: usize) -> i32 {
        if top >= n / 4 || top == 0 {
            return i32::MIN;
        }
        self.spare.clear();
        self.spare.extend_from_slice(&self.keys[..n]);
        *self.spare.select_nth_unstable(n - top).1
    }

    #[inline(always)]
    fn record_tie(&mut self, n: usize, count: Count) {
        if self.begins.is_empty() {
            self.begins.resize(n / 64 + 1, 0);
            self.tied.resize(n.max(self.tied.len()), 0);
        }
        let first = count.above as usize;
        self.begins[first / 64] |= 1 << (first % 64);
        self.tied[first] = count.same;
    }

    /// The ties recorded, each once, by rank.
    #[inline(always)]
    fn collect_ties(&mut self, ties: &mut Vec<(u32, u32)>) {
        for (word, mut bits) in self.begins.drain(..).enumerate() {
            while bits != 0 {
                let first = word as u32 * 64 + bits.trailing_zeros();
                ties.push((first, first + self.tied[first as usize]));
                bits &= bits - 1;
            }
        }
    }

    /// Makes the keys, with enough below every number to fill the lanes; says whether they are the scores.
    #[inline(always)]
    fn find_keys(&mut self, scores: &[f64]) -> bool {
        let single = scores
            .iter()
            .fold(true, |all, &s| all & (f64::from(s as f32) == s));
        self.keys.clear();
        if single {
            self.keys
                .extend(scores.iter().map(|&s| rising((s as f32 + 0.0).to_bits())));
        } else {
            self.keys.extend(
                scores
                    .iter()
                    .map(|&s| rising(((s + 0.0).to_bits() >> 32) as u32)),
            );
        }
        self.keys
            .resize(scores.len().next_multiple_of(LANES), i32::MIN);
        single
    }
}

/// How many keys are larger, and how many are the same.
#[inline(always)]
fn above_and_same(keys: &[i32], key: i32) -> (u32, u32) {
    let (mut above, mut same) = (0, 0);
    for &other in keys {
        above += u32::from(other > key);
        same += u32::from(other == key);
    }
    (above, same)
}

#[inline(always)]
fn in_full(scores: &[f64], row: usize) -> Count {
    let score = scores[row];
    let number = |of: &[f64]| of.iter().map(|&s| u64::from(s == score)).sum::<u64>() as u32;
    let above = scores.iter().map(|&s| u64::from(s > score)).sum::<u64>() as u32;
    let before = number(&scores[..row]);
    Count {
        above,
        before,
        same: before + number(&scores[row..]),
    }
}
