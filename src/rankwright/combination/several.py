"""Runs combined for a measure: exactly for two, by coordinate ascent for more, and judged on queries left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.combination.certainty import Certainty
from rankwright.combination.combine import Combination, optimal_combination
from rankwright.combination.interpolation import weighted_sum
from rankwright.combination.normalise import Normalisation
from rankwright.combination.runs import RunScores, read_runs
from rankwright.data.run_features import RunLike
from rankwright.data.splits import fold_of_query
from rankwright.data.trec import Scores, write_run
from rankwright.errors import InputError
from rankwright.evaluation import Comparison, compare
from rankwright.measures import Measure, MeasureLike, measure as parsed
from rankwright.rankers import CoordinateAscent

Floats = npt.NDArray[np.float64]

COMBINED, RRF, EQUAL = "combined", "RRF", "equal weights"


@dataclass(frozen=True, eq=False, repr=False)
class CombinedRuns:
    """Runs and the weights that are best for a measure on judged queries.

    Parameters
    ----------
    names : of the runs, in the order of the weights.
    weights : of the runs' normalised scores, at least 0, summing to 1.
    value : the measure on the queries that chose the weights: optimistic.
    held_out : for each judged document, its score under weights that were chosen on other queries; None where there
        are too few queries to hold some out.
    measures : what was asked for; the weights are best for the first.
    normalise : how scores were made comparable.
    judged, every : the scores of judged queries, and of all queries of the runs.
    exact, certainty : of two runs, the whole curve and how sure α is; None for more.
    """

    names: tuple[str, ...]
    weights: Floats
    value: float
    held_out: Floats | None
    measures: tuple[Measure, ...]
    normalise: Normalisation
    judged: RunScores
    every: RunScores
    exact: Combination | None = None
    certainty: Certainty | None = None

    @property
    def alpha(self) -> float:
        """Of two runs, the weight of the second."""
        if len(self.weights) != 2:
            raise AttributeError(f"alpha is the weight of the second of two runs. There are {len(self.weights)}.")
        return float(self.weights[1])

    def systems(self) -> dict[str, Floats]:
        """Scores of the judged documents by what could be used instead: each run, RRF, equal weights, these weights.

        The combination is the one held out, where there is one: every query under weights that other queries chose.
        """
        columns = self.judged.normalised(self.normalise)
        equal = weighted_sum(columns, np.full(len(columns), 1.0 / len(columns)))
        own = weighted_sum(columns, self.weights) if self.held_out is None else self.held_out
        made = {name: self.judged.alone(name) for name in self.names}
        rest = {RRF: self.judged.reciprocal_rank_fusion(), EQUAL: equal, COMBINED: own}
        return made | {name if name not in made else f"{name} (all runs)": scores for name, scores in rest.items()}

    def comparison(self, *, rng: int = 0, n_threads: int | None = None) -> Comparison:
        """All of them beside each other, with intervals and tests of significance.

        Parameters
        ----------
        rng : seed of the bootstrap and of the randomisation test.
        n_threads : None for all cores.
        """
        systems = self.systems()
        own = list(systems)[-1]
        return compare(systems, self.judged.data, self.measures, baseline=own, rng=rng, n_threads=n_threads)

    def fused(self) -> Floats:
        """The combined scores of every document of every query of the runs."""
        return weighted_sum(self.every.normalised(self.normalise), self.weights)

    def write(self, path: str | Path, tag: str = COMBINED, *, depth: int | None = None) -> None:
        """Writes the fused run of all queries, judged or not.

        Parameters
        ----------
        path : the file.
        tag : the name of the run.
        depth : documents per query; None for all that some run returned.
        """
        write_run(self.every.data, self.fused(), path, tag, depth=depth)

    def __repr__(self) -> str:
        lines = [f"{self.measures[0]} of {len(self.names)} runs over {self.judged.data.n_queries} judged queries"]
        lines += [f"  {name}   weight {weight:.4g}" for name, weight in zip(self.names, self.weights, strict=True)]
        lines.append(f"  on the queries that chose them   {self.value:.6f}")
        if self.held_out is not None:
            held_out = self.measures[0].mean(self.judged.data.y, self.held_out, self.judged.data.qptr)
            lines.append(f"  on queries left out              {held_out:.6f}")
        return "\n".join(lines)


def combine_runs(
    runs: Mapping[str, RunLike] | Sequence[RunLike],
    qrels: str | Path | Scores,
    measure: MeasureLike | Sequence[MeasureLike] = "nDCG@10",
    *,
    normalise: Normalisation = "minmax",
    depth: int | None = None,
    curve: bool = False,
    n_resamples: int = 1000,
    n_folds: int = 5,
    rng: int = 0,
    n_threads: int | None = None,
) -> CombinedRuns:
    """The weights of two or more runs that are best for a measure on judged queries.

    For two runs the optimum is exact, and comes with how sure it is; for more, `CoordinateAscent` with weights ≥ 0.

    Parameters
    ----------
    runs : run files by name, or a list of them; or scores in memory, query id → document id → score.
    qrels : the judgements, a file or query id → document id → grade. What is not judged is not relevant.
    measure : what is to be best; of several, the first, and the others are only compared.
    normalise : how scores are made comparable within each query: ``minmax``, ``z``, ``ranks`` or ``none``. A document
        that a run did not return is as low as the lowest it did.
    depth : only a run's `depth` best documents of a query; None for all.
    curve : for two runs, whether the measure is wanted as a step function of α.
    n_resamples : draws of the bootstrap over queries.
    n_folds : parts of the cross-validation.
    rng : seed; the result depends on nothing else.
    n_threads : None for all cores.

    Examples
    --------
    >>> import rankwright as rw
    >>> bm25 = {"q": {"x": 3.0, "y": 2.0, "z": 1.0}}
    >>> dense = {"q": {"z": 0.9, "y": 0.8, "x": 0.1}}
    >>> best = rw.combine_runs({"bm25": bm25, "dense": dense}, {"q": {"y": 1}}, "RR")
    >>> print(best.value, best.exact.interval.lo < best.alpha < best.exact.interval.hi)
    1.0 True
    """
    judged, every = read_runs(runs, qrels, depth=depth)
    if judged is None:
        raise InputError("there must be judgements to combine by. Got None. Pass qrels, or fuse by ranks.")
    asked = [measure] if isinstance(measure, (str, Measure)) else list(measure)
    common: dict[str, Any] = {
        "names": tuple(judged.raw),
        "measures": tuple(parsed(m) for m in asked),
        "normalise": normalise,
        "judged": judged,
        "every": every,
    }
    columns = judged.normalised(normalise)
    if len(columns) == 2:
        settings = {"n_resamples": n_resamples, "n_folds": n_folds, "rng": rng}
        return CombinedRuns(**common, **_of_two(columns, judged, common["measures"][0], curve, settings, n_threads))
    return CombinedRuns(**common, **_of_more(columns, judged, common["measures"][0], n_folds, rng, n_threads))


def _of_two(
    columns: list[Floats], judged: RunScores, m: Measure, curve: bool, settings: dict[str, int], n_threads: int | None
) -> dict[str, Any]:
    best = optimal_combination(columns[0], columns[1], judged.data, measure=m, curve=curve, n_threads=n_threads)
    made: dict[str, Any] = {"weights": np.array([1.0 - best.alpha, best.alpha]), "value": best.value, "exact": best}
    if best.n_queries < 2:
        return {**made, "held_out": None}
    sure = best.certainty(**settings)
    alpha = sure.alpha_of_query[judged.data.query_of_row]
    return {**made, "certainty": sure, "held_out": (1.0 - alpha) * columns[0] + alpha * columns[1]}


def _of_more(
    columns: list[Floats], judged: RunScores, m: Measure, n_folds: int, rng: int, n_threads: int | None
) -> dict[str, Any]:
    data = judged.data.with_features(np.column_stack(columns).astype(np.float32), judged.names)
    ranker = CoordinateAscent(measure=m, starts="best", scale="none", positive=True, rng=rng, n_threads=n_threads)
    weights = _weights(ranker.fit(data))
    parts = min(n_folds, data.n_queries)
    held_out = None
    if parts >= 2:
        fold = fold_of_query(data.n_queries, parts, rng)
        held_out = np.empty(data.n_docs)
        for k in range(parts):
            rows = (fold == k)[data.query_of_row]
            learnt = _weights(ranker.fit(data.queries(fold != k)))
            held_out[rows] = weighted_sum([column[rows] for column in columns], learnt)
    value = Measure.mean(m, data.y, weighted_sum(columns, weights), data.qptr)
    return {"weights": weights, "value": value, "held_out": held_out}


def _weights(ranker: CoordinateAscent) -> Floats:
    weights = np.asarray(ranker.model_.weights, dtype=np.float64)  # type: ignore[attr-defined]
    return np.asarray(weights / weights.sum())
