"""Tables in the form of the SVM-map paper's: MAP, and wins and losses of SVM-map with their significance."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankwright.evaluation.table import Table
from rankwright.evaluation.tests_of_difference import wilcoxon
from rankwright.reproduce.svmmap_trials import Results

Floats = npt.NDArray[np.float64]


def comparison(
    found: dict[str, Results], rows: dict[str, list[tuple[str, str]]], ours: str = "SVM-map", names: bool = False
) -> Table:
    """One row per model; for each collection its MAP, and W/L: on how many queries `ours` is better and worse.

    Parameters
    ----------
    found : by collection.
    rows : by collection, (title of the row, name among its results); the titles are the same for all.
    ours : what the others are compared with.
    names : whether to name what stands behind a title.
    """
    columns: dict[str, Any] = {"model": [title for title, _ in next(iter(rows.values()))]}
    for collection, results in found.items():
        listed = [name for _, name in rows[collection]]
        if names:
            columns[f"{collection}:"] = ["" if name == ours else name for name in listed]
        columns[collection] = [float(results[name].mean()) for name in listed]
        columns[f"{collection} W/L"] = [
            "–" if name == ours else wins_and_losses(results[ours] - results[name]) for name in listed
        ]
    return Table(columns)


def wins_and_losses(differences: Floats) -> str:
    """Such as ``39/11 **``: how often the difference is above and below 0, and its stars."""
    won, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return f"{won}/{lost} {stars(wilcoxon(differences))}".rstrip()


def stars(p: float) -> str:
    """Two for a significance level of .95, one for .90."""
    return "**" if p < 0.05 else "*" if p < 0.10 else ""
