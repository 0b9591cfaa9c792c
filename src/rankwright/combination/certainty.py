"""How sure is α? Other queries would have given another; here is how far, and what is lost by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankwright.combination.combine import Sides
from rankwright.errors import InputError
from rankwright.evaluation.tests_of_difference import paired_t, randomisation, wilcoxon
from rankwright.line_search import Interval, Objective, StepTable, weighted_mean
from rankwright.measures import Measure
from rankwright.measures.base import Floats, Offsets


class Versus(NamedTuple):
    """The combination, its α always chosen on other queries, against one ranker alone: p-values are two-sided."""

    difference: float  # mean over queries, positive when the combination is better
    wins: int
    losses: int
    paired_t: float
    wilcoxon: float
    randomisation: float


@dataclass(frozen=True, eq=False, repr=False)
class Certainty:
    """How sure the best α of a combination is.

    Parameters
    ----------
    alphas : the best α of every resample of the queries, drawn with replacement.
    interval : the range that holds the middle 95% of them.
    one_standard_error : from the first to the last α whose mean loss against the best is at most its standard error.
    band : per plateau of the curve, the middle 95% of the resampled means.
    paired_band : the same of the differences to the best α, resample by resample, added to the best value: what is
        below it everywhere can be told from the best.
    training_value : the measure at the best α, on the queries that chose it.
    cross_validated_value : the mean over queries, each judged at the α that the other folds chose.
    fold_alphas : those α.
    alpha_of_query : for every query, the α that the other folds chose; the best of all where it does not count.
    versus_a, versus_b : the cross-validated values against either ranker alone.
    """

    alphas: Floats
    interval: Interval
    one_standard_error: Interval
    band: Band
    paired_band: Band
    training_value: float
    cross_validated_value: float
    fold_alphas: tuple[float, ...]
    alpha_of_query: Floats
    versus_a: Versus
    versus_b: Versus
    measure: Measure

    def __repr__(self) -> str:
        def line(name: str, v: Versus) -> str:
            return (
                f"  against {name} alone    {v.difference:+.6f}   {v.wins} wins, {v.losses} losses   p = "
                f"{v.paired_t:.3g} (t), {v.wilcoxon:.3g} (Wilcoxon), {v.randomisation:.3g} (randomisation)"
            )

        return "\n".join(
            [
                f"{self.measure}, {len(self.alphas)} resamples of the queries, {len(self.fold_alphas)} folds",
                f"  95% of the best α    {self.interval.lo:.4g} .. {self.interval.hi:.4g}",
                f"  within one error     {self.one_standard_error.lo:.4g} .. {self.one_standard_error.hi:.4g}",
                f"  on its own queries   {self.training_value:.6f}",
                f"  cross-validated      {self.cross_validated_value:.6f}",
                line("a", self.versus_a),
                line("b", self.versus_b),
            ]
        )


class Band(NamedTuple):
    """The confidence band of a curve: on ``alpha_lo[i] < α < alpha_hi[i]`` the mean lies in ``low[i]..high[i]``."""

    alpha_lo: Floats
    alpha_hi: Floats
    low: Floats
    high: Floats


BAND_POINTS = 512  # plateaus of a band; a longer curve is sampled evenly


def certainty_of(sides: Sides, alpha: float, *, n_resamples: int = 1000, n_folds: int = 5, rng: int = 0) -> Certainty:
    """Bootstrap over queries, cross-validation, and tests against either ranker alone.

    Parameters
    ----------
    sides : what was combined.
    alpha : the best α on all queries.
    n_resamples : how often the queries are drawn anew; every resample is searched exactly.
    n_folds : parts of the cross-validation; no more than there are queries.
    rng : seed; the result depends on nothing else.
    """
    if n_resamples < 2 or n_folds < 2:
        raise InputError(f"there must be 2 resamples and 2 folds at least. Got {n_resamples} and {n_folds}.")
    objective = sides.objective
    table = StepTable(objective, sides.a, sides.b, sides.form, sides.lo, sides.hi)
    counted = np.flatnonzero(table.counted)
    if len(counted) < 2:
        raise InputError(f"certainty needs two queries that count at least. Got {len(counted)}. Judge more queries.")
    random = np.random.default_rng(rng)
    alphas, band, paired = _bootstrap(table, objective, counted, alpha, n_resamples, random)
    fold = _folds(counted, len(objective.weight), min(n_folds, len(counted)), random)
    held_out, fold_alphas = _held_out(table, objective.weight, fold)
    weight = objective.weight[counted]
    low, high = np.quantile(alphas, [0.025, 0.975])
    versus = [
        _versus(held_out - objective.sign * objective.per_query(side)[counted], weight, rng)
        for side in (sides.a, sides.b)
    ]
    return Certainty(
        alphas=alphas,
        interval=Interval(float(low), float(high)),
        one_standard_error=table.within_one_standard_error(alpha, objective.weight),
        band=band,
        paired_band=paired,
        training_value=objective.sign * weighted_mean(table.values(alpha)[counted], weight),
        cross_validated_value=objective.sign * weighted_mean(held_out, weight),
        fold_alphas=fold_alphas,
        alpha_of_query=np.append(fold_alphas, alpha)[fold],
        versus_a=versus[0],
        versus_b=versus[1],
        measure=objective.measure,
    )


def _bootstrap(
    table: StepTable,
    objective: Objective,
    counted: Offsets,
    alpha: float,
    n_resamples: int,
    random: np.random.Generator,
) -> tuple[Floats, Band, Band]:
    weight, own = objective.weight, int(np.searchsorted(table.hi, alpha))
    shown = np.union1d(np.linspace(0, len(table.lo) - 1, BAND_POINTS).astype(np.int64), own)
    alphas, means = np.empty(n_resamples), np.empty((n_resamples, len(shown)))
    for r in range(n_resamples):
        drawn = np.bincount(random.choice(counted, len(counted)), minlength=len(weight)) * weight
        best, curve = table.best_and_curve(drawn)
        alphas[r], means[r] = best, curve[shown]
    at_best = np.flatnonzero(shown == own)
    value = weighted_mean(table.values(alpha)[counted], weight[counted])
    ends = (table.lo[shown], table.hi[shown])
    bands = [
        Band(*ends, *np.quantile(objective.sign * around, [0.025, 0.975], axis=0))
        for around in (means, means - means[:, at_best] + value)
    ]
    return alphas, bands[0], bands[1]


def _folds(counted: Offsets, n_queries: int, n_folds: int, random: np.random.Generator) -> Offsets:
    """The fold of every query; −1 where it does not count."""
    fold = np.full(n_queries, -1, np.int64)
    fold[random.permutation(counted)] = np.arange(len(counted)) % n_folds
    return fold


def _held_out(table: StepTable, weight: Floats, fold: Offsets) -> tuple[Floats, tuple[float, ...]]:
    """The value of every query that counts at the α that the other folds chose, and those α."""
    out = np.empty(len(weight))
    alphas = []
    for k in range(int(fold.max()) + 1):
        alphas.append(table.best(np.where(fold == k, 0.0, weight))[0])
        out[fold == k] = table.values(alphas[-1])[fold == k]
    return out[fold >= 0], tuple(alphas)


def _versus(difference: Floats, weight: Floats, rng: int) -> Versus:
    d = np.where(np.abs(difference) > 1e-12, difference, 0.0)
    return Versus(
        difference=weighted_mean(d, weight),
        wins=int((d > 0).sum()),
        losses=int((d < 0).sum()),
        paired_t=paired_t(d),
        wilcoxon=wilcoxon(d),
        randomisation=float(randomisation(d, rng=rng)[0]),
    )
