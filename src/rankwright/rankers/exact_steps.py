"""The exact steps of boosting (Wu et al. 2009, section 4): of a new tree, and of every tree once more afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rankwright.errors import InputError
from rankwright.learners import Tree
from rankwright.line_search import Objective, line_search
from rankwright.measures import Measure
from rankwright.models import Model
from rankwright.rankers.boosting import Boosting, Steps

Floats = npt.NDArray[np.float64]

ENOUGH = 1e-9  # a gain smaller than this is none: rounding must not go on for ever


@dataclass
class Search:
    """Finds the step at which the measure of F + step · tree is best.

    Parameters
    ----------
    boosting : F and trees.
    objective : the queries and the measure that steps are best for.
    on_valid : whether these are the validation queries.
    """

    boosting: Boosting
    objective: Objective
    on_valid: bool

    @classmethod
    def of(cls, boosting: Boosting, E: Measure, step_on: str) -> Self:
        data = boosting.valid_data if step_on == "valid" else boosting.train
        if data is None:
            raise InputError("step_on='valid' needs validation data. Got none. Pass valid=..., or step_on='train'.")
        bound = E.bind(boosting.train.y)
        objective = Objective(data.y, data.qptr, bound, data.query_weight, data.doc_ids, boosting.n_threads)
        return cls(boosting, objective, step_on == "valid")

    @property
    def F(self) -> Floats:
        """The scores of the queries searched on."""
        F = self.boosting.F_valid if self.on_valid else self.boosting.F
        return np.zeros(0) if F is None else F[0]

    def best(self, tree: Tree, lo: float, hi: float) -> float:
        """The middle of the widest best interval of steps inside lo..hi."""
        return line_search(self.objective, self.F, tree.value[self._leaves(tree)], lo=lo, hi=hi).alpha

    def refitted(self, steps: Steps, hi: float) -> tuple[list[float], int]:
        """The trees' weights, each in turn at its best in 0..hi with the others fixed, until a pass improves nothing;
        and the number of passes. The measure never falls, so that it ends."""
        start = self.boosting.start(self.on_valid)[0]
        narrow = [self._leaves(tree).astype(np.uint8 if tree.n_leaves <= 256 else np.int32) for _, tree in steps]
        weights = [v for v, _ in steps]
        passes, better = 0, True
        while better:
            passes, better = passes + 1, False
            F = start.copy()
            for w, (_, tree), leaves in zip(weights, steps, narrow, strict=True):
                F += w * tree.value[leaves]
            value = self.objective.value(F)
            for k, ((_, tree), leaves) in enumerate(zip(steps, narrow, strict=True)):
                direction = tree.value[leaves]
                found = line_search(self.objective, F, direction, lo=-weights[k], hi=hi - weights[k])
                if self.objective.sign * (found.value - value) > ENOUGH:
                    weights[k] += found.alpha
                    F = F + found.alpha * direction
                    value, better = found.value, True
        return weights, passes

    def _leaves(self, tree: Tree) -> npt.NDArray[np.int32]:
        return self.boosting.leaves(tree, self.on_valid)


@dataclass(frozen=True, eq=False)
class RefittedModel(Model):
    """A model in rounds, the last of which set the weights of its trees anew.

    Parameters
    ----------
    before : the model of the rounds before.
    after : the model of the last one.
    n_rounds : how many there were before.
    """

    before: Model
    after: Model
    n_rounds: int

    @property
    def n_features(self) -> int:  # type: ignore[override]
        return self.after.n_features

    def truncated(self, n_rounds: int) -> Model:
        return self.before.truncated(n_rounds) if n_rounds <= self.n_rounds else self.after

    def scores(self, X: Any) -> Floats:
        return self.after.scores(X)

    def to_dict(self) -> dict[str, Any]:
        return self.after.to_dict()

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        raise InputError("a model is saved as it was before its last round, or after it, never as both.")
