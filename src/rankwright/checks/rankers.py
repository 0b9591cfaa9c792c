"""Properties that every ranker has."""

from __future__ import annotations

from collections.abc import Mapping

from rankwright.checks import ranker_data, ranker_estimator, ranker_invariance
from rankwright.checks.outcome import Check, run
from rankwright.rankers import Ranker

RANKER_CHECKS: dict[str, Check[Ranker]] = {
    **ranker_estimator.CHECKS,
    **ranker_invariance.CHECKS,
    **ranker_data.CHECKS,
}


def check_ranker(ranker: Ranker | type[Ranker], skip: Mapping[str, str] | None = None) -> list[str]:
    """Checks a ranker of any making: the names of the properties that hold, or `CheckFailed` with the others.

    Everything is trained on a few small lists, many times; give quick options. A class that declares a property
    in its `exempt`, with the reason, is not held to it.

    Parameters
    ----------
    ranker : an unfitted ranker, which is cloned and never changed; or a class, whose `examples` are checked.
    skip : properties not to check, by name, each with its reason.

    Examples
    --------
    >>> import rankwright as rw
    >>> "same_model_again" in rw.check_ranker(rw.SingleFeature(feature=0))
    True
    """
    if isinstance(ranker, type):
        names: list[str] = []
        for example in ranker.examples():
            names += [name for name in check_ranker(example, skip) if name not in names]
        return names
    exempt = {name for name in ranker.exempt if name in RANKER_CHECKS}  # it may name scikit-learn's checks too
    return run(ranker, RANKER_CHECKS, {*exempt, *(skip or {})}, repr(ranker))
