"""One entry to reports: from whatever was found to a page, by the sections that know what to do with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.adaptation.adapt import Adaptation
from rankwright.combination import Combination, optimal_combination
from rankwright.data import Dataset
from rankwright.errors import InputError
from rankwright.evaluation import Comparison, CrossValidation
from rankwright.files import write_atomically
from rankwright.report.combination import combination_chart, combination_facts
from rankwright.report.contents import Contents
from rankwright.report.page import Page
from rankwright.report.sections import SECTIONS

if TYPE_CHECKING:
    from rankwright.rankers import Ranker

Found = Comparison | CrossValidation | Adaptation
Facts = Mapping[str, str]

FEWEST = 5  # queries from which on it is said how sure a weight is
RESAMPLES = 200
ON_THE_SAME = (
    "The two best, each in units of the spread of its scores. The weight is chosen on the very queries it is judged "
    "on here, which flatters it; cross-validated, it is chosen on others."
)
ON_HELD_OUT = (
    "Both rankers in units of the spread of their scores, on the held-out target labels of one fold. "
    "These labels chose the weight."
)


def write_report(
    found: Found,
    path: str | Path,
    *,
    rankers: Mapping[str, Ranker | Sequence[Ranker]] | None = None,
    data: Dataset | None = None,
    title: str | None = None,
    facts: Facts | None = None,
) -> None:
    """Writes what was found as one HTML file that needs nothing else: no network, no other file.

    The leaderboard, significance, queries won and lost, the measure by query group; of fitted rankers learning curves
    and feature importances; the measure of the two best combined; of an adaptation the target weights. Each where there
    is something to show.

    Parameters
    ----------
    found : what :func:`rankwright.compare`, :func:`rankwright.cross_validate` or :func:`rankwright.adapt` returned.
    path : where to; written whole or not at all.
    rankers : fitted rankers by the names of the comparison, one or one for each fold; those of a cross-validation and
        of an adaptation are known.
    data : judged queries; the two best of `rankers` are combined on them at every weight.
    title : of the page.
    facts : what else the reader should know, as names and values, such as the names of files.

    Examples
    --------
    >>> import rankwright as rw
    >>> found = rw.compare({"old": [2, 1, 2, 1], "new": [1, 2, 2, 1]}, [0, 1, 1, 0], "AP", qid=[1, 1, 2, 2])
    >>> rw.write_report(found, "/dev/null", title="Old against new")
    """
    write_atomically(path, report_page(contents_of(found, rankers, data), title, facts).encode())


def contents_of(
    found: Found, rankers: Mapping[str, Ranker | Sequence[Ranker]] | None = None, data: Dataset | None = None
) -> Contents:
    """What was found, as the sections take it."""
    if isinstance(found, CrossValidation):
        return Contents(found.comparison, rankers or found.rankers)  # type: ignore[arg-type]
    known: Mapping[str, Any] = rankers or (found.rankers if isinstance(found, Adaptation) else {})
    per_fold = {str(name): list(r) if isinstance(r, (list, tuple)) else [r] for name, r in known.items()}
    if isinstance(found, Adaptation):
        known_of_it = Contents(found.comparison, per_fold, weights=found.weights, skipped=found.skipped)
        return replace(known_of_it, **_interpolated(found))
    if not isinstance(found, Comparison):
        raise InputError(
            f"a report is of a comparison, a cross-validation or an adaptation. Got {type(found).__name__}. "
            "Pass what compare, cross_validate or adapt returned."
        )
    return replace(Contents(found, per_fold), **_two_best(found, per_fold, data))


def report_page(contents: Contents, title: str | None = None, facts: Facts | None = None) -> str:
    """The page as text.

    Parameters
    ----------
    contents : what is to be shown.
    title : of the page; made from the comparison when left out.
    facts : names and values below the title.
    """
    found = contents.comparison
    below = "" if found is None else f"{', '.join(map(str, found.measures))} on {_queries(found)}"
    page = Page(title or _title(contents), below, facts)
    for add in SECTIONS:
        add(page, contents)
    return page.text()


def _title(contents: Contents) -> str:
    n = len(contents.order)
    return "Adaptation to another domain" if contents.weights is not None else f"{n} ranking{'s' * (n != 1)} compared"


def _queries(found: Comparison) -> str:
    return "1 query" if found.n_queries == 1 else f"{found.n_queries:,} queries"


def _two_best(found: Comparison, rankers: Mapping[str, Sequence[Ranker]], data: Dataset | None) -> dict[str, Any]:
    """The curve of the two best rankers combined, each in units of its spread; nothing where that cannot be had."""
    order = [str(name) for name in found.leaderboard()["system"].tolist()]
    best = [name for name in order if len(rankers.get(name, ())) == 1][:2]
    if data is None or len(best) < 2 or found.measures[0].kernel_spec() is None:
        return {}
    scores = [rankers[name][0].predict(data) for name in best]
    first, second = (score / max(float(score.std()), 1e-12) for score in scores)
    combined = optimal_combination(first, second, data, measure=found.measures[0], curve=True)
    return _curve(combined, best, ON_THE_SAME)


def _interpolated(found: Adaptation) -> dict[str, Any]:
    """The curve of the source's and the target's ranker, on the labels that chose the weight."""
    combined = getattr(found.rankers.get("interpolated"), "combination_", None)
    return {} if combined is None else _curve(combined, ["source", "target"], ON_HELD_OUT)


def _curve(combined: Combination, names: list[str], note: str) -> dict[str, Any]:
    sure = combined.certainty(n_resamples=RESAMPLES) if combined.n_queries >= FEWEST else None
    return {
        "curve": combination_chart(combined, sure, names=(names[0], names[1])),
        "curve_facts": combination_facts(combined, sure, names),
        "curve_note": note,
    }
