"""The measure of easy and of hard queries: by the number of pairs, of relevant documents, of documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from rankwright.evaluation import Comparison
from rankwright.evaluation.evaluate import weighted_mean
from rankwright.evaluation.judged import Judged
from rankwright.evaluation.pairs import pairs_per_query
from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, line, said, short_names, value_text
from rankwright.report.page import Page

GROUPS = 5  # about equally many queries in each
SHOWN = 5  # systems drawn at first


class Grouped(NamedTuple):
    """Queries in groups of about equal size."""

    labels: list[str]
    member: Any


def add_groups(page: Page, given: Contents) -> None:
    """One chart for each way of grouping that makes more than one group."""
    found = given.comparison
    if found is None:
        return
    judged = next(iter(found.evaluations.values())).judged
    charts = {
        what: _chart(given, found, what, made)
        for what, counts in _counts(judged)
        if len((made := grouped(counts)).labels) > 1
    }
    if charts:
        page.section(
            "By query group",
            f"{found.measures[0]} where there is little and where there is much to find. Groups hold about equally "
            "many queries.",
        )
        page.choose("Queries by", charts)


def _counts(judged: Judged) -> Iterator[tuple[str, Any]]:
    sizes = np.diff(judged.qptr)
    relevant = np.add.reduceat(judged.y > 0, judged.qptr[:-1]) * (sizes > 0) if judged.n_docs else sizes
    yield "number of document pairs", pairs_per_query(judged.y, judged.qptr)
    yield "number of relevant documents", relevant
    yield "number of documents", sizes


def grouped(counts: Any, n_groups: int = GROUPS) -> Grouped:
    """Queries by a whole number each; the same number is never in two groups."""
    ordered = np.sort(counts)
    wanted = [int(ordered[len(ordered) * g // n_groups]) for g in range(1, n_groups)] if len(ordered) else []
    starts = sorted({int(ordered[0]), *wanted}) if len(ordered) else [0]
    member = np.searchsorted(starts, counts, side="right") - 1
    ends = [*(after - 1 for _, after in pairwise(starts)), int(ordered[-1]) if len(ordered) else 0]
    labels = [f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in zip(starts, ends, strict=True)]
    return Grouped(labels, member)


def _chart(given: Contents, found: Comparison, what: str, made: Grouped) -> Drawing:
    m = str(found.measures[0])
    sizes = np.bincount(made.member, minlength=len(made.labels)).tolist()
    means = {name: _means(found, name, made) for name in given.order}
    labels = [f"{label}<br>{n:,} queries" for label, n in zip(made.labels, sizes, strict=True)]
    traces, names = [], short_names(given.order)
    for place, name in enumerate(given.order):
        trace = line(names[name], labels, means[name], given.style(name), marks=True)
        trace["text"] = [
            f"{mean:.4f} ± {1.96 * e:.4f}" for mean, e in zip(means[name], _errors(found, name, made), strict=True)
        ]
        trace["hovertemplate"] = "%{text}<br>%{x}<extra>%{fullData.name}</extra>"
        traces.append(trace if place < SHOWN else {**trace, "visible": "legendonly"})
    rows = [
        [label, f"{n:,}", *(value_text(means[name][g]) for name in given.order)]
        for g, (label, n) in enumerate(zip(made.labels, sizes, strict=True))
    ]
    axis = {"type": "category", "categoryarray": labels, "categoryorder": "array", "title": {"text": what}}
    return Drawing(
        f"{m} by {what}",
        traces,
        {"xaxis": {**axis, "showgrid": False}, "yaxis": {"title": {"text": said(m)}}},
        Grid(f"{m} by {what}", [what, "queries", *given.order], rows),
        height=380,
    )


def _means(found: Comparison, name: str, made: Grouped) -> list[float]:
    evaluation = found.evaluations[name]
    values, weights = evaluation.values[0], evaluation.judged.weights
    groups = range(len(made.labels))
    return [weighted_mean(values[made.member == g], weights[made.member == g]) for g in groups]


def _errors(found: Comparison, name: str, made: Grouped) -> list[float]:
    """The standard error of the mean of each group."""
    values = found.evaluations[name].values[0]
    groups = [values[(made.member == g) & ~np.isnan(values)] for g in range(len(made.labels))]
    return [float(group.std(ddof=1)) / len(group) ** 0.5 if len(group) > 1 else float("nan") for group in groups]
