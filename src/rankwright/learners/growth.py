"""How a tree grows: the options of the engine, checked and turned into what its kernels take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError

Criterion = Literal["newton", "mse"]
CategoryOrder = Literal["target", "frequency"]


@dataclass(frozen=True)
class Growth:
    """How a tree grows.

    Parameters
    ----------
    n_leaves : leaves at most; a tree has fewer where no split betters it.
    max_depth : splits above a leaf at most; 0: any number.
    min_docs : documents in a leaf at least.
    min_hessian : Σ w in a leaf at least.
    l2 : added to Σ w, so that leaves of little weight stay small.
    feature_fraction : the share of the features drawn for each tree.
    criterion : what splits better: "newton", the second-order gain, or "mse", the variance of λ.
    monotone : one sign per feature: 1 where scores must not fall as it grows, −1 where they must not rise, else 0.
    categorical : the features that are categories.
    category_order : how categories are ordered to be divided: by their λ in the leaf, or by how frequent they are.
    category_smoothing : added to a category's Σ w in the order by λ, so that rare ones stay in the middle.
    max_bins : bins of a feature at most.
    """

    n_leaves: int = 15
    max_depth: int = 0
    min_docs: int = 20
    min_hessian: float = 1e-3
    l2: float = 0.0
    feature_fraction: float = 1.0
    criterion: Criterion = "newton"
    monotone: tuple[int, ...] | None = None
    categorical: tuple[int, ...] = ()
    category_order: CategoryOrder = "target"
    category_smoothing: float = 10.0
    max_bins: int = 255

    def __post_init__(self) -> None:
        for name, low in (("n_leaves", 1), ("max_depth", 0), ("min_docs", 1), ("min_hessian", 0), ("l2", 0)):
            value = getattr(self, name)
            if not low <= value < np.inf:
                raise InputError(f"{name} must be a finite number, at least {low}. Got {value!r}.")
        if not 0 < self.feature_fraction <= 1:
            raise InputError(f"feature_fraction must be above 0 and at most 1. Got {self.feature_fraction!r}.")
        if not 0 <= self.category_smoothing < np.inf:
            raise InputError(f"category_smoothing must be a finite number, at least 0. Got {self.category_smoothing}.")
        if not 2 <= self.max_bins <= 255:
            raise InputError(f"max_bins must be in 2..255. Got {self.max_bins}.")
        if self.criterion not in ("newton", "mse") or self.category_order not in ("target", "frequency"):
            raise InputError(
                "criterion must be newton or mse, and category_order target or frequency. "
                f"Got {self.criterion!r}, {self.category_order!r}."
            )
        if self.monotone is not None and not set(self.monotone) <= {-1, 0, 1}:
            raise InputError(f"monotone must hold −1, 0 or 1 per feature. Got {self.monotone!r:.80}.")
        if any(self.monotone[k] for k in self.categorical if k < len(self.monotone)) if self.monotone else False:
            raise InputError("a categorical feature has no order to be monotone in. Give it the sign 0.")

    def drawn(self, n_features: int, seed: int) -> npt.NDArray[np.int64]:
        """The features a tree may use, of so many, ascending."""
        if self.feature_fraction == 1.0 or n_features == 0:
            return np.arange(n_features)
        size = max(1, round(self.feature_fraction * n_features))
        return np.sort(np.random.default_rng(seed).choice(n_features, size=size, replace=False))

    def directions(self, features: npt.NDArray[np.int64], n_features: int) -> npt.NDArray[np.int8]:
        """The signs of some features out of so many."""
        if self.monotone is None:
            return np.zeros(len(features), np.int8)
        if len(self.monotone) != n_features:
            raise InputError(f"monotone must hold one sign per feature, {n_features}. Got {len(self.monotone)}.")
        return np.array(self.monotone, dtype=np.int8)[features]
