"""Trials of the SVM-map paper's experiment: splits, methods, results per query."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from rankwright.data.dataset import Dataset
from rankwright.kernels import default_threads
from rankwright.measures import measure
from rankwright.rankers import SVMAuc, SVMMap
from rankwright.reproduce.step_functions import Steps, accuracy_svms
from rankwright.transforms import QueryScaler, ThresholdFeatures

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Split = tuple[Dataset, Dataset, Dataset]
Spacing = Literal["quantile", "even"]
How = Literal["minmax", "rank"]

CS = (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # of the mean over queries
CS_OF_DOCUMENTS = (1e-4, 1e-3, 1e-2, 1e-1)  # of the sum over documents, as LinearSVC has it


class Made:
    """A trial's documents with the features that some methods learn of.

    Parameters
    ----------
    split : with scores, scaled or not.
    spacing : of the thresholds; None for the scores themselves.
    """

    def __init__(self, split: Split, spacing: Spacing | None) -> None:
        self.train, self.valid, _ = split
        self.linear: list[Callable[[Floats], Floats]] = [_times(part) for part in split]
        if spacing is not None:
            below = {"quantile": 0.05, "even": 0.0}[spacing]
            features = ThresholdFeatures(spacing=spacing, below=below).fit(self.train)
            self.steps = [Steps(features, part) for part in split]
            self.linear = [steps.scores for steps in self.steps]
            self.train, self.valid = (features.transform(part) for part in split[:2])


def _times(data: Dataset) -> Callable[[Floats], Floats]:
    return lambda w: np.asarray(data.X.astype(np.float64) @ w)


def structural(cls: type[SVMMap] | type[SVMAuc], Cs: tuple[float, ...] = CS) -> Callable[[Made], list[Floats]]:
    """The weights that a path over C chooses."""

    def learned(made: Made) -> list[Floats]:
        ranker = cls(C="path", Cs=Cs, scale="none", tol=1e-2, measure="AP", rel=1.0, n_threads=1)
        return [np.asarray(ranker.fit(made.train, valid=made.valid).model_.weights)]  # type: ignore[attr-defined]

    return learned


def accuracy(balanced: bool = False) -> Callable[[Made], list[Floats]]:
    """The weights of an SVM that classifies documents, for every C."""
    return lambda made: list(accuracy_svms(made.steps[0], made.train.y >= 1, CS_OF_DOCUMENTS, balanced))


@dataclass(frozen=True)
class Method:
    """A way to rank.

    Parameters
    ----------
    weights : what is learned, to be chosen from on validation queries.
    scaled : how scores are scaled within queries before all else.
    spacing : of the thresholds; None for the scores themselves.
    """

    weights: Callable[[Made], list[Floats]]
    scaled: How | None = None
    spacing: Spacing | None = "quantile"

    def scores(self, made: Made, valid: Dataset) -> Floats:
        """Scores of the test documents by the weights that are best on the validation queries."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*queries have documents of one kind only")
            found = self.weights(made)
        best = max(found, key=lambda w: _ap(made.linear[1](w), valid).mean()) if len(found) > 1 else found[0]
        return made.linear[2](best)


METHODS: dict[str, Method] = {
    "SVM-map": Method(structural(SVMMap)),
    "SVM-roc": Method(structural(SVMAuc)),
    "SVM-acc": Method(accuracy()),
    "SVM-acc2": Method(accuracy(balanced=True)),
    "SVM-acc3": Method(accuracy(), "rank", "even"),
    "SVM-acc4": Method(accuracy(), "minmax", "even"),
    "SVM-map, by query": Method(structural(SVMMap, tuple(30.0 * C for C in CS)), "minmax", None),
}


@dataclass(frozen=True, eq=False)
class Results:
    """Average precision per query.

    Parameters
    ----------
    methods : by name, the mean over the trials that tested a query.
    functions : by name, of single functions.
    """

    methods: dict[str, Floats]
    functions: dict[str, Floats]

    def best_functions(self, n: int) -> list[str]:
        """The functions with the largest MAP."""
        return sorted(self.functions, key=lambda name: -float(np.mean(self.functions[name])))[:n]

    def with_functions(self, other: Results) -> Results:
        """These methods beside the functions of others."""
        return Results(self.methods, other.functions)

    def __getitem__(self, name: str) -> Floats:
        return self.methods[name] if name in self.methods else self.functions[name]


def run_trials(data: Dataset, n_trials: int, n_queries: int = 100, seed: int = 0) -> Results:
    """Every method in every trial, as many trials at a time as there are threads to use; the numbers are the same.

    Parameters
    ----------
    data : the queries; those without a relevant candidate count 0 for all.
    n_trials : how many.
    n_queries : the queries of a trial, at most.
    seed : of the splits.
    """
    scaled = {how: data if how is None else QueryScaler(how=how).fit_transform(data) for how in _SCALED}
    parts = list(splits(data.n_queries, n_trials, n_queries, seed))
    each = ({how: _each(of.queries, rows) for how, of in scaled.items()} for rows in parts)
    found = Parallel(n_jobs=min(default_threads(), n_trials))(delayed(trial)(split) for split in each)
    tested = np.zeros(data.n_queries)
    sums = {name: np.zeros(data.n_queries) for name in METHODS}
    for (_, _, rows), of_trial in zip(parts, found, strict=True):
        tested[rows] += 1
        for name, values in of_trial.items():
            sums[name][rows] += values
    seen = tested > 0
    functions = {name: _ap(data.column(k), data)[seen] for k, name in enumerate(data.feature_names)}
    return Results({name: total[seen] / tested[seen] for name, total in sums.items()}, functions)


_SCALED: tuple[How | None, ...] = (None, "rank", "minmax")


def trial(split: dict[How | None, Split]) -> dict[str, Floats]:
    """Each method's average precisions of the test queries.

    Parameters
    ----------
    split : the documents, by how they are scaled.
    """
    made: dict[tuple[How | None, Spacing | None], Made] = {}
    values = {}
    with threadpool_limits(1):  # trials are what runs side by side; and no more threads than were asked for
        for name, method in METHODS.items():
            key = method.scaled, method.spacing
            if key not in made:
                made[key] = Made(split[method.scaled], method.spacing)
            _, valid, test = split[method.scaled]
            values[name] = _ap(method.scores(made[key], valid), test)
    return values


def splits(n_queries: int, n_trials: int, most: int, seed: int) -> Iterator[tuple[Rows, Rows, Rows]]:
    """Training, validation and test queries of each trial: those that had the role least often, at random."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((3, n_queries))
    for _ in range(n_trials):
        free = np.ones(n_queries, dtype=bool)
        parts = []
        for role, size in enumerate(sizes_of(min(n_queries, most))):
            order = np.lexsort((rng.random(n_queries), counts[role], ~free))
            chosen = np.sort(order[:size])
            free[chosen] = False
            counts[role, chosen] += 1
            parts.append(chosen)
        yield parts[0], parts[1], parts[2]


def sizes_of(n_queries: int) -> tuple[int, int, int]:
    """10, 5 and 35 of 50 queries, and as many of each in proportion."""
    train, valid = max(1, round(n_queries / 5)), max(1, round(n_queries / 10))
    return train, valid, n_queries - train - valid


def _each(make: Callable[[Any], Dataset], of: tuple[Any, Any, Any]) -> Split:
    return make(of[0]), make(of[1]), make(of[2])


def _ap(scores: Floats, data: Dataset) -> Floats:
    return np.asarray(measure("AP").per_query(data.y, scores, data.qptr, n_threads=1))
