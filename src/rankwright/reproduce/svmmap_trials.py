"""Trials of the SVM-map paper's experiment: splits, methods, results per query."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.svm import LinearSVC

from rankwright.data.dataset import Dataset
from rankwright.measures import measure
from rankwright.rankers import Pointwise, Ranker, SVMAuc, SVMMap
from rankwright.transforms import QueryScaler, ThresholdFeatures

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
Split = tuple[Dataset, Dataset, Dataset]

TOL = 1e-2  # of LinearSVC: what LIBLINEAR itself asks for in the primal
CS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # of the mean over queries
CS_OF_DOCUMENTS = (1e-4, 1e-3, 1e-2, 1e-1)  # of the sum over documents, as LinearSVC has it


def thresholds(split: Split) -> Split:
    """The paper's features: about 50 thresholds per function, where it tells documents apart."""
    features = ThresholdFeatures().fit(split[0])
    return _each(features.transform, split)


def scaled(how: Any) -> Callable[[Split], Split]:
    """Scores scaled within each query, then 50 evenly spaced thresholds."""

    def made(split: Split) -> Split:
        within = _each(QueryScaler(how=how).fit_transform, split)
        return _each(ThresholdFeatures(spacing="even", below=0.0).fit(within[0]).transform, within)

    return made


def by_query(split: Split) -> Split:
    """Scores from 0 to 1 within each query, and no thresholds."""
    return _each(QueryScaler(how="minmax").fit_transform, split)


def accuracy(**options: Any) -> list[Ranker]:
    return [Pointwise(estimator=LinearSVC(C=C, tol=TOL, dual=False, **options), rel=1.0) for C in CS_OF_DOCUMENTS]


def along_a_path(cls: type[SVMMap] | type[SVMAuc]) -> list[Ranker]:
    return [cls(C="path", Cs=CS, scale="none", tol=1e-2, measure="AP")]


@dataclass(frozen=True)
class Method:
    """A way to rank: its features, and the rankers to choose from on validation queries."""

    features: Callable[[Split], Split]
    rankers: list[Ranker]

    def scores(self, made: Split) -> Floats:
        """Scores of the test documents by the ranker that is best on the validation queries."""
        train, valid, test = made
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*queries have documents of one kind only")
            fitted = [clone(ranker).fit(train, valid=valid) for ranker in self.rankers]
        best = max(fitted, key=lambda ranker: _ap(ranker.predict(valid), valid).mean())
        return np.asarray(best.predict(test))


IN_QUERIES = {"rank": scaled("rank"), "minmax": scaled("minmax")}
METHODS: dict[str, Method] = {
    "SVM-map": Method(thresholds, along_a_path(SVMMap)),
    "SVM-roc": Method(thresholds, along_a_path(SVMAuc)),
    "SVM-acc": Method(thresholds, accuracy()),
    "SVM-acc2": Method(thresholds, accuracy(class_weight="balanced")),
    "SVM-acc3": Method(IN_QUERIES["rank"], accuracy()),
    "SVM-acc4": Method(IN_QUERIES["minmax"], accuracy()),
    "SVM-map, by query": Method(by_query, along_a_path(SVMMap)),
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
    """Every method in every trial.

    Parameters
    ----------
    data : the queries; those without a relevant candidate count 0 for all.
    n_trials : how many.
    n_queries : the queries of a trial, at most.
    seed : of the splits.
    """
    sums = {name: np.zeros(data.n_queries) for name in METHODS}
    tested = np.zeros(data.n_queries)
    for parts in splits(data.n_queries, n_trials, n_queries, seed):
        split = _each(data.queries, parts)
        made: dict[Any, Split] = {}
        for name, method in METHODS.items():
            if method.features not in made:
                made[method.features] = method.features(split)
            sums[name][parts[2]] += _ap(method.scores(made[method.features]), split[2])
        tested[parts[2]] += 1
    seen = tested > 0
    functions = {name: _ap(data.column(k), data)[seen] for k, name in enumerate(data.feature_names)}
    return Results({name: total[seen] / tested[seen] for name, total in sums.items()}, functions)


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
    return np.asarray(measure("AP").per_query(data.y, scores, data.qptr))
