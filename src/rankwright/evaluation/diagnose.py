"""Where a ranking goes wrong: the diagnostics of section 4.5 of the AdaRank paper (Xu & Li, SIGIR 2007).

    pair_errors       which pairs of labels are put in the wrong order                      Figure 6
    by_pairs          the measure of queries with few and with many document pairs          Figures 7 and 8
    learning_curves   the measure round by round                                            Figure 11

A ranker that counts pairs in its loss is drawn to the queries that have many of them; one that optimises a measure
per query is not, and errs less where the measure looks: in pairs with a high label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from rankwright.errors import InputError
from rankwright.evaluation.evaluate import evaluated, judged_documents, weighted_mean, with_preset
from rankwright.evaluation.judged import refuse_nan
from rankwright.evaluation.pairs import discordant_pairs, grades_of, pairs_per_query
from rankwright.evaluation.table import Table
from rankwright.measures import MeasureLike, measure

GROUPS = 10  # at most so many groups of queries when no edges are given


def pair_errors(
    systems: Any,
    data: Any,
    *,
    qid: Any = None,
    group: Any = None,
    names: Mapping[float, str] | None = None,
    average: Literal["pairs", "queries"] = "pairs",
) -> Table:
    """The share of document pairs put in the wrong order, for each pair of labels.

    Parameters
    ----------
    systems : one ranker or array of scores, or several by name.
    data, qid, group : as in :func:`rankwright.evaluate`.
    names : what to call the labels, such as ``{2: "d", 1: "p", 0: "n"}``.
    average : over all pairs together, or within each query that has such pairs and then over queries, by weight.

    Returns
    -------
    Table : a row per pair of labels, "all" last: "pair", "pairs" (how many), and one error rate per system. Equal
        scores are half an error. NaN where there are no such pairs.
    """
    if average not in ("pairs", "queries"):
        raise InputError(f"average must be pairs or queries. Got {average!r}. The default is pairs.")
    judged = judged_documents(data, qid=qid, group=group)
    grades = grades_of(judged.y)
    words = {float(g): (names or {}).get(float(g), f"{g:g}") for g in grades}
    table: dict[str, Any] = {}
    for name, system in _by_name(systems, "error rate", ("pair", "pairs")).items():
        counted = discordant_pairs(judged.y, refuse_nan(judged.scores_of(system)), judged.qptr, grades)
        rows = [*counted.values(), _summed(list(counted.values()), judged.n_queries)]
        table.setdefault("pair", [*(f"{words[a]}–{words[b]}" for a, b in counted), "all"])
        table.setdefault("pairs", [int(pairs.sum()) for pairs, _ in rows])
        if average == "pairs":
            table[name] = [_ratio(errors.sum(), pairs.sum()) for pairs, errors in rows]
        else:
            table[name] = [weighted_mean(_ratio(errors, pairs), judged.query_weight) for pairs, errors in rows]
    return Table(table)


def by_pairs(
    systems: Any,
    data: Any,
    measure: MeasureLike = "AP",
    *,
    qid: Any = None,
    group: Any = None,
    edges: Sequence[int] | None = None,
    preset: str | None = None,
    n_threads: int | None = None,
) -> Table:
    """A measure by the number of document pairs per query.

    Parameters
    ----------
    systems : one ranker or array of scores, or several by name.
    data, qid, group, preset, n_threads : as in :func:`rankwright.evaluate`.
    measure : what is averaged in each group.
    edges : where groups begin, such as ``[0, 1000, 2000]``; the last has no end. By default up to ten groups of
        equal, round width. Only pairs of documents with different labels count.

    Returns
    -------
    Table : a row per group: "document pairs", "queries" (how many), and the measure's mean per system; NaN where a
        group has no query that counts.
    """
    judged = judged_documents(data, qid=qid, group=group)
    m = with_preset(_measure(measure), preset)
    pairs = pairs_per_query(judged.y, judged.qptr)
    starts = _edges(edges, int(pairs.max()))
    if pairs.min() < starts[0]:
        raise InputError(f"edges must start at or below {pairs.min()}, the fewest pairs. Got {starts[0]}. Start at 0.")
    member = np.searchsorted(starts, pairs, side="right") - 1
    table: dict[str, Any] = {
        "document pairs": [*(f"{_short(a)}–{_short(b)}" for a, b in pairwise(starts)), f"{_short(starts[-1])}–"],
        "queries": np.bincount(member, minlength=len(starts)),
    }
    for name, system in _by_name(systems, str(m), ("document pairs", "queries")).items():
        values = evaluated(system, judged, (m,), n_threads=n_threads).values[0]
        table[name] = [weighted_mean(values[member == g], judged.weights[member == g]) for g in range(len(starts))]
    return Table(table)


def learning_curves(rankers: Any) -> Table:
    """The rounds of fitted rankers, one under the other: measures on training and validation data, bounds, steps.

    Parameters
    ----------
    rankers : one fitted ranker, or several by name.

    Returns
    -------
    Table : "ranker" (with several), "round" and whatever the rankers recorded; NaN where one did not.
    """
    named = rankers if isinstance(rankers, Mapping) else {"": rankers}
    for name, ranker in named.items():
        if not hasattr(ranker, "history_"):
            raise InputError(
                f"learning curves need fitted rankers. {name or ranker!r} has no history_. Call fit first."
            )
    rows = [(name, row) for name, ranker in named.items() for row in ranker.history_]
    recorded = list(dict.fromkeys(column for _, row in rows for column in row))
    table: dict[str, Any] = {"ranker": [name for name, _ in rows]} if isinstance(rankers, Mapping) else {}
    for column in recorded:
        values = [row.get(column, np.nan) for _, row in rows]
        table[column] = np.array(values, dtype=np.int64 if column == "round" else np.float64)
    return Table(table)


@dataclass(frozen=True)
class Diagnosis:
    """The three tables of :func:`diagnose`; `learning_curves` is None when nothing was trained in rounds."""

    pair_errors: Table
    by_pairs: Table
    learning_curves: Table | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        curves = None if self.learning_curves is None else self.learning_curves.to_dict()
        return {
            "pair_errors": self.pair_errors.to_dict(),
            "by_pairs": self.by_pairs.to_dict(),
            "learning_curves": curves,
        }

    def __repr__(self) -> str:
        parts = ["Error rate by pair of labels", repr(self.pair_errors)]
        parts += ["", "By number of document pairs per query", repr(self.by_pairs)]
        if self.learning_curves is not None:
            parts += ["", "Learning curves", repr(self.learning_curves)]
        return "\n".join(parts)


def diagnose(
    systems: Any,
    data: Any,
    measure: MeasureLike = "AP",
    *,
    qid: Any = None,
    group: Any = None,
    preset: str | None = None,
) -> Diagnosis:
    """Error rates by pair of labels, the measure by document pairs per query, and learning curves, all at once.

    Parameters
    ----------
    systems : one ranker or array of scores, or several by name.
    data, qid, group, preset : as in :func:`rankwright.evaluate`.
    measure : what is averaged over groups of queries.

    Examples
    --------
    >>> import rankwright as rw
    >>> rw.diagnose([3, 2, 1], [0, 2, 1], qid=[5, 5, 5]).pair_errors
    pair  pairs  error rate
    2–1       1      0.0000
    2–0       1      1.0000
    1–0       1      1.0000
    all       3      0.6667
    """
    named = _by_name(systems, "")
    trained = {name: s for name, s in named.items() if getattr(s, "history_", None)}
    curves = learning_curves(next(iter(trained.values())) if "" in trained else trained) if trained else None
    return Diagnosis(
        pair_errors(systems, data, qid=qid, group=group),
        by_pairs(systems, data, measure, qid=qid, group=group, preset=preset),
        curves,
    )


_measure = measure  # the name is an argument in by_pairs


def _by_name(systems: Any, alone: str, taken: tuple[str, ...] = ()) -> dict[str, Any]:
    """Systems by name; `taken` are names of other columns of the table."""
    named = {str(n): system for n, system in systems.items()} if isinstance(systems, Mapping) else {alone: systems}
    if not named:
        raise InputError("there must be a system to look at. Got none. Pass a ranker, scores, or a dict of them.")
    clash = [name for name in named if name in taken]
    if clash:
        raise InputError(f"a system must not be named like a column. Got {clash[0]!r}. Use another name.")
    return named


def _summed(parts: list[Any], n_queries: int) -> tuple[Any, Any]:
    pairs = sum((pairs for pairs, _ in parts), start=np.zeros(n_queries))
    return pairs, sum((errors for _, errors in parts), start=np.zeros(n_queries))


def _ratio(errors: Any, pairs: Any) -> Any:
    return np.divide(errors, pairs, out=np.full(np.shape(pairs), np.nan), where=np.asarray(pairs) > 0)[()]


def _edges(edges: Sequence[int] | None, most: int) -> list[int]:
    if edges is None:
        steps = (digit * 10**power for power in range(19) for digit in (1, 2, 5))
        width = next(step for step in steps if most < step * GROUPS)
        return list(range(0, most + 1, width))
    starts = [int(edge) for edge in edges]
    if not starts or any(b <= a for a, b in pairwise(starts)):
        raise InputError(f"edges must be whole numbers that rise. Got {list(edges)}. Pass such as [0, 1000, 2000].")
    return starts


def _short(n: int) -> str:
    """1000 as 1k, as the paper's figure has it."""
    return f"{n // 1000}k" if n and n % 1000 == 0 else str(n)
