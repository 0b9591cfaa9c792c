"""Which of several rankings is better, and how sure one can be: any number of systems, measures and folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankwright.data import Dataset
from rankwright.errors import InputError, unknown
from rankwright.evaluation.comparison import Comparison
from rankwright.evaluation.evaluate import (
    Evaluation,
    Measures,
    chosen_measures,
    evaluated,
    judged_documents,
)


def compare(
    systems: Mapping[str, Any],
    data: Any = None,
    measures: Measures = "nDCG@10",
    *,
    qid: Any = None,
    group: Any = None,
    doc_ids: Any = None,
    query_weight: Any = None,
    baseline: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 10_000,
    rng: int = 0,
    preset: str | None = None,
    n_threads: int | None = None,
) -> Comparison:
    """Compares rankings of the same judged documents, query by query.

    Parameters
    ----------
    systems : by name, fitted rankers or scores in the caller's order. With several folds: one of these for each
        fold, in a list, or one ranker for all. Or evaluations already made, without `data`.
    data : as in :func:`rankwright.evaluate`; or a list of Datasets or ``(y, qid)``, the test parts of folds.
    measures : one or several; the first orders the leaderboard.
    qid, group, doc_ids, query_weight : beside labels, as in :func:`rankwright.evaluate`.
    baseline : compare the others with this one only; None for all pairs.
    confidence : of the intervals; a difference is marked when p ≤ 1 − confidence.
    n_resamples : samples of the bootstrap, and random signs of the randomisation test; of these more, where so many
        pairs are compared that otherwise none could be significant.
    rng : seed of both.
    preset, n_threads : as in :func:`rankwright.evaluate`.

    Returns
    -------
    Comparison : `leaderboard()`, `pairs()`, `fold_means()`, `evaluations`.

    Notes
    -----
    Values are pooled over folds: each query counts once, whatever the size of its fold. A query that a measure
    skips for one of two systems is left out of their comparison. A weighted query's difference counts w_q / mean w
    times in every test, so that all of them test the weighted mean difference. Holm's correction is over all
    comparisons of one table, pairs × measures, for each test by itself.

    Examples
    --------
    >>> import rankwright as rw
    >>> found = rw.compare({"old": [2, 1, 2, 1], "new": [1, 2, 2, 1]}, [0, 1, 1, 0], "AP", qid=[1, 1, 2, 2])
    >>> found.pairs()["wins"].tolist(), found.pairs()["p_randomisation"].tolist()
    ([0], [1.0])
    """
    if not isinstance(systems, Mapping) or not systems:
        raise InputError("systems must be a dict from name to ranker or scores. Got none. Pass {'name': scores, ...}.")
    if baseline is not None and baseline not in systems:
        raise unknown("baseline", baseline, map(str, systems))
    if data is None:
        by_system = {str(name): _made_already(name, system) for name, system in systems.items()}
    else:
        beside = {"qid": qid, "group": group, "doc_ids": doc_ids, "query_weight": query_weight}
        folds = [judged_documents(fold, **(beside if not _are_folds(data) else {})) for fold in _folds(data, beside)]
        chosen = chosen_measures(measures, preset)
        labels = np.concatenate([fold.y for fold in folds])
        bound = tuple(m.bind(labels) for m in chosen)
        by_system = {
            str(name): [
                evaluated(s, fold, chosen, bound=bound, preset=preset, n_threads=n_threads)
                for s, fold in zip(_per_fold(name, system, data, len(folds)), folds, strict=True)
            ]
            for name, system in systems.items()
        }
    return Comparison(by_system, baseline=baseline, confidence=confidence, n_resamples=n_resamples, rng=rng)


def _are_folds(data: Any) -> bool:
    return isinstance(data, list) and len(data) > 0 and all(isinstance(part, (Dataset, tuple)) for part in data)


def _folds(data: Any, beside: dict[str, Any]) -> list[Any]:
    if not _are_folds(data):
        return [data]
    given = [name for name, value in beside.items() if value is not None]
    if given:
        raise InputError(f"folds bring their own {given[0]}. Got another beside them. Pass Datasets or (y, qid).")
    return list(data)


def _per_fold(name: object, system: Any, data: Any, n_folds: int) -> Sequence[Any]:
    if not _are_folds(data):
        return [system]
    if hasattr(system, "predict"):
        return [system] * n_folds
    if not isinstance(system, Sequence) or len(system) != n_folds:
        got = f"{len(system)} parts" if isinstance(system, Sequence) else type(system).__name__
        raise InputError(
            f"with {n_folds} folds, system {str(name)!r} must be one ranker or a list of {n_folds} rankers or scores. "
            f"Got {got}. Pass one for each fold."
        )
    return system


def _made_already(name: object, system: Any) -> list[Evaluation]:
    parts = list(system) if isinstance(system, (list, tuple)) else [system]
    if not parts or not all(isinstance(part, Evaluation) for part in parts):
        raise InputError(
            f"without data, system {str(name)!r} must be an Evaluation or a list of them. Got {type(system).__name__}. "
            "Pass the data to be ranked."
        )
    return parts
