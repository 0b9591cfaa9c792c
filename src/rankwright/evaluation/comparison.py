"""The outcome of a comparison: a leaderboard with intervals, and every pair with its tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rankwright.data.checked import Floats
from rankwright.errors import InputError
from rankwright.evaluation.bootstrap import bca_intervals
from rankwright.evaluation.comparison_text import described
from rankwright.evaluation.evaluate import Evaluation
from rankwright.evaluation.table import Table, plain
from rankwright.evaluation.tests_of_difference import effect_size, holm, paired_t, randomisation, wilcoxon
from rankwright.measures import Measure, MeasureLike

TESTS = ("t", "wilcoxon", "randomisation")
ROOM = 4  # the smallest corrected p is this much below the level
SAME = 12  # differences are rounded to so many decimals: sums in another order are no difference


class Pair(NamedTuple):
    """Two systems under one measure: the queries both were measured on, and a − b there, positive where a is better."""

    measure: Measure
    a: str
    b: str
    queries: Any
    gain: Floats

    @property
    def difference(self) -> Floats:
        """a − b, whichever is better."""
        return -self.gain if self.measure.lower_is_better else self.gain


class Comparison:
    """Several systems on the same queries.

    Parameters
    ----------
    by_system : by name, one evaluation per fold; the same folds and measures for all.
    baseline, confidence, n_resamples, rng : as in :func:`rankwright.compare`.

    Attributes
    ----------
    evaluations : by name, the evaluation pooled over folds.
    measures : what was measured; the first orders the leaderboard.
    n_queries, n_folds : how much it was measured on.
    """

    def __init__(
        self,
        by_system: Mapping[str, Sequence[Evaluation]],
        *,
        baseline: str | None = None,
        confidence: float = 0.95,
        n_resamples: int = 10_000,
        rng: int = 0,
    ) -> None:
        if not 0 < confidence < 1:
            raise InputError(f"confidence must be between 0 and 1. Got {confidence}. Use 0.95.")
        if n_resamples < 100:
            raise InputError(f"n_resamples must be at least 100. Got {n_resamples}. Use 10000.")
        _check_alike(by_system)
        self.by_system = {name: list(folds) for name, folds in by_system.items()}
        self.evaluations = {name: Evaluation.pooled(folds) for name, folds in self.by_system.items()}
        self.baseline, self.confidence, self.n_resamples, self.rng = baseline, confidence, n_resamples, rng
        first = next(iter(self.evaluations.values()))
        self.measures, self.n_queries, self.query_weight = first.measures, first.n_queries, first.judged.query_weight
        self.n_folds = len(next(iter(self.by_system.values())))

    # -- tables ----------------------------------------------------------------------------------------------------

    def leaderboard(self) -> Table:
        """One row per system, best first by the first measure: for each measure its mean, the ends of its interval,
        and the systems it beats significantly (see `pairs`)."""
        columns: dict[str, Any] = {"system": self._order}
        for j, m in enumerate(self.measures):
            name = str(m)
            columns[name] = [self.evaluations[s].means[name] for s in self._order]
            for end, values in zip(("low", "high"), self._intervals, strict=True):
                of_system = dict(zip(self.evaluations, values[j * len(self.evaluations) :], strict=False))
                columns[f"{name} {end}"] = [of_system[s] for s in self._order]
            columns[f"{name} beats"] = [", ".join(self.beaten(s, name)) for s in self._order]
        return Table(columns)

    def pair(self, measure: MeasureLike, a: str, b: str) -> Pair:
        """Two systems query by query, under one of the measures."""
        j = self.evaluations[a].row(measure)
        return self._pair(j, self.measures[j], a, b)

    def pairs(self) -> Table:
        """One row per pair and measure.

        n : queries measured for both. difference, low, high : mean of a − mean of b, and its interval.
        wins, ties, losses : queries where a is better, equal, worse. effect : mean gain of a in standard deviations
        of the gains. p_… : the tests; holm_… : corrected over the whole table.
        """
        return Table(self._pairs)

    def fold_means(self) -> Table:
        """One row per system and measure: the mean on each fold, and the mean of those means."""
        rows = [(s, str(m)) for s in self._order for m in self.measures]
        table: dict[str, Any] = {"system": [s for s, _ in rows], "measure": [m for _, m in rows]}
        folds = np.array([[fold.means[m] for fold in self.by_system[s]] for s, m in rows])
        for k in range(self.n_folds):
            table[f"fold {k + 1}"] = folds[:, k]
        return Table({**table, "mean of folds": folds.mean(axis=1)})

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the settings and the tables, as lists of rows."""
        settings = ("n_queries", "n_folds", "baseline", "confidence", "n_resamples", "rng")
        tables = {"leaderboard": self.leaderboard(), "pairs": self.pairs(), "fold_means": self.fold_means()}
        rows = {k: [{c: plain(v) for c, v in row.items()} for row in table.rows()] for k, table in tables.items()}
        return {**{name: getattr(self, name) for name in settings}, "measures": list(map(str, self.measures)), **rows}

    # -- numbers ---------------------------------------------------------------------------------------------------

    @cached_property
    def _order(self) -> list[str]:
        """Best first by the first measure; systems of which nothing is known last."""
        m = self.measures[0]
        sign = 1.0 if m.lower_is_better else -1.0
        key = {name: sign * e.means[str(m)] for name, e in self.evaluations.items()}
        return sorted(key, key=lambda name: (np.isnan(key[name]), key[name]))

    @cached_property
    def _intervals(self) -> tuple[Floats, Floats]:
        """Lower and upper ends of the systems' means, measure by measure, then of the pairs' mean differences; from
        the same resampled queries."""
        means = [e.values[j] for j in range(len(self.measures)) for e in self.evaluations.values()]
        differences = [np.full(self.n_queries, np.nan) for _ in self._compared]
        for column, pair in zip(differences, self._compared, strict=True):
            column[pair.queries] = pair.difference
        columns = np.stack(means + differences, axis=1)
        return bca_intervals(
            columns, self.query_weight, confidence=self.confidence, n_resamples=self.n_resamples, rng=self.rng
        )

    @cached_property
    def _compared(self) -> list[Pair]:
        names = list(self.evaluations)
        others = [name for name in names if name != self.baseline]
        chosen = combinations(names, 2) if self.baseline is None else ((name, self.baseline) for name in others)
        pairs = list(chosen)
        return [self._pair(j, m, a, b) for j, m in enumerate(self.measures) for a, b in pairs]

    def _pair(self, j: int, m: Measure, a: str, b: str) -> Pair:
        difference = np.round(self.evaluations[a].values[j] - self.evaluations[b].values[j], SAME)
        both = ~np.isnan(difference)
        if self.query_weight is not None:
            both &= self.query_weight > 0
        return Pair(m, a, b, both, -difference[both] if m.lower_is_better else difference[both])

    @cached_property
    def _pairs(self) -> dict[str, Any]:
        pairs = self._compared
        gains = [self._weighted(pair) for pair in pairs]
        spread = np.zeros((self.n_queries, len(pairs)))  # a query not measured for both says nothing: 0
        for j, (pair, gain) in enumerate(zip(pairs, gains, strict=True)):
            spread[pair.queries, j] = gain
        low, high = (ends[len(ends) - len(pairs) :] for ends in self._intervals)
        p = {
            "t": np.array([paired_t(gain) for gain in gains]),
            "wilcoxon": np.array([wilcoxon(gain) for gain in gains]),
            "randomisation": randomisation(spread, self._n_signs(len(pairs)), self.rng),
        }
        return {
            "measure": [str(pair.measure) for pair in pairs],
            "a": [pair.a for pair in pairs],
            "b": [pair.b for pair in pairs],
            "n": [len(pair.gain) for pair in pairs],
            "difference": [self._mean_difference(pair, gain) for pair, gain in zip(pairs, gains, strict=True)],
            "low": low,
            "high": high,
            "wins": [int((pair.gain > 0).sum()) for pair in pairs],
            "ties": [int((pair.gain == 0).sum()) for pair in pairs],
            "losses": [int((pair.gain < 0).sum()) for pair in pairs],
            "effect": [effect_size(gain) for gain in gains],
            **{f"p_{test}": p[test] for test in TESTS},
            **{f"holm_{test}": holm(p[test]) for test in TESTS},
        }

    def _n_signs(self, n_pairs: int) -> int:
        """Holm multiplies the smallest p, at least 1/(signs + 1), by the number of pairs: with too few signs nothing
        could be significant among many pairs, however different they are."""
        return max(self.n_resamples, math.ceil(ROOM * n_pairs / (1 - self.confidence)))

    def _weighted(self, pair: Pair) -> Floats:
        """Gains whose plain mean is the weighted mean gain."""
        if self.query_weight is None or len(pair.gain) == 0:
            return pair.gain
        weight = self.query_weight[pair.queries]
        return np.asarray(pair.gain * weight / weight.mean())

    def _mean_difference(self, pair: Pair, gain: Floats) -> float:
        if len(gain) == 0:
            return float("nan")
        return float(-gain.mean() if pair.measure.lower_is_better else gain.mean())

    def beaten(self, system: str, measure: str) -> list[str]:
        """The systems over which this one is significantly better, in the order of the leaderboard."""
        found = set()
        rows = zip(*(self._pairs[c] for c in ("measure", "a", "b", "effect", "holm_randomisation")), strict=True)
        for m, a, b, effect, p in rows:
            if m == measure and system in (a, b) and p <= 1 - self.confidence and (effect > 0) == (system == a):
                found.add(b if system == a else a)
        return [name for name in self._order if name in found]

    def __repr__(self) -> str:
        return described(self)


def _check_alike(by_system: Mapping[str, Sequence[Evaluation]]) -> None:
    (first_name, first), *others = by_system.items()
    for name, folds in others:
        for a, b in zip(first, folds, strict=False):
            if a.measures != b.measures or not np.array_equal(a.judged.query_ids, b.judged.query_ids):
                raise InputError(
                    f"all systems must be measured alike, on the same queries. {first_name!r} and {name!r} are not. "
                    "Evaluate them on the same data with the same measures."
                )
        if len(folds) != len(first):
            raise InputError(
                f"all systems must have the same folds. Got {len(first)} for {first_name!r} and {len(folds)} for "
                f"{name!r}. Evaluate each on every fold."
            )
