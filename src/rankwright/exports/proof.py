"""The proof of an export: what was written scores rows as the model does, or is not written at all.

Every split of every tree is asked about values at, just below and just above its threshold, in rows that reach it;
whole scores are compared on rows of many sizes. What may differ is rounding alone: n operations, each relatively
wrong by the unit u of the engine's arithmetic (2⁻²⁴ in float32, 2⁻⁵³ in float64), on Σ|terms|.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.exports.base import Engine
from rankwright.exports.plain import DOUBLE, NoSum, Plain, plain
from rankwright.exports.probes import model_probes, tree_probes
from rankwright.models import ClassForestModel, ExpectedLabelModel, Model, NetworkModel
from rankwright.models.base import Floats

Rows = npt.NDArray[np.float32]

SLACK = 4  # operations that are not additions of terms: multiplying by weights, dividing, rounding the sum


@dataclass(frozen=True)
class Proof:
    """On how much two scorers agreed.

    Parameters
    ----------
    rows : on which whole scores were compared.
    probes : values at, below and above thresholds on which single trees were compared.
    difference : the largest between two scores.
    allowed : what rounding may amount to, where it may amount to most.
    """

    rows: int
    probes: int
    difference: float
    allowed: float


@dataclass(frozen=True)
class Claim:
    """That an engine scores as the model does, less a constant that was left out.

    Parameters
    ----------
    model : the model.
    parts : the same, multiplied out.
    engine : what was written, as it is read.
    target : the engine's name.
    dropped : the constant.
    features : names for messages.
    """

    model: Model
    parts: Plain | NoSum
    engine: Engine
    target: str
    dropped: float
    features: tuple[str, ...]

    def proved(self, rows: Rows | None) -> Proof:
        """The proof on the given rows, or on made ones; an InputError where scores differ."""
        rng = np.random.default_rng(0)
        probes = 0
        if rows is None:
            if isinstance(self.parts, Plain):
                probes = self._compare_trees(self.parts, rng)
                rows = model_probes(self.parts, self.model.n_features, self.engine, rng)
            elif isinstance(self.parts, ClassForestModel):
                sums = [part for part in map(plain, self.parts.forests) if isinstance(part, Plain)]
                rows = np.concatenate([model_probes(part, part.n_features, self.engine, rng) for part in sums])
            else:
                rows = rng.normal(size=(256, self.model.n_features)).astype(np.float32)
        expected = self.model.scores(rows) - self.dropped
        found = self.engine.scores(rows)
        allowed = self._allowed(rows)
        wrong = ~(np.abs(found - expected) <= allowed)
        if wrong.any():
            self._refuse_row(rows, int(np.argmax(wrong)), expected, found)
        largest = float(np.abs(found - expected).max(initial=0.0))
        return Proof(len(rows), probes, largest, float(allowed.max(initial=0.0)))

    def _allowed(self, rows: Rows) -> Floats:
        if isinstance(self.parts, ExpectedLabelModel):
            size = float(np.abs(self.parts.labels).max(initial=1.0))
            return np.full(len(rows), 16 * self.engine.unit * size)
        if isinstance(self.parts, ClassForestModel):
            sums = [part for part in map(plain, self.parts.forests) if isinstance(part, Plain)]
            votes = sum((part.n_terms + SLACK) * self.engine.unit * part.magnitudes(rows) for part in sums)
            return np.asarray(float(np.abs(self.parts.labels).max()) * (votes + 16 * self.engine.unit))
        if isinstance(self.parts, NetworkModel):
            weights, bias = self.parts.layers[-1]
            return np.full(len(rows), 16 * self.engine.unit * float(np.abs(weights).sum() + np.abs(bias).sum()))
        unit = max(self.engine.unit, self.parts.unit)
        rounding = (self.parts.n_terms + SLACK) * unit * self.parts.magnitudes(rows)
        return np.asarray(rounding + 2 * DOUBLE * abs(self.dropped) * self.parts.n_terms)

    def _compare_trees(self, parts: Plain, rng: np.random.Generator) -> int:
        """Compares tree by tree, where the engine has the model's trees in the model's order."""
        extra = len(self.engine.trees) - len(parts.trees)  # a constant may be written as a tree of one leaf
        first = extra if parts.base_first else 0
        asked = 0
        for t, tree in enumerate(parts.trees):
            rows = tree_probes(tree, parts.n_features, self.engine, rng)
            expected, found = tree.predict(rows), self.engine.trees[first + t].predict(rows)
            wrong = ~(np.abs(found - expected) <= 2 * self.engine.unit * np.abs(expected))
            if wrong.any():
                self._refuse_tree(t, tree, rows[int(np.argmax(wrong))])
            asked += len(rows)
        return asked

    def _refuse_tree(self, t: int, tree: Any, row: Rows) -> NoReturn:
        used = np.unique(tree.feature)[:4]
        values = ", ".join(f"{self.features[k]} = {float(row[k])!r}" for k in used)
        raise InputError(
            f"{self.target} must score as the model does. Tree {t + 1} would give another value to "
            f"{f'a document with {values}' if values else 'every document'}. Nothing was written; if no document is "
            "like that, pass your own rows to compare."
        )

    def _refuse_row(self, rows: Rows, i: int, expected: Floats, found: Floats) -> NoReturn:
        gap = ""
        if np.isnan(rows[i]).any() and not self.engine.knows_missing:
            gap = f" It has missing values, which {self.target} takes for 0."
        raise InputError(
            f"{self.target} must score as the model does. It would give row {i} {found[i]!r:.24} and not "
            f"{expected[i]!r:.24}.{gap} Nothing was written."
        )
