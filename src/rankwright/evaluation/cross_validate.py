"""Cross-validation by whole queries: every query is ranked once, by a ranker that has not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rankwright.data import Dataset
from rankwright.errors import InputError, unknown
from rankwright.evaluation.comparison import Comparison
from rankwright.evaluation.evaluate import Evaluation, Measures, chosen_measures, evaluated, judged_documents

if TYPE_CHECKING:
    from rankwright.rankers import Ranker

Fold: TypeAlias = tuple[Dataset, Dataset | None, Dataset]


@dataclass(frozen=True)
class FoldDone:
    """What `on_fold` is told after each fit.

    Parameters
    ----------
    name : of the ranker.
    fold, n_folds : number of the fold, from 1, and of how many.
    ranker : as fitted on this fold.
    evaluation : on the fold's test part.
    """

    name: str
    fold: int
    n_folds: int
    ranker: Ranker
    evaluation: Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation:
    """The outcome of a cross-validation.

    Parameters
    ----------
    rankers : by name, the ranker fitted on each fold.
    by_fold : by name, the evaluation of each fold's test part.
    comparison : of all rankers over all folds, with intervals and tests.
    """

    rankers: dict[str, list[Ranker]]
    by_fold: dict[str, list[Evaluation]]
    comparison: Comparison

    @property
    def evaluations(self) -> dict[str, Evaluation]:
        """By name, the out-of-fold evaluation: each query's value comes from the ranker that did not see it."""
        return self.comparison.evaluations

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return self.comparison.to_dict()

    def __repr__(self) -> str:
        return f"Cross-validation\n{self.comparison}\n\n{self.comparison.fold_means()}"


def cross_validate(
    rankers: Ranker | Mapping[str, Ranker],
    data: Dataset | Sequence[Fold],
    measures: Measures = "nDCG@10",
    *,
    folds: int | Sequence[Fold] = 5,
    rng: int = 0,
    valid: bool = True,
    baseline: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    preset: str | None = None,
    on_fold: Callable[[FoldDone], object] | None = None,
    n_threads: int | None = None,
) -> CrossValidation:
    """Fits a copy of each ranker on every fold and measures it on queries it has not seen.

    Parameters
    ----------
    rankers : one, or several by name; they are copied, not changed.
    data : judged queries to be divided; or folds already divided, as ``(train, valid or None, test)``.
    measures : one or several.
    folds : into how many parts the queries are divided at random; or the folds themselves, when `data` is None.
    rng : seed of the division, the bootstrap and the randomisation test.
    valid : whether each fit gets validation data: with k folds, the part after the test part, so that a fold trains
        on k − 2 parts, as LETOR's rotation does; without it, on k − 1.
    baseline, confidence, n_resamples : as in :func:`rankwright.compare`.
    preset : as in :func:`rankwright.evaluate`.
    on_fold : told of each fit as a FoldDone, for progress.
    n_threads : threads for measuring; the rankers have their own.

    Returns
    -------
    CrossValidation : `evaluations` (out of fold), `comparison`, `rankers` and `by_fold` for each fold.

    Examples
    --------
    >>> import numpy as np, rankwright as rw
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> data = rw.Dataset(X, X[:, 1] > 0.5, group=[10] * 6)
    >>> found = rw.cross_validate({"best": rw.SingleFeature()}, data, "AP", folds=3)
    >>> found.evaluations["best"].means
    {'AP': 1.0}
    """
    from sklearn.base import clone

    named = _named(rankers)
    if baseline is not None and baseline not in named:
        raise unknown("baseline", baseline, named)
    divided = _folds(data, folds, rng, valid)
    chosen = chosen_measures(measures, preset)
    judged = [judged_documents(test) for _, _, test in divided]
    labels = np.concatenate([part.y for part in judged])
    bound = tuple(m.bind(labels) for m in chosen)
    fitted: dict[str, list[Ranker]] = {name: [] for name in named}
    by_fold: dict[str, list[Evaluation]] = {name: [] for name in named}
    for k, (train, held_out, _) in enumerate(divided):
        for name, ranker in named.items():
            copy = clone(ranker).fit(train, valid=held_out if valid else None)
            fitted[name].append(copy)
            by_fold[name].append(evaluated(copy, judged[k], chosen, bound=bound, preset=preset, n_threads=n_threads))
            if on_fold is not None:
                on_fold(FoldDone(name, k + 1, len(divided), copy, by_fold[name][-1]))
    comparison = Comparison(by_fold, baseline=baseline, confidence=confidence, n_resamples=n_resamples, rng=rng)
    return CrossValidation(fitted, by_fold, comparison)


def _named(rankers: Any) -> dict[str, Any]:
    from rankwright.rankers import Ranker

    named = dict(rankers) if isinstance(rankers, Mapping) else {getattr(rankers, "name", ""): rankers}
    for name, ranker in named.items():
        if not isinstance(ranker, Ranker):
            raise InputError(
                f"cross_validate takes rankers that are not yet fitted. Got {type(ranker).__name__} for {name!r}. "
                "Pass a Ranker, or a dict of them; wrap scikit-learn estimators in a pointwise ranker."
            )
    if not named:
        raise InputError("there must be a ranker to cross-validate. Got none. Pass one, or a dict of them.")
    return {name or type(ranker).__name__: ranker for name, ranker in named.items()}


def _folds(data: Any, folds: Any, rng: int, valid: bool) -> list[Fold]:
    if isinstance(data, Dataset):
        if not isinstance(folds, (int, np.integer)):
            raise InputError("folds must be a whole number when data is one Dataset. Got others. Pass data=None.")
        return list(query_folds(data, int(folds), rng, valid=valid))
    given = list(folds if data is None and not isinstance(folds, int) else data or ())
    if not given or not all(
        isinstance(fold, tuple)
        and len(fold) == 3
        and isinstance(fold[0], Dataset)
        and isinstance(fold[2], Dataset)
        and (fold[1] is None or isinstance(fold[1], Dataset))
        for fold in given
    ):
        raise InputError(
            f"data must be a Dataset, or a list of (train, valid or None, test) Datasets. Got {data!r:.60}. "
            "Build Datasets first."
        )
    return given


def query_folds(data: Dataset, n_folds: int, rng: int = 0, *, valid: bool = True) -> Iterator[Fold]:
    """Divides whole queries at random into parts of equal size, ±1; fold k tests on part k, validates on part k + 1
    and trains on the rest. Inside a part, queries keep the order of the data."""
    least = 3 if valid else 2
    if not least <= n_folds <= data.n_queries:
        raise InputError(
            f"folds must be a number from {least} to the number of queries, {data.n_queries}. Got {n_folds}. "
            + ("With valid=False, 2 folds are enough." if valid and n_folds == 2 else "Pass fewer folds or more data.")
        )
    part = np.empty(data.n_queries, dtype=np.int64)
    part[np.random.default_rng(rng).permutation(data.n_queries)] = np.arange(data.n_queries) % n_folds
    for k in range(n_folds):
        test, held_out = part == k, (part == (k + 1) % n_folds) & valid
        yield data.queries(~test & ~held_out), data.queries(held_out) if valid else None, data.queries(test)
