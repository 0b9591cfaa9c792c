"""The chart of a combination of two rankers: its measure at every α."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankwright.combination import Combination
from rankwright.combination.certainty import Certainty
from rankwright.errors import InputError
from rankwright.report.charts import Band, Reference, Span, StepChart, Steps, range_text


def combination_chart(
    best: Combination,
    certainty: Certainty | None = None,
    references: Sequence[Reference] = (),
    names: tuple[str, str] = ("a", "b"),
) -> StepChart:
    """What `best.curve` looks like, with the plateau of the optimum.

    Parameters
    ----------
    best : with its curve.
    certainty : for the confidence band and the range within one standard error.
    references : values to compare with, such as RRF and each ranker alone.
    names : of the two rankers.
    """
    if best.curve is None:
        raise InputError("the combination must have its curve to be drawn. Got none. Ask for it: curve=True.")
    queries = "query" if best.n_queries == 1 else "queries"
    formula = f"(1 − α) · {names[0]} + α · {names[1]}" if best.form == "convex" else f"{names[0]} + α · {names[1]}"
    interval = best.interval
    steps = _finite(Steps(*best.curve))
    domain = float(steps.lo[0]), float(steps.hi[-1])
    return StepChart(
        title=f"{best.measure} of {formula}",
        subtitle=f"{best.n_queries:,} {queries}; best {best.value:.4f} for α from {range_text(*interval)}",
        x="α",
        y=str(best.measure),
        steps=steps,
        best=(best.alpha, best.value),
        plateau=Span("best plateau", *np.clip(interval, domain[0], domain[1]).tolist()),
        likely=None
        if certainty is None
        else Span("within one standard error", *np.clip(certainty.one_standard_error, *domain).tolist()),
        bands=() if certainty is None else _bands(certainty),
        references=tuple(references),
        ends=names if best.form == "convex" else None,
    )


def _bands(certainty: Certainty) -> tuple[Band, Band]:
    return (
        Band("95% of the differences to the best, over resampled queries", *certainty.paired_band),
        Band("95% of the means of resampled queries", *certainty.band),
    )


def _finite(steps: Steps) -> Steps:
    """The first and the last plateau, where they have no end, only as wide as the rest."""
    lo, hi = steps.lo.copy(), steps.hi.copy()
    wide = max(float(np.ptp(lo[1:])) if len(lo) > 1 else 0.0, 1.0)
    if np.isinf(lo[0]):
        lo[0] = min(hi[0], 1.0) - wide
    if np.isinf(hi[-1]):
        hi[-1] = lo[-1] + wide
    return Steps(lo, hi, steps.value)
