"""The chart of a combination of two rankers: its measure at every α."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankwright.combination import Combination
from rankwright.combination.certainty import Certainty, Versus
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


def combination_facts(
    best: Combination, certainty: Certainty | None, names: Sequence[str], weights: Sequence[float] | None = None
) -> list[list[str]]:
    """What is known of the best weight, as rows of a table.

    Parameters
    ----------
    best, certainty : the combination, and how sure it is.
    names : of the two rankers.
    weights : of both, as the scores are to be weighed; (1 − α, α) when left out.
    """
    shares = (1 - best.alpha, best.alpha) if weights is None else weights
    rows = [
        ["the best weights", ", ".join(f"{share:.4f} {name}" for share, name in zip(shares, names, strict=True))],
        ["on the queries that chose them", f"{best.value:.4f}"],
    ]
    if certainty is not None:
        rows.append(["cross-validated: on queries left out", f"{certainty.cross_validated_value:.4f}"])
    rows.append(["α that are equally good", range_text(*best.interval)])
    return rows + ([] if certainty is None else certainty_facts(certainty, names))


def certainty_facts(certainty: Certainty, names: Sequence[str]) -> list[list[str]]:
    """How sure the best weight is, as rows of a table."""
    rows = [
        ["α within one standard error of the best", range_text(*certainty.one_standard_error)],
        [f"95% of the best α over {len(certainty.alphas):,} resamples", range_text(*certainty.interval)],
    ]
    for name, versus in zip(names, (certainty.versus_a, certainty.versus_b), strict=True):
        rows.append([f"against {name} alone, cross-validated", _said(versus)])
    return rows


def _said(versus: Versus) -> str:
    tests = (
        f"p = {versus.randomisation:.3g} (randomisation), {versus.wilcoxon:.3g} (Wilcoxon), {versus.paired_t:.3g} (t)"
    )
    return f"{versus.difference:+.4f}".replace("-", "−") + f", {versus.wins} won, {versus.losses} lost, {tests}"


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
