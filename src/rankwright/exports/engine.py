"""A written model as its engine reads it: a small evaluator of the rules in which engines differ.

engine               goes left      numbers   a missing value
RankLib              x ≤ t          float32   is 0
Solr                 x ≤ t + 1e-6   float32   is 0
Elasticsearch LTR    x < t          float32   is 0
XGBoost              x < t          float32   has its side
Vespa                x < t          float64   has its side
LightGBM             x ≤ t          float64   has its side; |x| ≤ 1e-35 is 0
ONNX                 x ≤ t          float32   has its side
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.exports.plain import DOUBLE, SINGLE
from rankwright.models.base import Floats

TINY = float(np.float32(1e-35))


@dataclass(frozen=True, eq=False)
class EngineTree:
    """One tree, its children encoded as in :class:`rankwright.learners.Tree`.

    Parameters
    ----------
    feature, left, right : of each split.
    threshold : of each split, exact: a float32 is a float64.
    value : of each leaf.
    missing_left : of each split; None where the engine knows no missing values and takes 0.
    strict : whether x < t goes left, and not x ≤ t.
    missing_zero : of each split, whether zeros count as missing.
    categories : split → the whole numbers that go left.
    """

    feature: npt.NDArray[np.int64]
    threshold: Floats
    left: npt.NDArray[np.int64]
    right: npt.NDArray[np.int64]
    value: Floats
    missing_left: npt.NDArray[np.bool_] | None = None
    strict: bool = False
    missing_zero: npt.NDArray[np.bool_] | None = None
    categories: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def predict(self, X: npt.NDArray[Any]) -> Floats:
        """The value of each row's leaf."""
        at = np.full(len(X), 0 if len(self.feature) else ~0)
        rows = np.flatnonzero(at >= 0)
        while len(rows):
            s = at[rows]
            at[rows] = np.where(self._goes_left(s, X[rows, self.feature[s]]), self.left[s], self.right[s])
            rows = rows[at[rows] >= 0]
        return np.asarray(self.value[~at])

    def _goes_left(self, s: npt.NDArray[np.int64], values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        x = values.astype(np.float64)
        missing = np.isnan(x)
        if self.missing_left is None:
            x[missing] = 0.0
        t = self.threshold[s]
        left: npt.NDArray[np.bool_] = x < t if self.strict else x <= t
        for split, chosen in self.categories.items():
            here = s == split
            left[here] = np.isin(np.trunc(x[here]), chosen)
        if self.missing_left is None:
            return left
        if self.missing_zero is not None:
            missing |= self.missing_zero[s] & (np.abs(x) <= TINY)
        return np.where(missing, self.missing_left[s], left)


@dataclass(frozen=True, eq=False)
class EngineModel:
    """score = base, then + w_k x_k in the order given, then + the trees in theirs, in the engine's arithmetic.

    Parameters
    ----------
    trees : the trees.
    terms : (k, w_k) of the linear part.
    base : a constant.
    single : whether the engine adds and multiplies float32 numbers, and not float64.
    missing : what a missing value counts as in the linear part.
    knows_missing : whether the engine knows missing values; where not, they are 0.
    tiny : values of at most this size are 0.
    """

    trees: tuple[EngineTree, ...] = ()
    terms: tuple[tuple[int, float], ...] = ()
    base: float = 0.0
    single: bool = False
    missing: float = 0.0
    knows_missing: bool = False
    tiny: float = 0.0

    @property
    def unit(self) -> float:
        """The relative error of one operation."""
        return SINGLE if self.single else DOUBLE

    def scores(self, X: npt.NDArray[Any]) -> Floats:
        """One score per row of float32 features."""
        X = np.where(np.abs(X) <= self.tiny, np.float32(0), X)
        number: Any = np.float32 if self.single else np.float64
        out = np.full(len(X), self.base, dtype=number)
        for k, weight in self.terms:
            x = X[:, k].astype(number)
            x[np.isnan(x)] = self.missing
            out += number(weight) * x
        for tree in self.trees:
            out += tree.predict(X).astype(number)
        return out.astype(np.float64)
