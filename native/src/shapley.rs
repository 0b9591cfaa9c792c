//! Shapley values of trees: what each feature adds to a row's leaf values, averaged over all orders of the features.
//!
//! A leaf with the value v and the features j = 1..m on its path is worth v Π_{j ∈ S} o_j Π_{j ∉ S} z_j when the
//! features S are known: o_j is 1 where the row goes the leaf's way at all of the path's splits on j, else 0; z_j is
//! the share of the training documents that do. The sum over all sets of the other features is an integral,
//!
//!     φ_j = v (o_j − z_j) ∫₀¹ Π_{i ≠ j} ((1 − t) z_i + t o_i) dt,
//!
//! of a polynomial of degree m − 1, for which ⌈m/2⌉ points of Gauss and Legendre are exact.

use crate::parallel::with_threads;
use rayon::prelude::*;

/// Rows per parallel task; a leaf's factors are worked out once for all of them.
const BLOCK: usize = 64;

/// Paths of all leaves of a forest.
pub struct Paths<'a> {
    /// Of each leaf: its value times its tree's weight.
    pub value: &'a [f64],
    /// Leaf l has the elements `element_ptr[l]..element_ptr[l + 1]`, one per feature of its path.
    pub element_ptr: &'a [i64],
    pub feature: &'a [i64],
    /// z
    pub share: &'a [f64],
    /// Element e has the conditions `condition_ptr[e]..condition_ptr[e + 1]`.
    pub condition_ptr: &'a [i64],
    /// 2 · split + 1 where the path goes left, + 0 where it goes right.
    pub condition: &'a [i64],
    /// Points and weights for 1, 2, 3, ... points, one after the other.
    pub points: &'a [f64],
    pub weights: &'a [f64],
}

impl Paths<'_> {
    pub fn check(&self, n_splits: usize, n_features: usize) -> Result<(), String> {
        let rising = |ptr: &[i64], n: usize, end: usize| {
            ptr.len() == n + 1
                && ptr[0] == 0
                && ptr[n] == end as i64
                && ptr.windows(2).all(|w| w[0] <= w[1])
        };
        let longest = self
            .element_ptr
            .windows(2)
            .map(|w| w[1] - w[0])
            .max()
            .unwrap_or(0) as usize;
        let n_points = longest.div_ceil(2);
        let n_elements = self.feature.len();
        let fits = rising(self.element_ptr, self.value.len(), n_elements)
            && rising(self.condition_ptr, n_elements, self.condition.len())
            && self.share.len() == n_elements
            && self
                .feature
                .iter()
                .all(|&f| (0..n_features as i64).contains(&f))
            && self
                .condition
                .iter()
                .all(|&c| (0..2 * n_splits as i64).contains(&c))
            && self.points.len() == self.weights.len()
            && self.points.len() >= n_points * (n_points + 1) / 2;
        fits.then_some(())
            .ok_or_else(|| "paths of trees do not fit each other".into())
    }
}

#[derive(Clone, Copy)]
pub struct Shape {
    pub n_rows: usize,
    pub n_splits: usize,
    pub n_features: usize,
}

/// φ of every row and feature; `left` says for every row and split whether it goes left.
pub fn shapley_values(paths: &Paths, left: &[u8], shape: Shape, n_threads: usize) -> Vec<f64> {
    let Shape {
        n_rows,
        n_splits,
        n_features,
    } = shape;
    let mut out = vec![0f64; n_rows * n_features];
    if n_splits == 0 || n_features == 0 {
        return out;
    }
    with_threads(n_threads, || {
        out.par_chunks_mut(BLOCK * n_features)
            .zip(left.par_chunks(BLOCK * n_splits))
            .for_each(|(out, left)| {
                let mut factors = Factors::default();
                for leaf in 0..paths.value.len() {
                    factors.add_leaf(paths, leaf, (left, n_splits), (out, n_features));
                }
            })
    });
    out
}

/// Factors of one leaf, elements × points.
#[derive(Default)]
struct Factors {
    /// (1 − t) z + t o, for o = 0 and o = 1
    factor: [Vec<f64>; 2],
    goes: Vec<bool>,
    product: Vec<f64>,
}

impl Factors {
    fn add_leaf(
        &mut self,
        paths: &Paths,
        leaf: usize,
        (left, n_splits): (&[u8], usize),
        (out, n_features): (&mut [f64], usize),
    ) {
        let elements = paths.element_ptr[leaf] as usize..paths.element_ptr[leaf + 1] as usize;
        let m = elements.len();
        let q = m.div_ceil(2);
        let first = q * q.saturating_sub(1) / 2;
        let points = &paths.points[first..first + q];
        let weights = &paths.weights[first..first + q];
        for (o, factor) in self.factor.iter_mut().enumerate() {
            factor.clear();
            for e in elements.clone() {
                factor.extend(
                    points
                        .iter()
                        .map(|t| (1.0 - t) * paths.share[e] + t * o as f64),
                );
            }
        }
        for (left, out) in left
            .chunks_exact(n_splits)
            .zip(out.chunks_exact_mut(n_features))
        {
            self.goes.clear();
            self.goes.extend(elements.clone().map(|e| {
                let of_element =
                    paths.condition_ptr[e] as usize..paths.condition_ptr[e + 1] as usize;
                let mut conditions = paths.condition[of_element].iter();
                conditions.all(|&c| left[(c / 2) as usize] as i64 == c % 2)
            }));
            let impossible = elements
                .clone()
                .zip(&self.goes)
                .any(|(e, &goes)| !goes && paths.share[e] == 0.0);
            if impossible {
                continue; // the leaf is worth nothing, whatever is known
            }
            self.product.clear();
            self.product
                .extend(weights.iter().map(|w| w * paths.value[leaf]));
            for (j, &goes) in self.goes.iter().enumerate() {
                let factor = &self.factor[usize::from(goes)][j * q..(j + 1) * q];
                self.product
                    .iter_mut()
                    .zip(factor)
                    .for_each(|(p, f)| *p *= f);
            }
            for (j, (e, &goes)) in elements.clone().zip(&self.goes).enumerate() {
                let factor = &self.factor[usize::from(goes)][j * q..(j + 1) * q];
                let others: f64 = self.product.iter().zip(factor).map(|(p, f)| p / f).sum();
                out[paths.feature[e] as usize] += (f64::from(goes) - paths.share[e]) * others;
            }
        }
    }
}
