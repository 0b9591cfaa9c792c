"""Properties that every measure has."""

from __future__ import annotations

from collections.abc import Mapping

from rankwright.checks import measure_ranking, measure_value
from rankwright.checks.outcome import Check, run
from rankwright.measures import Measure, MeasureLike, measure

MEASURE_CHECKS: dict[str, Check[Measure]] = {**measure_value.CHECKS, **measure_ranking.CHECKS}


def check_measure(what: MeasureLike | type[Measure], skip: Mapping[str, str] | None = None) -> list[str]:
    """Checks a measure of any making: the names of the properties that hold, or `CheckFailed` with the others.

    Parameters
    ----------
    what : a measure, its printed form, or a class with defaults for all its options.
    skip : properties not to check, by name, each with its reason.

    Examples
    --------
    >>> import rankwright as rw
    >>> "best_on_the_ideal_order" in rw.check_measure("nDCG@3")
    True
    """
    subject = what() if isinstance(what, type) else measure(what)
    return run(subject, MEASURE_CHECKS, set(skip or {}), str(subject))
