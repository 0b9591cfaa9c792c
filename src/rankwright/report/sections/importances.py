"""Which features the rankers use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankwright.data.checked import numbered
from rankwright.report.contents import Contents
from rankwright.report.drawing import Drawing, Grid, categories, feature_name, numbers, said, short_names
from rankwright.report.page import Page

if TYPE_CHECKING:
    from rankwright.rankers import Ranker

MOST = 15  # features shown
ROW = 24  # pixels


def add_importances(page: Page, given: Contents) -> None:
    """The most important features of each ranker that knows."""
    known = {name: found for name, folds in given.fitted().items() if (found := _importances(folds)) is not None}
    known = {name: found for name, found in known.items() if np.isfinite(found).all() and found.any()}
    if not known:
        return
    page.section("Feature importances", "Each ranker's own account of what it uses; of every ranker it sums to 100%.")
    names = {name: _feature_names(given.rankers[name][0]) for name in known}
    page.choose("Ranker", {name: _chart(name, found, names[name]) for name, found in known.items()})


def _importances(folds: Sequence[Ranker]) -> Any:
    """The mean over folds; None for a model without any such notion."""
    found = [ranker.model_.feature_importances() for ranker in folds]
    if any(one is None for one in found):
        return None
    return np.mean([np.asarray(one) for one in found], axis=0)


def _feature_names(ranker: Ranker) -> list[str]:
    given = getattr(ranker, "feature_names_in_", None)
    return [feature_name(str(name)) for name in (numbered(ranker.n_features_in_) if given is None else given)]


def _chart(ranker: str, importances: Any, names: list[str]) -> Drawing:
    order = [i for i in np.argsort(-importances, kind="stable").tolist() if importances[i] > 0]
    top = order[:MOST]
    labels = short_names([names[i] for i in top])
    shown = [labels[names[i]] for i in top]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": numbers(importances[top]),
        "y": [said(label) for label in shown],
        "text": [f"{importances[i]:.1%}" for i in top],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": "$main"},
        "hovertemplate": "%{y}: %{x:.2%}<extra></extra>",
    }
    used = f"uses {len(order)} of {len(names)} feature{'s' * (len(names) != 1)}"
    return Drawing(
        f"{ranker} {used}" + (f"; the first {MOST}" if len(order) > MOST else ""),
        [bars],
        {
            "yaxis": categories(shown, autorange="reversed", showgrid=False, ticklabelstandoff=6),
            "xaxis": {"tickformat": ".0%", "rangemode": "tozero", "range": [0, 1.15 * float(importances[top].max())]},
            "bargap": 0.35,
        },
        Grid(f"Feature importances of {ranker}", ["feature", "importance"], _rows(order, names, importances)),
        height=60 + ROW * len(top),
    )


def _rows(order: list[int], names: list[str], importances: Any) -> list[list[str]]:
    return [[names[i], f"{importances[i]:.2%}"] for i in order[: 4 * MOST]]
