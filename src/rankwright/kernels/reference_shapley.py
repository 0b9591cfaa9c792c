"""The NumPy twin of `shapley_values`: leaf by leaf, over all rows at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.uint8]


def shapley_values(
    left: Flags,
    value: Floats,
    element_ptr: Rows,
    feature: Rows,
    share: Floats,
    condition_ptr: Rows,
    condition: Rows,
    points: Floats,
    weights: Floats,
    n_features: int,
    n_threads: int = 1,
) -> Floats:
    """φ, rows × features: what each feature adds to the sum of a row's leaf values, averaged over all orders.

    A leaf is worth v Π_{j ∈ S} o_j Π_{j ∉ S} z_j when the features S of its path are known, and
    φ_j = v (o_j − z_j) ∫₀¹ Π_{i ≠ j} ((1 − t) z_i + t o_i) dt, exact with ⌈m/2⌉ points of Gauss and Legendre.

    Parameters
    ----------
    left : whether each row goes left at each split of the forest: rows × splits.
    value : v of each leaf.
    element_ptr, feature, share : leaf l has one element for each feature of its path, which is that of element
        ``element_ptr[l]:element_ptr[l + 1]``; `share` is z.
    condition_ptr, condition : element e's splits, as 2 · split + 1 where the path goes left, + 0 where it goes right.
    points, weights : of the integral, for 1, 2, 3, ... points, one after the other.
    n_features : columns of the result.
    """
    phi = np.zeros((len(left), n_features))
    for v, (first, end) in zip(value, pairwise(element_ptr), strict=True):
        z, q = share[first:end], (end - first + 1) // 2
        o = np.array(
            [
                np.all([left[:, c // 2] == c % 2 for c in condition[a:b]], axis=0)
                for a, b in pairwise(condition_ptr[first : end + 1])
            ],
            dtype=np.float64,
        ).reshape(end - first, len(left))
        for t, w in zip(*(x[q * (q - 1) // 2 : q * (q + 1) // 2] for x in (points, weights)), strict=True):
            factors = (1.0 - t) * z[:, None] + t * o
            for j in range(end - first):
                others = np.delete(factors, j, axis=0).prod(axis=0)
                phi[:, feature[first + j]] += w * v * (o[j] - z[j]) * others
    return phi
